// labs/NN_name/steps.json: what the skeleton has of each TODO, and which of them a check needs.
#pragma once
#include <map>
#include <string>

#include "author/promises.h"
#include "author/regions.h"

namespace author {

/// What came of the solution without one of its regions, by the region's id.
using judged_without = std::map<std::string, judgement>;

/// The file's text, which check/steps.h reads: "todos", in working order, each with the skeleton's lines of code that it
/// leaves there and the one behind them, "// TODO" where that is the next; "needed", by check and method the TODOs without which it fails.
std::string steps_of(const solution& solved, const judged_without& without);

/// Where the text says something else than that; of checks that were not run nothing is known. "" if nowhere.
std::string contradiction_in(const std::string& steps, const solution& solved, const judged_without& without);

/// The judgements `cases`/without_ID.json, those that are there.
judged_without read_without(const solution& solved, const std::filesystem::path& cases);

/// Writes labs/KEY/steps.json. Throws std::runtime_error if a case was not judged with every check.
void write_steps(const std::string& key, const std::filesystem::path& cases);

}  // namespace author
