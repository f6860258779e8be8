// Samples of blocks: what is counted, what is scaled, and what nobody may be blamed for.
#include <algorithm>
#include <cmath>

#include "expect_counts.h"

constexpr int BLOCKS_X = 40, BLOCKS_Y = 30, WIDTH = 32 * BLOCKS_X;

__global__ void copy(float* out, const float* in) {
    const int x = blockIdx.x * 32 + threadIdx.x, at = blockIdx.y * WIDTH + x;
    out[at] = in[at];
}
__global__ void copy_beyond(float* out, const float* in, int count) {
    const int x = blockIdx.x * 32 + threadIdx.x, at = blockIdx.y * WIDTH + x;
    out[at + count] = in[at];
}
__global__ void copy_once(float* out, const float* in) {
    if (blockIdx.x == BLOCKS_X / 2 && blockIdx.y == BLOCKS_Y / 2) out[threadIdx.x] = in[threadIdx.x];
}
__global__ void note_block(unsigned char* seen) {
    if (threadIdx.x == 0) seen[blockIdx.y * gridDim.x + blockIdx.x] = 1;
}

constexpr int COUNT = WIDTH * BLOCKS_Y;
const dim3 GRID(BLOCKS_X, BLOCKS_Y);

/// Copies through device memory of its own, so that nothing of it is written before.
report copy_twice(int step) {
    inspect::sample_blocks(step);
    const report seen = inspected([] {
        auto* middle = device<float>(COUNT, UNINITIALISED_MEMORY);
        auto* out = device<float>(COUNT, UNINITIALISED_MEMORY);
        std::vector<float> values(COUNT);
        copy<<<GRID, 32>>>(middle, d_in);
        copy<<<GRID, 32>>>(out, middle);
        cudaMemcpy(values.data(), out, COUNT * sizeof(float), cudaMemcpyDeviceToHost);
    });
    return seen;
}

void expect_pattern_of_blocks(int width, int height, int step) {
    auto* d_seen = device<unsigned char>(width * height, 0);
    inspect::sample_blocks(step);
    const report seen = inspected([=] { note_block<<<dim3(width, height), 32>>>(d_seen); });
    std::vector<unsigned char> ran(width * height);
    cudaMemcpy(ran.data(), d_seen, ran.size(), cudaMemcpyDeviceToHost);
    cudaFree(d_seen);
    size_t blocks = 0;
    std::vector<int> columns(width), rows(height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            blocks += ran[y * width + x];
            columns[x] += ran[y * width + x];
            rows[y] += ran[y * width + x];
        }
    }
    const std::string name =
        std::to_string(width) + "x" + std::to_string(height) + ", one of " + std::to_string(step) + ": ";
    expect(blocks == seen.launches[0].inspected_blocks,
           name + "the blocks that ran are those that are named");
    const double expected = double(width) * height / step;
    expect(std::abs(double(blocks) - expected) <= std::max(width, height) / double(step) + 1,
           name + "as many as were asked for, got " + std::to_string(blocks));
    expect(ran[height / 2 * width + width / 2] == 1, name + "the block in the middle runs");
    const auto spread = [](const std::vector<int>& counts) {
        return *std::max_element(counts.begin(), counts.end()) -
               *std::min_element(counts.begin(), counts.end());
    };
    expect(spread(rows) <= 1, name + "rows have their share");
    expect(height < step || spread(columns) <= height / step + 1, name + "columns have their share");
}

void scaled_counts() {
    const report whole = copy_twice(1);
    expect(whole.clean() && !whole.launches[0].is_sampled(), "all blocks: clean, got" + describe(whole));
    const report sampled = copy_twice(16);
    expect(sampled.clean(), "one of 16 blocks: no findings, got" + describe(sampled));
    expect(sampled.launches[0].is_sampled() && sampled.launches[0].inspected_blocks == 75,
           "75 of 1200 blocks inspected, got " + std::to_string(sampled.launches[0].inspected_blocks));
    expect(inspect::to_text(sampled).find("75 of 1200 blocks inspected") != std::string::npos,
           "the text to say so");
    const inspect::counts all = whole.total(), some = sampled.total();
    expect(all.global.loads.requests == some.global.loads.requests &&
               all.global.stores.sectors == some.global.stores.sectors,
           "scaled counts of blocks that are alike to be the whole ones");
    expect(inspect::from_json(inspect::to_json(sampled)).launches[0].is_sampled(), "JSON to keep it");
}

// A grid of a few blocks runs whole, and so its findings stay.
void small_grids() {
    inspect::sample_blocks(16);
    const report small = inspected([] {
        auto* out = device<float>(64, UNINITIALISED_MEMORY);
        float value = 0;
        copy<<<dim3(1, 1), 32>>>(out, d_in);
        cudaMemcpy(&value, out + 40, sizeof value, cudaMemcpyDeviceToHost);
    });
    expect(!small.launches[0].is_sampled() && !small.clean(), "a small grid to run whole");
}

// What the blocks that run do wrong is found ...
void strays() {
    inspect::sample_blocks(16);
    const report stray = inspected([] {
        auto* out = device<float>(COUNT);
        copy_beyond<<<GRID, 32>>>(out, d_in, COUNT);
    });
    expect(!stray.clean() && stray.findings[0].kind == "out-of-bounds", "strays, got" + describe(stray));
}

// ... and after the sample unwritten memory as well.
void unwritten_memory() {
    inspect::sample_blocks(1);
    const report unwritten = inspected([] {
        auto* out = device<float>(COUNT, UNINITIALISED_MEMORY);
        std::vector<float> values(COUNT);
        copy_once<<<GRID, 32>>>(out, d_in);
        cudaMemcpy(values.data(), out, COUNT * sizeof(float), cudaMemcpyDeviceToHost);
    });
    expect(unwritten.findings.size() == 1 && unwritten.findings[0].kind == "never-written",
           "never-written without a sample, got" + describe(unwritten));
}

int main() {
    return check_counts({
        scaled_counts,
        small_grids,
        strays,
        unwritten_memory,
        [] { expect_pattern_of_blocks(40, 30, 16); },
        [] { expect_pattern_of_blocks(64, 64, 16); },
        [] { expect_pattern_of_blocks(60, 135, 46); },
        [] { expect_pattern_of_blocks(1000, 1, 7); },
        [] { expect_pattern_of_blocks(1, 500, 10); },
        [] { expect_pattern_of_blocks(16, 16, 16); },
    });
}
