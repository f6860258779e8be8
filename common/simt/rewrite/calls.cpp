// Calls between host and device: nvcc rejects the wrong ones, g++ would run them on the wrong side.
#include <map>
#include <set>
#include <string>

#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

/// True for words after which an expression begins; any other word before a name makes it a declaration.
bool precedes_expression(std::string_view word) {
    static const std::set<std::string_view> words = {"return",    "else",     "do",    "case", "throw",
                                                     "co_return", "co_yield", "new",   "not",  "and",
                                                     "or",        "goto",     "delete"};
    return words.count(word) > 0;
}

/// What to write in device code instead of a function of the C++ library that nvcc takes for a host
/// function; empty if it takes it, as it does std::sqrt and others of <cmath>, or if that is not known.
std::string_view remedy_for(std::string_view library_function) {
    static constexpr std::string_view WRITE_OUT = "write it out";
    static const std::map<std::string_view, std::string_view> functions = {
        {"min", "call min without std::"},
        {"max", "call max without std::"},
        {"clamp", "call min(max(x, low), high) without std::"},
        {"lerp", WRITE_OUT},
        {"gcd", WRITE_OUT},
        {"swap", WRITE_OUT},
        {"exchange", WRITE_OUT},
        {"fill", WRITE_OUT},
        {"fill_n", WRITE_OUT},
        {"copy", WRITE_OUT},
        {"copy_n", WRITE_OUT},
        {"accumulate", WRITE_OUT},
        {"inner_product", WRITE_OUT},
    };
    const auto found = functions.find(library_function);
    return found == functions.end() ? std::string_view() : found->second;
}

class call_pass {
public:
    call_pass(source& file, const function_table& table) : file_(file), table_(table) {
        for (const function& f : table.functions)
            by_name_.emplace(f.name, &f);
        find_device_lambdas();
    }

    void run() {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (!file_.is_identifier(i) || !table_.inside_function(i)) continue;
            const size_t open = arguments_of(i);
            if (open != NONE && is_call(i)) check(i, open);
            if (open != NONE && is_in_std(i)) check_library(i);
            if (file_.is(i, "numeric_limits") && is_in_std(i)) check_limits(i);
        }
    }

