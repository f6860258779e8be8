// Inspect: every method of the lab once under the inspector, on a problem small enough to count by hand.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "call/plain_text.h"
#include "check/failure_lines.h"
#include "check/method.h"
#include "check/modes/bound.h"
#include "check/modes/check_mode.h"
#include "check/modes/inspect_mode.h"
#include "check/modes/inspect_table.h"
#include "check/modes/pictures.h"
#include "check/terminal.h"
#include "check/verdict_lines.h"
#include "diagnose/diagnose.h"
#include "inspect/report/report_counters.h"
#include "inspect/report/timeline.h"
#include "problem/compare.h"
#include "problem/describe.h"
#include "problem/sample.h"

namespace check {

namespace {

constexpr char GPUS[] = "data/gpus.csv";

void tell(const std::string& text) {
    std::fputs(for_terminal(text).c_str(), stdout);
}

/// One row for each launch.
class counts_file {
public:
    counts_file(const std::string& path, const std::string& lab) : path_(path), lab_(lab) {
        if (path_.empty()) return;
        file_.open(path_);
        file_ << inspect::counters_header() << '\n';
    }

    void add(const std::string& method, const inspect::report& seen) {
        if (path_.empty()) return;
        for (const inspect::launch& one : seen.launches)
            file_ << inspect::counters_row(lab_ + "/" + method, one) << '\n';
        if (!file_.flush()) throw std::runtime_error(path_ + ": cannot be written");
    }

private:
    std::string path_, lab_;
    std::ofstream file_;
};

const problem_2d& in_two_dimensions(const problem_2d& problem) {
    return problem;
}

problem_2d in_two_dimensions(const problem_1d& problem) {
    return as_row(problem);
}

/// One inspection: your worker, the reference's if there is one, and where results go.
class inspection {
public:
    inspection(const inspect_options& options, const inspect_wishes& asked, session& run)
        : run_(run),
          everything_(options.all || !asked.methods.empty()),
          all_(options.all),
          sizes_asked_(asked.any_size()),
          counts_(options.csv, run.lab()) {
        // First what can be refused: earlier pictures then stay as they are.
        const std::vector<gpu_facts> gpus = read_gpus(GPUS);
        const std::string here = run.active().is_for_gpu() ? run.active().device() : "";
        gpu_ = wanted_gpu(gpus, options.gpu, here);
        if (!options.reference.empty()) reference_.emplace(options.reference);
        if (!options.pictures.empty()) pictures_.emplace(options.pictures, options.all);
        if (!options.registers.empty()) registers_ = read_registers(text_of(options.registers));
    }

    /// True if the result is right and nothing was found.
    template <class method, class problem>
    bool inspect_one(const method& m, const problem& p) {
        std::vector<float> out(shape_of(p).values(), NAN);
        const call_options options = usual_options(p);
        call_result result = m.run(run_.inspected(), options, out, p);
        tell_tile_cells(result.seen, p);
        past_.called(p, result.returned());
        counts_.add(m.name, result.seen);
        const diagnosis cause = options.one_of_blocks > 1 ? diagnosis{} : diagnosed(m.name, result, out, p);
        std::string trouble = result.returned() ? wrong_result(out, p, cause)
                                                : "  The call failed: " + printable(result.trouble) + "\n";
        if (trouble.empty()) {
            const std::string foreign = not_from_kernels(result.seen, shape_of(p));
            if (!foreign.empty()) trouble = "  The result is right, but " + foreign + "\n";
        }
        const bool right = trouble.empty() && result.seen.clean();
        const bool drawn = pictures_ && result.returned() && options.one_of_blocks == 1;
        if (everything_) {
            tell(full_text(m, p, result, trouble));
            if (drawn) draw(m, p, result.seen, cause);
            return right;
        }
        const bool in_question = waiting_.size() < MOST_IN_FULL || (!right && all_right());
        waiting_.push_back({in_question ? full_text(m, p, result, trouble) : "",
                            in_short(m.name, result.seen, right),
                            right,
                            {}});
        if (in_question && drawn)
            waiting_.back().draw = [this, m, p, seen = std::move(result.seen), cause] {
                draw(m, p, seen, cause);
            };
        return right;
    }

