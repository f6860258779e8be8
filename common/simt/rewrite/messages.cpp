// Tidies what g++ (run with LC_ALL=C) says about a rewritten file.
#include "simt/rewrite/rewrite.h"

#include <algorithm>
#include <cctype>

namespace rewrite {
namespace {

constexpr std::string_view OWN_HEADERS = "simt/include/";

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// A line of source under a message, "   12 | code", or what is drawn under it.
bool is_excerpt(std::string_view line) {
    const size_t bar = line.find_first_not_of(" 0123456789");
    return bar != std::string_view::npos && bar > 0 && line[bar] == '|';
}

/// The "file:line:column" that a message starts with; empty for other lines.
std::string_view location_of(std::string_view line) {
    for (size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
        const size_t end = line.find_first_not_of("0123456789:", colon);
        if (end == std::string_view::npos || end == colon + 1 || line[end - 1] != ':' || line[end] != ' ')
            continue;
        if (std::isdigit((unsigned char)line[colon + 1])) return line.substr(0, end - 1);
    }
    return {};
}

/// "no match for call to '(simt::prepared_kernel<P>) (A)'" in words that fit a launch.
std::string explain_launch(std::string_view line) {
    constexpr std::string_view CALL = "no match for call to '(";
    const size_t call = line.find(CALL);
    const size_t open = line.find("simt::prepared_kernel<");
    const size_t middle = line.rfind(">) (");
    if (call == std::string_view::npos || open == std::string_view::npos ||
        middle == std::string_view::npos) {
        return std::string(line);
    }
    const size_t first = line.find('<', open) + 1;
    const std::string_view wanted = line.substr(first, middle - first);
    const std::string_view given = line.substr(middle + 3, line.rfind('\'') - middle - 3);
    return std::string(line.substr(0, call)) + "the kernel takes (" + std::string(wanted) +
           ") but is launched with " + std::string(given);
}

class tidier {
public:
    std::string run(std::string_view text) {
        while (!text.empty()) {
            const size_t end = std::min(text.find('\n'), text.size());
            read_line(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return std::move(out_);
    }

private:
    std::string out_;
    std::string last_error_;  // file:line:column
    // "In file included from ..." and "file: In function 'f':", until a message under them is kept.
    std::string includes_, function_;
    bool in_includes_ = false;
    bool dropping_ = false;  // the message whose lines are being read

    void put(std::string_view line) {
        ((out_ += includes_ + function_) += line) += '\n';
        includes_.clear();
        function_.clear();
    }

    void read_line(std::string_view line) {
        const bool continues = is_excerpt(line) || line.substr(0, 10) == "          ";
        if (!continues) start_message(line);
        if (continues && in_includes_) (includes_ += line) += '\n';
        if (!dropping_) put(explain_launch(line));
    }

    void start_message(std::string_view line) {
        const std::string_view location = location_of(line);
        in_includes_ = line.substr(0, 21) == "In file included from" && !contains(line, OWN_HEADERS);
        const bool in_function =
            location.empty() && contains(line, ": In ") && line.substr(line.size() - 2) == "':";
        if (in_includes_ || in_function) {
            (in_function ? function_ : includes_) = std::string(line) + '\n';
            dropping_ = true;
            return;
        }
        // Of #pragma unroll, which nvcc would follow: nothing that a student could mend.
        if (contains(line, " warning: ignoring loop annotation")) {
            dropping_ = true;
            return;
        }
        const bool is_error = contains(line, " error: ") || contains(line, " warning: ");
        if (is_error) last_error_ = location;
        const std::string_view where = location.empty() ? line : location;
        dropping_ = !is_error && contains(where, OWN_HEADERS);
        if (!dropping_) return;
        // What does not fit is worth a line, beside the error.
        for (const std::string_view remark : {"candidate expects", "no known conversion for argument"}) {
            const size_t found = line.find(remark);
            if (found != std::string_view::npos)
                put(last_error_ + ": note: " + std::string(line.substr(found)));
        }
    }
};

}  // namespace

std::string tidy_messages(std::string_view text) {
    return tidier().run(text);
}

}  // namespace rewrite
