// Tensor cores by wmma: products of every shape and type, layouts, and what ends a launch.
#include <mma.h>

#include <algorithm>
#include <cmath>

#include "engine_test.h"
#include "simt/engine/matrices.h"

using namespace nvcuda;

/// d = a * b + c of one warp; strides as given.
template <class factor, class kept, class sum_type, int m, int n, int k, class layout_a, class layout_b>
__global__ void multiply(sum_type* d, const kept* a, const kept* b, const sum_type* c, int stride_a,
                         int stride_b, int stride_c, wmma::layout_t layout_c) {
    wmma::fragment<wmma::matrix_a, m, n, k, factor, layout_a> fragment_a;
    wmma::fragment<wmma::matrix_b, m, n, k, factor, layout_b> fragment_b;
    wmma::fragment<wmma::accumulator, m, n, k, sum_type> sums;
    wmma::load_matrix_sync(fragment_a, a, stride_a);
    wmma::load_matrix_sync(fragment_b, b, stride_b);
    wmma::load_matrix_sync(sums, c, stride_c, layout_c);
    if constexpr (std::is_same_v<factor, wmma::precision::tf32>) {
        for (int i = 0; i < fragment_a.num_elements; i++)
            fragment_a.x[i] = wmma::__float_to_tf32(fragment_a.x[i]);
        for (auto& one : fragment_b.x)
            one = wmma::__float_to_tf32(one);
    }
    wmma::mma_sync(sums, fragment_a, fragment_b, sums);
    wmma::store_matrix_sync(d, sums, stride_c, layout_c);
}

template <class type>
std::vector<type> numbers(int size, int step) {
    std::vector<type> made;
    for (int i = 0; i < size; i++)
        made.push_back(type(int(i * step % 13) - (std::is_unsigned_v<type> ? 0 : 6)));
    return made;
}

/// Small whole numbers, whose sums are exact: every element has one right value.
template <class factor, class kept, class sum_type, int m, int n, int k, class layout_a, class layout_b>
static bool is_right(wmma::layout_t layout_c) {
    constexpr bool ROWS_A = std::is_same_v<layout_a, wmma::row_major>,
                   ROWS_B = std::is_same_v<layout_b, wmma::row_major>;
    const bool rows_c = layout_c == wmma::mem_row_major;
    const auto wide = [](int size) { return (size + 15) / 16 * 16 + 16; };
    const int stride_a = wide(ROWS_A ? k : m), stride_b = wide(ROWS_B ? n : k),
              stride_c = wide(rows_c ? n : m);
    const auto a = numbers<kept>(stride_a * std::max(m, k), 5),
               b = numbers<kept>(stride_b * std::max(n, k), 7);
    const auto c = numbers<sum_type>(stride_c * std::max(m, n), 3);
    const device_array<kept> d_a(a.size()), d_b(b.size());
    const device_array<sum_type> d_c(c.size()), d_d(c.size());
    cudaMemcpy(d_a, a.data(), a.size() * sizeof(kept), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), b.size() * sizeof(kept), cudaMemcpyHostToDevice);
    cudaMemcpy(d_c, c.data(), c.size() * sizeof(sum_type), cudaMemcpyHostToDevice);
    multiply<factor, kept, sum_type, m, n, k, layout_a, layout_b>
        <<<1, 32>>>(d_d.data, d_a.data, d_b.data, d_c.data, stride_a, stride_b, stride_c, layout_c);
    if (cudaGetLastError() != cudaSuccess) return false;
    const auto d = d_d.host();
    for (int row = 0; row < m; row++) {
        for (int column = 0; column < n; column++) {
            const int at = rows_c ? row * stride_c + column : column * stride_c + row;
            double sum = double(float(c[size_t(at)]));
            for (int i = 0; i < k; i++)
                sum += double(float(a[size_t(ROWS_A ? row * stride_a + i : i * stride_a + row)])) *
                       double(float(b[size_t(ROWS_B ? i * stride_b + column : column * stride_b + i)]));
            if (double(float(d[size_t(at)])) != sum) return false;
        }
    }
    return true;
}

