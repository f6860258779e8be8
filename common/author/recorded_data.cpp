// Finds files by the short names of texts, and in them the row that a reference means.
#include "author/recorded_data.h"

#include <algorithm>
#include <cstdio>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "author/regions.h"

namespace author {
namespace {

constexpr const char* RECORDED_GPU = "measurements/nvidia-h200";  // the one that the handouts speak of
constexpr const char* SEVERAL = "-x4";                            // of them, in one host

/// "512x256" -> 512 and 256
std::pair<std::string, std::string> sides_of(const std::string& size) {
    const size_t cross = size.find('x');
    return {size.substr(0, cross), size.substr(cross + 1)};
}

std::string image_of(const reference& wanted) {
    if (!wanted.image.empty()) return wanted.image;
    return wanted.filter.ends_with("x1") ? "16777216x1" : "4096x4096";
}

bool fits(const csv_row& row, const std::map<std::string, std::string>& conditions) {
    return std::all_of(conditions.begin(), conditions.end(),
                       [&](const auto& one) { return cell(row, one.first) == one.second; });
}

constexpr std::string_view SUM = "sum_";

double sum_of(const std::vector<csv_row>& rows, const std::map<std::string, std::string>& conditions,
              const std::string& column) {
    double sum = 0;
    for (const csv_row& row : rows)
        if (fits(row, conditions) && !cell(row, column).empty()) sum += std::stod(cell(row, column));
    return sum;
}

/// What the row must say, the defaults of a method's times included.
std::map<std::string, std::string> conditions_of(const reference& wanted) {
    std::map<std::string, std::string> all = wanted.conditions;
    const auto also = [&](const std::string& size, const std::string& prefix) {
        const auto [width, height] = sides_of(size);
        all.insert({{prefix + "width", width}, {prefix + "height", height}});
    };
    if (!wanted.filter.empty()) also(wanted.filter, "filter_");
    if (wanted.method.empty()) return all;
    also(image_of(wanted), "");
    all.insert({{"method", wanted.method}, {"channels", "1"}});
    return all;
}

std::string written_as(const reference& wanted) {
    std::string text = wanted.file + (wanted.method.empty() ? "" : ":" + wanted.method);
    for (const auto& [column, wished] : conditions_of(wanted))
        text += " " + column + "=" + wished;
    return text;
}

}  // namespace

reference read_reference(const std::string& word) {
    static const std::regex whole(
        R"(([^:\[\]]+?)(:(\w+))?(@(\d+x\d+))?(\((\d+x\d+)\))?(\[([^\]]*)\])?(\.(\w+))?)");
    static const std::regex condition(R"((\w+)=([^,]*))");
    std::smatch part;
    const bool reads = std::regex_match(word, part, whole);
    if (!reads || (!part[2].matched && !part[8].matched))
        throw std::runtime_error("'" + word +
                                 "' in a text: must be FILE:METHOD(FILTER) or FILE[COLUMN=..].COLUMN");
    reference read{part[1], part[3], part[5], part[7], part[10].matched ? part[11].str() : "kernel_ms", {}};
    const std::string conditions = part[9];
    for (std::sregex_iterator one(conditions.begin(), conditions.end(), condition), end; one != end; ++one)
        read.conditions[(*one)[1]] = (*one)[2];
    return read;
}

const std::vector<csv_row>& recorded_data::rows(const std::string& file) {
    const auto known = read_.find(file);
    if (known != read_.end()) return known->second;
    const std::filesystem::path folder = root_ / RECORDED_GPU;
    std::filesystem::path path =
        file.find('/') == std::string::npos ? folder / (file + ".csv") : root_ / (file + ".csv");
    static const std::regex short_name(R"((\d\d)(\.\w+)*)");
    if (std::regex_match(file, short_name) && std::filesystem::is_directory(folder))
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const std::string name = entry.path().filename().string();
            if (name.starts_with(file.substr(0, 2) + "_") &&
                name.substr(std::min(name.size(), name.find('.'))) == file.substr(2) + ".csv")
                path = entry.path();
        }
    const std::filesystem::path of_several = folder.string() + SEVERAL + "/" + path.filename().string();
    if (!std::filesystem::exists(path) && path.parent_path() == folder && std::filesystem::exists(of_several))
        path = of_several;
    if (!std::filesystem::exists(path)) throw not_recorded(path.string());
    return read_[file] = rows_of(read_text(path));
}

double recorded_data::value(const reference& wanted) {
    const auto& all = rows(wanted.file);
    if (!wanted.method.empty() && std::none_of(all.begin(), all.end(), [&](const csv_row& row) {
            return cell(row, "method") == wanted.method;
        }))
        throw std::runtime_error(wanted.file + " has no method '" + wanted.method + "'");
    const std::map<std::string, std::string> conditions = conditions_of(wanted);
    if (wanted.column == "rows")
        return double(
            std::count_if(all.begin(), all.end(), [&](const csv_row& row) { return fits(row, conditions); }));
    if (wanted.column.starts_with(SUM)) return sum_of(all, conditions, wanted.column.substr(SUM.size()));
    std::set<std::string> found;
    for (const csv_row& row : all)
        if (fits(row, conditions) && !cell(row, wanted.column).empty())
            found.insert(cell(row, wanted.column));
    if (found.empty()) throw not_recorded(written_as(wanted));
    if (found.size() > 1) throw std::runtime_error("several rows fit " + written_as(wanted));
    return std::stod(*found.begin());
}

std::vector<std::string> recorded_data::filters(const reference& wanted) {
    std::map<std::string, std::map<std::string, std::string>> conditions;  // of each filter
    std::set<std::pair<int, std::string>> found;                           // by the number of taps
    for (const csv_row& row : rows(wanted.file)) {
        reference one = wanted;
        const std::string &width = cell(row, "filter_width"), &height = cell(row, "filter_height");
        one.filter = width + "x" + height;
        const auto [known, is_new] = conditions.try_emplace(one.filter);
        if (is_new) known->second = conditions_of(one);
        if (fits(row, known->second)) found.emplace(std::stoi(width) * std::stoi(height), one.filter);
    }
    std::vector<std::string> names;
    for (const auto& one : found)
        names.push_back(one.second);
    return names;
}

}  // namespace author
