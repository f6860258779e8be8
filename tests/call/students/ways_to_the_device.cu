// Brings its input to the device in as many ways as there are, by the number `factor`, and back as it is.
#include "student.h"

#include <vector>

#include "lab/lab.h"

constexpr int MOST = 64;

__constant__ float constant_in[MOST];

struct all_values {
    float value[MOST];
};

__global__ void from_memory(float* out, const float* in, int n) {
    const int x = threadIdx.x;
    if (x < n) out[x] = in[x];
}
__global__ void from_doubles(float* out, const double* in, int n) {
    const int x = threadIdx.x;
    if (x < n) out[x] = float(in[x]);
}
__global__ void from_constant(float* out, int n) {
    const int x = threadIdx.x;
    if (x < n) out[x] = constant_in[x];
}
__global__ void from_texture(float* out, cudaTextureObject_t in, int n) {
    const int x = threadIdx.x;
    if (x < n) out[x] = tex2D<float>(in, x + 0.5f, 0.5f);
}
__global__ void from_arguments(float* out, all_values in, int n) {
    const int x = threadIdx.x;
    if (x < n) out[x] = in.value[x];
}

__global__ void from_number(float* out, int value) {
    *out = float(value);
}

static void by_texture(float* out, std::span<const float> in, int n) {
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    CUDA_CHECK(cudaMallocArray(&array, &channels, n, 1));
    CUDA_CHECK(cudaMemcpy2DToArray(array, 0, 0, in.data(), in.size_bytes(), in.size_bytes(), 1,
                                   cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    from_texture<<<1, MOST>>>(out, texture, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    CUDA_CHECK(cudaFreeArray(array));
}

void scale(std::span<float> out, std::span<const float> in, float way, rounding) {
    const int n = int(in.size());
    device_buffer<float> d_in(in.size()), d_out(out.size());
    if (way == 0) {
        CUDA_CHECK(cudaMemcpy(d_in.data(), in.data(), in.size_bytes(), cudaMemcpyHostToDevice));
        from_memory<<<1, MOST>>>(d_out.data(), d_in.data(), n);
    } else if (way == 1) {  // rows of four, staged with a gap
        std::vector<float> staged(2 * in.size());
        for (size_t k = 0; k < in.size(); k++)
            staged[k / 4 * 8 + k % 4] = in[k];
        CUDA_CHECK(
            cudaMemcpy2D(d_in.data(), 16, staged.data(), 32, 16, in.size() / 4, cudaMemcpyHostToDevice));
        from_memory<<<1, MOST>>>(d_out.data(), d_in.data(), n);
    } else if (way == 2) {
        CUDA_CHECK(cudaMemcpyToSymbol(constant_in, in.data(), in.size_bytes()));
        from_constant<<<1, MOST>>>(d_out.data(), n);
    } else if (way == 3) {
        by_texture(d_out.data(), in, n);
    } else if (way == 4) {
        all_values values = {};
        std::copy(in.begin(), in.end(), values.value);
        from_arguments<<<1, MOST>>>(d_out.data(), values, n);
    } else if (way == 5) {
        const std::vector<double> wide(in.begin(), in.end());
        device_buffer<double> d_wide(std::span<const double>(wide.data(), wide.size()));
        from_doubles<<<1, MOST>>>(d_out.data(), d_wide.data(), n);
        CUDA_CHECK(cudaDeviceSynchronize());
    } else if (way == 6 || way == 7 ||
               way == 10) {  // after reading: the input, what was made of what was read, or that
        std::vector<float> told(in.size());
        d_in.copy_from(in);
        d_in.copy_to(told);
        for (size_t k = 0; k < in.size(); k++)
            told[k] = way == 6 ? in[k] : way == 7 ? -1.5f * told[k] : told[k];
        d_in.copy_from(std::span<const float>(told.data(), told.size()));
        from_memory<<<1, MOST>>>(d_out.data(), d_in.data(), n);
    } else if (way == 9) {  // bits of floats as whole numbers, after reading
        d_in.copy_from(in);
        std::vector<float> told(in.size());
        d_in.copy_to(told);
        for (int k = 0; k < n; k++)
            from_number<<<1, 1>>>(d_out.data() + k, 1000 + 12345 * k);
    } else if (way == 11) {  // the numbers of the bytes to be copied
        std::vector<float> told(in.size());
        d_in.copy_from(in);
        d_in.copy_to(told);
        device_buffer<char> d_table(256 * in.size());
        for (int k = 0; k < n; k++)
            CUDA_CHECK(cudaMemcpy(d_out.data() + k, d_table.data() + 4 * (k * 997 % (60 * n)), 4,
                                  cudaMemcpyDeviceToDevice));
    } else if (way == 13) {  // each value fetched by itself
        d_in.copy_from(in);
        from_memory<<<1, MOST>>>(d_out.data(), d_in.data(), n);
        for (int times = 0; times < 4; times++)
            for (int k = 0; k < n; k++)
                CUDA_CHECK(cudaMemcpy(&out[k], d_out.data() + k, 4, cudaMemcpyDeviceToHost));
    } else if (way == 12) {  // the number of times that the same is asked
        for (int k = 0; k < 4 * MOST; k++)
            from_number<<<1, 1>>>(d_out.data(), 1);
        CUDA_CHECK(cudaDeviceSynchronize());
    } else {  // what the host computes
        std::vector<float> turned(in.size());
        for (size_t k = 0; k < in.size(); k++)
            turned[k] = 1000 + in[k];
        d_in.copy_from(std::span<const float>(turned.data(), turned.size()));
        from_memory<<<1, MOST>>>(d_out.data(), d_in.data(), n);
    }
    CUDA_CHECK(cudaGetLastError());
    d_out.copy_to(out);
}
