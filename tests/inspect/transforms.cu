// cuFFT's transforms under the inspector: what they read and write, in which stream, and how reports tell of them.
#include <cufft.h>

#include <cmath>
#include <stdexcept>
#include <thread>

#include "expect.h"
#include "inspect/report/timeline.h"

__global__ void copy(float* to, const float* from, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n) to[x] = from[x];
}
__global__ void scale(float* a, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n) a[x] *= 0.5f;
}

constexpr int ROWS = 6, COLUMNS = 10, PIXELS = ROWS * COLUMNS, WAVES = ROWS * (COLUMNS / 2 + 1);

cufftComplex* as_waves(float* memory) {
    return reinterpret_cast<cufftComplex*>(memory);
}

/// Two streams, a plan in either direction, a set image and room for its waves.
struct setting {
    cudaStream_t one{}, two{};
    cudaEvent_t event{};
    cufftHandle there = 0, back = 0;
    float *pixels = nullptr, *waves = nullptr, *other = nullptr;

    setting() {
        cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        pixels = device<float>(PIXELS);
        waves = device<float>(2 * WAVES);
        other = device<float>(2 * WAVES);
        cudaDeviceSynchronize();
        cufftPlan2d(&there, ROWS, COLUMNS, CUFFT_R2C);
        cufftPlan2d(&back, ROWS, COLUMNS, CUFFT_C2R);
        cufftSetStream(there, one);
        cufftSetStream(back, one);
    }
    ~setting() {
        cudaDeviceSynchronize();
        cudaStreamDestroy(one);
        cudaStreamDestroy(two);
        cudaEventDestroy(event);
        cufftDestroy(there);
        cufftDestroy(back);
        cudaFree(pixels);
        cudaFree(waves);
        cudaFree(other);
    }
};

// ---- faulty

static void unset_input() {
    const setting s;
    float* const unset = device<float>(PIXELS, UNINITIALISED_MEMORY);
    cudaMemset(unset, 0, COLUMNS * sizeof(float));
    cufftExecR2C(s.there, unset, as_waves(s.waves));  // HERE unset input
}

static void unset_rows() {
    const setting s;
    float* const padded = device<float>(2 * WAVES, UNINITIALISED_MEMORY);
    cudaMemset(padded, 0, 2 * (COLUMNS / 2 + 1) * sizeof(float));  // the first
    cufftExecR2C(s.there, padded, as_waves(padded));               // HERE unset rows
}

static void spoilt_input() {
    const setting s;
    cufftExecC2R(s.back, as_waves(s.waves), s.pixels);
    copy<<<1, 128, 0, s.one>>>(s.other, s.waves, 2 * WAVES);
    cudaStreamSynchronize(s.one);
}

static void transform_beside_kernel() {
    const setting s;
    scale<<<1, 64, 0, s.two>>>(s.pixels, PIXELS);
    cufftExecR2C(s.there, s.pixels, as_waves(s.waves));  // HERE transform beside kernel
}

static void kernel_beside_transform() {
    const setting s;
    cufftExecR2C(s.there, s.pixels, as_waves(s.waves));
    copy<<<1, 128, 0, s.two>>>(s.other, s.waves, 2 * WAVES);  // HERE kernel beside transform
}

static void two_transforms() {
    const setting s;
    cufftExecR2C(s.there, s.pixels, as_waves(s.waves));
    cufftSetStream(s.back, s.two);
    cufftExecC2R(s.back, as_waves(s.waves), s.other);  // HERE two transforms
}

/// The waves are only read, as it seems.
static void spoilt_beside_copy() {
    const setting s;
    cudaMemcpyAsync(s.other, s.waves, 2 * WAVES * sizeof(float), cudaMemcpyDeviceToDevice, s.two);
    cufftExecC2R(s.back, as_waves(s.waves), s.pixels);  // HERE spoilt beside copy
}

