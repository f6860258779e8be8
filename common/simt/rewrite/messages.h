// The compiler's messages without the backend's own headers in them.
#pragma once
#include <string>
#include <string_view>

namespace rewrite {

/// Drops remarks of g++ that point into the backend's headers, and says what a wrong launch got and should
/// get. Errors are never dropped.
std::string tidy_messages(std::string_view text);

}  // namespace rewrite
