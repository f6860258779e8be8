// The hostile submissions of this folder. NN_name.txt holds those of class NN; in it, after a few words,
//   ==== name | expected | what it tries
//   the text of conv1d_basic.cu
// `expected` is a state, "checked 100" or "checked <= 20"; " or " stands between two. "open: " before it says that
// the judge does not yet hold against it. In the text a line stands for others:
//   @headers        the contract, lab/lab.h and what attackers need of the system
//   @solution       the whole reference solution, headers and all
//   @honest         the same as a function `honest`, for attacks that are good for a while
//   @kernel         its kernel alone
//   @by_host        a function `by_host` with the lab's parameters, a loop on the host
//   @function BODY  the lab's function with this body; it may go on in the lines below
//   @store VALUE    a kernel that stores this for element x, and the lab's function around it
//   @edit OLD => NEW   the solution with another text in place of this one
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "author/regions.h"

namespace attacks {

namespace fs = std::filesystem;

inline constexpr char LAB[] = "01_conv1d_basic", FILE_NAME[] = "conv1d_basic.cu";

struct attack {
    std::string group, name;  // "03_forged_channel", "floods_the_channel"
    std::vector<std::string> expected;
    bool open = false;
    std::string text;

    int number() const { return std::atoi(group.c_str()); }
    std::string student() const { return group.substr(0, 2) + " " + name; }
};

inline const std::string& solution() {
    static const std::string text = author::read_text(fs::path("solutions") / LAB / FILE_NAME);
    return text;
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("not in the solution of lab 01: " + from);
    return text.replace(at, from.size(), to);
}

inline constexpr char PARAMETERS[] =
    "(std::span<float> out, std::span<const float> in, std::span<const float> filter)";

inline std::string headers() {
    std::string all;
    for (const char* name : {"conv1d_basic.h", "algorithm", "cmath", "csignal", "cstdio", "cstdlib",
                             "cstring", "stdexcept", "string", "vector", "fcntl.h", "sys/mman.h",
                             "sys/socket.h", "sys/syscall.h", "unistd.h", "lab/lab.h"})
        all += "#include <" + std::string(name) + ">\n";
    return all;
}

/// The solution's lines from its kernel to the function behind it.
inline std::string kernel() {
    const size_t begin = solution().find("__global__"), end = solution().find("\nvoid conv1d_basic(");
    if (end == std::string::npos) throw std::runtime_error("no kernel in the solution of lab 01");
    return solution().substr(begin, end - begin);
}

inline std::string by_host() {
    return std::string("#include <algorithm>\nstatic void by_host") + PARAMETERS + R"( {
    const int n = int(in.size()), radius = int(filter.size()) / 2;
    for (int x = 0; x < n; x++) {
        float sum = 0;
        for (int j = std::max(-radius, -x); j <= std::min(radius, n - 1 - x); j++)
            sum += in[size_t(x + j)] * filter[size_t(j + radius)];
        out[size_t(x)] = sum;
    }
}
)";
}

inline std::string function_that_stores(const std::string& value) {
    return "__global__ void store(float* out, const float* in, int n) {\n"
           "    const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    if (x < n) out[x] = " +
           value +
           ";\n}\n"
           "void conv1d_basic" +
           PARAMETERS + R"( {
    const int n = int(in.size());
    device_buffer<float> d_in(in), d_out(out.size());
    timed_launch([&] { store<<<ceil_div(n, 256), 256>>>(d_out.data(), d_in.data(), n); });
    d_out.copy_to(out);
}
)";
}

/// What comes after the word that a line begins with; nothing if it does not begin so.
inline std::optional<std::string> after(const std::string& word, const std::string& line) {
    return line.starts_with(word) ? std::optional(line.substr(word.size())) : std::nullopt;
}

/// The text that a line stands for; most stand for themselves.
inline std::string meaning_of(const std::string& line) {
    if (line == "@headers") return headers();
    if (line == "@solution") return solution();
    if (line == "@honest") return replaced(solution(), "void conv1d_basic(", "static void honest(");
    if (line == "@kernel") return kernel();
    if (line == "@by_host") return by_host();
    if (const auto body = after("@function", line))
        return std::string("void conv1d_basic") + PARAMETERS + *body;
    if (const auto value = after("@store ", line)) return function_that_stores(*value);
    return line;
}

/// Adds what a line of an attack says to its text.
inline void add_line(std::string& text, const std::string& line) {
    const auto edit = after("@edit ", line);
    if (!edit) {
        text += meaning_of(line) + "\n";
        return;
    }
    const std::string arrow = " => ";
    const size_t at = edit->find(arrow);
    text = replaced(text.empty() ? solution() : text, edit->substr(0, at), edit->substr(at + arrow.size()));
}

inline std::vector<std::string> split(const std::string& text, const std::string& by) {
    std::vector<std::string> parts;
    size_t at = 0;
    for (size_t end; (end = text.find(by, at)) != std::string::npos; at = end + by.size())
        parts.push_back(text.substr(at, end - at));
    parts.push_back(text.substr(at));
    return parts;
}

/// Throws std::runtime_error "FILE:LINE: trouble".
inline std::vector<attack> attacks_in(const fs::path& file) {
    const std::string mark = "==== ", open = "open: ";
    std::vector<attack> all;
    std::ifstream in(file);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        number++;
        if (!line.starts_with(mark)) {
            if (!all.empty()) add_line(all.back().text, line);
            continue;
        }
        const std::vector<std::string> parts = split(line.substr(mark.size()), " | ");
        if (parts.size() != 3)
            throw std::runtime_error(file.string() + ":" + std::to_string(number) +
                                     ": not \"==== name | expected | what it tries\"");
        attack& one = all.emplace_back();
        one.group = file.stem();
        one.name = parts[0];
        one.open = parts[1].starts_with(open);
        one.expected = split(parts[1].substr(one.open ? open.size() : 0), " or ");
    }
    return all;
}

inline std::vector<attack> all_attacks() {
    std::vector<attack> all;
    for (const auto& entry : fs::directory_iterator("tests/attacks")) {
        if (entry.path().extension() != ".txt") continue;
        const std::vector<attack> more = attacks_in(entry.path());
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

/// Whether this verdict is one of those expected.
inline bool is_expected(const attack& one, const std::string& state, double points) {
    const std::string exactly = "checked ", at_most = "checked <= ";
    for (const std::string& verdict : one.expected) {
        if (verdict == state && points == 0) return true;
        if (state != "checked" || !verdict.starts_with(exactly)) continue;
        if (verdict.starts_with(at_most)) {
            if (points <= std::atof(verdict.c_str() + at_most.size())) return true;
        } else if (points == std::atof(verdict.c_str() + exactly.size())) {
            return true;
        }
    }
    return false;
}

}  // namespace attacks
