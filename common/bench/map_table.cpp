// The tables beside a lab's heat map, in order of definition.
#include "bench/map_table.h"

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "bench/csv_file.h"

namespace check {

namespace {

// A function with a static inside: tables are defined at namespace scope, before main() and in any order.
std::vector<const map_table*>& all_tables() {
    static std::vector<const map_table*> tables;
    return tables;
}

}  // namespace

map_table::map_table(std::string name, std::string header, fill_function fill)
    : name(std::move(name)), header(std::move(header)), fill(std::move(fill)) {
    all_tables().push_back(this);
}

bool write_map_tables(const mode_options& options, session& run) {
    bool all = true;
    for (const map_table* table : all_tables()) {
        const auto path =
            std::filesystem::path(options.csv).replace_filename(run.lab() + "." + table->name + ".csv");
        std::vector<std::string> lines;
        try {
            lines = table->fill(run.active());
        } catch (const std::runtime_error& trouble) {
            std::filesystem::remove(path);  // of another worker: nobody may take it for this one's
            std::printf("left out: %s: %s\n", path.c_str(), trouble.what());
            all = false;
            continue;
        }
        csv_file file(path, options.comments, table->header);
        for (const std::string& line : lines)
            file.add(line);
        file.finish();
    }
    return all;
}

}  // namespace check
