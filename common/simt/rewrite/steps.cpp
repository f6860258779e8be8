// Programs of the time before __syncwarp() count on a warp's lanes to go through their code together. Here lanes run one
// after the other. So they meet where one may read what another has just written to shared or volatile memory, or write
// what another is about to read: s[i] becomes ::simt::in_step(place, s[i]) (simt/include/simt/warp.h). Of __shared__
// variables and of what pointers point to that are volatile or that a function with barriers gets, these are the first
// read after a write and the first write after a read that no barrier parts from each other; of volatile ones all, in a
// function without barriers. Lanes that are through with the body of such a loop wait for the others at its end.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simt/rewrite/operands.h"
#include "simt/rewrite/own_elements.h"
#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

/// s, s[i] or *s in the text.
struct access {
    std::string_view variable;
    size_t first = NONE, last = NONE;
    bool reads = false, writes = false;
    size_t equals = NONE;  // of an assignment
    std::string text;
    own_element own;
};

/// Of one function.
class step_pass {
public:
    step_pass(source& file, const function& f, bool judged)
        : file_(file), f_(f), end_(file.partner(f.body)), own_(file, f) {
        for (size_t i = f.parameters; i != NONE && i < end_; i = file_.next(i)) {
            // A lab's threads are told to wait for each other.
            const bool is_shared = file_.is(i, "__shared__") && !judged;
            if (file_.is(i, "volatile") || is_shared) note_names(i);
            has_barriers_ |= is_barrier(i);
        }
        if (has_barriers_ && !f.is_global && !judged) note_parameters();
    }

    void run() {
        name_meetings();
        if (variables_.empty()) return;
        follow();
        // A token's number is its place in the text.
        for (const auto& [first, one] : assigned_) {
            file_.wrap_outside(first, end_of_value(one.equals),
                               "::simt::assign_in_step(" + std::to_string(first) + ", ");
            file_.replace(one.equals, ",");
        }
        for (const size_t equals : updated_)
            file_.wrap_outside(file_.next(equals), end_of_value(equals), "::simt::read_now(", ")");
        for (const auto& [end, begin] : loops_)
            end_together(begin, end);
        for (const auto& [first, one] : together_)
            file_.wrap_inside(first, one.last, "::simt::in_step(" + std::to_string(first) + ", ");
    }

private:
    struct variable {
        bool is_volatile = false, is_scalar = false, is_shared = false;
        size_t declared = NONE;
    };
    /// What a lane has read and written of a variable that the others may be about to: access::own of each.
    struct state {
        std::set<own_element> read, written;
    };
    struct alias {
        std::string_view variable;
        std::string own;  // its name, if each lane's points to a part of its own
    };
    using states = std::map<std::string_view, state>;
    source& file_;
    const function& f_;
    const size_t end_;  // of its body
    const own_elements own_;
    bool has_barriers_ = false;
    std::map<std::string_view, variable> variables_;
    std::map<std::string_view, alias> aliases_;  // pointers into them
    std::map<size_t, size_t> loops_;             // from their last token to their first
    states now_;
    std::set<std::string> seen_;                    // accesses, in their words
    std::vector<access> statement_;                 // what it has so far
    bool is_conditional_ = false;                   // some of it may not happen
    std::map<size_t, access> together_, assigned_;  // by their first tokens
    std::set<size_t> updated_;  // the = of += and its like whose value is read before lanes meet

    /// Who asks which lanes are there meets them, and says where: the compiler may copy the call to several places.
    void name_meetings() {
        for (size_t i = f_.body; i != NONE && i < end_; i = file_.next(i)) {
            const size_t open = file_.next(i);
            const bool asks = file_.is(i, "__activemask") || file_.is(i, "coalesced_threads");
            if (asks && file_.is(open, "(") && file_.partner(open) == file_.next(open))
                file_.insert_after(open, std::to_string(i));
        }
    }

