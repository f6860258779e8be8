// The method that serves every filter on every device, slowly.
#include "plain.cuh"

#include "lab/buffer.h"
#include "method.h"

namespace fastest {

namespace {

class plain_launcher : public launcher {
public:
    plain_launcher(std::span<const float> filter, const problem& size) : filter_(filter), size_(size) {}

    void launch(const images& all, cudaStream_t stream) override {
        for (int k = 0; k < size_.images; k++) {
            const images of = all.from(k, size_);
            plain_kernel<float>
                <<<plain_grid(size_.width, size_.height), dim3(PLAIN_WIDTH, PLAIN_HEIGHT), 0, stream>>>(
                    of.out, of.in, filter_.data(), size_.width, size_.height, of.out_pitch, of.in_pitch,
                    size_.filter_width, size_.filter_height);
        }
    }

private:
    lab::device_buffer<float> filter_;
    problem size_;
};

}  // namespace

std::unique_ptr<launcher> make_plain(std::span<const float> filter, const problem& size) {
    return std::make_unique<plain_launcher>(filter, size);
}

}  // namespace fastest
