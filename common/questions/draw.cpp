// Draws by a hash of names, so that everybody gets the same numbers again.
#include "questions/draw.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "questions/text.h"

namespace questions {
namespace {

constexpr int POINTS = 16;  // at which formulas are compared

variables draw(const std::string& seed, const std::vector<drawn>& from) {
    variables result;
    for (const drawn& one : from)
        result[one.name] = one.values[hash_of(seed + "/" + one.name) % one.values.size()];
    return result;
}

/// The text with `put(inside)` in place of every {inside}.
template <class Put>
std::string replaced(const std::string& text, const Put& put) {
    std::string result;
    for (size_t at = 0; at < text.size();) {
        const size_t open = std::min(text.find('{', at), text.size());
        result += text.substr(at, open - at);
        if (open == text.size()) break;
        const size_t close = text.find('}', open);
        if (close == std::string::npos) throw std::runtime_error("a '}' is missing in a question's text");
        result += put(text.substr(open + 1, close - open - 1));
        at = close + 1;
    }
    return result;
}

}  // namespace

std::string plain_name(const std::string& name) {
    std::istringstream words(name);
    std::string word, result;
    while (words >> word)
        result += (result.empty() ? "" : " ") + word;
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return c < 128 ? char(std::tolower(c)) : char(c); });
    return result;
}

uint64_t hash_of(const std::string& text) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const unsigned char c : text)
        hash = (hash ^ c) * 0x100000001b3u;
    // The low bits of FNV follow those of the text; these do not (splitmix64's last steps).
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

int variants(const question& which) {
    return which.draw.empty() && which.what != asks_for::letter ? 1 : VARIANTS;
}

int variant_of(const question& which, const std::string& name) {
    return int(hash_of(plain_name(name) + "\n" + which.id) % uint64_t(variants(which)));
}

variables numbers_of(const question& which, int variant) {
    variables numbers = draw(which.id + "/" + std::to_string(variant), which.draw);
    for (const auto& [name, value] : which.let)
        numbers[name] = evaluate(value, numbers);
    return numbers;
}

std::vector<variables> points_of(const question& which) {
    std::vector<variables> points;
    for (int k = 0; k < POINTS; k++)
        points.push_back(draw(which.id + "/point " + std::to_string(k), which.at));
    return points;
}

std::vector<std::string> options_of(const question& which, int variant) {
    std::vector<std::string> order = which.options;
    const std::string seed = which.id + "/" + std::to_string(variant) + "/";
    std::sort(order.begin(), order.end(), [&](const std::string& one, const std::string& other) {
        return hash_of(seed + one) < hash_of(seed + other);
    });
    return order;
}

std::string text_with_numbers(const std::string& text, const variables& numbers) {
    return replaced(text, [&](const std::string& inside) {
        const double value = evaluate(inside, numbers);
        return written(value, value == std::floor(value) ? "%.0f" : "%.6g");
    });
}

std::string text_with_names(const std::string& text) {
    return replaced(text, [](const std::string& inside) { return "`" + inside + "`"; });
}

}  // namespace questions
