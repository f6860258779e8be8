// What the counts of a source line mean.
#include "inspect/report/report_meaning.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace inspect {

namespace {

constexpr uint32_t SECTOR_BYTES = 32, BANKS = 32;
constexpr double NOTABLE = 1.02;  // a cost that is this much above the best is worth a reason

/// "6", "4.5": at most two decimals, none that say nothing.
std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    std::string digits = text;
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits;
}

/// Lanes that take part, with the bytes where they read or write.
struct lane_access {
    uint32_t lane, offset;
};

std::vector<lane_access> active_lanes(const request_sample& sample) {
    std::vector<lane_access> lanes;
    for (uint32_t lane = 0; lane < sample.offsets.size(); lane++) {
        if (sample.mask >> lane & 1) lanes.push_back({lane, sample.offsets[lane]});
    }
    return lanes;
}

/// Runs of lanes that lie side by side in memory: their first bytes and lengths.
struct run {
    uint32_t begin, lanes;
};

std::vector<run> runs_of(const std::vector<lane_access>& lanes, uint32_t bytes) {
    std::vector<run> runs;
    for (size_t k = 0; k < lanes.size(); k++) {
        const bool follows = k > 0 && lanes[k].offset == lanes[k - 1].offset + bytes;
        if (follows)
            runs.back().lanes++;
        else
            runs.push_back({lanes[k].offset, 1});
    }
    return runs;
}

/// The distance in bytes from each lane to the next, if it is the same for all; else 0.
int64_t stride_of(const std::vector<lane_access>& lanes) {
    if (lanes.size() < 2) return 0;
    const int64_t stride = int64_t(lanes[1].offset) - lanes[0].offset;
    for (size_t k = 1; k < lanes.size(); k++) {
        if (int64_t(lanes[k].offset) - lanes[k - 1].offset != stride) return 0;
    }
    return stride;
}

bool all_alike(const std::vector<lane_access>& lanes) {
    return std::all_of(lanes.begin(), lanes.end(),
                       [&](const lane_access& one) { return one.offset == lanes.front().offset; });
}

/// The most lanes that want the same element.
size_t most_alike(const std::vector<lane_access>& lanes) {
    size_t most = 0;
    for (const lane_access& lane : lanes)
        most = std::max<size_t>(most, std::count_if(lanes.begin(), lanes.end(), [&](const lane_access& one) {
                                    return one.offset == lane.offset;
                                }));
    return most;
}

std::string reason_of_sectors(const request_sample& sample) {
    const std::vector<lane_access> lanes = active_lanes(sample);
    const uint32_t bytes = std::max(1u, sample.access_bytes);
    if (sample.direction == "atomic" && most_alike(lanes) > 1)
        return std::to_string(most_alike(lanes)) + " of its threads change the same word, one after another";
    if (lanes.size() == 1) return "one thread asks alone, and takes a sector for itself";
    const std::vector<run> runs = runs_of(lanes, bytes);
    const bool mid_sector =
        std::any_of(runs.begin(), runs.end(), [](const run& one) { return one.begin % SECTOR_BYTES != 0; });
    if (runs.size() == 1) {
        return "its " + std::to_string(lanes.size()) + "-wide row starts mid-sector, " +
               std::to_string(runs[0].begin % SECTOR_BYTES) + " bytes in";
    }
    const int64_t stride = stride_of(lanes);
    if (stride != 0) return "neighbouring threads are " + number(double(stride) / bytes) + " elements apart";
    const uint32_t longest = std::max_element(runs.begin(), runs.end(), [](const run& a, const run& b) {
                                 return a.lanes < b.lanes;
                             })->lanes;
    if (longest == 1) return "no two neighbouring threads are neighbours in memory";
    return "its " + std::to_string(longest) + "-wide rows " +
           (mid_sector ? "start mid-sector" : "leave sectors half used");
}

