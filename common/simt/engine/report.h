// Findings of the engine itself, and how a place in a grid is named.
#pragma once
#include <string>

#include "simt/engine/observer.h"

namespace simt {

/// "conv.cu:41" for a return address; "an unknown line" where there is no line information.
std::string line_name(uintptr_t site);

/// "(4,2,1)".
std::string triple(uint3 value);

/// Prints one line about the process to stderr: "simt: TEXT".
void complain(const std::string& text);

}  // namespace simt
