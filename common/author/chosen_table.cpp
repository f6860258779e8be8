// The table in a handout of what make fastest chooses for a filter, made from its recorded times.
#include <map>

#include "author/handout_tables.h"
#include "author/recorded_times.h"
#include "author/regions.h"

namespace author {

std::string chosen_table(const std::string& csv, const std::string& image, const std::string& accuracy,
                         const std::string& published) {
    std::vector<std::string> headings{"method", "ms", "one in a row", "error", "of a plain loop"};
    std::map<std::string, std::string> best;
    if (!published.empty()) {
        headings.push_back("best published");
        for (const auto& row : rows_of(read_text(published)))
            best[filter_of(row)] = written_ms(std::stod(cell(row, "ms"))) + ", " + cell(row, "by");
    }
    std::string table = headings_of("filter (w x h)", headings);
    for (const auto& row : rows_of(csv)) {
        const std::string images = cell(row, "images") == "1" ? "" : cell(row, "images") + "x";
        const bool is_wanted = images + cell(row, "width") + "x" + cell(row, "height") == image &&
                               cell(row, "chosen") == "1" && cell(row, "accuracy") == accuracy;
        if (!is_wanted) continue;
        const bool is_random = cell(row, "filter_kind") == "random";
        const std::string filter = filter_of(row);
        const auto ms = [&](const char* column) { return written_ms(std::stod(cell(row, column))); };
        std::vector<std::string> cells{cell(row, "method"), ms("kernel_ms"), ms("row_ms"), cell(row, "error"),
                                       cell(row, "loop_error")};
        if (!published.empty()) cells.push_back(is_random ? best[filter] : "");
        table += line_of(filter + (is_random ? "" : ", " + cell(row, "filter_kind")), cells);
    }
    return table;
}

}  // namespace author
