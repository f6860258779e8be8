// Kernel launches.
#include <algorithm>
#include <set>
#include <string>

#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

/// A word that ends a statement or an operand, so that what follows it is not a call of it.
bool is_statement_word(std::string_view word) {
    static const std::set<std::string_view> words = {"return", "else",  "do",  "case",
                                                     "if",     "while", "for", "switch"};
    return words.count(word) > 0;
}

class launch_pass {
public:
    launch_pass(source& file, const function_table& functions, bool from_kernels)
        : file_(file), functions_(functions), from_kernels_(from_kernels) {}

    void run() {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (file_.is(i, "cudaLaunchKernel") || file_.is(i, "cudaLaunchCooperativeKernel"))
                uncast(file_.next(i));
            if (functions_.kernels.count(file_.text(i)) > 0) make_known(i);
            const size_t end = file_.end_of_triple(i, "<");
            if (end == NONE || file_.is(file_.previous(i), "operator")) continue;
            rewrite(i, end);
            i = end;
        }
    }

private:
    source& file_;
    const function_table& functions_;
    const bool from_kernels_;

    /// Takes the cast to void* away from the first argument of such a call: by its type a kernel is known.
    void uncast(size_t open) {
        if (!file_.is(open, "(")) return;
        const size_t first = file_.next(open);
        const bool by_word = file_.is(first, "reinterpret_cast") || file_.is(first, "static_cast");
        const size_t begin = by_word ? file_.next(first) : first;
        if (!file_.is(begin, by_word ? "<" : "(")) return;
        const size_t end = by_word ? file_.closing_angle(begin) : file_.partner(begin);
        if (end == NONE || !file_.is(file_.previous(end), "*")) return;
        for (size_t i = file_.next(begin); i < file_.previous(end); i = file_.next(i))
            if (!file_.is(i, "void") && !file_.is(i, "const")) return;
        file_.erase(first, end);
    }

    /// True for the cast of (void*) or reinterpret_cast<void*>( that ends at i.
    bool is_cast_to_void(size_t i) const {
        if (file_.is(i, "(")) i = file_.previous(i);
        if (!file_.is(i, ")") && !file_.is(i, ">")) return false;
        if (!file_.is(file_.previous(i), "*")) return false;
        size_t word = file_.previous(file_.previous(i));
        if (file_.is(word, "const")) word = file_.previous(word);
        if (!file_.is(word, "void")) return false;
        size_t open = file_.previous(word);
        if (file_.is(open, "const")) open = file_.previous(open);
        return file_.is(open, "(") || file_.is(open, "<");
    }

    /// A kernel's name, cast to void*: whoever gets the address shall know the kernel's type.
    void make_known(size_t name) {
        size_t first = name;
        while (file_.is(file_.previous(first), "::") &&
               file_.is_identifier(file_.previous(file_.previous(first))))
            first = file_.previous(file_.previous(first));
        const size_t before = file_.previous(first);
        if (file_.is(before, "&")) first = before;
        if (!is_cast_to_void(file_.previous(first))) return;
        size_t last = name;
        if (file_.is(file_.next(name), "<")) last = file_.closing_angle(file_.next(name));
        if (last == NONE || file_.is(file_.next(last), "<")) return;
        file_.insert_before(first, "::simt::known_kernel(");
        file_.insert_after(last, ")");
    }

    /// The name a launch gives its kernel; empty for a pointer that is computed.
    struct callee {
        size_t first = NONE;
        std::string_view name;
        int template_arguments = 0;
    };

    /// Of the first and the last < of a launch.
    void rewrite(size_t open, size_t open_end) {
        const size_t close = find_close(open, open_end);
        if (close == NONE) return;
        const size_t close_end = file_.end_of_triple(close, ">");
        const callee kernel = find_callee(open);
        if (kernel.first == NONE) {
            file_.report(
                open,
                "<<< stands after something that is no kernel: write kernel<<<grid, block>>>(arguments)");
            return;
        }
        if (!check_configuration(open, open_end, close) || !check_caller(open) || !check_kernel(open, kernel))
            return;
        if (needs_call(kernel)) {
            // The lambda is not the student's code: what it copies is not counted.
            std::string name = file_.join(kernel.first, file_.previous(open));
            std::replace(name.begin(), name.end(), '"', '\'');
            const lambda call = pass_arguments(file_.next(close_end));
            file_.insert_before(kernel.first, "::simt::prepare_generic(\"" + name + "\", [=](" +
                                                  call.parameters +
                                                  ") __attribute__((no_sanitize_thread)) { ");
            file_.insert_after(file_.previous(open), "(" + call.arguments + "); }");
        } else {
            file_.insert_before(kernel.first, "::simt::prepare(");
        }
        file_.erase(open, open_end);
        file_.replace(open, ", ::simt::launch_config(");
        file_.erase(close, close_end);
        file_.replace(close, "))");
    }

    /// What the lambda around a written-out call takes, and what it passes on to the kernel.
    struct lambda {
        std::string parameters = "auto... simt_a", arguments = "simt_a...";
        int count = 0;
        void add(const std::string& parameter, const std::string& argument) {
            if (count++ > 0) parameters += ", ";
            parameters += parameter;
            arguments += argument;
        }
    };

    /// Most arguments keep their meaning on the way through a parameter. A 0 or NULL for a pointer and a
    /// list in braces do not: they move into the lambda.
    lambda pass_arguments(size_t open) {
        if (file_.partner(open) == NONE || !has_untyped_argument(open)) return {};
        lambda call;
        call.parameters = call.arguments = "";
        pass_items(open, call, false);
        return call;
    }

    bool is_null(size_t i, size_t end) const {
        return (file_.is(i, "0") || file_.is(i, "__null")) && file_.next(i) == end;
    }

    bool has_untyped_argument(size_t open) const {
        bool found = false;
        for (size_t i = open; i != NONE && i != file_.partner(open);) {
            const size_t first = file_.next(i);
            i = file_.end_of_item(first, file_.partner(open));
            if (file_.is(file_.previous(i), "...")) return false;  // a pack of any length
            found |= file_.is(first, "{") || is_null(first, i);
        }
        return found;
    }

    /// The items of (...) or, in a list, of {...}, which becomes part of the argument list around it.
    void pass_items(size_t open, lambda& call, bool is_list) {
        const size_t close = file_.partner(open);
        for (size_t i = open; i != NONE && i != close;) {
            size_t first = file_.next(i);
            const size_t comma = i;
            i = file_.end_of_item(first, close);
            if (first == i) {
                if (file_.is(comma, ",")) file_.erase(comma);  // {1, 2, }
                return;
            }
            if (file_.is(first, ".")) {  // .width = 3
                const size_t name = file_.next(first);
                call.arguments += "." + std::string(file_.text(name)) + " ";
                file_.erase(first, name);
                first = file_.next(name);
                if (file_.is(first, "=")) {
                    call.arguments += "= ";
                    file_.erase(first);
                    first = file_.next(first);
                }
            }
            pass_item(first, i, call, is_list);
            if (file_.is(i, ",")) call.arguments += ", ";
        }
    }

    void pass_item(size_t first, size_t end, lambda& call, bool in_list) {
        const size_t last = file_.previous(end);
        if (file_.is(first, "{") && file_.next(first) != last) {
            call.arguments += "{";
            file_.erase(first);
            pass_items(first, call, true);
            file_.erase(last);
            call.arguments += "}";
        } else if (file_.is(first, "{") || is_null(first, end) || (in_list && is_simple(first, end))) {
            call.add("auto", file_.join(first, last));
            file_.erase(first, last);
            file_.replace(first, "0");
        } else {
            const std::string name = "simt_" + std::to_string(call.count);
            call.add("auto " + name, name);
        }
    }

    /// Names and numbers, which may be evaluated later, and which a list need not convert if they are constants.
    bool is_simple(size_t first, size_t end) const {
        for (size_t i = first; i != end; i = file_.next(i)) {
            const bool calls = file_.is(i, "(") || file_.is(i, "[") || file_.is(i, "{");
            if (calls || file_.is(i, ".") || file_.is(i, "->") || file_.is(i, "=")) return false;
            if ((file_.is(i, "+") || file_.is(i, "-")) && file_.is(i + 1, file_.text(i))) return false;
        }
        return true;
    }

    /// The >>> that ends the configuration: outside of brackets and before the arguments.
    /// Of four > the first closes a template.
    size_t find_close(size_t open, size_t open_end) {
        bool seen = false;
        for (size_t i = file_.next(open_end); i != NONE; i = file_.next(i)) {
            if (file_.is(i, ";") || file_.is(i, "}") || file_.is(i, ")") || file_.is(i, "]")) break;
            if (file_.is(i, "(") || file_.is(i, "[") || file_.is(i, "{")) {
                i = file_.partner(i);
                if (i == NONE) break;
            }
            const size_t end = file_.end_of_triple(i, ">");
            if (end == NONE) continue;
            seen = true;
            if (file_.is(file_.next(end), "(")) return i;
        }
        file_.report(
            open,
            seen ? "the >>> of a launch has no arguments after it: write kernel<<<grid, block>>>(arguments), "
                   "with () if there are none"
                 : "<<< without >>>: write kernel<<<grid, block>>>(arguments)");
        return NONE;
    }

    /// Walks back over the expression that ends before the <<<: names with scopes and template arguments,
    /// members, subscripts, calls, parentheses.
    callee find_callee(size_t open) const {
        callee found;
        bool is_plain_name = true;  // nothing but scopes and template arguments so far
        for (size_t i = file_.previous(open); i != NONE;) {
            if (file_.is(i, ">")) {
                const size_t angle = file_.opening_angle(i);
                if (angle == NONE) return found;
                if (found.name.empty()) found.template_arguments = file_.count_items(angle, i);
                i = file_.previous(angle);
                if (!file_.is_identifier(i)) return found;
                continue;
            }
            const size_t before = file_.previous(i);
            if (file_.is_identifier(i)) {
                if (is_statement_word(file_.text(i))) return found;
                if (is_plain_name && found.name.empty()) found.name = file_.text(i);
                found.first = i;
                if (file_.is(before, "template")) found.first = before;
                const size_t link = file_.previous(found.first);
                if (file_.is(link, "::")) {
                    found.first = link;
                    i = file_.previous(link);
                    const bool scope =
                        file_.is(i, ">") || (file_.is_identifier(i) && !is_statement_word(file_.text(i)));
                    if (!scope) return found;
                } else if (file_.is(link, ".") || file_.is(link, "->")) {
                    found.name = "";
                    is_plain_name = false;
                    i = file_.previous(link);
                } else {
                    return found;
                }
                continue;
            }
            if (!file_.is(i, ")") && !file_.is(i, "]")) return found;
            is_plain_name = false;
            i = file_.partner(i);
            if (i == NONE) return found;
            found.first = i;
            const size_t owner = file_.previous(i);
            const bool named = file_.is_identifier(owner) && !is_statement_word(file_.text(owner));
            const bool chained = file_.is(owner, "]") || file_.is(owner, ">") ||
                                 (file_.is(owner, ")") && !closes_condition(owner));
            if (!named && !chained) return found;
            i = owner;
        }
        return found;
    }

    /// The ) of if (...), for (...) and the like.
    bool closes_condition(size_t i) const {
        size_t word = file_.previous(file_.partner(i));
        if (file_.is(word, "constexpr")) word = file_.previous(word);
        return file_.is_identifier(word) && is_statement_word(file_.text(word));
    }

    bool check_configuration(size_t open, size_t open_end, size_t close) {
        const int values = file_.count_items(open_end, close);
        if (values >= 2 && values <= 4) return true;
        file_.report(open, "a launch has " + std::to_string(values) + (values == 1 ? " value" : " values") +
                               " in <<< >>>: it takes <<<grid, block>>>, then bytes of shared memory and a "
                               "stream if wanted");
        return false;
    }

    bool check_caller(size_t open) {
        const function* around = functions_.around(open);
        if (from_kernels_ || around == nullptr) return true;
        if (!around->is_global && (!around->is_device || around->is_host)) return true;
        file_.report(
            open,
            "launching a kernel from device code needs cucc -rdc=true; in a lab, launch it from the host");
        return false;
    }

    /// False for the name of a function, and of functions that are no kernels alone.
    bool check_kernel(size_t open, const callee& k) {
        if (k.name.empty() || functions_.kernels.count(k.name) > 0) return true;
        const function* around = functions_.around(open);
        for (const function& f : functions_.functions) {
            if (f.name != k.name || f.is_member || is_parameter(around, k.name)) continue;
            file_.report(open, f.name + " is launched, but it is no kernel: mark it __global__");
            return false;
        }
        return true;
    }

    bool is_parameter(const function* around, std::string_view name) const {
        if (around == nullptr || around->parameters == NONE) return false;
        for (size_t i = around->parameters; i < file_.partner(around->parameters); i = file_.next(i)) {
            if (file_.is(i, name)) return true;
        }
        return false;
    }

    bool needs_call(const callee& k) const {
        const auto found = functions_.kernels.find(k.name);
        if (k.name.empty() || found == functions_.kernels.end()) return false;
        return found->second.needs_call || k.template_arguments < found->second.template_parameters;
    }
};

}  // namespace

void rewrite_launches(source& file, const function_table& functions, bool from_kernels) {
    launch_pass(file, functions, from_kernels).run();
}

}  // namespace rewrite
