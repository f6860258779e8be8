// Values that programs start from, the same for the model and for the program itself.
#pragma once
#include <cstdint>

namespace fuzz {

/// 0 to 99: every element type can hold it.
inline int64_t content(int array_id, int element, int member) {
    uint32_t mixed = static_cast<uint32_t>(array_id * 7919 + element * 131 + member * 31 + 17);
    mixed ^= mixed >> 13;
    mixed *= 0x9E3779B1u;
    mixed ^= mixed >> 16;
    return mixed % 100;
}

}  // namespace fuzz
