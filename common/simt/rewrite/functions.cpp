// Finds the functions of a file by the shape of their declarations; no names are looked up.
#include "simt/rewrite/functions.h"

#include <set>

namespace rewrite {
namespace {

/// Words whose parentheses are not a parameter list.
bool takes_arguments(std::string_view word) {
    static const std::set<std::string_view> words = {
        "__launch_bounds__", "__attribute__",    "__align__",  "alignas",      "decltype",
        "noexcept",          "explicit",         "requires",   "typeof",       "__typeof__",
        "__maxnreg__",       "__cluster_dims__", "__declspec", "static_assert"};
    return words.count(word) > 0;
}

class finder {
public:
    explicit finder(const source& file) : file_(file) { table_.owner.assign(file.tokens.size(), -1); }

    function_table run() {
        scan(file_.first(), NONE, {});
        join_declarations();
        collect_kernels();
        return std::move(table_);
    }

private:
    const source& file_;
    function_table table_;

    /// What stands around declarations.
    struct surroundings {
        std::string scope;  // "a::b::"
        bool in_class = false, in_template = false;
    };

    /// The declarations from token i up to `end`, in a namespace or a class.
    void scan(size_t i, size_t end, const surroundings& around) {
        size_t first = i;  // of the declaration being read
        bool has_assignment = false;
        for (; i != NONE && i != end; i = file_.next(i)) {
            if (file_.is(i, "(") || file_.is(i, "[")) {
                i = skip(i);
            } else if (file_.is(i, "template") && file_.is(file_.next(i), "<")) {
                i = file_.closing_angle(file_.next(i));  // an = in it is a default argument
            } else if (file_.is(i, "operator")) {
                i = end_of_operator(i);
            } else if (file_.is(i, "=")) {
                has_assignment = true;
            } else if (is_access_label(i)) {
                first = file_.next(i = file_.next(i));
            } else if (file_.is(i, ";")) {
                const bool may_be_function = !has_assignment || is_pure_or_defaulted(i);
                if (!may_be_function || !add_function(first, i, NONE, around))
                    table_.others.push_back({first, i, around.in_class});
                first = file_.next(i);
                has_assignment = false;
            } else if (file_.is(i, "{")) {
                const size_t close = file_.partner(i);
                if (close == NONE) return;
                if (has_assignment) {
                    mark_initialiser(i, close);
                } else if (file_.is(first, "catch") && !table_.functions.empty()) {
                    mark(first, close);  // f() try { .. } catch (..) { .. }: of the same function
                    first = file_.next(close);
                } else if (opens_scope(first, i)) {
                    scan(file_.next(i), close, inside(first, i, around));
                    if (!is_class(first, i)) first = file_.next(close);
                } else if (!is_member_initialiser(first, i)) {
                    if (!add_function(first, i, i, around))
                        table_.others.push_back({first, i, around.in_class});
                    first = file_.next(close);
                }
                i = close;
            }
            if (i == NONE) return;
        }
    }

    /// The last token of the name `operator+=` or `operator()`, before its parameters.
    size_t end_of_operator(size_t i) const {
        i = file_.next(i);
        if (file_.is(i, "(")) return file_.partner(i);
        while (i != NONE && file_.next(i) != NONE && !file_.is(file_.next(i), "("))
            i = file_.next(i);
        return i;
    }

    /// Inside of the namespace or class whose declaration begins at `first` and whose brace is given.
    surroundings inside(size_t first, size_t brace, const surroundings& around) const {
        surroundings result = around;
        result.in_class = is_class(first, brace);
        result.in_template |= file_.is(first, "template");
        size_t name = first_word(first);
        while (name != NONE && name < brace && !file_.is(name, ":")) {  // of a base
            name = file_.next(name);
            const bool is_last = file_.is(file_.next(name), "{") || file_.is(file_.next(name), ":") ||
                                 file_.is(file_.next(name), "<") || file_.is(file_.next(name), "final");
            if (!file_.is_identifier(name) || !(is_last || file_.is(file_.next(name), "::"))) continue;
            result.scope += std::string(file_.text(name)) + "::";
            if (is_last) break;
        }
        return result;
    }

    size_t skip(size_t open) const { return file_.partner(open) == NONE ? open : file_.partner(open); }

    bool is_access_label(size_t i) const {
        const std::string_view word = file_.text(i);
        return (word == "public" || word == "private" || word == "protected") && file_.is(file_.next(i), ":");
    }

    bool is_pure_or_defaulted(size_t semicolon) const {
        const size_t last = file_.previous(semicolon);
        return file_.is(last, "0") || file_.is(last, "default") || file_.is(last, "delete");
    }

    /// The braces of a variable's value: a lambda in it has a body where statements stand.
    void mark_initialiser(size_t open, size_t close) {
        if (!file_.is(file_.previous(open), ")")) return;
        table_.functions.push_back({});
        table_.functions.back().name = "lambda";
        mark(open, close);
    }

