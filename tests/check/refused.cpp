// expect_refused: what counts as a refusal, with a made-up worker that answers as it is told.
#include <doctest/doctest.h>

#include "check/check.h"
#include "check/session.h"
#include "fake_worker.h"

using namespace check;

namespace {

call_result answer;  // of the next call

const method_1d told("told", [](worker_process&, const call_options&, std::span<float>, const problem_1d&) {
    return answer;
});

/// The first line that expect_refused reports for such an answer, "" if it is content.
std::string complaint(call_end how, const std::string& trouble) {
    answer.how = how;
    answer.trouble = trouble;
    session run("99_fake", "worker", "worker");
    check_result check;
    run.current = &check;
    the_session = &run;
    expect_refused(told, {{1, 2, 3}, {1}}, {16385, 16384});
    the_session = nullptr;
    if (check.failures.empty()) return "";
    CHECK(check.failures[0].subject.starts_with("told: n = 3"));
    return check.failures[0].lines[0];
}

}  // namespace

TEST_CASE("a refusal that names value and limit is what was asked for") {
    CHECK(complaint(call_end::threw, "threw: 16385 taps, at most 16384 fit") == "");
    CHECK(complaint(call_end::threw, "threw: 16385 > 16384") == "");
}

TEST_CASE("a refusal has to name both numbers and not longer ones") {
    CHECK(complaint(call_end::threw, "threw: too many taps").ends_with("has to name 16385"));
    CHECK(complaint(call_end::threw, "threw: 16385 taps").ends_with("has to name 16384"));
    CHECK(complaint(call_end::threw, "threw: 163850 taps, limit 16384").ends_with("16385"));
    CHECK(complaint(call_end::threw, "threw: 16385 taps, limit 116384").ends_with("16384"));
}

TEST_CASE("returning or crashing is no refusal") {
    CHECK(complaint(call_end::returned, "") == "returned, but has to throw std::invalid_argument");
    CHECK(complaint(call_end::crashed, "crashed in a.cu:3 (16385 of 16384)") ==
          "crashed in a.cu:3 (16385 of 16384)");
}
