// The tables of recorded times in handouts.
#include "author/handout_tables.h"

#include <filesystem>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "author/peers_table.h"
#include "author/regions.h"
#include "author/steps_table.h"
#include "author/times_table.h"

namespace author {
namespace {

using word_list = std::vector<std::string>;

std::string steps(const word_list& words) {
    const std::string& file = words.at(0);
    if (std::filesystem::exists(file)) return steps_table(read_text(file));
    return "Not measured yet: `make record PARTS=staircase` on a GPU writes `" + file + "`.\n";
}

std::string peers(const word_list& words) {
    return peers_table(words.at(0), words.at(1), words.at(2));
}

std::string times(const word_list& words) {
    return times_table(words.at(0), words.at(1), words.at(2), {words.begin() + 3, words.end()});
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
    std::string text = handout;
    const std::string end = ": make readme -->";
    const auto fill = [&](const std::string& kind, std::string (*table_of)(const word_list&)) {
        const std::string begin = "<!-- " + kind + " ";
        const size_t from = text.find(begin), to = text.find(end, from);
        if (from == std::string::npos || to == std::string::npos) return;
        const std::string what = text.substr(from + begin.size(), to - from - begin.size());
        std::istringstream split(what);
        const word_list words{std::istream_iterator<std::string>(split), {}};
        text = with_inside(text, begin + what + end, "<!-- /" + kind + " -->", table_of(words), "handout");
    };
    fill("steps", steps);
    fill("peers", peers);
    fill("times", times);
    return text;
}

}  // namespace author