    /// The same of a case of a check, with its own values.
    template <class method, class problem>
    bool inspect_case(const std::pair<method, problem>& known) {
        draw_as_asked_ = true;
        return inspect_one(known.first, known.second);
    }
    bool inspect_case(std::monostate) { return true; }

    /// The first method that is wrong and others, as many as two screens have room for; of the rest a line each.
    void show_methods(const std::string& last) {
        std::vector<size_t> with_text;
        std::vector<std::string> texts;
        std::vector<bool> right;
        std::string in_short;
        for (size_t k = 0; k < waiting_.size(); k++) {
            in_short += waiting_[k].in_short;
            if (waiting_[k].text.empty()) continue;
            with_text.push_back(k);
            texts.push_back(waiting_[k].text);
            right.push_back(waiting_[k].right);
        }
        for (const size_t k : told_in_full(texts, right, MOST_IN_FULL, in_short + last)) {
            waiting_method& one = waiting_[with_text[k]];
            tell(one.text);
            if (one.draw) one.draw();
            one.in_short.clear();
        }
        std::string others;
        for (const waiting_method& one : waiting_)
            others += one.in_short;
        if (!others.empty())
            tell("\nthe others in short; METHODS=name shows one in full, ALL=1 all:\n" + others);
    }

    /// Verdicts on what the checks ask for.
    std::string text_of_expected_counts() {
        std::vector<expected_count> theirs;
        if (reference_) {
            session solution(run_.lab(), reference_path(), reference_path());
            theirs = expected_counts_of(solution);
        }
        const std::string text = table_of_expected_counts(expected_counts_of(run_), theirs, !all_);
        return text.empty()
                   ? ""
                   : "\nWhat the checks ask for; of several cases the one that is met worst:\n" + text;
    }

private:
    static constexpr size_t MOST_IN_FULL = 2;  // methods, where none are named

    /// A method that is told in full or in short, once all are known.
    struct waiting_method {
        std::string text, in_short;  // no text: in short
        bool right;
        std::function<void()> draw;
    };

    bool all_right() const {
        return std::all_of(waiting_.begin(), waiting_.end(), [](const auto& one) { return one.right; });
    }

    template <class problem>
    static call_options usual_options(const problem& p) {
        call_options options;
        options.timeout_seconds = options.busy_seconds = 300;
        options.one_of_blocks = one_of_blocks(p);
        options.draw = options.one_of_blocks == 1;
        return options;
    }

    template <class problem>
    diagnosis diagnosed(const std::string& name, const call_result& result, std::span<const float> out,
                        const problem& p) const {
        if (!result.returned() || compare(out, convolve_cpu(p)).right()) return {};
        return diagnose(out, p, result.seen, name, past_);
    }

    /// A line or two, "" if the result is right as far as blocks ran.
    template <class problem>
    static std::string wrong_result(std::span<const float> out, const problem& p, const diagnosis& cause) {
        std::string wrong;
        if (one_of_blocks(p) > 1) {
            wrong = wrong_in_sample(out, p);
        } else {
            const reference truth = convolve_cpu(p);
            const comparison found = compare(out, truth);
            if (!found.right()) wrong = first_wrong(out, truth, found, shape_of(p));
        }
        if (wrong.empty()) return "";
        return painted("  The result is wrong: ", RED) + wrong + "\n" +
               (cause.id.empty() ? "" : "  likely: " + cause.text + "\n");
    }

    /// Of a problem too large for all of its blocks: how many ran. There are no pictures of a part.
    static std::string sampled_blocks(const inspect::report& seen) {
        std::string text;
        for (const inspect::launch& one : seen.launches) {
            if (one.is_sampled())
                text += fmt::format(
                    "  {}: {} of {} blocks inspected; counts are scaled to all of them; no pictures\n",
                    one.kernel, one.inspected_blocks, one.blocks());
        }
        return text;
    }

    template <class method, class problem>
    std::string full_text(const method& m, const problem& p, const call_result& result,
                          const std::string& trouble) {
        const std::string text = table(m, p, result.seen) + table_of_lines(result.seen) +
                                 inspect::transforms_text(result.seen, "  ") +
                                 inspect::timeline(result.seen) + findings(result.seen) +
                                 text_of_bounds(result.seen, in_two_dimensions(p), gpu_, registers_) +
                                 sampled_blocks(result.seen) + trouble;
        return "\n" + painted(m.name, BOLD) + ": " + describe(p) + "\n\n" + text;
    }

