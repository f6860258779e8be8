// What the words of a check count: memory, operation and variable, read once.
#include <doctest/doctest.h>

#include "check/expected_count.h"

using check::counted_accesses;
using memory = counted_accesses::memory;
using operation = counted_accesses::operation;

namespace {

void check_words(const char* words, memory where, operation what, const std::string& variable) {
    INFO(words);
    const counted_accesses counted(words);
    CHECK(counted.words() == words);
    CHECK(counted.where() == where);
    CHECK(counted.what() == what);
    CHECK(counted.variable() == variable);
}

inspect::line_traffic line(const std::string& space, const std::string& direction,
                           const std::string& variable) {
    inspect::line_traffic seen;
    seen.space = space, seen.direction = direction, seen.variable = variable;
    return seen;
}

}  // namespace

TEST_CASE("memory, operation and variable stand in the words") {
    check_words("global loads of in", memory::global, operation::load, "in");
    check_words("global stores to out", memory::global, operation::store, "out");
    check_words("global loads of in by an inner tile", memory::global, operation::load, "in");
    check_words("global loads of anything but in", memory::global, operation::load, "in");
    check_words("bytes loaded from filter", memory::any, operation::load, "filter");
    check_words("bytes stored to out", memory::any, operation::store, "out");
    check_words("bytes moved for every byte loaded from in", memory::any, operation::load, "in");
    check_words("bytes used of the 32 of every sector of in", memory::any, operation::any, "in");
    check_words("loads of in for every request of a warp", memory::any, operation::load, "in");
    check_words("constant loads of the filter", memory::constant, operation::load, "filter");
    check_words("loads of taps from constant memory", memory::constant, operation::load, "taps");
    check_words("sectors per request of in", memory::any, operation::any, "in");
}

TEST_CASE("what the words leave open stays open") {
    check_words("texture fetches of one request", memory::texture, operation::load, "");
    check_words("bytes loaded from shared memory", memory::shared, operation::load, "");
    check_words("addresses of a request to constant memory", memory::constant, operation::any, "");
    check_words("bytes of dynamic shared memory", memory::shared, operation::any, "");
    check_words("shared loads and stores", memory::shared, operation::any, "");
    check_words("loads of filter from global or constant memory", memory::any, operation::load, "filter");
    check_words("bytes loaded from in, tile and halo", memory::any, operation::load, "");
    check_words("blocks", memory::any, operation::any, "");
    check_words("", memory::any, operation::any, "");
}

TEST_CASE("numbers of accesses and what is told about them") {
    for (const char* words : {"global loads of in", "loads of filter from global or constant memory",
                              "global loads of anything but in", "global stores to out", "texture fetches"})
        CHECK_MESSAGE(counted_accesses(words).is_plain(), words);
    for (const char* words : {"bytes loaded from in", "sectors per request of in", "requests for in",
                              "loads of in for every request of a warp", "texture fetches per request", ""})
        CHECK_FALSE_MESSAGE(counted_accesses(words).is_plain(), words);
}

TEST_CASE("words are made as checks say them") {
    CHECK(counted_accesses(memory::global, operation::load, "in").words() == "global loads of in");
    CHECK(counted_accesses(memory::global, operation::store, "out").words() == "global stores of out");
    CHECK(counted_accesses(memory::shared, operation::store).words() == "shared stores");
    CHECK(counted_accesses(memory::texture, operation::load).words() == "texture fetches");
    for (const memory where : {memory::global, memory::shared, memory::constant}) {
        const counted_accesses made(where, operation::load, "in");
        check_words(made.words().c_str(), where, operation::load, "in");
    }
}

TEST_CASE("a line counts if nothing of it was excluded") {
    const counted_accesses loads("global loads of in");
    CHECK(loads.include(line("global", "load", "in")));
    CHECK_FALSE(loads.include(line("global", "store", "in")));
    CHECK_FALSE(loads.include(line("shared", "load", "in")));
    CHECK_FALSE(loads.include(line("global", "load", "out")));
    CHECK(counted_accesses("sectors per request of in").include(line("global", "store", "in")));
    CHECK_FALSE(counted_accesses("shared loads").include(line("shared", "load", "s_in")));
    CHECK_FALSE(counted_accesses("blocks").include(line("global", "load", "")));
}

TEST_CASE("accesses are counted in a report") {
    inspect::report seen;
    seen.launches.emplace_back();
    inspect::launch& launch = seen.launches.back();
    launch.total.global.loads.lanes = 7, launch.total.shared.stores.lanes = 5;
    launch.total.constant.lanes = 3, launch.total.texture.lanes = 2;
    launch.variables.push_back({"in", "global", {}});
    launch.variables.back().seen.loads.lanes = 4;
    CHECK(counted_accesses("global loads").in(seen).lanes == 7);
    CHECK(counted_accesses("global loads of in").in(seen).lanes == 4);
    CHECK(counted_accesses("global stores of in").in(seen).lanes == 0);
    CHECK(counted_accesses("shared stores").in(seen).lanes == 5);
    CHECK(counted_accesses("constant loads").in(seen).lanes == 3);
    CHECK(counted_accesses("texture fetches").in(seen).lanes == 2);
}
