// Calls that launch kernels: times, labels for the inspector, and launches that fail.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "student_workers.h"

using check::call_end;
using check::call_result;

namespace {

constexpr int N = 100;

/// bad_launches.cu with one of its tricks; then the good launch: it must work.
call_result bad_launch(int trick, const std::string& kind, double seconds = 20) {
    check::worker_process worker(student_worker("bad_launches", kind));
    std::vector<float> out(N), none;
    check::call_options options;
    options.timeout_seconds = seconds;
    options.try_endless = true;
    const call_result result = CALL(worker, options, scale, out, none, float(trick), rounding::none);
    CAPTURE(trick);
    std::vector<float> next(N, 0);
    const call_result after = CALL(worker, options, scale, next, none, 1.0f, rounding::none);
    CHECK(after.trouble == "");
    CHECK(next == std::vector<float>(N, 1));
    return result;
}

std::string place_of(const std::string& mark) {
    return marked_place("bad_launches.cu", mark);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

bool has_finding(const inspect::report& seen, const std::string& kind) {
    for (const inspect::finding& one : seen.findings) {
        if (one.kind == kind) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("launches and copies are timed as often as asked") {
    for (const std::string kind : {"worker", "inspect"}) {
        check::worker_process worker(student_worker("right", kind));
        const std::vector<float> in(1000, 2);
        std::vector<float> out(in.size());
        const call_result once = CALL(worker, {}, scale, out, in, 1.5f, rounding::none);
        CHECK(once.trouble == "");
        CHECK(out == std::vector<float>(in.size(), 3));
        REQUIRE(once.kernel_ms.size() == 1);
        CHECK(once.kernel_ms[0] > 0);
        CHECK(once.copy_ms > 0);
        CHECK(once.call_ms > 0);
        CHECK(once.left == check::leftovers{});
        CHECK(once.block == std::array<uint32_t, 3>{64, 1, 1});

        check::call_options many;
        many.pinned = true;
        many.warmups = 2;
        many.repeats = 5;
        const call_result benchmark = CALL(worker, many, scale, out, in, 0.75f, rounding::down);
        CHECK(benchmark.kernel_ms.size() == 5);
        CHECK(benchmark.median_kernel_ms() > 0);
        CHECK(out == std::vector<float>(in.size(), 1));
    }
}

TEST_CASE("the inspector's report comes along and knows the names of the contract") {
    check::worker_process worker(student_worker("right", "inspect"));
    const std::vector<float> in(777, 2);
    std::vector<float> out(in.size());
    for (int i = 0; i < 2; i++) {  // the second report holds nothing of the first call
        const call_result result = CALL(worker, {}, scale, out, in, 1.5f, rounding::none);
        REQUIRE(result.returned());
        CHECK(result.seen.inspected);
        CHECK(result.seen.launches.size() == 1);
        CHECK(result.seen.of("in").loads.lanes == in.size());
        CHECK(result.seen.clean());
    }
    check::worker_process plain(student_worker("right"));
    CHECK_FALSE(CALL(plain, {}, scale, out, in, 1.5f, rounding::none).seen.inspected);
}

TEST_CASE("a launch that fails names its line and its error") {
    for (const std::string kind : {"worker", "inspect"}) {
        const call_result refused = bad_launch(2, kind);
        CHECK(refused.how == call_end::threw);  // refused by the device, not by the function
        CHECK(contains(refused.trouble, place_of("too_many_threads") + ": the launch: "));
        CHECK(contains(refused.trouble, "(cudaErrorInvalid"));  // ...Configuration; ...Value since CUDA 13
        if (kind == "inspect") {
            REQUIRE(refused.seen.findings.size() == 1);
            const inspect::finding& told = refused.seen.findings.front();
            CHECK(contains(told.file + ":" + std::to_string(told.line), place_of("too_many_threads")));
        }

        const call_result illegal = bad_launch(3, kind);
        CHECK(illegal.how == call_end::threw);
        CHECK(contains(illegal.trouble, place_of("null_pointer") + ": the launch: "));
        CHECK(contains(illegal.trouble, "(cudaErrorIllegalAddress)"));

        const call_result unchecked = bad_launch(4, kind);
        CHECK(unchecked.how == call_end::damaged);
        CHECK(contains(unchecked.trouble, "a kernel failed: "));
        CHECK(contains(unchecked.trouble, "(cudaErrorIllegalAddress)"));
    }
}

TEST_CASE("a kernel without end is told by the lines in which it turns") {
    for (const std::string kind : {"worker", "inspect"}) {
        const call_result endless = bad_launch(8, kind, 1);
        CHECK(endless.how == call_end::timed_out);
        const bool is_for_gpu = check::worker_process(student_worker("bad_launches", kind)).is_for_gpu();
        const std::string last = place_of(is_for_gpu ? "waits" : "turns");  // of a GPU only the host tells
        const size_t colon = last.find(':');
        const int line = std::stoi(last.substr(colon + 1));
        const std::string before = last.substr(0, colon + 1) + std::to_string(line - 1);
        const auto told = [&](const std::string& place) {
            return endless.trouble == "did not return within 1 s: an endless loop at " + place + "?";
        };
        CAPTURE(endless.trouble);
        CHECK((told(last) || told(before) || told(before + "-" + std::to_string(line))));
    }
}

TEST_CASE("writing outside a buffer is found") {
    check::worker_process worker(student_worker("bad_launches"));
    if (worker.is_for_gpu()) {  // by guard zones; without a GPU they are the inspector's
        CHECK(bad_launch(5, "worker").trouble ==
              "threw: a kernel wrote past the end of a device buffer of 100 elements, up to 3 elements too "
              "far");
        CHECK(bad_launch(6, "worker").trouble ==
              "threw: a kernel wrote before the start of a device buffer of 100 elements, up to 2 elements "
              "too early");
    }
    CHECK(has_finding(bad_launch(5, "inspect").seen, "out-of-bounds"));
    CHECK(has_finding(bad_launch(6, "inspect").seen, "out-of-bounds"));
}

TEST_CASE("what a helper copies is told by the student's line") {
    const std::vector<float> in(20, 1.0F);
    std::vector<float> out(in.size());
    check::worker_process worker(student_worker("buffers", "inspect"));
    const call_result unwritten = CALL(worker, {}, scale, out, in, 2, rounding::none);
    REQUIRE(unwritten.seen.findings.size() == 1);
    const inspect::finding& told = unwritten.seen.findings.front();
    CHECK(contains(told.file + ":" + std::to_string(told.line), marked_place("buffers.cu", "unwritten")));
}

TEST_CASE("pitched images and buffers bring back what they were given") {
    check::worker_process worker(student_worker("buffers"));
    const bool has_zones = worker.is_for_gpu();
    std::vector<float> in(10 * 7), out(in.size());
    for (size_t i = 0; i < in.size(); i++)
        in[i] = float(i);
    const auto run = [&](int way) { return CALL(worker, {}, scale, out, in, float(way), rounding::none); };

    CHECK(run(1).trouble == "");
    CHECK(out == in);
    CHECK(run(2).returned());
    for (const float value : out)
        CHECK(std::isnan(value));
    CHECK(run(7).returned());
    CHECK(run(5).trouble ==
          "threw: device_buffer::copy_from: the host has 70 elements, the device has 69 elements; both must "
          "be the same");
    CHECK(run(6).trouble == "threw: pitched_image: size 10x0, but width and height must be at least 1");
    if (has_zones) {
        CHECK(contains(run(3).trouble,
                       "threw: a kernel wrote past the end of a pitched image of 7 rows, up to "));
        CHECK(contains(
            run(4).trouble,
            "a kernel wrote before the start of a pitched image of 7 rows, up to 1 element too early"));
        CHECK(run(8).trouble ==
              "a kernel wrote past the end of a device buffer of 10 elements, up to 3 elements too far");
    }
    CHECK(run(1).trouble == "");
}

TEST_CASE("device memory that host code touches ends the call with its line") {
    for (const std::string kind : {"worker", "inspect"}) {
        const call_result result = bad_launch(7, kind);
        CHECK(result.how == call_end::crashed);
        const std::string place = "crashed in " + place_of("read_on_host");
        check::worker_process worker(student_worker("bad_launches", kind));
        // On a GPU such an address is like any other that is not mapped.
        CHECK(result.trouble ==
              place + (worker.is_for_gpu() ? " (illegal address)"
                                           : " (device memory used by host code: copy it with cudaMemcpy)"));
    }
}

TEST_CASE("leaked memory and unchecked errors are told") {
    check::worker_process worker(student_worker("greedy_on_device"));
    const std::vector<float> in = {1, 2};
    std::vector<float> out(2);
    for (int i = 0; i < 2; i++) {
        const call_result result = CALL(worker, {}, scale, out, in, 3.0f, rounding::none);
        CHECK(result.returned());
        if (!worker.is_for_gpu()) CHECK(result.left.device_bytes >= 4096);
        CHECK(contains(result.printed, "A CUDA error was never looked at: "));
        CHECK(out == std::vector<float>{3, 6});
    }
}

TEST_CASE("what a call does not give back is told by its kind") {
    check::worker_process worker(student_worker("leaves_behind"));
    if (worker.is_for_gpu()) return;  // its driver does not tell
    const std::vector<float> in = {1, 2};
    std::vector<float> out(2);
    const auto left_by = [&](int kind) {
        return to_text(CALL(worker, {}, scale, out, in, float(kind), rounding::none).left);
    };
    CHECK(left_by(7) == "");
    CHECK(left_by(0).ends_with(" bytes of device memory"));
    left_by(1);  // the first time with the memory that all later ones use
    CHECK(left_by(1) == "1 texture object");
    CHECK(left_by(2) == "1 stream");
    CHECK(left_by(3) == "1 event");
    CHECK(left_by(4) == "1 piece of page-locked host memory");
    CHECK(left_by(6) == "1 stream");
    CHECK(left_by(6) == "");
    for (int call = 0; call < 3; call++)  // another call's arrays may lie where those of the one before did
        CHECK(left_by(9) == "1 piece of page-locked host memory");
    const std::string all = left_by(5);
    CHECK(contains(all, "1 texture object, 1 stream, 1 event, 1 piece of page-locked host memory"));
}

TEST_CASE("the output of a refused call comes back as the call left it") {
    check::worker_process worker(student_worker("leaves_behind"));
    const std::vector<float> in = {1, 2};
    std::vector<float> out(2, 7);
    CHECK(CALL(worker, {}, scale, out, in, 8.0f, rounding::none).how == check::call_end::refused);
    CHECK(out == in);
    CHECK(CALL(worker, {}, scale, out, in, 5.0f, rounding::none).how == check::call_end::refused);
    CHECK(std::all_of(out.begin(), out.end(), [](float value) { return std::isnan(value); }));
}

TEST_CASE("a fact about a kernel is another one once it was changed") {
    check::worker_process worker(student_worker("kernel_facts", "inspect"));
    for (const float bytes : {60000.0f, 50000.0f}) {
        const float before = bytes == 60000.0f ? 49152.0f : 60000.0f;
        std::vector<float> out(6), none;
        const call_result result = CALL(worker, {}, scale, out, none, bytes, rounding::none);
        CHECK(result.trouble == "");
        CHECK(out == std::vector<float>{before, 2, 4, bytes, 2, 3});
        CHECK(has_finding(result.seen, "refused-call"));
    }
}
