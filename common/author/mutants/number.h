// A number that stands for a text: FNV-1a, Fowler, Noll and Vo.
#pragma once
#include <cstdint>
#include <string>

namespace author {

inline std::string number_of(const std::string& text, int digits) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const unsigned char c : text)
        hash = (hash ^ c) * 0x100000001b3;
    std::string number;
    for (int k = 0; k < digits; k++, hash >>= 4)
        number += "0123456789abcdef"[hash & 15];
    return number;
}

}  // namespace author
