// __shared__ variables.
#include <set>
#include <string>

#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

constexpr std::string_view TOO_LARGE =
    "static shared memory is limited to 48 KB in a block: use extern __shared__ and cudaFuncSetAttribute";
constexpr std::string_view HAS_CONSTRUCTOR =
    "a __shared__ variable has no constructor: assign to it in the kernel and call __syncthreads()";

struct declarator {
    size_t first = NONE, last = NONE;  // its tokens, `float` and the comma not among them
    size_t name = NONE;
    size_t initialiser = NONE;  // the = { or ( of a value
};

class shared_pass {
public:
    shared_pass(source& file, const function_table& functions, bool inspected)
        : file_(file), functions_(functions), inspected_(inspected) {}

    void run() {
        std::vector<std::vector<std::string>> scopes(1);  // names of static shared variables that can be seen
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (file_.is(i, "{")) scopes.emplace_back();
            if (file_.is(i, "}") && scopes.size() > 1) scopes.pop_back();
            if (!file_.is(i, "__shared__")) continue;
            visible_.clear();
            for (const auto& scope : scopes)
                visible_.insert(visible_.end(), scope.begin(), scope.end());
            const size_t seen = visible_.size();
            const size_t end = rewrite(i);
            if (end == NONE) return;
            const bool in_function = functions_.inside_function(i);
            if (in_function)
                scopes.back().insert(scopes.back().end(), visible_.begin() + seen, visible_.end());
            i = end;
        }
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (file_.is(i, "[") && file_.is(file_.next(i), "=")) keep_out_of_copies(i);
        }
    }

