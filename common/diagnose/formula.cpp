// Reads, evaluates and changes formulas.
#include "diagnose/formula.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>
#include <stdexcept>

namespace check {

struct formula::node {
    std::string operation;  // "" of a number or a variable
    std::shared_ptr<const node> left, right;
    int64_t number = 0;
    variable name = VARIABLES;  // none: a number
};

namespace {

using node = formula::node;
using pointer = std::shared_ptr<const node>;

constexpr int64_t FAR_AWAY = int64_t(1) << 40;
constexpr size_t MOST_OPERANDS = 16;  // that wait for their operator: formulas are short

/// As formulas are written here, and as a student reads them.
struct spelling {
    const char *written, *shown;
};
constexpr spelling NAMES[VARIABLES] = {{"x", "x"},
                                       {"y", "y"},
                                       {"tx", "threadIdx.x"},
                                       {"ty", "threadIdx.y"},
                                       {"bx", "blockIdx.x"},
                                       {"by", "blockIdx.y"},
                                       {"ox", "tx"},
                                       {"oy", "ty"},
                                       {"j", "j"},
                                       {"i", "i"},
                                       {"jm", "j"},
                                       {"im", "i"},
                                       {"column", "column"},
                                       {"row", "row"},
                                       {"left", "left"},
                                       {"top", "top"},
                                       {"from_x", "from_x"},
                                       {"from_y", "from_y"},
                                       {"width", "width"},
                                       {"height", "height"},
                                       {"filter_width", "filter_width"},
                                       {"filter_height", "filter_height"},
                                       {"rx", "radius_x"},
                                       {"ry", "radius_y"},
                                       {"threads_x", "blockDim.x"},
                                       {"threads_y", "blockDim.y"},
                                       {"outputs_x", "OUT_WIDTH"},
                                       {"outputs_y", "OUT_HEIGHT"},
                                       {"tile_width", "tile_width"},
                                       {"tile_height", "tile_height"},
                                       {"pitch", "pitch"},
                                       {"n", "n"},
                                       {"z", "z"},
                                       {"oz", "tz"},
                                       {"k", "k"},
                                       {"slice", "slice"},
                                       {"front", "front"},
                                       {"from_z", "from_z"},
                                       {"depth", "depth"},
                                       {"filter_depth", "filter_depth"},
                                       {"outputs_z", "OUT_DEPTH"},
                                       {"tile_depth", "tile_depth"}};

/// From the loosest to the tightest.
const std::vector<std::vector<std::string>> LEVELS = {
    {"||"}, {"&&"}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}};

int level_of(const std::string& operation) {
    for (size_t level = 0; level < LEVELS.size(); level++)
        if (std::ranges::find(LEVELS[level], operation) != LEVELS[level].end()) return int(level);
    return int(LEVELS.size());
}

pointer number(int64_t value) {
    return std::make_shared<node>(node{"", nullptr, nullptr, value, VARIABLES});
}
pointer named(variable name) {
    return std::make_shared<node>(node{"", nullptr, nullptr, 0, name});
}
pointer combined(const std::string& operation, pointer left, pointer right) {
    return std::make_shared<node>(node{operation, std::move(left), std::move(right), 0, VARIABLES});
}

class reader {
public:
    explicit reader(std::string_view text) : text_(text) {}

