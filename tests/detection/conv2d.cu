// Mistakes of a 2D convolution from global memory: borders, pitch, grids, outputs that meet.
#include "convolution.h"

constexpr int STRIP = 4, CHANNELS = 3;

/// The sum around a pixel, with zeros outside.
__device__ float sum_around(const float* in, int x, int y, int width, int height) {
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        for (int j = -R; j <= R; j++)
            sum += padded(in, x + j, y + i, width, height) * c_filter[(i + R) * TAPS + j + R];
    }
    return sum;
}

template <bool RIGHT>
__global__ void no_guard(float* out, const float* in, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (RIGHT && (x >= width || y >= height)) return;
    out[y * width + x] = sum_around(in, x, y, width, height);  // HERE no_guard: race, out-of-bounds
}

// The image is wider than high.
template <bool RIGHT>
__global__ void swapped_guard(float* out, const float* in, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (RIGHT ? x >= width || y >= height : x >= height || y >= width) return;
    out[y * width + x] = sum_around(in, x, y, width, height);  // HERE swapped_guard: out-of-bounds
}

// Beyond the left and right border lie the neighbour rows; before the first and behind the last, nothing.
template <bool RIGHT>
__global__ void no_border_in_x(float* out, const float* in, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        for (int j = -R; j <= R; j++) {
            if (y + i < 0 || y + i >= height) continue;
            if (RIGHT && (x + j < 0 || x + j >= width)) continue;
            const int pixel = (y + i) * width + x + j;
            sum += in[pixel] * c_filter[(i + R) * TAPS + j + R];  // HERE no_border_in_x: out-of-bounds
        }
    }
    out[y * width + x] = sum;
}

template <bool RIGHT>
__global__ void no_border_in_y(float* out, const float* in, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        for (int j = -R; j <= R; j++) {
            if (x + j < 0 || x + j >= width) continue;
            if (RIGHT && (y + i < 0 || y + i >= height)) continue;
            const int pixel = (y + i) * width + x + j;
            sum += in[pixel] * c_filter[(i + R) * TAPS + j + R];  // HERE no_border_in_y: out-of-bounds
        }
    }
    out[y * width + x] = sum;
}

// Each thread makes four pixels of a row; the last strip runs into the next row.
template <bool RIGHT>
__global__ void strips(float* out, const float* in, int width, int height) {
    const int first = STRIP * thread_in_grid(), y = row_in_grid();
    if (first >= width || y >= height) return;
    const int end = RIGHT ? min(first + STRIP, width) : first + STRIP;
    for (int x = first; x < end; x++)
        out[y * width + x] = sum_around(in, x, y, width, height);  // HERE strips: race, out-of-bounds
}

// Blocks as large as an input tile, an output tile apart: their rims compute nonsense, and store it.
template <bool RIGHT>
__global__ void rims(float* out, const float* in, int width, int height) {
    const int step = SIDE - 2 * R;
    const int x = blockIdx.x * step + threadIdx.x - R, y = blockIdx.y * step + threadIdx.y - R;
    const bool is_rim =
        threadIdx.x < R || threadIdx.x >= SIDE - R || threadIdx.y < R || threadIdx.y >= SIDE - R;
    if (x < 0 || x >= width || y < 0 || y >= height || (RIGHT && is_rim)) return;
    const float sum = is_rim ? 0 : sum_around(in, x, y, width, height);
    out[y * width + x] = sum;  // HERE rims: race
}

// One block for each channel, all adding to one image.
template <bool RIGHT>
__global__ void channels_add(float* out, const float* in, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x >= width || y >= height) return;
    const float sum = sum_around(in, x, y, width, height);
    if (RIGHT) {
        atomicAdd(&out[y * width + x], sum);
    } else {
        out[y * width + x] += sum;  // HERE channels_add: race
    }
}

