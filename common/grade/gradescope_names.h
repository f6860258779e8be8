// Who handed in what at Gradescope: its export names folders by numbers, and says in one file whose they are.
#pragma once
#include <map>
#include <string>

namespace grade {

inline constexpr char GRADESCOPE_NAMES[] = "submission_metadata.yml";

/// "Ada Lovelace" or "Ada Lovelace, Bob" by "submission_123", from the text of that file. What does not look
/// like Gradescope's is passed over.
std::map<std::string, std::string> gradescope_names(const std::string& text);

}  // namespace grade