    /// The last token of the value that is assigned here.
    size_t end_of_value(size_t equals) const {
        size_t i = equals;
        int choices = 0;  // ? without its :
        for (size_t next = file_.next(i);
             !file_.is(next, ";") && !file_.is(next, ",") && !file_.is(next, ")"); next = file_.next(i)) {
            choices += file_.is(next, "?") - file_.is(next, ":");
            if (choices < 0) break;
            i = file_.is(next, "(") || file_.is(next, "[") || file_.is(next, "{") ? file_.partner(next)
                                                                                  : next;
            // The arguments of a template, if something is called by it.
            const size_t angle = file_.is(i, "<") ? file_.closing_angle(i) : NONE;
            if (file_.is(file_.next(angle), "(")) i = angle;
            if (i == NONE) return equals;
        }
        return i;
    }
    /// Lanes that are through with a loop's body wait for the others, if there are steps in it.
    void end_together(size_t begin, size_t end) {
        for (size_t i = begin; i < end; i = file_.next(i))
            if (is_barrier(i)) return;
        std::string_view pointer;  // to what may be shared memory, from before the loop
        bool are_shared = false;
        for (const auto* accesses : {&together_, &assigned_}) {
            for (auto at = accesses->lower_bound(begin); at != accesses->end() && at->first < end; at++) {
                const variable& known = variables_[at->second.variable];
                are_shared |= known.is_shared;
                if (known.declared < begin) pointer = at->second.variable;
            }
        }
        if (!are_shared && pointer.empty()) return;
        const std::string what = are_shared ? "" : ", " + std::string(pointer);
        const std::string call = " ::simt::end_step(" + std::to_string(end) + what + "); ";
        const bool is_do = file_.is(begin, "do");
        const size_t body = is_do ? file_.next(begin) : file_.next(file_.partner(file_.next(begin)));
        if (file_.is(body, "{"))
            file_.insert_before(end, call);
        else if (!is_do)
            file_.wrap_outside(body, end, "{ ", call + "}");
    }

    /// volatile T *p, volatile __shared__ T s[64], T volatile* const p: of all declarators up to the end.
    void note_names(size_t i) {
        bool is_pointer = false, is_volatile = false, is_shared = false;
        for (; i != NONE; i = file_.next(i)) {
            const size_t next = file_.next(i);
            if (file_.is(i, ";") || file_.is(i, "{") || file_.is(i, ")") || file_.is(i, ">")) return;
            if (file_.is(i, "(") || file_.is(i, "[")) i = file_.partner(i);
            if (file_.is(i, "<")) i = file_.closing_angle(i);
            is_pointer |= file_.is(i, "*");
            is_volatile |= file_.is(i, "volatile");
            is_shared |= file_.is(i, "__shared__");
            const bool is_array = file_.is(next, "[");
            const bool ends = is_array || file_.is(next, "=") || file_.is(next, ",") || file_.is(next, ";") ||
                              file_.is(next, ")");
            if (!file_.is_identifier(i) || !ends) continue;
            if (is_pointer || is_array || is_shared) {
                variable& known = variables_[file_.text(i)];
                known = {is_volatile, !is_pointer && !is_array, is_shared, i};
            }
            // Another parameter has a type of its own.
            if (!is_array && !is_shared) return;
        }
    }

    /// T *p, T p[]: they may point to shared memory.
    void note_parameters() {
        for (size_t i = f_.parameters; i != file_.partner(f_.parameters); i = file_.next(i)) {
            const size_t before = file_.previous(i), next = file_.next(i);
            const bool is_pointer = file_.is(before, "*") || file_.is(before, "__restrict__");
            const bool is_last = file_.is(next, ",") || next == file_.partner(f_.parameters);
            if (file_.is_identifier(i) && ((is_pointer && is_last) || file_.is(next, "[")))
                variables_.insert({file_.text(i), {.declared = i}});
        }
    }

    // ---- the order of accesses

