// Convolution by the toolkit's FFT, for van Werkhoven's section 7: transform the image and the filter,
// multiply, transform back. fft header prints the first row of fft.csv, fft DATE the others. Timed as any
// kernel of a lab is.
#include <cufft.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/lab.h"
#include "lab/recorder.h"

namespace {

constexpr int IMAGES[] = {1024, 4096};  // sides, in pixels; the filters' in taps
constexpr int FILTERS[] = {3, 5, 7, 9, 13, 17, 21, 27, 33, 43, 51, 65, 75};
constexpr int WARMUPS = 3, REPEATS = 20;
constexpr int BLOCK_SIZE = 256;
// Those of a benchmark's file (results.cpp), without the ones that an FFT has no value for.
constexpr char COLUMNS[] =
    "lab,method,backend,device,date,width,height,channels,filter_width,filter_height,kernel_ms,copy_ms,"
    "gflops,build,"
    "filter_kind,memory,p10_ms,p90_ms,repeats,total_ms";

void check_fft(cufftResult status, const char* what) {
    if (status != CUFFT_SUCCESS)
        throw std::runtime_error(std::string(what) + ": cuFFT says " + std::to_string(int(status)));
}

int ceil_div(size_t a, int b) {
    return int((a + size_t(b) - 1) / size_t(b));
}

/// The least even side from `least` on without other factors than 2, 3, 5 and 7, which are fast.
int fast_side(int least) {
    for (int side = least;; side++) {
        int rest = side;
        for (int factor : {2, 3, 5, 7}) {
            while (rest % factor == 0)
                rest /= factor;
        }
        if (rest == 1 && side % 2 == 0) return side;
    }
}

/// Pixel (x, y) of the source lands at (x - shift, y - shift) of the square, around its edges; the rest is 0.
__global__ void spread_kernel(float* square, const float* source, int side, int source_side, int shift) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= side * side) return;
    const int x = (k % side + shift) % side, y = (k / side + shift) % side;
    square[k] = x < source_side && y < source_side ? source[y * source_side + x] : 0.0f;
}

/// The un-flipped sum is the product with the filter's complex conjugate.
__global__ void multiply_kernel(cufftComplex* image, const cufftComplex* filter, size_t count, float scale) {
    const size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (k >= count) return;
    const cufftComplex a = image[k], b = filter[k];
    image[k] = {(a.x * b.x + a.y * b.y) * scale, (a.y * b.x - a.x * b.y) * scale};
}

__global__ void crop_kernel(float* out, const float* square, int side, int out_side) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < out_side * out_side) out[k] = square[(k / out_side) * side + k % out_side];
}

class plan {
public:
    plan(int side, cufftType type) { check_fft(cufftPlan2d(&handle_, side, side, type), "cufftPlan2d"); }
    ~plan() { cufftDestroy(handle_); }
    plan(const plan&) = delete;
    plan& operator=(const plan&) = delete;
    cufftHandle handle() const { return handle_; }

private:
    cufftHandle handle_ = 0;
};

struct problem {
    int image_side, filter_side;
    std::vector<float> image, filter;
};

std::vector<float> random_values(size_t count) {
    std::mt19937 generator(42);
    std::uniform_real_distribution<float> values(-1.0f, 1.0f);
    std::vector<float> all(count);
    for (float& one : all)
        one = values(generator);
    return all;
}

