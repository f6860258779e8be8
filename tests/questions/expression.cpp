// Numbers and formulas as people write them, and what is no number.
#include "questions/expression.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using questions::evaluate;

static std::string trouble(const std::string& text) {
    try {
        return "no trouble: " + std::to_string(evaluate(text, {{"n", 7}}));
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

TEST_CASE("numbers are read in every usual form") {
    for (const char* same : {"0.75", ".75", "0,75", "0,750", "3/4", "3\u00f74", "75 %", "75%", "7.5e-1",
                             "7,5 \u22c5 10^-1", "1 - 1/4", "1 \u2013 0,25", "+0.75", "(3)/(4)", "3/2\u00b2"})
        CHECK_MESSAGE(evaluate(same, {}) == doctest::Approx(0.75), same);
    for (const char* same : {"16777216", "16 777 216", "16,777,216", "16'777'216", "16_777_216", "2^24",
                             "4096 * 4096", "16\u00a0777\u202f216", "4096\u00b74096", "16.777216e6"})
        CHECK_MESSAGE(evaluate(same, {}) == 16777216, same);
    CHECK(evaluate("-2^2", {}) == -4);
    CHECK(evaluate("2^3^2", {}) == 512);
    CHECK(evaluate("7 - 2 - 1", {}) == 4);
    CHECK(evaluate("\u22125", {}) == -5);
}

TEST_CASE("formulas need no multiplication sign before a name or a bracket") {
    const questions::variables known = {{"n", 10}, {"r", 3}, {"m", 7}};
    CHECK(evaluate("nm", {{"nm", 4}}) == 4);
    CHECK(evaluate("n m - r(r + 1)", known) == 58);
    CHECK(evaluate("n*m - 2r(r+1)/2", known) == 58);
    CHECK(evaluate("ceil(n/r) + floor(n/r) + mod(n, r) + min(1,999) + max(n,r)", known) ==
          4 + 3 + 1 + 1 + 10);
}

TEST_CASE("what cannot be read is told in a few words") {
    const std::pair<std::string, const char*> cases[] = {
        {"", "a number is missing at the end"},
        {"3 +", "a number is missing at the end"},
        {"12 13", "'13' is too much"},
        {"1,234,56", "',56' is too much"},
        {"1.5,5", "',5' is too much"},
        {"3,", "',' is too much"},
        {"min(1,5)", "no trouble: 1.000000"},
        {"(3", "a ')' is missing"},
        {"3)", "')' is too much"},
        {"x", "'x' is not known here"},
        {"sqrt", "'sqrt' is not known here"},
        {"max(3)", "max takes 2 numbers"},
        {"1/0", "not a finite number"},
        {"9^9^9^9", "not a finite number"},
        {"sqrt(-1)", "not a finite number"},
        {".", "'.' is no number"},
        {"=3", "no number at '=3'"},
        {std::string(100000, '('), "more than 40 brackets inside each other"},
        {std::string(100000, '-'), "more than 40 brackets inside each other"},
        {"2" + std::string(100, '^'), "no number at '^^^^^^^^^^^^^^^^^^^^'"}};
    for (const auto& [text, told] : cases)
        CHECK_MESSAGE(trouble(text) == told, text.substr(0, 20));
}
