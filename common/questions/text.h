// Small forms of text.
#pragma once
#include <cmath>
#include <cstdio>
#include <string>

namespace questions {

/// Without blanks and tabs around it.
inline std::string trimmed(const std::string& text) {
    const size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// By printf's `form` for one number.
inline std::string written(double value, const char* form) {
    char text[40];
    std::snprintf(text, sizeof text, form, value);
    return text;
}

}  // namespace questions
