// Files of ours, in which somebody else's words stand.
#include "report/bounded_json.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "call/plain_text.h"

namespace report {
namespace {

constexpr size_t LARGEST_REPORT = 1'000'000;  // bytes; a judge's longest has some 50 kB

/// Every byte that belongs to no character becomes U+FFFD.
std::string valid_utf8(std::string_view text) {
    std::string valid;
    while (!text.empty()) {
        const size_t length = check::character_length(text);
        valid += length == 0 ? "\ufffd" : text.substr(0, length);
        text.remove_prefix(std::max<size_t>(length, 1));
    }
    return valid;
}

std::string read_text(const std::filesystem::path& file) {
    if (!std::filesystem::is_regular_file(file)) throw std::runtime_error("is no file");
    std::ifstream in(file, std::ios::binary);
    std::string text(LARGEST_REPORT + 1, '\0');
    in.read(text.data(), std::streamsize(text.size()));
    if (in.bad() || !in.is_open()) throw std::runtime_error("cannot be read");
    text.resize(size_t(in.gcount()));
    if (text.size() > LARGEST_REPORT) throw std::runtime_error("is larger than 1 MB");
    return text;
}

}  // namespace

nlohmann::json read_json(const std::filesystem::path& file) {
    return nlohmann::json::parse(valid_utf8(read_text(file)));
}

double number(const nlohmann::json& from, const char* key, double least, double most) {
    const nlohmann::json& value = from.at(key);
    if (!value.is_number()) throw std::runtime_error(std::string(key) + " is not a number");
    const double number = value.get<double>();
    if (!(number >= least && number <= most)) {
        throw std::runtime_error(std::string(key) + " is " + value.dump() + ", not " +
                                 nlohmann::json(least).dump() + " to " + nlohmann::json(most).dump());
    }
    return number;
}

std::string cut(const std::string& text, size_t most) {
    if (text.size() <= most) return text;
    size_t end = 0;
    while (true) {
        const size_t length =
            std::max<size_t>(check::character_length(std::string_view(text).substr(end)), 1);
        if (end + length > most) return text.substr(0, end) + " [cut]";
        end += length;
    }
}

std::string optional_text(const nlohmann::json& from, const char* key, size_t most) {
    return from.contains(key) ? cut(from.at(key).get<std::string>(), most) : "";
}

}  // namespace report
