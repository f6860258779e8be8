// Leaves out calls that g++ makes at the beginning of every basic block (-fsanitize-coverage=trace-pc). The inspector wants to
// know where a thread turns back to an earlier block: it needs the first block of a loop and the one that jumps back to it. The
// blocks between them, the parts of a condition, are most of what a thread executes.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "simt/rewrite/rewrite.h"

namespace rewrite {
namespace {

constexpr std::string_view BLOCK_BEGINS = "__sanitizer_cov_trace_pc", FUNCTION_ENDS = "__tsan_func_exit";
// Members of an object are put together until the block ends, whichever comes next.
constexpr std::string_view USES_OBJECT = "simt_object";

/// A line of assembly: `name:` at its beginning, or an instruction and what it is about.
struct line {
    std::string_view text, label, word, operand;

    bool calls(std::string_view function) const { return word == "call" && operand == function; }
    bool jumps() const { return word.starts_with('j'); }
};

line read_line(std::string_view text) {
    line read{text, {}, {}, {}};
    if (text.empty()) return read;
    if (text[0] != '\t') {
        const size_t end = text.find(':');
        if (end != text.npos) read.label = text.substr(0, end);
        return read;
    }
    const size_t end = std::min(text.find('\t', 1), text.size());
    read.word = text.substr(1, end - 1);
    if (end < text.size()) read.operand = text.substr(end + 1);
    if (read.operand.ends_with("@PLT")) read.operand.remove_suffix(4);
    return read;
}

using names = std::set<std::string_view>;

/// A function of C or of the backend: its blocks are not announced.
bool is_library(std::string_view function, const names& defined) {
    if (defined.contains(function) || function.starts_with('*') || function.starts_with("__x86_indirect_"))
        return false;
    return !function.starts_with("_Z") || function.starts_with("_ZN4simt") ||
           function.substr(0, function.find("simt_")).find_first_not_of("_Z0123456789") == function.npos;
}

/// One function of the text, from .cfi_startproc to .cfi_endproc.
class function_body {
public:
    explicit function_body(std::vector<line> lines) : lines_(std::move(lines)) {
        for (size_t k = 0; k < lines_.size(); k++) {
            if (!lines_[k].label.empty()) labels_[lines_[k].label] = k;
            if (lines_[k].calls(BLOCK_BEGINS)) blocks_.push_back({k, false});
        }
    }

    void append_to(std::string& text, const names& defined) {
        const bool leaves_out = can_leave_out(defined);
        if (leaves_out) mark();
        auto block = blocks_.begin();
        for (size_t k = 0; k < lines_.size(); k++) {
            const bool begins = block != blocks_.end() && block->line == k;
            const bool is_quiet = begins && leaves_out && !block->is_kept;
            if (begins) block++;
            if (!is_quiet) text.append(lines_[k].text) += '\n';
        }
    }

private:
    /// A block: the line that it begins with, and whether it is kept.
    struct block {
        size_t line;
        bool is_kept;
    };

    /// False for a function that calls others of the program, uses objects, lies in two pieces, or jumps who knows where.
    bool can_leave_out(const names& defined) const {
        return std::none_of(lines_.begin(), lines_.end(), [&](const line& l) {
            if (l.word == ".section" || l.word == ".text") return true;
            if (l.jumps()) return !labels_.contains(l.operand);
            return l.word == "call" && (l.operand == USES_OBJECT || !is_library(l.operand, defined));
        });
    }

    /// Of two blocks that a thread enters one after the other the inspector wants to know both if the second one stands
    /// higher up, and all that may be the function's first or last.
    void mark() {
        keep_all(entered_from(0).blocks);
        for (size_t k = 0; k < blocks_.size(); k++) {
            const way_on next = entered_from(blocks_[k].line + 1);
            const auto further_down = next.blocks.upper_bound(k);
            blocks_[k].is_kept |= next.ends || further_down != next.blocks.begin();
            keep_all({next.blocks.begin(), further_down});
        }
    }

    void keep_all(const std::set<size_t>& which) {
        for (const size_t k : which)
            blocks_[k].is_kept = true;
    }

    /// The blocks that may be the next one, by number, and whether the function may end before. (Behind its end it is its caller.)
    struct way_on {
        std::set<size_t> blocks;
        bool ends = false;
    };
    way_on entered_from(size_t first) const {
        way_on found;
        std::set<size_t> seen;
        std::vector<size_t> open = {first};
        while (!open.empty()) {
            size_t k = open.back();
            open.pop_back();
            for (bool goes_on = true; goes_on && k < lines_.size() && seen.insert(k).second; k++) {
                const line& l = lines_[k];
                const bool begins = l.calls(BLOCK_BEGINS), ends = l.word == "ret" || l.calls(FUNCTION_ENDS);
                if (begins) found.blocks.insert(number_of(k));
                if (l.jumps()) open.push_back(labels_.at(l.operand));
                found.ends |= ends;
                goes_on = !begins && !ends && l.word != "jmp";
            }
        }
        return found;
    }

    size_t number_of(size_t line) const {
        const auto is_before = [](const block& one, size_t line) { return one.line < line; };
        return size_t(std::lower_bound(blocks_.begin(), blocks_.end(), line, is_before) - blocks_.begin());
    }

    std::vector<line> lines_;
    std::map<std::string_view, size_t> labels_;
    std::vector<block> blocks_;
};

}  // namespace

std::string without_quiet_blocks(std::string_view assembly) {
    std::vector<line> lines;
    names defined;
    while (!assembly.empty()) {
        const size_t end = std::min(assembly.find('\n'), assembly.size());
        lines.push_back(read_line(assembly.substr(0, end)));
        if (!lines.back().label.starts_with('.')) defined.insert(lines.back().label);
        assembly.remove_prefix(std::min(end + 1, assembly.size()));
    }
    std::string text;
    for (auto next = lines.begin(); next != lines.end(); next++) {
        if (next->word == ".cfi_startproc") {
            const auto is_end = [](const line& l) { return l.word == ".cfi_endproc"; };
            const auto end = std::find_if(next, lines.end(), is_end);
            function_body({next, end}).append_to(text, defined);
            next = end;
            if (next == lines.end()) break;
        }
        text.append(next->text) += '\n';
    }
    return text;
}

}  // namespace rewrite
