// Instructions by which threads wait for each other: what they do at a word at the same time is no race.
#pragma once
#include <cstdint>
#include <unordered_set>

#include "inspect/memory/incident.h"

namespace inspect {

/// What is known of the instructions of a launch.
struct sync_sites {
    std::unordered_set<uint32_t> volatile_reads;
    /// Stores to volatile words by threads that have fenced, or that PTX has for it.
    std::unordered_set<uint32_t> releases;
    /// Plain reads of a word that the same thread goes on to compare and swap: whether it was still there is
    /// seen then.
    std::unordered_set<uint32_t> guesses;

    void add(const sync_sites& more);
    void clear();
    /// True for a race that is none: between two of these, or one of these and an atomic operation.
    bool explain(const incident_identity& race) const;
};

}  // namespace inspect
