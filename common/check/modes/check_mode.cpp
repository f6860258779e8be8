// Check: doctest runs the lab's TEST_CASEs, the session collects what came of them, the student sees it.
#include <doctest/doctest.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <utility>

#include "check/lab_result_text.h"
#include "check/method.h"
#include "check/modes/check_mode.h"
#include "check/terminal.h"

namespace check {

namespace {

/// What the listener works on; doctest makes the listener itself.
struct listener_task {
    session* run = nullptr;
    bool quiet = false;
    lab_result_text* text = nullptr;
    std::string json = {};
};
listener_task task;

/// After every check: a judge that is interrupted leaves what it has seen.
void write_report() {
    if (!task.json.empty()) write_json(task.run->result, task.json);
}

void show(const std::string& text) {
    if (task.quiet) return;
    std::fputs(for_terminal(text).c_str(), stdout);
    std::fflush(stdout);
}

check_result* find_check(const doctest::TestCaseData& test) {
    const std::string name = parse_check(test.m_name).name;
    for (check_result& check : task.run->result.checks) {
        if (check.name == name) return &check;
    }
    return nullptr;
}

/// Fills the session's result and shows each check as it ends; without its own words, doctest stays silent.
class check_listener : public doctest::IReporter {
public:
    explicit check_listener(const doctest::ContextOptions&) {}

    void report_query(const doctest::QueryData& query) override {
        for (unsigned k = 0; k < query.num_data; k++) {
            task.run->result.checks.push_back(parse_check(query.data[k]->m_name));
        }
    }

    void test_case_start(const doctest::TestCaseData& test) override {
        begin_ = std::chrono::steady_clock::now();
        task.run->current = find_check(test);
        task.run->current->ran = true;
        task.run->method.clear();
        task.run->muted = false;
        if (!task.quiet) progress_.emplace(task.run->current->name);
    }

    void test_case_end(const doctest::CurrentTestCaseStats&) override {
        progress_.reset();
        check_result& check = *task.run->current;
        check.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
        task.run->current = nullptr;
        // Of a check about other methods nothing was asked.
        if (!task.run->methods.empty() && check.methods.empty()) {
            check.ran = false;
            check.failures.clear();
        }
        write_report();
        show(task.text->check(check));
    }

    void test_case_exception(const doctest::TestCaseException& thrown) override {
        fail(call_end::judge_failed,
             {std::string("the check itself failed: ") + thrown.error_string.c_str()});
    }

    /// CHECK and REQUIRE of a check file: their own text is all there is to say.
    void log_assert(const doctest::AssertData& assertion) override {
        if (!assertion.m_failed) return;
        std::vector<std::string> lines;
        const int contexts = get_num_active_contexts();
        for (int k = 0; k < contexts; k++) {
            std::ostringstream text;
            get_active_contexts()[k]->stringify(&text);
            lines.push_back(text.str());
        }
        lines.push_back(std::string("expected ") + assertion.m_expr + ", which is " +
                        assertion.m_decomp.c_str());
        fail(call_end::wrong_values, lines);
    }

    void log_message(const doctest::MessageData& message) override {
        const bool failed = message.m_severity != doctest::assertType::is_warn;
        if (failed && message.m_string.size() > 0) fail(call_end::wrong_values, {message.m_string.c_str()});
    }

    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}

private:
    /// Not of a case that was not tried: what there is of it says nothing.
    void fail(call_end how, const std::vector<std::string>& lines) {
        if (task.run->current && !task.run->muted) task.run->current->failures.push_back({"", lines, how});
    }

