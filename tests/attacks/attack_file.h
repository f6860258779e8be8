// The hostile submissions of this folder. NN_name.txt holds those of class NN; in it, after a few words,
//   ==== name | expected | what it tries
//   the text of the lab's file
// `expected` is a state, "checked 100" or "checked <= 20"; " or " stands between two. "open: " before it says that
// the judge does not yet hold against it. In the text a line stands for others:
//   @lab NN         first: which lab it is for, if not 01
//   @headers        the contract, lab/lab.h and what attackers need of the system
//   @solution       the whole reference solution, headers and all
//   @honest         the same as a function `honest`, for attacks that are good for a while
//   @kernel         its kernel alone, where it begins with it
//   @by_host        a function `by_host` with the lab's parameters, a loop on the host
//   @function BODY  the lab's first function with this body; it may go on in the lines below
//   @store VALUE    a kernel that stores this for element x, and the function of lab 01 around it
//   @edit OLD => NEW   the solution with another text in place of this one
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "author/regions.h"

namespace attacks {

namespace fs = std::filesystem;

/// A lab that is attacked.
struct target {
    std::string lab, file_name, solution;  // "01_conv1d_basic"; a text
    std::string function, parameters;      // of the first one in its contract, "(std::span<float> out, ...)"

    /// By its number, "01".
    explicit target(const std::string& number) {
        for (const auto& entry : fs::directory_iterator("solutions"))
            if (entry.path().filename().string().starts_with(number + "_")) lab = entry.path().filename();
        if (lab.empty()) throw std::runtime_error("an attack on lab " + number + ", which there is not");
        file_name = name() + ".cu";
        solution = author::read_text(fs::path("solutions") / lab / file_name);
        const std::string contract = author::read_text(fs::path("labs") / lab / (name() + ".h")),
                          word = "\nvoid ";
        const size_t begin = contract.find(word) + word.size(), open = contract.find('(', begin);
        function = contract.substr(begin, open - begin);
        parameters = contract.substr(open, contract.find(';', open) - open);
    }
    std::string name() const { return lab.substr(lab.find('_') + 1); }
    bool has(const std::string& parameter) const {
        return parameters.find(" " + parameter) != std::string::npos;
    }
};

inline const target& lab_of(const std::string& number) {
    static std::map<std::string, target> known;
    return known.try_emplace(number, number).first->second;
}

/// The one that attacks are for if they do not say so.
inline const target& usual_lab() {
    return lab_of("01");
}

struct attack {
    std::string group, name;  // "03_forged_channel", "floods_the_channel"
    std::string lab = "01";
    std::vector<std::string> expected;
    bool open = false;
    std::string text;

    int number() const { return std::atoi(group.c_str()); }
    std::string student() const { return group.substr(0, 2) + " " + name; }
};

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("not in the solution: " + from);
    return text.replace(at, from.size(), to);
}

inline std::string headers(const target& of) {
    std::string all = "#include <" + of.name() + ".h>\n";
    for (const char* name :
         {"algorithm", "cmath", "csignal", "cstdio", "cstdlib", "cstring", "stdexcept", "string", "vector",
          "fcntl.h", "sys/mman.h", "sys/socket.h", "sys/syscall.h", "unistd.h", "lab/lab.h"})
        all += "#include <" + std::string(name) + ">\n";
    return all;
}

/// The solution's lines from its kernel to the function behind it.
inline std::string kernel(const target& of) {
    const size_t begin = of.solution.find("__global__"),
                 end = of.solution.find("\nvoid " + of.function + "(");
    if (end == std::string::npos) throw std::runtime_error("no kernel in the solution of " + of.lab);
    return of.solution.substr(begin, end - begin);
}

inline std::string by_host(const target& of) {
    const std::string begin = "#include <algorithm>\nstatic void by_host" + of.parameters;
    if (!of.has("width"))
        return begin + R"( {
    const int n = int(in.size()), radius = int(filter.size()) / 2;
    for (int x = 0; x < n; x++) {
        float sum = 0;
        for (int j = std::max(-radius, -x); j <= std::min(radius, n - 1 - x); j++)
            sum += in[size_t(x + j)] * filter[size_t(j + radius)];
        out[size_t(x)] = sum;
    }
}
)";
    return begin + " {\n    const int fw = " +
           (of.has("radius") ? "2 * radius + 1, fh = fw" : "filter_width, fh = filter_height") +
           ", c = " + (of.has("channels") ? "channels" : "1") + R"(;
    for (int k = 0; k < width * height * c; k++) {
        const int x = k / c % width - fw / 2, y = k / c / width - fh / 2;
        float sum = 0;
        for (int i = std::max(0, -y); i < std::min(fh, height - y); i++)
            for (int j = std::max(0, -x); j < std::min(fw, width - x); j++)
                sum += in[size_t(((y + i) * width + x + j) * c + k % c)] * filter[size_t(i * fw + j)];
        out[size_t(k)] = sum;
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
           usual_lab().parameters + R"( {
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
inline std::string meaning_of(const std::string& line, const target& of = usual_lab()) {
    if (line == "@headers") return headers(of);
    if (line == "@solution") return of.solution;
    if (line == "@honest") return replaced(of.solution, "void " + of.function + "(", "static void honest(");
    if (line == "@kernel") return kernel(of);
    if (line == "@by_host") return by_host(of);
    if (const auto body = after("@function", line)) return "void " + of.function + of.parameters + *body;
    if (const auto value = after("@store ", line)) return function_that_stores(*value);
    return line;
}

/// Adds what a line of an attack says to its text.
inline void add_line(attack& one, const std::string& line) {
    if (const auto number = after("@lab ", line)) {
        one.lab = *number;
        return;
    }
    const target& of = lab_of(one.lab);
    const auto edit = after("@edit ", line);
    if (!edit) {
        one.text += meaning_of(line, of) + "\n";
        return;
    }
    const std::string arrow = " => ";
    const size_t at = edit->find(arrow);
    one.text = replaced(one.text.empty() ? of.solution : one.text, edit->substr(0, at),
                        edit->substr(at + arrow.size()));
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
    const auto trouble = [&](const std::string& what) {
        return std::runtime_error(file.string() + ":" + std::to_string(number) + ": " + what);
    };
    for (std::string line; std::getline(in, line);) {
        number++;
        if (!line.starts_with(mark)) {
            try {
                if (!all.empty()) add_line(all.back(), line);
            } catch (const std::exception& error) {
                throw trouble(error.what());
            }
            continue;
        }
        const std::vector<std::string> parts = split(line.substr(mark.size()), " | ");
        if (parts.size() != 3) throw trouble("not \"==== name | expected | what it tries\"");
        attack& one = all.emplace_back();
        one.group = file.stem();
        one.name = parts[0];
        one.open = parts[1].starts_with(open);
        one.expected = split(parts[1].substr(one.open ? open.size() : 0), " or ");
    }
    return all;
}

/// Of tests/attacks, or of the folder that ATTACKS names.
inline std::vector<attack> all_attacks() {
    const char* const folder = std::getenv("ATTACKS");
    std::vector<attack> all;
    for (const auto& entry : fs::directory_iterator(folder ? folder : "tests/attacks")) {
        if (entry.path().extension() != ".txt") continue;
        const std::vector<attack> more = attacks_in(entry.path());
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

/// The labs of these, as the grader's option lists them.
inline std::string labs_of(const std::vector<attack>& all) {
    std::string list = usual_lab().lab;
    for (const attack& one : all)
        if (list.find(lab_of(one.lab).lab) == std::string::npos) list += "," + lab_of(one.lab).lab;
    return list;
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
