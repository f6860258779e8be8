// A class of attackers (attack_file.h) and a few honest students, graded in boxes, and again without them as a
// student's own make lab01 runs a file: nobody gets what is not due, nobody's neighbour notices, and nothing is left
// on this machine. With TELL_ATTACKS=WORD in the environment it tells what those with the word in their names get, or
// the "open" ones; with WRITE_ATTACKS=FOLDER it writes them there, with what is due (common/bench/class.sh).
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "attack_file.h"
#include "attacked_class.h"
#include "author/regions.h"
#include "author/shard.h"
#include "call/sandbox.h"
#include "grade/box.h"
#include "grade/run_program.h"
#include "left_behind.h"
#include "report/graded.h"

namespace fs = std::filesystem;

using namespace attacks;

namespace {

/// What kept it from its points, in a line.
std::string first_message(const report::graded_lab& seen) {
    if (!seen.message.empty()) return seen.message;
    for (const report::graded_check& check : seen.checks)
        if (!check.passed && !check.messages.empty()) return check.messages.front();
    return "";
}

/// Whatever is lost twice for 20 s, or for 30 s in all, is not tried again; the rest is for a busy machine.
constexpr double MOST_SECONDS = 100;

void check_verdicts(const std::vector<attack>& all, std::map<std::string, report::graded_lab>& seen) {
    for (const attack& one : all) {
        const report::graded_lab& verdict = seen[one.student()];
        CAPTURE(one.student());
        CAPTURE(verdict.state);
        CAPTURE(verdict.points);
        CAPTURE(first_message(verdict));
        CHECK(is_expected(one, verdict.state, verdict.points));
        CHECK(verdict.seconds < MOST_SECONDS);
    }
}

void tell(const std::vector<attack>& all, std::map<std::string, report::graded_lab>& seen) {
    for (const attack& one : all) {
        const report::graded_lab& verdict = seen[one.student()];
        MESSAGE(one.student() << ": " << verdict.state << " " << verdict.points << ", " << verdict.seconds
                              << " s: " << first_message(verdict));
    }
}

std::vector<attack> those(const std::vector<attack>& all, bool open) {
    std::vector<attack> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [&](const attack& one) { return one.open == open; });
    return some;
}

/// Those of the part that is asked for (ALL=1: all) that the judge holds against.
std::vector<attack> asked_for() {
    const author::shard part = author::wanted_shard();
    std::vector<attack> some = those(all_attacks(), false);
    size_t place = 0;
    std::erase_if(some, [&](const attack&) { return !part.has(place++); });
    return some;
}

/// Whether only a limit ends it.
bool takes_long(const attack& one) {
    return std::any_of(one.expected.begin(), one.expected.end(), [](const std::string& verdict) {
        return verdict == "timed_out" || verdict == "out_of_memory";
    });
}

/// Grades the attacks and the honest ones; all verdicts are as expected and nothing is left.
void check_class(const std::vector<attack>& all, const std::vector<std::string>& options) {
    const left_behind traces;
    const attacked_class here;
    here.hand_in_honest();
    for (const attack& one : all)
        here.hand_in(one.student(), one.text, lab_of(one.lab));
    const grade::program_end end = here.run(options, labs_of(all));
    CAPTURE(end.output);
    CHECK(end.text() == "ended with exit code 0");
    std::map<std::string, report::graded_lab> seen = here.verdicts();
    check_honest(seen);
    check_verdicts(all, seen);
    CHECK(seen.size() == all.size() + 5);
    for (const std::string& what : traces.look(here.places()))
        FAIL_CHECK("left behind: " << what);
    CHECK(fs::is_empty(here.root / "out/work"));
}

}  // namespace

TEST_CASE("there are eighty attacks or more, of every class") {
    std::set<int> numbers;
    std::set<std::string> names;
    for (const attack& one : all_attacks()) {
        numbers.insert(one.number());
        CAPTURE(one.student());
        CHECK(names.insert(one.student()).second);
    }
    CHECK(names.size() >= 80);
    CHECK(asked_for().size() >= 80);
    CHECK(numbers.size() == 22);
}

TEST_CASE("in boxes no attack gets points that are not due, stops the class or leaves anything") {
    if (!can_box()) return;
    const std::vector<attack> open = those(all_attacks(), true);
    if (!open.empty()) MESSAGE(open.size() << " attacks are open: the judge does not hold against them yet");
    check_class(asked_for(), {});
}

TEST_CASE("nor without boxes, as a student's own make runs them") {
    const std::string missing = check::missing_protection(check::sandbox::cpu_backend);
    if (!missing.empty()) {
        MESSAGE("skipped: " << missing);
        return;
    }
    const std::set<int> REACHING_OUT = {3, 5, 8, 20};  // classes
    std::vector<attack> some = asked_for();
    std::erase_if(
        some, [&](const attack& one) { return REACHING_OUT.count(one.number()) == 0 || takes_long(one); });
    check_class(some, {"--unsafe"});
}

TEST_CASE("what attacks get" * doctest::skip(std::getenv("TELL_ATTACKS") == nullptr)) {
    const std::string wanted = std::getenv("TELL_ATTACKS");
    const attacked_class here;
    std::vector<attack> some = all_attacks();
    std::erase_if(some, [&](const attack& one) {
        return one.student().find(wanted) == std::string::npos && !(one.open && wanted == "open");
    });
    for (const attack& one : some)
        here.hand_in(one.student(), one.text, lab_of(one.lab));
    here.run({}, labs_of(some));
    std::map<std::string, report::graded_lab> seen = here.verdicts();
    tell(some, seen);
}

TEST_CASE("attacks as files" * doctest::skip(std::getenv("WRITE_ATTACKS") == nullptr)) {
    const fs::path folder = std::getenv("WRITE_ATTACKS");
    fs::create_directories(folder);
    std::string due;
    for (const attack& one : all_attacks()) {
        author::write_text(folder / (one.student() + ".cu"), one.text);
        for (size_t k = 0; k < one.expected.size(); k++)
            due += (k == 0 ? one.student() + "," + one.lab + "," : " or ") + one.expected[k];
        due += "\n";
    }
    author::write_text(folder / "due", due);
}
