// What texture fetches return, worked out by hand: address modes, filters,
// coordinates, element types, memory kinds.
#include <cmath>

#include "api_test.h"

constexpr int WIDTH = 4, HEIGHT = 3;

template <class type>
__global__ void fetch_row(type* out, cudaTextureObject_t texture, float first, float step, float y,
                          int count) {
    const int i = threadIdx.x;
    if (i < count) out[i] = tex2D<type>(texture, first + step * i, y);  // HERE fetch
}

template <class type>
__global__ void fetch_line(type* out, cudaTextureObject_t texture, float first, int count) {
    const int i = threadIdx.x;
    if (i < count) out[i] = tex1D<type>(texture, first + i);
}
template <class type>
__global__ void fetch_elements(type* out, cudaTextureObject_t texture, int first, int count) {
    const int i = threadIdx.x;
    if (i < count) tex1Dfetch(&out[i], texture, first + i);
}

template <class type>
struct results {
    type* d_out = nullptr;
    results() { EXPECT_OK(cudaMalloc(&d_out, 64 * sizeof(type))); }
    ~results() { EXPECT_OK(cudaFree(d_out)); }
    std::vector<type> host(int count) {
        EXPECT_OK(cudaGetLastError());
        std::vector<type> values(count);
        EXPECT_OK(cudaMemcpy(values.data(), d_out, count * sizeof(type), cudaMemcpyDeviceToHost));
        return values;
    }
};

template <class type>
std::vector<type> row(cudaTextureObject_t texture, float first, float step, float y, int count) {
    results<type> out;
    fetch_row<<<1, 32>>>(out.d_out, texture, first, step, y, count);
    return out.host(count);
}

using floats = std::vector<float>;

struct settings {
    cudaTextureAddressMode mode = cudaAddressModeClamp;
    cudaTextureFilterMode filter = cudaFilterModePoint;
    bool normalised = false;
    cudaTextureReadMode read = cudaReadModeElementType;
};

cudaTextureDesc description_of(const settings& chosen) {
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = chosen.mode;
    description.filterMode = chosen.filter;
    description.readMode = chosen.read;
    description.normalizedCoords = chosen.normalised;
    description.borderColor[0] = 100.0f;
    return description;
}

cudaTextureObject_t texture_on(cudaArray_t array, const settings& chosen) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const cudaTextureDesc description = description_of(chosen);
    cudaTextureObject_t texture = 0;
    EXPECT_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

template <class type>
cudaArray_t array_of(const type* values, int width, int height) {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<type>();
    cudaArray_t array = nullptr;
    EXPECT_OK(cudaMallocArray(&array, &channels, width, height));
    const size_t row_bytes = width * sizeof(type);
    EXPECT_OK(cudaMemcpy2DToArray(array, 0, 0, values, row_bytes, row_bytes, height ? height : 1,
                                  cudaMemcpyHostToDevice));
    return array;
}

/// 0 1 2 3 / 10 11 12 13 / 20 21 22 23.
cudaArray_t small_image() {
    float image[HEIGHT][WIDTH];
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++)
            image[y][x] = float(10 * y + x);
    }
    return array_of(&image[0][0], WIDTH, HEIGHT);
}

void point_filter_in_every_mode() {
    const cudaArray_t array = small_image();
    const auto with = [&](cudaTextureAddressMode mode, bool normalised) {
        return texture_on(array, {mode, cudaFilterModePoint, normalised});
    };
    const floats clamped = {10, 10, 10, 11, 12, 13, 13, 13};
    EXPECT(row<float>(with(cudaAddressModeClamp, false), -1.5f, 1.0f, 1.5f, 8) == clamped);
    EXPECT(row<float>(with(cudaAddressModeWrap, false), -1.5f, 1.0f, 1.5f, 8) == clamped);
    EXPECT(row<float>(with(cudaAddressModeMirror, false), -1.5f, 1.0f, 1.5f, 8) == clamped);
    EXPECT(row<float>(with(cudaAddressModeBorder, false), -1.5f, 1.0f, 1.5f, 8) ==
           (floats{100, 100, 10, 11, 12, 13, 100, 100}));
    EXPECT(row<float>(with(cudaAddressModeBorder, false), 0.5f, 1.0f, 3.0f, 2) == (floats{100, 100}));
    EXPECT(row<float>(with(cudaAddressModeClamp, false), 0.5f, 1.0f, -7.0f, 2) == (floats{0, 1}));
    // Normalised: texel i covers i/4 .. (i+1)/4, the middle row is around 0.5.
    const float step = 0.25f;
    EXPECT(row<float>(with(cudaAddressModeWrap, true), -0.375f, step, 0.5f, 8) ==
           (floats{12, 13, 10, 11, 12, 13, 10, 11}));
    EXPECT(row<float>(with(cudaAddressModeMirror, true), -0.375f, step, 0.5f, 12) ==
           (floats{11, 10, 10, 11, 12, 13, 13, 12, 11, 10, 10, 11}));
    EXPECT(row<float>(with(cudaAddressModeClamp, true), -0.375f, step, 0.5f, 8) ==
           (floats{10, 10, 10, 11, 12, 13, 13, 13}));
    EXPECT(row<float>(with(cudaAddressModeBorder, true), -0.375f, step, 0.5f, 8) ==
           (floats{100, 100, 10, 11, 12, 13, 100, 100}));
    EXPECT(row<float>(with(cudaAddressModeWrap, true), 0.125f, step, 1.2f, 2) == (floats{0, 1}));
    EXPECT(row<float>(with(cudaAddressModeMirror, true), 0.125f, step, 1.2f, 2) == (floats{20, 21}));
    EXPECT_OK(cudaFreeArray(array));
}

