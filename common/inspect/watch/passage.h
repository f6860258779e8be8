// The words that passed between host and device in a call, and what they say of the values that it returns.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "inspect/report/report.h"

namespace inspect {

/// Arrays of a call on the host.
using host_arrays = std::vector<std::span<const std::byte>>;

/// Words of four bytes, whatever they stand for: a value that a kernel stored reaches the host as the same word,
/// through any number of copies, staged or turned round, and one that the host computed does not.
class passage {
public:
    void sent(const void* host, size_t bytes);
    void fetched(const void* host, size_t bytes);

    /// Of every word of the outputs, whether the device has given it. Words that the host had sent there are its
    /// own, unless they are the call's inputs or came from the device before.
    value_origin origin_of(const host_arrays& outputs, const host_arrays& inputs) const;
    void clear();

private:
    std::vector<uint32_t> fetched_, sent_;  // in order of arrival; none of sent_ was fetched before
};

}  // namespace inspect
