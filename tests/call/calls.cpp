// Calls that go well: bytes in, bytes out, several calls of one worker.
#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "check/modes/block_limits.h"
#include "student_workers.h"

using check::call_result;

TEST_CASE("a call brings its outputs back and its time") {
    check::worker_process worker(student_worker("host"));
    const std::vector<float> in = {1.5f, -2.5f, 3.25f};
    std::vector<float> out(3, 0);
    const call_result result = CALL(worker, {}, scale, out, in, 2.0f, rounding::none);
    CHECK(result.returned());
    CHECK(result.trouble == "");
    CHECK(out == std::vector<float>{3, -5, 6.5f});
    CHECK(result.call_ms > 0);
    CHECK(result.printed.find("call 1\n") != std::string::npos);
    CHECK(result.printed.find("of 3\n") != std::string::npos);
    CHECK_FALSE(worker.is_for_gpu());
    CHECK(worker.device() != "");
}

TEST_CASE("a worker tells what its device lets a block have") {
    check::worker_process worker(student_worker("host"));
    const check::block_limits limits = check::limits_of(worker);
    CHECK(limits.shared_bytes == 48 * 1024);
    CHECK(limits.shared_bytes_opted_in == 227 * 1024);
    CHECK(limits.registers == 65536);
    CHECK(limits.threads == 1024);
    check::worker_process dead(student_worker("leaves_at_start"));
    CHECK_THROWS_WITH(check::limits_of(dead), doctest::Contains("the limits of a block: left with exit"));
}

TEST_CASE("enums and empty spans arrive as they were sent") {
    check::worker_process worker(student_worker("host"));
    const std::vector<float> in = {1.5f, -2.5f};
    std::vector<float> out(2, 0), none;
    CHECK(CALL(worker, {}, scale, out, in, 1.0f, rounding::down).returned());
    CHECK(out == std::vector<float>{1, -3});
    CHECK(CALL(worker, {}, scale, none, none, 1.0f, rounding::down).returned());
}

TEST_CASE("page-locked arrays are the same arrays and are given back") {
    check::worker_process worker(student_worker("host"));
    const std::vector<float> in = {1.5f, -2.5f};
    std::vector<float> out(2, 0), none;
    check::call_options options;
    options.pinned = true;
    for (int k = 0; k < 2; k++) {
        const call_result result = CALL(worker, options, scale, out, in, 2.0f, rounding::none);
        CHECK(result.returned());
        CHECK(out == std::vector<float>{3, -5});
        CHECK(result.left.host_pieces == 0);
        CHECK(result.block == std::array<uint32_t, 3>{});  // nothing was launched
    }
    CHECK(CALL(worker, options, scale, none, none, 1.0f, rounding::none).returned());
}

TEST_CASE("one worker serves many calls and keeps its state") {
    check::worker_process worker(student_worker("host"));
    const std::vector<float> in(1000, 1);
    for (int i = 1; i <= 5; i++) {
        std::vector<float> out(in.size());
        const call_result result = CALL(worker, {}, scale, out, in, float(i), rounding::none);
        REQUIRE(result.returned());
        CHECK(result.printed.find("call " + std::to_string(i)) != std::string::npos);
        CHECK(out.back() == float(i));
    }
}

TEST_CASE("an image of 64 MB goes through") {
    check::worker_process worker(student_worker("misbehaves"));
    std::vector<float> in(4096 * 4096), out(in.size());
    for (size_t i = 0; i < in.size(); i++)
        in[i] = float(i % 1000);
    CHECK(CALL(worker, {}, scale, out, in, 1.0f, rounding::none).returned());
    CHECK(out == in);
}

TEST_CASE("a worker that is not there is refused at once") {
    CHECK_THROWS_WITH_AS(check::worker_process("build/no-such.worker"),
                         "build/no-such.worker: no such worker; make builds it", std::runtime_error);
    CHECK_THROWS_AS(check::worker_process("README.md"), std::runtime_error);
}

TEST_CASE("a worker that a judge calls is not replaced") {
    const std::filesystem::path own =
        std::filesystem::temp_directory_path() / ("calls-" + std::to_string(getpid()));
    std::filesystem::copy_file(student_worker("host"), own);
    std::ofstream(own.string() + ".lock");
    const auto can_be_replaced = [&] {
        return std::system(("flock -n " + own.string() + ".lock true").c_str()) == 0;
    };
    CHECK(can_be_replaced());
    {
        check::worker_process worker(own);
        CHECK_FALSE(can_be_replaced());
    }
    CHECK(can_be_replaced());
    std::filesystem::remove(own);
    std::filesystem::remove(own.string() + ".lock");
}

TEST_CASE("a function that the lab does not offer cannot be called") {
    check::worker_process worker(student_worker("host"));
    const call_result result = worker.call("shrink", {}, {});
    CHECK(result.how == check::call_end::not_callable);
    CHECK(result.trouble == "cannot be called: the lab offers no function of this name");
}

TEST_CASE("arguments that do not fit the declaration are refused") {
    check::worker_process worker(student_worker("host"));
    const float number = 1;
    const check::argument one[] = {{check::argument::kind::scalar, &number, nullptr, sizeof number}};
    CHECK(worker.call("scale", one, {}).trouble == "threw: 1 arguments for 4 parameters");
    CHECK(worker.call("scale", one, {}).how == check::call_end::refused);  // std::invalid_argument
    const check::argument four[] = {one[0], one[0], one[0], one[0]};
    CHECK(worker.call("scale", four, {}).trouble == "threw: the bytes of a span do not fit its type");
}

TEST_CASE("the median of times is the middle one or between the two in the middle") {
    call_result result;
    CHECK(result.median_kernel_ms() == 0);
    result.kernel_ms = {3, 1, 2};
    CHECK(result.median_kernel_ms() == 2);
    result.kernel_ms = {4, 1, 2, 3};
    CHECK(result.median_kernel_ms() == 2.5);
}

TEST_CASE("the arrays of a call are forgotten with it, by workers of either kind") {
    for (const char* kind : {"worker", "inspect"}) {
        check::worker_process worker(student_worker("right", kind));
        for (const size_t n : {1000u, 100000u, 30u, 400000u, 5u, 50000u}) {
            const std::vector<float> in(n, 2.0f);
            std::vector<float> out(n);
            CHECK(CALL(worker, {}, scale, out, in, 3.0f, rounding::none).trouble == "");
            CHECK(out == std::vector<float>(n, 6.0f));
        }
    }
}
