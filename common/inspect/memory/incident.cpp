// Collects incidents and keeps the earliest example of each.
#include "inspect/memory/incident.h"

#include <tuple>

namespace inspect {

namespace {

bool is_better_example(const incident& a, const incident& b) {
    return std::tie(a.when, a.address, a.other_block, a.other_thread, a.bytes, a.text) <
           std::tie(b.when, b.address, b.other_block, b.other_thread, b.bytes, b.text);
}

}  // namespace

void combine(incident& known, const incident& other) {
    const uint64_t times = known.times + other.times;
    const bool is_error = known.is_error || other.is_error;
    if (is_better_example(other, known)) known = other;
    known.times = times;
    known.is_error = is_error;
}

void incident_table::add(const incident& seen) {
    if (latest && latest->what == seen.what) return combine(*latest, seen);
    const auto [place, is_new] = list.try_emplace(seen.what, seen);
    latest = &place->second;
    if (!is_new) combine(place->second, seen);
}

void incident_table::add(const incident_table& other) {
    for (const auto& [what, seen] : other.list)
        add(seen);
}

}  // namespace inspect
