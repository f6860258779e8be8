// The table in a handout of what the steps to a lab's
// fastest version brought, made from their recorded times.
#include "author/handout_tables.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "author/recorded_times.h"

namespace author {
namespace {

/// Where `name` stands in the list; at its end if it was not there.
size_t place_in(std::vector<std::string>& list, const std::string& name) {
    const size_t place = size_t(std::find(list.begin(), list.end(), name) - list.begin());
    if (place == list.size()) list.push_back(name);
    return place;
}

}  // namespace

std::string steps_table(const std::string& csv) {
    std::vector<std::string> steps, filters;
    std::map<size_t, std::map<size_t, std::string>> times, shares;  // by step and filter
    for (const auto& row : rows_of(csv)) {
        const size_t step = place_in(steps, cell(row, "step"));
        const size_t filter = place_in(filters, filter_of(row));
        const double ms = std::stod(cell(row, "kernel_ms"));
        const std::string &faster = cell(row, "times_faster"), &share = cell(row, "roofline_share");
        times[step][filter] = written_ms(ms);
        if (!faster.empty()) times[step][filter] += written(" (%.2f x)", std::stod(faster));
        if (!share.empty()) shares[step][filter] = written("%.0f %%", 100 * std::stod(share));
    }
    std::string table = headings_of("step", filters);
    const auto cells = [&](std::map<size_t, std::string>& known) {
        std::vector<std::string> all;
        for (size_t filter = 0; filter < filters.size(); filter++)
            all.push_back(known[filter]);
        return all;
    };
    for (size_t step = 0; step < steps.size(); step++)
        table += line_of(std::to_string(step + 1) + ". " + steps[step], cells(times[step]));
    auto& reached = shares[steps.size() - 1];
    return table + (reached.empty() ? "" : line_of("of the roofline", cells(reached)));
}

}  // namespace author
