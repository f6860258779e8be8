// The rooms of common/: every #include follows an arrow of the table in common/ARCHITECTURE.md.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "author/regions.h"

namespace fs = std::filesystem;

namespace {

/// Rooms in the order of the page, from the bottom up, each with those it may use.
struct house {
    std::vector<std::string> order;
    std::map<std::string, std::set<std::string>> may_use;

    bool below(const std::string& one, const std::string& other) const {
        return std::find(order.begin(), order.end(), one) < std::find(order.begin(), order.end(), other);
    }
};

house read_page(const std::string& text) {
    static const std::regex row(R"(^\| `([a-z/]+)` \| [^|]+ \|([^|]*)\|$)"), name("`([a-z/]+)`");
    house found;
    for (const std::string& line : author::lines_of(text)) {
        std::smatch cells;
        if (!std::regex_match(line, cells, row)) continue;
        const std::string room = cells[1], others = cells[2];
        found.order.push_back(room);
        auto& allowed = found.may_use[room];
        for (std::sregex_iterator word(others.begin(), others.end(), name), end; word != end; ++word)
            allowed.insert((*word)[1]);
    }
    return found;
}

/// The room of a file below common/; headers of simt/include lie deeper.
std::string room_of(const fs::path& file) {
    const std::string folder = file.parent_path().generic_string();
    return folder.starts_with("simt/include") ? "simt/include" : folder;
}

struct include {
    std::string from, line, room, used;
};

/// Every #include of a file in another room; system headers and CUDA's stand in no room.
std::vector<include> includes_of(const fs::path& common) {
    static const std::regex wanted(R"re(^#include "([^"]+)".*)re");
    std::vector<include> found;
    for (const auto& entry : fs::recursive_directory_iterator(common)) {
        const std::string kind = entry.path().extension().string();
        if (kind != ".h" && kind != ".cpp" && kind != ".cu") continue;
        const fs::path file = fs::relative(entry.path(), common);
        for (const std::string& line : author::lines_of(author::read_text(entry.path()))) {
            std::smatch match;
            if (!std::regex_match(line, match, wanted) || !fs::exists(common / match[1].str())) continue;
            const std::string from = room_of(file), used = room_of(match[1].str());
            if (from != used) found.push_back({file.generic_string(), line, from, used});
        }
    }
    return found;
}

std::vector<std::string> forbidden(const house& rooms, const std::vector<include>& all) {
    std::vector<std::string> found;
    for (const include& one : all) {
        const auto allowed = rooms.may_use.find(one.room);
        if (allowed == rooms.may_use.end())
            found.push_back(one.from + ": its room is not in common/ARCHITECTURE.md");
        else if (!allowed->second.count(one.used))
            found.push_back(one.from + ": " + one.line + ": `" + one.room + "` may not use `" + one.used +
                            "`");
    }
    return found;
}

}  // namespace

TEST_CASE("every include follows an arrow of the page") {
    const house rooms = read_page(author::read_text("common/ARCHITECTURE.md"));
    REQUIRE(rooms.order.size() > 10);
    for (const std::string& sentence : forbidden(rooms, includes_of("common")))
        FAIL_CHECK(sentence);
}

TEST_CASE("every room of the page is there, and every arrow points down and is used") {
    const house rooms = read_page(author::read_text("common/ARCHITECTURE.md"));
    std::set<std::pair<std::string, std::string>> used;
    for (const include& one : includes_of("common"))
        used.insert({one.room, one.used});
    for (const std::string& room : rooms.order) {
        CHECK_MESSAGE(fs::is_directory("common/" + room), room);
        for (const std::string& other : rooms.may_use.at(room)) {
            CHECK_MESSAGE(rooms.below(other, room), room, " stands below ", other);
            CHECK_MESSAGE(used.count({room, other}) == 1, room, " need not use ", other);
        }
    }
}

TEST_CASE("an arrow that is not on the page is named with its file and line") {
    const house rooms = read_page("| `low` | words | |\n| `high` | words | `low` |\n");
    CHECK(forbidden(rooms, {{"high/a.h", "#include \"low/b.h\"", "high", "low"}}).empty());
    CHECK(forbidden(rooms, {{"low/b.h", "#include \"high/a.h\"", "low", "high"}}) ==
          std::vector<std::string>{"low/b.h: #include \"high/a.h\": `low` may not use `high`"});
    CHECK(forbidden(rooms, {{"new/c.h", "#include \"low/b.h\"", "new", "low"}}) ==
          std::vector<std::string>{"new/c.h: its room is not in common/ARCHITECTURE.md"});
}