/// The whole convolution, as one launch of a lab's benchmark.
std::vector<float> convolve(const problem& p) {
    const int side = fast_side(p.image_side + p.filter_side / 2);
    const size_t pixels = size_t(side) * side, waves = size_t(side) * (side / 2 + 1);
    device_buffer<float> d_image(p.image), d_filter(p.filter), d_out(p.image.size());
    device_buffer<float> d_square(pixels), d_taps(pixels);
    device_buffer<cufftComplex> d_image_waves(waves), d_filter_waves(waves);
    const plan there(side, CUFFT_R2C), back(side, CUFFT_C2R);
    const int blocks = ceil_div(pixels, BLOCK_SIZE);
    timed_launch([&] {
        spread_kernel<<<blocks, BLOCK_SIZE>>>(d_square.data(), d_image.data(), side, p.image_side, 0);
        spread_kernel<<<blocks, BLOCK_SIZE>>>(d_taps.data(), d_filter.data(), side, p.filter_side,
                                              p.filter_side / 2);
        check_fft(cufftExecR2C(there.handle(), d_square.data(), d_image_waves.data()),
                  "the image's transform");
        check_fft(cufftExecR2C(there.handle(), d_taps.data(), d_filter_waves.data()),
                  "the filter's transform");
        multiply_kernel<<<ceil_div(waves, BLOCK_SIZE), BLOCK_SIZE>>>(
            d_image_waves.data(), d_filter_waves.data(), waves, 1.0f / float(pixels));
        check_fft(cufftExecC2R(back.handle(), d_image_waves.data(), d_square.data()), "the way back");
        crop_kernel<<<ceil_div(d_out.size(), BLOCK_SIZE), BLOCK_SIZE>>>(d_out.data(), d_square.data(), side,
                                                                        p.image_side);
    });
    std::vector<float> out(d_out.size());
    d_out.copy_to(out);
    return out;
}

/// Compares a few outputs, corners among them, with the sum in double precision. Throws std::runtime_error.
void expect_right(const std::vector<float>& out, const problem& p) {
    constexpr int CHECKED = 400;
    constexpr double BOUND =
        1e-4;  // of the sum of |pixel * tap|: far above a float's, far below a wrong tap's
    const int radius = p.filter_side / 2, n = p.image_side;
    for (int k = 0; k < CHECKED; k++) {
        const size_t at = k == 0 ? 0 : (out.size() - 1) * size_t(k) / (CHECKED - 1);
        const int x = int(at % size_t(n)), y = int(at / size_t(n));
        double sum = 0, size = 0;
        for (int i = -radius; i <= radius; i++) {
            for (int j = -radius; j <= radius; j++) {
                if (y + i < 0 || y + i >= n || x + j < 0 || x + j >= n) continue;
                const double term = double(p.image[size_t(y + i) * n + x + j]) *
                                    p.filter[size_t(i + radius) * p.filter_side + j + radius];
                sum += term;
                size += std::fabs(term);
            }
        }
        if (!(std::fabs(out[at] - sum) <= BOUND * size))
            throw std::runtime_error("fft: pixel (" + std::to_string(x) + ", " + std::to_string(y) +
                                     "): expected " + std::to_string(sum) + ", got " +
                                     std::to_string(out[at]));
    }
}

/// The value below which `share` of the sorted values lie.
double percentile(const std::vector<double>& sorted, double share) {
    const double place = share * double(sorted.size() - 1);
    const auto below = size_t(place), above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - double(below));
}

void measure(int image_side, int filter_side, const std::string& device, const char* date) {
    const problem p{image_side, filter_side, random_values(size_t(image_side) * image_side),
                    random_values(size_t(filter_side) * filter_side)};
    lab::current_call() = {};
    lab::current_call().warmups = WARMUPS;
    lab::current_call().repeats = REPEATS;
    expect_right(convolve(p), p);
    std::vector<double> times = lab::current_call().kernel_ms;
    std::sort(times.begin(), times.end());
    const double ms = percentile(times, 0.5), copies = lab::current_call().copy_ms;
    const double taps = double(image_side) * image_side * filter_side * filter_side;
    std::printf(
        "cufft,\"fft\",gpu,\"%s\",%s,%d,%d,1,%d,%d,%.6f,%.6f,%.3f,default,random,pageable,%.6f,%.6f,%d,%."
        "6f\n",
        device.c_str(), date, image_side, image_side, filter_side, filter_side, ms, copies, 2e-6 * taps / ms,
        percentile(times, 0.1), percentile(times, 0.9), REPEATS, ms + copies);
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 2) throw std::invalid_argument("fft header, or fft DATE: prints rows of fft.csv");
    if (argv[1] == std::string("header")) {
        std::printf("%s\n", COLUMNS);
        return 0;
    }
    int device = 0;
    cudaDeviceProp properties{};
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    for (int image : IMAGES) {
        for (int filter : FILTERS)
            measure(image, filter, properties.name, argv[1]);
    }
} catch (const std::exception& trouble) {
    std::fprintf(stderr, "%s\n", trouble.what());
    return 1;
}
