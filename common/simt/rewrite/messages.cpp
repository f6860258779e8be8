// Tidies what g++ (run with LC_ALL=C) says about a rewritten file.
#include "simt/rewrite/rewrite.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "simt/rewrite/uses.h"

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

/// "to 'simt::held<T>' {aka 'T'}", which ends what does not convert, without the first of the two.
std::string as_declared(std::string_view remark) {
    constexpr std::string_view ALSO = " {aka ";
    const size_t held = remark.find("'simt::held<"), also = remark.find(ALSO);
    if (held == std::string_view::npos || also == std::string_view::npos) return std::string(remark);
    const std::string_view type = remark.substr(also + ALSO.size());
    return std::string(remark.substr(0, held)) + std::string(type.substr(0, type.rfind('}')));
}

/// "conflicting declaration 'int simt_dynamic_s []'": extern __shared__ arrays of one name and two types.
std::string explain_dynamic(std::string line) {
    constexpr std::string_view CONFLICT = "conflicting declaration '", OURS = "simt_dynamic_";
    const size_t conflict = line.find(CONFLICT), name = line.find(OURS);
    if (name == std::string::npos) return line;
    line.erase(name, OURS.size());
    if (conflict == std::string::npos) return line;
    const std::string array = line.substr(name, line.find_first_of(" [", name) - name);
    return line.substr(0, conflict) + "extern __shared__ " + array +
           " is of another type elsewhere in this file: of one name all are one array, so give it another "
           "name";
}

/// What stands between the first `begin` and the next `end` after it; empty if there is none.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
    const size_t first = text.find(begin);
    if (first == std::string_view::npos) return {};
    text.remove_prefix(first + begin.size());
    const size_t last = text.find(end);
    return last == std::string_view::npos ? std::string_view() : text.substr(0, last);
}

/// The first of `stops` outside of brackets, from `at` on; npos if there is none.
size_t find_outside(std::string_view text, size_t at, std::string_view stops) {
    int depth = 0;
    for (; at < text.size(); at++) {
        if (text[at] == '>' && at > 0 && text[at - 1] == '-') continue;  // ->
        if (depth == 0 && stops.find(text[at]) != std::string_view::npos) return at;
        if (std::string_view("(<[{").find(text[at]) != std::string_view::npos) depth++;
        if (std::string_view(")>]}").find(text[at]) != std::string_view::npos) depth--;
    }
    return std::string_view::npos;
}

/// "simt::whole<...>(a[t], simt::path<...>())" is what rewrite_members() made of a[t].
std::string without_paths(std::string line) {
    for (size_t call = 0; (call = line.find("simt::whole", call)) != std::string::npos;) {
        const size_t angle = line.find('<', call);
        const size_t close_angle = find_outside(line, angle + 1, ">");
        const size_t comma = find_outside(line, close_angle + 2, ",");
        const size_t close = find_outside(line, comma + 1, ")");
        if (angle == std::string::npos || close == std::string::npos || comma == std::string::npos) break;
        line = line.substr(0, call) + line.substr(close_angle + 2, comma - close_angle - 2) +
               line.substr(close + 1);
    }
    return line;
}

class tidier {
public:
    tidier(std::string_view preprocessed, bool only_errors)
        : preprocessed_(preprocessed), only_errors_(only_errors) {}

