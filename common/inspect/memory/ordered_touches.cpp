// Goes through the touches of a word in an order in which none comes before what it is ordered after.
#include "inspect/memory/ordered_touches.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace inspect {

namespace {

/// What a race is between: an instruction and what it does.
using half = std::pair<access_kind, uint32_t>;

half half_of(const touch& what) {
    return {what.kind, what.fact & SITE_MASK};
}

bool is_conflict(access_kind a, access_kind b) {
    return a == access_kind::write || b == access_kind::write || a != b;
}

/// The half that is told first.
bool comes_first(const half& a, const half& b) {
    const auto rank = [](access_kind kind) {
        return kind == access_kind::write ? 0 : kind == access_kind::atomic ? 1 : 2;
    };
    return std::pair(rank(a.first), a.second) < std::pair(rank(b.first), b.second);
}

bool same_value(const touch& a, const touch& b) {
    return a.kind == access_kind::write && b.kind == access_kind::write && a.is_certain && b.is_certain &&
           a.value == b.value;
}

bool is_before(const ordered_touch& a, const ordered_touch& b) {
    return std::any_of(a.released.begin(), a.released.end(), [&](const order_mark& released) {
        return std::any_of(b.acquired.begin(), b.acquired.end(), [&](const order_mark& acquired) {
            return released.where == acquired.where && released.when < acquired.when;
        });
    });
}

/// Who acquired last comes last; of those who acquired nothing, who released first comes first.
std::tuple<uint64_t, uint64_t, uint64_t> turn_of(const ordered_touch& one) {
    uint64_t acquired = 0, released = ~uint64_t{0};
    for (const order_mark& mark : one.acquired)
        acquired = std::max(acquired, mark.when);
    for (const order_mark& mark : one.released)
        released = std::min(released, mark.when);
    return {acquired, released, one.what.fact};
}

/// The races of one cell.
class race_search {
public:
    race_search(std::vector<const ordered_touch*>& touched, const touches& open)
        : touched(touched), open(open) {
        for (const ordered_touch* one : touched)
            blocks[half_of(one->what)].add(one->what.fact);
    }

    void run() {
        std::sort(touched.begin(), touched.end(),
                  [](const auto* a, const auto* b) { return turn_of(*a) < turn_of(*b); });
        for (const ordered_touch* one : touched) {
            for (const ordered_touch* before : latest) {
                if (is_race(before->what, one->what) && !is_before(*before, *one))
                    found(half_of(before->what), half_of(one->what), same_value(before->what, one->what));
            }
            compare_with_open(one->what);
            // What comes after this write comes after all that it has been compared with.
            if (one->what.kind == access_kind::write)
                std::erase_if(latest,
                              [&](const ordered_touch* before) { return is_race(before->what, one->what); });
            latest.push_back(one);
        }
    }

    /// The lowest blocks that did these two things stand for all that did them: who came first is chance.
    void report(const incident& model, incident_table& to) {
        for (const auto& [pair, is_same] : races) {
            incident race = model;
            race.is_error = !is_same;
            const auto [one, other] = pair;
            add_race(race, different_blocks(blocks[one], blocks[other]), one.first, other.first, to);
        }
    }

private:
    std::vector<const ordered_touch*>& touched;
    const touches& open;
    std::vector<const ordered_touch*> latest;  // the last write and what came since
    std::map<half, lowest_blocks> blocks;
    std::map<std::pair<half, half>, bool> races;  // and whether both store the same value

    static bool is_race(const touch& a, const touch& b) {
        return block_of(a.fact) != block_of(b.fact) && is_conflict(a.kind, b.kind);
    }

    void found(half one, half other, bool is_same) {
        if (comes_first(other, one)) std::swap(one, other);
        const auto known = races.emplace(std::pair(one, other), is_same).first;
        known->second &= is_same;
    }

    void compare_with_open(const touch& one) {
        const auto compare = [&](const lowest_blocks& others, access_kind kind, bool differs) {
            for (const uint64_t other : {others.first, others.second}) {
                const touch unordered = {kind, other, open.written.value, !differs};
                if (other == 0 || !is_race(one, unordered)) continue;
                blocks[half_of(unordered)].add(other);
                found(half_of(one), half_of(unordered), same_value(one, unordered));
            }
        };
        compare(open.readers, access_kind::read, false);
        compare(open.atomics, access_kind::atomic, false);
        compare(open.written.who, access_kind::write, open.written.values_differ);
    }
};

}  // namespace

fact_pair different_blocks(const lowest_blocks& a, const lowest_blocks& b) {
    if (a.first == 0 || b.first == 0) return {};
    if (block_of(a.first) != block_of(b.first)) return {a.first, b.first};
    if (b.second != 0) return {a.first, b.second};
    if (a.second != 0) return {a.second, b.first};
    return {};
}

void add_race(incident race, const fact_pair& pair, access_kind access, access_kind other,
              incident_table& found) {
    if (pair.one == 0) return;
    race.what.access = access;
    race.what.other_access = other;
    race.what.site = pair.one & SITE_MASK;
    race.what.other_site = pair.other & SITE_MASK;
    race.when.block = block_of(pair.one);
    race.when.thread = thread_of_fact(pair.one);
    race.other_block = block_of(pair.other);
    race.other_thread = thread_of_fact(pair.other);
    found.add(race);
}

void add_ordered_races(std::vector<const ordered_touch*>& touched, const touches& open, const incident& race,
                       incident_table& found) {
    race_search search(touched, open);
    search.run();
    search.report(race, found);
}

}  // namespace inspect
