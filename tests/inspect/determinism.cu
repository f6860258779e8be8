// A report has the same bytes for any number of runners, also when many blocks race, stray or fail.
#include <cstdlib>

#include "expect.h"

constexpr int N = 64;

__global__ void blur(float* out, const float* in, int n) {
    __shared__ float s_tile[N + 2];
    const int x = blockIdx.x * N + threadIdx.x;
    s_tile[threadIdx.x + 1] = in[x];  // past the end in the last block
    if (threadIdx.x == 0 && x > 0) s_tile[0] = in[x - 1];
    if (threadIdx.x == N - 1 && x + 1 < n) s_tile[N + 1] = in[x + 1];
    __syncthreads();
    if (x < n) out[x] = s_tile[threadIdx.x] + s_tile[threadIdx.x + 1] + s_tile[threadIdx.x + 2];
}
__global__ void histogram(int* bins, const float* in) {
    const int x = blockIdx.x * N + threadIdx.x;
    bins[x * 7 % 13] += in[x] >= 0;  // every block races with every other
}
__global__ void flags(unsigned char* out) {
    out[threadIdx.x / 3 + blockIdx.x % 5] = 1;
    atomicAdd(reinterpret_cast<int*>(out) + 16 + blockIdx.x % 3, 1);
    if (blockIdx.x == 40) out[64] = 0;
}
__global__ void in_vain(float* out) {
    if (blockIdx.x % 32 == 31) *const_cast<volatile float*>(static_cast<float*>(nullptr)) = 1;
    out[blockIdx.x * N + threadIdx.x] = 1;
}
__global__ void least(int* smallest, float* out) {
    const int x = blockIdx.x * N + threadIdx.x;
    atomicMin(&smallest[x], x % 3 - 1);  // changes nothing but for one thread of three
    out[x] = 1;
}

int run_kernels() {
    inspect::begin();
    const int n = 128 * N - 5;
    float *out = device<float>(n, UNINITIALISED_MEMORY), *in = device<float>(n);
    blur<<<128, N>>>(out, in, n);
    histogram<<<128, N>>>(device<int>(13), in);
    flags<<<128, N>>>(device<unsigned char>(128));
    std::vector<float> host(n);
    cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    least<<<128, N>>>(device<int>(128 * N), device<float>(128 * N));
    in_vain<<<128, N>>>(device<float>(128 * N));
    cudaDeviceSynchronize();
    printf("%s\n", to_json(inspect::take()).c_str());
    return 0;
}

int main(int count, char** arguments) {
    if (count > 1) return run_kernels();
    const std::string one = output_with(1, arguments[0]);
    run_case([&] {
        const inspect::report seen = inspect::from_json(one);
        expect(seen.launches.size() == 5 && seen.findings.size() > 5,
               "five launches with findings, got" + describe(seen));
        // Whose updates are in vain is not taken for one that waits, however many blocks its runner has had.
        expect(
            seen.launches[3].total.global.stores.requests == 128 * N / 32,
            "a request for each warp, got " + std::to_string(seen.launches[3].total.global.stores.requests));
    });
    for (const int runners : {2, 3, 4, 4, 7}) {
        run_case([&] {
            expect(output_with(runners, arguments[0]) == one,
                   "the same report with " + std::to_string(runners) + " runners");
        });
    }
    return finish();
}
