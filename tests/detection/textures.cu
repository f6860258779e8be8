// Textures on memory that is gone, too small, never written, or written by the same launch.
#include "detection.h"

constexpr int N = 64, SIDE = 8;

/// A texture on linear or pitched memory, or on a CUDA array: texels as they are, by whole coordinates.
class texture {
public:
    texture(const float* memory, size_t bytes) {
        resource_.resType = cudaResourceTypeLinear;
        resource_.res.linear.devPtr = const_cast<float*>(memory);
        resource_.res.linear.desc = cudaCreateChannelDesc<float>();
        resource_.res.linear.sizeInBytes = bytes;
        create();
    }
    texture(const float* memory, size_t pitch, int width, int height) {
        resource_.resType = cudaResourceTypePitch2D;
        resource_.res.pitch2D.devPtr = const_cast<float*>(memory);
        resource_.res.pitch2D.desc = cudaCreateChannelDesc<float>();
        resource_.res.pitch2D.width = width;
        resource_.res.pitch2D.height = height;
        resource_.res.pitch2D.pitchInBytes = pitch;
        create();
    }
    explicit texture(cudaArray_t array) {
        resource_.resType = cudaResourceTypeArray;
        resource_.res.array.array = array;
        create();
    }
    ~texture() { destroy(); }
    texture(const texture&) = delete;
    texture& operator=(const texture&) = delete;

    void destroy() {
        if (handle_ != 0) cudaDestroyTextureObject(handle_);
        handle_ = 0;
    }
    cudaTextureObject_t handle() const { return handle_; }

private:
    cudaResourceDesc resource_ = {};
    cudaTextureObject_t handle_ = 0;

    void create() {
        cudaTextureDesc how = {};
        how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
        cudaCreateTextureObject(&handle_, &resource_, &how, nullptr);
    }
};

// The same kernel several times, so that each mistake has a line of its own.
__global__ void fetch(float* out, cudaTextureObject_t in) {
    out[threadIdx.x] = tex1Dfetch<float>(in, threadIdx.x);  // HERE destroyed: illegal-address
}
__global__ void fetch_freed(float* out, cudaTextureObject_t in) {
    out[threadIdx.x] = tex1Dfetch<float>(in, threadIdx.x);  // HERE freed_memory: use-after-free
}
__global__ void fetch_unwritten(float* out, cudaTextureObject_t in) {
    out[threadIdx.x] = tex1Dfetch<float>(in, threadIdx.x);  // HERE unwritten_memory: uninitialised-read
}
__global__ void fetch_beyond(float* out, cudaTextureObject_t in) {
    out[threadIdx.x] = tex1Dfetch<float>(in, threadIdx.x);  // HERE larger_than_its_memory: out-of-bounds
}
__global__ void fetch_2d(float* out, cudaTextureObject_t in) {
    const int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    out[threadIdx.x] = tex2D<float>(in, x + 0.5f, y + 0.5f);  // HERE freed_array: use-after-free
}
__global__ void fetch_2d_unwritten(float* out, cudaTextureObject_t in) {
    const int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    out[threadIdx.x] = tex2D<float>(in, x + 0.5f, y + 0.5f);  // HERE unwritten_array: uninitialised-read
}
__global__ void fetch_row(float* out, cudaTextureObject_t in, int width) {
    if (threadIdx.x >= width) return;
    out[threadIdx.x] = tex2D<float>(in, threadIdx.x + 0.5f, 1.5f);  // HERE wider_than_its_rows: row-overrun
}

// A texture may have read its memory before the launch, or may not.
template <bool RIGHT>
__global__ void fetch_what_is_written(float* out, float* memory, cudaTextureObject_t in) {
    if (!RIGHT) memory[threadIdx.x] = threadIdx.x;  // HERE written_by_the_launch: race
    __syncwarp();
    out[threadIdx.x] = tex1Dfetch<float>(in, threadIdx.x ^ 32);
}

template <bool RIGHT>
bool destroyed() {
    const device_array<float> in(ramp(N)), out(zeros(N));
    texture view(in, N * sizeof(float));
    const cudaTextureObject_t handle = view.handle();
    if (!RIGHT) view.destroy();
    fetch<<<1, N>>>(out, handle);
    return out.host() == ramp(N);
}