void edges_of_texels() {
    const cudaArray_t array = small_image();
    const cudaTextureObject_t texture = texture_on(array, {});
    EXPECT(row<float>(texture, 1.0f, 1.0f, 0.5f, 2) == (floats{1, 2}));
    EXPECT(row<float>(texture, std::nextafter(1.0f, 0.0f), 1.0f, 0.5f, 1) == (floats{0}));
    EXPECT(row<float>(texture, NAN, 0.0f, 0.5f, 1) == (floats{0}));
    EXPECT(row<float>(texture, INFINITY, 0.0f, 0.5f, 1) == (floats{3}));
    EXPECT(row<float>(texture, -INFINITY, 0.0f, 0.5f, 1) == (floats{0}));
    EXPECT(row<float>(texture, 1e30f, 0.0f, 0.5f, 1) == (floats{3}));
    // Measured: one fifth of five texels is still in texel 0.
    const float five[5] = {0, 1, 2, 3, 4};
    const cudaArray_t fifths = array_of(five, 5, 1);
    const cudaTextureObject_t normalised =
        texture_on(fifths, {cudaAddressModeWrap, cudaFilterModePoint, true});
    EXPECT(row<float>(normalised, 0.2f, 0.0f, 0.5f, 1) == (floats{0}));
    EXPECT_OK(cudaFreeArray(array));
    EXPECT_OK(cudaFreeArray(fifths));
}

void linear_filter_in_every_mode() {
    const cudaArray_t array = small_image();
    const auto with = [&](cudaTextureAddressMode mode, bool normalised) {
        return texture_on(array, {mode, cudaFilterModeLinear, normalised});
    };
    const floats clamped = {10, 10, 10, 10.5f, 11, 11.5f, 12, 12.5f, 13, 13, 13};
    EXPECT(row<float>(with(cudaAddressModeClamp, false), -0.5f, 0.5f, 1.5f, 11) == clamped);
    EXPECT(row<float>(with(cudaAddressModeMirror, false), -0.5f, 0.5f, 1.5f, 11) == clamped);
    EXPECT(row<float>(with(cudaAddressModeClamp, false), 1.5f, 1.0f, 1.25f, 2) == (floats{8.5f, 9.5f}));
    EXPECT(row<float>(with(cudaAddressModeBorder, false), -0.5f, 0.5f, 1.5f, 5) ==
           (floats{100, 55, 10, 10.5f, 11}));
    EXPECT(row<float>(with(cudaAddressModeBorder, false), 0.0f, 1.0f, 0.0f, 1) == (floats{75}));
    // Half way between the last and the first texel.
    EXPECT(row<float>(with(cudaAddressModeWrap, true), 0.0f, 0.125f, 0.5f, 3) == (floats{11.5f, 10, 10.5f}));
    EXPECT(row<float>(with(cudaAddressModeMirror, true), -0.125f, 0.125f, 0.5f, 3) == (floats{10, 10, 10}));
    EXPECT_OK(cudaFreeArray(array));
}

