// Reports of whole programs, which may launch a kernel a thousand times.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "inspect/report/report.h"

namespace inspect {

/// A report in which launches of the same kernel in the same shape are one.
struct kernel_report {
    report seen;
    std::vector<uint64_t> times;  // by launch of `seen`: how many it was
};
kernel_report by_kernel(const report& what);

/// For people; "name, 12 launches" are of the kernel.
std::string to_text(const kernel_report& what);
/// As that of a report (report_json.cpp), with "times" for every launch.
std::string to_json(const kernel_report& what);
/// A row is what a line of a kernel did to a memory, over all its launches, in the units of `traffic`.
std::string to_csv(const kernel_report& what);

}  // namespace inspect
