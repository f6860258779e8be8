// From what was recorded to the report: instructions become source lines, numbers become names.
#pragma once
#include <vector>

#include "inspect/memory/incident.h"
#include "inspect/report/report.h"
#include "inspect/watch/inspector.h"

namespace inspect {

report build_report(const std::vector<launch_record>& launches, const incident_table& incidents,
                    const device_state& memory);

}  // namespace inspect