// The sum begins with what the output held before.
template <bool RIGHT>
__global__ void channels_in_a_loop(float* out, const float* in, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x >= width || y >= height) return;
    if (RIGHT) out[y * width + x] = 0;
    for (int channel = 0; channel < CHANNELS; channel++) {
        const float sum = sum_around(in, x, y, width, height) / CHANNELS;
        out[y * width + x] += sum * CHANNELS;  // HERE channels_in_a_loop: uninitialised-read
    }
    out[y * width + x] /= CHANNELS;
}

// Rows first, then columns: other blocks have not finished their rows.
__global__ void rows_and_columns(float* out, float* between, const float* in, int width, int height,
                                 bool does_rows, bool does_columns) {
    const int x = thread_in_grid(), y = row_in_grid();
    const bool is_inside = x < width && y < height;
    if (is_inside && does_rows) {
        float sum = 0;
        for (int j = -R; j <= R; j++)
            sum += padded(in + y * width, x + j, width) * c_taps[j + R];
        between[y * width + x] = sum;  // HERE rows_and_columns: race
    }
    __syncthreads();
    if (!is_inside || !does_columns) return;
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        if (y + i >= 0 && y + i < height) sum += between[(y + i) * width + x] * c_taps[i + R];
    }
    out[y * width + x] = sum;
}

// Four pixels at once, where a row may begin anywhere.
template <bool RIGHT>
__global__ void vectors(float* out, const float* in, int width, int height) {
    const int x = STRIP * thread_in_grid(), y = row_in_grid();
    if (x + STRIP > width || y >= height) return;
    const float* from = in + y * width + x;
    float four[STRIP];
    if (RIGHT) {
        for (int k = 0; k < STRIP; k++)
            four[k] = from[k];
    } else {
        const float4 whole = *reinterpret_cast<const float4*>(from);  // HERE vectors: misaligned
        four[0] = whole.x, four[1] = whole.y, four[2] = whole.z, four[3] = whole.w;
    }
    for (int k = 0; k < STRIP; k++)
        out[y * width + x + k] = 2 * four[k];
}

// The filter in global memory, as an argument.
__global__ void filter_as_argument(float* out, const float* in, const float* filter, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        for (int j = -R; j <= R; j++) {
            const float tap = filter[(i + R) * TAPS + j + R];  // HERE filter_not_copied: uninitialised-read
            sum += padded(in, x + j, y + i, width, height) * tap;
        }
    }
    out[y * width + x] = sum;
}
__global__ void filter_freed_before(float* out, const float* in, const float* filter, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int k = 0; k < TAPS * TAPS; k++) {
        const int i = k / TAPS - R, j = k % TAPS - R;
        sum += padded(in, x + j, y + i, width, height) * filter[k];  // HERE filter_freed: use-after-free
    }
    out[y * width + x] = sum;
}

template <bool RIGHT>
bool guard_and_copy() {
    const image_2d data;
    std::vector<float> home(WIDTH * HEIGHT);
    swapped_guard<RIGHT><<<GRID_2D, BLOCK_2D>>>(data.out, data.in, WIDTH, HEIGHT);
    const size_t bytes = home.size() * sizeof(float);
    cudaMemcpy(home.data(), data.out, bytes, cudaMemcpyDefault);  // HERE swapped_guard: never-written
    return home == data.truth();
}

template <bool RIGHT>
bool grid_rounded_down() {
    const image_2d data;
    std::vector<float> home(WIDTH * HEIGHT);
    const dim3 grid = RIGHT ? GRID_2D : dim3(WIDTH / SIDE, HEIGHT / SIDE);
    no_guard<true><<<grid, BLOCK_2D>>>(data.out, data.in, WIDTH, HEIGHT);
    const size_t bytes = home.size() * sizeof(float);
    cudaMemcpy(home.data(), data.out, bytes, cudaMemcpyDefault);  // HERE grid_rounded_down: never-written
    return home == data.truth();
}

