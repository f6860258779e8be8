// The structs that instructions copy, each looked up once: they say how wide a GPU's accesses are.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "simt/engine/observer.h"

namespace inspect {

class copied_types {
public:
    /// The struct whose copy the call that returns to this address is part of.
    simt::copied_type type_at(uintptr_t return_address) {
        const entry& likely = known[return_address % known.size()];
        return likely.return_address == return_address ? likely.type : look_up(return_address);
    }

private:
    struct entry {
        uintptr_t return_address = 0;
        simt::copied_type type;
    };
    simt::copied_type look_up(uintptr_t return_address);

    std::array<entry, 256> known;
};

}  // namespace inspect
