// Gives back nothing of one kind: 0 device memory, 1 a texture object, 2 a stream, 3 an event, 4 page-locked memory,
// 5 one of each, then throws std::invalid_argument. 6: a stream that is made once and used by every call. 7: gives
// all back. 8: refuses when out is written. 9: page-locks its input and does not unlock it.
#include "student.h"

#include <stdexcept>

#include "lab/lab.h"

static void leave(int kind) {
    if (kind == 0) {
        float* memory;
        CUDA_CHECK(cudaMalloc(&memory, 4096));
    }
    if (kind == 1) {
        static float* texels = [] {
            float* memory;
            CUDA_CHECK(cudaMalloc(&memory, 4096));
            return memory;
        }();
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = texels;
        resource.res.linear.desc = cudaCreateChannelDesc<float>();
        resource.res.linear.sizeInBytes = 4096;
        cudaTextureDesc description = {};
        cudaTextureObject_t texture;
        CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    }
    if (kind == 2) {
        cudaStream_t stream;
        CUDA_CHECK(cudaStreamCreate(&stream));
    }
    if (kind == 3) {
        cudaEvent_t event;
        CUDA_CHECK(cudaEventCreate(&event));
    }
    if (kind == 4) {
        float* memory;
        CUDA_CHECK(cudaMallocHost(&memory, 4096));
    }
}

void scale(std::span<float> out, std::span<const float> in, float factor, rounding) {
    const int kind = int(factor);
    leave(kind);
    if (kind == 9) {
        void* pages = const_cast<float*>(in.data());
        CUDA_CHECK(cudaHostRegister(pages, in.size_bytes(), cudaHostRegisterDefault));
    }
    if (kind == 5) {
        for (int each = 0; each < kind; each++)
            leave(each);
        throw std::invalid_argument("enough");
    }
    if (kind == 6) {
        static cudaStream_t stream = nullptr;
        if (!stream) CUDA_CHECK(cudaStreamCreate(&stream));
    }
    device_buffer<float> d_in(in);
    d_in.copy_to(out);
    if (kind == 8) throw std::invalid_argument("too late");
}
