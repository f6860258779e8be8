// Six bits a letter.
#include "report/base64.h"

#include <algorithm>
#include <cstdint>

namespace report {

std::string base64(std::string_view bytes) {
    constexpr char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t first = 0; first < bytes.size(); first += 3) {
        const size_t there = std::min<size_t>(3, bytes.size() - first);
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < there ? uint8_t(bytes[first + k]) : 0);
        for (size_t k = 0; k < 4; k++)
            text += k <= there ? LETTERS[bits >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

}  // namespace report
