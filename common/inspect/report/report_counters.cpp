// Rows of counts for the comparison with a GPU's counters.
#include "inspect/report/report_counters.h"

#include <utility>

namespace inspect {

namespace {

using counter = std::pair<const char*, uint64_t>;

std::vector<counter> counters_of(const counts& total) {
    const memory_traffic &global = total.global, &shared = total.shared;
    return {{"global_load_requests", global.loads.requests},
            {"global_load_sectors", global.loads.sectors},
            {"global_store_requests", global.stores.requests},
            {"global_store_sectors", global.stores.sectors},
            {"global_atomic_requests", global.atomics.requests},
            {"global_atomic_sectors", global.atomics.sectors},
            {"shared_load_requests", shared.loads.requests},
            {"shared_load_wavefronts", shared.loads.wavefronts},
            {"shared_store_requests", shared.stores.requests},
            {"shared_store_wavefronts", shared.stores.wavefronts},
            {"shared_atomic_requests", shared.atomics.requests},
            {"constant_requests", total.constant.requests},
            {"texture_requests", total.texture.requests},
            {"global_load_bytes", global.loads.bytes}};  // no counter of hardware has it
}

/// As Nsight Compute writes it: "(32, 5, 1)".
std::string text_of(const unsigned (&extent)[3]) {
    return "\"(" + std::to_string(extent[0]) + ", " + std::to_string(extent[1]) + ", " +
           std::to_string(extent[2]) + ")\"";
}

}  // namespace

std::string counters_header() {
    std::string text = "subject,kernel,grid,block";
    for (const counter& one : counters_of({}))
        text += std::string(",") + one.first;
    return text;
}

std::string counters_row(const std::string& subject, const launch& one) {
    std::string text = subject + ",\"" + one.kernel + "\"," + text_of(one.grid) + ',' + text_of(one.block);
    for (const counter& count : counters_of(one.total))
        text += ',' + std::to_string(count.second);
    return text;
}

}  // namespace inspect
