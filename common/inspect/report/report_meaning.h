// What the counts of a source line mean, in one sentence for people.
#pragma once
#include <string>

#include "inspect/report/report.h"

namespace inspect {

/// "each warp asks for 6 sectors where 4 would do: its 16-wide rows start mid-sector". `sample` is a request
/// of the line, or null where none was recorded: then the reason is left out.
std::string meaning(const line_traffic& line, const request_sample* sample);

/// The sample of the same line and kind of access; null if there is none.
const request_sample* sample_of(const sketch& drawn, const line_traffic& line);

/// Passes over the banks of shared memory that a request's lanes take, by lane: 0 for the first pass, 1 for
/// the next, -1 for lanes that do not take part. Lanes that want the same word share its pass.
std::vector<int> bank_passes(const request_sample& sample);

}  // namespace inspect
