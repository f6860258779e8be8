// Sums over reports.
#include "inspect/report/report.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace inspect {

traffic& traffic::operator+=(const traffic& other) {
    lanes += other.lanes;
    bytes += other.bytes;
    requests += other.requests;
    sectors += other.sectors;
    wavefronts += other.wavefronts;
    ideal += other.ideal;
    worst = std::max(worst, other.worst);
    return *this;
}

double traffic::sectors_per_request() const {
    return requests == 0 ? 0.0 : static_cast<double>(sectors) / static_cast<double>(requests);
}

double traffic::wavefronts_per_request() const {
    return requests == 0 ? 0.0 : static_cast<double>(wavefronts) / static_cast<double>(requests);
}

memory_traffic& memory_traffic::operator+=(const memory_traffic& other) {
    loads += other.loads;
    stores += other.stores;
    atomics += other.atomics;
    return *this;
}

counts& counts::operator+=(const counts& other) {
    global += other.global;
    shared += other.shared;
    constant += other.constant;
    texture += other.texture;
    matrix_products += other.matrix_products;
    return *this;
}

counts report::total() const {
    counts sum;
    for (const launch& one : launches)
        sum += one.total;
    return sum;
}

memory_traffic report::of(const std::string& variable) const {
    memory_traffic sum;
    for (const launch& one : launches) {
        for (const variable_traffic& seen : one.variables) {
            if (seen.name == variable) sum += seen.seen;
        }
    }
    return sum;
}

traffic report::constant_of(uint64_t bytes) const {
    traffic sum;
    for (const launch& one : launches) {
        for (const variable_traffic& seen : one.variables) {
            if (seen.space == "constant" && seen.bytes >= bytes) sum += seen.seen.loads;
        }
    }
    return sum;
}

const guessed_array* report::guess_of(const std::string& variable) const {
    const auto is_it = [&](const guessed_array& one) { return one.name == variable; };
    const auto found = std::find_if(guesses.begin(), guesses.end(), is_it);
    return found == guesses.end() ? nullptr : &*found;
}

bool report::clean() const {
    return std::none_of(findings.begin(), findings.end(), [](const finding& one) { return one.is_error; });
}

std::vector<line_traffic> report::lines() const {
    std::vector<const launch*> all;
    for (const launch& one : launches)
        all.push_back(&one);
    return merged_lines(all);
}

std::vector<std::vector<const launch*>> report::launches_alike() const {
    std::vector<std::vector<const launch*>> groups;
    for (const launch& one : launches) {
        const auto is_like_it = [&](const auto& group) {
            return one.kernel == group[0]->kernel && std::equal(one.block, one.block + 3, group[0]->block) &&
                   one.static_shared == group[0]->static_shared &&
                   one.dynamic_shared == group[0]->dynamic_shared;
        };
        const auto known = std::find_if(groups.begin(), groups.end(), is_like_it);
        if (known == groups.end())
            groups.push_back({&one});
        else
            known->push_back(&one);
    }
    return groups;
}

std::vector<line_traffic> merged_lines(const std::vector<const launch*>& launches) {
    using identity = std::tuple<std::string, int, int, std::string, std::string, std::string, unsigned>;
    std::map<identity, line_traffic> merged;
    for (const launch* one : launches) {
        for (const line_traffic& line : one->lines) {
            const identity what = {line.file,      line.line,     line.column,      line.space,
                                   line.direction, line.variable, line.access_bytes};
            const auto [place, is_new] = merged.try_emplace(what, line);
            if (!is_new) place->second.seen += line.seen;
        }
    }
    std::vector<line_traffic> result;
    for (auto& [what, line] : merged)
        result.push_back(std::move(line));
    return result;
}

}  // namespace inspect
