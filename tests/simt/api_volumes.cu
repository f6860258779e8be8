// Arrays of three dimensions, of layers and of faces: copies, textures, surfaces, worked out by hand.
#include <cmath>

#include "api_test.h"

constexpr int WIDTH = 4, HEIGHT = 3, DEPTH = 2;

/// Texel (x, y, z) is 100 z + 10 y + x.
struct volume {
    float texels[DEPTH][HEIGHT][WIDTH];
    volume() {
        for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
            at(i) = float(100 * (i / (HEIGHT * WIDTH)) + 10 * (i / WIDTH % HEIGHT) + i % WIDTH);
    }
    float& at(int i) { return texels[i / (HEIGHT * WIDTH)][i / WIDTH % HEIGHT][i % WIDTH]; }
};

cudaMemcpy3DParms parameters_of(cudaArray_t array, void* host, cudaExtent extent) {
    cudaMemcpy3DParms copy = {};
    copy.extent = extent;
    copy.dstArray = array;
    copy.srcPtr = make_cudaPitchedPtr(host, extent.width * sizeof(float), extent.width, extent.height);
    copy.kind = cudaMemcpyHostToDevice;
    return copy;
}

cudaArray_t array_of(void* host, cudaExtent extent, unsigned int flags) {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    EXPECT_OK(cudaMalloc3DArray(&array, &channels, extent, flags));
    const cudaMemcpy3DParms copy = parameters_of(array, host, extent);
    EXPECT_OK(cudaMemcpy3D(&copy));
    return array;
}

cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