static void host_memory() {
    const setting s;
    alignas(8) static float image[PIXELS];
    cufftExecR2C(s.there, image, as_waves(s.waves));  // HERE host memory
}

static void no_room_in_place() {
    const setting s;
    cufftExecR2C(s.there, s.pixels, as_waves(s.pixels));  // HERE no room in place
}

// ---- right

static void waited_for() {
    const setting s;
    scale<<<1, 64, 0, s.two>>>(s.pixels, PIXELS);
    cudaEventRecord(s.event, s.two);
    cudaStreamWaitEvent(s.one, s.event, 0);
    cufftExecR2C(s.there, s.pixels, as_waves(s.waves));
    cudaStreamSynchronize(s.one);
    copy<<<1, 128, 0, s.two>>>(s.other, s.waves, 2 * WAVES);
}

static void one_stream() {
    const setting s;
    cufftExecR2C(s.there, s.pixels, as_waves(s.waves));
    cufftExecC2R(s.back, as_waves(s.waves), s.pixels);
    cufftExecR2C(s.there, s.pixels, as_waves(s.waves));
    cudaStreamSynchronize(s.one);
}

/// What it writes is set from then on, and what lies between rows was never read.
static void unset_room() {
    const setting s;
    float* const padded = device<float>(2 * WAVES, UNINITIALISED_MEMORY);
    cudaMemcpy2D(padded, 2 * (COLUMNS / 2 + 1) * sizeof(float), s.pixels, COLUMNS * sizeof(float),
                 COLUMNS * sizeof(float), ROWS, cudaMemcpyDeviceToDevice);
    cufftExecR2C(s.there, padded, as_waves(padded));
    copy<<<1, 128, 0, s.one>>>(s.other, padded, 2 * WAVES);
    cudaStreamSynchronize(s.one);
}

/// Of one dimension the input is still there.
static void kept_input() {
    const setting s;
    cufftHandle back = 0;
    cufftPlan1d(&back, COLUMNS, CUFFT_C2R, ROWS);
    cufftExecC2R(back, as_waves(s.waves), s.pixels);
    copy<<<1, 128>>>(s.other, s.waves, 2 * WAVES);
    cudaDeviceSynchronize();
    cufftDestroy(back);
}

static void in_two_streams_apart() {
    const setting s;
    cufftExecR2C(s.there, s.pixels, as_waves(s.waves));
    cufftSetStream(s.there, s.two);
    cufftExecR2C(s.there, s.pixels, as_waves(s.other));  // both only read the pixels
}

/// What a copy brings to page-locked memory is there for what comes after it in the stream.
static void page_locked_memory() {
    const setting s;
    float* host = nullptr;
    cudaMallocHost(&host, PIXELS * sizeof(float));
    cudaMemcpyAsync(host, s.pixels, PIXELS * sizeof(float), cudaMemcpyDeviceToHost, s.one);
    cufftExecR2C(s.there, host, as_waves(s.waves));
    float first = NAN;
    cudaStreamSynchronize(s.one);
    cudaMemcpy(&first, s.waves, sizeof first, cudaMemcpyDeviceToHost);
    EXPECT(first == 0);
    cudaFreeHost(host);
}

// ---- the report

