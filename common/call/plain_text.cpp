// Cleans text: terminals obey control characters, and JSON is UTF-8.
#include "call/plain_text.h"

#include <cstdint>

namespace check {
namespace {

bool is_continuation(char byte) {
    return (uint8_t(byte) & 0xc0) == 0x80;
}

bool is_control(std::string_view character) {
    const uint8_t first = uint8_t(character[0]);
    if (character.size() == 1) return first < 0x20 || first == 0x7f;
    return character.size() == 2 && first == 0xc2 && uint8_t(character[1]) < 0xa0;  // C1: U+0080 to U+009F
}

}  // namespace

// Unicode 15, table 3-7.
size_t character_length(std::string_view text) {
    const auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : uint8_t(0); };
    const uint8_t first = byte(0), second = byte(1);
    if (first < 0x80) return 1;

    size_t length = 0;
    uint8_t low = 0x80, high = 0xbf;  // of the second byte
    if (first >= 0xc2 && first <= 0xdf) length = 2;
    if (first >= 0xe0 && first <= 0xef) length = 3;
    if (first >= 0xf0 && first <= 0xf4) length = 4;
    if (first == 0xe0) low = 0xa0;
    if (first == 0xed) high = 0x9f;
    if (first == 0xf0) low = 0x90;
    if (first == 0xf4) high = 0x8f;
    if (length == 0 || text.size() < length || second < low || second > high) return 0;
    for (size_t i = 2; i < length; i++) {
        if (!is_continuation(text[i])) return 0;
    }
    return length;
}

std::string plain_text(std::string_view text, bool lines) {
    std::string clean;
    while (!text.empty()) {
        const size_t length = character_length(text);
        const std::string_view character = text.substr(0, length == 0 ? 1 : length);
        text.remove_prefix(character.size());
        if (length == 0) {
            clean += '?';
        } else if (character == "\n" || character == "\t") {
            clean += lines ? character[0] : ' ';
        } else if (is_control(character)) {
            clean += '?';
        } else {
            clean += character;
        }
    }
    return clean;
}

std::string printable(std::string_view text) {
    std::string safe;
    for (size_t k = 0; k < text.size(); k++) {
        const unsigned char c = text[k];
        const bool second_half_control = c >= 0x80 && c < 0xa0 && k > 0 && (unsigned char)text[k - 1] == 0xc2;
        safe += c < 0x20 || c == 0x7f || second_half_control ? '?' : char(c);
    }
    return safe;
}

}  // namespace check
