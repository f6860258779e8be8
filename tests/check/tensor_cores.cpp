// expect_by_tensor_cores: whose values count as theirs, with a made-up worker that answers as it is told.
#include <doctest/doctest.h>

#include "check/check.h"
#include "check/session.h"
#include "fake_worker.h"

using namespace check;

namespace {

size_t from_elsewhere = 0;           // so many values do not show what tensor cores give
call_end ends = call_end::returned;  // the call
bool asked_for_double_products = false;

const method_2d told("told", [](worker_process&, const call_options& options, std::span<float> out,
                                const problem_2d& problem) {
    asked_for_double_products = options.double_products;
    call_result result;
    result.how = ends;
    result.trouble = result.returned() ? "" : "some trouble";
    for (size_t k = 0; k < out.size(); k++)
        out[k] = problem.in.pixels[k] * (k < from_elsewhere ? 1.0f : 2.0f);
    return result;
});

/// The first line that is reported, "" if nothing is.
std::string complaint(size_t values_from_elsewhere, call_end how = call_end::returned) {
    from_elsewhere = values_from_elsewhere;
    ends = how;
    session run("99_fake", "worker", "worker");
    check_result check;
    run.current = &check;
    the_session = &run;
    expect_by_tensor_cores(told, {{2, 2, 1, {1, 2, 3, 4}}, identity_filter(1)});
    the_session = nullptr;
    return check.failures.empty() ? "" : check.failures[0].lines[0];
}

}  // namespace

TEST_CASE("values that double with the products of tensor cores are theirs") {
    CHECK(complaint(0) == "");
    CHECK(asked_for_double_products);
}

TEST_CASE("where one does not it was made elsewhere") {
    CHECK(complaint(1).ends_with("not every value shows it: pixel (x=0, y=0): expected 2, got 1"));
    CHECK(complaint(4).starts_with("tensor cores gave twice what they should"));
}

TEST_CASE("a call that did not return says why") {
    CHECK(complaint(0, call_end::crashed) == "some trouble");
}
