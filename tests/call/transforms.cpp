// cuFFT in a worker, whose device is another process than the student's host code.
#include <cmath>

#include "call/changed_words.h"
#include "student_workers.h"

namespace {

using check::call_result;

constexpr int N = 20;

/// They are not built where FFTW is missing.
bool are_there() {
    const bool found = std::filesystem::exists(student_worker("transforms", "inspect"));
    if (!found) std::printf("skipped: without FFTW there are no transforms\n");
    return found;
}

std::vector<float> input() {
    std::vector<float> in(N);
    for (int k = 0; k < N; k++)
        in[size_t(k)] = float(k * 7 % 11) - 4.5f;
    return in;
}

bool is_close(const std::vector<float>& out, const std::vector<float>& right) {
    return std::equal(out.begin(), out.end(), right.begin(), right.end(), [](float a, float b) {
        return std::abs(a - b) <= 1e-5f * std::max(1.0f, std::abs(b));
    });
}

struct answer {
    call_result result;
    std::vector<float> out = std::vector<float>(N, NAN);
};

answer by_way(float way, const std::string& kind = "inspect", const check::call_options& options = {}) {
    check::worker_process worker(student_worker("transforms", kind));
    answer given;
    given.result = CALL(worker, options, scale, given.out, input(), way, rounding::none);
    return given;
}

}  // namespace

TEST_CASE("transforms give their values and are in the report" * doctest::skip(!are_there())) {
    for (const std::string kind : {"worker", "inspect"}) {
        for (const float way : {0.0f, 3.0f}) {
            const answer given = by_way(way, kind);
            CHECK(given.result.trouble == "");
            CHECK(given.result.printed == "");
            CHECK(is_close(given.out, input()));
            CHECK(given.result.left == check::leftovers{});
        }
    }
    for (const float way : {0.0f, 3.0f}) {
        const inspect::report seen = by_way(way).result.seen;
        CHECK(seen.clean());
        REQUIRE(seen.transforms.size() == 2);
        CHECK(seen.transforms[0].kind == "R2C");
        CHECK(seen.transforms[1].kind == "C2R");
        for (const inspect::transform& one : seen.transforms) {
            CHECK(one.sizes == std::vector<uint64_t>{N});
            CHECK(one.batch == 1);
            CHECK(one.in_place == (way == 3));
            CHECK(one.stream == (way == 3 ? 1 : 0));
        }
        CHECK("transforms.cu:" + std::to_string(seen.transforms[0].line) ==
              marked_place("transforms.cu", "transform"));
        CHECK(seen.origin.of_host == 0);
    }
}

TEST_CASE("plans that are not destroyed are told by their kind" * doctest::skip(!are_there())) {
    for (const std::string kind : {"worker", "inspect"})
        CHECK(to_text(by_way(1, kind).result.left) == "1 cuFFT plan");
}

TEST_CASE("memory of the host is none of a transform's" * doctest::skip(!are_there())) {
    const call_result result = by_way(2).result;
    CHECK(result.how == check::call_end::threw);
    REQUIRE(result.seen.findings.size() == 1);
    CHECK(result.seen.findings[0].kind == "host-pointer-in-kernel");
    CHECK("transforms.cu:" + std::to_string(result.seen.findings[0].line) ==
          marked_place("transforms.cu", "transform"));
}

TEST_CASE("transforms are of what the device has, and tell it nothing" * doctest::skip(!are_there())) {
    check::call_options blind;
    blind.change_key = 4711;
    const answer given = by_way(0, "inspect", blind);
    const check::changed_words changed(blind.change_key, {});
    std::vector<float> other = input();
    for (float& value : other)
        value = std::bit_cast<float>(changed.of(std::bit_cast<uint32_t>(value)));
    CHECK(given.result.trouble == "");
    CHECK(is_close(given.out, other));
    CHECK_FALSE(is_close(given.out, input()));
    CHECK(given.result.changes.news < 4 * N);  // what it frees, above all
}

TEST_CASE("every plan and every transform may fail, and is told" * doctest::skip(!are_there())) {
    std::string failed;
    check::call_options options;
    for (options.failing_call = 1; options.failing_call < 20; options.failing_call++) {
        const call_result result = by_way(0, "inspect", options).result;
        if (result.returned()) break;
        CHECK(result.how == check::call_end::threw);
        for (const inspect::finding& one : result.seen.findings)
            if (one.kind == "refused-call") failed += one.text.substr(0, one.text.find(':')) + " ";
    }
    CHECK(failed ==
          "cufftPlan1d cufftPlan1d cudaMalloc cudaMalloc cudaMalloc cudaMemcpy cufftExecR2C cufftExecC2R "
          "cudaMemcpy ");
}
