// Changes the places of a text that a pattern finds.
#pragma once
#include <regex>
#include <string>

namespace author {

/// The text with `change(match)` in place of every match of the pattern.
template <class function>
std::string changed(const std::string& text, const std::regex& pattern, const function& change) {
    std::string result;
    auto from = text.cbegin();
    for (std::sregex_iterator one(text.begin(), text.end(), pattern), end; one != end; ++one) {
        result.append(from, (*one)[0].first);
        result += change(*one);
        from = (*one)[0].second;
    }
    return result.append(from, text.cend());
}

}  // namespace author
