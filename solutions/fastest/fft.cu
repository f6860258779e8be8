// Convolution by the toolkit's FFT: of the image, times that of the filter, which the plan keeps, and back. Its time does
// not depend on the filter. Without cuFFT the method serves nothing.
//
// An FFT takes an image for a torus: at each edge it sees the pixels of the opposite one. The remedy of the books is a larger
// plane with zeros around the image, to be filled, transformed and cropped; a plane of 4096 x 4096 is twice as fast as one that is a
// little larger. So where the matrix units can, the image itself is transformed, and they set the outputs along the edges right.
#include "method.h"

#ifndef HAS_CUFFT

std::unique_ptr<fastest::launcher> fastest::make_fft(std::span<const float>, const problem&) {
    return nullptr;
}

#else

#include <cufft.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lab/buffer.h"

namespace fastest {

namespace {

constexpr int BLOCK_SIZE = 256, MOST_BLOCKS = 65535;

void check(cufftResult status, const char* what) {
    if (status != CUFFT_SUCCESS)
        throw std::runtime_error(std::string("cuFFT: ") + what + ": error " + std::to_string(int(status)));
}

/// The plane that is transformed, in floats, four by four: both sides are even and have room for the ghost cells of one
/// edge, on which the other edge's sums fall.
struct plane {
    int width, height;
    __host__ __device__ size_t size() const { return size_t(width) * height; }
    /// An even number.
    __host__ __device__ size_t waves() const { return size_t(width / 2 + 1) * height; }
};

/// One way of the transform of so many planes.
class transform {
public:
    transform(const plane& each, int count, cufftType type) {
        int sides[] = {each.height, each.width};
        check(cufftPlanMany(&handle_, 2, sides, nullptr, 1, 0, nullptr, 1, 0, type, count), "no plan");
    }
    ~transform() { cufftDestroy(handle_); }
    transform(const transform&) = delete;
    transform& operator=(const transform&) = delete;
    cufftHandle on(cudaStream_t stream) const {
        check(cufftSetStream(handle_, stream), "no stream");
        return handle_;
    }

private:
    cufftHandle handle_ = 0;
};

/// Whether the toolkit is fast at it: an even number without other factors than 2, 3, 5 and 7.
bool is_fast(int side) {
    for (const int factor : {2, 3, 5, 7}) {
        while (side % (factor == 2 ? 4 : factor) == 0)
            side /= factor;
    }
    return side == 2;
}

/// The least fast side from `least` on, a multiple of 64; 4224 is 1.1 times as fast as 4160.
int fast_side(int least) {
    constexpr int STEP = 64;
    int side = lab::ceil_div(least, STEP) * STEP;
    while (!is_fast(side) && side % 4224 != 0)
        side += STEP;
    return side;
}

plane plane_for(const problem& size, bool is_torus) {
    if (is_torus) return {size.width, size.height};
    return {fast_side(size.width + size.filter_width / 2), fast_side(size.height + size.filter_height / 2)};
}

// A row of blocks for each image and its plane.

/// The image in the corner of the plane, zeros around it.
__global__ void embed_kernel(float4* out, const float* in, plane all, int width, int height, int in_pitch) {
    out += blockIdx.y * (all.size() / 4);
    in += blockIdx.y * size_t(in_pitch) * height;
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x; k < all.size() / 4; k += step) {
        const int y = int(k / (all.width / 4)), x = int(k % (all.width / 4)) * 4;
        float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        const float* from = &in[size_t(y) * in_pitch + x];
        if (y < height && x + 4 <= width) {
            four = __ldcs(reinterpret_cast<const float4*>(from));
        } else if (y < height && x < width) {  // the image ends in these four
            four.x = from[0];
            if (x + 1 < width) four.y = from[1];
            if (x + 2 < width) four.z = from[2];
        }
        out[k] = four;
    }
}

__global__ void crop_kernel(float* out, const float4* in, plane all, int width, int height, int out_pitch) {
    out += blockIdx.y * size_t(out_pitch) * height;
    in += blockIdx.y * (all.size() / 4);
    const int in_row = (width + 3) / 4;
    const size_t count = size_t(in_row) * height, step = size_t(gridDim.x) * blockDim.x;
    for (size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x; k < count; k += step) {
        const int y = int(k / in_row), x = int(k % in_row) * 4;
        const float4 four = in[size_t(y) * (all.width / 4) + x / 4];
        float* to = &out[size_t(y) * out_pitch + x];
        if (x + 4 <= width) {
            __stcs(reinterpret_cast<float4*>(to), four);
        } else {
            to[0] = four.x;
            if (x + 1 < width) to[1] = four.y;
            if (x + 2 < width) to[2] = four.z;
        }
    }
}

/// Two complex products a thread. The filter's transform is conjugate: the sum does not flip the filter.
__global__ void multiply_kernel(float4* image, const float4* filter, size_t pairs) {
    image += blockIdx.y * pairs;
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x; k < pairs; k += step) {
        const float4 a = image[k], b = filter[k];
        image[k] = make_float4(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y, a.z * b.z + a.w * b.w,
                               a.w * b.z - a.z * b.w);
    }
}

