// __device__ and __constant__ variables of every shape are known to the runtime,
// and kernels see what it copied.
#include "engine_test.h"

namespace {
__constant__ int c_hidden[4];
__device__ int counter;
}  // namespace
__constant__ float2 c_pairs[3];
static __constant__ int c_static = 1;
__device__ __constant__ int c_both[2];
extern __constant__ const float c_taps[3];
const __constant__ float c_taps[3] = {1, 2, 3};
__constant__ const int c_own[2] = {4, 5};
__constant__ const int WIDTH = 6;
constexpr __device__ int HEIGHT = 7;
__device__ float table[3] = {1, 2, 3};
__device__ int* pointer;
__device__ const char* text = "abc";
inline __device__ int merged = 8;
alignas(64) __device__ float aligned_first[3];
__device__ alignas(64) float aligned_last[3];
[[maybe_unused]] __device__ int attributed = 9;
__device__ int braced{10}, second = 11;
struct plain {
    int a, b;
};
__constant__ plain c_structs[2] = {{1, 2}, {3, 4}};
struct alignas(16) {
    int a;
} __constant__ c_unnamed;
struct named {
    int a;
} __device__ d_named = {2}, d_also[2] = {{3}, {4}};
enum { FIVE = 5 } __device__ d_enum = FIVE;

__device__ float twice(float x) {
    return 2 * x;
}
__device__ float thrice(float x) {
    return 3 * x;
}
__device__ float (*functions[2])(float) = {twice, thrice};
typedef float (*function_pointer)(float);
__device__ function_pointer chosen = thrice;

struct vector {
    float x, y;
    __host__ __device__ vector() : x{0}, y(1) {}
    __host__ __device__ explicit vector(float x) : x(x), y{x} {}
    __host__ __device__ vector operator+(vector other) const {
        vector sum;
        sum.x = x + other.x;
        return sum;
    }
    __device__ operator float() const { return x; }
    friend __device__ bool operator<(const vector& a, const vector& b) { return a.x < b.x; }
};

__global__ void read_all(int* out) {
    __shared__ int s_row[WIDTH];  // a const int may be a size
    s_row[WIDTH - 1] = c_hidden[1] + c_static + c_both[1] + int(c_taps[2]) + c_own[1] + WIDTH + HEIGHT;
    out[0] = s_row[WIDTH - 1];
    out[5] = c_unnamed.a + d_named.a + d_also[1].a + d_enum;
    out[1] =
        int(table[2]) + *pointer + (text[2] == 'c') + merged + attributed + braced + second + c_structs[1].b;
    out[2] = int(functions[0](1) + functions[1](1) + chosen(1));
    out[3] = (vector(1.0f) < vector(2.0f)) + int(float(vector(3.0f) + vector()));
    out[4] = int(c_pairs[2].y) + int(reinterpret_cast<size_t>(aligned_first) % 64) +
             int(reinterpret_cast<size_t>(aligned_last) % 64);
    atomicAdd(&counter, 5);
}

template <class T>
int from_symbol(const T& symbol) {
    T value{};
    EXPECT(cudaMemcpyFromSymbol(&value, symbol, sizeof value) == cudaSuccess);
    return int(value);
}

static void check_variables() {
    device_array<int> out(8);
    const int hidden[4] = {1, 20, 3, 4};
    const int both = 30;
    const int set = 40;
    const float2 pair{1, 50};
    int* target = out + 7;
    EXPECT(cudaMemcpyToSymbol(c_hidden, hidden, sizeof hidden) == cudaSuccess);
    EXPECT(cudaMemcpyToSymbol(c_unnamed, &hidden[1], sizeof(int)) == cudaSuccess);
    EXPECT(cudaMemcpyToSymbol(c_static, &set, sizeof set) == cudaSuccess);
    EXPECT(cudaMemcpyToSymbol(c_both, &both, sizeof both, sizeof(int)) == cudaSuccess);
    EXPECT(cudaMemcpyToSymbol(c_pairs, &pair, sizeof pair, 2 * sizeof pair) == cudaSuccess);
    EXPECT(cudaMemcpyToSymbol(pointer, &target, sizeof target) == cudaSuccess);
    read_all<<<1, 1>>>(out);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(out.at(0) == 20 + 40 + 30 + 3 + 5 + 6 + 7);
    EXPECT(out.at(1) == 3 + 0 + 1 + 8 + 9 + 10 + 11 + 4);
    EXPECT(out.at(2) == 2 + 3 + 3);
    EXPECT(out.at(3) == 1 + 3);
    EXPECT(out.at(4) == 50);
    EXPECT(out.at(5) == 20 + 2 + 4 + 5);
    EXPECT(from_symbol(counter) == 5);
    EXPECT(from_symbol(merged) == 8);
    EXPECT(from_symbol(second) == 11);

    int* address = nullptr;
    EXPECT(cudaGetSymbolAddress((void**)&address, counter) == cudaSuccess);
    EXPECT(cudaMemset(address, 0, sizeof(int)) == cudaSuccess);
    EXPECT(from_symbol(counter) == 0);
}

int main() {
    return run_cases({check_variables});
}