    /// The function's text in its order; the body of a loop once more, as what comes after its end. What happens under a
    /// condition may not have happened.
    void follow() {
        std::set<size_t> repeated;
        std::multimap<size_t, states> without;  // what else may be, by the ends of conditional statements
        // What has been done to a volatile pointer's memory before is not known.
        for (const auto& [name, one] : variables_)
            if (one.is_volatile && !one.is_shared) now_[name] = {{own_element{}}, {own_element{}}};
        for (size_t i = f_.body; i != NONE && i < end_;) {
            const bool is_loop =
                file_.is(i, "for") || file_.is(i, "do") || (file_.is(i, "while") && !ends_do(file_, i));
            const bool is_choice = file_.is(i, "if") || file_.is(i, "else") || file_.is(i, "switch");
            if (is_loop) loops_[end_of_controlled(file_, i)] = i;
            if (is_loop || is_choice) without.emplace(end_of_controlled(file_, i), now_);
            if (is_barrier(i)) {
                close(i);
                now_.clear();
            }
            if (file_.is_identifier(i)) forget_bound(i);
            note_alias(i);
            const access found = access_at(i);
            if (found.first != NONE) statement_.push_back(found);
            is_conditional_ |= file_.is(i, "?") || is_twice(file_, i, "&") || is_twice(file_, i, "|");
            if (file_.is(i, ";") || file_.is(i, "{") || file_.is(i, "}")) close(i);
            if (const auto loop = loops_.find(i); loop != loops_.end() && repeated.insert(i).second) {
                i = file_.next(loop->second);
                continue;
            }
            for (auto [at, end] = without.equal_range(i); at != end; at = without.erase(at))
                add(at->second);
            i = file_.next(i);
        }
    }
    /// Below which a lane's number was: from here on that may be something else.
    void forget_bound(size_t name) {
        const size_t after = file_.next(name);
        if (!file_.is(after, "=") && !is_updated(file_, name, after)) return;
        const auto is_below = [&](const own_element& own) { return own.bound == file_.text(name); };
        for (auto& [variable, known] : now_) {
            for (std::set<own_element>* all : {&known.read, &known.written})
                if (std::erase_if(*all, is_below) > 0) all->insert(own_element{});
        }
    }
    /// A function that has no barriers counts on volatile memory for everything.
    bool always_meets(const access& one) const {
        return variables_.at(one.variable).is_volatile && !has_barriers_;
    }

    void add(const states& others) {
        for (const auto& [name, one] : others) {
            now_[name].read.insert(one.read.begin(), one.read.end());
            now_[name].written.insert(one.written.begin(), one.written.end());
        }
    }

    /// The statement ends here. Of what it does reads come before writes.
    void close(size_t end) {
        const states before = now_;
        for (const access& one : statement_) {
            if (!one.reads) continue;
            const auto known = before.find(one.variable);
            const bool meets = known != before.end() && conflicts(one, known->second.written);
            if (meets) now_[one.variable] = {};
            if (meets || always_meets(one)) together_[one.first] = one;
        }
        for (const access& one : statement_) {
            if (!one.reads) continue;
            now_[one.variable].read.insert(one.own);
            seen_.insert(one.text);
        }
        for (const access& one : statement_) {
            if (!one.writes) continue;
            state& now = now_[one.variable];
            // s[i] = s[i] + s[i + k] before a barrier is a step of a reduction: what one lane writes no later one reads.
            const bool is_reduction = (seen_.count(one.text) > 0 || is_in_loop(one.first)) &&
                                      reads_upwards() &&
                                      is_parted_from_reads(one.variable, end, end_).value_or(false);
            const bool meets = conflicts(one, now.read) && !is_reduction;
            const bool has_value =
                one.equals != NONE && !file_.is(file_.next(one.equals), "{") &&
                std::any_of(statement_.begin(), statement_.end(), [&](const access& other) {
                    return other.reads && other.variable == one.variable && other.first != one.first;
                });
            if (meets && has_value && !one.reads)
                assigned_[one.first] = one;
            else if (meets || always_meets(one))
                together_[one.first] = one;
            if (meets && has_value && one.reads) updated_.insert(one.equals);
            if (meets) now = {};
            now.written.insert(one.own);
        }
        for (const access& one : statement_)
            seen_.insert(one.text);
        if (is_conditional_) add(before);
        is_conditional_ = false;
        statement_.clear();
    }

    /// Not s[i ^ k] and s[i - k], which an earlier lane may have written in this statement.
    bool reads_upwards() const {
        return std::none_of(statement_.begin(), statement_.end(), [](const access& one) {
            return one.reads && one.text.find_first_of("^-", one.text.find('[')) != std::string::npos;
        });
    }
    /// True unless there is nothing but what every lane has of its own.
    static bool conflicts(const access& one, const std::set<own_element>& others) {
        return std::any_of(others.begin(), others.end(),
                           [&](const own_element& other) { return one.own.may_be(other); });
    }
    bool is_in_loop(size_t i) const {
        return std::any_of(loops_.begin(), loops_.end(),
                           [&](const auto& loop) { return loop.second < i && i < loop.first; });
    }

