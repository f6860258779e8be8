// The tables beside a lab's heat map, in order of definition.
#include "bench/map_table.h"

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "bench/results.h"

namespace bench {

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

bool write_map_tables(const options& asked, check::session& judged) {
    bool all = true;
    for (const map_table* table : all_tables()) {
        const auto path =
            std::filesystem::path(asked.csv).replace_filename(judged.lab() + "." + table->name + ".csv");
        std::vector<std::string> lines;
        try {
            lines = table->fill(judged.active());
        } catch (const std::runtime_error& trouble) {
            std::filesystem::remove(path);  // of another worker: nobody may take it for this one's
            std::printf("left out: %s: %s\n", path.c_str(), trouble.what());
            all = false;
            continue;
        }
        csv_file file(path, asked.comments, table->header);
        for (const std::string& line : lines)
            file.add(line);
        file.finish();
    }
    return all;
}

}  // namespace bench
