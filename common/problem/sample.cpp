// The size of a sample, and its outputs beside the truth.
#include "problem/sample.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "problem/compare.h"

namespace check {

namespace {

constexpr double TAPS = 1e8;
constexpr size_t COMPARED = 2000;

uint64_t parts_of(double taps) {
    return uint64_t(std::max(1.0, std::ceil(taps / TAPS)));
}

/// How far an output lies from the last that goes into what it is made of.
struct reach {
    int across, down;
};
reach reach_of(const problem_1d& p) {
    return {p.radius(), 0};
}
reach reach_of(const problem_2d& p) {
    const int slices = p.filter.depth / 2;
    reach all{p.filter.width / 2, p.filter.slice_height() / 2 + slices * p.in.slice_height()};
    all.across *= p.passes;
    all.down *= p.passes;
    for (const filter& one : p.gradient)
        all = {std::max(all.across, p.filter.width / 2 + one.width / 2),
               std::max(all.down, p.filter.height / 2 + one.height / 2)};
    return all;
}

/// For every output, how many of a rectangle from the first one to it were not computed.
class missing_outputs {
public:
    missing_outputs(std::span<const float> out, const shape& where)
        : where_(where), row_(size_t(where.width) + 1), before_(row_ * (size_t(where.height) + 1)) {
        for (size_t y = 0; y < size_t(where.height); y++) {
            for (size_t x = 0, in_row = 0; x < size_t(where.width); x++) {
                const auto pixel = out.subspan((y * size_t(where.width) + x) * size_t(where.channels));
                in_row += std::isnan(pixel[0]);
                before_[(y + 1) * row_ + x + 1] = before_[y * row_ + x + 1] + in_row;
            }
        }
    }
    bool any_near(size_t output, const reach& far) const {
        const int pixel = int(output / size_t(where_.channels));
        const int x = pixel % where_.width, y = pixel / where_.width;
        const size_t left = size_t(std::max(x - far.across, 0)), top = size_t(std::max(y - far.down, 0));
        const size_t right = size_t(std::min(x + far.across + 1, where_.width));
        const size_t bottom = size_t(std::min(y + far.down + 1, where_.height));
        return before_[bottom * row_ + right] + before_[top * row_ + left] !=
               before_[bottom * row_ + left] + before_[top * row_ + right];
    }

private:
    const shape where_;
    const size_t row_;
    std::vector<size_t> before_;
};

template <class problem>
std::string wrong_output(std::span<const float> out, const problem& p, bool inside) {
    const shape where = shape_of(p);
    std::vector<size_t> computed;
    for (size_t k = 0; k < out.size(); k++) {
        if (!std::isnan(out[k])) computed.push_back(k);
    }
    if (inside) {
        const missing_outputs missing(out, where);
        std::erase_if(computed, [&](size_t k) { return missing.any_near(k, reach_of(p)); });
    }
    if (computed.empty()) return "no output was computed";
    std::vector<size_t> compared;
    for (const size_t k : spread_places(computed.size(), COMPARED))
        compared.push_back(computed[k]);
    return first_wrong_at(compared, out, convolve_cpu(p, compared), where);
}

}  // namespace

uint64_t one_of_blocks(const problem_1d& problem) {
    return parts_of(all_taps(problem));
}
uint64_t one_of_blocks(const problem_2d& problem) {
    return parts_of(all_taps(problem));
}

std::string wrong_in_sample(std::span<const float> out, const problem_1d& problem, bool inside) {
    return wrong_output(out, problem, inside);
}
std::string wrong_in_sample(std::span<const float> out, const problem_2d& problem, bool inside) {
    return wrong_output(out, problem, inside);
}

}  // namespace check
