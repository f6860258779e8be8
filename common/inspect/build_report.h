// From what was recorded to the report: instructions become source lines, numbers become names.
#pragma once
#include <vector>

#include "inspect/incident.h"
#include "inspect/inspector.h"
#include "inspect/report.h"

namespace inspect {

report build_report(const std::vector<launch_record>& launches, const incident_table& incidents,
                    const device_state& memory);

}  // namespace inspect