template <class factor, class kept, class sum_type, int m, int n, int k>
static void check_layouts(const char* name) {
    using rows = wmma::row_major;
    using columns = wmma::col_major;
    const bool right = is_right<factor, kept, sum_type, m, n, k, rows, columns>(wmma::mem_row_major) &&
                       is_right<factor, kept, sum_type, m, n, k, rows, rows>(wmma::mem_col_major) &&
                       is_right<factor, kept, sum_type, m, n, k, columns, columns>(wmma::mem_row_major) &&
                       is_right<factor, kept, sum_type, m, n, k, columns, rows>(wmma::mem_col_major);
    expect(right, std::string(name) + " " + std::to_string(m) + " x " + std::to_string(n));
}
template <class factor, class sum_type>
static void check_shapes(const char* name) {
    check_layouts<factor, factor, sum_type, 16, 16, 16>(name);
    check_layouts<factor, factor, sum_type, 32, 8, 16>(name);
    check_layouts<factor, factor, sum_type, 8, 32, 16>(name);
}

static void check_products() {
    check_shapes<__half, float>("half to float");
    check_shapes<__half, __half>("half");
    check_shapes<__nv_bfloat16, float>("bfloat16");
    check_shapes<signed char, int>("signed bytes");
    check_shapes<unsigned char, int>("unsigned bytes");
    check_layouts<wmma::precision::tf32, float, float, 16, 16, 8>("tf32");
    check_layouts<double, double, double, 8, 8, 4>("double");
}

/// 2048 + 1 is no half; a third is no tf32; what is added is.
__global__ void rounding(float* out) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, __half> narrow;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> wide;
    wmma::fill_fragment(a, __float2half(1.0f));
    wmma::fill_fragment(b, __float2half(1.0f / 16 / 4));  // a sum of 1/4
    wmma::fill_fragment(narrow, __float2half(2048.0f));
    wmma::fill_fragment(wide, 2048.0f);
    wmma::mma_sync(wide, a, b, wide);
    wmma::mma_sync(narrow, a, b, narrow);
    wmma::mma_sync(narrow, a, b, wide);  // 2048.25 + 0.25
    if (threadIdx.x != 0) return;
    out[0] = wide.x[3];
    out[1] = __half2float(narrow.x[3]);
    out[2] = wmma::__float_to_tf32(1.0f / 3) - 1.0f / 3;
    out[3] = wmma::__float_to_tf32(1.0f + ldexpf(1.0f, -11));  // a tie
    out[4] = float(wide.num_elements * 100 + a.num_elements);
}

/// 16 * 127 * 127 a time, from just below the largest int.
__global__ void saturation(int* out) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sums, wrapped;
    wmma::fill_fragment(a, 127);
    wmma::fill_fragment(b, 127);
    wmma::fill_fragment(sums, 0x7fffff00);
    wmma::mma_sync(wrapped, a, b, sums);
    wmma::mma_sync(sums, a, b, sums, true);
    if (threadIdx.x == 7) out[0] = sums.x[0], out[1] = wrapped.x[5];
}

__global__ void overflow(float* d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(a, __float2bfloat16(ldexpf(1.0f, 120)));
    wmma::fill_fragment(b, __float2bfloat16(ldexpf(1.0f, 120)));
    wmma::fill_fragment(sums, -INFINITY);
    wmma::mma_sync(sums, a, b, sums);
    wmma::store_matrix_sync(d, sums, 16, wmma::mem_row_major);
}

/// A product becomes a float before it is added, on every processor: infinity less infinity.
static void check_overflow() {
    device_array<float> out(256);
    overflow<<<1, 32>>>(out.data);
    EXPECT(cudaGetLastError() == cudaSuccess && std::isnan(out.host()[0]) && std::isnan(out.host()[255]));
}

