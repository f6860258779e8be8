// Finds the places of tables in handouts and fills them.
#include "author/handout_tables.h"

#include <filesystem>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "author/quoted_values.h"
#include "author/recorded_times.h"
#include "author/regions.h"
#include "author/source_tables.h"

namespace author {
namespace {

const std::regex OPENING(R"(<!-- (steps|peers|times|chosen|source) (.*): make readme -->)");

std::string not_measured_yet(const std::string& file, const std::string& part) {
    return "Not measured yet: `make record PARTS=" + part + "` on a GPU writes `" + file + "`.\n";
}

std::string table_of(const std::string& kind, const std::string& what) {
    std::istringstream split(what);
    const std::vector<std::string> words{std::istream_iterator<std::string>(split), {}};
    try {
        if (kind == "peers") return peers_table(words.at(0), words.at(1), words.at(2));
        if (kind == "source") return as_markdown(read_source_table(words.at(0), words.at(1)));
        if (kind == "times")
            return times_table(words.at(0), words.at(1), words.at(2), {words.begin() + 3, words.end()});
        const std::string& file = words.at(0);
        if (kind == "chosen")
            return std::filesystem::exists(file)
                       ? chosen_table(read_text(file), words.at(1), words.at(2),
                                      words.size() > 3 ? words[3] : "")
                       : "Not measured yet: `make tune` on a GPU writes `" + file + "`.\n";
        return std::filesystem::exists(file) ? steps_table(read_text(file))
                                             : not_measured_yet(file, "staircase");
    } catch (const not_recorded& missing) {
        return not_measured_yet(missing.file, "bench");
    }
}

}  // namespace

std::string with_inside(const std::string& text, const std::string& opening, const std::string& closing,
                        const std::string& inside, const std::string& who) {
    const size_t from = text.find(opening + "\n"), to = text.find(closing);
    if (from == std::string::npos || to == std::string::npos || to < from)
        throw std::runtime_error(who + ": the markers '" + opening + "' and '" + closing + "' are missing");
    return text.substr(0, from) + opening + "\n" + inside + text.substr(to);
}

std::string handout_with_tables(const std::string& handout) {
    std::string text, closing;  // closing: the line up to which the old table goes
    const auto no_end = [&] {
        return std::runtime_error("handout: no line '" + closing + "' after a table");
    };
    for (const std::string& line : lines_of(handout)) {
        std::smatch opening;
        const bool opens = std::regex_match(line, opening, OPENING);
        if (!closing.empty() && opens) throw no_end();
        if (!closing.empty() && line != closing) continue;
        closing.clear();
        text += line + "\n";
        if (!opens) continue;
        text += table_of(opening[1], opening[2]);
        closing = "<!-- /" + opening[1].str() + " -->";
    }
    if (!closing.empty()) throw no_end();
    recorded_data data;
    return with_values(text, data);
}

}  // namespace author