cudaTextureObject_t texture_on(cudaArray_t array, cudaTextureFilterMode filter,
                               cudaTextureAddressMode mode = cudaAddressModeClamp, bool normalised = false) {
    const cudaResourceDesc resource = resource_of(array);
    cudaTextureDesc description = {};
    for (cudaTextureAddressMode& one : description.addressMode)
        one = mode;
    description.filterMode = filter;
    description.borderColor[0] = -1.0f;
    description.normalizedCoords = normalised;
    cudaTextureObject_t texture = 0;
    EXPECT_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

using floats = std::vector<float>;

/// What a fetch by every thread returns.
template <class fetch_type>
__global__ void fetch_all(float* out, fetch_type fetch) {
    out[threadIdx.x] = fetch(int(threadIdx.x));
}
template <class fetch_type>
floats fetched(int count, fetch_type fetch) {
    float* d_out = nullptr;
    floats out(count);
    EXPECT_OK(cudaMalloc(&d_out, count * sizeof(float)));
    fetch_all<<<1, count>>>(d_out, fetch);
    EXPECT_OK(cudaMemcpy(out.data(), d_out, count * sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaFree(d_out));
    return out;
}

void copies_of_volumes() {
    volume image;
    const cudaArray_t array = array_of(&image, {WIDTH, HEIGHT, DEPTH}, 0);
    cudaExtent extent = {};
    EXPECT_OK(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    EXPECT(extent.width == WIDTH && extent.height == HEIGHT && extent.depth == DEPTH);
    // Two columns and two rows of the second slice; places in the array are texels, in memory bytes.
    float part[2][3] = {};
    cudaMemcpy3DParms copy = {};
    copy.srcArray = array;
    copy.srcPos = make_cudaPos(1, 1, 1);
    copy.dstPtr = make_cudaPitchedPtr(part, sizeof part[0], 3, 2);
    copy.dstPos = make_cudaPos(sizeof(float), 0, 0);
    copy.extent = make_cudaExtent(2, 2, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    EXPECT_OK(cudaMemcpy3D(&copy));
    EXPECT(part[0][0] == 0 && part[0][1] == 111 && part[0][2] == 112 && part[1][1] == 121);
    // From array to array: the first slice over the second.
    cudaMemcpy3DParms inside = {};
    inside.srcArray = inside.dstArray = array;
    inside.dstPos = make_cudaPos(0, 0, 1);
    inside.extent = make_cudaExtent(WIDTH, 1, 1);
    inside.kind = cudaMemcpyDeviceToDevice;
    EXPECT_OK(cudaMemcpy3D(&inside));
    copy.srcPos = make_cudaPos(1, 0, 1);
    EXPECT_OK(cudaMemcpy3D(&copy));
    EXPECT(part[0][1] == 1 && part[1][1] == 111);
    copy.srcPos = make_cudaPos(1, 1, 2);
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy3D(&copy));
    EXPECT_OK(cudaFreeArray(array));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaMemcpy3D(&copy));
}

void textures_of_volumes() {
    volume image;
    const cudaArray_t array = array_of(&image, {WIDTH, HEIGHT, DEPTH}, 0);
    const cudaTextureObject_t nearest = texture_on(array, cudaFilterModePoint);
    EXPECT(fetched(4, [nearest] __device__(int i) { return tex3D<float>(nearest, 1.5f, 2.5f, i - 0.5f); }) ==
           (floats{21, 21, 121, 121}));
    const cudaTextureObject_t border = texture_on(array, cudaFilterModePoint, cudaAddressModeBorder);
    EXPECT(fetched(4, [border] __device__(int i) { return tex3D<float>(border, 1.5f, 2.5f, i - 0.5f); }) ==
           (floats{-1, 21, 121, -1}));
    const cudaTextureObject_t wrap = texture_on(array, cudaFilterModePoint, cudaAddressModeWrap, true);
    EXPECT(fetched(4, [wrap] __device__(int i) {
               return tex3D<float>(wrap, 0.4f, 0.9f, i / 2.0f + 0.25f);
           }) == (floats{21, 121, 21, 121}));
    // Between the centres of eight texels: linear in every direction.
    const cudaTextureObject_t linear = texture_on(array, cudaFilterModeLinear);
    EXPECT(fetched(3, [linear] __device__(int i) {
               return tex3D<float>(linear, 1.5f + 0.5f * i, 1.0f, 0.5f + 0.25f * i);
           }) == (floats{6, 31.5f, 57}));
    // Outside of all centres there is nothing between.
    EXPECT(fetched(2, [linear] __device__(int i) {
               return tex3D<float>(linear, 0.0f, 0.0f, 5.0f * i - 2.0f);
           }) == (floats{0, 100}));
    EXPECT_OK(cudaFreeArray(array));
}

void layers() {
    volume image;
    const cudaArray_t planes = array_of(&image, {WIDTH, HEIGHT, DEPTH}, cudaArrayLayered);
    const cudaTextureObject_t linear = texture_on(planes, cudaFilterModeLinear);
    // Filtered within a layer, never between two; a layer that is not there is the nearest one.
    EXPECT(fetched(4, [linear] __device__(int i) {
               return tex2DLayered<float>(linear, 2.0f, 1.5f, i - 1);
           }) == (floats{11.5f, 11.5f, 111.5f, 111.5f}));
    EXPECT_OK(cudaFreeArray(planes));

    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t lines = nullptr;
    EXPECT_OK(cudaMalloc3DArray(&lines, &channels, {WIDTH, 0, HEIGHT * DEPTH}, cudaArrayLayered));
    const cudaMemcpy3DParms copy = parameters_of(lines, &image, {WIDTH, 1, HEIGHT * DEPTH});
    EXPECT_OK(cudaMemcpy3D(&copy));
    const cudaTextureObject_t nearest = texture_on(lines, cudaFilterModePoint);
    EXPECT(fetched(6, [nearest] __device__(int i) { return tex1DLayered<float>(nearest, 3.5f, i); }) ==
           (floats{3, 13, 23, 103, 113, 123}));
    EXPECT_OK(cudaFreeArray(lines));
}

/// Faces in the order +x, -x, +y, -y, +z, -z; directions and the texel of each by the programming guide's table.
void faces() {
    float texels[12][2][2];
    for (int i = 0; i < 48; i++)
        texels[i / 4][i / 2 % 2][i % 2] = float(10 * (i / 4) + i % 4);  // 0 1 / 2 3 in every face
    const cudaArray_t cube = array_of(texels, {2, 2, 6}, cudaArrayCubemap);
    const cudaTextureObject_t one = texture_on(cube, cudaFilterModePoint);
    EXPECT(fetched(6, [one] __device__(int i) {
               const float far = i % 2 == 0 ? 4.0f : -4.0f;
               return texCubemap<float>(one, i / 2 == 0 ? far : 1.0f, i / 2 == 1 ? far : 2.0f,
                                        i / 2 == 2 ? far : 3.0f);
           }) == (floats{0, 11, 23, 31, 41, 50}));
    const cudaArray_t cubes = array_of(texels, {2, 2, 12}, cudaArrayCubemap | cudaArrayLayered);
    const cudaTextureObject_t many = texture_on(cubes, cudaFilterModePoint);
    EXPECT(fetched(3, [many] __device__(int i) {
               return texCubemapLayered<float>(many, 1.0f, 2.0f, -4.0f, i);
           }) == (floats{50, 110, 110}));
    EXPECT_OK(cudaFreeArray(cube));
    EXPECT_OK(cudaFreeArray(cubes));
}

cudaSurfaceObject_t surface_on(cudaArray_t array) {
    const cudaResourceDesc resource = resource_of(array);
    cudaSurfaceObject_t surface = 0;
    EXPECT_OK(cudaCreateSurfaceObject(&surface, &resource));
    return surface;
}

__global__ void add_thousand(cudaSurfaceObject_t surface) {
    const int x = threadIdx.x * int(sizeof(float)), y = threadIdx.y, z = threadIdx.z;
    surf3Dwrite(surf3Dread<float>(surface, x, y, z) + 1000.0f, surface, x, y, z);
}

void surfaces() {
    volume image;
    const cudaArray_t array = array_of(&image, {WIDTH, HEIGHT, DEPTH}, cudaArraySurfaceLoadStore);
    const cudaSurfaceObject_t surface = surface_on(array);
    add_thousand<<<1, dim3(WIDTH, HEIGHT, DEPTH)>>>(surface);
    EXPECT_OK(cudaDeviceSynchronize());
    const cudaTextureObject_t texture = texture_on(array, cudaFilterModePoint);
    EXPECT(fetched(4, [texture] __device__(int i) { return tex3D<float>(texture, i + 0.5f, 2.5f, 1.5f); }) ==
           (floats{1120, 1121, 1122, 1123}));
    // Outside: the nearest texel, or zeros.
    EXPECT(fetched(3, [surface] __device__(int i) {
               return surf3Dread<float>(surface, 16 * i - 16, -1, 5, cudaBoundaryModeClamp);
           }) == (floats{1100, 1100, 1103}));
    EXPECT(fetched(3, [surface] __device__(int i) {
               surf3Dwrite(5.0f, surface, 4 * (i % 2) - 4, 0, 0, cudaBoundaryModeZero);
               __syncwarp(7);
               return surf3Dread<float>(surface, 4 * i - 4, 0, 0, cudaBoundaryModeZero);
           }) == (floats{0, 5, 1001}));
    EXPECT_OK(cudaDestroySurfaceObject(surface));
    EXPECT_OK(cudaFreeArray(array));
}

void refused() {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &channels, {16385, 4, 4}));
    EXPECT_REFUSED(cudaErrorInvalidValue,
                   cudaMalloc3DArray(&array, &channels, {4, 4, 2049}, cudaArrayLayered));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &channels, {4, 8, 6}, cudaArrayCubemap));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &channels, {4, 4, 12}, cudaArrayCubemap));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &channels, {4, 4, 4}, 0x100));
    EXPECT_OK(cudaMallocArray(&array, &channels, 4, 4));
    const cudaResourceDesc resource = resource_of(array);
    cudaSurfaceObject_t surface = 0;
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &resource));
    EXPECT_OK(cudaFreeArray(array));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaCreateSurfaceObject(&surface, &resource));
}

