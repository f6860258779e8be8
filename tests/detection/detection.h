// Mistakes and their right twins: what the programs of this folder share.
//   PROGRAM                   inspects all cases: each mistake is found where it is marked, and nothing else
//   PROGRAM --list            CASE,KIND:LINE of every case, as marked
//   PROGRAM CASE bad|right    runs one of the two, or all of one; inspected, it prints what was found
// The line that must be reported has a mark (marks.h): "// HERE CASE: KIND" or "... KIND, KIND".
// nvcc compiles the same files, without an inspector, for a tool that watches from outside.
#pragma once
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/marks.h"

/// A mistake and its twin, from one lambda: run(std::false_type()) makes the mistake, run(std::true_type())
/// does not. Both return whether the values are right, which only the twin has to promise.
struct detection_case {
    const char* name;
    bool (*bad)();
    bool (*right)();

    template <class code>
    detection_case(const char* name, code)
        : name(name),
          bad([] { return code()(std::false_type()); }),
          right([] { return code()(std::true_type()); }) {}
};

/// A finding as the cases expect it: "KIND:LINE" of their own file.
using place_set = std::set<std::string>;

inline std::string joined(const place_set& places) {
    std::string text;
    for (const std::string& one : places)
        text += (text.empty() ? "" : " ") + one;
    return text.empty() ? "nothing" : text;
}

/// What the marks of a case promise.
inline place_set marked(const char* file, const std::string& name) {
    place_set places;
    for (const mark& one : marks_of(file, name)) {
        for (size_t kind = 0, end = 0; kind < one.kinds.size(); kind = end + 2) {
            end = std::min(one.kinds.find(", ", kind), one.kinds.size());
            places.insert(one.kinds.substr(kind, end - kind) + ":" + std::to_string(one.line));
        }
    }
    return places;
}

#ifdef __NVCC__

inline void begin_inspection() {}
inline void print_findings() {}
inline int detect_all(const char*, const std::vector<detection_case>&) {
    std::fprintf(stderr, "there is no inspector on a GPU: name a case and say bad or right\n");
    return 2;
}

#else
#include <sys/wait.h>

#include "inspect/watch/inspect.h"

inline void begin_inspection() {
    inspect::begin();
}

inline std::string text_of(const inspect::finding& found) {
    return found.file + ":" + std::to_string(found.line) + ": " + found.kind + ": " + found.text;
}

inline void print_findings() {
    for (const inspect::finding& found : inspect::take().findings)
        std::printf("%s\n", text_of(found).c_str());
}

/// What was found, and whether the values were right.
struct sighting {
    place_set places;
    std::string text;  // for people
    bool values_are_right = false;
};

inline sighting look(const char* file, bool (*run)()) {
    sighting seen;
    inspect::take();
    seen.values_are_right = run();
    cudaDeviceSynchronize();
    for (const inspect::finding& found : inspect::take().findings) {
        const std::string elsewhere = found.file == file ? "" : " in " + found.file;
        seen.places.insert(found.kind + ":" + std::to_string(found.line) + elsewhere);
        seen.text += "\n    " + text_of(found);
    }
    if (cudaGetLastError() != cudaSuccess) cudaDeviceReset();  // a failed kernel spoils what comes after
    return seen;
}

inline std::vector<std::string> lines_of(std::FILE* file) {
    std::vector<std::string> lines;
    std::string line;
    for (int c = 0; (c = std::fgetc(file)) != EOF;) {
        if (c != '\n') {
            line += char(c);
            continue;
        }
        lines.push_back(line);
        line.clear();
    }
    return lines;
}

/// For a mistake that ends the process: the backend's last words, "simt: FILE:LINE: KIND: ...".
inline sighting look_from_outside(const char* file, bool (*run)()) {
    std::FILE* words = std::tmpfile();
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        dup2(fileno(words), STDERR_FILENO);
        run();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::rewind(words);
    const std::vector<std::string> lines = lines_of(words);
    std::fclose(words);
    sighting seen;
    const std::string begin = std::string("simt: ") + file + ":";
    for (const std::string& line : lines) {
        if (line.rfind(begin, 0) != 0) continue;
        const size_t colon = line.find(": ", begin.size());
        const std::string kind = line.substr(colon + 2, line.find(": ", colon + 2) - colon - 2);
        seen.places.insert(kind + ":" + line.substr(begin.size(), colon - begin.size()));
        seen.text += "\n    " + line;
    }
    return seen;
}

