// What a check counts, from words and into words.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>

#include "check/expected_count.h"

namespace check {

namespace {

using memory = counted_accesses::memory;
using operation = counted_accesses::operation;

/// As the inspector names its memories, and as they stand in a check's words.
constexpr std::array<std::string_view, 5> MEMORIES = {"", "global", "shared", "constant", "texture"};
constexpr std::array<std::string_view, 3> OPERATIONS = {"", "load", "store"};

std::string_view name_of(memory where) {
    return MEMORIES[size_t(where)];
}

std::string_view name_of(operation what) {
    return OPERATIONS[size_t(what)];
}

std::vector<std::string> words_in(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

bool one_of(const std::string& word, const std::set<std::string_view>& list) {
    return list.count(word) > 0;
}

/// The memory that is named, unless several are.
memory memory_in(const std::vector<std::string>& words) {
    memory found = memory::any;
    for (const memory one : {memory::global, memory::shared, memory::constant, memory::texture}) {
        if (std::find(words.begin(), words.end(), name_of(one)) == words.end()) continue;
        if (found != memory::any) return memory::any;
        found = one;
    }
    return found;
}

operation operation_in(const std::vector<std::string>& words) {
    bool loads = false, stores = false;
    for (const std::string& word : words) {
        loads = loads || one_of(word, {"loads", "loaded", "fetches"});
        stores = stores || one_of(word, {"stores", "stored"});
    }
    if (loads == stores) return operation::any;
    return loads ? operation::load : operation::store;
}

bool is_name(const std::string& word) {
    const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    return std::all_of(word.begin(), word.end(), fits) && !std::isdigit(static_cast<unsigned char>(word[0]));
}

/// "loads of in", "loaded from in", "stores to out": the first such word that is the name of something. Words
/// are what stands between blanks.
std::string variable_in(const std::vector<std::string>& words) {
    for (size_t k = 0; k + 1 < words.size(); k++) {
        if (!one_of(words[k], {"of", "from", "to", "for", "but"})) continue;
        const size_t next = words[k + 1] == "the" && k + 2 < words.size() ? k + 2 : k + 1;
        const bool no_variable = one_of(words[next], {"global", "shared", "constant", "texture", "device",
                                                      "dynamic", "a", "an", "one", "every", "anything"});
        if (!no_variable && is_name(words[next])) return words[next];
    }
    return "";
}

/// "global loads of in", but not "loads of in for every request" nor "bytes loaded from in".
bool is_number_of_accesses(const std::vector<std::string>& words) {
    const auto counts = [](const std::string& word) {
        return one_of(word, {"loads", "stores", "fetches", "accesses"});
    };
    const auto begins = words.begin(), ends = words.begin() + std::min<size_t>(2, words.size());
    const auto relates = [](const std::string& word) { return one_of(word, {"every", "per"}); };
    return std::any_of(begins, ends, counts) && std::none_of(words.begin(), words.end(), relates);
}

std::string words_for(memory where, operation what, const std::string& variable) {
    const std::string noun = what == operation::any     ? "accesses"
                             : where == memory::texture ? "fetches"
                             : what == operation::store ? "stores"
                                                        : "loads";
    std::string words(name_of(where));
    words += (words.empty() ? "" : " ") + noun;
    return variable.empty() ? words : words + " of " + variable;
}

const inspect::traffic& part(const inspect::memory_traffic& seen, operation what) {
    return what == operation::store ? seen.stores : seen.loads;
}

}  // namespace

counted_accesses::counted_accesses(std::string text) : words_(std::move(text)) {
    const std::vector<std::string> words = words_in(words_);
    where_ = memory_in(words);
    what_ = operation_in(words);
    variable_ = variable_in(words);
    is_plain_ = is_number_of_accesses(words);
}

counted_accesses::counted_accesses(memory where, operation what, std::string variable)
    : words_(words_for(where, what, variable)), where_(where), what_(what), variable_(std::move(variable)) {}

bool counted_accesses::include(const inspect::line_traffic& line) const {
    return !variable_.empty() && line.variable == variable_ &&
           (where_ == memory::any || line.space == name_of(where_)) &&
           (what_ == operation::any || line.direction == name_of(what_));
}

inspect::traffic counted_accesses::in(const inspect::report& seen) const {
    if (!variable_.empty()) return part(seen.of(variable_), what_);
    const inspect::counts total = seen.total();
    switch (where_) {
        case memory::shared:
            return part(total.shared, what_);
        case memory::constant:
            return total.constant;
        case memory::texture:
            return total.texture;
        default:
            return part(total.global, what_);
    }
}

}  // namespace check