private:
    source& file_;
    const function_table& functions_;
    const bool inspected_;
    std::vector<std::string> visible_;
    std::vector<size_t> dynamic_;  // names of dynamic arrays that functions declare

    /// Rewrites the declaration around the __shared__ at i; returns its semicolon.
    size_t rewrite(size_t shared) {
        size_t first = shared;
        for (size_t i = file_.previous(shared); is_specifier_end(i); i = file_.previous(i)) {
            if (file_.is(i, "}")) i = file_.start_of_class(i);
            if (file_.is(i, ")")) i = file_.previous(file_.partner(i));
            first = i;
        }
        const size_t type = end_of_type(shared);
        size_t semicolon = NONE;
        const std::vector<declarator> declarators = read_declarators(type, semicolon);
        if (semicolon == NONE || declarators.empty()) {
            file_.report(shared,
                         "__shared__ is not followed by a variable: write __shared__ float tile[SIZE];");
            return NONE;
        }
        if (!check_function(shared) || !check_values(declarators)) return semicolon;
        const size_t external = find_word("extern", first, type);
        if (external == NONE) {
            rewrite_static(shared, first, type, declarators, semicolon);
        } else if (!functions_.inside_function(shared)) {
            rewrite_namespace_scope(shared, external, declarators);
        } else {
            rewrite_dynamic(shared, external, first, type, declarators);
        }
        return semicolon;
    }

    /// Specifiers before __shared__: words, alignas(...) with its argument, and the body of a class.
    bool is_specifier_end(size_t i) const {
        if (file_.is_identifier(i)) return !file_.is(i, "else") && !file_.is(i, "do");
        if (file_.is(i, "}")) return file_.start_of_class(i) != NONE;
        return file_.is(i, ")") && is_alignment(file_.previous(file_.partner(i)));
    }

    bool is_alignment(size_t i) const {
        return file_.is(i, "alignas") || file_.is(i, "__align__") || file_.is(i, "__attribute__");
    }

    size_t find_word(std::string_view word, size_t first, size_t end) const {
        for (size_t i = first; i != NONE && i < end; i = file_.next(i)) {
            if (file_.is(i, word)) return i;
        }
        return NONE;
    }

    /// The first token of the first declarator: the last word before [ , ; = { ( or a * & before it.
    size_t end_of_type(size_t shared) const {
        size_t type_end = NONE;
        for (size_t i = file_.next(shared); i != NONE; i = file_.next(i)) {
            if (is_alignment(i) || file_.is(i, "decltype")) {
                i = file_.end_of_arguments(i);
                type_end = NONE;
            } else if (is_class_word(i)) {
                size_t brace = file_.next(i);
                while (file_.is_identifier(brace))
                    brace = file_.next(is_alignment(brace) ? file_.end_of_arguments(brace) : brace);
                if (!file_.is(brace, "{")) continue;
                i = file_.partner(brace);
                type_end = NONE;
            } else if (file_.is(i, "<") && file_.closing_angle(i) != NONE) {
                i = file_.closing_angle(i);
            } else if (file_.is(i, "*") || file_.is(i, "&") ||
                       (file_.is(i, "(") && file_.is(file_.next(i), "*"))) {
                return i;
            } else if (file_.is_identifier(i)) {
                type_end = i;
            } else if (!file_.is(i, "::")) {
                return type_end;
            }
        }
        return NONE;
    }

    bool is_class_word(size_t i) const {
        return file_.is(i, "struct") || file_.is(i, "union") || file_.is(i, "class") || file_.is(i, "enum");
    }

    std::vector<declarator> read_declarators(size_t first, size_t& semicolon) const {
        std::vector<declarator> found;
        declarator now;
        for (size_t i = first; i != NONE; i = file_.next(i)) {
            if (file_.is(i, ",") || file_.is(i, ";")) {
                if (now.name == NONE) return {};
                now.last = file_.previous(i);
                found.push_back(now);
                now = {};
                if (!file_.is(i, ";")) continue;
                semicolon = i;
                return found;
            }
            if (now.first == NONE) now.first = i;
            if (file_.is_identifier(i) && now.name == NONE && !file_.is(i, "const") &&
                !file_.is(i, "volatile"))
                now.name = i;
            if (file_.is(i, "(") && now.name == NONE) {
                now.name = name_in_parentheses(i);
                i = file_.partner(i);
            } else if (now.name != NONE && is_value(i)) {
                now.initialiser = i;
            }
            if (file_.is(i, "(") || file_.is(i, "[") || file_.is(i, "{")) i = file_.partner(i);
        }
        return {};
    }

    bool is_value(size_t i) const {
        // Parentheses after an array of pointers, (*table[4])(float), are parameters.
        return file_.is(i, "=") || file_.is(i, "{") ||
               (file_.is(i, "(") && !file_.is(file_.previous(i), ")"));
    }

    size_t name_in_parentheses(size_t open) const {
        size_t name = NONE;
        for (size_t i = open; i != NONE && i < file_.partner(open) && !file_.is(i, "["); i = file_.next(i)) {
            if (file_.is_identifier(i)) name = i;
        }
        return name;
    }

    bool check_function(size_t shared) {
        const function* around = functions_.around(shared);
        if (!around || around->is_global || (around->is_device && !around->is_host)) return true;
        file_.report(shared,
                     "a __shared__ variable is declared in a host function: declare it in a kernel or a "
                     "__device__ function");
        return false;
    }

    bool check_values(const std::vector<declarator>& declarators) {
        for (const declarator& d : declarators) {
            if (d.initialiser == NONE) continue;
            file_.report(
                d.name,
                "__shared__ " + std::string(file_.text(d.name)) +
                    " has a value: declare it without one, assign in the kernel and call __syncthreads()");
            return false;
        }
        return true;
    }

    /// alignas may not stand between other specifiers: it moves to the front.
    void move_alignment(size_t first, size_t end) {
        for (size_t i = first; i != NONE && i < end; i = file_.next(i)) {
            if (is_class_word(i)) return;  // what follows is the alignment of the class
            if (!file_.is(i, "alignas") || i == first) continue;
            const size_t last = file_.end_of_arguments(i);
            file_.insert_before(first, file_.join(i, last) + " ");
            file_.erase(i, last);
            i = last;
        }
    }

    void rewrite_static(size_t shared, size_t first, size_t type, const std::vector<declarator>& declarators,
                        size_t semicolon) {
        const size_t written = find_word("static", first, type);
        if (written != NONE) file_.erase(written);
        file_.replace(shared, "static __thread");
        insert_guards(first, declarators);
        if (inspected_)
            for (const declarator& d : declarators)
                file_.insert_steps(semicolon, d.name);
        move_alignment(first, type);
        std::string sum;
        for (const std::string& name : visible_)
            sum += "sizeof(" + name + ") + ";
        for (const declarator& d : declarators) {
            const std::string name(file_.text(d.name));
            visible_.push_back(name);
            sum += "sizeof(" + name + ") + ";
            file_.assert_after(semicolon, d.name, "__has_trivial_constructor(decltype(" + name + "))",
                               HAS_CONSTRUCTOR);
        }
        sum.resize(sum.size() - 3);
        file_.assert_after(semicolon, declarators.back().name, "48 * 1024 >= " + sum, TOO_LARGE);
    }

    /// Memory that belongs to nobody, before the first and after every variable. (The compiler lays them out
    /// in the order of their declarations, or backwards.) After a variable it is one more declarator, of
    /// pointers, which need no value whatever they point to; its name also tells the backend which
    /// thread-local variables are shared ones, so it stands, empty, in a build without inspection, too.
    void insert_guards(size_t first, const std::vector<declarator>& declarators) {
        const std::string used = " __attribute__((used, unused))";
        const std::string name(file_.text(declarators[0].name));
        if (inspected_)
            file_.insert_before(first,
                                "static __thread char simt_guard_before_" + name + "[512]" + used + "; ");
        for (const declarator& d : declarators) {
            const std::string guarded(file_.text(d.name));
            const std::string elements = inspected_ ? "512 / sizeof(void*)" : "0";
            // Without a value a class with constructors, of which none runs, has a flag beside it that says so.
            const std::string value = functions_.inside_function(d.name) ? "{}" : "";
            file_.insert_after(d.last, value + ", *simt_guard_" + guarded + "[" + elements + "]" + used);
        }
    }

    /// Outside of functions: another name for the backend's array.
    void rewrite_namespace_scope(size_t shared, size_t external, const std::vector<declarator>& declarators) {
        file_.erase(external);
        file_.replace(shared, "extern __thread");
        for (const declarator& d : declarators)
            file_.insert_after(d.last, " __asm__(\"simt_dynsmem\")");
    }

    /// In CUDA no lambda captures shared memory. Here a dynamic array is a reference, which [=] would copy.
    void keep_out_of_copies(size_t capture) {
        size_t body = file_.partner(capture);
        while (body != NONE && !file_.is(body, "{") && !file_.is(body, ";"))
            body = file_.next(file_.is(body, "(") ? file_.partner(body) : body);
        if (!file_.is(body, "{")) return;
        std::set<std::string_view> kept;
        for (const size_t array : dynamic_) {
            const bool same_function = functions_.around(array) == functions_.around(capture);
            if (same_function && array < capture &&
                find_word(file_.text(array), body, file_.partner(body)) != NONE)
                kept.insert(file_.text(array));
        }
        for (const std::string_view name : kept)
            file_.insert_after(file_.next(capture), ", &" + std::string(name));
    }

    /// In a function: a reference to the backend's array, because GCC drops assembler names in templates.
    void rewrite_dynamic(size_t shared, size_t external, size_t first, size_t type,
                         const std::vector<declarator>& declarators) {
        file_.erase(external);
        file_.erase(shared);
        std::string type_name;
        for (size_t i = first; i != NONE && i < type; i = file_.next(i)) {
            if (i == shared || i == external || file_.is(i, "static")) continue;
            if (is_alignment(i)) {
                // The backend's array is aligned for everything.
                file_.erase(i, file_.end_of_arguments(i));
                i = file_.end_of_arguments(i);
                continue;
            }
            if (!type_name.empty()) type_name += ' ';
            type_name += file_.text(i);
        }
        for (const declarator& d : declarators) {
            if (!file_.is(file_.next(d.name), "[") || d.name != d.first) {
                file_.report(d.name, "extern __shared__ " + std::string(file_.text(d.name)) +
                                         " is no array: write extern __shared__ float " +
                                         std::string(file_.text(d.name)) + "[];");
                continue;
            }
            dynamic_.push_back(d.name);
            // Of one name in one namespace all are one array: the compiler sees whether they have one type.
            file_.insert_before(first, "[[maybe_unused]] extern " + type_name + " simt_dynamic_" +
                                           file_.join(d.name, d.last) + "; ");
            file_.insert_before(d.name, "(&");
            file_.insert_after(d.name, " [[maybe_unused]])");  // yet, in a skeleton
            file_.insert_after(d.last, " = *reinterpret_cast<" + type_name + "(*)" +
                                           file_.join(file_.next(d.name), d.last) + ">(::simt_dynsmem)");
        }
    }
};

}  // namespace

void rewrite_shared_variables(source& file, const function_table& functions, bool inspected) {
    shared_pass(file, functions, inspected).run();
}

}  // namespace rewrite
