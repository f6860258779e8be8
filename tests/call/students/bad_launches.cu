// Launches that fail, one for each value of `factor`.
#include "student.h"

#include "lab/lab.h"

__global__ void write_kernel(float* out, int first, int count) {
    for (int i = first; i < first + count; i++)
        out[i] = 1;
}

__global__ void turn_kernel(volatile float* out) {
    while (out[0] != 2)
        out[0] = 1;  // HERE turns
}

void scale(std::span<float> out, std::span<const float>, float factor, rounding) {
    device_buffer<float> d_out(out.size());
    const int n = int(out.size());
    switch (int(factor)) {
        case 1:
            timed_launch([&] { write_kernel<<<1, 1>>>(d_out.data(), 0, n); });
            break;
        case 2:                                                                    // too many threads
            timed_launch([&] { write_kernel<<<1, 5000>>>(d_out.data(), 0, n); });  // HERE too_many_threads
            break;
        case 3:                                                            // illegal address
            timed_launch([&] { write_kernel<<<1, 1>>>(nullptr, 0, n); });  // HERE null_pointer
            break;
        case 4:  // the same, unchecked
            write_kernel<<<1, 1>>>(nullptr, 0, n);
            return;
        case 5:  // three too far
            timed_launch([&] { write_kernel<<<1, 1>>>(d_out.data(), 0, n + 3); });
            break;
        case 6:  // two too early
            timed_launch([&] { write_kernel<<<1, 1>>>(d_out.data(), -2, n + 2); });
            break;
        case 7:                        // device memory read on the host
            out[0] = d_out.data()[0];  // HERE read_on_host
            return;
        case 8:                                                           // without end
            timed_launch([&] { turn_kernel<<<2, 64>>>(d_out.data()); });  // HERE waits
            break;
    }
    d_out.copy_to(out);
}