    void mark(size_t open, size_t close) {
        const int owner = int(table_.functions.size()) - 1;
        for (size_t i = open; i <= close; i++)
            table_.owner[i] = owner;
    }

    /// The first word after template<...> and the likes of static and typedef.
    size_t first_word(size_t first) const {
        static const std::set<std::string_view> skipped = {"typedef", "static", "const", "inline",
                                                           "extern",  "friend", "export"};
        for (;;) {
            if (file_.is(first, "template") && file_.is(file_.next(first), "<")) {
                first = file_.next(file_.closing_angle(file_.next(first)));
            } else if (file_.is_identifier(first) && skipped.count(file_.text(first))) {
                first = file_.next(first);
            } else {
                return first;
            }
        }
    }

    bool is_class(size_t first, size_t brace) const {
        const std::string_view word = file_.text(first_word(first));
        if (word != "class" && word != "struct" && word != "union" && word != "enum") return false;
        return parameters_of(first, brace) == NONE;
    }

    bool opens_scope(size_t first, size_t brace) const {
        if (file_.is(first, "inline") || file_.is(first, "export")) first = file_.next(first);
        if (file_.is(first, "namespace")) return true;
        if (file_.is(first, "extern") && file_.next(file_.next(first)) == brace) return true;
        return is_class(first, brace);
    }

    /// The brace of x{1} in  name(...) : x{1}, y(2) { ... }.
    bool is_member_initialiser(size_t first, size_t brace) const {
        const size_t before = file_.previous(brace);
        if (!file_.is_identifier(before) && !file_.is(before, ">")) return false;
        const size_t open = parameters_of(first, brace);
        for (size_t i = file_.partner(open); i != NONE && i < brace; i = file_.next(i)) {
            if (file_.is(i, ":")) return true;
        }
        return false;
    }

    /// The parenthesis that opens the parameter list in the declaration first .. last, or NONE.
    size_t parameters_of(size_t first, size_t last) const {
        for (size_t i = first; i != NONE && i < last; i = file_.next(i)) {
            if (file_.is(i, "operator")) {
                i = file_.next(i);
                if (file_.is(i, "(")) return file_.next(file_.partner(i));
                while (i != NONE && i < last && !file_.is(i, "("))
                    i = file_.next(i);
                return i;
            }
            if (file_.is(i, "[") || file_.is(i, "{")) i = skip(i);
            if (file_.is(i, "<") && (file_.is_identifier(file_.previous(i)))) {
                const size_t close = file_.closing_angle(i);
                if (close != NONE) i = close;
            }
            if (!file_.is(i, "(")) continue;
            const size_t before = file_.previous(i);
            // Not a variable of pointer type, float (*f)(int).
            const bool pointer = file_.is(file_.next(i), "*") || file_.is(file_.next(i), "&");
            const bool named =
                before != NONE && before >= first && (file_.is_identifier(before) || file_.is(before, ">"));
            if (named && !pointer && !takes_arguments(file_.text(before))) return i;
            if (pointer && named && !takes_arguments(file_.text(before))) return NONE;
            i = skip(i);
        }
        return NONE;
    }

    /// False if the declaration is none of a function.
    bool add_function(size_t first, size_t last, size_t body, const surroundings& around) {
        const size_t open = parameters_of(first, last);
        if (open == NONE || file_.partner(open) == NONE) return false;
        function f;
        f.first = first;
        f.parameters = open;
        f.body = body;
        f.name_at = file_.previous(open);
        if (file_.is(f.name_at, ">")) f.name_at = file_.previous(file_.opening_angle(f.name_at));
        if (f.name_at == NONE || f.name_at < first) return false;
        f.name = file_.is_identifier(f.name_at) ? file_.text(f.name_at) : "operator";
        read_template(f);
        for (size_t i = file_.next(open); i != NONE && i < file_.partner(open); i = file_.next(i)) {
            // Each makes a template's parameter.
            if (file_.is(i, "auto") && f.template_parameters < ANY_NUMBER) f.template_parameters++;
        }
        f.parameter_count = count_parameters(open);
        for (size_t i = first; i != NONE && i < last; i = file_.next(i)) {
            if (i == open) i = file_.partner(open);
            const std::string_view word = file_.text(i);
            f.is_global |= word == "__global__";
            f.is_device |= word == "__device__";
            f.is_host |= word == "__host__";
            f.is_constexpr |= word == "constexpr";
            f.is_consteval |= word == "consteval";
            f.is_friend |= word == "friend";
        }
        f.is_member = (around.in_class && !f.is_friend) || file_.is(file_.previous(f.name_at), "::");
        f.in_template = around.in_template || f.template_parameters > 0;
        f.scope = around.scope + scopes_before(f.name_at, first);
        table_.functions.push_back(std::move(f));
        if (body != NONE) mark(file_.partner(open), file_.partner(body));
        return true;
    }

