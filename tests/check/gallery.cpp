// The gallery with made-up methods: whose bits are the serial loop's, who refuses a filter, who is wrong.
#include "check/modes/gallery_mode.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "author/regions.h"
#include "check/method.h"
#include "fake_worker.h"

using namespace check;
namespace fs = std::filesystem;

namespace {

bool last_bit_off = false;  // of the methods "right" and "factored"
float too_long = 0;         // every length of the method "edges"

call_result answer(std::span<float> out, const problem_2d& p) {
    const std::vector<float> values = serial_values(p);
    std::copy(values.begin(), values.end(), out.begin());
    call_result result;
    result.how = call_end::returned;
    return result;
}

const method_2d right("right", [](auto&, auto&, auto out, auto& p) {
    const call_result result = answer(out, p);
    if (last_bit_off) out[0] = std::nextafter(out[0], 1e9f);
    return result;
});
const method_2d small("small", [](auto&, auto&, auto out, auto& p) {
    call_result result = answer(out, p);
    if (p.filter.width > 5) result.how = call_end::refused;
    return result;
});
// Takes a column and a row: another order of additions may give it other bits.
const method_2d factored(
    "factored",
    [](auto&, auto&, auto out, auto& p) {
        REQUIRE(int(p.filter.row.size()) == p.filter.width);
        const call_result result = answer(out, p);
        if (last_bit_off) out[0] = std::nextafter(out[0], 1e9f);
        return result;
    },
    1, give_as_factors);
// Gives lengths of gradients, of which those below a threshold are 0.
const method_2d edges(
    "edges",
    [](auto&, auto&, auto out, auto& p) {
        REQUIRE(p.gradient.size() == 2);
        const call_result result = answer(out, p);
        for (float& value : out)
            value += too_long;
        return result;
    },
    1, find_edges);

struct shown {
    int exit_code;
    std::vector<std::string> lines;  // of gallery.csv
    int pictures;

    int rows(const std::string& begin, const std::string& end) const {
        return int(std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
            return line.starts_with("99_fake,\"" + begin) && line.ends_with(end);
        }));
    }
};

constexpr int SEPARABLE = 11;  // of the filters: all but Laplacian, sharpen, emboss and edge

shown show(bool off, float longer = 0) {
    const fs::path folder = fs::temp_directory_path() / ("gallery-" + std::to_string(getpid()));
    fs::create_directories(folder / "out");
    write_image(ramp_image(20, 10), folder / "photo.png");
    session run("99_fake", "worker", "worker");
    last_bit_off = off;
    too_long = longer;
    shown result{run_gallery({{folder / "photo.png"}, folder / "out", "2000-01-01"}, run), {}, 0};
    result.lines = author::lines_of(author::read_text(folder / "out/gallery.csv"));
    for (const auto& entry : fs::directory_iterator(folder / "out"))
        result.pictures += entry.path().extension() == ".png";
    fs::remove_all(folder);
    return result;
}

}  // namespace

TEST_CASE("every filter gives a picture and a row but for those that a method refuses") {
    const shown all = show(false);
    CHECK(all.exit_code == 0);
    CHECK(all.rows("right", ",yes,right") == 15);
    CHECK(all.rows("small", ",yes,right") == 12);
    CHECK(all.rows("small\",\"CPU backend (2 threads)\",2000-01-01,photo,box_23x23", "") == 0);
    CHECK(all.rows("factored", ",yes,right") == SEPARABLE);
    CHECK(all.rows("factored\",\"CPU backend (2 threads)\",2000-01-01,photo,gaussian_27x27", ",yes,right") ==
          1);
    CHECK(all.rows("factored\",\"CPU backend (2 threads)\",2000-01-01,photo,laplacian_3x3", "") == 0);
    CHECK(all.rows("edges", ",yes,right") == 15);
    CHECK(all.pictures == 27 + SEPARABLE + 15);
}

TEST_CASE("one bit of one pixel is noticed on the CPU backend") {
    const shown off = show(true);
    CHECK(off.exit_code == 1);
    CHECK(off.rows("right", ",no,wrong") == 15);
    CHECK(off.rows("small", ",yes,right") == 12);
    CHECK(off.rows("factored", ",no,right") == SEPARABLE);
}

TEST_CASE("of a method that takes other problems what is out of its bounds is noticed") {
    const shown off = show(false, 0.5f);
    CHECK(off.exit_code == 1);
    CHECK(off.rows("edges", ",no,wrong") == 15);
    CHECK(off.rows("right", ",yes,right") == 15);
}
