// The benchmark with made-up methods: what it measures,
// what it leaves out and why, and what it is told wrongly.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "author/regions.h"
#include "bench/bench.h"
#include "bench/map_table.h"
#include "bench/results.h"
#include "bench/statistics.h"
#include "bench/sweep.h"
#include "check/method.h"
#include "fake_worker.h"

using namespace check;

namespace {

int times_called = 0;  // of all methods but the serial loop

call_result answer(std::span<float> out, const problem_2d& p) {
    const std::vector<float> values = serial_values(p);
    std::copy(values.begin(), values.end(), out.begin());
    call_result result;
    result.how = call_end::returned;
    result.kernel_ms = {4, 1, 2};
    result.copy_ms = 3;
    result.call_ms = 9;
    result.block = {16, 8, 1};
    times_called++;
    return result;
}

const method_2d right("right", [](auto&, auto&, auto out, auto& p) { return answer(out, p); });
const method_2d square("square", [](auto&, auto&, auto out, auto& p) {
    (void)p.filter.radius();
    return answer(out, p);
});
const method_2d small("small", [](auto&, auto&, auto out, auto& p) {
    call_result result = answer(out, p);
    if (p.filter.width <= 5) return result;
    result.how = call_end::refused;
    result.trouble = "threw: 7 columns, at most 5 fit";
    return result;
});
const method_2d tired("tired", [](auto&, auto& options, auto out, auto& p) {  // wrong once it is timed
    const call_result result = answer(out, p);
    if (options.repeats > 1) out.back() += 1;
    return result;
});
const method_2d broken("broken", [](auto&, auto&, auto, auto&) {
    call_result result;
    result.how = call_end::crashed;
    result.trouble = "crashed";
    return result;
});
const method_2d colour(
    "colour", [](auto&, auto&, auto out, auto& p) { return answer(out, p); }, 3);
const method_2d factored(
    "factored",
    [](auto&, auto&, auto out, auto& p) {
        if (p.filter.column.empty()) throw std::invalid_argument("takes a column and a row");
        return answer(out, p);
    },
    1, give_as_factors);
const method_2d deep(
    "deep", [](auto&, auto&, auto out, auto& p) { return answer(out, p); }, 1, give_as_volume);

std::string no_table;  // why there is none
const bench::map_table squares("squares", "n,square", [](auto&) {
    if (!no_table.empty()) throw std::runtime_error(no_table);
    return std::vector<std::string>{"2,4", "3,9"};
});

struct bench_run {
    int exit_code;
    std::vector<std::string> lines;             // of the file
    std::map<std::string, std::string> others;  // files beside it, with their text

    int rows(const std::string& part) const {
        return int(std::count_if(lines.begin(), lines.end(),
                                 [&](const auto& line) { return line.find(part) != std::string::npos; }));
    }
};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

/// Runs in a folder of its own; `stale` is a table that lies there already.
bench_run measure(const bench::options& asked, const std::string& stale = "",
                  const std::string& unfinished = "") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("benchmark-" + std::to_string(getpid()));
    bench::options options = asked;
    options.csv = folder / "results.csv";
    options.date = "2000-01-01";
    fs::create_directories(folder);
    if (!stale.empty()) std::ofstream(folder / "99_fake.squares.csv") << stale;
    if (!unfinished.empty()) author::write_text(options.csv + ".part", unfinished);
    times_called = 0;
    session run("99_fake", "worker", "worker");
    const int exit_code = bench::run(options, run);
    const std::string file = options.csv + (options.more ? ".part" : "");
    bench_run result{exit_code, lines_of(author::read_text(file)), {}};
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path() != file) result.others[entry.path().filename()] = author::read_text(entry);
    }
    fs::remove_all(folder);
    return result;
}

bench::options asking_for(std::vector<std::string> methods, std::vector<std::string> filters) {
    bench::options options;
    options.methods = std::move(methods);
    options.images = {"20x10"};
    options.filters = std::move(filters);
    return options;
}

