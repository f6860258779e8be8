// Names: whatever way a call's data takes to the device and back, its accesses count for the array it is.
#include <algorithm>
#include <cstring>
#include <functional>
#include <random>

#include "expect.h"

namespace {

constexpr int N = 300, R = 4, TAPS = 2 * R + 1;
constexpr uint64_t INSIDE = uint64_t{N} * TAPS - R * (R + 1), ALL = uint64_t{N} * TAPS;

using floats = std::vector<float>;

floats noise(size_t count, unsigned seed) {
    std::mt19937 random(seed);
    floats values(count);
    for (float& value : values)
        value = std::uniform_real_distribution<float>(-1, 1)(random);
    return values;
}

__device__ float d_taps[TAPS];

template <class T>
__global__ void convolve(T* out, const T* in, const T* filter, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n) return;
    T sum = 0;
    for (int j = -R; j <= R; j++)
        if (x + j >= 0 && x + j < n) sum += in[x + j] * filter[j + R];
    out[x] = sum;
}

/// `in` points to the first element; the ghost cells before and behind it are there.
__global__ void convolve_padded(float* out, const float* in, const float* filter) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= N) return;
    float sum = 0;
    for (int j = -R; j <= R; j++)
        sum += in[x + j] * filter[j + R];
    out[x] = sum;
}

__global__ void convolve_with_variable(float* out, const float* in) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= N) return;
    float sum = 0;
    for (int j = -R; j <= R; j++)
        if (x + j >= 0 && x + j < N) sum += in[x + j] * d_taps[j + R];
    out[x] = sum;
}

struct slab_of {
    float* all;
    size_t in, filter, out;
};
/// One pointer for everything.
__global__ void convolve_slab(slab_of slab) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= N) return;
    float sum = 0;
    for (int j = -R; j <= R; j++)
        if (x + j >= 0 && x + j < N) sum += slab.all[slab.in + x + j] * slab.all[slab.filter + j + R];
    slab.all[slab.out + x] = sum;
}

/// Every pixel and its left neighbour, which may be a ghost cell.
__global__ void add_left(float* out, const float* in, int width, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= N) return;
    const float* pixel = &in[x / width * pitch + x % width];
    out[x] = pixel[0] + pixel[-1];
}

template <class T>
__global__ void copy_all(T* to, const T* from) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < N) to[x] = from[x];
}

/// The arrays of a call.
struct call {
    floats in = noise(N, 1), filter = noise(TAPS, 2), out = floats(N);
};

constexpr cudaMemcpyKind TO = cudaMemcpyHostToDevice, HOME = cudaMemcpyDeviceToHost;
constexpr int BLOCKS = (N + 127) / 128;

float* fresh(size_t count) {
    return device<float>(count, UNINITIALISED_MEMORY);
}
template <class T>
T* on_device(const std::vector<T>& values) {
    T* memory = device<T>(values.size(), UNINITIALISED_MEMORY);
    cudaMemcpy(memory, values.data(), values.size() * sizeof(T), TO);
    return memory;
}
template <class T>
void home(std::vector<T>& to, const T* from) {
    cudaMemcpy(to.data(), from, to.size() * sizeof(T), HOME);
}

inspect::report report_of(const std::function<void(call&)>& code, call arrays = {}) {
    const inspect::report seen = inspected([&] {
        simt::label_host_range(arrays.in.data(), N * sizeof(float), "in");
        simt::label_host_range(arrays.filter.data(), TAPS * sizeof(float), "filter");
        simt::label_host_range(arrays.out.data(), N * sizeof(float), "out", true);
        code(arrays);
    });
    simt::forget_host_ranges();
    return seen;
}