static void is_told() {
    const inspect::report seen = inspected([] {
        const setting s;
        cufftHandle many = 0;
        int n[] = {COLUMNS};
        cufftExecR2C(s.there, s.pixels, as_waves(s.waves));
        scale<<<1, 128, 0, s.one>>>(s.waves, 2 * WAVES);
        cufftExecC2R(s.back, as_waves(s.waves), s.pixels);
        cufftPlanMany(&many, 1, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 3);
        cufftExecC2C(many, as_waves(s.other), as_waves(s.other), CUFFT_INVERSE);
        cufftExecC2C(many, as_waves(s.other), as_waves(s.other), CUFFT_FORWARD);
        cufftDestroy(many);
        cudaDeviceSynchronize();
        size_t bytes = 0;
        cufftCreate(&many);
        cufftSetStream(many, s.two);
        cufftMakePlan3d(many, 2, 3, COLUMNS, CUFFT_R2C, &bytes);
        cufftExecR2C(many, s.pixels, as_waves(s.waves));
        cufftDestroy(many);
    });
    EXPECT(seen.findings.empty());
    EXPECT(seen.transforms.size() == 5);
    if (seen.transforms.size() != 5) return;
    const auto is = [&](size_t k, const char* kind, bool is_inverse, bool in_place,
                        const std::vector<uint64_t>& sizes, uint64_t batch, unsigned stream) {
        const inspect::transform& one = seen.transforms[k];
        return one.kind == kind && one.is_inverse == is_inverse && one.in_place == in_place &&
               one.sizes == sizes && one.batch == batch && one.stream == stream && one.line > 0 &&
               one.device == 0;
    };
    EXPECT(is(0, "R2C", false, false, {ROWS, COLUMNS}, 1, 1));
    EXPECT(is(1, "C2R", true, false, {ROWS, COLUMNS}, 1, 1));
    EXPECT(is(2, "C2C", true, true, {COLUMNS}, 3, 0));
    EXPECT(is(3, "C2C", false, true, {COLUMNS}, 3, 0));
    EXPECT(is(4, "R2C", false, false, {2, 3, COLUMNS}, 1, 2));
    std::vector<inspect::operation> work;
    for (const inspect::operation& one : seen.operations)
        if (one.what == "transform") work.push_back(one);
    EXPECT(work.size() == 5 && work[0].name == "cufftExecR2C" && work[0].stream == 1 && !work[0].host_waits);
    EXPECT(work[0].bytes == PIXELS * sizeof(float) + WAVES * sizeof(cufftComplex));
    EXPECT(work[2].bytes == 2 * 3 * COLUMNS * sizeof(cufftComplex));
    const std::string drawn = inspect::timeline(seen);
    EXPECT(drawn.find("# kernel, * transform, <") != std::string::npos);
    EXPECT(drawn.find("*#*") != std::string::npos);
    const std::string text = to_text(seen);
    EXPECT(text.find("cuFFT: R2C of 6 x 10 values\n") != std::string::npos);
    EXPECT(text.find("cuFFT: C2C of 10 values, batch 3, inverse, in place\n") != std::string::npos);
    EXPECT(to_json(inspect::from_json(to_json(seen))) == to_json(seen));
}

/// What a stranger may say: transforms that nobody can have asked for.
static void impossible_ones_are_refused() {
    inspect::report made;
    made.inspected = true;
    made.transforms = {{"R2C", false, false, {6, 10}, 1}};
    const auto is_refused = [&] {
        try {
            inspect::from_json(to_json(made));
        } catch (const std::runtime_error&) {
            return true;
        }
        return false;
    };
    EXPECT(!is_refused());
    const inspect::transform right = made.transforms[0];
    made.transforms[0].batch = 0;
    EXPECT(is_refused());
    for (const std::vector<uint64_t>& sizes :
         {std::vector<uint64_t>{}, {6, 0}, {6, UINT64_MAX}, {1, 2, 3, 4}}) {
        made.transforms[0] = right;
        made.transforms[0].sizes = sizes;
        EXPECT(is_refused());
    }
}

/// Without streams (there were none before) a line is told all the same.
static void is_told_without_streams() {
    const inspect::report seen = inspected([] {
        cufftHandle plan = 0;
        float* const image = device<float>(2 * WAVES);
        cufftPlan2d(&plan, ROWS, COLUMNS, CUFFT_R2C);
        for (int time = 0; time < 3; time++)
            cufftExecR2C(plan, image, as_waves(image));
        cufftDestroy(plan);
    });
    EXPECT(seen.transforms.size() == 3 && seen.findings.empty());
    for (const inspect::transform& one : seen.transforms)
        EXPECT(one.line > 0 && one.stream == 0 && one.in_place);
    EXPECT(to_text(seen).find("cuFFT: R2C of 6 x 10 values, in place, 3 times\n") != std::string::npos);
}

