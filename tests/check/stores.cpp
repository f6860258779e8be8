// Right values that no kernel stored, stores beside their memory, things that are not given back: with a made-up
// worker that gives the right values and tells what it likes of them.
#include <doctest/doctest.h>

#include <algorithm>

#include "check/check.h"
#include "check/session.h"
#include "fake_worker.h"

using namespace check;

namespace {

call_result answer;  // of the next calls

const method_1d right("right", [](worker_process&, const call_options& options, std::span<float> out,
                                  const problem_1d& p) {
    const std::vector<float> values = convolve_serial(as_the_device_has_it(p, options));
    std::copy(values.begin(), values.end(), out.begin());
    return answer;
});

const problem_1d PROBLEM = {{1, 2, 3, 4}, {2}};

/// An answer of a call in which a kernel stored four values.
call_result stored() {
    call_result result;
    result.how = call_end::returned;
    result.seen.inspected = true;
    result.seen.launches.emplace_back();
    result.seen.launches[0].total.global.stores.bytes = 16;
    result.seen.origin.values = 4;
    return result;
}

const method_1d unfinished("unfinished", [](worker_process&, const call_options&, std::span<float>,
                                            const problem_1d&) { return answer; });

template <class expectation>
std::vector<failure> failures(const expectation& expect) {
    session run("99_fake", "worker", "worker");
    check_result check;
    run.current = &check;
    the_session = &run;
    expect();
    the_session = nullptr;
    return check.failures;
}

/// The lines of all failures.
template <class expectation>
std::vector<std::string> complaints(const expectation& expect) {
    std::vector<std::string> lines;
    for (const failure& one : failures(expect))
        lines.insert(lines.end(), one.lines.begin(), one.lines.end());
    return lines;
}

std::vector<std::string> complaints_of_values() {
    return complaints([] { expect_right(right, PROBLEM); });
}

using lines = std::vector<std::string>;

}  // namespace

TEST_CASE("values that kernels stored are right") {
    answer = stored();
    CHECK(complaints_of_values().empty());
    answer.seen.launches[0].total.global.stores.bytes = 0;
    answer.seen.launches[0].total.global.atomics.bytes = 16;
    CHECK(complaints_of_values().empty());
    answer.seen = {};  // nobody watched
    CHECK(complaints_of_values().empty());
}

TEST_CASE("values that no kernel stored are not") {
    answer = stored();
    answer.seen.launches.clear();
    CHECK(complaints_of_values() == lines{"no kernel stored these values: none was launched"});
    answer = stored();
    answer.seen.launches[0].total.global.stores.bytes = 12;
    CHECK(complaints_of_values() ==
          lines{"no kernel stored these values: they take 16 bytes, and kernels stored 12"});
    answer = stored();
    answer.seen.origin.of_host = 3;
    answer.seen.origin.first_of_host = 1;
    CHECK(
        complaints_of_values() ==
        lines{"no kernel stored these values: 3 of 4 were not copied from the device, element 1 the first"});
    answer = stored();
    answer.seen.origin.sent_by_host = true;
    CHECK(complaints_of_values() ==
          lines{"no kernel stored these values: the host had them first, and sent them to the device"});
}

TEST_CASE("values that one thread after the other stored are not") {
    const problem_1d wide{random_values(100, 1), {2}};
    const auto complaints_of = [&](uint64_t requests, const method_1d& method, unsigned blocks = 1) {
        answer = stored();
        inspect::launch& launch = answer.seen.launches[0];
        launch.grid[0] = blocks, launch.grid[1] = launch.grid[2] = 1;
        launch.block[0] = launch.block[1] = launch.block[2] = 1;
        answer.seen.origin.values = 100;
        inspect::traffic& stores = answer.seen.launches[0].total.global.stores;
        stores.bytes = 400, stores.lanes = 100, stores.requests = requests;
        return complaints([&] { expect_right(method, wide); });
    };
    CHECK(complaints_of(50, right).empty());
    CHECK(
        complaints_of(100, right) ==
        lines{"no threads side by side stored these values: a warp has 32, and 100 requests of warps stored "
              "100 values. Give every output a thread"});
    CHECK(complaints_of(100, method_1d::unlisted("right (tile 1)", right.run, 1)).empty());
    CHECK(
        complaints_of(100, right, 256) ==
        lines{
            "no threads side by side stored these values: a warp has 32, and 256 blocks have 1 thread each. "
            "Is it <<<blocks, threads>>>, in this order?"});
}

