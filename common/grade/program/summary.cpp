// Tables of text.
#include "grade/program/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "report/escape.h"
#include "report/words.h"

namespace grade {

namespace {

constexpr size_t TENTHS = 11;  // 0 to 9, 10 to 19, ..., 100
constexpr size_t WIDEST = 50;

struct lab_counts {
    std::array<size_t, TENTHS> judged{};
    std::map<std::string, size_t> states;
};

size_t tenth_of(const report::graded_lab& lab) {
    const double share = lab.of > 0 ? lab.points / lab.of : 0;
    return std::min(TENTHS - 1, size_t(std::floor((TENTHS - 1) * share + 1e-9)));
}

std::string padded(const std::string& text, size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string histogram(const lab_counts& counts) {
    const size_t highest = *std::max_element(counts.judged.begin(), counts.judged.end());
    const size_t a_mark = highest / WIDEST + 1;
    std::string text;
    for (size_t k = 0; k < TENTHS && highest > 0; k++) {
        const size_t count = counts.judged[k];
        const std::string to = k + 1 < TENTHS ? "-" + std::to_string(10 * k + 9) : "";
        const std::string bar((count + a_mark - 1) / a_mark, '#');
        text += "  " + padded(std::to_string(10 * k) + to, 5) + padded(std::to_string(count), 6) +
                (bar.empty() ? "" : "  " + bar) + "\n";
    }
    return text;
}

/// "5 checked, 1 does_not_build"
std::string list_of(const std::map<std::string, size_t>& states) {
    std::string text;
    for (const auto& [state, count] : states)
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + state;
    return text;
}

}  // namespace

std::string summary(const std::vector<row>& rows) {
    std::map<std::string, lab_counts> labs;
    std::string look;
    size_t to_look_at = 0;
    for (const row& one : rows) {
        lab_counts& counts = labs[one.result.lab];
        counts.states[one.result.state]++;
        if (one.result.state == "checked") counts.judged[tenth_of(one.result)]++;
        if (one.look.empty()) continue;
        to_look_at++;
        look += "  " + report::visible(one.result.student, false) + ", lab " +
                report::lab_number(one.result.lab) + ": " + report::visible(one.look, false) + "\n";
    }
    std::string text;
    for (const auto& [lab, counts] : labs)
        text += lab + ": " + list_of(counts.states) + "\n" + histogram(counts);
    if (to_look_at > 0) text += "for a person to look at:\n" + look;
    return text;
}

}  // namespace grade
