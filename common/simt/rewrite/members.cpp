// Members of objects in device memory.
#include <algorithm>
#include <set>
#include <string>

#include "simt/rewrite/operands.h"
#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

constexpr std::string_view BUILT_IN_VARIABLES[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

class member_pass {
public:
    member_pass(source& file, const function_table& functions) : file_(file), functions_(functions) {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            const bool has_place = file_.is(i, "__shared__") || file_.is(i, "__constant__") ||
                                   file_.is(i, "__device__") || file_.is(i, "__managed__");
            if (has_place) collect_names(file_.next(i));
        }
    }

    void run() {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (file_.is(i, "__builtin_offsetof")) i = file_.end_of_arguments(i);
            if (file_.is(i, ".") || file_.is(i, "->")) rewrite(i);
        }
        for (const function& f : functions_.functions)
            begin_operator(f);
    }

private:
    source& file_;
    const function_table& functions_;
    std::set<std::string_view> placed_;  // words in declarations of variables that are not on a stack

    /// More words than names do no harm.
    void collect_names(size_t i) {
        for (; i != NONE && !file_.is(i, ";") && !file_.is(i, "(") && !file_.is(i, "{"); i = file_.next(i)) {
            if (file_.is_identifier(i)) placed_.insert(file_.text(i));
        }
    }

    /// a * b names no object where the operator is a member: that does it itself, but for those that return
    /// a reference to some element, of whose surroundings nvcc then knows nothing.
    void begin_operator(const function& f) {
        const bool is_operator = f.name == "operator" || file_.is(file_.previous(f.name_at), "operator");
        const bool gives_element = file_.is(f.name_at, "]") || file_.is(f.name_at, ")");
        if (!is_operator || gives_element || !f.is_member || f.body == NONE || !(f.is_device || f.is_global))
            return;
        file_.insert_after(f.body, " (void)::simt::whole_at(this, ::simt::path<void, ::simt::way::any>());");
    }

    void rewrite(size_t sign) {
        const function* const around = functions_.around(sign);
        if (!around || !(around->is_device || around->is_global)) return;
        if (is_before_result(*around, sign)) return;
        const size_t member = file_.next(sign), last = file_.previous(sign);
        if (!file_.is_identifier(member) || file_.is(member, "template") || file_.is(member, "operator"))
            return;
        const size_t first = begin_of_operand(file_, last);
        const bool is_built_in = std::find(std::begin(BUILT_IN_VARIABLES), std::end(BUILT_IN_VARIABLES),
                                           file_.text(first)) != std::end(BUILT_IN_VARIABLES);
        if (first == NONE || is_built_in) return;
        const std::string_view after = file_.text(file_.next(first));
        const bool is_variable = file_.is_identifier(first) && !file_.is(first, "this") &&
                                 (after == "[" || after == "." || after == "->");
        const std::string variable =
            is_variable ? "decltype(" + std::string(file_.text(first)) + ")" : "void";
        file_.insert_before(first, file_.is(sign, ".") ? " ::simt::whole(" : " ::simt::whole_at(");
        watch_index(first, last);
        // Behind the object: what the compiler has to say of that, it says of the student's own words.
        file_.insert_after(last,
                           ", ::simt::path<" + variable + ", ::simt::way::" + way(first, sign) + ">())");
    }

    /// auto f(int x) const -> int
    bool is_before_result(const function& f, size_t sign) const {
        size_t i = file_.next(file_.partner(f.parameters));
        while (file_.is_identifier(i))
            i = file_.next(i);
        return i == sign;
    }

    /// To take the address of the element behind an array's last is no mistake, as the compiler sees it.
    void watch_index(size_t first, size_t last) {
        const size_t open = file_.is(last, "]") ? file_.partner(last) : NONE;
        if (open == NONE || file_.is(file_.next(open), "{") || !file_.is_identifier(first)) return;
        for (size_t i = file_.next(first); i != open; i = file_.next(file_.partner(i))) {
            if (!file_.is(i, "[")) return;
        }
        const std::string array = file_.join(first, file_.previous(open));
        file_.insert_after(open, "::simt::index<decltype(" + array + ")>(");
        file_.insert_before(last, ")");
    }

    /// How the tokens from the variable on, up to the . or -> of the member, lead to the object.
    std::string way(size_t first, size_t sign) const {
        if (placed_.contains(file_.text(first))) return "any";
        size_t i = file_.next(first);
        const bool has_index = file_.is(i, "[");
        while (file_.is(i, "["))
            i = file_.next(file_.partner(i));
        for (; i != sign; i = file_.next(i)) {
            if (!file_.is(i, ".") && !file_.is_identifier(i)) return "any";
        }
        if (file_.is(sign, "->")) return "any";
        return has_index ? "element" : "member";
    }
};

}  // namespace

void rewrite_members(source& file, const function_table& functions) {
    member_pass(file, functions).run();
}

}  // namespace rewrite
