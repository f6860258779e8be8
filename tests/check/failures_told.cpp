// expect_failures_told, expect_lost_device_told: what counts as telling of a failure, with a made-up worker that answers
// as it is told.
#include <doctest/doctest.h>

#include <cmath>

#include "check/check.h"
#include "check/session.h"
#include "fake_worker.h"

using namespace check;

namespace {

constexpr uint64_t CALLS = 3;  // of CUDA that the made-up function makes

uint64_t unseen = 0;                       // the one whose failure it does not tell
call_end unseen_end = call_end::returned;  // how it ends then

const method_1d told("told",
                     [](worker_process&, const call_options& options, std::span<float>, const problem_1d&) {
                         call_result result;
                         result.how = call_end::returned;
                         if (options.failing_call == 0 || options.failing_call > CALLS) return result;
                         result.how = options.failing_call == unseen ? unseen_end : call_end::threw;
                         result.trouble = result.returned() ? "" : "some trouble";
                         inspect::finding& failed = result.seen.findings.emplace_back();
                         failed.kind = "refused-call";
                         return result;
                     });

/// The first line that the expectation reports, "" if it is content.
template <class expectation>
std::string complaint_of(const expectation& expect) {
    session run("99_fake", "worker", "worker");
    check_result check;
    run.current = &check;
    the_session = &run;
    expect();
    the_session = nullptr;
    return check.failures.empty() ? "" : check.failures[0].lines[0];
}

std::string complaint(uint64_t call, call_end how) {
    unseen = call;
    unseen_end = how;
    return complaint_of([] { expect_failures_told(told, {{1, 2, 3}, {1}}); });
}

/// Of a function of CALLS calls that loses device 2 after one of them and ends like this, with this output of one pixel.
std::string complaint_of_loss(call_end how, const std::string& trouble, float output = NAN) {
    const auto run = [=](worker_process&, const call_options& options, std::span<float> out,
                         const problem_2d&) {
        call_result result;
        result.how = call_end::returned;
        out[0] = 6;
        if (!options.loses_device || options.failing_call > CALLS) return result;
        out[0] = output;
        result.how = how;
        result.trouble = trouble;
        inspect::finding& lost = result.seen.findings.emplace_back();
        lost.kind = "refused-call";
        lost.text = "cudaMemcpy on device 2: the last thing";
        return result;
    };
    return complaint_of([&] {
        expect_lost_device_told(method_2d::unlisted("lost", run), {{1, 1, 1, {2}}, {1, 1, {3}, "3"}});
    });
}

}  // namespace

TEST_CASE("a function that throws whichever call fails is what was asked for") {
    CHECK(complaint(0, call_end::returned) == "");
}

TEST_CASE("a lost device is named or was no longer needed") {
    CHECK(complaint_of_loss(call_end::threw, "device 2: some trouble") == "");
    CHECK(complaint_of_loss(call_end::returned, "", 6) == "");
    CHECK(complaint_of_loss(call_end::threw, "device 1: some trouble")
              .starts_with("device 2 was lost, and what was thrown does not name it"));
    CHECK(
        complaint_of_loss(call_end::returned, "").starts_with("device 2 was lost and the function returned"));
    CHECK(complaint_of_loss(call_end::crashed, "some trouble").find("did not throw") != std::string::npos);
}

TEST_CASE("one that returns after any failure is not") {
    for (uint64_t call = 1; call <= CALLS; call++)
        CHECK(complaint(call, call_end::returned)
                  .starts_with("a call of CUDA failed and the function returned"));
}

TEST_CASE("one that crashes or refuses or throws something else after a failure is not either") {
    CHECK(complaint(2, call_end::crashed).find("did not throw std::runtime_error: some trouble") !=
          std::string::npos);
    CHECK(complaint(2, call_end::threw_other).find("did not throw std::runtime_error: some trouble") !=
          std::string::npos);
    CHECK(complaint(2, call_end::refused).find("did not throw std::runtime_error: some trouble") !=
          std::string::npos);
}
