// What a program has said of where managed memory shall be. Nothing moves for it; cudaMemRangeGetAttribute() tells it back.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>

#include "simt/include/simt/types.h"

namespace simt {

inline constexpr cudaMemLocation NOWHERE = {cudaMemLocationTypeInvalid, cudaInvalidDeviceId};

/// Of a page.
struct managed_advice {
    bool is_read_mostly = false;
    cudaMemLocation preferred = NOWHERE, prefetched = NOWHERE;
    std::set<int> accessed_by;  // devices, cudaCpuDeviceId among them
};

/// Advice for ranges of addresses, of whole pages of 4 KB. For one thread at a time.
class advised_ranges {
public:
    /// Changes what holds for [begin, begin + bytes).
    void change(uintptr_t begin, size_t bytes, const std::function<void(managed_advice&)>& change);
    /// For what holds in some part of [begin, begin + bytes).
    void for_each(uintptr_t begin, size_t bytes,
                  const std::function<void(const managed_advice&)>& action) const;

private:
    std::map<uintptr_t, managed_advice> from{{0, {}}};  // by the first address, up to the next one's
};

/// Of this process, which they are for.
void advise(const void* pointer, size_t bytes, const std::function<void(managed_advice&)>& change);

}  // namespace simt
