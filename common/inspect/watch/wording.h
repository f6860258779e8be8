// Puts incidents into words and names the memory they are about.
#pragma once
#include <string>

#include "inspect/memory/incident.h"
#include "inspect/watch/inspector.h"

namespace inspect {

/// The report's word for a kind of incident, as listed in report.h.
std::string kind_word(const incident& seen);

/// Name of the variable with this identity (traffic_table::entry::variable) in this space, for such an access;
/// "" if it has none.
std::string variable_name(space where, access_kind access, uint32_t variable, const device_state& memory);

/// The student's memory in which an array was guessed: "device memory of 36 bytes from x.cu:27", "d_in".
std::string memory_name(const simt::guessed_array& guess, const device_state& memory);

/// The variable that an incident is about, and its size; "" if none is known.
struct sized_variable {
    std::string name;
    uint64_t bytes = 0;
};
sized_variable incident_variable(const incident& seen, const launch_record* launch,
                                 const device_state& memory);

/// One sentence: what, which variable and offset, which block and thread. `launch` may be null for incidents
/// outside of one. `other_place` says where the other half of a race stands ("at line 12").
std::string sentence(const incident& seen, const launch_record* launch, const device_state& memory,
                     const std::string& other_place);

}  // namespace inspect
