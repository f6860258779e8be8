// Accesses beside shared memory, static and dynamic, local arrays and constant memory.
#include "detection.h"

constexpr int N = 64, SIDE = 8;

__constant__ float c_taps[9];
__constant__ float c_offsets[9];

template <bool RIGHT>
__global__ void index_past_the_end(float* out, const float* in, int last) {
    __shared__ float s_tile[N];
    s_tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s_tile[threadIdx.x + last];  // HERE index_past_the_end: index-out-of-array
}

// The element is in the array of rows, but not in its row.
template <bool RIGHT>
__global__ void past_the_row(float* out, const float* in, int columns) {
    __shared__ float s_tile[SIDE][SIDE];
    s_tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * SIDE + threadIdx.x];
    __syncthreads();
    if (threadIdx.y < SIDE - 1) {
        const int x = threadIdx.x + columns;
        // HERE past_the_row: index-out-of-array
        out[threadIdx.y * SIDE + threadIdx.x] = s_tile[threadIdx.y][x];
    }
}

// The compiler cannot see the array through a pointer.
template <bool RIGHT>
__global__ void through_a_pointer(float* out, const float* in) {
    __shared__ float s_only[N];
    float* tile = s_only;
    if (RIGHT ? threadIdx.x < N : threadIdx.x <= N)
        tile[threadIdx.x] = in[threadIdx.x];  // HERE through_a_pointer: out-of-bounds
    __syncthreads();
    if (threadIdx.x < N) out[threadIdx.x] = tile[threadIdx.x];
}

// Two variables in a row: the one's end is nearly the other's begin.
template <bool RIGHT>
__global__ void into_the_neighbour(float* out, const float* in) {
    __shared__ float s_left[N], s_right[N];
    s_right[threadIdx.x] = 0;
    s_left[threadIdx.x] = 0;
    __syncthreads();
    float* both[2] = {s_left, s_right};
    for (float* tile : both) {
        if (threadIdx.x == 0) tile[RIGHT ? N - 1 : N] = in[7];  // HERE into_the_neighbour: out-of-bounds
    }
    __syncthreads();
    out[threadIdx.x] = s_left[threadIdx.x] + s_right[threadIdx.x];
}

// The tile's rows are read through a function that knows no array.
__device__ __noinline__ float sum_of_row(const float* row, int count) {
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += row[i];  // HERE in_a_function: out-of-bounds
    return sum;
}
template <bool RIGHT>
__global__ void in_a_function(float* out, const float* in) {
    __shared__ float s_rows[SIDE][SIDE], s_sums[SIDE];
    for (int x = 0; x < SIDE; x++)
        s_rows[threadIdx.x][x] = in[x];
    s_sums[threadIdx.x] = 0;
    __syncthreads();
    s_sums[threadIdx.x] = sum_of_row(s_rows[threadIdx.x], RIGHT ? SIDE : SIDE + 1);
    out[threadIdx.x] = s_sums[threadIdx.x];
}

template <bool RIGHT>
__global__ void before_the_begin(float* out, const float* in) {
    __shared__ float s_only[N];
    float* tile = s_only;
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const int left = RIGHT && threadIdx.x == 0 ? 0 : int(threadIdx.x) - 1;
    out[threadIdx.x] = tile[left];  // HERE before_the_begin: out-of-bounds
}

template <bool RIGHT>
__global__ void past_dynamic_shared(float* out, const float* in) {
    extern __shared__ float s_dynamic[];
    s_dynamic[threadIdx.x] = in[threadIdx.x];  // HERE past_dynamic_shared: out-of-bounds
    __syncthreads();
    out[threadIdx.x] = s_dynamic[threadIdx.x];  // HERE past_dynamic_shared: out-of-bounds
}

// The third launch argument was forgotten.
template <bool RIGHT>
__global__ void no_dynamic_shared(float* out, const float* in) {
    extern __shared__ float s_dynamic[];
    s_dynamic[threadIdx.x] = in[threadIdx.x];  // HERE no_dynamic_shared: out-of-bounds
    __syncthreads();
    out[threadIdx.x] = s_dynamic[threadIdx.x];  // HERE no_dynamic_shared: out-of-bounds
}

// Two arrays in one piece of dynamic shared memory: the second one does not fit.
template <bool RIGHT>
__global__ void two_arrays(float* out, const float* in, int count) {
    extern __shared__ float s_dynamic[];
    float* s_values = s_dynamic;
    float* s_sums = s_dynamic + count;
    s_values[threadIdx.x] = in[threadIdx.x];
    s_sums[threadIdx.x] = 2 * in[threadIdx.x];  // HERE two_arrays: out-of-bounds
    __syncthreads();
    out[threadIdx.x] = s_sums[threadIdx.x] - s_values[threadIdx.x];  // HERE two_arrays: out-of-bounds
}