    /// "  shared_rows            right; 2970 loads of in, 100 requests of 5.40 sectors"
    static std::string in_short(const std::string& name, const inspect::report& seen, bool right) {
        const counted_accesses in(counted_accesses::memory::global, counted_accesses::operation::load, "in");
        const inspect::traffic loads = in.in(seen);
        const std::string counts =
            loads.requests == 0 ? "no global loads of in"
                                : fmt::format("{} loads of in, {} requests of {:.2f} sectors", loads.lanes,
                                              loads.requests, loads.sectors_per_request());
        return fmt::format("  {:22} {}; {}\n", name, right ? painted("right", GREEN) : painted("WRONG", RED),
                           counts);
    }

    /// Pictures are of a block in the middle: of larger inputs, if those that are usual have none.
    void draw(const method_1d& m, const problem_1d& p, const inspect::report& seen, const diagnosis& cause) {
        if (draw_as_asked_) return draw_call(m, p, cause);
        const int n = sizes_asked_ ? p.n() : with_middle_block({p.n(), 1}, seen, as_row(p)).width;
        draw_call(m, problem_1d{random_values(size_t(n), 42), p.taps}, cause);
    }
    void draw(const method_2d& m, const problem_2d& p, const inspect::report& seen, const diagnosis& cause) {
        if (draw_as_asked_) return draw_call(m, p, cause);
        bench::size_2d size{p.in.width, p.in.height};
        if (!sizes_asked_) size = with_middle_block(size, seen, p);
        problem_2d drawn = p;
        drawn.in = noise_image(size.width, size.height, p.in.channels);
        drawn.in.depth = p.in.depth;
        draw_call(m, drawn, cause);
    }
    /// "tiled_tile_4" of "tiled (tile 4)".
    static std::string file_name(std::string method_name) {
        std::erase_if(method_name, [](char c) { return c == '(' || c == ')'; });
        std::replace(method_name.begin(), method_name.end(), ' ', '_');
        return method_name;
    }
    template <class method, class problem>
    void draw_call(const method& m, const problem& p, const diagnosis& cause) {
        std::vector<float> out(shape_of(p).values(), NAN);
        const call_result result = m.run(run_.inspected(), usual_options(p), out, p);
        if (result.returned())
            pictures_->draw(file_name(m.name), in_two_dimensions(p), shape_of(p), result.seen, out,
                            convolve_cpu(p), cause.text);
    }

    template <class method, class problem>
    std::string table(const method& m, const problem& p, const inspect::report& yours) {
        call_result solution;
        if (reference_) {
            std::vector<float> out(shape_of(p).values(), NAN);
            call_options options = usual_options(p);
            options.draw = false;
            solution = m.run(reference_->process, options, out, p);
        }
        return table_of_counts(yours, solution.returned() ? &solution.seen : nullptr, in_two_dimensions(p),
                               !all_);
    }

    /// The GPU that was asked for, else the one that is here if its facts are known, else the default.
    static gpu_facts wanted_gpu(const std::vector<gpu_facts>& gpus, const std::string& wanted,
                                const std::string& here) {
        if (!wanted.empty()) return find_gpu(gpus, wanted);
        try {
            return find_gpu(gpus, here);
        } catch (const std::invalid_argument&) {
            return find_gpu(gpus, DEFAULT_GPU);
        }
    }

