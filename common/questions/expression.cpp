// Reads an expression from left to right and computes it on the way.
#include "questions/expression.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace questions {
namespace {

constexpr int DEEPEST = 40;  // brackets and signs inside each other; keeps the stack small

using numbers = std::vector<double>;

struct function {
    size_t arguments;
    double (*value)(const numbers&);
};

const std::map<std::string, function, std::less<>> FUNCTIONS = {
    {"floor", {1, [](const numbers& of) { return std::floor(of[0]); }}},
    {"ceil", {1, [](const numbers& of) { return std::ceil(of[0]); }}},
    {"round", {1, [](const numbers& of) { return std::round(of[0]); }}},
    {"abs", {1, [](const numbers& of) { return std::fabs(of[0]); }}},
    {"sqrt", {1, [](const numbers& of) { return std::sqrt(of[0]); }}},
    {"log2", {1, [](const numbers& of) { return std::log2(of[0]); }}},
    {"min", {2, [](const numbers& of) { return std::min(of[0], of[1]); }}},
    {"max", {2, [](const numbers& of) { return std::max(of[0], of[1]); }}},
    {"mod", {2, [](const numbers& of) { return of[0] - of[1] * std::floor(of[0] / of[1]); }}},
};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Signs of other keyboards, and the blanks that word processors put between digits.
std::string in_ascii(std::string_view text) {
    static const std::pair<std::string_view, std::string_view> SAME[] = {
        {"\u00d7", "*"}, {"\u00b7", "*"},  {"\u22c5", "*"},  {"\u00f7", "/"}, {"\u2212", "-"},
        {"\u2013", "-"}, {"\u00b2", "^2"}, {"\u00b3", "^3"}, {"\u00b5", "u"}, {"\u03bc", "u"},
        {"\u00a0", " "}, {"\u202f", " "},  {"\u2009", " "},  {"\u2019", "'"}, {"\t", " "}};
    std::string result;
    while (!text.empty()) {
        const auto* known = std::find_if(std::begin(SAME), std::end(SAME),
                                         [&](const auto& pair) { return text.starts_with(pair.first); });
        result += known == std::end(SAME) ? text.substr(0, 1) : known->second;
        text.remove_prefix(known == std::end(SAME) ? 1 : known->first.size());
    }
    return result;
}

class reader {
public:
    reader(std::string text, const variables& known) : text_(std::move(text)), known_(known) {}

    double whole() {
        const double result = sum();
        if (next() != '\0') throw std::runtime_error("'" + text_.substr(at_, 20) + "' is too much");
        if (!std::isfinite(result)) throw std::runtime_error("not a finite number");
        return result;
    }

private:
    /// The next character that is no blank, 0 at the end.
    char next() {
        while (at_ < text_.size() && text_[at_] == ' ')
            at_++;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool next_is(char sign) {
        if (next() != sign) return false;
        at_++;
        return true;
    }

    double sum() {
        double result = product();
        for (;;) {
            if (next_is('+'))
                result += product();
            else if (next_is('-'))
                result -= product();
            else
                return result;
        }
    }
    double product() {
        double result = signed_power();
        for (;;) {
            if (next_is('*'))
                result *= signed_power();
            else if (next_is('/'))
                result /= signed_power();
            else if (next() == '(' || is_letter(next()))
                result *= signed_power();
            else
                return result;
        }
    }
    double signed_power() {
        if (++depth_ > DEEPEST) throw std::runtime_error("more than 40 brackets inside each other");
        const double result = next_is('-') ? -signed_power() : next_is('+') ? signed_power() : power();
        depth_--;
        return result;
    }
    double power() {
        double result = one();
        while (next_is('%'))
            result *= 0.01;
        return next_is('^') ? std::pow(result, signed_power()) : result;
    }
    double one() {
        const char first = next();
        if (is_digit(first) || first == '.') return number();
        if (is_letter(first)) return named();
        if (!next_is('('))
            throw std::runtime_error(first == '\0' ? "a number is missing at the end"
                                                   : "no number at '" + text_.substr(at_, 20) + "'");
        const double result = sum();
        close();
        return result;
    }
    void close() {
        if (!next_is(')')) throw std::runtime_error("a ')' is missing");
    }

    bool three_digits_at(size_t at) const {
        for (size_t k = at; k < at + 3; k++)
            if (k >= text_.size() || !is_digit(text_[k])) return false;
        return at + 3 >= text_.size() || !is_digit(text_[at + 3]);
    }
    /// As in 0,75: a comma between digits that divides no groups.
    bool decimal_comma() const {
        return in_function_ == 0 && text_[at_] == ',' && at_ > 0 && is_digit(text_[at_ - 1]) &&
               at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
    }
    void digits(std::string& into) {
        while (at_ < text_.size() && is_digit(text_[at_]))
            into += text_[at_++];
    }
    double number() {
        std::string plain;
        digits(plain);
        const std::string between = in_function_ > 0 ? " '_" : " ,'_";
        const size_t first = plain.size();
        while (!plain.empty() && plain != "0" && at_ < text_.size() &&
               between.find(text_[at_]) != std::string::npos && three_digits_at(at_ + 1)) {
            at_++;
            digits(plain);
        }
        const bool is_one_group = plain.size() == first;
        if (at_ < text_.size() && (text_[at_] == '.' || (is_one_group && decimal_comma()))) {
            plain += '.';
            at_++;
            digits(plain);
        }
        if (plain == ".") throw std::runtime_error("'.' is no number");
        exponent(plain);
        return std::strtod(plain.c_str(), nullptr);
    }
    void exponent(std::string& into) {
        size_t at = at_;
        if (at >= text_.size() || (text_[at] != 'e' && text_[at] != 'E')) return;
        at++;
        if (at < text_.size() && (text_[at] == '-' || text_[at] == '+')) at++;
        if (at >= text_.size() || !is_digit(text_[at])) return;
        into += text_.substr(at_, at - at_);
        at_ = at;
        digits(into);
    }
    double named() {
        const size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
            at_++;
        const std::string name = text_.substr(begin, at_ - begin);
        if (const auto found = known_.find(name); found != known_.end()) return found->second;
        const auto called = FUNCTIONS.find(name);
        if (called == FUNCTIONS.end() || !next_is('('))
            throw std::runtime_error("'" + name.substr(0, 20) + "' is not known here");
        in_function_++;
        numbers arguments{sum()};
        while (next_is(','))
            arguments.push_back(sum());
        close();
        in_function_--;
        if (arguments.size() != called->second.arguments)
            throw std::runtime_error(name + " takes " + std::to_string(called->second.arguments) +
                                     " numbers");
        return called->second.value(arguments);
    }

    const std::string text_;
    const variables& known_;
    size_t at_ = 0;
    int depth_ = 0, in_function_ = 0;
};

}  // namespace

double evaluate(std::string_view text, const variables& known) {
    return reader(in_ascii(text), known).whole();
}

}  // namespace questions
