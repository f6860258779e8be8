// What programs that launch kernels test with: expectations, cases of them, and the line that counts the cases.
// Tests of plain C++ have doctest instead.
#pragma once
#include <cstdio>
#include <initializer_list>
#include <source_location>
#include <string>

inline int failures = 0;  // expectations that did not hold
inline int passed_cases = 0, failed_cases = 0;

/// One line on stderr if it does not hold; the case goes on.
inline void expect(bool holds, const std::string& what,
                   std::source_location where = std::source_location::current()) {
    if (holds) return;
    std::fprintf(stderr, "%s:%u: expected %s\n", where.file_name(), unsigned(where.line()), what.c_str());
    failures++;
}
#define EXPECT(condition) expect((condition), #condition)

/// A case passes if all its expectations hold.
template <class code>
void run_case(const code& run) {
    const int before = failures;
    run();
    ++(failures == before ? passed_cases : failed_cases);
}

/// Prints the line that common/build/test.sh reads; returns main()'s result.
inline int finish() {
    std::printf("%d passed, %d failed, 0 skipped\n", passed_cases, failed_cases);
    return failed_cases == 0 ? 0 : 1;
}

inline int run_cases(std::initializer_list<void (*)()> cases) {
    for (const auto& one : cases)
        run_case(one);
    return finish();
}