    static std::string text_of(const std::string& path) {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    /// Every finding, one a line.
    static std::string findings(const inspect::report& seen) {
        std::string text;
        for (const inspect::finding& one : seen.findings) {
            text += "  " + location(one.file, one.line) + painted(one.kind, RED) + ": " +
                    printable(one.text) +
                    (one.times > 1 ? " [" + std::to_string(one.times) + " times]" : "") + "\n";
        }
        return text.empty() ? "  no findings\n" : text;
    }

    std::string reference_path() const { return reference_->path; }

    struct solution_worker {
        explicit solution_worker(const std::string& worker) : path(worker), process(worker) {}
        std::string path;
        worker_process process;
    };

    session& run_;
    const bool everything_, all_, sizes_asked_;
    bool draw_as_asked_ = false;
    std::vector<waiting_method> waiting_;
    past_calls past_;
    counts_file counts_;
    std::optional<solution_worker> reference_;
    std::optional<picture_folder> pictures_;
    gpu_facts gpu_;
    std::vector<kernel_registers> registers_;
};

/// The usual size, or those that were asked for.
bench::sweep sizes_for(const inspect_options& options, const inspect_wishes& asked, bool two_dimensional) {
    bench::options sizes;
    sizes.lengths = asked.lengths;
    sizes.images = asked.images;
    sizes.filters = asked.filters;
    if (sizes.lengths.empty() && !two_dimensional) sizes.lengths = {std::to_string(options.width)};
    if (sizes.images.empty() && two_dimensional)
        sizes.images = {fmt::format("{}x{}", options.width, options.height)};
    if (sizes.filters.empty()) sizes.filters = {std::to_string(2 * options.radius + 1)};
    return bench::sweep_for(false, two_dimensional, sizes);
}

/// Throws std::invalid_argument naming those there are.
chosen_methods methods_for(const inspect_wishes& asked, bool of_a_case) {
    chosen_methods chosen = choose_methods(asked.methods, false);
    if (chosen.unknown.empty()) return chosen;
    if (of_a_case) return choose_methods({}, false);  // a method that checks alone run
    throw std::invalid_argument(fmt::format("METHODS={}: this lab has {}", chosen.unknown, method_names()));
}

}  // namespace

bool fits_on_screens(const std::string& told, const std::string& text, const std::string& last) {
    constexpr long SCREENS = 2, LINES = 50, PICTURES = 10;
    const std::string all = wrapped(told + text + last, TERMINAL_COLUMNS);
    return told.empty() || std::count(all.begin(), all.end(), '\n') <= SCREENS * LINES - PICTURES;
}

std::vector<size_t> told_in_full(const std::vector<std::string>& texts, const std::vector<bool>& right,
                                 size_t most, const std::string& last) {
    const size_t first_wrong = size_t(std::find(right.begin(), right.end(), false) - right.begin());
    std::vector<size_t> order(texts.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_partition(order.begin(), order.end(), [&](size_t k) { return k == first_wrong; });
    std::string told;
    std::vector<size_t> chosen;
    for (const size_t k : order) {
        if (chosen.size() == most || !fits_on_screens(told, texts[k], last)) break;
        told += texts[k];
        chosen.push_back(k);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

int run_inspect(const inspect_options& options, session& run) {
    const bool of_a_case = !options.failed.empty();
    const inspect_wishes asked = of_a_case ? failing_case(options.failed) : options.asked;
    const chosen_methods chosen = methods_for(asked, of_a_case);
    inspection all(options, asked, run);
    bool all_right = true;
    const posed_case failed = of_a_case ? find_case(asked.subject, run) : posed_case();
    std::visit([&](const auto& known) { all_right = all.inspect_case(known) && all_right; }, failed);
    if (failed.index() != 0) return all_right ? 0 : 1;
    const auto for_sizes = [&](bool two_dimensional, const auto& inspect) {
        for (const auto& [input, filters] : sizes_for(options, asked, two_dimensional).inputs)
            for (const bench::size_2d& taps : filters)
                all_right = inspect(input, taps) && all_right;
    };
    for (const method_1d* m : chosen.rows) {
        if (m->name == SERIAL) continue;
        for_sizes(false, [&](bench::size_2d input, bench::size_2d taps) {
            return all.inspect_one(*m, problem_1d{random_values(size_t(input.width), 42),
                                                  random_values(size_t(taps.width), 43)});
        });
    }
    for (const method_2d* m : chosen.images) {
        if (m->name == SERIAL) continue;
        for_sizes(true, [&](bench::size_2d input, bench::size_2d taps) {
            return all.inspect_one(*m, m->posed({noise_image(input.width, input.height, m->channels),
                                                 random_filter(taps.width, taps.height), asked.border}));
        });
    }
    const std::string counts = options.expected_counts && !of_a_case ? all.text_of_expected_counts() : "";
    all.show_methods(counts);
    tell(counts);
    return all_right ? 0 : 1;
}

}  // namespace check
