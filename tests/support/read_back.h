// Readers for the tests of formats: small ones of our own, and xmllint. They share nothing with what writes.
#pragma once
#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hostile.h"

using table = std::vector<std::vector<std::string>>;

/// RFC 4180 with "\n". Throws std::runtime_error where a quote stands out of place.
inline table read_csv(const std::string& text) {
    table rows;
    std::vector<std::string> row;
    std::string cell;
    for (size_t k = 0; k < text.size(); k++) {
        if (text[k] == '"') {
            if (!cell.empty()) throw std::runtime_error("a quote inside a cell");
            for (k++; k < text.size() && (text[k] != '"' || (k + 1 < text.size() && text[k + 1] == '"'));
                 k++) {
                cell += text[k];
                if (text[k] == '"') k++;
            }
            if (k + 1 >= text.size() || (text[k + 1] != ',' && text[k + 1] != '\n'))
                throw std::runtime_error("text after a quoted cell");
        } else if (text[k] == ',' || text[k] == '\n') {
            row.push_back(cell);
            cell.clear();
            if (text[k] == '\n') rows.push_back(std::exchange(row, {}));
        } else {
            cell += text[k];
        }
    }
    if (!row.empty() || !cell.empty()) throw std::runtime_error("the last line does not end");
    return rows;
}

/// As a spreadsheet would take it, a careless one and one whose cells end with semicolons too.
inline bool begins_formula(const std::string& cell) {
    bool begins = true;
    for (const char c : cell) {
        if (begins && std::string_view("=+-@\t\r").find(c) != std::string_view::npos) return true;
        begins = c == ';' || (begins && (c == ' ' || c == '"'));
    }
    return false;
}

/// The first character that is not to be seen or not UTF-8, in words; "" if there is none.
inline std::string steering_character(const std::string& text) {
    for (size_t k = 0; k < text.size(); k++) {
        const auto byte = [&](size_t i) { return k + i < text.size() ? (unsigned char)text[k + i] : 0u; };
        const unsigned first = byte(0);
        if (first == '\n' || first == '\t' || (first >= 0x20 && first < 0x7f)) continue;
        const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
        if (length == 1 || first > 0xf4) return "byte " + std::to_string(first);
        unsigned code = first & (0xff >> (length + 1));
        for (size_t i = 1; i < length; i++) {
            if (byte(i) >> 6 != 2) return "a broken character";
            code = code * 64 + (byte(i) & 63);
        }
        static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
        const bool hidden = code < 0xa0 || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ||
                            code < least[length] || code == 0x61c || code == 0x200b || code == 0x200e ||
                            code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                            (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code == 0xfffe ||
                            code == 0xffff || code >= 0xe0000;
        if (hidden) return "character " + std::to_string(code);
        k += length - 1;
    }
    return "";
}

/// What a command prints, without its last line end. Throws std::runtime_error if it cannot be run.
inline std::string printed_by(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>&1").c_str(), "r"), pclose);
    if (!pipe) throw std::runtime_error(command + ": cannot be run");
    std::string text;
    for (char buffer[4096]; const size_t count = fread(buffer, 1, sizeof buffer, pipe.get());)
        text.append(buffer, count);
    if (text.ends_with("\n")) text.pop_back();
    return text;
}

/// What xmllint has to say of a file: "" if it is well-formed and follows what the options ask for.
inline std::string xmllint(const std::string& options, const fs::path& file) {
    const std::string said = printed_by("xmllint " + options + " '" + file.string() + "'");
    return said == file.string() + " validates" ? "" : said;
}

inline std::string xpath(const std::string& expression, const fs::path& file) {
    return printed_by("xmllint --nonet --xpath \"" + expression + "\" '" + file.string() + "'");
}

/// A page of Markdown without its blocks and spans of code, by CommonMark's rule: code ends with as many
/// backticks as it began with.
inline std::string outside_code(const std::string& page) {
    std::string outside;
    for (size_t k = 0; k < page.size();) {
        if (page[k] != '`') {
            outside += page[k++];
            continue;
        }
        const size_t begin = k;
        while (k < page.size() && page[k] == '`')
            k++;
        const size_t count = k - begin;
        while (true) {  // to the end of this code
            const size_t next = page.find('`', k);
            if (next == std::string::npos) throw std::runtime_error("code does not end");
            size_t end = next;
            while (end < page.size() && page[end] == '`')
                end++;
            k = end;
            if (end - next == count) break;
        }
    }
    return outside;
}

/// Paths of all files below a folder, in order.
inline std::vector<std::string> files_below(const fs::path& folder) {
    std::vector<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (!entry.is_directory()) all.push_back(fs::relative(entry.path(), folder).generic_string());
    std::sort(all.begin(), all.end());
    return all;
}
