// Reports as text for people.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "inspect/report/report.h"
#include "inspect/report/text_format.h"

namespace inspect {

namespace {

std::string file_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

/// One line of the table of a launch.
struct row {
    std::string place, variable, space, direction;
    traffic seen;
};

/// "5.30 sectors/request, 4.00 at best": the measure that belongs to the memory.
std::string cost_text(const row& one) {
    if (one.space == "texture") return "";
    const bool is_global = one.space == "global";
    const double requests = static_cast<double>(one.seen.requests);
    const double cost = static_cast<double>(is_global ? one.seen.sectors : one.seen.wavefronts) / requests;
    const double best = static_cast<double>(one.seen.ideal) / requests;
    const char* unit = is_global ? "sectors" : one.space == "shared" ? "wavefronts" : "addresses";
    std::string text = format("%6.2f %s/request", cost, unit);
    if (best < cost) text += format(", %.2f at best", best);
    return text;
}

void add_totals(std::vector<row>& rows, const std::string& space, const memory_traffic& memory) {
    if (memory.loads.lanes) rows.push_back({"total", "", space, "load", memory.loads});
    if (memory.stores.lanes) rows.push_back({"total", "", space, "store", memory.stores});
    if (memory.atomics.lanes) rows.push_back({"total", "", space, "atomic", memory.atomics});
}

std::vector<row> rows_of(const launch& one) {
    std::vector<row> rows;
    for (const line_traffic& line : one.lines) {
        const std::string place = file_name(line.file) + ":" + std::to_string(line.line);
        rows.push_back({place, line.variable, line.space, line.direction, line.seen});
    }
    add_totals(rows, "global", one.total.global);
    add_totals(rows, "shared", one.total.shared);
    if (one.total.constant.lanes) rows.push_back({"total", "", "constant", "load", one.total.constant});
    if (one.total.texture.lanes) rows.push_back({"total", "", "texture", "load", one.total.texture});
    return rows;
}

std::string launch_text(const launch& one) {
    const std::vector<row> rows = rows_of(one);
    size_t place_width = 0, variable_width = 0;
    for (const row& each : rows) {
        place_width = std::max(place_width, each.place.size());
        variable_width = std::max(variable_width, each.variable.size());
    }
    std::string text = one.kernel + format("  grid (%u,%u,%u)  block (%u,%u,%u)", one.grid[0], one.grid[1],
                                           one.grid[2], one.block[0], one.block[1], one.block[2]);
    if (one.dynamic_shared > 0)
        text += "  " + std::to_string(one.dynamic_shared) + " bytes of dynamic shared memory";
    text += "\n";
    if (one.is_sampled())
        text += "  " + std::to_string(one.inspected_blocks) + " of " + std::to_string(one.blocks()) +
                " blocks inspected; counts are scaled to all of them\n";
    for (const row& each : rows) {
        text += "  " + each.place + std::string(place_width - each.place.size() + 2, ' ');
        text += each.variable + std::string(variable_width - each.variable.size() + 2, ' ');
        text += format("%-8s %-6s %12llu accesses %10llu requests %s\n", each.space.c_str(),
                       each.direction.c_str(), static_cast<unsigned long long>(each.seen.lanes),
                       static_cast<unsigned long long>(each.seen.requests), cost_text(each).c_str());
    }
    if (one.total.matrix_products > 0)
        text += "  " + std::to_string(one.total.matrix_products) +
                " products of matrices by tensor cores (mma_sync of a warp)\n";
    return text;
}

std::string finding_text(const finding& one) {
    std::string text;
    if (one.line > 0) text += file_name(one.file) + ":" + std::to_string(one.line) + ": ";
    text += one.kind + ": " + one.text;
    if (one.times > 1) text += " [" + std::to_string(one.times) + " times]";
    return text + "\n";
}

/// "cuFFT: C2C of 8 x 10 values, batch 3, inverse, in place"
std::string transform_text(const transform& one) {
    std::string text = "cuFFT: " + one.kind + " of ";
    for (size_t axis = 0; axis < one.sizes.size(); axis++)
        text += (axis > 0 ? " x " : "") + std::to_string(one.sizes[axis]);
    text += " values";
    if (one.batch > 1) text += ", batch " + std::to_string(one.batch);
    if (one.is_inverse && one.kind == "C2C") text += ", inverse";
    if (one.in_place) text += ", in place";
    return text;
}

}  // namespace

std::string transforms_text(const report& what, const std::string& indent) {
    std::vector<std::pair<std::string, int>> alike;  // and how many
    for (const transform& one : what.transforms) {
        const std::string text = transform_text(one);
        const auto known =
            std::find_if(alike.begin(), alike.end(), [&](const auto& other) { return other.first == text; });
        if (known == alike.end())
            alike.emplace_back(text, 1);
        else
            known->second++;
    }
    std::string text;
    for (const auto& [one, times] : alike)
        text += indent + one + (times > 1 ? ", " + std::to_string(times) + " times" : "") + "\n";
    return text;
}

std::string to_text(const guessed_array& what) {
    return what.name + " was not recognised on the device (changed on its way?): " + what.memory +
           " is taken for it";
}

std::string to_text(const report& what) {
    if (!what.inspected) return "nothing was inspected\n";
    std::string text;
    for (const launch& one : what.launches)
        text += launch_text(one);
    text += transforms_text(what);
    for (const finding& one : what.findings)
        text += finding_text(one);
    if (what.findings.empty()) text += "no findings\n";
    return text;
}

}  // namespace inspect