/// The bank that most different words are wanted from, and two lanes that meet there.
std::string reason_of_conflicts(const request_sample& sample) {
    const std::vector<int> passes = bank_passes(sample);
    for (uint32_t lane = 0; lane < passes.size(); lane++) {
        if (passes[lane] < 1) continue;
        const uint32_t word = sample.offsets[lane] / 4;
        for (uint32_t other = 0; other < lane; other++) {
            if (passes[other] != 0 || sample.offsets[other] / 4 % BANKS != word % BANKS) continue;
            const int64_t apart = int64_t(word) - int64_t(sample.offsets[other] / 4);
            return "threads " + std::to_string(other) + " and " + std::to_string(lane) +
                   " of the warp want different words of bank " + std::to_string(word % BANKS) + ", " +
                   std::to_string(apart < 0 ? -apart : apart) + " words apart";
        }
    }
    return "";
}

std::string with_reason(const std::string& cost, const std::string& reason) {
    return reason.empty() ? cost : cost + ": " + reason;
}

std::string meaning_of_sectors(const line_traffic& line, const request_sample* sample) {
    const double requests = double(line.seen.requests), cost = line.seen.sectors / requests,
                 best = line.seen.ideal / requests;
    const double lanes = double(line.seen.lanes) / requests;
    const std::string sectors = number(cost) + (cost == 1.0 ? " sector" : " sectors");
    if (cost > NOTABLE * best) {
        return with_reason(
            "each warp asks for " + number(cost) + " sectors where " + number(best) + " would do",
            sample ? reason_of_sectors(*sample) : "");
    }
    const bool one_address = sample && lanes > 1.5 && cost == 1.0 && all_alike(active_lanes(*sample));
    if (one_address) return "all threads of a warp ask for the same address: 1 sector";
    if (lanes < 1.5) {
        return "one thread of a warp at a time: " + sectors + " for it alone";
    }
    return "each warp asks for " + sectors + ", as few as its " + number(double(line.seen.bytes) / requests) +
           " bytes take";
}

std::string meaning_of_wavefronts(const line_traffic& line, const request_sample* sample) {
    const double requests = double(line.seen.requests), cost = line.seen.wavefronts / requests,
                 best = line.seen.ideal / requests;
    if (line.seen.conflicts() == 0)
        return "no bank conflicts: " + number(cost) + (cost == 1.0 ? " pass" : " passes") + " a request";
    return with_reason(
        "each request takes " + number(cost) + " passes over the banks where " + number(best) + " would do",
        sample ? reason_of_conflicts(*sample) : "");
}

}  // namespace

std::vector<int> bank_passes(const request_sample& sample) {
    std::vector<int> passes(sample.offsets.size(), -1);
    std::map<uint32_t, std::vector<uint32_t>> wanted;  // words of a bank, in the order of the lanes
    for (uint32_t lane = 0; lane < sample.offsets.size(); lane++) {
        if (!(sample.mask >> lane & 1)) continue;
        const uint32_t word = sample.offsets[lane] / 4;
        std::vector<uint32_t>& words = wanted[word % BANKS];
        const auto known = std::find(words.begin(), words.end(), word);
        passes[lane] = int(known - words.begin());
        if (known == words.end()) words.push_back(word);
    }
    return passes;
}

const request_sample* sample_of(const sketch& drawn, const line_traffic& line) {
    for (const request_sample& one : drawn.samples) {
        const bool same_place = one.file == line.file && one.line == line.line && one.column == line.column;
        if (same_place && one.space == line.space && one.direction == line.direction &&
            one.variable == line.variable)
            return &one;
    }
    return nullptr;
}

std::string meaning(const line_traffic& line, const request_sample* sample) {
    if (line.seen.requests == 0) return "";
    if (line.space == "global") return meaning_of_sectors(line, sample);
    if (line.space == "shared") return meaning_of_wavefronts(line, sample);
    if (line.space == "texture") return "fetched by the texture unit, whose addresses are not seen here";
    const double addresses = line.seen.wavefronts_per_request();
    if (addresses == 1.0) return "one address for the whole warp: a broadcast";
    return "the threads of a warp read " + number(addresses) +
           " addresses, one after the other: no broadcast";
}

}  // namespace inspect
