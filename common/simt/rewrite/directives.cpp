// Reads #include, #define and line markers of a student's files.
#include "simt/rewrite/directives.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace rewrite {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view BLANKS = " \t\v\f\r";

bool is_name_character(char c) {
    return std::isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(BLANKS), text.size()));
    const size_t last = text.find_last_not_of(BLANKS);
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// A line as the preprocessor sees it: those that end with a backslash are joined with the next.
struct logical_line {
    std::string text;
    int number = 0;  // of its first line
};

/// For g++ a carriage return ends a line as well.
size_t line_end(const std::string& text, size_t at) {
    const size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    return text.compare(end, 2, "\r\n") == 0 ? end + 1 : end;
}

std::vector<logical_line> lines_of(const std::string& text) {
    std::vector<logical_line> lines;
    bool goes_on = false;
    int number = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = line_end(text, at);
        const std::string_view line = std::string_view(text).substr(at, end - at);
        at = end + 1;
        number++;
        if (!goes_on) lines.push_back({"", number});
        // g++ joins them even with blanks behind the backslash.
        const size_t last = line.find_last_not_of(BLANKS);
        goes_on = last != std::string_view::npos && line[last] == '\\';
        lines.back().text += goes_on ? line.substr(0, last) : line;
    }
    return lines;
}

/// "include" and "<vector>"; an empty word of a line that is no directive.
struct directive {
    std::string_view word, rest;
};

directive read(std::string_view line) {
    constexpr std::string_view BYTE_ORDER_MARK = "\xef\xbb\xbf";
    if (line.starts_with(BYTE_ORDER_MARK)) line.remove_prefix(BYTE_ORDER_MARK.size());
    // A comment may end before the sign.
    for (size_t sign = line.find_first_of("#%"); sign != std::string_view::npos;
         sign = line.find_first_of("#%", sign + 1)) {
        std::string_view before = line.substr(0, sign);
        if (const size_t comment = before.rfind("*/"); comment != std::string_view::npos)
            before.remove_prefix(comment + 2);
        const bool digraph = line.substr(sign, 2) == "%:";
        if (!trimmed(before).empty() || (line[sign] == '%' && !digraph)) continue;
        const std::string_view after = trimmed(line.substr(sign + (digraph ? 2 : 1)));
        if (after.starts_with("/*")) return {"/*", after};
        size_t end = 0;
        while (end < after.size() && is_name_character(after[end]))
            end++;
        return {after.substr(0, end), trimmed(after.substr(end))};
    }
    return {};
}

class directive_check {
public:
    directive_check(fs::path contract, bool own_case) : contract_(std::move(contract)), own_case_(own_case) {}

    void check_file(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        if (!in || !read_.insert(fs::weakly_canonical(file)).second) return;
        for (const logical_line& line : lines_of(text)) {
            file_ = file;
            line_ = line.number;
            if (line.text.find('\0') != std::string::npos) report("a zero byte in the text");
            if (line.text.find("system_header") != std::string::npos) report("#pragma GCC system_header");
            check(read(line.text));
        }
    }

    std::vector<problem> problems;

private:
    const fs::path contract_;
    const bool own_case_;
    std::set<fs::path> read_;
    fs::path file_;
    int line_ = 0;
    std::vector<problem> macros_;  // that no #include may follow

    void report(const std::string& text) {
        problems.push_back({file_.string(), line_, std::string(FORBIDDEN) + text});
    }

    void check(const directive& found) {
        const std::string_view word = found.word;
        if (word.empty()) return;
        if (word == "/*") return report("a comment between # and the directive's name");
        if (word == "line" && own_case_) return;
        if (word == "line" || std::isdigit((unsigned char)word[0]))
            return report("a line marker: lines keep the names and numbers that they have");
        if (word == "include") return include(found.rest);
        if (word == "ident" || word == "sccs")
            return report("#" + std::string(word) + ": it speaks to the assembler");
        if (word == "include_next" || word == "import" || word == "embed")
            return report("#" + std::string(word) + ": use #include");
        if (word == "define") define(found.rest);
        if (word == "undef") note_macro(found.rest);
    }

    /// #include <name> or "name".
    void include(std::string_view what) {
        const char close = what.starts_with('<') ? '>' : what.starts_with('"') ? '"' : '\0';
        const size_t end = close == '\0' ? std::string_view::npos : what.find(close, 1);
        if (end == std::string_view::npos)
            return report("#include of a macro: write the header's name between < > or \" \"");
        const fs::path name = std::string(what.substr(1, end - 1));
        const bool leaves = std::find(name.begin(), name.end(), "..") != name.end();
        if (name.is_absolute() || leaves || name.empty()) return refuse_header(name);
        problems.insert(problems.end(), macros_.begin(), macros_.end());
        macros_.clear();

        const fs::path beside = file_.parent_path() / name, of_lab = contract_ / name;
        if (close == '"' && fs::exists(beside)) return follow(beside);
        if (fs::exists(of_lab)) return follow(of_lab);
        const bool ours = fs::exists("common" / name) || *name.begin() == "simt";
        if (ours && !is_public(name)) refuse_header(name);
    }

    /// What only the worker and the judge are made of is not for kernels.
    static bool is_public(const fs::path& name) {
        static const std::set<std::string> headers = {"lab/lab.h",    "lab/backend.h",  "lab/border.h",
                                                      "lab/buffer.h", "lab/contract.h", "lab/errors.h",
                                                      "lab/filter.h", "lab/timing.h"};
        return headers.count(name.string()) > 0;
    }

    void refuse_header(const fs::path& name) {
        report("#include of " + name.string() +
               ": a lab's file includes lab/lab.h, its contract, CUDA's headers and the standard library");
    }

    void follow(const fs::path& header) {
        if (!fs::is_regular_file(header)) return refuse_header(header.filename());
        const fs::path back_to = file_;
        const int line = line_;
        check_file(header);
        file_ = back_to;
        line_ = line;
    }

    /// A macro stands for a number or for nothing, and has a name like one, or else no header follows it.
    void define(std::string_view what) {
        const size_t end =
            size_t(std::find_if_not(what.begin(), what.end(), is_name_character) - what.begin());
        const std::string name(what.substr(0, end));
        const std::string_view body = trimmed(what.substr(end).substr(0, what.substr(end).find("//")));
        const bool plain_name =
            std::all_of(name.begin(), name.end(),
                        [](unsigned char c) { return std::isupper(c) || std::isdigit(c) || c == '_'; }) &&
            name[0] != '_';
        const bool plain_body =
            !what.substr(end).starts_with('(') && std::all_of(body.begin(), body.end(), [](unsigned char c) {
                return std::isdigit(c) || c == '.' || c == 'f' || c == 'u';
            });
        if ((plain_name && plain_body) || name == "_GNU_SOURCE" || name == "_USE_MATH_DEFINES") return;
        note_macro(name);
    }

    void note_macro(std::string_view name) {
        macros_.push_back({file_.string(), line_,
                           std::string(FORBIDDEN) + "the macro " + std::string(name) +
                               " would change the headers that follow: define it below every #include"});
    }
};

}  // namespace

std::vector<problem> check_directives(const std::string& file, const std::string& contract, bool own_case) {
    directive_check check(contract, own_case);
    check.check_file(file);
    return std::move(check.problems);
}

}  // namespace rewrite
