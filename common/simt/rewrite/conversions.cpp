// Numbers that become integers without a cast: the compiler tells where in device code that is.
#include <string>

#include "simt/rewrite/operands.h"
#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

class conversion_pass {
public:
    explicit conversion_pass(source& file) : file_(file) {}

    /// `at` is what g++ points at: the operator or a part of what is converted.
    void rewrite(size_t at) {
        const bool is_sign = file_.is(at, "+") || file_.is(at, "-") || file_.is(at, "*") || file_.is(at, "/");
        if (is_sign && file_.touches_next(at) && file_.is(file_.next(at), "=")) return update(at);
        size_t first = at, last = at;
        for (;;) {
            first = first_of_item(first);
            last = last_of_item(last);
            const size_t open = file_.previous(first);
            const bool is_group =
                file_.is(open, "(") && file_.is(file_.next(last), ")") &&
                !file_.is_identifier(file_.previous(open)) && !file_.is(file_.previous(open), ">") &&
                !file_.is(file_.previous(open), ")") && !file_.is(file_.previous(open), "]");
            if (!is_group) break;
            first = open;
            last = file_.next(last);
        }
        file_.insert_before(first, " ::simt::converted(");
        file_.insert_after(last, ")");
    }

private:
    source& file_;

    /// a += b
    void update(size_t sign) {
        const size_t last = file_.previous(sign);
        size_t first = begin_of_operand(file_, last);
        if (first == NONE) return;
        while (file_.is(file_.previous(first), "*") && begins_expression(file_.previous(first)))
            first = file_.previous(first);
        file_.insert_before(first, " ::simt::updated(");
        file_.insert_after(last, ")");
    }

    /// The token at i is no operator between two operands.
    bool begins_expression(size_t i) const {
        const size_t before = file_.previous(i);
        if (file_.is(before, ")")) {
            const size_t word = file_.previous(file_.partner(before));
            return file_.is(word, "if") || file_.is(word, "for") || file_.is(word, "while");
        }
        return !file_.is_identifier(before) && !file_.is(before, "]");
    }

    /// The first and the last token of the item of a list, or of the value that is assigned or returned.
    size_t first_of_item(size_t i) const {
        for (;;) {
            if (file_.is(i, ")") || file_.is(i, "]") || file_.is(i, "}")) i = file_.partner(i);
            const size_t before = file_.previous(i);
            const bool ends = before == NONE || file_.is(before, "(") || file_.is(before, "[") ||
                              file_.is(before, "{") || file_.is(before, ",") || file_.is(before, ";") ||
                              file_.is(before, "=") || file_.is(before, "return");
            if (ends) return i;
            i = before;
        }
    }
    size_t last_of_item(size_t i) const {
        for (;;) {
            if (file_.is(i, "(") || file_.is(i, "[") || file_.is(i, "{")) i = file_.partner(i);
            const size_t after = file_.next(i);
            const bool ends = after == NONE || file_.is(after, ")") || file_.is(after, "]") ||
                              file_.is(after, "}") || file_.is(after, ",") || file_.is(after, ";");
            if (ends) return i;
            i = after;
        }
    }
};

}  // namespace

void rewrite_conversions(source& file, const std::vector<size_t>& places) {
    for (const size_t at : places)
        if (at < file.tokens.size()) conversion_pass(file).rewrite(at);
}

}  // namespace rewrite