    pointer whole() {
        pointer all = level(0);
        skip();
        if (at_ != text_.size()) throw std::logic_error("a formula: " + std::string(text_));
        return all;
    }

private:
    void skip() {
        while (at_ < text_.size() && text_[at_] == ' ')
            at_++;
    }
    bool take(std::string_view word) {
        skip();
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    pointer level(size_t which) {
        if (which == LEVELS.size()) return operand();
        pointer all = level(which + 1);
        for (bool more = true; more;) {
            more = false;
            for (const std::string& operation : LEVELS[which]) {
                if (!take(operation)) continue;
                all = combined(operation, all, level(which + 1));
                more = true;
                break;
            }
        }
        return all;
    }

    pointer operand() {
        if (take("(")) {
            pointer inner = level(0);
            if (!take(")")) throw std::logic_error("a formula: " + std::string(text_));
            return inner;
        }
        skip();
        const size_t begin = at_;
        while (at_ < text_.size() && (std::isalnum((unsigned char)text_[at_]) || text_[at_] == '_'))
            at_++;
        const std::string word(text_.substr(begin, at_ - begin));
        if (!word.empty() && std::isdigit((unsigned char)word[0])) return number(std::stoll(word));
        for (int k = 0; k < VARIABLES; k++)
            if (word == NAMES[k].written) return named(variable(k));
        throw std::logic_error("a formula: " + std::string(text_));
    }

    std::string_view text_;
    size_t at_ = 0;
};

std::string text_of(const node& one, int outer = 0) {
    if (one.operation.empty())
        return one.name == VARIABLES ? std::to_string(one.number) : NAMES[one.name].shown;
    const int own = level_of(one.operation);
    const std::string text =
        text_of(*one.left, own) + " " + one.operation + " " + text_of(*one.right, own + 1);
    return own < outer ? "(" + text + ")" : text;
}

/// What stands in the place of an operation: its operands, and the other operators that C would take there.
std::vector<pointer> instead_of(const node& one) {
    const int level = level_of(one.operation);
    const bool compares = level_of("<") == level, is_product = level_of("*") == level;
    std::vector<pointer> others;
    if (compares) {
        others = {number(1), number(0),
                  combined(one.operation, one.left, combined("-", one.right, number(1))),
                  combined(one.operation, one.left, combined("+", one.right, number(1)))};
    } else {
        others = {one.left, one.right};
    }
    for (const std::string& other : LEVELS[size_t(level)])
        if (other != one.operation) others.push_back(combined(other, one.left, one.right));
    if (one.operation == "&&") others.push_back(combined("||", one.left, one.right));
    if (one.operation == "||") others.push_back(combined("&&", one.left, one.right));
    if (is_product) others.push_back(combined("+", one.left, one.right));
    if (one.operation == "+") others.push_back(combined("*", one.left, one.right));
    return others;
}

/// True if a name of the third direction stands in it.
bool has_third(const node& one) {
    if (one.operation.empty()) return one.name >= Z && one.name < VARIABLES;
    return has_third(*one.left) || has_third(*one.right);
}

/// What stands for the same in the other directions.
std::vector<pointer> in_other_directions(variable name, bool volume) {
    if (name >= Z) {
        const variable pair = PAIR_OF[name - Z];
        return {named(pair), named(variable(pair + 1))};
    }
    std::vector<pointer> others = {named(variable(name ^ 1))};
    const auto third = std::ranges::find(PAIR_OF, variable(name & ~1));
    if (volume && third != std::end(PAIR_OF)) others.push_back(named(variable(Z + (third - PAIR_OF))));
    return others;
}

std::vector<pointer> changes_of(const pointer& one, bool volume) {
    if (one->operation.empty()) {
        if (one->name == VARIABLES) return {number(one->number + 1), number(one->number - 1)};
        if (one->name == PITCH) return {named(TILE_HEIGHT), named(OUTPUTS_X)};
        if (one->name == NUMBER) return {};
        std::vector<pointer> others = in_other_directions(one->name, volume);
        // Threads and blocks have the same members.
        if (one->name == THREAD_X || one->name == THREAD_Y || one->name == BLOCK_X || one->name == BLOCK_Y)
            others.push_back(named(variable(one->name <= THREAD_Y ? one->name + 2 : one->name - 2)));
        return others;
    }
    std::vector<pointer> changed = instead_of(*one);
    for (const pointer& left : changes_of(one->left, volume))
        changed.push_back(combined(one->operation, left, one->right));
    for (const pointer& right : changes_of(one->right, volume))
        changed.push_back(combined(one->operation, one->left, right));
    return changed;
}

/// a && b && c with an || in one place, which holds together what stands on either side of it.
void split_chain(const pointer& root, std::vector<pointer>& changed) {
    std::vector<pointer> links;
    for (pointer rest = root;; rest = rest->left) {
        const bool goes_on = rest->operation == "&&";
        links.insert(links.begin(), goes_on ? rest->right : rest);
        if (!goes_on) break;
    }
    const auto joined = [&](size_t begin, size_t end) {
        pointer all = links[begin];
        for (size_t k = begin + 1; k < end; k++)
            all = combined("&&", all, links[k]);
        return all;
    };
    for (size_t k = 1; k < links.size(); k++)
        changed.push_back(combined("||", joined(0, k), joined(k, links.size())));
}

}  // namespace

formula::formula(std::shared_ptr<const node> root) : root_(std::move(root)), text_(text_of(*root_)) {
    write_steps(*root_, steps_);
}

formula::formula(std::string_view text) : formula(reader(text).whole()) {}

void formula::write_steps(const node& one, std::vector<step>& steps) {
    if (one.operation.empty()) {
        steps.push_back(one.name == VARIABLES ? step{'n', one.number} : step{'v', one.name});
        return;
    }
    write_steps(*one.left, steps);
    write_steps(*one.right, steps);
    const bool or_equal = one.operation == "<=" || one.operation == ">=";
    steps.push_back({or_equal ? (one.operation[0] == '<' ? 'l' : 'g') : one.operation[0], 0});
}

int64_t formula::of(const variables& values) const {
    int64_t stack[MOST_OPERANDS];
    int64_t* top = stack - 1;
    for (const step& one : steps_) {
        if (one.operation == 'n' || one.operation == 'v') {
            *++top = one.operation == 'n' ? one.operand : values[size_t(one.operand)];
            continue;
        }
        const int64_t b = *top--;
        int64_t& a = *top;
        switch (one.operation) {
            case '+':
                a += b;
                break;
            case '-':
                a -= b;
                break;
            case '*':
                a = times(a, b);
                break;
            case '/':
                a = b == 0 ? FAR_AWAY : a / b;
                break;
            case '%':
                a = b == 0 ? FAR_AWAY : a % b;
                break;
            case '<':
                a = a < b;
                break;
            case 'l':
                a = a <= b;
                break;
            case '>':
                a = a > b;
                break;
            case 'g':
                a = a >= b;
                break;
            case '&':
                a = a && b;
                break;
            default:
                a = a || b;
        }
    }
    return *top;
}

std::vector<formula> formula::with_one_change() const {
    std::vector<pointer> changed = changes_of(root_, has_third(*root_));
    split_chain(root_, changed);
    if (level_of(root_->operation) > level_of("<")) {
        changed.push_back(combined("+", root_, number(1)));
        changed.push_back(combined("-", root_, number(1)));
    }
    std::set<std::string> told = {text_};
    std::vector<formula> formulas;
    for (pointer& one : changed) {
        formula made(std::move(one));
        if (told.insert(made.text_).second) formulas.push_back(std::move(made));
    }
    return formulas;
}

}  // namespace check
