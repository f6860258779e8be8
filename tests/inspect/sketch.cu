// What pictures are drawn from: recorded where it is asked for, equal to the counts,
// the same for any number of runners.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "expect.h"

constexpr int N = 64, BLOCKS = 6, LENGTH = N * BLOCKS;

__global__ void tiled(float* out, const float* in) {
    __shared__ float s_tile[2 * (N + 2)];
    const int x = blockIdx.x * N + threadIdx.x;
    s_tile[2 * threadIdx.x] = in[x];  // HERE two_passes
    if (threadIdx.x == 5 && x + N < LENGTH) s_tile[2 * N] = in[blockIdx.x * N + N];
    __syncthreads();
    out[x] = s_tile[2 * threadIdx.x] + s_tile[2 * threadIdx.x + (threadIdx.x < N - 1 ? 2 : 0)];
}

/// The report of one launch as JSON; the arrays have the names of the contract.
int run_kernel(bool drawn) {
    inspect::begin();
    inspect::draw(drawn);
    std::vector<float> host_in(LENGTH, 1.0f), host_out(LENGTH);
    simt::label_host_range(host_in.data(), LENGTH * sizeof(float), "in");
    simt::label_host_range(host_out.data(), LENGTH * sizeof(float), "out");
    float *out = device<float>(LENGTH, UNINITIALISED_MEMORY), *in = device<float>(LENGTH);
    cudaMemcpy(in, host_in.data(), LENGTH * sizeof(float), cudaMemcpyHostToDevice);
    tiled<<<BLOCKS, N>>>(out, in);
    cudaMemcpy(host_out.data(), out, LENGTH * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%s\n", to_json(inspect::take()).c_str());
    return 0;
}

const inspect::element_map* map_of(const inspect::sketch& drawn, const std::string& variable) {
    for (const inspect::element_map& map : drawn.elements) {
        if (map.variable == variable) return &map;
    }
    return nullptr;
}

void check_elements(const inspect::launch& launch) {
    const inspect::element_map *in = map_of(launch.drawn, "in"), *out = map_of(launch.drawn, "out");
    expect(in && out, "maps of in and out");
    if (!in || !out) return;
    expect(in->loads.size() == LENGTH && in->stores.size() == LENGTH, "an entry for each element");
    for (int x = 0; x < LENGTH; x++) {
        const unsigned loads = x % N == 0 && x > 0 ? 2 : 1;  // a neighbour loads the first of a block, too
        expect(in->loads[x] == loads && in->stores[x] == 0 && out->stores[x] == 1 && out->loads[x] == 0,
               "loads of element " + std::to_string(x));
    }
    const uint64_t sum = std::accumulate(in->loads.begin(), in->loads.end(), uint64_t{0});
    expect(sum == launch.total.global.loads.lanes, "the sum to be the count");
    expect(launch.drawn.block == (BLOCKS - 1) / 2, "the block in the middle");
    for (int x = 0; x < LENGTH; x++) {
        const int place = x - N * int(launch.drawn.block);
        const int thread = place >= 0 && place < N ? place : place == N ? 5 : -1;
        expect(in->loader[x] == thread, "the thread that loads element " + std::to_string(x));
    }
}

void check_samples(const inspect::launch& launch) {
    unsigned seen = 0;
    for (const inspect::request_sample& one : launch.drawn.samples) {
        if (one.space == "shared" && one.direction == "store" && one.mask == ~0u) {
            seen++;
            expect(one.cost == 2 && one.line == marked_line(__FILE__, "two_passes"),
                   "the store of two passes");
            expect(one.offsets[1] - one.offsets[0] == 8, "lanes two words apart");
        }
        if (one.space == "global" && one.variable == "in" && one.mask == ~0u) {
            seen++;
            expect(one.offsets[0] == 0 && one.offsets[31] == 124 && one.block == 0 && one.warp == 0 &&
                       one.cost == 4,
                   "the first of equal requests, from the start of the variable");
        }
    }
    expect(seen == 2, "two full samples, got " + std::to_string(seen));
}

int main(int count, char** arguments) {
    if (count > 1) return run_kernel(arguments[1] == std::string("draw"));
    const std::string drawn = output_with(1, arguments[0], "draw"),
                      plain = output_with(1, arguments[0], "run");
    const inspect::report seen = inspect::from_json(drawn), without = inspect::from_json(plain);
    run_case([&] {
        expect(seen.launches.size() == 1 && without.launches.size() == 1, "one launch");
        expect(without.launches[0].drawn.empty(), "nothing recorded unless asked for");
        expect(plain.find("\"loader\"") == std::string::npos, "no picture in the report unless asked for");
        expect(seen.launches[0].static_shared == 2 * (N + 2) * sizeof(float),
               "bytes of static shared memory");
        expect(to_json(seen) + "\n" == drawn, "a round trip through JSON");
    });
    run_case([&] { check_elements(seen.launches[0]); });
    run_case([&] { check_samples(seen.launches[0]); });
    for (const int runners : {2, 3, 7})
        run_case([&] {
            expect(output_with(runners, arguments[0], "draw") == drawn,
                   "the same with " + std::to_string(runners) + " runners");
        });
    return finish();
}
