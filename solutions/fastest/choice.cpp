// Which method serves a filter best.
#include "choice.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>

namespace fastest {

namespace {

/// Without measurements. On an H200 nothing beats float arithmetic on a few taps, the matrix units win from 7 x 7 on and the
/// FFT from about 63 x 63 on; a filter that is one column times one row is as fast as a copy up to 17 x 17.
std::vector<std::string> rule(const problem& size) {
    constexpr int FEW_TAPS = 6 * 6, MANY_TAPS = 61 * 61;
    const int taps = size.filter_width * size.filter_height;
    if (taps <= FEW_TAPS) return {"streaming", "separable", "tensor", "fft", "plain"};
    if (taps <= MANY_TAPS) return {"separable", "tensor", "streaming", "fft", "plain"};
    return {"separable", "fft", "tensor", "streaming", "plain"};
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::stringstream rest(line);
    for (std::string cell; std::getline(rest, cell, ',');)
        cells.push_back(cell);
    return cells;
}

double pixels(const problem& size) {
    return double(size.width) * size.height;
}

/// How far the measured images are from those asked for, in size and in number, then how many taps their filter has, and
/// whether it was more accurate than asked for.
std::tuple<double, double, bool> distance(const problem& measured, const problem& size) {
    return {std::fabs(std::log(pixels(measured) / pixels(size))) +
                std::fabs(std::log(double(measured.images) / size.images)),
            double(measured.filter_width) * measured.filter_height, measured.wanted != size.wanted};
}

}  // namespace

bool is_accurate(const problem& size, double error, double loop_error) {
    constexpr double NOISE = 1.01;  // the same sums, contracted otherwise by the compiler, differ by less
    return size.wanted == accuracy::halves || error <= NOISE * loop_error;
}

std::vector<measured_time> read_times(std::istream& in) {
    std::vector<measured_time> times;
    std::vector<std::string> names;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        number++;
        if (line.empty() || line[0] == '#') continue;
        const std::vector<std::string> cells = cells_of(line);
        if (names.empty()) {
            names = cells;
            continue;
        }
        const auto cell = [&](const std::string& name) -> const std::string& {
            const auto at = size_t(std::find(names.begin(), names.end(), name) - names.begin());
            if (at >= cells.size())
                throw std::runtime_error("line " + std::to_string(number) + ": no " + name);
            return cells[at];
        };
        const auto value = [&](const std::string& name) {
            const std::string& text = cell(name);
            char* end = nullptr;
            const double read = std::strtod(text.c_str(), &end);
            if (text.empty() || *end != '\0')
                throw std::runtime_error("line " + std::to_string(number) + ": " + name + " is \"" + text +
                                         "\"");
            return read;
        };
        measured_time one{cell("method"), {}, value("kernel_ms")};
        one.size = {int(value("width")), int(value("height")), int(value("filter_width")),
                    int(value("filter_height"))};
        one.size.images = int(value("images"));
        one.size.wanted = cell("accuracy") == "halves" ? accuracy::halves : accuracy::floats;
        if (is_accurate(one.size, value("error"), value("loop_error"))) times.push_back(one);
    }
    return times;
}

std::vector<std::string> ranked_methods(const problem& size, const std::vector<measured_time>& measured) {
    std::map<std::string, const measured_time*> nearest;
    for (const measured_time& one : measured) {
        const bool covers =
            one.size.filter_width >= size.filter_width && one.size.filter_height >= size.filter_height;
        if (!covers || (one.size.wanted == accuracy::halves && size.wanted == accuracy::floats)) continue;
        const measured_time*& best = nearest[one.method];
        if (best == nullptr || distance(one.size, size) < distance(best->size, size)) best = &one;
    }
    std::vector<std::string> names = rule(size);
    const auto ms_of = [&](const std::string& name) {
        const auto found = nearest.find(name);
        if (found == nearest.end()) return std::numeric_limits<double>::infinity();
        return found->second->ms / pixels(found->second->size);
    };
    std::stable_sort(names.begin(), names.end(),
                     [&](const std::string& a, const std::string& b) { return ms_of(a) < ms_of(b); });
    return names;
}

}  // namespace fastest
