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
        const bool all = !can_leave_out(defined) || !mark();
        auto block = blocks_.begin();
        for (size_t k = 0; k < lines_.size(); k++) {
            const bool begins = block != blocks_.end() && block->first == k;
            const bool kept = !begins || all || block->second;
            if (begins) block++;
            if (kept) text.append(lines_[k].text) += '\n';
        }
    }

private:
    using block = std::pair<size_t, bool>;  // the line that it begins with, and whether it is kept
    struct jump {
        size_t from, to;
    };

    /// False for a function that calls others of the program, uses objects, or lies in two pieces.
    bool can_leave_out(const names& defined) const {
        return std::none_of(lines_.begin(), lines_.end(), [&](const line& l) {
            if (l.word == ".section" || l.word == ".text") return true;
            return l.word == "call" && (l.operand == USES_OBJECT || !is_library(l.operand, defined));
        });
    }

    /// Marks the blocks that are kept; false if a jump goes who knows where, or turns back between pieces that g++ made of blocks.
    bool mark() {
        std::vector<jump> turns, others;
        for (size_t k = 0; k < lines_.size(); k++) {
            const line& l = lines_[k];
            // Behind its end a function is its caller.
            if (l.word == "ret" || l.calls(FUNCTION_ENDS)) keep(block_of(k));
            if (!l.jumps()) continue;
            const auto target = labels_.find(l.operand);
            if (target == labels_.end()) return false;
            (target->second < k ? turns : others).push_back({k, target->second});
        }
        if (blocks_.empty()) return turns.empty();
        keep(blocks_.begin());
        for (const jump& turn : turns) {
            const auto from = block_of(turn.from);
            const size_t to = first_instruction(turn.to);
            if (from == blocks_.end() || !lines_[to].calls(BLOCK_BEGINS)) return false;
            for (const jump& other : others)
                if (other.to > from->first && other.to < turn.from && other.from < from->first) return false;
            keep(from);
            keep(block_of(to));
        }
        return true;
    }

    size_t first_instruction(size_t k) const {
        while (k + 1 < lines_.size() && (lines_[k].word.empty() || lines_[k].word.starts_with('.')))
            k++;
        return k;
    }

    /// The block that a line stands in.
    std::vector<block>::iterator block_of(size_t k) {
        const auto behind = std::upper_bound(blocks_.begin(), blocks_.end(), block{k, true});
        return behind == blocks_.begin() ? blocks_.end() : std::prev(behind);
    }

    void keep(std::vector<block>::iterator which) {
        if (which != blocks_.end()) which->second = true;
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