/// The message of the std::invalid_argument that the benchmark throws, "" if it does not.
std::string complaint(const bench::options& options) {
    try {
        (void)measure(options);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("methods and filters that are named are measured and no others") {
    const bench_run run = measure(asking_for({"right", "serial"}, {"3", "5x7"}));
    CHECK(run.exit_code == 0);
    CHECK(run.rows("99_fake,") == 4);
    CHECK(run.rows("\"right\",cpu,\"CPU backend (2 threads)\",2000-01-01,20,10,1,3,3,2.000000,3.000000,") ==
          1);
    CHECK(run.rows(",20,10,1,5,7,2.000000,") == 1);
    CHECK(run.rows("\"serial\",cpu,\"serial loop on the CPU\",") == 2);
    CHECK(run.rows("# measured: ") == 1);
}

TEST_CASE("a line on the screen is 80 columns wide, below its head") {
    bench::measurement longest;
    longest.method = "tiling_narrow_padded_4";
    longest.input = {16777216, 1}, longest.filter = {127, 127}, longest.taps = 16777216.0 * 127 * 127;
    longest.kernel_ms = 12345.67, longest.copies = {123.456, 0, 0, 3};
    const std::string head = bench::HEAD_ON_SCREEN, line = bench::point_on_screen(longest, 100, 256, 3599) +
                                                           bench::times_on_screen(longest);
    CHECK(line == "100/256 59:59 tiling_narrow_padded_4 16777216x1 127x127  12345.7   123.5    43.8");
    CHECK(line.size() == 80);
    CHECK(head.size() == 80);
    for (const std::string column : {"left", "image", "filter", "kernel", "copies", "GFLOP/s"}) {
        const size_t end = head.find(column) + column.size();
        CHECK_MESSAGE((line[end - 1] != ' ' && (end == head.size() || line[end] == ' ')), column);
    }
    longest.copies = {};
    longest.kernel_ms = 0.02924;
    CHECK(bench::times_on_screen(longest).starts_with("   0.0292       - "));
}

TEST_CASE("a method that refuses a filter is left out with its reason") {
    const bench_run run = measure(asking_for({"right", "square", "small"}, {"3", "7x3"}));
    CHECK(run.exit_code == 0);
    CHECK(run.rows("99_fake,") == 4);
    CHECK(run.rows("# left out: square, 20x10, filter 7x3: takes square filters, not 7x3") == 1);
    CHECK(run.rows("# left out: small, 20x10, filter 7x3: threw: 7 columns, at most 5 fit") == 1);
}

TEST_CASE("a wrong result is no row and fails the run") {
    const bench_run run = measure(asking_for({"right", "tired", "broken"}, {"3"}));
    CHECK(run.exit_code == 1);
    CHECK(run.rows("99_fake,") == 1);
    CHECK(run.rows("# left out: tired, 20x10, filter 3x3: the result is wrong: pixel (x=19, y=9): ") == 1);
    CHECK(run.rows("# left out: broken, 20x10, filter 3x3: crashed") == 1);
}

TEST_CASE("everything is measured if nothing is named") {
    bench::options options = asking_for({}, {"3"});
    const bench_run run = measure(options);
    for (const char* method : {"serial", "right", "square", "small", "colour", "factored", "deep"})
        CHECK(run.rows("99_fake,\"" + std::string(method)) == 1);
    CHECK(run.rows(",20,10,3,3,3,") == 1);  // three channels
    options.map = true;
    CHECK(measure(options).rows("\"serial\"") == 0);
    CHECK(measure(options).rows("2.000000,3.000000,,") == 6);  // no call of its own: its time is not known
}

TEST_CASE("the slices of a filter are part of its products") {
    const bench_run run = measure(asking_for({"right", "deep"}, {"33", "5"}));
    CHECK(run.exit_code == 0);
    CHECK(run.rows("\"right\",cpu,\"CPU backend (2 "
                   "threads)\",2000-01-01,20,10,1,5,5,2.000000,3.000000,9.000000,0.005,") == 1);
    CHECK(run.rows("\"deep\",cpu,\"CPU backend (2 "
                   "threads)\",2000-01-01,20,10,1,5,5,2.000000,3.000000,9.000000,0.025,") == 1);
    CHECK(run.rows("\"deep\"") == 2);  // one input for all filters, which become volumes one after another
}

TEST_CASE("a lab's table is written beside its map and by no other run") {
    bench::options options = asking_for({"right"}, {"3"});
    options.comments = {"device: none"};
    CHECK(measure(options).others.empty());
    options.map = true;
    const bench_run run = measure(options, "n,square\n7,7\n");
    CHECK(run.exit_code == 0);
    CHECK(run.others == std::map<std::string, std::string>{
                            {"99_fake.squares.csv", "# device: none\nn,square\n2,4\n3,9\n"}});
}

TEST_CASE("a table that cannot be filled leaves none and fails the run") {
    bench::options options = asking_for({"right"}, {"3"});
    options.map = true;
    no_table = "crashed";
    const bench_run run = measure(options, "n,square\n7,7\n");
    no_table.clear();
    CHECK(run.exit_code == 1);
    CHECK(run.rows("99_fake,") == 1);
    CHECK(run.others.empty());
}

TEST_CASE("times are told with their spread, their block and what was asked for") {
    bench::options options = asking_for({"right"}, {"3"});
    options.build = "no-fmad";
    options.pinned = true;
    options.kinds = {"box"};
    options.calls = 5;
    const bench_run run = measure(options);
    CHECK(run.exit_code == 0);
    // Of the launches 4, 1, 2 and of five calls whose copies all took 3 ms.
    CHECK(run.rows(",2.000000,3.000000,9.000000,") == 1);
    CHECK(run.rows(",16x8,no-fmad,box,pinned,1.200000,3.600000,3,5.000000,3.000000,3.000000,5") == 1);
    CHECK(times_called == 1 + 5);  // the first call loads the kernels
    CHECK(run.rows("# device: CPU backend (2 threads)") == 1);
}

TEST_CASE("percentiles lie between the values next to them") {
    const std::vector<double> tenths = {10, 0, 20, 30, 40, 50, 60, 70, 80, 90, 100};
    CHECK(bench::percentile(tenths, 0.1) == doctest::Approx(10));
    CHECK(bench::percentile(tenths, 0.5) == doctest::Approx(50));
    CHECK(bench::percentile(tenths, 0.97) == doctest::Approx(97));
    CHECK(bench::percentile({7}, 0.9) == doctest::Approx(7));
    CHECK(bench::spread_of({}).count == 0);
}

TEST_CASE("a launch of other blocks than were asked for is left out") {
    bench::options options = asking_for({"right"}, {"3"});
    options.block = "8x16";
    const bench_run run = measure(options);
    CHECK(run.rows("99_fake,") == 0);
    CHECK(run.rows("# left out: right, 20x10, filter 3x3: launches blocks of 16x8, not of 8x16") == 1);
    options.block = "16x8";
    CHECK(measure(options).rows("99_fake,") == 1);
}

namespace {

/// The text of an unfinished file with one of the two filters of `options`.
std::string half_of(bench::options options) {
    options.filters = {"3"};
    options.more = true;
    std::string text;
    for (const std::string& line : measure(options).lines)
        text += line + "\n";
    return text;
}

bench::options of_kernels(const std::string& hash) {
    bench::options options = asking_for({"right"}, {"3", "5"});
    options.comments = {"device: CPU backend (2 threads)", "kernels: 99_fake/solution " + hash};
    return options;
}

}  // namespace

TEST_CASE("an interrupted benchmark goes on where it was") {
    const bench::options options = of_kernels("1234");
    const std::string half = half_of(options);
    CHECK(half.find(",3,3,2.000000") != std::string::npos);

    SUBCASE("what it has is not measured again") {
        const bench_run run = measure(options, "", half);
        CHECK(times_called == 1 + 2);
        CHECK(run.rows("99_fake,") == 2);
        CHECK(run.rows(",20,10,1,3,3,2.000000,") == 1);
        CHECK(run.others.empty());  // the unfinished file is the finished one now
    }
    SUBCASE("what was left out is tried again and said once") {
        bench::options other = options;
        other.block = "32x8";
        other.more = true;
        std::string refused;
        for (const std::string& line : measure(other).lines)
            refused += line + "\n";
        const bench_run run = measure(other, "", refused);
        CHECK(times_called == 1 + 4);
        CHECK(run.rows("# left out: right, 20x10, filter 3x3: ") == 1);
        other.block = "16x8";
        CHECK(measure(other, "", refused).rows("# left out: right, 20x10, filter 3x3: ") == 1);
    }
    SUBCASE("a row that was cut off is measured again") {
        const bench_run run = measure(options, "", half.substr(0, half.size() - 5));
        CHECK(times_called == 1 + 4);
        CHECK(run.rows("99_fake,") == 2);
    }
    SUBCASE("of other kernels nothing is kept") {
        CHECK(measure(of_kernels("5678"), "", half).rows("99_fake,") == 2);
        CHECK(times_called == 1 + 4);
    }
    SUBCASE("where nobody says which kernels nothing is kept") {
        bench::options silent = options;
        silent.comments.pop_back();
        CHECK(measure(silent, "", half_of(silent)).rows("99_fake,") == 2);
        CHECK(times_called == 1 + 4);
    }
    SUBCASE("another block, build, kind or memory is another point") {
        bench::options other = options;
        SUBCASE("build") {
            other.build = "fast-math";
        }
        SUBCASE("kind") {
            other.kinds = {"box"};
        }
        SUBCASE("memory") {
            other.pinned = true;
        }
        SUBCASE("block") {
            other.block = "32x8";
        }
        (void)measure(other, "", half);
        CHECK(times_called == 1 + 4);
    }
}

TEST_CASE("the serial loop's time is the least of several runs") {
    const bench_run run = measure(asking_for({"serial"}, {"3"}));
    CHECK(run.rows(",,default,random,pageable,") == 1);
    CHECK(run.rows(",0.000000,0.000000,3") == 1);  // no copies, three runs
    bench::options options = asking_for({}, {"3"});
    options.serial = false;
    CHECK(measure(options).rows("\"serial\"") == 0);
}

TEST_CASE("what cannot be measured is named with what can") {
    CHECK(complaint(asking_for({"right", "naive"}, {"3"})) ==
          "--methods=naive: the methods of this lab are serial, right, square, small, tired, broken, colour, "
          "factored, deep");
    for (const std::string filter : {"4", "3x4", "0", "-3", "1025", "3y3", "x3", "3x", "03x3 ", "3.5"}) {
        const std::string text = complaint(asking_for({"right"}, {"3", filter}));
        INFO(text);
        CHECK(text.starts_with("--filters=" + filter + ": a filter is WIDTHxHEIGHT taps or one number"));
    }
    for (const std::string image : {"0x4", "16385", "4096*2", "5x-1", "99999999999"}) {
        bench::options options = asking_for({"right"}, {"3"});
        options.images = {image};
        CHECK(complaint(options).starts_with("--images=" + image + ": an image is WIDTHxHEIGHT pixels"));
    }
    bench::options options = asking_for({"right"}, {"3"});
    options.kinds = {"blur"};
    CHECK(complaint(options).starts_with("--kinds=blur: the kinds of filters are box, edge, "));
    options.kinds = {"sobel_x"};
    options.filters = {"3", "5"};
    CHECK(complaint(options) == "--kinds=sobel_x: there is none of 5x5 taps; 3x3 is one");
    options.kinds = {"box"};
    options.calls = 1001;
    CHECK(complaint(options) == "--calls=1001: a number from 1 to 1000");
    options = asking_for({"right"}, {"3"});
    options.lengths = {"100"};
    CHECK(complaint(options) == "--lengths=100: this lab has images, which are --images");
}

TEST_CASE("the sizes of the sources are measured on a GPU") {
    const bench::sweep images = bench::sweep_for(true, true, {});
    REQUIRE(images.inputs.size() == 4);
    for (const auto& [input, filters] : images.inputs) {
        const bool all = input.width > 1024;
        CHECK(filters.size() == (all ? 14 : 4));
        const auto has = [&filters = filters](int width, int height) {
            return std::any_of(filters.begin(), filters.end(), [&](bench::size_2d one) {
                return one.width == width && one.height == height;
            });
        };
        CHECK(has(3, 3));
        CHECK(has(43, 43) == all);
        CHECK(has(7, 33) == all);
        CHECK(has(33, 7) == all);
        CHECK(has(43, 7) == all);
    }
    bench::options options;
    options.map = true;
    CHECK(bench::sweep_for(true, true, options).inputs.at(0).filters.size() == 81);
    CHECK(bench::sweep_for(false, true, options).inputs.at(0).filters.size() == 9);

    const bench::sweep rows = bench::sweep_for(true, false, {});
    CHECK(rows.inputs.size() == 3);
    CHECK(rows.inputs[0].filters.size() == 8);
    CHECK_THROWS_AS(bench::sweep_for(true, false, options), std::invalid_argument);
    options = {};
    options.lengths = {"7", "1000"};
    options.filters = {"5"};
    CHECK(bench::sweep_for(true, false, options).inputs.at(1).input.width == 1000);
    CHECK(bench::sweep_for(true, false, options).inputs.at(1).filters.at(0).height == 1);
    options.filters = {"5x1"};
    CHECK_THROWS_AS(bench::sweep_for(true, false, options), std::invalid_argument);
}