TEST_CASE("a launch whose blocks and threads are exchanged is named before any value is right") {
    const problem_1d wide{random_values(1000, 1), {2}};
    const auto complaints_of = [&](unsigned blocks, unsigned threads) {
        answer = stored();
        inspect::launch& launch = answer.seen.launches[0];
        launch.grid[0] = blocks, launch.grid[1] = launch.grid[2] = 1;
        launch.block[0] = threads, launch.block[1] = launch.block[2] = 1;
        std::string all;
        for (const std::string& line : complaints([&] { expect_enough_threads(unfinished, wide); }))
            all += line + "\n";
        return all;
    };
    CHECK(complaints_of(256, 4).ends_with(
        "likely: 256 blocks of 4 threads are launched: it is <<<blocks, threads>>>, in this order\n"));
    CHECK(complaints_of(4, 256).find("likely") == std::string::npos);
    CHECK(complaints_of(250, 4).find("likely") == std::string::npos);
}

TEST_CASE("a host that tells the device results is not believed in any check") {
    session run("99_fake", "worker", "worker");
    the_session = &run;
    run.result.checks.resize(3);
    const auto check = [&](size_t which, size_t n, uint64_t news) {
        run.current = &run.result.checks[which];
        run.current->name = std::string(which + 1, 'c');
        run.current->ran = true;
        answer = stored();
        answer.seen.launches[0].total.global.stores.bytes = 4 * n;
        answer.changes = {n, 0, news};
        expect_right(right, {random_values(n, n), {2}});
    };
    check(0, 10, 100);
    CHECK(run.result.checks[0].passed());
    check(1, 1000, 4000);
    check(2, 20, 0);
    for (const check_result& one : run.result.checks) {
        REQUIRE(one.failures.size() == 1);
        CHECK(
            one.failures[0].lines ==
            lines{"no kernel computed these values: after it had read from the device the host told it 4000 "
                  "bytes of its own"});
    }
    the_session = nullptr;
}

TEST_CASE("a store beside its memory fails what is right") {
    answer = stored();
    inspect::finding stray;
    stray.kind = "out-of-bounds";
    stray.text = "writes past the end of out";
    stray.direction = "store";
    answer.seen.findings = {stray};
    CHECK(complaints_of_values() == lines{"inspector: writes past the end of out"});
    for (const std::string kind : {"row-overrun", "use-after-free", "constant-write", "index-out-of-array"}) {
        answer.seen.findings[0].kind = kind;
        CHECK(complaints_of_values().size() == 1);
    }
    answer.seen.findings[0].direction = "atomic";
    CHECK(complaints_of_values().size() == 1);
}

TEST_CASE("a store beside its memory is aside for what comes before the values") {
    answer = stored();
    answer.changes.words = 1000;
    inspect::launch& launch = answer.seen.launches[0];
    launch.grid[0] = launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = 1;
    launch.block[0] = 32;
    launch.total.global.stores.lanes = 32;
    inspect::finding stray;
    stray.kind = "out-of-bounds";
    stray.space = "global";
    stray.direction = "store";
    stray.text = "writes past the end of out";
    answer.seen.findings = {stray};
    const auto failed = [](void (*expect)(const method_1d&, const problem_1d&), const method_1d& method) {
        return failures([&] { expect(method, PROBLEM); });
    };
    for (const method_1d* method : {&right, &unfinished}) {
        const std::vector<failure> seen = failed(expect_copied_in, *method);
        REQUIRE(seen.size() == 1);
        CHECK(seen[0].aside);
        CHECK(seen[0].cause.id == "no-guard");
        CHECK(seen[0].lines ==
              lines{"likely: all 32 threads store, out has 4 values: is a bounds test missing or wrong?",
                    "inspector: writes past the end of out"});
    }
    answer.changes.words = 0;  // nothing was copied to the device: what the check asks for is missed as well
    const std::vector<failure> seen = failed(expect_copied_in, unfinished);
    CHECK(std::count_if(seen.begin(), seen.end(), [](const failure& one) { return one.aside; }) == 1);
    CHECK(seen.size() == 3);
    for (const failure& one : failures([] { expect_right(right, PROBLEM); }))
        CHECK_FALSE(one.aside);
}

TEST_CASE("other findings fail only where the inspector was asked for") {
    answer = stored();
    inspect::finding race;
    race.kind = "race";
    race.direction = "store";
    inspect::finding stray_load;
    stray_load.kind = "out-of-bounds";
    stray_load.direction = "load";
    answer.seen.findings = {race, stray_load};
    CHECK(complaints_of_values().empty());
    CHECK(complaints([] { inspect_right(right, PROBLEM); }).size() == 2);
}

TEST_CASE("what is not given back is told with its lines") {
    answer = stored();
    CHECK(complaints([] { expect_given_back(right, PROBLEM); }).empty());
    answer.left.textures = 1;
    answer.left.device_bytes = 4096;
    inspect::finding leak;
    leak.kind = "leak";
    leak.is_error = false;
    leak.text = "4096 bytes of device memory are never freed";
    leak.file = "a/b.cu";
    leak.line = 7;
    answer.seen.findings = {leak};
    CHECK(complaints([] { expect_given_back(right, PROBLEM); }) ==
          lines{"never given back: 4096 bytes of device memory, 1 texture object",
                "inspector: b.cu:7: 4096 bytes of device memory are never freed"});
}
