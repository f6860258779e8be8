// The methods: each in a file of its own, which offers one function.
#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <span>
#include <vector>

#include "problem.h"

namespace fastest {

/// Images on the device, as many as the problem says, and their results. All start at multiples of 16 bytes, pitches are in floats
/// and multiples of 4; one begins where the rows of the one before it end.
struct images {
    float* out;
    const float* in;
    int out_pitch, in_pitch;

    /// From the k-th on.
    images from(int k, const problem& size) const {
        const size_t rows = size_t(k) * size.height;
        return {out + rows * out_pitch, in + rows * in_pitch, out_pitch, in_pitch};
    }
};

/// A convolution that is ready to be launched.
class launcher {
public:
    virtual ~launcher() = default;
    virtual void launch(const images& all, cudaStream_t stream) = 0;
};

/// Makes a launcher, or nullptr if the method does not serve the filter or the device.
using launcher_maker = std::unique_ptr<launcher> (*)(std::span<const float> filter, const problem& size);

std::unique_ptr<launcher> make_streaming(std::span<const float> filter, const problem& size);  // lab 13
std::unique_ptr<launcher> make_separable(std::span<const float> filter, const problem& size);  // lab 15
std::unique_ptr<launcher> make_tensor(std::span<const float> filter, const problem& size);
std::unique_ptr<launcher> make_fft(std::span<const float> filter, const problem& size);
/// Of make_tensor those outputs, and some others, that depend on ghost cells.
std::unique_ptr<launcher> make_tensor_edge(std::span<const float> filter, const problem& size);
std::unique_ptr<launcher> make_plain(std::span<const float> filter, const problem& size);

struct method {
    const char* name;
    launcher_maker make;
};

/// All of them, the last of which serves everything.
std::span<const method> methods();

}  // namespace fastest