class fft_launcher : public launcher {
public:
    /// `edge` sets the outputs at the edges right; without it there are zeros around the image.
    fft_launcher(std::span<const float> filter, const problem& size, std::unique_ptr<launcher> edge)
        : size_(size),
          edge_(std::move(edge)),
          plane_(plane_for(size, edge_ != nullptr)),
          at_once_(std::min(size.images, MOST_PLANES)),
          there_(plane_, at_once_, CUFFT_R2C),
          back_(plane_, at_once_, CUFFT_C2R),
          pixels_(plane_.size() * (edge_ ? 1 : at_once_)),
          image_waves_(2 * plane_.waves() * at_once_),
          filter_waves_(2 * plane_.waves()) {
        // The filter's middle lies at the plane's first pixel, what is left of it and above it around the edges.
        std::vector<float> taps(pixels_.size(), 0.0f);
        const float scale = 1.0f / float(plane_.size());  // the way there and back multiplies by the size
        for (int i = 0; i < size.filter_height; i++) {
            for (int j = 0; j < size.filter_width; j++) {
                const int y = (i - size.filter_height / 2 + plane_.height) % plane_.height;
                const int x = (j - size.filter_width / 2 + plane_.width) % plane_.width;
                taps[size_t(y) * plane_.width + x] += scale * filter[size_t(i) * size.filter_width + j];
            }
        }
        pixels_.copy_from(taps);
        const transform of_filter(plane_, 1, CUFFT_R2C);
        check(cufftExecR2C(of_filter.on(nullptr), pixels_.data(), waves(filter_waves_)),
              "the filter's transform");
        CUDA_CHECK(cudaDeviceSynchronize());
    }

    void launch(const images& all, cudaStream_t stream) override {
        // The last turn is as large as the others: it may do some images once more.
        for (int first = 0; first < size_.images; first += at_once_)
            launch_some(all.from(std::min(first, size_.images - at_once_), size_), stream);
        if (edge_) edge_->launch(all, stream);
    }

private:
    static constexpr int MOST_PLANES = 8;  // at once; they are kept three times

    /// at_once_ images.
    void launch_some(const images& of, cudaStream_t stream) {
        if (edge_) {
            convolve(of.out, of.in, stream);
            return;
        }
        auto* const plane_pixels = reinterpret_cast<float4*>(pixels_.data());
        embed_kernel<<<blocks_for(plane_.size() / 4), BLOCK_SIZE, 0, stream>>>(
            plane_pixels, of.in, plane_, size_.width, size_.height, of.in_pitch);
        convolve(pixels_.data(), pixels_.data(), stream);
        crop_kernel<<<blocks_for(size_t(lab::ceil_div(size_.width, 4)) * size_.height), BLOCK_SIZE, 0,
                      stream>>>(of.out, plane_pixels, plane_, size_.width, size_.height, of.out_pitch);
    }

    /// Of planes.
    void convolve(float* out, const float* in, cudaStream_t stream) {
        check(cufftExecR2C(there_.on(stream), const_cast<float*>(in), waves(image_waves_)),
              "the image's transform");
        const size_t pairs = plane_.waves() / 2;
        multiply_kernel<<<blocks_for(pairs), BLOCK_SIZE, 0, stream>>>(
            reinterpret_cast<float4*>(image_waves_.data()),
            reinterpret_cast<const float4*>(filter_waves_.data()), pairs);
        check(cufftExecC2R(back_.on(stream), waves(image_waves_), out), "the way back");
    }

    dim3 blocks_for(size_t threads) const {
        return dim3(unsigned(std::min<size_t>((threads + BLOCK_SIZE - 1) / BLOCK_SIZE, MOST_BLOCKS)),
                    unsigned(at_once_));
    }

    static cufftComplex* waves(lab::device_buffer<float>& memory) {
        return reinterpret_cast<cufftComplex*>(memory.data());
    }

    problem size_;
    std::unique_ptr<launcher> edge_;
    plane plane_;
    int at_once_;
    transform there_, back_;
    lab::device_buffer<float> pixels_, image_waves_, filter_waves_;
};

}  // namespace

std::unique_ptr<launcher> make_fft(std::span<const float> filter, const problem& size) {
    std::unique_ptr<launcher> edge;
    // Rows without gaps lie in memory as the plane does.
    const auto is_power_of_two = [](int side) { return (side & (side - 1)) == 0; };
    if (size.width >= 4 && size.height >= 2 && is_power_of_two(size.width) && is_power_of_two(size.height))
        edge = make_tensor_edge(filter, size);
    return std::make_unique<fft_launcher>(filter, size, std::move(edge));
}

}  // namespace fastest

#endif
