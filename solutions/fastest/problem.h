// What is to be convolved: sizes and what is asked of the result.
#pragma once

namespace fastest {

/// The relative error of a plain loop in float, or about that of half-precision factors (3e-4) in less time.
enum class accuracy { floats, halves };

struct problem {
    int width, height;                // of the image, in pixels
    int filter_width, filter_height;  // in taps
    accuracy wanted = accuracy::floats;
    /// No pixel is larger in magnitude. The matrix units compute with pixels split into halves, scaled by this: larger ones
    /// may become NaN around them, those below 2^-16 of it lose accuracy.
    float largest_pixel = 1024.0f;
    int images = 1;  // of a run, one behind the other
};

}  // namespace fastest
