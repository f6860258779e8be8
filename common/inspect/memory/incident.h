// Incidents: findings before they are put into words, one record for each kind and place in the source.
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "inspect/memory/event.h"

namespace inspect {

enum class incident_kind : uint8_t {
    race,  // benign if it is no error
    out_of_bounds,
    row_overrun,
    uninitialised_read,
    misaligned,
    illegal_address,
    use_after_free,
    host_pointer,
    constant_write,
    index_out_of_array,
    never_written,
    of_backend,  // reported by the CPU backend, with a kind and a sentence of its own
};

/// When something happened. The smallest of all moments is the example that a finding gives.
struct moment {
    uint32_t launch = 0;  // serial, 0 outside of any
    uint64_t block = 0;
    uint32_t thread = 0;
    auto operator<=>(const moment&) const = default;
};

/// Incidents with the same identity are one finding.
struct incident_identity {
    incident_kind kind{};
    access_kind access{}, other_access{};  // other: of the second half of a race
    space where{};
    bool between_blocks = false;  // of a race
    uint32_t site = 0, other_site = 0;
    uint32_t allocation = 0;   // serial of the device memory that was meant, 0: none
    std::string backend_kind;  // of_backend
    auto operator<=>(const incident_identity&) const = default;
};

struct incident {
    incident_identity what;
    /// False for writes of the same value; one that differs makes the whole finding an error.
    bool is_error = true;
    uint64_t times = 1;
    // The example:
    moment when;
    uint64_t other_block = 0;  // of a race between blocks
    uint32_t other_thread = 0;
    uint64_t address = 0;    // offset in the space; an absolute address where the space has no offsets
    uint64_t bytes = 0;      // of the access; never_written: how many were not
    uint64_t copied = 0;     // never_written: bytes that the host asked for
    std::string text;        // of_backend, index_out_of_array: the sentence
    bool by_thread = false;  // of_backend: the thread is to follow
};

/// Counts `other` in: both are the same finding. The example kept is the earliest.
void combine(incident& known, const incident& other);

/// Incidents, each once. Which example is kept does not depend on the order of arrival.
class incident_table {
public:
    incident_table() = default;
    incident_table(const incident_table&) = delete;
    incident_table& operator=(const incident_table&) = delete;
    void add(const incident& seen);
    void add(const incident_table& other);
    void clear() { list.clear(), latest = nullptr; }
    const std::map<incident_identity, incident>& all() const { return list; }

private:
    std::map<incident_identity, incident> list;
    incident* latest = nullptr;  // of the list: most are followed by others like them
};

}  // namespace inspect
