// Keys beside what the inspector counts of the reference solutions, for a few students each.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "../support/read_back.h"
#include "author/regions.h"
#include "questions/draw.h"
#include "questions/expression.h"

namespace fs = std::filesystem;
using namespace questions;

namespace {

/// A launch of a solution, by its method, on a problem.
struct launch {
    std::string lab, method;
    int width, height, radius;

    /// What the inspector counted of it, by the names of common/bench/counters.txt.
    double counted(const std::string& counter) const {
        const own_folder folder;
        const fs::path csv = folder.root / "counts.csv";
        const std::string said =
            printed_by(fmt::format("build/tests/{0} --worker=build/cpu/{0}/solution.inspect --methods={1} "
                                   "--width={2} --height={3} --radius={4} "
                                   "--csv={5} inspect",
                                   lab, method, width, height, radius, csv.string()));
        if (!fs::exists(csv)) throw std::runtime_error(said);
        const table rows = read_csv(author::read_text(csv));
        const auto column = std::find(rows.at(0).begin(), rows.at(0).end(), counter) - rows[0].begin();
        return std::stod(rows.at(1).at(size_t(column)));
    }
    /// Floats loaded from global memory.
    double loads() const { return counted("global_load_bytes") / sizeof(float); }
};

/// A question, and its key by what the inspector counts; none for numbers that no method is there for.
struct inspected {
    std::string id;
    std::function<bool(const variables&)> can;
    std::function<double(const variables&)> key;
};

int whole(const variables& of, const char* name) {
    return int(std::lround(of.at(name)));
}

bool always(const variables&) {
    return true;
}

bool has_tile(const variables& of, int tile) {
    return whole(of, "tile") == tile;
}

const inspected ALL[] = {
    {"02.a", always,
     [](const variables& v) {
         return launch{"01_conv1d_basic", "basic", whole(v, "n"), 1, whole(v, "r")}.loads();
     }},
    {"02.d", always,
     [](const variables& v) {
         return launch{"02_conv1d_constant", "constant", 32 * whole(v, "k"), 1, whole(v, "r")}.counted(
             "constant_requests");
     }},
    {"03.a", [](const variables& v) { return has_tile(v, 256) && whole(v, "k") <= 4096 / 256; },
     [](const variables& v) {
         return launch{"03_conv1d_tiled_halo", "tiled", 256 * whole(v, "k"), 1, whole(v, "r")}.loads();
     }},
    {"04.a", [](const variables& v) { return has_tile(v, 32); },
     [](const variables& v) {
         return launch{"04_conv1d_cached_halo", "cached_32", 32 * whole(v, "k"), 1, whole(v, "r")}.loads();
     }},
    {"05.g", always,
     [](const variables& v) {
         // Each load of a pixel has one of a tap beside it.
         launch one{"05_conv2d_naive", "naive", whole(v, "w"), whole(v, "h"), whole(v, "r")};
         const double tested = one.loads();
         one.method = "padded";
         return 1 - tested / one.loads();
     }},
    {"05.m", always,
     [](const variables& v) {
         return launch{"06_conv2d_constant", "constant", whole(v, "w"), whole(v, "h"), whole(v, "r")}.loads();
     }},
    {"07.i", [](const variables& v) { return has_tile(v, 16); },
     [](const variables& v) {
         return launch{"07_conv2d_tiled", "tiled", 16 * whole(v, "a"), 16 * whole(v, "b"), whole(v, "r")}
             .loads();
     }},
};

question of_id(const std::string& id) {
    for (const fs::path& file : question_files())
        for (const question& which : read_questions(file))
            if (which.id == id) return which;
    throw std::runtime_error(id + " is no question");
}

}  // namespace

TEST_CASE("keys equal the inspector's counts of the solutions") {
    constexpr int FEW = 3;
    for (const inspected& one : ALL) {
        const question which = of_id(one.id);
        int looked = 0;
        for (int variant = 0; variant < variants(which) && looked < FEW; variant++) {
            const variables numbers = numbers_of(which, variant);
            if (!one.can(numbers)) continue;
            looked++;
            CHECK_MESSAGE(one.key(numbers) == doctest::Approx(evaluate(which.key, numbers)), one.id,
                          ", variant ", variant);
        }
        CHECK_MESSAGE(looked == FEW, one.id);
    }
}
