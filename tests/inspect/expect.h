// What the inspector's tests share: cases with an expected finding, or none.
#pragma once
#include <cstdio>
#include <string>
#include <vector>

#include "../support/marks.h"
#include "inspect/watch/inspect.h"
#include "simt/engine/observer.h"

/// Runs a piece of host code and returns what the inspector saw of it, leaks aside:
/// no program here frees its memory.
template <class code>
inspect::report inspected(const code& run) {
    inspect::take();
    run();
    cudaDeviceSynchronize();
    inspect::report seen = inspect::take();
    std::erase_if(seen.findings, [](const inspect::finding& one) { return one.kind == "leak"; });
    if (cudaGetLastError() != cudaSuccess) cudaDeviceReset();  // errors inside kernels stay until the reset
    return seen;
}

/// What a test program, called again with this argument, prints with so many runners.
inline std::string output_with(int runners, const char* program, const char* argument = "run") {
    const std::string command = "SIMT_THREADS=" + std::to_string(runners) + " '" + program + "' " + argument;
    std::string text;
    FILE* pipe = popen(command.c_str(), "r");
    for (int c = pipe ? fgetc(pipe) : EOF; c != EOF; c = fgetc(pipe))
        text += static_cast<char>(c);
    if (pipe) pclose(pipe);
    return text;
}

struct finding_case {
    const char* name;  // also the mark of the line that is expected
    void (*run)();
    const char* kind;      // "": the program is right
    const char* contains;  // a part of the sentence
};

inline std::string describe(const inspect::report& seen) {
    std::string text;
    for (const inspect::finding& one : seen.findings) {
        text += "\n    " + std::to_string(one.line) + ": " + one.kind + ": " + one.text;
    }
    return text.empty() ? "\n    nothing" : text;
}

/// Every finding of the case must be of its kind, at its line, and there must be one with the wanted words.
inline void check_case(const char* file, const finding_case& one) {
    const inspect::report seen = inspected(one.run);
    const std::string kind = one.kind;
    const std::string title = std::string(one.name) + ": ";
    if (kind.empty()) {
        expect(seen.findings.empty(), title + "no findings, got" + describe(seen));
        return;
    }
    const int line = marked_line(file, one.name);
    bool all_fit = true, words_fit = false;
    for (const inspect::finding& found : seen.findings) {
        all_fit &= found.kind == kind && found.line == line;
        all_fit &= found.is_error == (kind != "benign-race");
        words_fit |= found.text.find(one.contains) != std::string::npos;
    }
    expect(all_fit && words_fit, title + kind + " at line " + std::to_string(line) + " with \"" +
                                     one.contains + "\", got" + describe(seen));
}

inline int check_cases(const char* file, const std::vector<finding_case>& cases) {
    inspect::begin();
    for (const finding_case& one : cases)
        run_case([&] { check_case(file, one); });
    return finish();
}

/// Device memory of `count` elements with a value in every byte; without the value it is left as allocated.
template <class type>
type* device(size_t count, int byte = 0) {
    type* memory = nullptr;
    cudaMalloc(&memory, count * sizeof(type));
    if (byte >= 0) cudaMemset(memory, byte, count * sizeof(type));
    return memory;
}
inline constexpr int UNINITIALISED_MEMORY = -1;
