// A user who owns nothing, for a student's code where no box can be made.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace grade {

inline constexpr unsigned OTHER_USER = 65534;  // nobody, and the group of the same number

/// The command, as run by this user; only root can do that.
std::vector<std::string> as_other_user(const std::vector<std::string>& command);

/// Why that cannot be done with programs in this folder, in one line; "" if it can.
std::string why_no_other_user(const std::filesystem::path& folder);

}  // namespace grade
