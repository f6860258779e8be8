// Writes and checks labs/NN_name/steps.json.
#include "author/steps.h"
#include "call/code_line.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace fs = std::filesystem;

namespace author {
namespace {

using json = nlohmann::ordered_json;

/// The skeleton's lines of code from a TODO on: the region's stand-ins and the line behind them.
std::vector<std::string> lines_left(const solution& solved, const std::string& id) {
    auto part = std::find_if(solved.begin(), solved.end(),
                             [&](const piece& one) { return one.is_region && one.inside.id == id; });
    std::vector<std::string> lines;
    for (const std::string& line : part->inside.stand_in)
        if (!check::code_in(line).empty()) lines.push_back(check::code_in(line));
    while (++part != solved.end()) {
        const std::string line = part->is_region ? "// TODO" : check::code_in(part->line.text);
        if (line.empty()) continue;
        lines.push_back(line);
        break;
    }
    return lines;
}

json todos_of(const solution& solved) {
    auto todos = json::array();
    for (const std::string& id : working_order(solved))
        todos.push_back({{"id", id}, {"skeleton", lines_left(solved, id)}});
    return todos;
}

/// {"CHECK": {"METHOD": "05.1 05.3"}}: checks in their order, methods by name, whichever failed first.
json needed_in(const solution& solved, const judged_without& without) {
    auto needed = json::object();
    std::map<std::string, std::map<std::string, std::string>> ids;
    for (const std::string& id : working_order(solved)) {
        const auto judged = without.find(id);
        if (judged == without.end()) continue;
        for (const check_result& check : judged->second.checks) {
            for (const std::string& method : check.failing) {
                std::string& list = ids[check.name][method];
                list += (list.empty() ? "" : " ") + id;
            }
            needed[check.name] = ids[check.name];
        }
    }
    return needed;
}

}  // namespace

std::string steps_of(const solution& solved, const judged_without& without) {
    const json steps = {{"todos", todos_of(solved)}, {"needed", needed_in(solved, without)}};
    return steps.dump(2) + "\n";
}

std::string contradiction_in(const std::string& steps, const solution& solved,
                             const judged_without& without) {
    const json known = json::parse(steps, nullptr, false);
    if (!known.is_object() || known.value("todos", json()) != todos_of(solved))
        return "its TODOs are not those of the skeleton";
    for (const auto& [id, judged] : without) {
        for (const check_result& check : judged.checks) {
            if (!check.ran) continue;
            const json methods = known.value("needed", json::object()).value(check.name, json::object());
            std::set<std::string> said;
            for (const auto& [method, ids] : methods.items())
                if ((" " + ids.get<std::string>() + " ").find(" " + id + " ") != std::string::npos)
                    said.insert(method);
            if (said != std::set<std::string>(check.failing.begin(), check.failing.end()))
                return "not what '" + check.name + "' says without " + id;
        }
    }
    return "";
}

judged_without read_without(const solution& solved, const fs::path& cases) {
    judged_without found;
    for (const std::string& id : working_order(solved))
        found[id] = read_judgement(cases / ("without_" + id + ".json"));
    return found;
}

void write_steps(const std::string& key, const fs::path& cases) {
    const solution solved = read_solution(solution_in(fs::path("solutions") / key));
    const judged_without without = read_without(solved, cases);
    for (const auto& [id, seen] : without) {
        const bool whole =
            std::all_of(seen.checks.begin(), seen.checks.end(), [](const auto& check) { return check.ran; });
        if (!seen.trouble.empty() || !whole)
            throw std::runtime_error((cases / ("without_" + id)).string() +
                                     ": not judged with every check: make steps");
    }
    write_text(fs::path("labs") / key / "steps.json", steps_of(solved, without));
}

}  // namespace author
