// Adds up launches, and tells of the sums.
#include "inspect/program/by_kernel.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace inspect {
namespace {

/// Both are of one kernel. Lines and variables stay apart.
void add(launch& sum, const launch& more) {
    sum.inspected_blocks += more.inspected_blocks;
    sum.total += more.total;
    sum.lines.insert(sum.lines.end(), more.lines.begin(), more.lines.end());
    sum.variables.insert(sum.variables.end(), more.variables.begin(), more.variables.end());
}

/// Each line and each variable once.
void merge(launch& sum) {
    report alone;
    alone.launches.push_back(sum);
    sum.lines = alone.lines();
    std::map<std::pair<std::string, std::string>, memory_traffic> seen;
    for (const variable_traffic& one : sum.variables)
        seen[{one.name, one.space}] += one.seen;
    sum.variables.clear();
    for (const auto& [what, traffic] : seen)
        sum.variables.push_back({what.first, what.second, traffic});
}

/// A text as a field of CSV.
std::string field(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

/// "16x16x1"
std::string shape(const unsigned (&sizes)[3]) {
    return std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "x" + std::to_string(sizes[2]);
}

}  // namespace

kernel_report by_kernel(const report& what) {
    using identity = std::tuple<std::string, std::string, std::string, uint64_t>;
    std::map<identity, size_t> places;
    kernel_report result;
    result.seen = what;
    auto& sums = result.seen.launches;
    sums.clear();
    for (const launch& one : what.launches) {
        const identity same = {one.kernel, shape(one.grid), shape(one.block), one.dynamic_shared};
        const auto [place, is_new] = places.emplace(same, sums.size());
        if (is_new) {
            sums.push_back(one);
            result.times.push_back(0);
        } else {
            add(sums[place->second], one);
        }
        result.times[place->second]++;
    }
    for (launch& sum : sums)
        merge(sum);
    return result;
}

std::string to_text(const kernel_report& what) {
    report told = what.seen;
    for (size_t i = 0; i < what.times.size(); i++) {
        if (what.times[i] > 1) told.launches[i].kernel += ", " + std::to_string(what.times[i]) + " launches";
    }
    return to_text(told);
}

std::string to_json(const kernel_report& what) {
    nlohmann::json told = nlohmann::json::parse(to_json(what.seen));
    for (size_t i = 0; i < what.times.size(); i++)
        told["launches"][i]["times"] = what.times[i];
    return told.dump(1, ' ') + "\n";
}

std::string to_csv(const kernel_report& what) {
    std::string text =
        "kernel,launches,grid,block,file,line,column,space,direction,variable,access_bytes,accesses,bytes,"
        "requests,sectors,wavefronts,ideal,worst\n";
    for (size_t i = 0; i < what.times.size(); i++) {
        const launch& sum = what.seen.launches[i];
        const std::string kernel = field(sum.kernel) + "," + std::to_string(what.times[i]) + "," +
                                   shape(sum.grid) + "," + shape(sum.block);
        for (const line_traffic& one : sum.lines) {
            text += kernel;
            for (const std::string& word : {one.file, std::to_string(one.line), std::to_string(one.column),
                                            one.space, one.direction, one.variable})
                text += "," + field(word);
            for (const uint64_t number :
                 {uint64_t{one.access_bytes}, one.seen.lanes, one.seen.bytes, one.seen.requests,
                  one.seen.sectors, one.seen.wavefronts, one.seen.ideal, one.seen.worst})
                text += "," + std::to_string(number);
            text += "\n";
        }
    }
    return text;
}

}  // namespace inspect
