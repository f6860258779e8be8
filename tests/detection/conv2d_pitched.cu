// Mistakes of a 2D convolution of an image whose rows are a pitch apart.
#include "convolution.h"

/// A pitched image and room for its output, with rows without gaps on the host.
struct pitched_image {
    float *in = nullptr, *out = nullptr;
    size_t in_pitch = 0, out_pitch = 0;  // bytes
    static constexpr size_t ROW_BYTES = WIDTH * sizeof(float);

    pitched_image() {
        cudaMemcpyToSymbol(c_filter, taps_2d().data(), sizeof c_filter);
        cudaMallocPitch(&in, &in_pitch, ROW_BYTES, HEIGHT);
        cudaMallocPitch(&out, &out_pitch, ROW_BYTES, HEIGHT);
        const std::vector<float> values = image(WIDTH * HEIGHT);
        cudaMemcpy2D(in, in_pitch, values.data(), ROW_BYTES, ROW_BYTES, HEIGHT, cudaMemcpyHostToDevice);
        cudaMemset2D(out, out_pitch, 0, ROW_BYTES, HEIGHT);
    }
    ~pitched_image() {
        cudaFree(in);
        cudaFree(out);
    }
    pitched_image(const pitched_image&) = delete;
    pitched_image& operator=(const pitched_image&) = delete;

    bool is_right() const {
        std::vector<float> home(WIDTH * HEIGHT);
        cudaMemcpy2D(home.data(), ROW_BYTES, out, out_pitch, ROW_BYTES, HEIGHT, cudaMemcpyDeviceToHost);
        return home == convolved(image(WIDTH * HEIGHT), taps_2d(), WIDTH);
    }
};

template <class pixel>
__device__ pixel* row_of(pixel* image, size_t pitch, int y) {
    return (pixel*)((size_t)image + y * pitch);
}

/// Runs a kernel over the pitched image.
bool convolves_rows(void (*kernel)(float*, const float*, size_t, int, int)) {
    const pitched_image data;
    kernel<<<GRID_2D, BLOCK_2D>>>(data.out, data.in, data.in_pitch, WIDTH, HEIGHT);
    return data.is_right();
}

// Beyond the end of a row there is padding: the neighbour row is not near, and nobody wrote what is read.
template <bool RIGHT>
__global__ void no_right_border(float* out, const float* in, size_t pitch, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        if (y + i < 0 || y + i >= height) continue;
        const float* row = row_of(in, pitch, y + i);
        for (int j = -R; j <= R; j++) {
            if (x + j < 0 || (RIGHT && x + j >= width)) continue;
            sum += row[x + j] * c_filter[(i + R) * TAPS + j + R];  // HERE no_right_border: row-overrun
        }
    }
    row_of(out, pitch, y)[x] = sum;
}

// Before a row lies the padding of the row above; before the first one, nothing.
template <bool RIGHT>
__global__ void no_left_border(float* out, const float* in, size_t pitch, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        if (y + i < 0 || y + i >= height) continue;
        const float* row = row_of(in, pitch, y + i);
        for (int j = -R; j <= R; j++) {
            if ((RIGHT && x + j < 0) || x + j >= width) continue;
            const float tap = c_filter[(i + R) * TAPS + j + R];
            sum += row[x + j] * tap;  // HERE no_left_border: out-of-bounds, row-overrun
        }
    }
    row_of(out, pitch, y)[x] = sum;
}

template <bool RIGHT>
__global__ void no_bottom_border(float* out, const float* in, size_t pitch, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        if (y + i < 0 || (RIGHT && y + i >= height)) continue;
        const float* row = row_of(in, pitch, y + i);
        for (int j = -R; j <= R; j++) {
            if (x + j < 0 || x + j >= width) continue;
            sum += row[x + j] * c_filter[(i + R) * TAPS + j + R];  // HERE no_bottom_border: out-of-bounds
        }
    }
    row_of(out, pitch, y)[x] = sum;
}

// The neighbour row by adding the width.
template <bool RIGHT>
__global__ void width_for_pitch(float* out, const float* in, size_t pitch, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x >= width || y >= height) return;
    const int step = RIGHT ? int(pitch / sizeof(float)) : width;
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        for (int j = -R; j <= R; j++) {
            if (y + i < 0 || y + i >= height || x + j < 0 || x + j >= width) continue;
            const float pixel = in[(y + i) * step + x + j];  // HERE width_for_pitch: row-overrun
            sum += pixel * c_filter[(i + R) * TAPS + j + R];
        }
    }
    row_of(out, pitch, y)[x] = sum;
}

// The pitch counts bytes.
template <bool RIGHT>
__global__ void pitch_in_floats(float* out, const float* in, size_t pitch, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (x >= width || y >= height) return;
    const int step = int(RIGHT ? pitch / sizeof(float) : pitch);
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        for (int j = -R; j <= R; j++) {
            if (y + i < 0 || y + i >= height || x + j < 0 || x + j >= width) continue;
            const float pixel = in[(y + i) * step + x + j];  // HERE pitch_in_floats: out-of-bounds
            sum += pixel * c_filter[(i + R) * TAPS + j + R];
        }
    }
    row_of(out, pitch, y)[x] = sum;
}

// Only the guard of the rows: the columns that overhang write into the padding.
template <bool RIGHT>
__global__ void no_guard_in_x(float* out, const float* in, size_t pitch, int width, int height) {
    const int x = thread_in_grid(), y = row_in_grid();
    if (y >= height || (RIGHT && x >= width)) return;
    float sum = 0;
    for (int i = -R; i <= R; i++) {
        for (int j = -R; j <= R; j++) {
            if (y + i < 0 || y + i >= height || x + j < 0 || x + j >= width) continue;
            sum += row_of(in, pitch, y + i)[x + j] * c_filter[(i + R) * TAPS + j + R];
        }
    }
    row_of(out, pitch, y)[x] = sum;  // HERE no_guard_in_x: row-overrun
}

int main(int argc, char** argv) {
    return detect(
        __FILE__, argc, argv,
        {
            {"no_right_border", [](auto right) { return convolves_rows(no_right_border<right>); }},
            {"no_left_border", [](auto right) { return convolves_rows(no_left_border<right>); }},
            {"no_bottom_border", [](auto right) { return convolves_rows(no_bottom_border<right>); }},
            {"width_for_pitch", [](auto right) { return convolves_rows(width_for_pitch<right>); }},
            {"pitch_in_floats", [](auto right) { return convolves_rows(pitch_in_floats<right>); }},
            {"no_guard_in_x", [](auto right) { return convolves_rows(no_guard_in_x<right>); }},
        });
}
