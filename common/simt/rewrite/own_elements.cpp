// What the names in a function's brackets stand for.
#include "simt/rewrite/own_elements.h"

#include "simt/rewrite/operands.h"

namespace rewrite {

own_elements::own_elements(const source& file, const function& f) : file_(file) {
    const size_t end = file.partner(f.body);
    bool has_rows = false;
    for (size_t i = f.body; i != NONE && i < end; i = file.next(i)) {
        has_rows |= file.is(i, "threadIdx") && file.is(file.next(file.next(i)), "y");
        if (file.is(i, "if") || file.is(i, "for")) note_condition(i);
        if (!file.is_identifier(i)) continue;
        const size_t before = file.previous(i), after = file.next(i);
        const bool is_made = file.is_identifier(before) && !file.is(before, "else") && !file.is(before, "do");
        if (is_made && file.is(after, "=") && is_lane(file.next(after), end))
            lanes_.insert(file.text(i));
        else if (!goes_on_by_blocks(after) && (file.is(after, "=") || is_updated(file, i, after)))
            changing_.insert(file.text(i));
    }
    lanes_.insert("threadIdx");
    if (has_rows) lanes_.clear();
}

bool own_elements::is_thread(size_t i) const {
    return file_.is(i, "threadIdx") && file_.is(file_.next(file_.next(i)), "x");
}

/// True for threadIdx.x; and group.thread_rank();
bool own_elements::is_lane(size_t first, size_t end) const {
    size_t last = first;
    while (last < end && !file_.is(file_.next(last), ";") && !file_.is(file_.next(last), ","))
        last = file_.next(last);
    const std::string text = file_.join(first, last);
    return text == "threadIdx.x" || text.ends_with(".thread_rank()");
}

/// i += blockDim.x: no lane comes to what another one began with.
bool own_elements::goes_on_by_blocks(size_t sign) const {
    const size_t value = file_.is(sign, "+") ? file_.next(file_.next(sign)) : NONE;
    const size_t member = file_.next(file_.next(value)), end = file_.next(member);
    return file_.is(value, "blockDim") && file_.is(member, "x") && (file_.is(end, ")") || file_.is(end, ";"));
}

bool own_elements::is_lane_name(const std::string& name) const {
    return name == "threadIdx.x" || (lanes_.count(name) > 0 && changing_.count(name) == 0);
}

/// if (t == 0), if (!t), if (t == 0 && ...), if (t < n) and for (...; t < n; ...)
void own_elements::note_condition(size_t i) {
    size_t open = file_.next(i);
    const size_t close = file_.partner(open);
    if (!file_.is(open, "(") || close == NONE) return;
    const size_t body = file_.next(close), end = end_of_controlled(file_, i);
    while (file_.is(i, "for") && open < close && !file_.is(open, ";"))
        open = file_.next(open);
    const size_t first = file_.next(open);
    for (size_t k = open; k != NONE && k < close; k = file_.next(k))
        if (is_twice(file_, k, "|")) return;
    if (file_.is(first, "!")) {
        const size_t name = file_.next(first), last = is_thread(name) ? file_.next(file_.next(name)) : name;
        conditions_.push_back({body, end, file_.join(name, last), "0"});
    }
    for (size_t k = first; k != NONE && k < close && !file_.is(k, ";"); k = file_.next(k)) {
        const size_t last = file_.previous(k), scope = file_.previous(file_.previous(last)),
                     value = file_.next(k), after = file_.next(value);
        const bool ends = file_.is(after, ")") || file_.is(after, ";") || is_twice(file_, after, "&");
        if (!file_.is(k, "==") && !(file_.is(k, "<") && file_.is_identifier(value) && ends)) continue;
        const std::string name = file_.join(is_thread(scope) ? scope : last, last);
        (file_.is(k, "<") ? bounds_ : conditions_).push_back({body, end, name, file_.text(value)});
    }
}

/// x[t] and x[n + t] where t < n is known. Without a name for any other one.
own_element own_elements::bounded_element(size_t name, size_t first, size_t last) const {
    std::string text = file_.join(first, file_.previous(last));
    std::erase(text, ' ');
    for (auto one = bounds_.rbegin(); one != bounds_.rend(); one++) {
        if (name < one->begin || one->end < name || !is_lane_name(one->name)) continue;
        const std::string bound(one->value);
        const bool is_upper = text == bound + "+" + one->name || text == one->name + "+" + bound;
        if (is_upper || text == one->name) return {one->name, bound, is_upper};
    }
    return {};
}

own_element own_elements::element(size_t name, size_t last) const {
    if (lanes_.empty() || !file_.is(last, "]")) return {};
    const size_t first = file_.next(file_.partner(last));
    if (file_.next(first) == last) {
        for (const condition& one : conditions_) {
            const bool holds = one.begin <= name && name <= one.end && file_.is(first, one.value);
            if (holds && is_lane_name(one.name)) return {one.name};
        }
    }
    own_element bounded = bounded_element(name, first, last);
    if (!bounded.name.empty()) return bounded;
    static const std::set<std::string_view> others = {"(", "*", "/", "%", "^", "&", "|", "?", "[", "<", ">"};
    int lanes = 0;
    for (size_t i = first; i != last; i = file_.next(i)) {
        const bool is_member = file_.is(file_.previous(i), ".");
        if (others.count(file_.text(i)) > 0 || (!is_member && changing_.count(file_.text(i)) > 0)) return {};
        lanes += lanes_.count(file_.text(i)) > 0;
    }
    return {lanes == 1 ? file_.join(first, file_.previous(last)) : ""};
}

bool own_elements::is_part(size_t first) const {
    for (size_t i = first; i != NONE && !file_.is(i, ";"); i = file_.next(i)) {
        if (lanes_.count(file_.text(i)) == 0) continue;
        const size_t after = is_thread(i) ? file_.next(file_.next(file_.next(i))) : file_.next(i);
        if (file_.is(after, "*") || file_.is(file_.previous(i), "*")) return true;
    }
    return false;
}

}  // namespace rewrite
