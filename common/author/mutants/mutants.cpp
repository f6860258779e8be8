// Makes mutants out of changes.
#include "author/mutants/mutants.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "author/mutants/number.h"
#include "author/mutants/operators.h"
#include "author/regions.h"
#include "call/code_line.h"

namespace fs = std::filesystem;

namespace author {
namespace {

constexpr int DIGITS = 6;  // of an id: that two of 500 share them has a chance of one in 130

/// Every line's region, by its number; "-" outside.
std::map<int, std::string> regions_by_line(const fs::path& solution) {
    std::map<int, std::string> ids;
    for (const region& part : regions_of(read_solution(solution)))
        for (const code_line& line : part.code)
            ids[line.number] = part.id;
    return ids;
}

/// The lines of a piece of text, without comments and blanks at their ends; empty ones are left out.
std::vector<std::string> bare_lines(const std::string& text) {
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(text))
        if (const std::string bare = check::code_in(line); !bare.empty()) lines.push_back(bare);
    return lines;
}

std::string joined(const std::vector<std::string>& lines, const char* between) {
    std::string text;
    for (size_t k = 0; k < lines.size(); k++)
        text += (k ? between : "") + lines[k];
    return text;
}

/// A change in the text: whole lines before and after, and the whole text after.
class changed_text {
public:
    changed_text(const std::string& text, const change& what) : text_(text), what_(what) {
        const size_t line_end = text.find('\n', what.end);
        begin_ = text.rfind('\n', what.begin) + 1;
        if (what.begin > 0 && text[what.begin] == '\n') begin_ = text.rfind('\n', what.begin - 1) + 1;
        end_ = line_end == std::string::npos ? text.size() : line_end;
    }

    int line() const { return 1 + int(std::count(text_.begin(), text_.begin() + long(begin_), '\n')); }
    std::string lines_before() const { return text_.substr(begin_, end_ - begin_); }
    std::string lines_after() const {
        return text_.substr(begin_, what_.begin - begin_) + what_.text +
               text_.substr(what_.end, end_ - what_.end);
    }

    /// As many lines as before.
    std::string whole() const {
        const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
        const long missing = lines(lines_before()) - lines(lines_after());
        return text_.substr(0, begin_) + lines_after() + std::string(size_t(std::max(0l, missing)), '\n') +
               text_.substr(end_);
    }

private:
    const std::string& text_;
    const change& what_;
    size_t begin_, end_;
};

/// The last binary digits of a number from behind: 0b0011 gives 0b1100.
size_t mirrored(size_t number, int digits) {
    size_t other = 0;
    for (int k = 0; k < digits; k++, number >>= 1)
        other = 2 * other + (number & 1);
    return other;
}

}  // namespace

std::vector<mutant> mutants_of(const fs::path& solution) {
    const std::string text = read_text(solution);
    const solution_code code(text);
    std::vector<change> changes;
    change_expressions(code, changes);
    change_names(code, changes);
    take_out(code, changes);
    std::stable_sort(changes.begin(), changes.end(),
                     [](const change& a, const change& b) { return a.begin < b.begin; });

    const auto regions = regions_by_line(solution);
    const std::string opening = "#line 1 \"" + solution.string() + "\"\n";
    std::vector<mutant> all;
    std::map<std::string, int> times;
    std::set<std::string> texts = {text};
    for (const change& one : changes) {
        const changed_text changed(text, one);
        const std::string whole = changed.whole();
        if (!texts.insert(whole).second) continue;
        mutant made{"",
                    one.name,
                    "-",
                    changed.line(),
                    bare_lines(changed.lines_before()),
                    bare_lines(changed.lines_after()),
                    opening + whole};
        const int own_line = 1 + int(std::count(text.begin(), text.begin() + long(one.begin), '\n'));
        if (regions.count(own_line)) made.region = regions.at(own_line);
        const std::string key =
            one.name + "\n" + joined(made.before, "\n") + "\n" + joined(made.after, "\n") + "\n";
        made.id = one.name + "_" + number_of(key + std::to_string(times[key]++), DIGITS);
        all.push_back(std::move(made));
    }
    return all;
}

std::string to_line(const mutant& what) {
    return what.region + "  line " + std::to_string(what.line) + "  " + what.id + "  " +
           joined(what.before, " ") + "  ->  " + (what.after.empty() ? "(nothing)" : joined(what.after, " "));
}

std::vector<mutant> sample_of(const std::vector<mutant>& all, const std::string& lab, size_t count) {
    std::vector<size_t> side_by_side(all.size());
    std::iota(side_by_side.begin(), side_by_side.end(), size_t(0));
    std::sort(side_by_side.begin(), side_by_side.end(), [&](size_t a, size_t b) {
        return std::tie(all[a].region, all[a].change, all[a].id) <
               std::tie(all[b].region, all[b].change, all[b].id);
    });
    // van der Corput's places: however many of them are taken, they lie evenly.
    const int digits = std::bit_width(all.size());
    const size_t places = size_t(1) << digits, shift = std::stoul(number_of(lab, 8), nullptr, 16);
    std::vector<size_t> taken;
    for (size_t k = 0; k < places && taken.size() < count; k++) {
        const size_t place = (mirrored(k, digits) ^ shift) % places;
        if (place < all.size()) taken.push_back(side_by_side[place]);
    }
    std::sort(taken.begin(), taken.end());
    std::vector<mutant> sample;
    for (const size_t index : taken)
        sample.push_back(all[index]);
    return sample;
}

}  // namespace author
