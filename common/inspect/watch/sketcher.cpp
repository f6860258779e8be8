// Records what pictures are drawn from.
#include "inspect/watch/sketcher.h"

#include <algorithm>
#include <tuple>

#include "inspect/watch/requests.h"

namespace inspect {

namespace {

constexpr size_t MOST_ELEMENTS = 1 << 20;  // of one array: a picture of more shows nothing

}  // namespace

void sketcher::request(uint32_t key, uint32_t variable, uint32_t mask, const uint32_t* offsets,
                       uint64_t block, uint32_t warp) {
    traffic alone;
    count_request(alone, key, mask, offsets, costs_);
    sample one{block, warp, mask, static_cast<uint32_t>(alone.worst), {}};
    std::copy(offsets, offsets + LANES, one.offsets);
    keep(key, variable, one);
    if (space_of(key) == space::global && variable != 0)
        count_elements(key, variable, mask, offsets, block, warp);
}

void sketcher::count_elements(uint32_t key, uint32_t variable, uint32_t mask, const uint32_t* offsets,
                              uint64_t block, uint32_t warp) {
    const piece& owner = memory_->pieces[variable];
    const size_t count = (owner.end - owner.begin) / 4;
    if (count > MOST_ELEMENTS) return;
    elements& seen = elements_[variable];
    if (seen.loads.empty()) {
        seen.loads.resize(count);
        seen.stores.resize(count);
        seen.loader.resize(count, -1);
    }
    const bool load = kind_of(key) == access_kind::read;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const uint32_t lane = __builtin_ctz(rest);
        const auto first = static_cast<int64_t>(simt::device_begin + offsets[lane] - owner.begin) / 4;
        const int64_t words = std::max<int64_t>(1, bytes_of(key) / 4);
        for (int64_t word = first; word < first + words; word++) {
            if (word < 0 || word >= static_cast<int64_t>(count)) continue;
            (load ? seen.loads : seen.stores)[word]++;
            const auto thread = static_cast<int32_t>(warp * LANES + lane);
            int32_t& loader = seen.loader[word];
            // Of several threads the first one: no order of warps may show.
            if (load && block == sampled_block_ && (loader < 0 || thread < loader)) loader = thread;
        }
    }
}

void sketcher::keep(uint32_t key, uint32_t variable, const sample& one) {
    const auto [place, is_new] = samples_.try_emplace({key, variable}, one);
    if (is_new) return;
    sample& known = place->second;
    const auto rank = [](const sample& s) {
        return std::tuple(s.cost, __builtin_popcount(s.mask), ~s.block, ~s.warp);
    };
    if (rank(one) > rank(known)) known = one;
}

void sketcher::add(const sketcher& other) {
    for (const auto& [variable, seen] : other.elements_) {
        const auto [place, is_new] = elements_.try_emplace(variable, seen);
        if (is_new) continue;
        elements& sum = place->second;
        for (size_t k = 0; k < sum.loads.size(); k++) {
            sum.loads[k] += seen.loads[k];
            sum.stores[k] += seen.stores[k];
            sum.loader[k] = std::max(sum.loader[k], seen.loader[k]);  // one runner executed the sampled block
        }
    }
    for (const auto& [line, one] : other.samples_)
        keep(line.first, line.second, one);
}

}  // namespace inspect
