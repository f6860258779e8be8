// Pointers to the wrong memory: freed, of the other side, misaligned, constant, or no address at all.
#include "detection.h"

constexpr int N = 64;

__constant__ float c_taps[N], c_weights[N];
__device__ float d_table[N], d_weights[N];

__global__ void copy(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x];  // HERE null_pointer: illegal-address
}
__global__ void copy_back(float* out, const float* in) {
    out[threadIdx.x] = in[N - 1 - threadIdx.x];  // HERE host_pointer: host-pointer-in-kernel
}
__global__ void read_again(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x];  // HERE read_after_free: use-after-free
}
__global__ void write_again(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x];  // HERE write_after_free: use-after-free
}

__global__ void copy_vectors(float4* out, const float* in, int shift) {
    const auto* vectors = reinterpret_cast<const float4*>(in + shift);
    out[threadIdx.x] = vectors[threadIdx.x];  // HERE misaligned_load: misaligned
}
__global__ void store_between(char* out, const float* in, int bytes) {
    const int place = bytes + threadIdx.x * sizeof(float);
    *reinterpret_cast<float*>(out + place) = in[threadIdx.x];  // HERE misaligned_store: misaligned
}

// Pairs of a row begin at even elements.
template <bool RIGHT>
__global__ void pairs(float* out, const float* in, int first) {
    __shared__ float2 s_pairs[N];
    float* row = &s_pairs[0].x;
    row[2 * threadIdx.x] = row[2 * threadIdx.x + 1] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == N - 1) return;
    const auto* pair = reinterpret_cast<const float2*>(row + 2 * threadIdx.x + first);
    const float2 both = *pair;  // HERE pairs: misaligned
    out[threadIdx.x] = both.x;
}

__global__ void fill(float* table, const float* in) {
    table[threadIdx.x] = in[threadIdx.x];  // HERE write_to_constant: constant-write
}

template <bool RIGHT>
bool use_and_free(void (*kernel)(float*, const float*), bool frees_input) {
    float *in = nullptr, *out = nullptr;
    const std::vector<float> values = ramp(N);
    std::vector<float> home(N);
    cudaMalloc(&in, N * sizeof(float));
    cudaMalloc(&out, N * sizeof(float));
    cudaMemcpy(in, values.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, N * sizeof(float));
    if (!RIGHT) cudaFree(frees_input ? in : out);
    kernel<<<1, N>>>(out, in);
    if (RIGHT || frees_input) cudaMemcpy(home.data(), out, N * sizeof(float), cudaMemcpyDeviceToHost);
    if (RIGHT || !frees_input) cudaFree(in);
    if (RIGHT || frees_input) cudaFree(out);
    return home == values;
}

template <bool RIGHT>
bool free_twice() {
    float *first = nullptr, *second = nullptr;
    cudaMalloc(&first, 64);
    cudaMalloc(&second, 64);
    cudaFree(first);
    cudaFree(RIGHT ? second : first);  // HERE free_twice: refused-call
    if (!RIGHT) cudaFree(second);
    return true;
}

template <bool RIGHT>
bool free_the_middle() {
    float* memory = nullptr;
    cudaMalloc(&memory, 64);
    cudaFree(RIGHT ? memory : memory + 4);  // HERE free_the_middle: refused-call
    if (!RIGHT) cudaFree(memory);
    return true;
}

template <bool RIGHT>
bool pass_host_memory(const float* other) {
    const device_array<float> in(ramp(N)), out(zeros(N));
    if (RIGHT) other = in;
    if (other) copy_back<<<1, N>>>(out, other);
    return out.host() == ramp(N, N - 1, -1);
}

template <bool RIGHT>
bool pass_nothing() {
    const device_array<float> in(ramp(N)), out(zeros(N));
    const float* values = RIGHT ? in : static_cast<float*>(nullptr);
    copy<<<1, N>>>(out, values);
    return out.host() == ramp(N);
}

template <bool RIGHT>
bool read_on_the_host() {
    const device_array<float> in(ramp(N));
    std::vector<float> home(1);
    if (RIGHT) {
        cudaMemcpy(home.data(), in + 3, sizeof(float), cudaMemcpyDeviceToHost);
    } else {
        home[0] = in[3];  // HERE read_on_the_host: device-pointer-on-host
    }
    return home[0] == 3;
}