/// Loads of in and filter and stores of out, and nothing of anything else.
void expect_counts(const char* title, const inspect::report& seen, uint64_t in, uint64_t filter,
                   uint64_t out = N) {
    const auto text = [&](const char* name, uint64_t now) {
        return std::string(title) + ": " + name + ", not " + std::to_string(now);
    };
    const uint64_t in_now = seen.of("in").loads.lanes, filter_now = seen.of("filter").loads.lanes;
    const uint64_t out_now = seen.of("out").stores.lanes;
    expect(in_now == in, text("loads of in", in_now));
    expect(filter_now == filter, text("loads of filter", filter_now));
    expect(out_now == out, text("stores of out", out_now));
    const inspect::memory_traffic all = seen.total().global;
    expect(all.loads.lanes == in + filter, text("loads of all", all.loads.lanes));
    expect(seen.clean(), title + describe(seen));
}
void expect_known(const char* title, const inspect::report& seen, uint64_t in, uint64_t filter) {
    expect_counts(title, seen, in, filter);
    expect(seen.guesses.empty(), std::string(title) + ": no guess");
}

void staged_memory() {
    expect_known("through vectors", report_of([](call& c) {
                     const floats in = c.in, filter = c.filter;
                     floats back(N);
                     float* out = fresh(N);
                     convolve<<<BLOCKS, 128>>>(out, on_device(in), on_device(filter), N);
                     home(back, out);
                     c.out = back;
                 }),
                 INSIDE, INSIDE);
    expect_known("a row of elements a copy, through pinned memory", report_of([](call& c) {
                     float *pinned = nullptr, *in = fresh(N), *out = fresh(N);
                     cudaMallocHost(&pinned, N * sizeof(float));
                     std::copy(c.in.begin(), c.in.end(), pinned);
                     for (int x = 0; x < N; x += 20)
                         cudaMemcpyAsync(in + x, pinned + x, 20 * sizeof(float), TO);
                     convolve<<<BLOCKS, 128>>>(out, in, on_device(c.filter), N);
                     for (int x = 0; x < N; x += 20)
                         cudaMemcpyAsync(pinned + x, out + x, 20 * sizeof(float), HOME);
                     cudaStreamSynchronize(nullptr);
                     std::copy(pinned, pinned + N, c.out.begin());
                     cudaFreeHost(pinned);
                 }),
                 INSIDE, INSIDE);
    expect_known("prepared in out", report_of([](call& c) {
                     c.out = c.in;
                     float *in = on_device(c.out), *out = fresh(N);
                     convolve<<<BLOCKS, 128>>>(out, in, on_device(c.filter), N);
                     home(c.out, out);
                 }),
                 INSIDE, INSIDE);
    call constant;
    std::fill(constant.in.begin(), constant.in.end(), 2.0f);
    expect_known("equal values",
                 report_of(
                     [](call& c) {
                         float* out = fresh(N);
                         convolve<<<BLOCKS, 128>>>(out, on_device(floats(N, 2.0f)), on_device(c.filter), N);
                         home(c.out, out);
                     },
                     constant),
                 INSIDE, INSIDE);
}

void ghost_cells() {
    expect_known("padded on the host", report_of([](call& c) {
                     floats padded(N + 2 * R);
                     std::copy(c.in.begin(), c.in.end(), padded.begin() + R);
                     float* out = fresh(N);
                     convolve_padded<<<BLOCKS, 128>>>(out, on_device(padded) + R, on_device(c.filter));
                     home(c.out, out);
                 }),
                 ALL, ALL);
    expect_known("padded on the device", report_of([](call& c) {
                     float *padded = device<float>(N + 2 * R), *out = fresh(N);
                     cudaMemcpy(padded + R, c.in.data(), N * sizeof(float), TO);
                     convolve_padded<<<BLOCKS, 128>>>(out, padded + R, on_device(c.filter));
                     home(c.out, out);
                 }),
                 ALL, ALL);
    expect_known("rows with ghost cells between, copied with a pitch", report_of([](call& c) {
                     constexpr int WIDTH = 20, HEIGHT = N / WIDTH, PITCH = WIDTH + 2;
                     floats padded(PITCH * (HEIGHT + 2));
                     for (int y = 0; y < HEIGHT; y++)
                         std::copy_n(&c.in[y * WIDTH], WIDTH, &padded[(y + 1) * PITCH + 1]);
                     float *in = nullptr, *out = fresh(N);
                     size_t pitch = 0;
                     cudaMallocPitch(&in, &pitch, PITCH * sizeof(float), HEIGHT + 2);
                     cudaMemcpy2D(in, pitch, padded.data(), PITCH * sizeof(float), PITCH * sizeof(float),
                                  HEIGHT + 2, TO);
                     add_left<<<BLOCKS, 128>>>(out, in + pitch / 4 + 1, WIDTH, int(pitch / 4));
                     home(c.out, out);
                 }),
                 2 * N, 0);
}

