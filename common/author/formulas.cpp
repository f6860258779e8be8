// Reads formulas from left to right, the filters behind "for" first.
#include "author/formulas.h"

#include <cstdio>
#include <regex>
#include <stdexcept>

namespace author {
namespace {

/// Words divided by spaces; those in square brackets divide nothing.
std::vector<std::string> split_at_blanks(const std::string& text) {
    std::vector<std::string> words;
    bool inside = false, between = true;
    for (const char c : text) {
        inside = c == '[' || (inside && c != ']');
        if (!inside && (c == ' ' || c == '\n')) {
            between = true;
            continue;
        }
        if (between) words.emplace_back();
        between = false;
        words.back() += c;
    }
    return words;
}

bool is_number(const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789.e") == std::string::npos;
}

bool is_sign(const std::string& word) {
    return word.size() == 1 && std::string("+-*/()").find(word) != std::string::npos;
}

/// One formula, computed for one filter.
class formula_reader {
public:
    formula_reader(const std::vector<std::string>& words, const std::string& filter, recorded_data& data)
        : words_(words), filter_(filter), data_(data) {}

    double whole() {
        const double result = sum();
        if (at_ != words_.size()) throw std::runtime_error("'" + words_[at_] + "' in a formula is too much");
        return result;
    }

private:
    bool next_is(const std::string& sign) {
        if (at_ == words_.size() || words_[at_] != sign) return false;
        at_++;
        return true;
    }
    double sum() {
        double result = product();
        for (;;) {
            if (next_is("+"))
                result += product();
            else if (next_is("-"))
                result -= product();
            else
                return result;
        }
    }
    double product() {
        double result = one();
        for (;;) {
            if (next_is("*"))
                result *= one();
            else if (next_is("/"))
                result /= one();
            else
                return result;
        }
    }
    double one() {
        if (next_is("(")) {
            const double result = sum();
            if (!next_is(")")) throw std::runtime_error("a formula lacks a ')'");
            return result;
        }
        if (at_ == words_.size() || is_sign(words_[at_]))
            throw std::runtime_error("a formula lacks a number");
        const std::string& word = words_[at_++];
        if (is_number(word)) return std::stod(word);
        reference wanted = read_reference(word);
        if (wanted.filter.empty() && !wanted.method.empty()) wanted.filter = filter_;
        return data_.value(wanted);
    }

    const std::vector<std::string>& words_;
    const std::string& filter_;
    recorded_data& data_;
    size_t at_ = 0;
};

struct range {
    int width[2], height[2];
    bool squares;

    bool has(const std::string& filter) const {
        int w = 0, h = 0;
        std::sscanf(filter.c_str(), "%dx%d", &w, &h);
        return w >= width[0] && w <= width[1] && h >= height[0] && h <= height[1] && (!squares || w == h);
    }
};

/// The recorded filters that "all" or "3x3..9x9" means for a formula.
std::vector<std::string> recorded_filters(const std::string& which, const std::vector<std::string>& words,
                                          recorded_data& data) {
    range asked{{0, 1 << 20}, {0, 1 << 20}, false};
    if (which != "all") {
        const int read = std::sscanf(which.c_str(), "%dx%d..%dx%d", &asked.width[0], &asked.height[0],
                                     &asked.width[1], &asked.height[1]);
        if (read != 4) throw std::runtime_error("'for " + which + "' in a formula cannot be read");
        asked.squares = asked.width[0] == asked.height[0] && asked.width[1] == asked.height[1];
    }
    for (const std::string& word : words) {
        if (is_number(word) || is_sign(word)) continue;
        reference wanted = read_reference(word);
        if (wanted.method.empty() || !wanted.filter.empty()) continue;
        std::vector<std::string> found;
        for (const std::string& filter : data.filters(wanted))
            if (asked.has(filter)) found.push_back(filter);
        return found;
    }
    throw std::runtime_error("a formula 'for " + which + "' needs a method without a filter");
}

}  // namespace

std::vector<double> values_of(const std::string& formula, recorded_data& data) {
    static const std::regex parts(R"(([^]*?)\s+for\s+(\S+)\s*)"), size(R"(\d+x\d+)");
    std::smatch split;
    const bool several = std::regex_match(formula, split, parts);
    const std::vector<std::string> words = split_at_blanks(several ? split[1].str() : formula);
    const std::string which = several ? split[2].str() : "";
    if (!several) return {formula_reader(words, "", data).whole()};
    const bool listed = which != "all" && which.find("..") == std::string::npos;
    std::vector<std::string> filters;
    if (listed)
        for (std::sregex_iterator one(which.begin(), which.end(), size), end; one != end; ++one)
            filters.push_back(one->str());
    else
        filters = recorded_filters(which, words, data);
    std::vector<double> values;
    for (const std::string& filter : filters)
        try {
            values.push_back(formula_reader(words, filter, data).whole());
        } catch (const not_recorded&) {
            if (listed) throw;
        }
    if (values.empty()) throw not_recorded(formula);
    return values;
}

}  // namespace author
