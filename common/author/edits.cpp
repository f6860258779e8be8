// Finds old texts and writes new ones.
#include "author/edits.h"

#include <algorithm>
#include <stdexcept>

namespace author {
namespace {

constexpr const char* BLANKS = " \t\r";
constexpr int FEW_LINES = 8;  // that are left out: as many empty lines are easier to read than a #line

size_t indentation(const std::string& line) {
    return std::min(line.find_first_not_of(BLANKS), line.size());
}

/// The lines without the blanks around them, one after the other.
std::string joined(const std::vector<code_line>& lines) {
    std::string text;
    for (size_t k = 0; k < lines.size(); k++)
        text += (k ? "\n" : "") + trimmed(lines[k].text);
    return text;
}

std::string shown(const std::string& text) {
    const size_t end = text.find('\n');
    return "'" + text.substr(0, end) + (end == std::string::npos ? "'" : " ..'");
}

[[noreturn]] void fail(const std::string& source, const edit& where, const std::string& trouble) {
    throw std::runtime_error(source + ":" + std::to_string(where.before[0].number) + ": " + trouble);
}

/// Puts lines together out of pieces; each line keeps the file and the number it comes from.
class line_writer {
public:
    void add(const std::string& piece, const std::string& file, int number, bool is_new) {
        if (pending_.empty() || is_new) file_ = file, number_ = number;
        pending_ += piece;
        edited_ |= is_new;
    }

    void end_line() {
        // What is left of a line that was taken out.
        if (edited_ && trimmed(pending_).empty()) return start_line();
        synchronise();
        text_ += pending_ + "\n";
        next_++;
        inside_macro_ = pending_.ends_with('\\');
        start_line();
    }

    std::string text() && { return std::move(text_); }

private:
    void start_line() {
        pending_.clear();
        edited_ = false;
    }

    void synchronise() {
        // A macro that goes on would end here; the lines after it are right again.
        if (inside_macro_) return;
        const bool same = file_ == named_;
        if (same && next_ <= number_ && number_ <= next_ + FEW_LINES) {
            text_ += std::string(size_t(number_ - next_), '\n');
        } else {
            text_ += "#line " + std::to_string(number_) + " \"" + file_ + "\"\n";
        }
        named_ = file_;
        next_ = number_;
    }

    std::string text_, pending_;
    std::string file_, named_;  // the pending line's, and what the compiler takes the next line for
    int number_ = 0, next_ = 0;
    bool edited_ = false, inside_macro_ = false;
};

}  // namespace

editable_text::editable_text(const std::filesystem::path& file, std::vector<code_line> lines)
    : file_(file), lines_(std::move(lines)), joined_(joined(lines_)) {
    size_t start = 0;
    for (const code_line& line : lines_) {
        starts_.push_back(start);
        start += trimmed(line.text).size() + 1;
    }
}

editable_text::place editable_text::place_of(size_t offset) const {
    const size_t line =
        size_t(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin()) - 1;
    return {line, indentation(lines_[line].text) + offset - starts_[line]};
}

std::vector<editable_text::found_edit> editable_text::find(const std::vector<edit>& edits,
                                                           const std::string& source) const {
    std::vector<found_edit> found;
    for (const edit& one : edits) {
        const std::string before = joined(one.before);
        if (trimmed(before).empty()) fail(source, one, "the old text is empty");
        if (!one.after.empty() && before == joined(one.after))
            fail(source, one, "the new text is the old one");
        int times = 0;
        for (size_t at = joined_.find(before); at != std::string::npos; at = joined_.find(before, at + 1)) {
            if (times++ == 0) found.push_back({&one, at, at + before.size()});
        }
        if (times != 1)
            fail(source, one,
                 shown(before) + " stands " + std::to_string(times) + " times in " +
                     file_.filename().string() + ", must stand once");
    }
    std::sort(found.begin(), found.end(),
              [](const found_edit& a, const found_edit& b) { return a.begin < b.begin; });
    for (size_t k = 1; k < found.size(); k++) {
        const edit &one = *found[k - 1].what, &other = *found[k].what;
        if (found[k].begin < found[k - 1].end)
            fail(source, other,
                 shown(joined(other.before)) + " overlaps the edit of line " +
                     std::to_string(one.before[0].number));
    }
    return found;
}

std::string editable_text::with(const std::vector<edit>& edits, const std::filesystem::path& source) const {
    line_writer out;
    place done;
    // The rest of a line, and all lines up to `to`.
    const auto copy_until = [&](const place& to) {
        const auto copy = [&](size_t end) {
            const code_line& line = lines_[done.line];
            out.add(line.text.substr(done.column, end - done.column), file_.string(), line.number, false);
        };
        for (; done.line < to.line; done = {done.line + 1, 0}) {
            copy(lines_[done.line].text.size());
            out.end_line();
        }
        if (to.line < lines_.size()) copy(to.column);
        done = to;
    };
    for (const found_edit& found : find(edits, source.string())) {
        const place begin = place_of(found.begin);
        copy_until(begin);
        const std::vector<code_line>& after = found.what->after;
        if (after.empty()) out.add("", file_.string(), lines_[begin.line].number, true);
        for (size_t k = 0; k < after.size(); k++) {
            const size_t own = indentation(after[k].text);
            const size_t first = indentation(lines_[begin.line].text) + own;
            const size_t blanks = first - std::min(first, indentation(after[0].text));
            const std::string text = trimmed(after[k].text);
            if (k) out.end_line();
            out.add(k && !text.empty() ? std::string(blanks, ' ') + text : text, source.string(),
                    after[k].number, true);
        }
        done = place_of(found.end);
    }
    copy_until({lines_.size(), 0});
    return std::move(out).text();
}

}  // namespace author
