// The counts of a kernel beside those of the reference solution and the closed forms.
#include "check/modes/inspect_table.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>

#include "call/plain_text.h"
#include "diagnose/launch_tile.h"
#include "inspect/report/report_meaning.h"

namespace check {

namespace {

using memory = counted_accesses::memory;
using operation = counted_accesses::operation;

/// What a launch must load of in if it loads what it needs once: all taps inside the image if every thread
/// loads its own, else its tiles with their halos, clipped to the image. Nothing where textures answer, or
/// where the tile has another shape.
struct closed_form {
    double value = 0;
    std::string what;
};

std::optional<closed_form> loads_of_input(const inspect::report& seen, const problem_2d& problem) {
    if (seen.launches.size() != 1 || seen.total().texture.lanes > 0) return {};
    const inspect::launch& launch = seen.launches[0];
    if (launch.total.shared.stores.lanes == 0) {
        const double taps = inside_taps(problem);
        return closed_form{taps, "every tap that meets a pixel"};
    }
    const output_tile tile = tile_of(launch, problem);
    if (!tile.has_halo) return {};
    const double cells = double(clipped_tiles(problem.in.width, tile.width, problem.filter.width / 2)) *
                         double(clipped_tiles(problem.in.height, tile.height, problem.filter.height / 2)) *
                         problem.in.channels;
    // Of one block's tile only this is known: it has room for everything.
    if (tile.width >= problem.in.width && tile.height >= problem.in.height)
        return closed_form{cells, "every value once: one block takes them all"};
    return closed_form{cells, fmt::format("tiles of {} x {} with their halos", tile.width, tile.height)};
}

class count_table {
public:
    count_table(const inspect::report& yours, const inspect::report* reference)
        : yours_(yours), reference_(reference) {
        text_ = fmt::format("  {:38} {:>11}", "", "yours");
        if (reference_) text_ += fmt::format(" {:>11}", "reference");
        text_ += fmt::format(" {:>11}\n", "closed form");
    }

    /// The accesses themselves, under their own words.
    void add(const counted_accesses& what, const std::optional<closed_form>& right = {}) {
        add(
            what.words(), what, [](const inspect::traffic& seen) { return double(seen.lanes); }, right);
    }
    /// Something about them. The row is left out where both have none.
    void add(const std::string& name, const counted_accesses& what, double (*count)(const inspect::traffic&),
             const std::optional<closed_form>& right = {}) {
        add(name, count(what.in(yours_)), reference_ ? count(what.in(*reference_)) : 0.0, right);
    }
    void add_matrix_products() {
        const auto products = [](const inspect::report& seen) {
            return double(seen.total().matrix_products);
        };
        add("products of matrices (mma_sync)", products(yours_), reference_ ? products(*reference_) : 0.0);
    }
    const std::string& text() const { return text_; }

private:
    void add(const std::string& name, double mine, double theirs,
             const std::optional<closed_form>& right = {}) {
        if (mine == 0.0 && theirs == 0.0) return;
        text_ += fmt::format("  {:38} {:>11}", name, count_text(mine));
        if (reference_) text_ += fmt::format(" {:>11}", count_text(theirs));
        if (right)
            text_ += fmt::format(" {:>11}\n      closed form: {}", count_text(right->value), right->what);
        text_ += "\n";
    }

    const inspect::report& yours_;
    const inspect::report* reference_;
    std::string text_;
};

double requests(const inspect::traffic& seen) {
    return double(seen.requests);
}

void add_sectors(count_table& table, const counted_accesses& what, bool brief) {
    table.add("  requests of warps", what, requests);
    table.add("  sectors per request", what,
              [](const inspect::traffic& seen) { return seen.sectors_per_request(); });
    if (brief) return;
    table.add("  sectors per request at best", what, [](const inspect::traffic& seen) {
        return seen.requests == 0 ? 0.0 : double(seen.ideal) / double(seen.requests);
    });
}

void add_shared(count_table& table, operation which) {
    const counted_accesses what(memory::shared, which);
    table.add(what);
    table.add("  requests of warps", what, requests);
    table.add("  passes over the banks (wavefronts)", what,
              [](const inspect::traffic& seen) { return double(seen.wavefronts); });
    table.add("  of them for bank conflicts", what,
              [](const inspect::traffic& seen) { return double(seen.conflicts()); });
}

/// The text of a source line, without its margin; "" if the file is not there. The worker named it: what is no
/// ordinary file might never end.
std::string source_line(const std::string& path, int line) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) return "";
    std::ifstream file(path);
    std::string text;
    for (int k = 0; k < line; k++) {
        if (!std::getline(file, text)) return "";
    }
    const size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : printable(text.substr(begin, 100));
}