    std::chrono::steady_clock::time_point begin_;
    std::optional<progress_line> progress_;
};

/// The lab's checks in the order of its file, each without result.
void list_checks() {
    doctest::Context context;
    context.setOption("reporters", "judge");
    const char* const list[] = {"judge", "--list-test-cases"};  // a flag, which setOption does not know
    context.applyCommandLine(2, list);
    context.run();
    require_hundred_points(task.run->result.checks);
}

/// Commas separate doctest's filters and * stands for anything in them, so a name is looked up here.
std::string filter_for(const std::string& only) {
    const std::vector<check_result>& checks = task.run->result.checks;
    const bool is_number = only.size() <= 3 && only.find_first_not_of("0123456789") == std::string::npos;
    const size_t number = is_number && !only.empty() ? std::stoul(only) : 0;
    if (number >= 1 && number <= checks.size()) return filter_for(checks[number - 1].name);
    std::string pattern = only;
    for (char& c : pattern) {
        if (c == ',') c = '?';
    }
    for (const check_result& check : checks) {
        if (check.name.find(only) != std::string::npos) return "*" + pattern + "*";
    }
    std::string names;
    for (const check_result& check : checks)
        names += (names.empty() ? "" : ", ") + check.name;
    throw std::invalid_argument("CHECK=" + only +
                                ": no check has this in its name or is of this number, 1 to " +
                                std::to_string(checks.size()) + ": " + names);
}

int exit_code(const lab_result& what) {
    if (what.judge_failed()) return 2;
    size_t passed = 0;
    for (const check_result& check : what.checks) {
        if (check.ran && !check.passed()) return 1;
        passed += check.passed();
    }
    return passed > 0 ? 0 : 1;
}

/// doctest keeps reporters for good: once is enough.
void register_listener() {
    static const bool registered = (doctest::registerReporter<check_listener>("judge", 0, true), true);
    (void)registered;
}

/// The methods to be called. Throws std::invalid_argument if the lab has none of a name.
void choose(const std::vector<std::string>& names, session& run) {
    for (const std::string& name : names) {
        const chosen_methods chosen = choose_methods({name}, false);
        if (name == SERIAL || !chosen.unknown.empty())
            throw std::invalid_argument("METHODS=" + name + ": none of this lab's, which are " +
                                        method_names().substr(std::string(SERIAL).size() + 2));
        run.result.only += (run.result.only.empty() ? "METHODS=" : ",") + name;
    }
    run.methods = names;
}

/// Fixes what is run: methods, and checks by the filter that is returned. Throws std::invalid_argument, and the report
/// says it too, if there are none of a name.
std::string choose(const check_options& options, session& run) {
    try {
        choose(options.methods, run);
        return options.only.empty() ? "" : filter_for(options.only);
    } catch (const std::invalid_argument& error) {
        run.result.refused = error.what();
        write_report();
        throw;
    }
}

/// All that doctest's filter lets through; no filter is "".
void run_checks(const std::string& filter) {
    doctest::Context context;
    context.setOption("reporters", "judge");
    if (!filter.empty()) context.setOption("test-case", filter.c_str());
    context.run();
}

/// The checks in their order up to the first that loses its points.
void run_to_first_loss(const session& run) {
    for (const check_result& check : run.result.checks) {
        run_checks("[" + std::to_string(check.of) + "] " + check.name);
        if (!check.passed()) return;
    }
}

/// A right file is judged in seconds, in a minute on a slow machine under load.
void limit_time(session& run) {
    constexpr double MOST_SECONDS = 300;
    const auto budget = std::make_shared<time_budget>(time_budget{MOST_SECONDS});
    run.active().draw_on(budget);
    run.inspected().draw_on(budget);
}

}  // namespace

std::vector<expected_count> expected_counts_of(session& run) {
    lab_result_text text(false);
    session* const before = the_session;
    the_session = &run;
    task = {&run, true, &text};
    register_listener();
    run.result.checks.clear();
    run.expected_counts.clear();
    list_checks();
    run_checks("");
    the_session = before;
    return run.expected_counts;
}

posed_case find_case(const std::string& subject, session& run) {
    run.memory().looked_for = subject;
    expected_counts_of(run);
    run.memory().looked_for.clear();
    return std::exchange(run.memory().found, {});
}

int run_check(const check_options& options, session& run) {
    const steps todos = options.source.empty() ? steps() : steps(options.steps, options.source);
    lab_result_text text(colour_wanted(), !options.all, todos);
    task = {&run, options.quiet, &text, options.json};
    register_listener();
    list_checks();
    const std::string filter = choose(options, run);
    write_report();
    run.result.device = run.active().device();
    run.result.gpu = run.active().is_for_gpu();
    run.result.unconfined = run.active().missing_protection();
    limit_time(run);
    show(text.header(run.result));
    if (options.first_loss)
        run_to_first_loss(run);
    else
        run_checks(filter);
    const std::vector<std::string> states = states_of(todos, run.result);
    for (size_t place = 0; place < states.size(); place++)
        run.result.todos.emplace_back(todos.id(place), states[place]);
    run.result.start_with = lab_result_text(false, true, todos).start_with(run.result);
    show(run.notes(options.all ? "" : run.result.start_with));
    std::fputs(for_terminal(text.footer(run.result)).c_str(), stdout);
    std::fflush(stdout);
    write_report();
    return exit_code(run.result);
}

}  // namespace check
