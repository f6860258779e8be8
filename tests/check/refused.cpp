// expect_refused: what counts as a refusal, with a made-up worker that answers as it is told.
#include <doctest/doctest.h>

#include <algorithm>

#include "check/check.h"
#include "check/session.h"
#include "fake_worker.h"

using namespace check;

namespace {

call_result answer;          // of the next call
std::vector<float> written;  // by the next call, at the front of its output

const method_1d told("told",
                     [](worker_process&, const call_options&, std::span<float> out, const problem_1d&) {
                         std::copy(written.begin(), written.end(), out.begin());
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

constexpr char WELL_SAID[] = "threw: 16385 taps, at most 16384 fit";

}  // namespace

TEST_CASE("a refusal that names value and limit is what was asked for") {
    CHECK(complaint(call_end::refused, WELL_SAID) == "");
    CHECK(complaint(call_end::refused, "threw: 16385 > 16384") == "");
}

TEST_CASE("a refusal has to name both numbers and not longer ones") {
    CHECK(complaint(call_end::refused, "threw: too many taps").ends_with("has to name 16385"));
    CHECK(complaint(call_end::refused, "threw: 16385 taps").ends_with("has to name 16384"));
    CHECK(complaint(call_end::refused, "threw: 163850 taps, limit 16384").ends_with("16385"));
    CHECK(complaint(call_end::refused, "threw: 16385 taps, limit 116384").ends_with("16384"));
}

TEST_CASE("another exception is no refusal") {
    for (const call_end how : {call_end::threw, call_end::threw_other})
        CHECK(complaint(how, WELL_SAID) == std::string(WELL_SAID) + " - which is no std::invalid_argument");
}

TEST_CASE("returning or crashing is no refusal") {
    CHECK(complaint(call_end::returned, "") == "returned, but has to throw std::invalid_argument");
    CHECK(complaint(call_end::crashed, "crashed in a.cu:3 (16385 of 16384)") ==
          "crashed in a.cu:3 (16385 of 16384), but has to throw std::invalid_argument");
    CHECK(complaint(call_end::damaged, "wrote past the end") ==
          "wrote past the end, but has to throw std::invalid_argument");
}

TEST_CASE("a refused call has not touched the output") {
    written = {0};
    CHECK(complaint(call_end::refused, WELL_SAID) ==
          "refused, but only after element 0 of the output was written");
    written = {};
    CHECK(complaint(call_end::refused, WELL_SAID) == "");
}

TEST_CASE("a refused call has left nothing behind") {
    answer.left.device_bytes = 4096;
    answer.left.streams = 2;
    CHECK(complaint(call_end::refused, WELL_SAID) ==
          "refused, but what it had made is never given back: 4096 bytes of device memory, 2 streams");
    answer.left = {};
    CHECK(complaint(call_end::refused, WELL_SAID) == "");
}
