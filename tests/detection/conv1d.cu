// Mistakes of a 1D convolution from global memory: borders, grids, taps, sums that meet.
#include "convolution.h"

template <bool RIGHT>
__global__ void no_left_border(float* out, const float* in, int count) {
    const int x = thread_in_grid();
    if (x >= count) return;
    float sum = 0;
    for (int j = -R; j <= R; j++) {
        if ((RIGHT && x + j < 0) || x + j >= count) continue;
        sum += in[x + j] * c_taps[j + R];  // HERE no_left_border: out-of-bounds
    }
    out[x] = sum;
}

template <bool RIGHT>
__global__ void no_right_border(float* out, const float* in, int count) {
    const int x = thread_in_grid();
    if (x >= count) return;
    float sum = 0;
    for (int j = -R; j <= R; j++) {
        if (x + j < 0 || (RIGHT && x + j >= count)) continue;
        sum += in[x + j] * c_taps[j + R];  // HERE no_right_border: out-of-bounds
    }
    out[x] = sum;
}

// Overhanging threads write, too.
template <bool RIGHT>
__global__ void no_guard(float* out, const float* in, int count) {
    const int x = thread_in_grid();
    if (RIGHT && x >= count) return;
    float sum = 0;
    for (int j = -R; j <= R; j++)
        sum += padded(in, x + j, count) * c_taps[j + R];
    out[x] = sum;  // HERE no_guard: out-of-bounds
}

// One tap more than the filter has: <= and a count do not go together.
template <bool RIGHT>
__global__ void one_tap_too_many(float* out, const float* in, int count) {
    const int x = thread_in_grid(), last = RIGHT ? TAPS - 1 : TAPS;
    if (x >= count) return;
    float sum = 0;
    for (int j = 0; j <= last; j++)
        sum += padded(in, x + j - R, count) * c_taps[j];  // HERE one_tap_too_many: index-out-of-array
    out[x] = sum;
}

// Every input is spread over its outputs: those of neighbours meet.
template <bool RIGHT>
__global__ void scattered(float* out, const float* in, int count) {
    const int x = thread_in_grid();
    if (x >= count) return;
    for (int j = -R; j <= R; j++) {
        const int target = x - j;
        if (target < 0 || target >= count) continue;
        if (RIGHT) {
            atomicAdd(&out[target], in[x] * c_taps[j + R]);
        } else {
            out[target] += in[x] * c_taps[j + R];  // HERE scattered: race
        }
    }
}

// Bad when `out` and `in` are one array: it is overwritten while others still read it.
__global__ void in_place(float* out, const float* in, int count) {
    const int x = thread_in_grid();
    if (x >= count) return;
    float sum = 0;
    for (int j = -R; j <= R; j++) {
        if (x + j < 0 || x + j >= count) continue;
        sum += in[x + j] * c_taps[j + R];  // HERE in_place: race
    }
    out[x] = sum;
}

// A tile of one warp, passed on by shuffles; the lanes beyond the end are asked, too.
template <bool RIGHT>
__global__ void shuffled_in_a_branch(float* out, const float* in, int count) {
    const int lane = threadIdx.x % 32, warp = thread_in_grid() / 32;
    const int x = warp * (32 - 2 * R) + lane - R;
    const float mine = padded(in, x, count);
    float sum = 0;
    if (RIGHT || (lane >= R && lane < 32 - R)) {
        for (int j = -R; j <= R; j++) {
            const int source = (lane + j) & 31;
            // HERE shuffled_in_a_branch: warp-mask
            const float other = __shfl_sync(0xffffffffu, mine, source);
            sum += other * c_taps[j + R];
        }
    }
    if (lane >= R && lane < 32 - R && x < count) out[x] = sum;
}

// Lanes beyond the end leave before the others ask for their zeros.
template <bool RIGHT>
__global__ void shuffled_after_a_return(float* out, const float* in, int count) {
    const int lane = threadIdx.x % 32, warp = thread_in_grid() / 32;
    const int x = warp * (32 - 2 * R) + lane - R;
    if (!RIGHT && x >= count) return;
    const float mine = padded(in, x, count);
    float sum = 0;
    for (int j = 0; j < TAPS; j++) {
        const int source = (lane + j - R) & 31;
        // HERE shuffled_after_a_return: warp-mask
        const float other = __shfl_sync(0xffffffffu, mine, source);
        sum += other * c_taps[j];
    }
    if (lane >= R && lane < 32 - R && x < count) out[x] = sum;
}

// A division that should have been rounded up.
template <bool RIGHT>
bool grid_too_small() {
    const image_1d data;
    std::vector<float> home(COUNT);
    no_guard<true><<<RIGHT ? BLOCKS : COUNT / BLOCK, BLOCK>>>(data.out, data.in, COUNT);
    const size_t bytes = COUNT * sizeof(float);
    cudaMemcpy(home.data(), data.out, bytes, cudaMemcpyDefault);  // HERE grid_too_small: never-written
    return home == data.truth();
}

template <bool RIGHT>
bool scatters() {
    const image_1d data;
    cudaMemset(data.out, 0, COUNT * sizeof(float));
    scattered<RIGHT><<<BLOCKS, BLOCK>>>(data.out, data.in, COUNT);
    return data.is_right();
}

template <bool RIGHT>
bool convolves_in_place() {
    const image_1d data;
    in_place<<<BLOCKS, BLOCK>>>(RIGHT ? data.out : data.in, data.in, COUNT);
    return RIGHT && data.is_right();
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"no_left_border", [](auto right) { return convolves(no_left_border<right>); }},
            {"no_right_border", [](auto right) { return convolves(no_right_border<right>); }},
            {"no_guard", [](auto right) { return convolves(no_guard<right>); }},
            {"grid_too_small", [](auto right) { return grid_too_small<right>(); }},
            {"one_tap_too_many", [](auto right) { return convolves(one_tap_too_many<right>); }},
            {"scattered", [](auto right) { return scatters<right>(); }},
            {"in_place", [](auto right) { return convolves_in_place<right>(); }},
            {"shuffled_in_a_branch", [](auto right) { return convolves(shuffled_in_a_branch<right>); }},
            {"shuffled_after_a_return", [](auto right) { return convolves(shuffled_after_a_return<right>); }},
        });
}
