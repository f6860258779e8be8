// What the names in a function's brackets stand for.
#include "simt/rewrite/own_elements.h"

#include "simt/rewrite/operands.h"

namespace rewrite {

own_elements::own_elements(const source& file, const function& f) : file_(file) {
    const size_t end = file.partner(f.body);
    bool has_rows = false;
    for (size_t i = f.body; i != NONE && i < end; i = file.next(i)) {
        has_rows |= file.is(i, "threadIdx") && file.is(file.next(file.next(i)), "y");
        if (file.is(i, "if")) note_condition(i);
        if (!file.is_identifier(i)) continue;
        const size_t before = file.previous(i), after = file.next(i);
        const bool is_made = file.is_identifier(before) && !file.is(before, "else") && !file.is(before, "do");
        if (is_made && file.is(after, "=") && is_lane(file.next(after), end))
            lanes_.insert(file.text(i));
        else if (file.is(after, "=") || is_updated(file, i, after))
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

bool own_elements::is_lane_name(const std::string& name) const {
    return name == "threadIdx.x" || lanes_.count(name) > 0;
}

/// if (t == 0), if (!t) and if (t == 0 && ...)
void own_elements::note_condition(size_t i) {
    const size_t open = file_.next(i), close = file_.partner(open), first = file_.next(open);
    if (!file_.is(open, "(") || close == NONE) return;
    const size_t body = file_.next(close), end = end_of_controlled(file_, i);
    for (size_t k = open; k != NONE && k < close; k = file_.next(k))
        if (is_twice(file_, k, "|")) return;
    if (file_.is(first, "!")) {
        const size_t name = file_.next(first), last = is_thread(name) ? file_.next(file_.next(name)) : name;
        conditions_.push_back({body, end, file_.join(name, last), "0"});
    }
    for (size_t k = open; k != NONE && k < close; k = file_.next(k)) {
        if (!file_.is(k, "==")) continue;
        const size_t last = file_.previous(k), scope = file_.previous(file_.previous(last));
        const std::string name = file_.join(is_thread(scope) ? scope : last, last);
        conditions_.push_back({body, end, name, file_.text(file_.next(k))});
    }
}

std::string own_elements::element(size_t name, size_t last) const {
    if (lanes_.empty() || !file_.is(last, "]")) return "";
    const size_t first = file_.next(file_.partner(last));
    if (file_.next(first) == last) {
        for (const condition& one : conditions_) {
            const bool holds = one.begin <= name && name < one.end && file_.is(first, one.value);
            if (holds && is_lane_name(one.name)) return one.name;
        }
    }
    static const std::set<std::string_view> others = {"(", "*", "/", "%", "^", "&", "|", "?", "[", "<", ">"};
    int lanes = 0;
    for (size_t i = first; i != last; i = file_.next(i)) {
        const bool is_member = file_.is(file_.previous(i), ".");
        if (others.count(file_.text(i)) > 0 || (!is_member && changing_.count(file_.text(i)) > 0)) return "";
        lanes += lanes_.count(file_.text(i)) > 0;
    }
    return lanes == 1 ? file_.join(first, file_.previous(last)) : "";
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
