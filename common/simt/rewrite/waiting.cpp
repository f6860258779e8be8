// Loops in which a thread may wait for another one.
#include <string>

#include "simt/rewrite/operands.h"
#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

class waiting_pass {
public:
    waiting_pass(source& file, const function_table& functions) : file_(file), functions_(functions) {
        for (size_t i = file_.first(); i != NONE && !has_volatile_; i = file_.next(i))
            has_volatile_ = file_.is(i, "volatile") && !file_.is(file_.previous(i), "asm");
    }

    void run() {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (!in_device_code(i)) continue;
            if (file_.is(i, "while")) rewrite_while(i);
            if (file_.is(i, "for")) rewrite_for(i);
            if (file_.is(i, "goto")) rewrite_goto(i);
        }
    }

private:
    source& file_;
    const function_table& functions_;
    bool has_volatile_ = false;

    bool in_device_code(size_t i) const {
        const function* const around = functions_.around(i);
        return around && (around->is_device || around->is_global);
    }

    /// The statement from `first` on changes nothing that is written down as changing. Every loop may wait in
    /// a file with volatile memory.
    bool may_wait(size_t first, size_t end) const {
        if (has_volatile_) return true;
        for (size_t i = first; i != NONE && i < end; i = file_.next(i)) {
            const size_t next = file_.next(i);
            const bool counts =
                (file_.is(i, "+") && file_.is(next, "+")) || (file_.is(i, "-") && file_.is(next, "-"));
            if (counts || (file_.is(i, "=") && !file_.is(file_.previous(i), "["))) return false;
        }
        return true;
    }

    /// while (value = next()) is a condition, while (int value = next()) declares a variable.
    bool is_declaration(size_t open) const {
        const size_t first = file_.next(open), second = file_.next(first);
        if (!file_.is_identifier(first)) return false;
        for (size_t i = second; i != NONE && i < file_.partner(open); i = file_.next(i)) {
            if (file_.is(i, "(") || file_.is(i, "[")) i = file_.partner(i);
            if (file_.is(i, "=") && file_.is_identifier(file_.previous(i)))
                return file_.previous(i) != first && !file_.is(second, ".") && !file_.is(second, "->");
        }
        return false;
    }

    void rewrite_while(size_t i) {
        const size_t open = file_.next(i), close = file_.partner(open);
        if (!file_.is(open, "(") || close == NONE || is_declaration(open)) return;
        const size_t before = file_.previous(i), after = file_.next(close);
        // `} while (condition);` may end a do, or follow a block and wait with an empty body.
        const bool waits = ends_do(file_, i) ? may_wait(file_.partner(before), before)
                                             : may_wait(after, end_of_statement(file_, after));
        if (!waits) return;
        file_.insert_after(open, " ::simt::spin() && (");
        file_.insert_before(close, ")");
    }

    /// for (;;) and a for without a body.
    void rewrite_for(size_t i) {
        const size_t open = file_.next(i), close = file_.partner(open);
        if (!file_.is(open, "(") || close == NONE) return;
        const size_t body = file_.next(close);
        size_t semicolon = open;
        while (semicolon != NONE && semicolon < close && !file_.is(semicolon, ";"))
            semicolon = file_.is(file_.next(semicolon), "(") ? file_.partner(file_.next(semicolon))
                                                             : file_.next(semicolon);
        const size_t condition = file_.next(semicolon);
        if (semicolon == NONE || semicolon >= close) return;  // for (x : all)
        const bool is_endless = file_.is(condition, ";");
        const bool is_empty = file_.is(body, ";") || (file_.is(body, "{") && file_.is(file_.next(body), "}"));
        if (is_empty || (is_endless && may_wait(body, end_of_statement(file_, body)))) {
            const size_t last = file_.previous(close);
            file_.insert_before(close, file_.is(last, ";") ? " ::simt::spin()" : ", ::simt::spin()");
        }
    }

    void rewrite_goto(size_t i) {
        file_.insert_before(i, "{ ::simt::spin(); ");
        file_.insert_after(end_of_statement(file_, i), " }");
    }
};

}  // namespace

void rewrite_waiting_loops(source& file, const function_table& functions) {
    waiting_pass(file, functions).run();
}

}  // namespace rewrite
