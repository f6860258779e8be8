// CUDA arrays and the creation of textures: copies of rectangles, and every refusal of the real runtime.
#include "api_test.h"

const cudaChannelFormatDesc FLOATS = cudaCreateChannelDesc<float>();

void copies() {
    float image[3][4], back[3][4] = {}, line[12] = {};
    for (int i = 0; i < 12; i++)
        image[i / 4][i % 4] = float(i);
    cudaArray_t array = nullptr, other = nullptr;
    size_t before = 0, between = 0, after = 0, total = 0;
    EXPECT_OK(cudaMemGetInfo(&before, &total));
    EXPECT_OK(cudaMallocArray(&array, &FLOATS, 4, 3));
    EXPECT_OK(cudaMallocArray(&other, &FLOATS, 4, 3));
    EXPECT_OK(cudaMemGetInfo(&between, &total));
    EXPECT_OK(cudaMemcpy2DToArray(array, 0, 0, image, 16, 16, 3, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemcpy2DFromArray(back[1], 16, array, 4, 1, 8, 2, cudaMemcpyDeviceToHost));
    EXPECT(back[1][0] == 5 && back[1][1] == 6 && back[1][2] == 0 && back[2][0] == 9);
    // Runs on into the next rows.
    EXPECT_OK(cudaMemcpyFromArray(line, array, 8, 0, 40, cudaMemcpyDeviceToHost));
    EXPECT(line[0] == 2 && line[9] == 11 && line[10] == 0);
    EXPECT_OK(cudaMemcpyToArray(other, 4, 0, line, 40, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, 4, 1));
    EXPECT_OK(cudaMemcpyFromArray(line, other, 0, 0, 44, cudaMemcpyDeviceToHost));
    EXPECT(line[0] == 0 && line[1] == 2 && line[4] == 5 && line[10] == 11);
    // In the order of a stream, and when a graph is launched.
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    EXPECT_OK(cudaMemcpyToArrayAsync(other, 8, 0, image, 16, cudaMemcpyHostToDevice, stream));
    EXPECT_OK(cudaMemcpyFromArrayAsync(line, other, 4, 0, 24, cudaMemcpyDeviceToHost, stream));
    EXPECT_OK(cudaStreamEndCapture(stream, &graph));
    EXPECT_OK(cudaGraphInstantiate(&exec, graph));
    EXPECT(line[1] == 2);
    EXPECT_OK(cudaGraphLaunch(exec, stream));
    EXPECT_OK(cudaStreamSynchronize(stream));
    EXPECT(line[0] == 2 && line[1] == 0 && line[4] == 3 && line[5] == 7);
    cudaExtent extent;
    cudaChannelFormatDesc channels;
    EXPECT_OK(cudaArrayGetInfo(&channels, &extent, nullptr, array));
    EXPECT(extent.width == 4 && extent.height == 3 && channels.x == 32 &&
           channels.f == cudaChannelFormatKindFloat);
    EXPECT_OK(cudaFreeArray(array));
    EXPECT_OK(cudaFreeArray(other));
    EXPECT_OK(cudaMemGetInfo(&after, &total));
    EXPECT(between == before - 2 * 48 && after == before);
}

/// Device memory that an array is filled from has been read, the one it is copied to written.
void observers_hear_of_copies() {
    host_events seen;
    float* d_data = nullptr;
    cudaArray_t array = nullptr;
    EXPECT_OK(cudaMalloc(&d_data, 32));
    EXPECT_OK(cudaMallocArray(&array, &FLOATS, 4, 2));
    EXPECT_OK(cudaMemcpy2DToArray(array, 0, 0, d_data, 16, 16, 2, cudaMemcpyDeviceToDevice));
    EXPECT_OK(cudaMemcpy2DFromArray(d_data, 16, array, 0, 0, 16, 1, cudaMemcpyDeviceToDevice));
    const uintptr_t begin = address_of(d_data);
    EXPECT(
        seen.events ==
        (std::vector<host_events::event>{
            {"allocated", begin, 32}, {"read", begin, 16}, {"read", begin + 16, 16}, {"wrote", begin, 16}}));
    EXPECT_OK(cudaFreeArray(array));
    EXPECT_OK(cudaFree(d_data));
}

void refused_arrays() {
    const cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
    const cudaChannelFormatDesc odd = {24, 0, 0, 0, cudaChannelFormatKindUnsigned};
    const cudaChannelFormatDesc tiny_float = {8, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t array = nullptr;
    EXPECT_REFUSED(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &three, 4, 4));
    EXPECT_REFUSED(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &odd, 4, 4));
    EXPECT_REFUSED(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &tiny_float, 4, 4));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMallocArray(&array, &FLOATS, 0, 0));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMallocArray(&array, &FLOATS, 131073, 0));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMallocArray(&array, &FLOATS, 131073, 1));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMallocArray(&array, &FLOATS, 4, 65537));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMallocArray(&array, nullptr, 4, 4));
    EXPECT_OK(cudaMallocArray(&array, &FLOATS, 131072, 0));
    EXPECT_OK(cudaFreeArray(array));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
    EXPECT_OK(cudaFreeArray(nullptr));
}