void weights_are_256ths() {
    const float step_up[2] = {0, 256};
    const cudaArray_t array = array_of(step_up, 2, 1);
    const cudaTextureObject_t texture = texture_on(array, {cudaAddressModeClamp, cudaFilterModeLinear});
    // A quarter of 1/256 is rounded to the nearest whole: 0, 0, 1, 1, 1, 1, 2, ...
    EXPECT(row<float>(texture, 0.5f, 0.25f / 256, 0.5f, 8) == (floats{0, 0, 1, 1, 1, 1, 2, 2}));
    EXPECT(row<float>(texture, 1.5f - 0.25f / 256, 0.25f / 256, 0.5f, 2) == (floats{256, 256}));
    EXPECT_OK(cudaFreeArray(array));
    // Measured: in two dimensions the product of the fractions is a whole 256th too. Here the row's fraction
    // is a quarter, so the upper right texel weighs k - round(k / 4).
    const float hot[2][2] = {{0, 256}, {0, 0}};
    const cudaArray_t square = array_of(&hot[0][0], 2, 2);
    const cudaTextureObject_t corner = texture_on(square, {cudaAddressModeClamp, cudaFilterModeLinear});
    EXPECT(row<float>(corner, 0.5f, 1.0f / 256, 0.75f, 7) == (floats{0, 1, 1, 2, 3, 4, 4}));
    EXPECT_OK(cudaFreeArray(square));
}

void integers() {
    const unsigned char bytes[4] = {0, 51, 102, 255};
    const signed char signs[4] = {-128, -127, 0, 127};
    const short shorts[4] = {-32768, -1, 0, 32767};
    const int words[4] = {-70000, 0, 1, 2147483647};
    const settings normalised = {cudaAddressModeClamp, cudaFilterModePoint, false,
                                 cudaReadModeNormalizedFloat};
    const settings filtered = {cudaAddressModeClamp, cudaFilterModeLinear, false,
                               cudaReadModeNormalizedFloat};
    const cudaArray_t u8 = array_of(bytes, 4, 1), s8 = array_of(signs, 4, 1);
    const cudaArray_t s16 = array_of(shorts, 4, 1), s32 = array_of(words, 4, 1);
    EXPECT(row<unsigned char>(texture_on(u8, {}), 0.5f, 1, 0.5f, 4) ==
           (std::vector<unsigned char>{0, 51, 102, 255}));
    EXPECT(row<int>(texture_on(s8, {}), 0.5f, 1, 0.5f, 4) == (std::vector<int>{-128, -127, 0, 127}));
    EXPECT(row<short>(texture_on(s16, {}), 0.5f, 1, 0.5f, 4) == (std::vector<short>{-32768, -1, 0, 32767}));
    EXPECT(row<int>(texture_on(s32, {}), 0.5f, 1, 0.5f, 4) == (std::vector<int>{-70000, 0, 1, 2147483647}));
    EXPECT(row<float>(texture_on(u8, normalised), 0.5f, 1, 0.5f, 4) == (floats{0, 0.2f, 0.4f, 1}));
    EXPECT(row<float>(texture_on(s8, normalised), 0.5f, 1, 0.5f, 4) == (floats{-1, -1, 0, 1}));
    EXPECT(row<float>(texture_on(s16, normalised), 0.5f, 1, 0.5f, 4) == (floats{-1, -1 / 32767.0f, 0, 1}));
    // 13107 and 26214 of 65535, half way.
    EXPECT(row<float>(texture_on(u8, filtered), 2.0f, 1, 0.5f, 1) == (floats{19661 / 65535.0f}));
    for (cudaArray_t array : {u8, s8, s16, s32})
        EXPECT_OK(cudaFreeArray(array));
}

void several_channels() {
    const float4 pixels[2] = {make_float4(1, 2, 3, 4), make_float4(5, 6, 7, 8)};
    const cudaArray_t array = array_of(pixels, 2, 1);
    const auto point = row<float4>(texture_on(array, {}), 1.5f, 1, 0.5f, 1)[0];
    EXPECT(point.x == 5 && point.y == 6 && point.z == 7 && point.w == 8);
    const auto mean =
        row<float4>(texture_on(array, {cudaAddressModeClamp, cudaFilterModeLinear}), 1, 1, 0.5f, 1)[0];
    EXPECT(mean.x == 3 && mean.y == 4 && mean.z == 5 && mean.w == 6);
    const auto border = row<float4>(texture_on(array, {cudaAddressModeBorder}), -1, 1, 0.5f, 1)[0];
    EXPECT(border.x == 100 && border.y == 0 && border.w == 0);
    const uchar2 pairs[1] = {make_uchar2(7, 8)};
    const cudaArray_t small = array_of(pairs, 1, 1);
    const auto pair = row<uchar2>(texture_on(small, {}), 0.5f, 1, 0.5f, 1)[0];
    EXPECT(pair.x == 7 && pair.y == 8);
    const auto widened = row<uchar4>(texture_on(small, {}), 0.5f, 1, 0.5f, 1)[0];
    EXPECT(widened.y == 8 && widened.z == 0 && widened.w == 0);  // missing channels are 0
    EXPECT_OK(cudaFreeArray(array));
    EXPECT_OK(cudaFreeArray(small));
}