    /// T *p = &s[i]; or p = s + k; from here on p is s.
    void note_alias(size_t equals) {
        const size_t pointer = file_.previous(equals);
        if (!file_.is(equals, "=") || !file_.is_identifier(pointer) || is_member(pointer)) return;
        if (variables_.count(file_.text(pointer)) > 0) return;
        size_t name = file_.next(equals);
        while (file_.is(name, "("))  // a cast
            name = file_.next(file_.partner(name));
        const bool is_address = file_.is(name, "&");
        if (is_address) name = file_.next(name);
        const std::string_view of = variable_named(name);
        const size_t next = file_.next(name);
        const bool is_element = file_.is(next, "[") || file_.is(next, ".");
        if (!of.empty() && (is_address || (!is_element && !variables_[of].is_scalar)))
            aliases_[file_.text(pointer)] = {of, std::string(own_.is_part(name) ? file_.text(pointer) : "")};
    }
    /// The variable that this name stands for; empty for any other one.
    std::string_view variable_named(size_t name) const {
        const auto alias = aliases_.find(file_.text(name));
        if (alias != aliases_.end()) return alias->second.variable;
        return variables_.count(file_.text(name)) > 0 ? file_.text(name) : std::string_view();
    }

    own_element element(size_t name, size_t last) const {
        const auto alias = aliases_.find(file_.text(name));
        if (alias != aliases_.end() && !alias->second.own.empty()) return {alias->second.own};
        return own_.element(name, last);
    }

    /// True if a barrier comes before the next read of the variable, also of a loop that begins again; nothing if neither comes.
    std::optional<bool> is_parted_from_reads(std::string_view variable, size_t begin, size_t end) const {
        for (size_t i = begin; i != NONE && i < end; i = file_.next(i)) {
            if (is_barrier(i)) return true;
            const access found = access_at(i);
            if (found.reads && found.variable == variable) return false;
            if (const auto loop = loops_.find(i); loop != loops_.end()) {
                const auto again = is_parted_from_reads(variable, file_.next(loop->second), i);
                if (again) return again;
            }
        }
        return {};
    }

    bool is_barrier(size_t i) const {
        const std::string_view name = file_.text(i);
        const bool is_call = file_.is_identifier(i) && file_.is(file_.next(i), "(");
        return is_call && (name.starts_with("__syncthreads") || name == "__syncwarp" || name == "sync" ||
                           name.ends_with("_sync") || name == "wait" || name == "arrive_and_wait");
    }

    // ---- accesses

    access access_at(size_t name) const {
        access found;
        const std::string_view variable = variable_named(name);
        if (variable.empty() || variables_.at(variable).declared == name || is_member(name)) return found;
        size_t first = name, last = name;
        while (file_.is(file_.next(last), "["))
            last = file_.partner(file_.next(last));
        const size_t before = file_.previous(name), next = file_.next(last);
        const bool is_scalar = variables_.at(variable).is_scalar && aliases_.count(file_.text(name)) == 0;
        if (last == name && !is_scalar) {
            const bool goes_on = file_.is(next, "(") || file_.is(next, "+") || file_.is(next, "-");
            if (!file_.is(before, "*") || ends_operand(file_, file_.previous(before)) || goes_on)
                return found;
            first = before;
        }
        // An address is no access.
        const size_t sign = file_.previous(first), other = file_.previous(sign);
        if (file_.is(sign, "&") && !is_twice(file_, other, "&") && !ends_operand(file_, other)) return found;
        found = {variable, first, last, true, false, NONE, file_.join(first, last), element(name, last)};
        size_t after = next;
        while (file_.is(after, "."))
            after = file_.next(file_.next(after));
        const bool is_set = file_.is(after, "=");
        found.writes = is_set || is_updated(file_, first, after);
        found.reads = !is_set;
        const size_t second = file_.next(after);
        if (is_set)
            found.equals = after;
        else if (found.writes && file_.text(second).ends_with('='))
            found.equals = second;
        return found;
    }

    bool is_member(size_t i) const {
        const size_t before = file_.previous(i);
        return file_.is(before, ".") || file_.is(before, "->") || file_.is(before, "::");
    }
};

}  // namespace

void rewrite_steps(source& file, const function_table& functions, bool judged) {
    for (const function& f : functions.functions)
        if (f.body != NONE && (f.is_device || f.is_global)) step_pass(file, f, judged).run();
}

}  // namespace rewrite
