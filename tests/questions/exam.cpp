// The exam's keys on the instructors' page, computed anew.
#include <doctest/doctest.h>

#include <cmath>
#include <regex>

#include "author/regions.h"
#include "questions/expression.h"

TEST_CASE("what the exam's keys compute is what they say") {
    const std::string page = author::read_text("handouts/instructor/course.md");
    const size_t keys = page.find("### Keys");
    REQUIRE(keys != std::string::npos);
    // An expression, in code or not, and the number behind its sign, perhaps in other units: 2.72 GFLOP.
    const std::regex computed(R"(([0-9(][-+*/() 0-9]*[*/+][-+*/() 0-9]*)`?(?: bytes)? = ([0-9.]+\d))");
    int found = 0;
    for (std::sregex_iterator one(page.begin() + long(keys), page.end(), computed), end; one != end;
         ++one, ++found) {
        const double value = questions::evaluate((*one)[1].str(), {}), said = std::stod((*one)[2].str());
        const double units = std::pow(1000, std::round(std::log10(value / said) / 3));
        CHECK_MESSAGE(std::fabs(value / units / said - 1) < 5e-3, one->str(), " is ", value);
    }
    CHECK(found >= 9);
}