private:
    source& file_;
    const function_table& table_;
    std::multimap<std::string, const function*, std::less<>> by_name_;
    std::vector<bool> in_device_lambda_;

    void find_device_lambdas() {
        in_device_lambda_.assign(file_.tokens.size(), false);
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (!file_.is(i, "__device__") || !table_.inside_function(i)) continue;
            size_t body = file_.next(i);
            while (body != NONE && !file_.is(body, "{") && !file_.is(body, ";")) {
                body = file_.next(file_.is(body, "(") ? file_.partner(body) : body);
            }
            if (!file_.is(body, "{") || file_.partner(body) == NONE) continue;
            for (size_t j = body; j < file_.partner(body); j++)
                in_device_lambda_[j] = true;
        }
    }

    /// The ( of name(...) or name<...>(...), or NONE.
    size_t arguments_of(size_t name) const {
        size_t open = file_.next(name);
        if (file_.is_triple(open, "<")) return NONE;
        if (file_.is(open, "<")) open = file_.next(file_.closing_angle(open));
        return file_.is(open, "(") && file_.partner(open) != NONE ? open : NONE;
    }

    bool is_call(size_t name) const {
        const size_t before = file_.previous(name);
        if (file_.is(before, ".") || file_.is(before, "->") || file_.is(before, "::")) return false;
        return !file_.is_identifier(before) || precedes_expression(file_.text(before));
    }

    /// True for the name in std::name, and not in other::std::name.
    bool is_in_std(size_t name) const {
        const size_t scope = file_.previous(file_.previous(name)), before = file_.previous(scope);
        const bool is_other = file_.is(before, "::") && file_.is_identifier(file_.previous(before));
        return file_.is(file_.previous(name), "::") && file_.is(scope, "std") && !is_other;
    }

    /// True if nothing but a device executes this token.
    bool is_device_only(size_t i) const {
        const function& around = *table_.around(i);
        return in_device_lambda_[i] || around.is_global || (around.is_device && !around.is_host);
    }

    void check_library(size_t name) {
        const std::string_view remedy = remedy_for(file_.text(name));
        if (remedy.empty() || !is_device_only(name)) return;
        file_.report(name, "device code calls the host function std::" + std::string(file_.text(name)) +
                               ": " + std::string(remedy));
    }

    /// std::numeric_limits<float>::max() and its like are calls; ::digits is none.
    void check_limits(size_t name) {
        const size_t scope = file_.next(file_.closing_angle(file_.next(name)));
        const size_t called = file_.next(scope);
        if (!file_.is(scope, "::") || !file_.is(file_.next(called), "(") || !is_device_only(name)) return;
        file_.report(name, "device code calls the host function std::numeric_limits<>::" +
                               std::string(file_.text(called)) +
                               ": use INFINITY, FLT_MAX and the like, or a constant from outside");
    }

    /// True if the function around has a variable of this name, as far as that can be seen.
    bool is_local(const function& around, std::string_view name) const {
        const size_t begin = around.parameters == NONE ? around.body : around.parameters;
        for (size_t i = begin; i != NONE && i < file_.partner(around.body); i = file_.next(i)) {
            if (!file_.is(i, name)) continue;
            const size_t before = file_.previous(i), after = file_.next(i);
            const bool typed = file_.is_identifier(before) && !precedes_expression(file_.text(before));
            const bool marked = file_.is(before, "*") || file_.is(before, "&") || file_.is(before, ">") ||
                                file_.is(before, "[") || file_.is(before, ",");
            if (typed || (marked && !file_.is(after, "(") && !file_.is(after, "<"))) return true;
        }
        return false;
    }

    void check(size_t name, size_t open) {
        const function& around = *table_.around(name);
        if (around.body == NONE) return;
        const auto [first, last] = by_name_.equal_range(file_.text(name));
        if (first == last) return;
        const int arguments = file_.count_items(open, file_.partner(open));
        bool any = false, on_device = false, on_host = false, kernels_only = true, is_constexpr = false;
        for (auto f = first; f != last; ++f) {
            if (f->second->is_member) return;
            if (f->second->parameter_count != arguments && f->second->parameter_count != ANY_NUMBER) continue;
            any = true;
            kernels_only &= f->second->is_global;
            is_constexpr |= f->second->is_constexpr;
            on_device |= f->second->is_device || f->second->is_consteval;
            on_host |= f->second->is_host || f->second->is_consteval ||
                       !(f->second->is_device || f->second->is_global);
        }
        if (!any || is_local(around, file_.text(name))) return;
        const std::string called(file_.text(name));
        const bool from_device = around.is_global || around.is_device || in_device_lambda_[name];
        const bool from_host = !from_device || (around.is_host && !in_device_lambda_[name]);
        if (kernels_only) {
            file_.report(name,
                         called + " is a kernel: launch it with " + called + "<<<grid, block>>>(arguments)");
        } else if (is_constexpr && from_device && !on_device) {
            // nvcc lets a __host__ __device__ function pass with a warning: it may run on the host alone.
            if (!is_device_only(name)) return;
            file_.report(name, "device code calls the constexpr host function " + called +
                                   ", which nvcc refuses: mark " + called + " __host__ __device__");
        } else if (from_device && !on_device) {
            file_.report(
                name, "device code calls the host function " + called + ": mark " + called + " __device__");
        } else if (from_host && !around.is_constexpr && !around.is_consteval && !on_host) {
            file_.report(name, "host code calls the device function " + called + ": mark " + called +
                                   " __host__ __device__");
        }
    }
};

}  // namespace

void reject_wrong_calls(source& file, const function_table& functions) {
    call_pass(file, functions).run();
}

}  // namespace rewrite
