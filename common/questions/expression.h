// Arithmetic as people write it: 3/4, 2r(r+1), 16 777 216, 42 KiB.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace questions {

using variables = std::map<std::string, double, std::less<>>;

/// The value of a sum with + - * / ^, brackets, percent signs and the functions floor, ceil, round, abs, sqrt, log2,
/// min, max and mod. A name or bracket behind a number multiplies it. Digits in groups of three may be divided by a
/// blank, a comma, an apostrophe or an underscore, commas outside of functions' brackets only; any other comma between
/// digits there is a decimal point. Throws
/// std::runtime_error in a few words if the text cannot be read, names what is not in `known`, nests deeper than
/// 40 brackets, or has no finite value.
double evaluate(std::string_view text, const variables& known);

}  // namespace questions