template <bool RIGHT>
__global__ void local_array(float* out, const float* in, int last) {
    float window[5] = {};
    for (int i = 0; i <= last; i++)
        window[i] = in[threadIdx.x] + i;  // HERE local_array: index-out-of-array
    out[threadIdx.x] = window[threadIdx.x % 5] - threadIdx.x % 5;
}

/// Of what lies behind the last element a member is used.
template <bool RIGHT>
__global__ void local_members(float* out, const float* in, int last) {
    float2 pairs[5];
    for (int i = 0; i < 5; i++)
        pairs[i] = make_float2(in[threadIdx.x] + i, 0);
    float sum = 0;
    for (int i = 0; i <= last; i++)
        sum += pairs[i].x - i;  // HERE local_members: index-out-of-array
    out[threadIdx.x] = pairs[threadIdx.x % 5].x - threadIdx.x % 5 + 0 * sum;
}

template <bool RIGHT>
__global__ void past_the_taps(float* out, const float* in, int taps) {
    float sum = in[threadIdx.x];
    for (int i = 0; i < taps; i++)
        sum += c_taps[i];  // HERE past_the_taps: index-out-of-array
    out[threadIdx.x] = sum;
}

// Constant memory through a pointer: the next variable is not far.
template <bool RIGHT>
__global__ void past_the_taps_by_pointer(float* out, const float* in, int taps) {
    float sum = in[threadIdx.x];
    for (const float* list : {c_taps, c_offsets}) {
        for (int i = 0; i < taps; i++)
            sum += list[i];  // HERE past_the_taps_by_pointer: out-of-bounds
    }
    out[threadIdx.x] = sum;
}

bool with_dynamic_shared(void (*kernel)(float*, const float*), size_t bytes) {
    const device_array<float> in(ramp(N)), out(zeros(N));
    kernel<<<1, N, bytes>>>(out, in);
    return out.host() == ramp(N);
}

template <bool RIGHT>
bool with_two_arrays() {
    const device_array<float> in(ramp(N)), out(zeros(N));
    const int arrays = RIGHT ? 2 : 1;
    two_arrays<RIGHT><<<1, N, arrays * N * sizeof(float)>>>(out, in, N);
    return out.host() == ramp(N);
}

/// Constant memory is zero, so that the sums are `in`.
template <bool RIGHT>
bool sum_taps(void (*kernel)(float*, const float*, int)) {
    const float zeros[9] = {};
    cudaMemcpyToSymbol(c_taps, zeros, sizeof zeros);
    cudaMemcpyToSymbol(c_offsets, zeros, sizeof zeros);
    return computes(ramp(N), kernel, 1, N, ramp(N), RIGHT ? 9 : 10);
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"index_past_the_end",
             [](auto right) { return computes(ramp(N), index_past_the_end<right>, 1, N, ramp(N), !right); }},
            {"past_the_row",
             [](auto right) {
                 std::vector<float> wanted = ramp(N - SIDE);
                 return computes(wanted, past_the_row<right>, 1, dim3(SIDE, SIDE), ramp(N), !right);
             }},
            {"through_a_pointer",
             [](auto right) { return computes(ramp(N), through_a_pointer<right>, 1, 2 * N, ramp(2 * N)); }},
            {"into_the_neighbour",
             [](auto right) {
                 std::vector<float> wanted(N);
                 wanted.back() = 14;
                 return computes(wanted, into_the_neighbour<right>, 1, N, ramp(N));
             }},
            {"in_a_function",
             [](auto right) {
                 return computes(std::vector<float>(SIDE, 28), in_a_function<right>, 1, SIDE, ramp(N));
             }},
            {"before_the_begin",
             [](auto right) {
                 std::vector<float> wanted = ramp(N, -1);
                 wanted[0] = 0;
                 return computes(wanted, before_the_begin<right>, 1, N, ramp(N));
             }},
            {"past_dynamic_shared",
             [](auto right) {
                 return with_dynamic_shared(past_dynamic_shared<right>, (right ? N : N - 1) * sizeof(float));
             }},
            {"no_dynamic_shared",
             [](auto right) {
                 return with_dynamic_shared(no_dynamic_shared<right>, right ? N * sizeof(float) : 0);
             }},
            {"two_arrays", [](auto right) { return with_two_arrays<right>(); }},
            {"local_array",
             [](auto right) { return computes(ramp(N), local_array<right>, 1, N, ramp(N), right ? 4 : 5); }},
            {"local_members",
             [](auto right) {
                 return computes(ramp(N), local_members<right>, 1, N, ramp(N), right ? 4 : 5);
             }},
            {"past_the_taps", [](auto right) { return sum_taps<right>(past_the_taps<right>); }},
            {"past_the_taps_by_pointer",
             [](auto right) { return sum_taps<right>(past_the_taps_by_pointer<right>); }},
        });
}
