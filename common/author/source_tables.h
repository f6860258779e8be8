// The tables that the sources print, with our recorded numbers and the ratio beside theirs.
#pragma once
#include <string>
#include <vector>

namespace author {

struct source_table {
    std::vector<std::string> headings;
    std::vector<std::vector<std::string>> rows;  // "" where nothing is recorded
};

/// "beukman_table1", "ichimura_table1", ..., by source and table.
std::vector<std::string> source_table_names();

/// The table of this name, from data/published and from the files of the folder `measured`. Of every printed
/// number: it, ours, and how many times faster we are (of speed-ups: how many times theirs). Throws
/// std::runtime_error if there is no such table, not_recorded naming a file of ours that is not there.
source_table read_source_table(const std::string& name, const std::string& measured);

std::string as_markdown(const source_table& table);
std::string as_csv(const source_table& table);

/// Writes every table as NAME.md and NAME.csv into the folder `out`; a line for each that could not be made.
/// Returns how many of these there are.
int write_source_tables(const std::string& measured, const std::string& out);

}  // namespace author
