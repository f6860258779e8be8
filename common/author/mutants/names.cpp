// Changes of names, arguments and types.
#include <algorithm>
#include <set>

#include "author/mutants/operators.h"

namespace author {
namespace {

/// Words of names that are easily taken for each other.
const std::vector<std::pair<std::string, std::string>> PAIRS = {{"x", "y"},
                                                                {"tx", "ty"},
                                                                {"i", "j"},
                                                                {"width", "height"},
                                                                {"row", "column"},
                                                                {"rows", "columns"},
                                                                {"in", "out"},
                                                                {"first", "last"},
                                                                {"left", "top"},
                                                                {"right", "below"},
                                                                {"before", "after"},
                                                                {"min", "max"},
                                                                {"threadIdx", "blockIdx"},
                                                                {"blockDim", "gridDim"}};

/// Names of which another one would do as well for the compiler.
const std::vector<std::vector<std::string>> CHOICES = {
    {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost"},
    {"cudaAddressModeBorder", "cudaAddressModeClamp", "cudaAddressModeMirror", "cudaAddressModeWrap"},
    {"cudaFilterModePoint", "cudaFilterModeLinear"},
    {"size_bytes", "size"},
    {"continue", "break"}};

const std::vector<std::string> EXCEPTIONS = {"invalid_argument", "runtime_error", "logic_error"};

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

/// "BLOCK_WIDTH" -> "BLOCK_HEIGHT"; several names if several of its words have a partner.
std::vector<std::string> partners_of(const std::string& name) {
    std::vector<std::string> found;
    const auto exchange = [&](size_t begin, size_t end, const std::string& from, const std::string& to) {
        const std::string word = name.substr(begin, end - begin);
        if (word != from && (lower(word) != from || lower(word) == word)) return;
        std::string other = to;
        if (word != from)
            std::transform(other.begin(), other.end(), other.begin(),
                           [](unsigned char c) { return char(std::toupper(c)); });
        found.push_back(name.substr(0, begin) + other + name.substr(end));
    };
    for (size_t begin = 0; begin < name.size();) {
        const size_t end = std::min(name.find('_', begin), name.size());
        for (const auto& [one, other] : PAIRS) {
            exchange(begin, end, one, other);
            exchange(begin, end, other, one);
        }
        begin = end + 1;
    }
    return found;
}

class name_changes {
public:
    name_changes(const solution_code& code, std::vector<change>& changes) : code_(code), changes_(changes) {}

    void find() {
        for (size_t i = 1; i < code_.tokens.size(); i++) {
            if (!code_.tokens[i].in_body) continue;
            if (code_.is_word(i)) {
                swap_name(i);
                choose_other(i);
                change_type(i);
            }
            if (code_.opens_call(i)) {
                swap_items("arguments", i, code_.tokens[i].partner);
                round_down(i);
            }
            if (code_.end_of_launch(i) != NONE) swap_items("launch", i, code_.end_of_launch(i));
        }
    }

private:
    void replace(const char* name, size_t i, const std::string& text) {
        changes_.push_back({name, code_.tokens[i].begin, code_.tokens[i].end, text});
    }

    void swap_name(size_t i) {
        const std::string name(code_.text(i));
        if (code_.is_declared(i)) return;
        // The spans of a contract are equally long.
        if ((name == "in" || name == "out") && code_.text(i + 2).starts_with("size")) return;
        const bool member = code_.is(i - 1, ".") && (name == "x" || name == "y");
        for (const std::string& other : partners_of(name))
            if (member || code_.has_word(other) || name == "threadIdx" || name == "min" || name == "max")
                replace("swap", i, other);
    }

    void choose_other(size_t i) {
        const std::string name(code_.text(i));
        for (const auto& names : CHOICES) {
            const auto at = std::find(names.begin(), names.end(), name);
            if (at == names.end()) continue;
            replace("choice", i, at + 1 == names.end() ? names.front() : *(at + 1));
        }
        if (code_.is(i - 2, "std") && std::count(EXCEPTIONS.begin(), EXCEPTIONS.end(), name)) {
            for (const std::string& other : EXCEPTIONS)
                if (other != name) replace("exception", i, other);
        }
        if (code_.is(i - 1, "::") && !code_.is(i - 2, "std") && !code_.is(i + 1, "("))
            for (const std::string& other : values_of(code_.text(i - 2)))
                if (other != name) replace("choice", i, other);
    }

    /// "border" -> what else the file takes from it: zero, clamp, mirror.
    std::set<std::string> values_of(std::string_view scope) const {
        std::set<std::string> values;
        for (size_t k = 2; k < code_.tokens.size(); k++)
            if (code_.is(k - 1, "::") && code_.is(k - 2, scope) && !code_.is(k + 1, "("))
                values.insert(std::string(code_.text(k)));
        return values;
    }

    /// float sum becomes int sum, size_t(y) int(y); a place in a large array becomes short.
    void change_type(size_t i) {
        const bool declares = code_.is_word(i + 1), converts = code_.is(i + 1, "(");
        const size_t first = code_.statement_of(i);
        if (first == NONE || (!declares && !converts)) return;
        if (code_.is(i, "float") || code_.is(i, "size_t")) replace("type", i, "int");
        const size_t end = code_.end_of_statement(first);
        if (code_.is(i, "int") && declares && end != NONE && code_.begins_declaration(first) &&
            (code_.has({first, end}, "blockIdx") || code_.has({first, end}, "size")))
            replace("type", i, "short");
        if (code_.is(i, "sizeof") && converts)
            changes_.push_back(
                {"type", code_.tokens[i].begin, code_.tokens[code_.tokens[i + 1].partner].end, "1"});
    }

    void swap_items(const char* name, size_t open, size_t close) {
        if (code_.is(open - 1, "min") || code_.is(open - 1, "max")) return;
        const std::vector<token_range> items = code_.items(open, close);
        for (size_t k = 1; k < items.size(); k++) {
            const std::string one = code_.text(items[k - 1]), other = code_.text(items[k]);
            if (one == other) continue;
            const size_t begin = code_.tokens[items[k - 1].first].begin;
            const size_t end = code_.tokens[items[k].last].end;
            const size_t middle = code_.tokens[items[k - 1].last].end;
            const std::string comma(code_.whole.substr(middle, code_.tokens[items[k].first].begin - middle));
            changes_.push_back({name, begin, end, other + comma + one});
        }
    }

    /// ceil_div(n, SIZE) becomes ((n) / (SIZE)).
    void round_down(size_t open) {
        if (!code_.is(open - 1, "ceil_div")) return;
        const std::vector<token_range> items = code_.items(open, code_.tokens[open].partner);
        if (items.size() == 2)
            changes_.push_back({"rounding", code_.tokens[open - 1].begin,
                                code_.tokens[code_.tokens[open].partner].end,
                                "((" + code_.text(items[0]) + ") / (" + code_.text(items[1]) + "))"});
    }

    const solution_code& code_;
    std::vector<change>& changes_;
};

}  // namespace

void change_names(const solution_code& code, std::vector<change>& changes) {
    name_changes(code, changes).find();
}

}  // namespace author
