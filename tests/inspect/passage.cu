// Where the values of an output come from: from kernels, by whatever way they reach the host, or from the host.
#include <algorithm>
#include <numeric>

#include "expect.h"

constexpr int WIDTH = 16, HEIGHT = 4, N = WIDTH * HEIGHT;
using values = std::vector<float>;

__device__ float d_variable[N];

__global__ void triple(float* out, const float* in, size_t pitch) {
    out[blockIdx.x * pitch + threadIdx.x] = 3 * in[blockIdx.x * WIDTH + threadIdx.x];
}
__global__ void triple_in_double(double* out, const float* in) {
    out[threadIdx.x] = 3.1 * in[threadIdx.x];
}
__global__ void triple_variable(const float* in) {
    d_variable[threadIdx.x] = 3 * in[threadIdx.x];
}
__global__ void copy(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x];
}

template <class type>
std::span<const std::byte> bytes_of(const std::vector<type>& list) {
    return std::as_bytes(std::span(list));
}

/// A call: its input, its output, and the device memory of both.
struct call {
    values in = values(N), out = values(N);
    float *d_in = device<float>(N), *d_out = device<float>(N, UNINITIALISED_MEMORY);

    call() {
        std::iota(in.begin(), in.end(), 0.25f);
        inspect::take();
    }
    ~call() { cudaFree(d_in), cudaFree(d_out); }
    void send() { cudaMemcpy(d_in, in.data(), N * sizeof(float), cudaMemcpyHostToDevice); }
    void compute() { triple<<<HEIGHT, WIDTH>>>(d_out, d_in, WIDTH); }
    void compute_on_host(values& to) {
        for (int k = 0; k < N; k++)
            to[k] = 3 * in[k];
    }
    inspect::value_origin origin() const { return inspect::origin_of({bytes_of(out)}, {bytes_of(in)}); }
    void expect_from_kernels(const char* way) const {
        const inspect::value_origin from = origin();
        expect(from.values == N && from.of_host == 0 && !from.sent_by_host,
               std::string(way) + ": of kernels");
    }
};

void check_plain_copies() {
    call one;
    one.send();
    one.compute();
    cudaMemcpy(one.out.data(), one.d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
    one.expect_from_kernels("cudaMemcpy");
}

void check_doubles() {
    call one;
    double* d_wide = device<double>(N, UNINITIALISED_MEMORY);
    one.send();
    triple_in_double<<<1, N>>>(d_wide, one.d_in);
    std::vector<double> wide(N);
    cudaMemcpy(wide.data(), d_wide, N * sizeof(double), cudaMemcpyDeviceToHost);
    std::copy(wide.begin(), wide.end(), one.out.begin());
    one.expect_from_kernels("doubles that the host narrows");
    cudaFree(d_wide);
}

void check_staging() {
    call one;
    float *pinned_in = nullptr, *pinned_out = nullptr;
    cudaMallocHost(&pinned_in, N * sizeof(float)), cudaMallocHost(&pinned_out, N * sizeof(float));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    std::copy(one.in.begin(), one.in.end(), pinned_in);
    cudaMemcpyAsync(one.d_in, pinned_in, N * sizeof(float), cudaMemcpyHostToDevice, stream);
    one.compute();
    cudaMemcpyAsync(pinned_out, one.d_out, N * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::reverse_copy(pinned_out, pinned_out + N, one.out.begin());
    cudaFreeHost(pinned_in), cudaFreeHost(pinned_out), cudaStreamDestroy(stream);
    one.expect_from_kernels("page-locked memory, turned round on the host");
}

void check_rows() {
    call one;
    float* rows = nullptr;
    size_t pitch = 0;
    cudaMallocPitch(&rows, &pitch, WIDTH * sizeof(float), HEIGHT);
    one.send();
    triple<<<HEIGHT, WIDTH>>>(rows, one.d_in, pitch / sizeof(float));
    const size_t row = WIDTH * sizeof(float);
    cudaMemcpy2D(one.d_out, row, rows, pitch, row, HEIGHT, cudaMemcpyDeviceToDevice);
    cudaMemcpy2D(one.out.data(), row, one.d_out, row, row, HEIGHT, cudaMemcpyDeviceToHost);
    cudaFree(rows);
    one.expect_from_kernels("rows with a pitch, over device memory");
}

void check_variable() {
    call one;
    one.send();
    triple_variable<<<1, N>>>(one.d_in);
    cudaMemcpyFromSymbol(one.out.data(), d_variable, N * sizeof(float));
    one.expect_from_kernels("a variable");
}

void check_array() {
    call one;
    one.send();
    one.compute();
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &channels, WIDTH, HEIGHT);
    const size_t row = WIDTH * sizeof(float);
    cudaMemcpy2DToArray(array, 0, 0, one.d_out, row, row, HEIGHT, cudaMemcpyDeviceToDevice);
    cudaMemcpy2DFromArray(one.out.data(), row, array, 0, 0, row, HEIGHT, cudaMemcpyDeviceToHost);
    cudaFreeArray(array);
    one.expect_from_kernels("an array");
}

/// Two kernels with the host between them: what the first one gave is not the host's because it is sent again.
void check_round_trip() {
    call one;
    one.send();
    one.compute();
    values between(N);
    cudaMemcpy(between.data(), one.d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(one.d_in, between.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    copy<<<1, N>>>(one.d_out, one.d_in);
    cudaMemcpy(one.out.data(), one.d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
    one.expect_from_kernels("a round trip");
}

/// An output that is the input: the host had its values, and has a right to them.
void check_identity() {
    call one;
    values padded(N + 2, 0.0f);
    std::copy(one.in.begin(), one.in.end(), padded.begin() + 1);
    float* d_padded = device<float>(N + 2);
    cudaMemcpy(d_padded, padded.data(), padded.size() * sizeof(float), cudaMemcpyHostToDevice);
    copy<<<1, N>>>(one.d_out, d_padded + 1);
    cudaMemcpy(one.out.data(), one.d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_padded);
    one.expect_from_kernels("a copy of the padded input");
}

void check_host_values() {
    call one;
    one.send();
    copy<<<1, N>>>(one.d_out, one.d_in);
    cudaMemcpy(one.out.data(), one.d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
    one.compute_on_host(one.out);
    one.out[0] = one.in[0];
    const inspect::value_origin from = one.origin();
    expect(from.values == N && from.of_host > N / 2, "values that the host stored over those of the kernel");
    expect(from.first_of_host == 1, "the first of them");
}

void check_values_by_detour() {
    call one;
    values computed(N);
    one.compute_on_host(computed);
    cudaMemcpy(one.d_in, computed.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    copy<<<1, N>>>(one.d_out, one.d_in);
    cudaMemcpy(one.out.data(), one.d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
    const inspect::value_origin from = one.origin();
    expect(from.of_host == 0 && from.sent_by_host, "values that a kernel only copied");
}

void check_next_call() {
    call one;
    one.send();
    one.compute();
    cudaMemcpy(one.out.data(), one.d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
    inspect::take();
    expect(one.origin().of_host == N, "values of an earlier call are not this one's");
}

int main() {
    inspect::begin();
    return run_cases({check_plain_copies, check_doubles, check_staging, check_rows, check_variable,
                      check_array, check_round_trip, check_identity, check_host_values,
                      check_values_by_detour, check_next_call});
}