void several_arrays_in_one_allocation() {
    for (const bool at_once : {false, true}) {
        expect_known(at_once ? "one copy each way" : "a copy for each array", report_of([&](call& c) {
                         const slab_of slab{fresh(2 * N + TAPS), N, 2 * N, 0};
                         floats all(2 * N + TAPS);
                         std::copy(c.in.begin(), c.in.end(), &all[slab.in]);
                         std::copy(c.filter.begin(), c.filter.end(), &all[slab.filter]);
                         if (at_once) cudaMemcpy(slab.all, all.data(), all.size() * sizeof(float), TO);
                         if (!at_once) cudaMemcpy(slab.all + slab.in, c.in.data(), N * sizeof(float), TO);
                         if (!at_once)
                             cudaMemcpy(slab.all + slab.filter, c.filter.data(), TAPS * sizeof(float), TO);
                         convolve_slab<<<BLOCKS, 128>>>(slab);
                         home(at_once ? all : c.out, slab.all);
                         if (at_once) std::copy_n(all.begin(), N, c.out.begin());
                     }),
                     INSIDE, INSIDE);
    }
    const inspect::report stray = report_of([](call& c) {
        float* all = fresh(2 * N + TAPS);
        cudaMemcpy(all, c.in.data(), N * sizeof(float), TO);
        cudaMemcpy(all + N, c.filter.data(), TAPS * sizeof(float), TO);
        convolve<<<BLOCKS, 128>>>(all + N + TAPS + 1, all, all + N, N);
        home(c.out, all + N + TAPS);
    });
    expect(!stray.findings.empty() && stray.findings[0].text.find("out[") != std::string::npos,
           "a finding to name the array in the allocation, got" + describe(stray));
}

void one_array_in_several_allocations() {
    expect_known("strips", report_of([](call& c) {
                     const float* filter = on_device(c.filter);
                     for (int strip = 0; strip < 2; strip++) {
                         const floats with_halo(c.in.begin() + strip * N / 2,
                                                c.in.begin() + (strip + 1) * N / 2);
                         float* out = fresh(N / 2);
                         convolve<<<BLOCKS, 128>>>(out, on_device(with_halo), filter, N / 2);
                         cudaMemcpy(&c.out[strip * N / 2], out, N / 2 * sizeof(float), HOME);
                     }
                 }),
                 INSIDE - R * (R + 1), INSIDE - R * (R + 1));
}

void copies_on_the_device() {
    expect_known("there and back", report_of([](call& c) {
                     float *in = on_device(c.in), *copy = fresh(N), *out = fresh(N);
                     cudaMemcpy(copy, in, N * sizeof(float), cudaMemcpyDeviceToDevice);
                     convolve<<<BLOCKS, 128>>>(out, copy, on_device(c.filter), N);
                     cudaMemcpy(in, out, N * sizeof(float), cudaMemcpyDeviceToDevice);
                     home(c.out, in);
                 }),
                 INSIDE, INSIDE);
    // A buffer that is in first and out in the end; what lies between is neither.
    const inspect::report seen = report_of([](call& c) {
        float *in = on_device(c.in), *between = fresh(N);
        convolve<<<BLOCKS, 128>>>(between, in, on_device(c.filter), N);
        copy_all<<<BLOCKS, 128>>>(in, between);
        home(c.out, in);
    });
    expect(seen.of("in").loads.lanes == INSIDE && seen.of("in").stores.lanes == 0, "loads of in alone");
    expect(seen.of("out").stores.lanes == N && seen.of("out").loads.lanes == 0, "stores of out alone");
}