    /// "S::" of S::at.
    std::string scopes_before(size_t name, size_t first) const {
        std::string scopes;
        while (file_.is(file_.previous(name), "::") && file_.previous(name) > first) {
            name = file_.previous(file_.previous(name));
            if (file_.is(name, ">")) name = file_.previous(file_.opening_angle(name));
            if (!file_.is_identifier(name)) break;
            scopes = std::string(file_.text(name)) + "::" + scopes;
        }
        return scopes;
    }

    int count_parameters(size_t open) const {
        const size_t close = file_.partner(open);
        if (file_.next(open) == close) return 0;
        int count = 1;
        for (size_t i = file_.next(open); i != NONE && i < close; i = file_.next(i)) {
            if (file_.is(i, "=") || file_.is(i, "...")) return ANY_NUMBER;
            if (file_.is(i, "(") || file_.is(i, "[") || file_.is(i, "{")) i = skip(i);
            if (file_.is(i, "<") && file_.closing_angle(i) < close) i = file_.closing_angle(i);
            if (file_.is(i, ",")) count++;
        }
        return count;
    }

    void read_template(function& f) const {
        if (!file_.is(f.first, "template")) return;
        const size_t open = file_.next(f.first);
        const size_t close = file_.is(open, "<") ? file_.closing_angle(open) : NONE;
        if (close == NONE || file_.next(open) == close) {
            f.is_specialisation = true;
            return;
        }
        f.template_parameters = 1;
        int depth = 0;
        for (size_t i = file_.next(open); i != NONE && i < close; i = file_.next(i)) {
            if (file_.is(i, "(") || file_.is(i, "[") || file_.is(i, "{")) i = skip(i);
            depth += file_.is(i, "<");
            depth -= file_.is(i, ">");
            if (file_.is(i, ",") && depth == 0) f.template_parameters++;
            if (file_.is(i, "...")) {
                f.template_parameters = ANY_NUMBER;
                return;
            }
        }
    }

    /// The parameter list as text, without the parameters' names:
    /// the same for a declaration and its definition.
    std::string parameter_types(const function& f, bool& has_default) const {
        std::string types;
        const size_t close = file_.partner(f.parameters);
        size_t words = 0, last_word = 0;  // of this parameter; where the last one starts in `types`
        for (size_t i = file_.next(f.parameters); i != NONE && i <= close; i = file_.next(i)) {
            if (file_.is(i, ",") || i == close || file_.is(i, "=")) {
                if (words > 1 && last_word != NONE) types.erase(last_word);
                types += ",";
                words = 0;
            }
            if (file_.is(i, "=")) {
                has_default = true;
                while (i < close && !file_.is(i, ","))
                    i = file_.next(file_.is(i, "(") || file_.is(i, "{") ? skip(i) : i);
                continue;
            }
            if (file_.is(i, ",") || i == close) continue;
            if (file_.is(i, "__restrict__") || file_.is(i, "__grid_constant__")) continue;
            const bool is_name = file_.is_identifier(i) && !file_.is(file_.previous(i), "::");
            last_word = is_name ? types.size() : NONE;
            words++;
            types += std::string(file_.text(i)) + " ";
        }
        return types;
    }

    /// What one declaration of a function says, and another does not, makes it a function of both sides.
    void join_declarations() {
        std::map<std::string, std::vector<function*>> same;
        bool has_default = false;
        for (function& f : table_.functions) {
            if (f.parameters != NONE && !f.is_global)
                same[f.scope + f.name + "(" + parameter_types(f, has_default)].push_back(&f);
        }
        for (const auto& [name, all] : same) {
            bool has_plain = false, has_device = false;
            for (const function* f : all) {
                has_plain |= !f->is_device && !f->is_host;
                has_device |= f->is_device;
            }
            if (!has_plain || !has_device) continue;
            for (function* f : all)
                f->is_device = f->is_host = true;
        }
    }

    void collect_kernels() {
        std::map<std::string, std::string> seen;
        std::set<std::string> names;  // with their scopes
        for (const function& f : table_.functions) {
            if (!f.is_global || f.is_specialisation) continue;
            kernel& k = table_.kernels[f.name];
            k.template_parameters = std::max(k.template_parameters, f.template_parameters);
            const std::string types =
                std::to_string(f.template_parameters) + " " + parameter_types(f, k.needs_call);
            const auto [known, is_new] = seen.emplace(f.name, types);
            if (!is_new && known->second != types) k.needs_call = true;
            names.insert(f.scope + f.name);
        }
        // A function of the host may have the name, too.
        for (const function& f : table_.functions)
            if (!f.is_global && names.count(f.scope + f.name) > 0) table_.kernels[f.name].needs_call = true;
    }
};

}  // namespace

function_table find_functions(const source& file) {
    return finder(file).run();
}

}  // namespace rewrite