template <bool RIGHT>
bool freed_memory() {
    const device_array<float> out(zeros(N));
    const std::vector<float> values = ramp(N);
    float* in = nullptr;
    cudaMalloc(&in, N * sizeof(float));
    cudaMemcpy(in, values.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    const texture view(in, N * sizeof(float));
    if (!RIGHT) cudaFree(in);
    fetch_freed<<<1, N>>>(out, view.handle());
    cudaDeviceSynchronize();
    if (RIGHT) cudaFree(in);
    return out.host() == ramp(N);
}

template <bool RIGHT>
bool unwritten_memory() {
    const device_array<float> in(N), out(zeros(N));
    const std::vector<float> values = ramp(N);
    cudaMemcpy(in, values.data(), (RIGHT ? N : N - 1) * sizeof(float), cudaMemcpyHostToDevice);
    const texture view(in, N * sizeof(float));
    fetch_unwritten<<<1, N>>>(out, view.handle());
    return out.host() == values;
}

template <bool RIGHT>
bool larger_than_its_memory() {
    const device_array<float> in(ramp(N)), out(zeros(N + 1));
    const int count = RIGHT ? N : N + 1;
    const texture view(in, count * sizeof(float));
    fetch_beyond<<<1, count>>>(out, view.handle());
    return out.host()[N - 1] == N - 1;
}

/// An array of SIDE x SIDE texels, all copied but the last row perhaps.
cudaArray_t make_array(int rows) {
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    const std::vector<float> values = ramp(N);
    const size_t bytes = SIDE * sizeof(float);
    cudaMallocArray(&array, &channels, SIDE, SIDE);
    cudaMemcpy2DToArray(array, 0, 0, values.data(), bytes, bytes, rows, cudaMemcpyHostToDevice);
    return array;
}

template <bool RIGHT>
bool freed_array() {
    const device_array<float> out(zeros(N));
    cudaArray_t array = make_array(SIDE);
    const texture view(array);
    if (!RIGHT) cudaFreeArray(array);
    fetch_2d<<<1, N>>>(out, view.handle());
    cudaDeviceSynchronize();
    if (RIGHT) cudaFreeArray(array);
    return out.host() == ramp(N);
}

template <bool RIGHT>
bool unwritten_array() {
    const device_array<float> out(zeros(N));
    cudaArray_t array = make_array(RIGHT ? SIDE : SIDE - 1);
    const texture view(array);
    fetch_2d_unwritten<<<1, N>>>(out, view.handle());
    cudaDeviceSynchronize();
    cudaFreeArray(array);
    return out.host() == ramp(N);
}

template <bool RIGHT>
bool wider_than_its_rows() {
    const device_array<float> out(zeros(SIDE + 1));
    float* image = nullptr;
    size_t pitch = 0;
    cudaMallocPitch(&image, &pitch, SIDE * sizeof(float), SIDE);
    cudaMemset2D(image, pitch, 0, SIDE * sizeof(float), SIDE);
    const int width = RIGHT ? SIDE : SIDE + 1;
    const texture view(image, pitch, width, SIDE);
    fetch_row<<<1, N>>>(out, view.handle(), width);
    cudaDeviceSynchronize();
    cudaFree(image);
    return out.host() == zeros(SIDE + 1);
}

template <bool RIGHT>
bool written_by_the_launch() {
    const device_array<float> in(ramp(N)), out(zeros(N));
    const texture view(in, N * sizeof(float));
    fetch_what_is_written<RIGHT><<<1, N>>>(out, in, view.handle());
    return out.host()[32] == 0 && out.host()[0] == 32;
}

int main(int argc, char** argv) {
    return detect(__FILE__, argc, argv,
                  {
                      {"destroyed", [](auto right) { return destroyed<right>(); }},
                      {"freed_memory", [](auto right) { return freed_memory<right>(); }},
                      {"unwritten_memory", [](auto right) { return unwritten_memory<right>(); }},
                      {"larger_than_its_memory", [](auto right) { return larger_than_its_memory<right>(); }},
                      {"freed_array", [](auto right) { return freed_array<right>(); }},
                      {"unwritten_array", [](auto right) { return unwritten_array<right>(); }},
                      {"wider_than_its_rows", [](auto right) { return wider_than_its_rows<right>(); }},
                      {"written_by_the_launch", [](auto right) { return written_by_the_launch<right>(); }},
                  });
}
