// A table that a lab's check file adds to its heat map: what is computed beside what is measured.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "call/worker_process.h"

namespace bench {

/// Every table defined at namespace scope of a lab's check file registers itself.
struct map_table {
    /// The lines under the header. Throws std::runtime_error saying why there are none.
    using fill_function = std::function<std::vector<std::string>(check::worker_process&)>;
    map_table(std::string name, std::string header, fill_function fill);
    std::string name;  // of the file, NN_name.NAME.csv: "factors"
    std::string header;
    fill_function fill;
};

/// Writes every table of the lab beside the results file of the options, with its comments. A table that
/// cannot be filled is left out with its reason. False if one was.
bool write_map_tables(const options& asked, check::session& judged);

}  // namespace bench
