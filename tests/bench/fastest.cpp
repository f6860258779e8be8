// Which method conv2d_fastest takes: by the times that were measured, and by a rule where there are none.
#include "../../solutions/fastest/choice.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "author/recorded_times.h"

using fastest::accuracy;
using fastest::measured_time;
using fastest::problem;
using fastest::ranked_methods;

namespace {

std::vector<measured_time> times_in(const std::string& rows) {
    std::istringstream in(
        "# device: one\n"
        "method,images,width,height,filter_width,filter_height,accuracy,kernel_ms,error,loop_error\n" +
        rows);
    return fastest::read_times(in);
}

std::string first(const problem& size, const std::vector<measured_time>& measured = {}) {
    return ranked_methods(size, measured).front();
}

}  // namespace

TEST_CASE("without times a rule ranks all methods; the plain loop comes last") {
    for (const int side : {1, 5, 7, 27, 61, 63, 129}) {
        const std::vector<std::string> names = ranked_methods({4096, 4096, side, side}, {});
        CHECK(names.size() == 5);
        CHECK(names.back() == "plain");
    }
    CHECK(first({4096, 4096, 5, 5}) == "streaming");
    CHECK(ranked_methods({4096, 4096, 17, 17}, {})[1] == "tensor");
    CHECK(ranked_methods({4096, 4096, 129, 129}, {})[1] == "fft");
}

TEST_CASE("the fastest of the measured methods is taken, whatever the rule says") {
    const auto times = times_in(
        "fft,1,4096,4096,5,5,floats,0.1,1e-7,1e-7\n"
        "tensor,1,4096,4096,5,5,floats,0.2,1e-7,1e-7\n");
    CHECK(ranked_methods({4096, 4096, 5, 5}, times) ==
          std::vector<std::string>{"fft", "tensor", "streaming", "separable", "plain"});
}

TEST_CASE("a time counts for filters that are no larger, the nearest one first") {
    const auto times = times_in(
        "tensor,1,4096,4096,9,9,floats,0.2,1e-7,1e-7\n"
        "tensor,1,4096,4096,65,65,floats,0.7,1e-7,1e-7\n"
        "streaming,1,4096,4096,9,9,floats,0.3,1e-7,1e-7\n"
        "streaming,1,4096,4096,65,65,floats,0.6,1e-7,1e-7\n");
    CHECK(first({4096, 4096, 7, 9}, times) == "tensor");
    CHECK(first({4096, 4096, 11, 9}, times) == "streaming");
    CHECK(first({4096, 4096, 67, 1}, times) == "separable");  // nothing is as wide: the rule's
}

TEST_CASE("times of the image that is nearest in size are taken by the pixel") {
    const auto times = times_in(
        "tensor,1,4096,4096,9,9,floats,0.16,1e-7,1e-7\n"
        "tensor,1,1024,1024,9,9,floats,0.03,1e-7,1e-7\n"
        "streaming,1,4096,4096,9,9,floats,0.32,1e-7,1e-7\n"
        "streaming,1,1024,1024,9,9,floats,0.02,1e-7,1e-7\n");
    CHECK(first({4000, 4000, 9, 9}, times) == "tensor");
    CHECK(first({1000, 1100, 9, 9}, times) == "streaming");
    // One method was measured over a large image only, the other over a small one: 10 ns for 1000 pixels against 19.
    const auto apart = times_in(
        "tensor,1,4096,4096,9,9,floats,0.16,1e-7,1e-7\n"
        "streaming,1,1024,1024,9,9,floats,0.02,1e-7,1e-7\n");
    CHECK(first({1024, 1024, 9, 9}, apart) == "tensor");
}

TEST_CASE("what was measured of many images counts for many") {
    const auto times = times_in(
        "streaming,1,1920,1080,9,9,floats,0.013,1e-7,1e-7\n"
        "tensor,1,1920,1080,9,9,floats,0.014,1e-7,1e-7\n"
        "streaming,8,1920,1080,9,9,floats,0.008,1e-7,1e-7\n"
        "tensor,8,1920,1080,9,9,floats,0.007,1e-7,1e-7\n");
    problem size{1920, 1080, 9, 9};
    CHECK(first(size, times) == "streaming");
    size.images = 2;
    CHECK(first(size, times) == "streaming");
    size.images = 4;
    CHECK(first(size, times) == "tensor");
}

TEST_CASE("what is less accurate than a plain loop is not taken, but where halves will do") {
    const std::string fast_halves = "tensor,1,4096,4096,9,9,halves,0.1,3e-4,1e-7\n";
    const std::string floats = "streaming,1,4096,4096,9,9,floats,0.2,1e-7,1e-7\n";
    const std::string inaccurate = "fft,1,4096,4096,9,9,floats,0.15,2e-7,1e-7\n";
    const auto times = times_in(fast_halves + floats + inaccurate);
    CHECK(first({4096, 4096, 9, 9}, times) == "streaming");
    CHECK(first({4096, 4096, 9, 9, accuracy::halves}, times) == "tensor");
    // What is more accurate than asked for will do, too.
    CHECK(first({4096, 4096, 9, 9, accuracy::halves}, times_in(floats)) == "streaming");
}

TEST_CASE("a file that is no tuning file is an error that names the line") {
    CHECK_THROWS_WITH(times_in("tensor,1,4096,4096,9,9,floats,fast,1e-7,1e-7\n"),
                      "line 3: kernel_ms is \"fast\"");
    CHECK_THROWS_WITH(times_in("tensor,1,4096\n"), "line 3: no kernel_ms");
    std::istringstream other("a,b\n1,2\n");
    CHECK_THROWS_WITH(fastest::read_times(other), "line 2: no method");
}

TEST_CASE("plans are chosen as the recorded file says, by the times in it") {
    std::ifstream file("data/measurements/nvidia-h200/fastest.csv");
    std::stringstream text;
    text << file.rdbuf();
    const auto times = fastest::read_times(text);
    int chosen = 0;
    for (const author::csv_row& row : author::rows_of(text.str())) {
        if (author::cell(row, "filter_kind") != "random" || author::cell(row, "accuracy") != "floats")
            continue;
        const auto number = [&](const char* column) { return std::stoi(author::cell(row, column)); };
        auto names = ranked_methods({number("width"), number("height"), number("filter_width"),
                                     number("filter_height"), accuracy::floats, 1.0f, number("images")},
                                    times);
        std::erase(names, "separable");  // refuses these filters
        CAPTURE(author::filter_of(row));
        CHECK((names.front() == author::cell(row, "method")) == (number("chosen") == 1));
        chosen += number("chosen");
    }
    CHECK(chosen > 30);
}
