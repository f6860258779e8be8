// What every file of a lab is compiled behind: the standard headers that lab.h and the contracts need. Compiled once for all
// (build/prelude).
#pragma once
#include <span>
#include <stdexcept>
#include <string>
