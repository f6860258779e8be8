// Operations of streams as a picture of characters.
#pragma once
#include <string>

#include "inspect/report/report.h"

namespace inspect {

/// A row for each stream, a column for each slot: '>' a copy to the device, '<' one to the host, '#' a kernel, '~' a transform, '='
/// anything else on the device. The device copies either way and computes at the same time, everything takes one slot, and nothing
/// waits for more than it has to. "" if all is one stream's.
std::string timeline(const report& what);

}  // namespace inspect