/// Waves that lie where the image was are not the image.
static void names_end() {
    static float image[PIXELS] = {1, 2, 3};
    simt::label_host_range(image, sizeof image, "in");
    const inspect::report seen = inspected([] {
        cufftHandle plan = 0;
        float *const memory = device<float>(2 * WAVES), *const waves = device<float>(2 * WAVES);
        cufftPlan2d(&plan, ROWS, COLUMNS, CUFFT_R2C);
        cudaMemcpy(memory, image, sizeof image, cudaMemcpyHostToDevice);
        copy<<<1, 128>>>(waves, memory, PIXELS);
        cufftExecR2C(plan, memory, as_waves(memory));
        copy<<<1, 128>>>(waves, memory, 2 * WAVES);
        cufftDestroy(plan);
    });
    simt::forget_host_ranges();
    EXPECT(seen.of("in").loads.lanes == PIXELS);
}

static void several_threads() {
    constexpr int THREADS = 4, TIMES = 50;
    const inspect::report seen = inspected([] {
        std::vector<std::thread> askers;
        for (int k = 0; k < THREADS; k++)
            askers.emplace_back([] {
                const setting s;
                for (int time = 0; time < TIMES; time++)
                    cufftExecR2C(s.there, s.pixels, as_waves(s.waves));
            });
        for (std::thread& asker : askers)
            asker.join();
    });
    EXPECT(seen.transforms.size() == THREADS * TIMES && seen.findings.empty());
}

int main() {
    inspect::begin();
    cufftHandle plan = 0;
    if (cufftPlan1d(&plan, 8, CUFFT_R2C, 1) == CUFFT_MISSING_DEPENDENCY) {
        std::printf("skipped: without FFTW there are no transforms\n0 passed, 0 failed, 1 skipped\n");
        return 0;
    }
    cufftDestroy(plan);
    for (void (*one)() :
         {is_told_without_streams, is_told, names_end, impossible_ones_are_refused, several_threads})
        run_case(one);
    run_case([] {
        const inspect::report seen = inspected(spoilt_input);
        EXPECT(seen.has_error("uninitialised-read"));
    });
    return check_cases(
        __FILE__,
        {{"unset input", unset_input, "uninitialised-read",
          "cufftExecR2C reads 200 bytes that were never written, the first of them byte 40 of device memory "
          "of 240 bytes"},
         {"unset rows", unset_rows, "uninitialised-read",
          "reads 200 bytes that were never written, the first of them byte 48 of device memory of 288 bytes"},
         {"transform beside kernel", transform_beside_kernel, "stream-race",
          "cufftExecR2C in stream 2 reads 240 bytes of device memory of 240 bytes that scale in stream 1 "
          "writes"},
         {"kernel beside transform", kernel_beside_transform, "stream-race",
          "that cufftExecR2C in stream 1 writes"},
         {"two transforms", two_transforms, "stream-race", "cufftExecC2R in stream 2"},
         {"spoilt beside copy", spoilt_beside_copy, "stream-race", "cufftExecC2R in stream 2 writes"},
         {"host memory", host_memory, "host-pointer-in-kernel", "cufftExecR2C reads host memory"},
         {"no room in place", no_room_in_place, "out-of-bounds",
          "cufftExecR2C reads 280 bytes, and 240 are there, device memory of 240 bytes from byte 0 on"},
         {"waited for", waited_for, "", ""},
         {"one stream", one_stream, "", ""},
         {"unset room", unset_room, "", ""},
         {"kept input", kept_input, "", ""},
         {"page-locked memory", page_locked_memory, "", ""},
         {"in two streams apart", in_two_streams_apart, "", ""}});
}
