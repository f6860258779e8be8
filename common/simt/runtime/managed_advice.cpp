// Keeps what was said of managed memory, and the calls that ask for it.
#include "simt/runtime/managed_advice.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "simt/engine/error_state.h"
#include "simt/include/simt/memory.h"
#include "simt/runtime/checks.h"

namespace simt {

void advised_ranges::change(uintptr_t begin, size_t bytes,
                            const std::function<void(managed_advice&)>& change) {
    constexpr size_t PAGE = 4096;
    const uintptr_t first = begin / PAGE * PAGE, end = (begin + bytes + PAGE - 1) / PAGE * PAGE;
    for (const uintptr_t cut : {first, end})
        from.emplace(cut, std::prev(from.upper_bound(cut))->second);
    for (auto one = from.find(first); one->first != end; ++one)
        change(one->second);
}

void advised_ranges::for_each(uintptr_t begin, size_t bytes,
                              const std::function<void(const managed_advice&)>& action) const {
    for (auto one = std::prev(from.upper_bound(begin)); one != from.end() && one->first < begin + bytes;
         ++one)
        action(one->second);
}

namespace {

std::mutex mutex;

advised_ranges& ranges() {
    static auto* all = new advised_ranges;  // never destroyed, see allocations.cpp
    return *all;
}

/// A place as calls of CUDA 12 say it.
int device_of(cudaMemLocation place) {
    if (place.type == cudaMemLocationTypeDevice) return place.id;
    return place.type == cudaMemLocationTypeInvalid ? cudaInvalidDeviceId : cudaCpuDeviceId;
}

bool is_same(cudaMemLocation one, cudaMemLocation other) {
    return one.type == other.type && one.id == other.id;
}

/// What all advice has in common.
managed_advice common_advice(const std::vector<managed_advice>& all) {
    managed_advice common = all.front();
    for (const managed_advice& one : all) {
        common.is_read_mostly &= one.is_read_mostly;
        if (!is_same(one.preferred, common.preferred)) common.preferred = NOWHERE;
        if (!is_same(one.prefetched, common.prefetched)) common.prefetched = NOWHERE;
        std::erase_if(common.accessed_by, [&](int device) { return !one.accessed_by.contains(device); });
    }
    return common;
}

/// The words that a call writes.
std::vector<int> words_of(cudaMemRangeAttribute attribute, const managed_advice& advice, size_t count) {
    switch (attribute) {
        case cudaMemRangeAttributeReadMostly:
            return {advice.is_read_mostly};
        case cudaMemRangeAttributePreferredLocation:
            return {device_of(advice.preferred)};
        case cudaMemRangeAttributePreferredLocationType:
            return {advice.preferred.type};
        case cudaMemRangeAttributePreferredLocationId:
            return {advice.preferred.id};
        case cudaMemRangeAttributeLastPrefetchLocation:
            return {device_of(advice.prefetched)};
        case cudaMemRangeAttributeLastPrefetchLocationType:
            return {advice.prefetched.type};
        case cudaMemRangeAttributeLastPrefetchLocationId:
            return {advice.prefetched.id};
        case cudaMemRangeAttributeAccessedBy:
            break;
    }
    std::vector<int> devices(advice.accessed_by.begin(), advice.accessed_by.end());
    devices.resize(count, cudaInvalidDeviceId);
    return devices;
}

cudaError_t get_attribute(const char* call, void* data, size_t bytes, cudaMemRangeAttribute attribute,
                          const void* pointer, size_t count) {
    if (attribute < cudaMemRangeAttributeReadMostly ||
        attribute > cudaMemRangeAttributeLastPrefetchLocationId)
        return refuse(cudaErrorInvalidValue, "%s: there is no attribute %d", call, int(attribute));
    if (!data) return refuse(cudaErrorInvalidValue, "%s: a null pointer for the result", call);
    const bool may_be_more = attribute == cudaMemRangeAttributeAccessedBy;
    if (bytes == 0 || bytes % sizeof(int) != 0 || (bytes > sizeof(int) && !may_be_more))
        return refuse(cudaErrorInvalidValue, "%s: %zu bytes for a result of %s", call, bytes,
                      may_be_more ? "one or more ints" : "one int");
    if (const cudaError_t bad = check_managed_range(call, pointer, count)) return bad;
    std::vector<managed_advice> seen;
    {
        const std::lock_guard lock(mutex);
        ranges().for_each(reinterpret_cast<uintptr_t>(pointer), count,
                          [&](const managed_advice& one) { seen.push_back(one); });
    }
    const std::vector<int> words = words_of(attribute, common_advice(seen), bytes / sizeof(int));
    std::copy_n(words.begin(), bytes / sizeof(int), static_cast<int*>(data));
    return cudaSuccess;
}

}  // namespace

void advise(const void* pointer, size_t bytes, const std::function<void(managed_advice&)>& change) {
    const std::lock_guard lock(mutex);
    ranges().change(reinterpret_cast<uintptr_t>(pointer), bytes, change);
}

}  // namespace simt

using namespace simt;

cudaError_t cudaMemRangeGetAttribute(void* data, size_t bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t count) {
    const char* call = "cudaMemRangeGetAttribute";
    if (const cudaError_t failed = get_attribute(call, data, bytes, attribute, pointer, count)) return failed;
    return done(call);
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* bytes, cudaMemRangeAttribute* attributes,
                                      size_t attribute_count, const void* pointer, size_t count) {
    const char* call = "cudaMemRangeGetAttributes";
    if (!data || !bytes || !attributes || attribute_count == 0)
        return refuse(cudaErrorInvalidValue, "%s: nothing is asked for", call);
    for (size_t k = 0; k < attribute_count; k++) {
        const cudaError_t failed = get_attribute(call, data[k], bytes[k], attributes[k], pointer, count);
        if (failed) return failed;
    }
    return done(call);
}
