// What stands where the image ends.
#pragma once

namespace lab {

/// Ghost cells outside 0 .. size-1: zeros, the nearest element, or the image reflected with its edge repeated
/// (-1 -> 0, -2 -> 1), the same as cudaAddressModeBorder, -Clamp and -Mirror.
enum class border { zero, clamp, mirror };

/// The element that stands at `position` of a row of `size` elements, or -1 for a zero ghost cell.
constexpr int border_index(int position, int size, border mode) {
    if (position >= 0 && position < size) return position;
    if (mode == border::zero) return -1;
    if (mode == border::clamp) return position < 0 ? 0 : size - 1;
    const int period = 2 * size;
    const int phase = (position % period + period) % period;
    return phase < size ? phase : period - 1 - phase;
}

}  // namespace lab