void refused_copies() {
    char host[64] = {};
    cudaArray_t a = nullptr;
    EXPECT_OK(cudaMallocArray(&a, &FLOATS, 4, 4));
    const auto up = cudaMemcpyHostToDevice;
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 4, 0, host, 16, 16, 4, up));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 1, host, 16, 16, 4, up));
    EXPECT_REFUSED(cudaErrorInvalidPitchValue, cudaMemcpy2DToArray(a, 0, 0, host, 12, 16, 4, up));
    EXPECT_REFUSED(cudaErrorInvalidMemcpyDirection,
                   cudaMemcpy2DToArray(a, 0, 0, host, 16, 16, 4, cudaMemcpyDeviceToHost));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpyToArray(a, 4, 0, host, 64, up));
    EXPECT_REFUSED(cudaErrorInvalidValue, cudaMemcpyFromArray(host, a, 0, 5, 4, cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaMemcpyToArray(a, 4, 0, host, 60, up));
    EXPECT_OK(cudaMemcpyToArray(a, 16, 0, host, 4, up));
    EXPECT_OK(cudaFreeArray(a));
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, cudaMemcpy2DToArray(a, 0, 0, host, 16, 16, 1, up));
}

cudaError_t create(const cudaResourceDesc& resource, const cudaTextureDesc& description) {
    cudaTextureObject_t texture = 0;
    return cudaCreateTextureObject(&texture, &resource, &description, nullptr);
}
cudaResourceDesc pitched(void* memory, const cudaChannelFormatDesc& channels, size_t width, size_t height,
                         size_t pitch) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {memory, channels, width, height, pitch};
    return resource;
}
cudaResourceDesc linear(void* memory, size_t bytes) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {memory, FLOATS, bytes};
    return resource;
}

void refused_memory() {
    float* d_image = nullptr;
    size_t pitch = 0;
    float host[16];
    EXPECT_OK(cudaMallocPitch(&d_image, &pitch, 1024 * 4, 64));
    const cudaTextureDesc plain = {};
    EXPECT_OK(create(pitched(d_image, FLOATS, 1024, 64, pitch), plain));
    EXPECT_OK(create(pitched(d_image, FLOATS, 100, 64, 416), plain));
    EXPECT_OK(create(pitched(d_image + 128, FLOATS, 100, 63, pitch), plain));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(pitched(d_image, FLOATS, 1024, 64, pitch - 16), plain));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(pitched(d_image, FLOATS, 100, 64, 1000), plain));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(pitched(d_image + 1, FLOATS, 100, 64, pitch), plain));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(pitched(d_image + 64, FLOATS, 100, 64, pitch), plain));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(pitched(d_image, FLOATS, 100, 65001, pitch), plain));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(pitched(d_image, FLOATS, 100, 64, 1 << 21), plain));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(pitched(d_image, FLOATS, 131073, 1, pitch), plain));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(pitched(host, FLOATS, 4, 4, 32), plain));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(pitched(nullptr, FLOATS, 4, 4, 32), plain));
    EXPECT_OK(create(linear(d_image, 4096), plain));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(linear(d_image + 4, 4096), plain));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(linear(host, 64), plain));
    EXPECT_OK(cudaFree(d_image));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(linear(d_image, 4096), plain));
}

void refused_descriptions() {
    void* d_image = nullptr;
    size_t pitch = 0;
    EXPECT_OK(cudaMallocPitch(&d_image, &pitch, 400, 4));
    const auto on = [&](const cudaChannelFormatDesc& channels) {
        return pitched(d_image, channels, 100, 4, pitch);
    };
    const auto bytes = cudaCreateChannelDesc<unsigned char>(), words = cudaCreateChannelDesc<int>();
    cudaTextureDesc filtered = {}, normalised = {}, both = {}, unknown_mode = {}, unknown_filter = {};
    filtered.filterMode = both.filterMode = cudaFilterModeLinear;
    normalised.readMode = both.readMode = cudaReadModeNormalizedFloat;
    unknown_mode.addressMode[0] = cudaTextureAddressMode(9);
    unknown_filter.filterMode = cudaTextureFilterMode(5);
    EXPECT_REFUSED(cudaErrorInvalidFilterSetting, create(on(bytes), filtered));
    EXPECT_REFUSED(cudaErrorInvalidFilterSetting, create(on(words), filtered));
    EXPECT_OK(create(on(bytes), both));
    EXPECT_OK(create(on(FLOATS), filtered));
    EXPECT_REFUSED(cudaErrorInvalidNormSetting, create(on(words), normalised));
    EXPECT_REFUSED(cudaErrorInvalidNormSetting, create(on(FLOATS), normalised));
    EXPECT_REFUSED(cudaErrorInvalidChannelDescriptor,
                   create(on({32, 32, 32, 0, cudaChannelFormatKindFloat}), {}));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(on(FLOATS), unknown_mode));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(on(FLOATS), unknown_filter));
    cudaResourceDesc no_array = {}, no_type = {};
    no_type.resType = cudaResourceType(9);
    EXPECT_REFUSED(cudaErrorInvalidResourceHandle, create(no_array, {}));
    EXPECT_REFUSED(cudaErrorInvalidValue, create(no_type, {}));
    EXPECT_OK(cudaFree(d_image));
}

void handles_are_used_again() {
    cudaArray_t array = nullptr;
    EXPECT_OK(cudaMallocArray(&array, &FLOATS, 4, 4));
    cudaResourceDesc resource = {};
    resource.res.array.array = array;
    const cudaTextureDesc plain = {};
    for (int i = 0; i < 200'000; i++) {
        cudaTextureObject_t texture = 0;
        const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &plain, nullptr);
        if (error != cudaSuccess || texture == 0) {
            EXPECT(!"another texture after many were destroyed");
            break;
        }
        cudaDestroyTextureObject(texture);
    }
    EXPECT_OK(cudaFreeArray(array));
}

int main() {
    return run_cases({copies, observers_hear_of_copies, refused_arrays, refused_copies, refused_memory,
                      refused_descriptions, handles_are_used_again});
}
