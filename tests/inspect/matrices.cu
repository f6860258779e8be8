// Matrices of wmma under the inspector: every element is loaded and stored once, neighbours together.
#include <mma.h>

#include "expect.h"

using namespace nvcuda;

template <class layout_b>
__global__ void multiply(float* sums, const half* a, const half* b) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fragment_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, layout_b> fragment_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fragment_c;
    wmma::fill_fragment(fragment_c, 0.0f);
    wmma::load_matrix_sync(fragment_a, a, 16);
    wmma::load_matrix_sync(fragment_b, b, 16);
    wmma::mma_sync(fragment_c, fragment_a, fragment_b, fragment_c);
    wmma::store_matrix_sync(sums, fragment_c, 16, wmma::mem_row_major);
}

/// Requests of the loads: pairs of halves by 32 lanes, or single ones where the matrix lies across.
template <class layout_b>
static void is_counted(uint64_t load_requests) {
    const inspect::report seen = inspected([] {
        half *a = device<half>(256), *b = device<half>(256);
        float* sums = device<float>(256);
        multiply<layout_b><<<1, 32>>>(sums, a, b);
    });
    EXPECT(seen.findings.empty());
    const inspect::memory_traffic global = seen.total().global;
    EXPECT(global.loads.bytes == 2 * 512 && global.loads.requests == load_requests);
    EXPECT(global.stores.bytes == 1024 && global.stores.requests == 4);
    EXPECT(seen.lines().size() == 3);
    EXPECT(seen.total().matrix_products == 1);
}
static void along_k() {
    is_counted<wmma::col_major>(4 + 4);
}
static void across_k() {
    is_counted<wmma::row_major>(4 + 8);
}

/// Two warps of three blocks, each as often as it is told.
__global__ void multiply_often(int times) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(a, half(1.0f));
    wmma::fill_fragment(b, half(1.0f));
    wmma::fill_fragment(sums, 0.0f);
    for (int i = 0; i < times; i++)
        wmma::mma_sync(sums, a, b, sums);
}
static void products_are_counted() {
    const inspect::report seen = inspected([] {
        multiply_often<<<3, 64>>>(5);
        multiply_often<<<1, 32>>>(2);
    });
    EXPECT(seen.launches.size() == 2 && seen.launches[0].total.matrix_products == 3 * 2 * 5);
    EXPECT(seen.total().matrix_products == 3 * 2 * 5 + 2);
    EXPECT(inspect::from_json(to_json(seen)).total().matrix_products == 3 * 2 * 5 + 2);
    EXPECT(to_text(seen).find("  30 products of matrices") != std::string::npos);
}

int main() {
    inspect::begin();
    return run_cases({along_k, across_k, products_are_counted});
}
