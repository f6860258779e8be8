// The expectation of self-checking programs: silent if it holds; main() returns failures != 0.
#pragma once
#include <cstdio>

inline int failures = 0;

inline void expect(bool holds, const char* what, int line) {
    if (holds) return;
    fprintf(stderr, "line %d: expected %s\n", line, what);
    failures++;
}
/// One line on stderr if the condition does not hold; the test goes on.
#define EXPECT(condition) expect((condition), #condition, __LINE__)