void one_dimension() {
    const float values[3] = {1, 2, 4};
    const cudaArray_t array = array_of(values, 3, 0);
    results<float> out;
    fetch_line<<<1, 32>>>(out.d_out, texture_on(array, {}), -0.5f, 5);
    EXPECT(out.host(5) == (floats{1, 1, 2, 4, 4}));
    fetch_line<<<1, 32>>>(out.d_out, texture_on(array, {cudaAddressModeClamp, cudaFilterModeLinear}), 1.0f,
                          2);
    EXPECT(out.host(2) == (floats{1.5f, 3}));
    EXPECT_OK(cudaFreeArray(array));
}

void linear_memory() {
    const float values[4] = {1, 2, 3, 4};
    float* d_values = nullptr;
    EXPECT_OK(cudaMalloc(&d_values, sizeof values));
    EXPECT_OK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_values;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 15;  // three elements and a part that does not count
    const cudaTextureDesc description = description_of({});
    cudaTextureObject_t texture = 0;
    EXPECT_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    results<float> out;
    fetch_elements<<<1, 32>>>(out.d_out, texture, -1, 6);
    EXPECT(out.host(6) == (floats{0, 1, 2, 3, 0, 0}));
    fetch_line<<<1, 32>>>(out.d_out, texture, 0.5f, 2);
    EXPECT(out.host(2) == (floats{0, 0}));  // linear memory has tex1Dfetch only
    EXPECT_OK(cudaDestroyTextureObject(texture));
    EXPECT_OK(cudaFree(d_values));
}

void pitched_memory_and_beyond() {
    float image[HEIGHT][WIDTH];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        image[i / WIDTH][i % WIDTH] = float(i);
    float* d_image = nullptr;
    size_t pitch = 0;
    const size_t row_bytes = WIDTH * sizeof(float);
    EXPECT_OK(cudaMallocPitch(&d_image, &pitch, row_bytes, HEIGHT));
    EXPECT_OK(cudaMemcpy2D(d_image, pitch, image, row_bytes, row_bytes, HEIGHT, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {d_image, cudaCreateChannelDesc<float>(), WIDTH, HEIGHT, pitch};
    cudaTextureDesc description = description_of({cudaAddressModeBorder});
    cudaTextureObject_t texture = 0;
    EXPECT_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    EXPECT(row<float>(texture, -0.5f, 1, 2.5f, 6) == (floats{100, 8, 9, 10, 11, 100}));
    // A texture with more rows than its memory: made without complaint,
    // as on a GPU, and found out when it is read.
    resource.res.pitch2D.height = HEIGHT + 1;
    EXPECT_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    host_events seen;
    EXPECT(std::isnan(row<float>(texture, 0.5f, 1, HEIGHT + 0.5f, 1)[0]));
    EXPECT(seen.findings.size() == 1 && strcmp(seen.findings[0].kind, "out-of-bounds") == 0);
    EXPECT_OK(cudaFree(d_image));
}

void observers_hear_of_fetches() {
    const cudaArray_t array = small_image();
    const cudaTextureObject_t texture = texture_on(array, {});
    host_events seen;
    row<float>(texture, 0.5f, 1, 0.5f, 3);
    EXPECT(seen.fetched_bytes == (std::vector<size_t>{4, 4, 4}));
    EXPECT(seen.fetched_lines == std::vector<int>(3, marked_line(__FILE__, "fetch")));
    EXPECT_OK(cudaFreeArray(array));
}

/// Leaves a sticky error behind, hence last.
void no_such_texture() {
    const cudaArray_t array = small_image();
    const cudaTextureObject_t texture = texture_on(array, {});
    EXPECT_OK(cudaDestroyTextureObject(texture));
    EXPECT_OK(cudaDestroyTextureObject(texture));  // the real runtime does not mind
    float* d_out = nullptr;
    EXPECT_OK(cudaMalloc(&d_out, 64));
    const std::string text = stderr_of([&] {
        fetch_row<<<1, 1>>>(d_out, texture, 0.5f, 1.0f, 0.5f, 1);
        cudaDeviceSynchronize();
    });
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    EXPECT(text.find("api_textures.cu:" + std::to_string(marked_line(__FILE__, "fetch")) +
                     ": illegal-address") != std::string::npos);
    EXPECT_OK(cudaDeviceReset());
}

int main() {
    return run_cases({point_filter_in_every_mode, edges_of_texels, linear_filter_in_every_mode,
                      weights_are_256ths, integers, several_channels, one_dimension, linear_memory,
                      pitched_memory_and_beyond, observers_hear_of_fetches, no_such_texture});
}
