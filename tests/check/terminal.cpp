// Tests of text on a terminal.
#include "check/terminal.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "check/failure_lines.h"

using check::wrapped;

TEST_CASE("long lines are broken at spaces and go on two columns further in") {
    CHECK(wrapped("  one two three\nfour\n", 20) == "  one two three\nfour\n");
    CHECK(wrapped("  one two three\nfour", 9) == "  one two\n    three\nfour");
    CHECK(wrapped("  FAIL  0 of 5   one two", 20) ==
          "  FAIL  0 of 5   one\n    two");  // what is aligned stays
    CHECK(wrapped("", 9) == "");
    CHECK(wrapped("\n\n", 9) == "\n\n");
}

TEST_CASE("a word that is too long stands alone") {
    CHECK(wrapped("at folder/of/a/file.cu:12 it is", 10) == "at\n  folder/of/a/file.cu:12\n  it is");
}

TEST_CASE("colours take no columns, and letters of other languages one") {
    CHECK(wrapped("\033[31mFAIL\033[0m one two", 12) == "\033[31mFAIL\033[0m one two");
    CHECK(wrapped("\xc3\xbc\xc3\xbc \xc3\xbc\xc3\xbc", 5) == "\xc3\xbc\xc3\xbc \xc3\xbc\xc3\xbc");
}

TEST_CASE("colours and 80 columns are for terminals, colours unless NO_COLOR is set") {
    const int ours = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE((ours >= 0 && grantpt(ours) == 0 && unlockpt(ours) == 0));
    const int theirs = open(ptsname(ours), O_RDWR | O_NOCTTY), before = dup(STDOUT_FILENO);
    const std::string line = std::string(50, 'x') + " " + std::string(50, 'y');
    unsetenv("NO_COLOR");
    dup2(theirs, STDOUT_FILENO);
    const std::string red = check::painted("FAIL", check::RED), broken = check::for_terminal(line);
    setenv("NO_COLOR", "1", 1);
    const std::string plain = check::painted("FAIL", check::RED);
    dup2(before, STDOUT_FILENO);
    unsetenv("NO_COLOR");
    for (const int one : {ours, theirs, before})
        close(one);
    CHECK(red == "\033[31mFAIL\033[0m");
    CHECK(plain == "FAIL");
    CHECK(broken == std::string(50, 'x') + "\n  " + std::string(50, 'y'));
}

TEST_CASE("what ended a call begins with the student's own line, without its folder") {
    check::call_result result;
    result.trouble = "threw: /home/ada/my labs/x.cu:41: cudaFree(p): invalid argument";
    CHECK(check::trouble_line(result) == result.trouble);  // no line is known
    result.place = "x.cu:41";
    CHECK(check::trouble_line(result) == "threw: x.cu:41: cudaFree(p): invalid argument");
    result.trouble = "threw: common/lab/buffer.cpp:90: the copy: invalid argument";
    CHECK(check::trouble_line(result) == "threw: x.cu:41: the copy: invalid argument");
    result.trouble = "threw: device_buffer::copy_to: the host has 1 element";
    CHECK(check::trouble_line(result) == "threw: x.cu:41: device_buffer::copy_to: the host has 1 element");
    result.trouble = "threw: something";
    CHECK(check::trouble_line(result) == "threw: x.cu:41: something");
    result.trouble = "used more than 2 GB of memory";
    CHECK(check::trouble_line(result) == "used more than 2 GB of memory");
}