template <bool RIGHT>
bool load_vectors() {
    const device_array<float> in(ramp(N + 4));
    const device_array<float4> out(std::vector<float4>(N / 4, make_float4(0, 0, 0, 0)));
    copy_vectors<<<1, N / 4>>>(out, in, RIGHT ? 4 : 1);
    return out.host()[1].x == 8;
}

template <bool RIGHT>
bool store_values() {
    const device_array<float> in(ramp(N));
    const device_array<char> out(std::vector<char>(N * sizeof(float) + 4));
    store_between<<<1, N>>>(out, in, RIGHT ? 4 : 2);
    return out.host()[4 * 5 + 3] == 0x40;  // the last byte of 4.0f
}

// On the host the variable's name is an address of the host.
template <bool RIGHT>
bool pass_a_name() {
    const std::vector<float> values = ramp(N);
    const device_array<float> out(zeros(N));
    cudaMemcpyToSymbol(c_taps, values.data(), N * sizeof(float));
    void* taps = c_taps;
    if (RIGHT) cudaGetSymbolAddress(&taps, c_taps);
    copy<<<1, N>>>(out, static_cast<float*>(taps));  // HERE pass_a_name: host-pointer-in-kernel
    return out.host() == values;
}

template <bool RIGHT>
bool copy_to_a_name() {
    const std::vector<float> values = ramp(N);
    std::vector<float> home(N);
    const size_t bytes = N * sizeof(float);
    const auto direction = cudaMemcpyHostToDevice;
    if (RIGHT) {
        cudaMemcpyToSymbol(d_table, values.data(), bytes);
    } else {
        cudaMemcpy(d_table, values.data(), bytes, direction);  // HERE copy_to_a_name: refused-call
    }
    cudaMemcpyFromSymbol(home.data(), d_table, bytes);
    return home == values;
}

// Constant memory has an address; to a kernel it is constant all the same.
template <bool RIGHT>
bool write_to_constant() {
    const device_array<float> in(ramp(N));
    std::vector<float> home(N);
    void* table = nullptr;
    if (RIGHT) {
        cudaGetSymbolAddress(&table, d_weights);
    } else {
        cudaGetSymbolAddress(&table, c_weights);
    }
    fill<<<1, N>>>(static_cast<float*>(table), in);
    cudaMemcpyFromSymbol(home.data(), d_weights, N * sizeof(float));
    return home == ramp(N);
}

template <bool RIGHT>
bool wrong_direction() {
    const device_array<float> in(ramp(N));
    std::vector<float> home(N);
    const auto direction = RIGHT ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    cudaMemcpy(home.data(), in, N * sizeof(float), direction);  // HERE wrong_direction: refused-call
    return home == ramp(N);
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"read_after_free", [](auto right) { return use_and_free<right>(read_again, true); }},
            {"write_after_free", [](auto right) { return use_and_free<right>(write_again, false); }},
            {"free_twice", [](auto right) { return free_twice<right>(); }},
            {"free_the_middle", [](auto right) { return free_the_middle<right>(); }},
            {"host_pointer",
             [](auto right) {
                 static const std::vector<float> host = ramp(N);
                 return pass_host_memory<right>(host.data());
             }},
            {"null_pointer", [](auto right) { return pass_nothing<right>(); }},
            {"read_on_the_host", [](auto right) { return read_on_the_host<right>(); }},
            {"misaligned_load", [](auto right) { return load_vectors<right>(); }},
            {"misaligned_store", [](auto right) { return store_values<right>(); }},
            {"pairs",
             [](auto right) { return computes(ramp(N - 1), pairs<right>, 1, N, ramp(N), right ? 0 : 1); }},
            {"write_to_constant", [](auto right) { return write_to_constant<right>(); }},
            {"pass_a_name", [](auto right) { return pass_a_name<right>(); }},
            {"copy_to_a_name", [](auto right) { return copy_to_a_name<right>(); }},
            {"wrong_direction", [](auto right) { return wrong_direction<right>(); }},
        });
}