inline void judge(const std::string& title, const sighting& seen, const place_set& expected, bool is_right) {
    expect(seen.places == expected,
           title + ": " + joined(expected) + ", found " + joined(seen.places) + seen.text);
    expect(seen.values_are_right || !is_right, title + ": right values");
}

inline int detect_all(const char* file, const std::vector<detection_case>& cases) {
    for (const detection_case& one : cases) {
        const place_set expected = marked(file, one.name);
        const bool is_fatal = joined(expected).rfind("device-pointer-on-host", 0) == 0;
        const sighting bad = is_fatal ? look_from_outside(file, one.bad) : look(file, one.bad);
        const sighting right = look(file, one.right);
        const std::string name = one.name;
        run_case([&] {
            expect(!expected.empty(), name + " to have a mark in " + file);
            judge(name + " bad", bad, expected, false);
        });
        run_case([&] { judge(name + " right", right, {}, true); });
    }
    return finish();
}

#endif

inline int list_cases(const char* file, const std::vector<detection_case>& cases) {
    for (const detection_case& one : cases)
        std::printf("%s,%s\n", one.name, joined(marked(file, one.name)).c_str());
    return 0;
}

/// The cases of this name, or all of them, right or with their mistake.
inline int run_named(const std::vector<detection_case>& cases, const std::string& name, bool is_right) {
    int found = 0, wrong = 0;
    for (const detection_case& one : cases) {
        if (name != one.name && name != "all") continue;
        found++;
        const bool values_are_right = (is_right ? one.right : one.bad)();
        cudaDeviceSynchronize();
        if (!is_right || values_are_right) continue;
        std::printf("%s: computes wrong values\n", one.name);
        wrong++;
    }
    print_findings();
    if (found == 0) std::fprintf(stderr, "there is no case %s\n", name.c_str());
    return found == 0 ? 2 : wrong == 0 ? 0 : 1;
}

inline int detect(const char* file, int argc, char** argv, const std::vector<detection_case>& cases) {
    begin_inspection();
    const std::string first = argc > 1 ? argv[1] : "", second = argc > 2 ? argv[2] : "";
    if (argc == 1) return detect_all(file, cases);
    if (argc == 2 && first == "--list") return list_cases(file, cases);
    if (argc == 3 && (second == "bad" || second == "right"))
        return run_named(cases, first, second == "right");
    std::fprintf(stderr, "usage: %s [--list | CASE|all bad|right]\n", argv[0]);
    return 2;
}

/// Device memory of `count` elements: as the device gives it, or with these values.
template <class T>
class device_array {
public:
    explicit device_array(size_t count) : count_(count) { cudaMalloc(&memory_, count * sizeof(T)); }
    explicit device_array(const std::vector<T>& values) : device_array(values.size()) {
        cudaMemcpy(memory_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~device_array() { cudaFree(memory_); }
    device_array(const device_array&) = delete;
    device_array& operator=(const device_array&) = delete;

    operator T*() const { return memory_; }
    std::vector<T> host() const {
        std::vector<T> values(count_);
        cudaMemcpy(values.data(), memory_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
        return values;
    }

private:
    T* memory_ = nullptr;
    size_t count_;
};

inline std::vector<float> zeros(size_t count) {
    return std::vector<float>(count);
}
/// first, first + step, first + 2 step, ...
inline std::vector<float> ramp(size_t count, float first = 0, float step = 1) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; i++)
        values[i] = first + step * float(i);
    return values;
}

/// Launches kernel(out, in, more...) with these values in `in`; true if `out` is as wanted afterwards.
template <class... parameters>
bool computes(const std::vector<float>& wanted, void (*kernel)(float*, const float*, parameters...),
              dim3 grid, dim3 block, const std::vector<float>& values,
              std::type_identity_t<parameters>... more) {
    const device_array<float> in(values);
    const device_array<float> out(zeros(wanted.size()));
    kernel<<<grid, block>>>(out, in, more...);
    return out.host() == wanted;
}
