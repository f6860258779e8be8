// Reports: names of variables, lines, sums over launches, JSON there and back, text;
// and memory in proportion to use.
#include <sys/resource.h>

#include <stdexcept>

#include "expect.h"

constexpr int N = 256;

__constant__ float c_taps[4];

template <int SHIFT>
__global__ void weighted(float* out, const float* in) {
    extern __shared__ float s_row[];
    __shared__ float s_sum[N];
    s_row[threadIdx.x] = in[threadIdx.x];  // HERE load
    __syncthreads();                       // or the compiler keeps the value in a register, as nvcc does
    s_sum[threadIdx.x] = s_row[threadIdx.x] * c_taps[SHIFT];
    __syncthreads();
    out[threadIdx.x] = s_sum[threadIdx.x];
}
struct twice {
    float by = 2;
    __host__ __device__ twice() {}
    __host__ __device__ twice(const twice& other) : by(other.by) {}
    __device__ float operator()(float x) const { return by * x; }
};
namespace ways {
template <int SHIFT, class function>
__global__ void applied(float* out, const float* in, function f) {
    out[threadIdx.x] = f(in[(threadIdx.x + SHIFT) % blockDim.x]);
}
}  // namespace ways

__global__ void fetch(float* out, cudaTextureObject_t image) {
    out[threadIdx.x] = tex1Dfetch<float>(image, threadIdx.x);
}
__global__ void touch_one(float* out) {
    out[1 << 25] = 1;
}
__global__ void failing(float* out) {
    out[N + threadIdx.x] = 1;  // HERE failing
}

void check_names_and_lines() {
    std::vector<float> host(N);
    simt::label_host_range(host.data(), N * sizeof(float), "in");
    float *in = device<float>(N), *out = device<float>(N);
    const inspect::report seen = inspected([&] {
        cudaMemcpy(in, host.data(), N * sizeof(float), cudaMemcpyHostToDevice);
        weighted<0><<<1, N, N * sizeof(float)>>>(out, in);
        weighted<1><<<1, N, N * sizeof(float)>>>(out, in);
    });
    simt::forget_host_ranges();
    expect(seen.clean() && seen.findings.empty(), "no findings, got" + describe(seen));
    expect(seen.launches.size() == 2, "two launches");
    expect(seen.launches[0].kernel == "weighted<0>", "the kernel's name, got " + seen.launches[0].kernel);
    expect(seen.launches[0].block[0] == N && seen.launches[0].dynamic_shared == N * sizeof(float),
           "the configuration");
    expect(seen.of("in").loads.lanes == 2 * N, "loads of in over both launches");
    expect(seen.of("in").loads.bytes == 2 * N * sizeof(float), "bytes of in");
    expect(seen.of("c_taps").loads.requests == 2 * N / 32, "requests of c_taps");
    expect(seen.of("s_sum").stores.lanes == 2 * N, "stores to s_sum");
    expect(seen.of("dynamic shared memory").loads.lanes == 2 * N, "loads of dynamic shared memory");
    expect(seen.of("nothing").loads.lanes == 0, "nothing of an unknown name");
    expect(seen.total().shared.stores.lanes == 4 * N, "shared stores in total");

    bool has_line = false;
    for (const inspect::line_traffic& line : seen.lines()) {
        const bool is_it = line.line == marked_line(__FILE__, "load") && line.variable == "in";
        has_line |= is_it && line.seen.lanes == 2 * N && line.access_bytes == 4 && line.direction == "load" &&
                    line.space == "global" && line.column > 0 && line.file.ends_with("reports.cu");
    }
    expect(has_line, "the line that loads in, once for both instances of the template");
}

void check_names_of_deduced_kernels() {
    float *in = device<float>(N), *out = device<float>(N);
    const inspect::report seen = inspected([&] {
        cudaMemset(in, 0, N * sizeof(float));
        ways::applied<0><<<1, N>>>(out, in, twice());
        ways::applied<1><<<1, N>>>(out, in, twice());
        ways::applied<1, twice><<<1, N>>>(out, in, twice());
    });
    const char* right[] = {"ways::applied<0, twice>", "ways::applied<1, twice>", "ways::applied<1, twice>"};
    expect(seen.launches.size() == std::size(right), "three launches");
    for (size_t i = 0; i < seen.launches.size(); i++)
        expect(seen.launches[i].kernel == right[i], "the instantiation, got " + seen.launches[i].kernel);
}

void check_texture() {
    float* data = device<float>(N);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = data;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = N * sizeof(float);
    cudaTextureDesc how = {};
    cudaTextureObject_t image = 0;
    cudaCreateTextureObject(&image, &resource, &how, nullptr);
    const inspect::counts seen = inspected([&] { fetch<<<1, N>>>(device<float>(N), image); }).total();
    expect(seen.texture.lanes == N && seen.texture.requests == N / 32, "one texture fetch a thread");
    expect(seen.global.loads.lanes == 0, "a fetch to be no global load");
    cudaDestroyTextureObject(image);
}

void check_json_and_text() {
    const inspect::report seen = inspected([] { failing<<<1, 32>>>(device<float>(N)); });
    const std::string json = to_json(seen);
    const inspect::report again = inspect::from_json(json);
    expect(to_json(again) == json, "JSON to survive a round trip");
    expect(again.findings.size() == 1 && again.findings[0].kind == "out-of-bounds",
           "the finding in the copy");
    expect(again.findings[0].times == 32 && again.findings[0].is_error, "how often it was found");
    const std::string text = to_text(seen);
    const std::string place = "reports.cu:" + std::to_string(marked_line(__FILE__, "failing"));
    expect(text.find(place + ": out-of-bounds: writes element 256 of allocation") != std::string::npos,
           "the finding in the text, got\n" + text);
    for (const char* wrong : {"", "{}", "[1,2]", "{\"inspected\":true,\"launches\":5,\"findings\":[]}"}) {
        bool refused = false;
        try {
            inspect::from_json(wrong);
        } catch (const std::runtime_error&) {
            refused = true;
        }
        expect(refused, std::string("from_json to refuse ") + wrong);
    }
    expect(inspect::report{}.clean() && !inspect::report{}.inspected, "an empty report");
}

/// A kernel that touches one element of 256 MB needs little memory for its inspection.
void check_memory() {
    float* large = device<float>(1 << 26, UNINITIALISED_MEMORY);
    rusage before = {}, after = {};
    getrusage(RUSAGE_SELF, &before);
    const inspect::report seen = inspected([&] { touch_one<<<1, 1>>>(large); });
    getrusage(RUSAGE_SELF, &after);
    expect(seen.clean(), "no findings, got" + describe(seen));
    expect(after.ru_maxrss - before.ru_maxrss < 32 * 1024,
           "less than 32 MB for one element of a large allocation");
}

int main() {
    inspect::begin();
    return run_cases({check_names_and_lines, check_texture, check_json_and_text, check_memory});
}
