// Uses pitched images and buffers, rightly and wrongly: one way for each value of `factor`. Rows of 10.
#include "student.h"

#include "lab/lab.h"

constexpr int WIDTH = 10;

__global__ void copy_kernel(float* out, const float* in, int out_pitch, int in_pitch, int height) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (y < height) out[y * out_pitch + x] = in[y * in_pitch + x];
}

__global__ void write_kernel(float* out, int position) {
    out[position] = 1;
}

void scale(std::span<float> out, std::span<const float> in, float factor, rounding) {
    const int height = int(in.size()) / WIDTH;
    pitched_image<float> d_in(in, WIDTH, height), d_out(WIDTH, height);
    switch (int(factor)) {
        case 1: {
            const int pitch = d_out.pitch_elements();
            timed_launch(
                [&] { copy_kernel<<<height, WIDTH>>>(d_out.data(), d_in.data(), pitch, pitch, height); });
            break;
        }
        case 2:  // nothing written
            break;
        case 3:  // one row below the last
            timed_launch([&] { write_kernel<<<1, 1>>>(d_out.data(), height * d_out.pitch_elements() + 4); });
            break;
        case 4:  // above the first row, and never copied back
            timed_launch([&] { write_kernel<<<1, 1>>>(d_out.data(), -1); });
            return;
        case 5: {  // a size that does not fit
            device_buffer<float> d_small(in.size() - 1);
            d_small.copy_from(in);
            break;
        }
        case 6: {  // an image without rows
            pitched_image<float> d_empty(WIDTH, 0);
            break;
        }
        case 7: {  // a buffer of nothing is no trouble
            device_buffer<float> d_nothing(0);
            d_nothing.copy_to({});
            break;
        }
        case 8: {  // behind a linear buffer, never copied back
            device_buffer<float> d_row(WIDTH);
            timed_launch([&] { write_kernel<<<1, 1>>>(d_row.data(), WIDTH + 2); });
            break;
        }
    }
    d_out.copy_to(out);  // HERE unwritten
}
