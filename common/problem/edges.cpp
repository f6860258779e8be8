// The length of the gradient of a filtered image, in double precision, with a bound per value.
#include "problem/edges.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "problem/compare.h"
#include "problem/roundings.h"

namespace check {

namespace {

constexpr double SMALLEST = std::numeric_limits<float>::min();
/// The CUDA C++ Programming Guide gives hypotf three units in the last place, more than a root has: six times u.
constexpr size_t ROUNDINGS_OF_A_ROOT = 6;

/// The places, each once and in order, of what the outputs' gradients are made of.
class neighbourhood {
public:
    neighbourhood(const problem_2d& problem, std::span<const size_t> outputs)
        : problem_(problem), number_(problem.in.pixels.size(), NONE) {
        for (const size_t output : outputs) {
            for (const filter& one : problem.gradient)
                each_place(output, one, [&](size_t place, double) { number_[place] = 0; });
        }
        for (size_t place = 0; place < number_.size(); place++) {
            if (number_[place] == NONE) continue;
            number_[place] = places_.size();
            places_.push_back(place);
        }
    }

    const std::vector<size_t>& places() const { return places_; }
    /// Calls use(k, tap) for the taps of a filter that meet something, which is places()[k].
    template <class function>
    void each(size_t output, const filter& taps, const function& use) const {
        each_place(output, taps, [&](size_t place, double tap) { use(number_[place], tap); });
    }

private:
    static constexpr size_t NONE = SIZE_MAX;
    const problem_2d& problem_;
    std::vector<size_t> number_;  // of a place among those that are needed
    std::vector<size_t> places_;

    template <class function>
    void each_place(size_t output, const filter& taps, const function& use) const {
        const image& in = problem_.in;
        const size_t channel = output % in.channels, pixel = output / in.channels;
        const int x = int(pixel % in.width), y = int(pixel / in.width);
        for (int i = 0; i < taps.height; i++) {
            const int row = lab::border_index(y + i - taps.height / 2, in.height, problem_.border);
            for (int j = 0; j < taps.width; j++) {
                const int column = lab::border_index(x + j - taps.width / 2, in.width, problem_.border);
                if (row < 0 || column < 0) continue;
                use((size_t(row) * in.width + column) * in.channels + channel,
                    double(taps.taps[size_t(i) * taps.width + j]));
            }
        }
    }
};

}  // namespace

// The filtered image lies within its bounds e of the truth v. So a sum of m of its pixels times taps t, in any order,
// lies within E = sum |t| e + gamma_m sum |t| (|v| + e), and the length of what n such sums give within the length of
// their E, by the triangle inequality. Squares, sums and root add their roundings, and squares may be too small for a
// float.
reference edges_cpu(const problem_2d& problem, std::span<const size_t> outputs) {
    const neighbourhood around(problem, outputs);
    problem_2d before = problem;
    before.gradient.clear();
    const reference filtered = convolve_cpu(before, around.places());

    const double of_root = gamma(problem.gradient.size() + ROUNDINGS_OF_A_ROOT);
    reference truth;
    for (const size_t output : outputs) {
        double squares = 0, errors = 0;
        for (const filter& one : problem.gradient) {
            double sum = 0, error = 0, magnitude = 0;
            around.each(output, one, [&](size_t k, double tap) {
                sum += tap * filtered.value[k];
                error += std::abs(tap) * filtered.bound[k];
                magnitude += std::abs(tap) * (std::abs(filtered.value[k]) + filtered.bound[k]);
            });
            squares += sum * sum;
            errors += std::pow(error + gamma(one.taps.size()) * magnitude, 2);
        }
        const double length = std::sqrt(squares), error = std::sqrt(errors);
        const double bound =
            error + of_root * (length + error) + std::sqrt(double(problem.gradient.size()) * SMALLEST);
        const bool undecided = std::abs(length - problem.threshold) <= bound;
        const bool kept = undecided || length > problem.threshold;
        truth.value.push_back(kept ? length : 0);
        truth.bound.push_back(kept ? bound : 0);
        truth.or_zero.push_back(undecided);
    }
    return truth;
}

std::vector<float> serial_values(const problem_1d& problem) {
    return convolve_serial(problem);
}

std::vector<float> serial_values(const problem_2d& problem) {
    if (problem.display_scale != 0) {
        problem_2d before = problem;
        const float scale = std::exchange(before.display_scale, 0.0f);
        std::vector<float> out = serial_values(before);
        for (float& value : out)
            value = std::clamp(value * scale, 0.0f, BRIGHTEST);
        return out;
    }
    if (problem.is_volume()) return convolve_serial_volume(problem);
    if (problem.passes > 1) {
        problem_2d next = problem;
        next.passes--;
        problem_2d first = problem;
        first.passes = 1;
        next.in.pixels = convolve_serial(first);
        return serial_values(next);
    }
    if (problem.gradient.empty()) return convolve_serial(problem);
    problem_2d stage = problem;
    stage.gradient.clear();
    stage.in.pixels = convolve_serial(stage);
    std::vector<float> out(problem.in.pixels.size());
    for (const filter& one : problem.gradient) {
        stage.filter = one;
        const std::vector<float> sums = convolve_serial(stage);
        for (size_t k = 0; k < out.size(); k++)
            out[k] += sums[k] * sums[k];
    }
    for (float& value : out) {
        value = std::sqrt(value);
        if (value < problem.threshold) value = 0.0f;
    }
    return out;
}

void find_edges(problem_2d& problem) {
    constexpr size_t SAMPLE = 500;
    constexpr double LEFT_OUT = 2.0 / 3;
    problem.gradient = {sobel_x_filter(), sobel_y_filter()};
    problem.threshold = 0;
    const std::vector<size_t> places = spread_places(problem.in.pixels.size(), SAMPLE);
    std::vector<double> lengths = convolve_cpu(problem, places).value;
    std::ranges::sort(lengths);
    const size_t cut = size_t(double(lengths.size()) * LEFT_OUT);
    // Between two lengths: of that which is the threshold nobody could say on which side it is.
    if (cut > 0) problem.threshold = float((lengths[cut - 1] + lengths[cut]) / 2);
}

}  // namespace check