std::string line_counts(const inspect::line_traffic& line) {
    const std::string variable = line.variable.empty() ? "" : " of " + line.variable;
    return printable(fmt::format("{} {}{}: {} access{} in {} request{}", line.space, line.direction, variable,
                                 line.seen.lanes, line.seen.lanes == 1 ? "" : "es", line.seen.requests,
                                 line.seen.requests == 1 ? "" : "s"));
}

}  // namespace

std::string table_of_counts(const inspect::report& yours, const inspect::report* reference,
                            const problem_2d& problem, bool brief) {
    count_table table(yours, reference);
    const counted_accesses in(memory::global, operation::load, "in"),
        filter(memory::global, operation::load, "filter"), out(memory::global, operation::store, "out"),
        global(memory::global, operation::load), constant(memory::constant, operation::load),
        texture(memory::texture, operation::load);
    table.add(in, loads_of_input(yours, problem));
    add_sectors(table, in, brief);
    table.add(filter);
    // Of several passes the others store elsewhere.
    const closed_form one_pass{double(problem.in.pixels.size()), "one for each result"};
    table.add(out, problem.passes == 1 ? std::optional(one_pass) : std::nullopt);
    add_sectors(table, out, brief);
    if (!brief)
        table.add("global loads, all", global,
                  [](const inspect::traffic& seen) { return double(seen.lanes); });
    add_shared(table, operation::store);
    add_shared(table, operation::load);
    table.add(constant);
    table.add("  requests of warps", constant, requests);
    table.add(
        "  addresses per request", constant,
        [](const inspect::traffic& seen) { return seen.wavefronts_per_request(); },
        closed_form{1, "a broadcast"});
    table.add(texture);
    table.add("  requests of warps", texture, requests);
    table.add_matrix_products();
    std::string guesses;
    for (const inspect::guessed_array& guess : yours.guesses)
        guesses += "  " + printable(to_text(guess)) + "\n";
    return table.text() + guesses;
}

std::string table_of_lines(const inspect::report& seen) {
    std::string text;
    for (const std::vector<const inspect::launch*>& alike : seen.launches_alike()) {
        if (alike.size() > 1)
            text += fmt::format("  {} launches of {} together:\n", alike.size(), printable(alike[0]->kernel));
        std::string place;
        for (const inspect::line_traffic& line : inspect::merged_lines(alike)) {
            const std::string here =
                fmt::format("{}:{}", std::filesystem::path(line.file).filename().string(), line.line);
            if (here != place) text += fmt::format("  {}   {}\n", here, source_line(line.file, line.line));
            place = here;
            text += "      " + line_counts(line) + "\n";
            const std::string sense = inspect::meaning(line, inspect::sample_of(alike[0]->drawn, line));
            if (!sense.empty()) text += "      " + sense + "\n";
        }
    }
    return text;
}

std::string table_of_expected_counts(const std::vector<expected_count>& yours,
                                     const std::vector<expected_count>& reference, bool brief) {
    constexpr int FEW = 5;
    if (yours.empty()) return "";
    std::string text, check;
    int met = 0, missed = 0;
    for (const expected_count& one : worst_of_each(yours)) {
        (one.met ? met : missed)++;
        if (brief && (one.met || missed > FEW)) continue;
        if (one.check != check) text += "  " + printable(one.check) + "\n";
        check = one.check;
        text += fmt::format("    {}  {}: {}", one.met ? "met   " : "MISSED", printable(one.what.words()),
                            to_text(one));
        const auto same = std::find_if(reference.begin(), reference.end(), [&](const expected_count& other) {
            return other.check == one.check && other.subject == one.subject &&
                   other.what.words() == one.what.words();
        });
        if (same != reference.end()) text += fmt::format(" (reference {})", count_text(same->now));
        text += fmt::format("\n            in {}\n", printable(one.subject));
    }
    if (brief) text += fmt::format("  {} of {} counts are met; ALL=1 lists them\n", met, met + missed);
    return text;
}

}  // namespace check
