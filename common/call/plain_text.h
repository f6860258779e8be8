// Text that came from a student's program, made fit to show and to store.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace check {

/// Bytes of the well-formed UTF-8 character that `text` begins with; 0 if it begins with none.
size_t character_length(std::string_view text);

/// Valid UTF-8 without control characters: what is not becomes
/// '?'. Line ends and tabs stay if `lines`, else become spaces.
std::string plain_text(std::string_view text, bool lines);

/// One line with everything that could steer a terminal replaced by '?'; other bytes stay as they are.
std::string printable(std::string_view text);

}  // namespace check
