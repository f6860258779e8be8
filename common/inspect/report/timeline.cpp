// Operations of streams as a picture of characters.
#include "inspect/report/timeline.h"

#include <algorithm>
#include <map>

namespace inspect {

namespace {

constexpr size_t MOST_COLUMNS = 96;

char sign_of(const operation& one) {
    if (one.what == "to-device") return '>';
    if (one.what == "to-host") return '<';
    if (one.what == "transform") return '~';
    return one.what == "kernel" ? '#' : '=';
}

}  // namespace

std::string timeline(const report& what) {
    std::map<unsigned, std::string> rows;
    bool is_cut = false;
    for (const operation& one : what.operations) {
        if (one.what == "allocate") continue;
        std::string& row = rows[one.stream];
        is_cut |= one.slot >= MOST_COLUMNS;
        if (one.slot >= MOST_COLUMNS) continue;
        row.resize(std::max(row.size(), size_t(one.slot) + 1), ' ');
        row[one.slot] = sign_of(one);
    }
    if (rows.size() < 2 && rows.count(0) == rows.size()) return "";
    const std::string transform = what.transforms.empty() ? "" : "~ transform, ";
    std::string text =
        "  > to the device, # kernel, " + transform + "< to the host, each as if it took one slot\n";
    for (const auto& [stream, row] : rows) {
        const std::string name = stream == 0 ? "default" : "stream " + std::to_string(stream);
        text += "  " + name + std::string(12 - std::min<size_t>(11, name.size()), ' ') + row +
                (is_cut ? " ..." : "") + "\n";
    }
    return text;
}

}  // namespace inspect
