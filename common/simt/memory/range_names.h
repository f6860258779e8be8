// Names of ranges of addresses, of which the later name holds.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simt/engine/observer.h"

namespace simt {

class range_names {
public:
    /// From now on [begin, end) has this name, whatever it had before; "" for none.
    void assign(uintptr_t begin, uintptr_t end, const std::string& name);
    /// The named parts of [begin, end), in order.
    std::vector<named_range> within(uintptr_t begin, uintptr_t end) const;
    void clear() { ranges.clear(); }

private:
    std::map<uintptr_t, named_range> ranges;  // by their begin; none overlap
};

}  // namespace simt