template <bool RIGHT>
bool add_channels() {
    const image_2d data;
    cudaMemset(data.out, 0, WIDTH * HEIGHT * sizeof(float));
    const dim3 grid(GRID_2D.x, GRID_2D.y, CHANNELS);
    channels_add<RIGHT><<<grid, BLOCK_2D>>>(data.out, data.in, WIDTH, HEIGHT);
    std::vector<float> wanted = data.truth();
    for (float& value : wanted)
        value *= CHANNELS;
    return data.out.host() == wanted;
}

/// Taps of the two passes multiplied.
std::vector<float> product_of_taps() {
    std::vector<float> taps(TAPS * TAPS);
    for (int i = 0; i < TAPS * TAPS; i++)
        taps[i] = taps_1d()[i / TAPS] * taps_1d()[i % TAPS];
    return taps;
}

template <bool RIGHT>
bool separable() {
    const image_1d taps;
    const image_2d data;
    const device_array<float> between(zeros(WIDTH * HEIGHT));
    for (const bool columns : {false, true}) {
        if (!RIGHT && !columns) continue;
        rows_and_columns<<<GRID_2D, BLOCK_2D>>>(data.out, between, data.in, WIDTH, HEIGHT, !RIGHT || !columns,
                                                columns);
    }
    return data.out.host() == convolved(image(WIDTH * HEIGHT), product_of_taps(), WIDTH);
}

template <bool RIGHT>
bool doubles() {
    const image_2d data;
    cudaMemset(data.out, 0, WIDTH * HEIGHT * sizeof(float));
    vectors<RIGHT><<<GRID_2D, BLOCK_2D>>>(data.out, data.in, WIDTH, HEIGHT);
    return data.out.host()[WIDTH + 35] == 2 * image(WIDTH * HEIGHT)[WIDTH + 35];
}

template <bool RIGHT>
bool copy_filter() {
    const image_2d data;
    const device_array<float> filter(TAPS * TAPS);
    const size_t bytes = TAPS * TAPS * sizeof(float);
    if (RIGHT) cudaMemcpy(filter, taps_2d().data(), bytes, cudaMemcpyHostToDevice);
    filter_as_argument<<<GRID_2D, BLOCK_2D>>>(data.out, data.in, filter, WIDTH, HEIGHT);
    return data.is_right();
}

template <bool RIGHT>
bool free_filter() {
    const image_2d data;
    float* filter = nullptr;
    cudaMalloc(&filter, TAPS * TAPS * sizeof(float));
    cudaMemcpy(filter, taps_2d().data(), TAPS * TAPS * sizeof(float), cudaMemcpyHostToDevice);
    if (!RIGHT) cudaFree(filter);
    filter_freed_before<<<GRID_2D, BLOCK_2D>>>(data.out, data.in, filter, WIDTH, HEIGHT);
    if (RIGHT) cudaFree(filter);
    return data.is_right();
}

int main(int argc, char** argv) {
    return detect(__FILE__, argc, argv,
                  {
                      {"no_guard", [](auto right) { return convolves(no_guard<right>); }},
                      {"swapped_guard", [](auto right) { return guard_and_copy<right>(); }},
                      {"grid_rounded_down", [](auto right) { return grid_rounded_down<right>(); }},
                      {"no_border_in_x", [](auto right) { return convolves(no_border_in_x<right>); }},
                      {"no_border_in_y", [](auto right) { return convolves(no_border_in_y<right>); }},
                      {"strips", [](auto right) { return convolves(strips<right>, dim3(1, 2)); }},
                      {"rims", [](auto right) { return convolves(rims<right>, dim3(4, 2)); }},
                      {"channels_add", [](auto right) { return add_channels<right>(); }},
                      {"channels_in_a_loop", [](auto right) { return convolves(channels_in_a_loop<right>); }},
                      {"rows_and_columns", [](auto right) { return separable<right>(); }},
                      {"vectors", [](auto right) { return doubles<right>(); }},
                      {"filter_not_copied", [](auto right) { return copy_filter<right>(); }},
                      {"filter_freed", [](auto right) { return free_filter<right>(); }},
                  });
}
