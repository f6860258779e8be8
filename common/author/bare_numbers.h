// Numbers in a handout that look measured and that nothing derives.
#pragma once
#include <string>
#include <vector>

namespace author {

/// The numbers outside of values (quoted_values.h), tables and `code` that have a unit of time or of a rate, and
/// those with % or "times" in a paragraph that names an H200 or stands below the heading "And faster". Each as
/// "line 12: 0.3 ms".
std::vector<std::string> bare_numbers(const std::string& text);

}  // namespace author
