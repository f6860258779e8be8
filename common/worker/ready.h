// The worker's first word.
#pragma once
#include <string>

namespace worker {

/// Tells the judge that calls can come. False if there is no judge.
bool say_ready(const std::string& device);

}  // namespace worker
