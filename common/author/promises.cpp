// The promises a lab makes: its skeleton, its solution, its wrong and right kernels, its regions.
#include "author/promises.h"

#include <algorithm>
#include <regex>
#include <stdexcept>

#include "author/handout_tables.h"
#include "author/known_right.h"
#include "author/known_wrong.h"
#include "author/regions.h"
#include "author/steps.h"
#include "diagnose/causes.h"

namespace fs = std::filesystem;

namespace author {
namespace {

constexpr int LEAST_WRONG = 8;  // kernels that make a typical mistake
constexpr int LEAST_RIGHT = 3;  // kernels that are unusual but right

std::string number(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string points(const judgement& what) {
    return what.trouble.empty() ? number(what.points) + "/" + number(what.of) : "none";
}

std::string share(int good, int all) {
    return std::to_string(good) + "/" + std::to_string(all);
}

/// What a row of the handout's table of tasks, "| 05.2 | what | then it says |", promises after this TODO: its marks
/// <!--! WORDS-->.
std::vector<std::string> promises_after(const std::string& id, const std::string& handout) {
    static const std::regex MARK("<!--! ?([^<>]*?) ?-->");
    std::vector<std::string> words;
    for (const std::string& line : lines_of(handout)) {
        if (!line.starts_with("| " + id + " |")) continue;
        for (std::sregex_iterator mark(line.begin(), line.end(), MARK), end; mark != end; ++mark)
            words.push_back((*mark)[1]);
    }
    return words;
}

/// "10 points", or what is told.
bool keeps(const judgement& seen, const std::string& promise) {
    return promise == number(seen.points) + " points" || seen.start_with.find(promise) != std::string::npos;
}

/// The checks of one lab; each member enters its promises and fills its column.
class lab_promises {
public:
    lab_promises(ledger& book, const std::string& key, const fs::path& cases)
        : book_(book), key_(key), cases_(cases), folder_(fs::path("solutions") / key) {
        row_.key = key;
        const fs::path list = cases / "left_out.txt";
        if (!fs::exists(list)) return;
        const std::vector<std::string> names = lines_of(read_text(list));
        left_out_.insert(names.begin(), names.end());
    }

    lab_row check() {
        const std::string name = key_.substr(3);
        const solution solved = read_solution(folder_ / (name + ".cu"));
        // If not even the solution can be judged, nothing else can: one broken promise says it.
        if (!check_solution()) return row_;
        check_skeleton(solved, fs::path("labs") / key_ / (name + ".cu"));
        check_fast(folder_ / "fast.cu");
        check_wrong();
        check_right();
        check_regions(regions_of(solved));
        check_steps(solved);
        check_handout(regions_of(solved), fs::path("handouts") / (key_ + ".md"));
        return row_;
    }

private:
    void check_skeleton(const solution& solved, const fs::path& file) {
        const bool current = fs::exists(file) && read_text(file) == skeleton_of(solved);
        book_.expect(current, file.string() + " is not what its solution gives: make skeletons");
        const judgement seen = read_judgement(cases_ / "skeleton.json");
        const std::string who = key_ + ": the skeleton ";
        if (book_.expect(seen.trouble.empty(), who + "was not judged: " + seen.trouble)) {
            book_.expect(!seen.full(), who + "has full marks");
            book_.expect(!seen.crashed(), who + "does not fail by value alone: " + how_it_ended(seen));
        }
        row_.skeleton = points(seen) + (current ? "" : ", stale");
    }

    bool check_solution() {
        const judgement seen = read_judgement(cases_ / "solution.json");
        const std::string who = key_ + ": the solution ";
        if (book_.expect(seen.trouble.empty(), who + "was not judged: " + seen.trouble)) {
            book_.expect(seen.full(), who + "scores " + points(seen) + ", loses in " + seen.first_lost());
            double sum = 0;
            for (const check_result& check : seen.checks)
                sum += check.of;
            book_.expect(sum == 100 && seen.of == 100,
                         key_ + ": the points of its checks add up to " + number(sum));
            for (const check_result& check : seen.checks)
                check_names_.push_back(check.name);
        }
        row_.solution = points(seen);
        return seen.trouble.empty();
    }

    /// What is faster than the solution, where there is such a file, is as right.
    void check_fast(const fs::path& file) {
        row_.fast = "-";
        if (!fs::exists(file)) return;
        const std::string opening = "// Lab " + key_.substr(0, 2) + ", faster: ", text = read_text(file);
        book_.expect(text.starts_with(opening) && text[opening.size()] > ' ',
                     file.string() + " does not open with '" + opening + "'");
        const judgement seen = read_judgement(cases_ / "fast.json");
        if (book_.expect(seen.trouble.empty(), file.string() + " was not judged: " + seen.trouble))
            book_.expect(seen.full(),
                         file.string() + " scores " + points(seen) + ", loses in " + seen.first_lost());
        row_.fast = points(seen);
    }

    /// Of a case that was not cut: counted, and judged by make selfcheck.
    bool is_left_out(const std::string& name) {
        const bool left_out = left_out_.count(name) > 0;
        book_.left_out += left_out;
        return left_out;
    }

    void check_wrong() {
        const auto kernels = known_wrong_in(folder_);
        int caught = 0, judged = 0;
        for (const known_wrong& kernel : kernels) {
            const std::string name = "wrong_" + kernel.name;
            if (is_left_out(name)) continue;
            judged++;
            const judgement seen = read_judgement(cases_ / (name + ".json"));
            if (is_caught(kernel, seen)) {
                caught++;
                check_diagnosis(kernel, seen);
            }
        }
        book_.expect(int(kernels.size()) >= LEAST_WRONG, key_ + ": " + std::to_string(kernels.size()) +
                                                             " wrong kernels, at least " +
                                                             std::to_string(LEAST_WRONG) + " are asked for");
        row_.wrong = share(caught, judged);
    }

    bool is_caught(const known_wrong& kernel, const judgement& seen) {
        const std::string who = kernel.where + " ";
        if (std::find(check_names_.begin(), check_names_.end(), kernel.fails) == check_names_.end())
            return book_.expect(false, who + "names no check that it fails: '" + kernel.fails + "'");
        if (!seen.trouble.empty()) return book_.expect(false, who + "was not judged: " + seen.trouble);
        const std::string elsewhere = seen.full() ? "loses no points" : "loses in " + seen.first_lost();
        return book_.expect(seen.loses(kernel.fails),
                            who + "does not lose in '" + kernel.fails + "': " + elsewhere);
    }

    /// A diagnosis is the expected one or absent, never another one.
    void check_diagnosis(const known_wrong& kernel, const judgement& seen) {
        const std::set<std::string>& expected = kernel.diagnosed;
        const std::string who = kernel.where + " ";
        if (expected.empty() && seen.wrong_images() == 0) return;
        book_.expect(!expected.empty(),
                     who + "gives wrong images and says nothing of how they are diagnosed");
        for (const std::string& id : expected)
            book_.expect(id == "nothing" || check::is_known_cause(id),
                         who + "expects the unknown cause '" + id + "'");
        bool named = false, from_output = false;
        for (const check_result& check : seen.checks) {
            for (const std::string& id : check.diagnosed) {
                named = true;
                book_.expect(expected.count(id) > 0,
                             who + "is diagnosed as '" + id + "' in '" + check.name + "'");
            }
            from_output = from_output || !check.diagnosed_from_output.empty();
        }
        // A check that fails often ends before it meets a wrong image.
        if (!named && seen.wrong_images() == 0) {
            book_.expect(!seen.whole(), who + "expects a diagnosis and gives no wrong image");
            return;
        }
        row_.diagnosed += {1, named, from_output};
    }

    void check_right() {
        const std::vector<known_right> kernels = known_right_in(folder_);
        int kept = 0, judged = 0;
        for (const known_right& kernel : kernels) {
            const std::string name = "right_" + kernel.name;
            if (is_left_out(name)) continue;
            judged++;
            const judgement seen = read_judgement(cases_ / (name + ".json"));
            const std::string who = kernel.where + " ";
            book_.expect(!kernel.sentence.empty(), who + "does not open with '// Right: '");
            kept += seen.trouble.empty() ? book_.expect(seen.full(), who + "scores " + points(seen) +
                                                                         ", loses in " + seen.first_lost())
                                         : book_.expect(false, who + "was not judged: " + seen.trouble);
        }
        book_.expect(int(kernels.size()) >= LEAST_RIGHT, key_ + ": " + std::to_string(kernels.size()) +
                                                             " unusual but right kernels, at least " +
                                                             std::to_string(LEAST_RIGHT) + " are asked for");
        row_.right = share(kept, judged);
    }

    void check_regions(const std::vector<region>& regions) {
        book_.expect(!regions.empty(), key_ + ": the solution has no regions");
        int needed = 0, judged = 0;
        for (const region& part : regions) {
            const std::string name = "without_" + part.id;
            if (is_left_out(name)) continue;
            judged++;
            const judgement seen = read_judgement(cases_ / (name + ".json"));
            const std::string who = key_ + ": the solution without region " + part.id + " ";
            needed += seen.trouble.empty() ? book_.expect(!seen.full(), who + "still has full marks")
                                           : book_.expect(false, who + "was not judged: " + seen.trouble);
        }
        row_.regions = share(needed, judged);
    }

    /// What steps.json says is so, and a student who has come so far hears nothing but what is next.
    void check_steps(const solution& solved) {
        const fs::path file = fs::path("labs") / key_ / "steps.json";
        if (!book_.expect(fs::exists(file), file.string() + " is missing: make steps")) return;
        const std::string trouble = contradiction_in(read_text(file), solved, read_without(solved, cases_));
        book_.expect(trouble.empty(), file.string() + ": " + trouble + ": make steps");
        const std::vector<std::string> order = working_order(solved);
        const fs::path page = fs::path("handouts") / (key_ + ".md");
        const std::string handout = fs::exists(page) ? read_text(page) : "";
        for (size_t place = 0; place + 1 < order.size(); place++) {
            const fs::path report = cases_ / ("upto_" + order[place] + ".json");
            if (!fs::exists(report)) continue;
            const judgement seen = read_judgement(report);
            const std::string who = key_ + ": the solution up to " + order[place] + " ";
            if (!book_.expect(seen.trouble.empty(), who + "was not judged: " + seen.trouble)) continue;
            for (size_t other = 0; other < order.size(); other++) {
                const auto found = seen.todos.find(order[other]);
                const std::string state = found == seen.todos.end() ? "unknown" : found->second;
                const bool fits = other <= place       ? state == "ok" || state == "written"
                                  : other == place + 1 ? state == "next"
                                                       : state == "open";
                book_.expect(fits, who + "has " + order[other] + " " + state);
            }
            for (const std::string& promise : promises_after(order[place], handout))
                book_.expect(keeps(seen, promise),
                             who + "does not say '" + promise + "', as the handout does");
        }
    }

    void check_handout(const std::vector<region>& regions, const fs::path& file) {
        if (!book_.expect(fs::exists(file), file.string() + " is missing")) return;
        const std::string text = read_text(file);
        for (const region& part : regions)
            book_.expect(text.find(part.id) != std::string::npos,
                         file.string() + " does not mention " + part.id);
        for (const std::string hint : {"1", "2", "3"})
            book_.expect(text.find("\n### Hint " + hint) != std::string::npos,
                         file.string() + " has no hint " + hint);
        book_.expect(handout_with_tables(text) == text,
                     file.string() + ": what it shows of recorded times is stale: make readme");
    }

    static std::string how_it_ended(const judgement& seen) {
        for (const check_result& check : seen.checks)
            if (check.points < check.of) return "'" + check.name + "' " + check.how;
        return "";
    }

    ledger& book_;
    std::string key_;
    fs::path cases_, folder_;
    lab_row row_;
    std::vector<std::string> check_names_;
    std::set<std::string> left_out_;
};

/// "Lab 05 - 2D convolution, one thread per pixel." gives "2D convolution, one thread per pixel".
std::string title_of(const fs::path& file) {
    const std::string text = read_text(file);
    std::smatch title;
    if (!std::regex_search(text, title, std::regex(R"(^// Lab \d\d - ([^\n]*)\.)")))
        throw std::runtime_error(file.string() + ": the first line is not '// Lab NN - title.'");
    return title[1];
}

}  // namespace

diagnosis_count& diagnosis_count::operator+=(const diagnosis_count& other) {
    spoiled += other.spoiled;
    named += other.named;
    from_output += other.from_output;
    return *this;
}

std::string to_text(const diagnosis_count& count) {
    return "diagnosed " + std::to_string(count.named) + " of " + std::to_string(count.spoiled) + " (" +
           std::to_string(int(100.0 * count.rate())) + " %), " + std::to_string(count.from_output) +
           " of them from the output alone";
}

lab_row check_lab(ledger& book, const std::string& key, const fs::path& cases) {
    return lab_promises(book, key, cases).check();
}

std::string readme_with_table(const std::string& readme, const std::vector<std::string>& keys) {
    std::string table = "| lab | what it is about | tasks | lines to write |\n|---|---|---|---|\n";
    for (const std::string& key : keys) {
        const fs::path file = fs::path("solutions") / key / (key.substr(3) + ".cu");
        const auto regions = regions_of(read_solution(file));
        int lines = 0;
        for (const region& part : regions)
            lines += part.code_lines();
        table += "| [" + key + "](handouts/" + key + ".md) | " + title_of(file) + " | " +
                 std::to_string(regions.size()) + " | " + std::to_string(lines) + " |\n";
    }
    return with_inside(readme, "<!-- labs: make readme -->", "<!-- /labs -->", table, "README.md");
}

}  // namespace author