static void check_roundings() {
    const device_array<float> out(5);
    rounding<<<1, 32>>>(out);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(out.at(0) == 2048.25f && out.at(1) == 2048.0f);
    EXPECT(out.at(2) != 0 && std::fabs(out.at(2)) < ldexpf(1.0f, -12));
    EXPECT(out.at(3) == 1.0f + ldexpf(1.0f, -10) && out.at(4) == 816);
    const device_array<int> ends(2);
    saturation<<<1, 32>>>(ends);
    EXPECT(ends.at(0) == 0x7fffffff && ends.at(1) == int(0x7fffff00u + 16u * 127 * 127));
}

using factor_a = wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
using factor_b = wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major>;
using float_sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void half_a_warp(const __half* in) {
    factor_a a;
    if (threadIdx.x >= 16) return;
    wmma::load_matrix_sync(a, in, 16);  // HERE half_a_warp: launch-error
}
__global__ void others_elsewhere() {
    float_sums sums;
    factor_a a;
    factor_b b;
    wmma::fill_fragment(a, 0);
    wmma::fill_fragment(b, 0);
    wmma::fill_fragment(sums, 0);
    if (threadIdx.x < 16)
        wmma::mma_sync(sums, a, b, sums);  // HERE others_elsewhere: deadlock
    else
        __syncthreads();  // where the others never come
}
__global__ void crooked(const __half* in) {
    factor_a a;
    wmma::load_matrix_sync(a, in + 1, 16);  // HERE crooked: launch-error
}
__global__ void crooked_rows(const __half* in) {
    factor_a a;
    wmma::load_matrix_sync(a, in, 18);  // HERE crooked_rows: launch-error
}
__global__ void unconverted() {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sums;
    wmma::fill_fragment(a, 0.1f);
    wmma::fill_fragment(b, 1.0f);
    wmma::fill_fragment(sums, 0.0f);
    wmma::mma_sync(sums, a, b, sums);  // HERE unconverted: launch-error
}

template <class launch_type>
static void check_refused(const char* mark, const char* kind, const char* words, const launch_type& launch) {
    {
        recorder seen;
        launch();
        expect(seen.only(kind, marked_line(__FILE__, mark)) && seen.text().find(words) != std::string::npos,
               std::string(words) + ", not " + seen.text());
    }
    EXPECT(cudaGetLastError() != cudaSuccess);
    cudaDeviceReset();
}

static void check_mistakes() {
    const auto in = [] {
        __half* memory = nullptr;
        cudaMalloc(&memory, 1024);
        return memory;
    };
    check_refused("half_a_warp", "launch-error", "needs all 32 lanes of a warp, not 16",
                  [&] { half_a_warp<<<1, 32>>>(in()); });
    check_refused("others_elsewhere", "deadlock", "wait for lanes of their warp",
                  [] { others_elsewhere<<<1, 32>>>(); });
    check_refused("crooked", "launch-error", "begins at a multiple", [&] { crooked<<<1, 32>>>(in()); });
    check_refused("crooked_rows", "launch-error", "rows are multiples of 16",
                  [&] { crooked_rows<<<1, 32>>>(in()); });
    check_refused("unconverted", "launch-error", "__float_to_tf32 has not made",
                  [] { unconverted<<<1, 32>>>(); });
}

/// 16 products of 1 and 1, on top of a 1.
__global__ void ones(float* out) {
    factor_a a;
    factor_b b;
    float_sums sums;
    wmma::fill_fragment(a, 1);
    wmma::fill_fragment(b, 1);
    wmma::fill_fragment(sums, 1);
    wmma::mma_sync(sums, a, b, sums);
    wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
}

static void check_doubled() {
    const device_array<float> out(256);
    for (const bool doubled : {true, false}) {
        simt::double_products(doubled);
        ones<<<1, 32>>>(out);
        EXPECT(out.at(0) == (doubled ? 33 : 17) && out.at(255) == out.at(0));
    }
}

int main() {
    return run_cases({check_overflow, check_products, check_roundings, check_doubled, check_mistakes});
}