void device_variables() {
    expect_known("a __device__ variable", report_of([](call& c) {
                     const floats filter = c.filter;
                     cudaMemcpyToSymbol(d_taps, filter.data(), sizeof d_taps);
                     float* out = fresh(N);
                     convolve_with_variable<<<BLOCKS, 128>>>(out, on_device(c.in));
                     home(c.out, out);
                 }),
                 INSIDE, INSIDE);
}

void what_cannot_be_recognised() {
    const inspect::report turned = report_of([](call& c) {
        float* out = fresh(N);
        convolve<<<BLOCKS, 128>>>(out, on_device(c.in), on_device(floats(c.filter.rbegin(), c.filter.rend())),
                                  N);  // HERE turned
        home(c.out, out);
    });
    expect_counts("filter turned round", turned, INSIDE, INSIDE);
    expect(turned.guesses.size() == 1 && turned.guess_of("filter") && !turned.guess_of("in"),
           "filter to be a guess");
    if (turned.guess_of("filter"))
        expect(to_text(*turned.guess_of("filter")).find("36 bytes") != std::string::npos,
               "the guessed memory in words, got " + to_text(*turned.guess_of("filter")));

    const inspect::report wide = report_of([](call& c) {
        auto* out = device<double>(N, UNINITIALISED_MEMORY);
        const std::vector<double> in(c.in.begin(), c.in.end()), filter(c.filter.begin(), c.filter.end());
        convolve<<<BLOCKS, 128>>>(out, on_device(in), on_device(filter), N);
        std::vector<double> back(N);
        home(back, out);
        c.out.assign(back.begin(), back.end());
    });
    expect_counts("in double", wide, INSIDE, INSIDE);
    expect(wide.guesses.size() == 3, "three guesses");

    const inspect::report computed = report_of([](call& c) {
        const floats result = noise(N, 3);
        float* out = fresh(N);
        copy_all<<<BLOCKS, 128>>>(out, on_device(result));
        c.out = result;
    });
    expect(computed.of("in").loads.lanes == 0 && computed.guesses.empty(),
           "what the host has computed not to be taken for in");
}

void equal_contents() {
    // The result is the input: which is which is told by the way it goes.
    call identity;
    std::fill(identity.filter.begin(), identity.filter.end(), 0.0f);
    identity.filter[R] = 1.0f;
    expect_known("out that equals in",
                 report_of(
                     [](call& c) {
                         const floats staged = c.in;
                         floats back(N);
                         float* out = fresh(N);
                         convolve<<<BLOCKS, 128>>>(out, on_device(staged), on_device(c.filter), N);
                         home(back, out);
                         c.out = back;
                     },
                     identity),
                 INSIDE, INSIDE);
    // The filter is a part of the input.
    call part;
    std::copy_n(part.in.begin() + 8, TAPS, part.filter.begin());
    expect_known("a filter that stands in in",
                 report_of(
                     [](call& c) {
                         const floats in = c.in, filter = c.filter;
                         float* out = fresh(N);
                         convolve<<<BLOCKS, 128>>>(out, on_device(in), on_device(filter), N);
                         home(c.out, out);
                     },
                     part),
                 INSIDE, INSIDE);
}

}  // namespace

int main() {
    inspect::begin();
    return run_cases({staged_memory, ghost_cells, several_arrays_in_one_allocation,
                      one_array_in_several_allocations, copies_on_the_device, device_variables,
                      what_cannot_be_recognised, equal_contents});
}