    tidied run(std::string_view text) {
        while (!text.empty()) {
            const size_t end = std::min(text.find('\n'), text.size());
            read_line(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return {std::move(out_), !problems_.empty(), {conversions_.begin(), conversions_.end()}};
    }

private:
    const std::string_view preprocessed_;
    const bool only_errors_;
    std::optional<use_judge> judge_;  // made when there is something to judge
    std::set<std::string> problems_;  // as printed
    std::set<size_t> conversions_;
    std::string out_;
    std::string last_error_;  // file:line:column
    // "In file included from ..." and "file: In function 'f':", until a message under them is kept.
    std::string includes_, function_;
    bool in_includes_ = false;
    bool in_instantiation_ = false;
    bool after_undeclared_ = false;
    bool dropping_ = false;     // the message whose lines are being read
    bool is_left_out_ = false;  // so is the error or warning whose notes are being read

    void put(std::string_view line) {
        ((out_ += includes_ + function_) += line) += '\n';
        includes_.clear();
        function_.clear();
    }

    void read_line(std::string_view line) {
        const bool continues = is_excerpt(line) || line.substr(0, 10) == "          ";
        if (!continues) start_message(line);
        if (continues && in_includes_) (includes_ += line) += '\n';
        if (!dropping_)
            put(is_excerpt(line) ? std::string(line) : without_paths(explain_dynamic(explain_launch(line))));
    }

    /// True for a remark on a use of something marked (sides.h), which is a problem or nothing at all.
    bool judge_use(std::string_view location, std::string_view line) {
        constexpr std::string_view DEPRECATED = "' is deprecated: ",
                                   ARRAY = " warning: variable length array ";
        const size_t deprecated = line.find(DEPRECATED);
        const bool is_array = contains(line, ARRAY) || contains(line, "forbids variable length array ");
        const bool is_marked = deprecated != std::string_view::npos &&
                               line.substr(deprecated + DEPRECATED.size()).starts_with(MARK_BEGIN);
        if (location.empty() || (!is_array && !is_marked)) return false;
        if (!judge_) judge_.emplace(preprocessed_);
        const std::string text =
            is_marked ? judge_->judge(location, between(line, " warning: '", DEPRECATED),
                                      between(line.substr(deprecated), MARK_BEGIN, " ["), in_instantiation_)
                      : judge_->judge_array(location, between(line, "variable length array '", "'"));
        if (text.empty()) return true;
        const std::string where(location.substr(0, location.rfind(':')));
        const std::string problem = where + ": error: " + text + '\n';
        if (problems_.insert(problem).second) out_ += problem;
        return true;
    }

    /// True for a remark on a number that loses something, of which only integers in device code matter.
    bool note_conversion(std::string_view location, std::string_view line) {
        if (!line.ends_with(" [-Wfloat-conversion]")) return false;
        const bool is_float = contains(line, "float' may") || contains(line, "float'} may");
        if (location.empty() || is_float || !contains(line, " may change value")) return true;
        if (!judge_) judge_.emplace(preprocessed_);
        const size_t at = judge_->token_in_device(location);
        if (at != NONE) conversions_.insert(at);
        return true;
    }

    void start_message(std::string_view line) {
        const std::string_view location = location_of(line);
        in_includes_ = line.substr(0, 21) == "In file included from" && !contains(line, OWN_HEADERS);
        const bool in_function = location.empty() && ((contains(line, ": In ") && line.ends_with("':")) ||
                                                      line.ends_with(": At global scope:"));
        if (in_function) in_instantiation_ = contains(line, ": In instantiation of ");
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
        if (contains(line, "  required ")) {  // part of "In instantiation of"
            if (!contains(line, OWN_HEADERS)) function_ += std::string(line) + '\n';
            dropping_ = true;
            return;
        }
        // The name that is not declared stands in the object's path, too.
        const bool is_echo = after_undeclared_ && contains(line, " error: template argument 1 is invalid");
        if (is_echo) {
            dropping_ = true;
            return;
        }
        const bool is_error = contains(line, " error: ") || contains(line, " warning: ");
        if (is_error)
            is_left_out_ = note_conversion(location, line) || judge_use(location, line) ||
                           (only_errors_ && contains(line, " warning: "));
        if (is_left_out_) {
            includes_.clear();
            dropping_ = true;
            return;
        }
        if (is_error) after_undeclared_ = contains(line, "was not declared in this scope");
        if (is_error) last_error_ = location;
        const std::string_view where = location.empty() ? line : location;
        dropping_ = !is_error && contains(where, OWN_HEADERS);
        if (!dropping_) return;
        // What does not fit is worth a line, beside the error.
        for (const std::string_view remark : {"candidate expects", "no known conversion for argument"}) {
            const size_t found = line.find(remark);
            if (found != std::string_view::npos)
                put(last_error_ + ": note: " + as_declared(line.substr(found)));
        }
    }
};

}  // namespace

tidied tidy_messages(std::string_view text, std::string_view preprocessed, bool only_errors) {
    return tidier(preprocessed, only_errors).run(text);
}

}  // namespace rewrite
