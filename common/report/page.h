// The frame of a page that loads and runs nothing.
#pragma once
#include <string>
#include <string_view>

namespace report {

/// Up to the body's first element. The title is any text; `style` is ours. The page is XML too, so that
/// anybody can check that nothing of a student's became part of it.
std::string page_head(std::string_view title, std::string_view style);

std::string page_end();

/// A name or sentence, escaped, whose direction of reading ends with it.
std::string isolated(std::string_view text);

}  // namespace report
