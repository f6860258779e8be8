// Operations of streams as a picture of characters.
#pragma once
#include <string>
#include <utility>

#include "inspect/report/report.h"

namespace inspect {

/// Whose row an operation stands in: its device's, and there its stream's. Rows of a device lie together.
using timeline_row = std::pair<int, unsigned>;
inline timeline_row row_of(const operation& one) {
    return {one.device, one.stream};
}
/// "default", "stream 2"
std::string stream_name(unsigned stream);

/// A row for each stream, a column for each slot: '>' a copy to the device, '<' one to the host, '~' one to another
/// device, '#' a kernel, '*' a transform, '=' anything else on the device. A device copies each way and computes at the
/// same time, everything takes one slot, and nothing waits for more than it has to. Where there are several devices, each
/// has a heading. "" if all is one stream's.
std::string timeline(const report& what);

}  // namespace inspect
