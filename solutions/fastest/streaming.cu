// Lab 13's kernels: float arithmetic, tiles brought by the copy engine, small filters straight from the L1 cache.
#include <map>

#include "../13_conv2d_adaptive/conv2d_adaptive.cu"
#include "constant_taps.h"
#include "method.h"

namespace fastest {

namespace {

const constant_taps* last_taps = nullptr;

/// Rows of taps, each an even number of them: row_adder reads them two by two.
std::vector<float> in_pairs(std::span<const float> filter, const problem& size) {
    std::vector<float> pairs;
    for (int i = 0; i < size.filter_height; i++) {
        const auto row = filter.subspan(size_t(i) * size.filter_width, size_t(size.filter_width));
        pairs.insert(pairs.end(), row.begin(), row.end());
        pairs.resize((pairs.size() + 1) / 2 * 2);
    }
    return pairs;
}

class streaming_launcher : public launcher {
public:
    streaming_launcher(std::span<const float> filter, const problem& size, const candidate& schedule)
        : taps_(in_pairs(filter, size), &last_taps), size_(size), schedule_(schedule) {}

    void launch(const images& of, cudaStream_t stream) override {
        const ::plan& launch = launch_for(of);
        taps_.bring_to(c_filter, stream);
        launch.kernel<<<launch.grid, launch.block, launch.shared_bytes, stream>>>(picture_of(of), launch.map,
                                                                                  size_.filter_height);
    }

private:
    picture picture_of(const images& of) const {
        return {of.in, of.out, size_.width, size_.height, of.in_pitch, of.out_pitch};
    }

    /// The copy engine has to be told where an image lies, which takes longer than a launch: kept for a few images.
    const ::plan& launch_for(const images& of) {
        constexpr size_t MOST = 64;
        if (kept_.size() >= MOST) kept_.clear();
        const auto found = kept_.find(of.in);
        if (found != kept_.end()) return found->second;
        return kept_.emplace(of.in, schedule_.plan_for(picture_of(of), size_.filter_height)).first->second;
    }

    constant_taps taps_;
    problem size_;
    candidate schedule_;
    std::map<const float*, ::plan> kept_;  // in_pitch is the plan's
};

}  // namespace

namespace {

// One more than lab 13 has. A block asks for the pixels of the second one after it on its multiprocessor, or about that; on an
// H100 this takes 3 % off.
constexpr direct_schedule WITH_PREFETCH[] = {{3, 3, 4, 4, 264}};

std::vector<candidate> schedules() {
    std::vector<candidate> all = candidates_of<row_adder, WITH_PREFETCH>();
    for (const candidate& next : all_schedules<row_adder>())
        all.push_back(next);
    return all;
}

}  // namespace

std::unique_ptr<launcher> make_streaming(std::span<const float> filter, const problem& size) {
    const size_t limit = size_t(limits_of_device().shared_bytes);
    for (const candidate& next : schedules()) {
        if (next.cut.serves(size.filter_width, size.filter_height) &&
            next.shared_bytes(size.filter_height) <= limit)
            return std::make_unique<streaming_launcher>(filter, size, next);
    }
    return nullptr;
}

}  // namespace fastest
