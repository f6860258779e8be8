// Neutralises what students' names and messages may hold.
#include "report/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "call/plain_text.h"

namespace report {
namespace {

constexpr size_t LONGEST_SAFE_NAME = 64;

/// Of a well-formed character.
uint32_t code_point(std::string_view character) {
    const uint8_t first = uint8_t(character[0]);
    const size_t length = character.size();
    uint32_t code = length == 1 ? first : first & (0x7f >> length);
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (uint8_t(character[i]) & 0x3f);
    return code;
}

struct range {
    uint32_t first, last;
};

/// Characters that are not seen and change what is: all but the joiners U+200C and U+200D, which names need.
constexpr range HIDDEN[] = {
    {0x00, 0x1f},        // control characters,
    {0x7f, 0x9f},        // and those of the second half
    {0xad, 0xad},        // soft hyphen
    {0x34f, 0x34f},      // combining grapheme joiner
    {0x61c, 0x61c},      // Arabic letter mark
    {0x180e, 0x180e},    // Mongolian vowel separator
    {0x200b, 0x200b},    // zero width space
    {0x200e, 0x200f},    // left-to-right and right-to-left mark
    {0x2028, 0x202e},    // line and paragraph separator, embeddings and overrides
    {0x2060, 0x206f},    // word joiner, isolates and others without width
    {0xfeff, 0xfeff},    // byte order mark
    {0xfff0, 0xfffb},    // interlinear marks
    {0xfffe, 0xffff},    // no characters; XML refuses them
    {0xe0000, 0xe0fff},  // tags
};

bool is_hidden(uint32_t code) {
    return std::any_of(std::begin(HIDDEN), std::end(HIDDEN),
                       [=](const range& one) { return code >= one.first && code <= one.last; });
}

bool is_line_end(uint32_t code) {
    return code == '\n' || code == 0x2028 || code == 0x2029;
}

std::string visible_character(std::string_view character, bool lines) {
    const uint32_t code = code_point(character);
    if (is_line_end(code)) return lines ? "\n" : " ";
    if (code == '\t') return lines ? "\t" : " ";
    return is_hidden(code) ? fmt::format("[U+{:04X}]", code) : std::string(character);
}

/// Every character of `from` becomes the text at its place in `to`.
std::string replaced(const std::string& text, std::string_view from,
                     std::initializer_list<std::string_view> to) {
    std::string result;
    for (const char c : text) {
        const size_t place = from.find(c);
        if (place == std::string_view::npos)
            result += c;
        else
            result += to.begin()[place];
    }
    return result;
}

/// The signs that begin a formula, and their full-width twins, which some spreadsheets read alike.
bool begins_formula(std::string_view text) {
    for (const std::string_view sign : {"=", "+", "-", "@", "＝", "＋", "－", "＠"})
        if (text.substr(0, sign.size()) == sign) return true;
    return false;
}

size_t longest_run(std::string_view text, char c) {
    size_t longest = 0, run = 0;
    for (const char each : text) {
        run = each == c ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

}  // namespace

std::string visible(std::string_view text, bool lines) {
    std::string seen;
    while (!text.empty()) {
        const size_t length = check::character_length(text);
        seen += length == 0 ? "\ufffd" : visible_character(text.substr(0, length), lines);
        text.remove_prefix(std::max<size_t>(length, 1));
    }
    return seen;
}

std::string csv_cell(std::string_view text) {
    const std::string seen = visible(text, false);
    std::string cell;
    bool begins = true;  // a cell, for somebody's spreadsheet
    for (size_t k = 0; k < seen.size(); k++) {
        if (begins && begins_formula(std::string_view(seen).substr(k))) cell += '\'';
        // Spaces and quotes are left out by some before they look.
        begins = seen[k] == ';' || (begins && (seen[k] == ' ' || seen[k] == '"'));
        cell += seen[k];
    }
    if (cell.find_first_of(",;\" '") == std::string::npos) return cell;
    return '"' + replaced(cell, "\"", {"\"\""}) + '"';
}

std::string html_text(std::string_view text) {
    return replaced(visible(text, true), "&<>\"'", {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"});
}

std::string xml_text(std::string_view text) {
    return replaced(visible(text, true), "&<>\"'\n\t",
                    {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#10;", "&#9;"});
}

std::string markdown_code(std::string_view text) {
    const std::string seen = visible(text, false), fence(longest_run(seen, '`') + 1, '`');
    // The spaces are left out when it is shown; without them a backtick could join the fence.
    return fence + " " + seen + " " + fence;
}

std::string markdown_block(std::string_view text) {
    const std::string seen = visible(text, true);
    const std::string fence(std::max<size_t>(longest_run(seen, '`') + 1, 3), '`');
    return fence + "text\n" + seen + "\n" + fence + "\n";
}

std::string safe_name(std::string_view text) {
    std::string name(text.substr(0, LONGEST_SAFE_NAME));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !is_plain(c); }, '_');
    if (name.empty() || name[0] == '.' || name[0] == '-')
        name = "_" + name.substr(std::min<size_t>(1, name.size()));
    return name;
}

}  // namespace report
