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
    if (one.what == "peer") return '~';
    if (one.what == "transform") return '*';
    return one.what == "kernel" ? '#' : '=';
}

}  // namespace

std::string stream_name(unsigned stream) {
    return stream == 0 ? "default" : "stream " + std::to_string(stream);
}

std::string timeline(const report& what) {
    std::map<timeline_row, std::string> rows;
    bool is_cut = false;
    for (const operation& one : what.operations) {
        if (one.what == "allocate") continue;
        std::string& row = rows[row_of(one)];
        is_cut |= one.slot >= MOST_COLUMNS;
        if (one.slot >= MOST_COLUMNS) continue;
        row.resize(std::max(row.size(), size_t(one.slot) + 1), ' ');
        row[one.slot] = sign_of(one);
    }
    if (rows.empty() || (rows.size() == 1 && rows.begin()->first.second == 0)) return "";
    const bool has_peers = std::any_of(what.operations.begin(), what.operations.end(),
                                       [](const operation& one) { return one.what == "peer"; });
    std::string text = std::string("  > to the device, # kernel, ") +
                       (what.transforms.empty() ? "" : "* transform, ") + "< to the host, " +
                       (has_peers ? "~ to another device, " : "") + "each as if it took one slot\n";
    const bool has_devices = rows.begin()->first.first != rows.rbegin()->first.first;
    int device = -1;
    for (const auto& [place, row] : rows) {
        if (has_devices && place.first != device) text += "  device " + std::to_string(place.first) + "\n";
        device = place.first;
        const std::string name = stream_name(place.second);
        text += "  " + name + std::string(12 - std::min<size_t>(11, name.size()), ' ') + row +
                (is_cut ? " ..." : "") + "\n";
    }
    return text;
}

}  // namespace inspect