template <class access_type>
__global__ void access(access_type what) {
    what();
}
/// What a launch that breaks off says. Resets the device.
template <class access_type>
std::string broken_off_by(cudaError_t wanted, access_type what) {
    const std::string text = stderr_of([&] {
        access<<<1, 1>>>(what);
        cudaDeviceSynchronize();
    });
    EXPECT(cudaGetLastError() == wanted);
    EXPECT_OK(cudaDeviceReset());
    return text;
}

void accesses_without_meaning() {
    volume image;
    const auto make = [&] { return array_of(&image, {WIDTH, HEIGHT, DEPTH}, cudaArraySurfaceLoadStore); };
    const cudaTextureObject_t texture = texture_on(make(), cudaFilterModePoint);
    EXPECT(
        broken_off_by(cudaErrorIllegalAddress, [texture] __device__() { tex2D<float>(texture, 0.5f, 0.5f); })
            .find("of three dimensions, by a function for one that is of one or two dimensions") !=
        std::string::npos);
    cudaSurfaceObject_t surface = surface_on(make());
    EXPECT(broken_off_by(cudaErrorIllegalAddress, [surface] __device__() {
               surf2Dwrite(1.0f, surface, 0, 0);
           }).find("for arrays of another shape") != std::string::npos);
    surface = surface_on(make());
    EXPECT(broken_off_by(cudaErrorIllegalAddress, [surface] __device__() {
               surf3Dwrite(1.0f, surface, 4 * WIDTH, 0, 0);
           }).find("out-of-bounds") != std::string::npos);
    surface = surface_on(make());
    EXPECT(broken_off_by(cudaErrorMisalignedAddress, [surface] __device__() {
               surf3Dread<float>(surface, 2, 0, 0);
           }).find("misaligned") != std::string::npos);
    surface = surface_on(make());
    EXPECT_OK(cudaDestroySurfaceObject(surface));
    EXPECT(broken_off_by(cudaErrorIllegalAddress, [surface] __device__() {
               surf3Dread<float>(surface, 0, 0, 0);
           }).find("never created, or is destroyed") != std::string::npos);
}

int main() {
    return run_cases(
        {copies_of_volumes, textures_of_volumes, layers, faces, surfaces, refused, accesses_without_meaning});
}
