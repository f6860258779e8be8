// Right: Duff's device: the taps in eights, a switch jumps into the first eight and falls through its cases.
#include "conv1d_basic.h"

#include "lab/lab.h"

#define THREADS 192

// One tap: the element under it is looked at only if there is one.
#define ONE_TAP                                                     \
    if (at >= 0 && at < count) sum = fmaf(elements[at], *tap, sum); \
    ++at, ++tap

__global__ void conv1d_basic_kernel(float* results, const float* elements, const float* tap, int count,
                                    int taps) {
    const int mine = blockDim.x * blockIdx.x + threadIdx.x;
    if (mine >= count) goto done;
    {
        float sum = 0;
        int at = mine - taps / 2;
        int rounds = (taps + 7) / 8;
        switch (taps % 8) {
            case 0:
                do {
                    ONE_TAP;
                    [[fallthrough]];
                    case 7:
                        ONE_TAP;
                        [[fallthrough]];
                    case 6:
                        ONE_TAP;
                        [[fallthrough]];
                    case 5:
                        ONE_TAP;
                        [[fallthrough]];
                    case 4:
                        ONE_TAP;
                        [[fallthrough]];
                    case 3:
                        ONE_TAP;
                        [[fallthrough]];
                    case 2:
                        ONE_TAP;
                        [[fallthrough]];
                    case 1:
                        ONE_TAP;
                } while (--rounds > 0);
        }
        results[mine] = sum;
    }
done:
    return;
}

#define TO_DEVICE(array, host) \
    float* array = nullptr;    \
    CUDA_CHECK(cudaMalloc((void**)&array, host.size_bytes()))

void conv1d_basic(std::span<float> out, std::span<const float> in, std::span<const float> filter) {
    TO_DEVICE(d_out, out);
    TO_DEVICE(d_in, in);
    TO_DEVICE(d_filter, filter);
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(d_in, &in[0], in.size_bytes(), cudaMemcpyHostToDevice)); });
    timed_copy(
        [&] { CUDA_CHECK(cudaMemcpy(d_filter, &filter[0], filter.size_bytes(), cudaMemcpyHostToDevice)); });
    const int count = static_cast<int>(out.size()), taps = static_cast<int>(filter.size());
    timed_launch([&] {
        conv1d_basic_kernel<<<(count + THREADS - 1) / THREADS, THREADS>>>(d_out, d_in, d_filter, count, taps);
    });
    timed_copy([&] { CUDA_CHECK(cudaMemcpy(&out[0], d_out, out.size_bytes(), cudaMemcpyDeviceToHost)); });
    for (float* array : {d_out, d_in, d_filter})
        CUDA_CHECK(cudaFree(array));
}
