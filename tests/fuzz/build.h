// Short words for trees.
#pragma once
#include <utility>

#include "program.h"

namespace fuzz {

inline const type* const INT = scalar_type(scalar::i32);
inline const type* const UNSIGNED = scalar_type(scalar::u32);

inline expr literal(int64_t value, const type* is = INT) {
    expr made;
    made.what = expr::literal;
    made.value = value;
    made.is = is;
    return made;
}
inline expr of_local(int slot, const type* is) {
    expr made;
    made.what = expr::local;
    made.slot = slot;
    made.is = is;
    return made;
}
inline expr binary(std::string op, expr a, expr b) {
    expr made;
    made.what = expr::binary;
    made.is = a.is;
    made.op = std::move(op);
    made.of = {std::move(a), std::move(b)};
    return made;
}
inline expr binary(std::string op, expr a, int64_t b) {
    const type* is = a.is;
    return binary(std::move(op), std::move(a), literal(b, is));
}
/// A comparison.
inline expr test(std::string op, expr a, int64_t b) {
    expr made = binary(std::move(op), std::move(a), b);
    made.is = INT;
    return made;
}
inline expr converted(expr what, const type* to) {
    if (what.is == to) return what;
    expr made;
    made.what = expr::convert;
    made.is = to;
    made.of = {std::move(what)};
    return made;
}
inline expr member_of(expr what, int member) {
    expr made;
    made.what = expr::member_of;
    made.is = scalar_type(what.is->members[member].type);
    made.value = member;
    made.of = {std::move(what)};
    return made;
}
inline place at(int array, expr index) {
    place made;
    made.array = array;
    made.index = {std::move(index)};
    return made;
}
inline place through(int slot, expr index) {
    place made;
    made.slot = slot;
    made.index = {std::move(index)};
    return made;
}
inline expr load(place from, const type* is) {
    expr made;
    made.what = expr::load;
    made.is = is;
    made.from = std::move(from);
    return made;
}
inline expr bind(place to, const type* is, bool is_pointer) {
    expr made;
    made.what = expr::bind;
    made.is = is;
    made.op = is_pointer ? "*" : "&";
    made.from = std::move(to);
    return made;
}
inline expr call(int callee, const type* result, std::vector<expr> arguments) {
    expr made;
    made.what = expr::call;
    made.is = result;
    made.callee = callee;
    made.of = std::move(arguments);
    return made;
}

inline stmt declare(int slot) {
    stmt made;
    made.what = stmt::declare;
    made.slot = slot;
    return made;
}
inline stmt declare(int slot, expr value) {
    stmt made = declare(slot);
    made.value = {std::move(value)};
    return made;
}
inline stmt assign(int slot, expr value) {
    stmt made;
    made.what = stmt::assign;
    made.slot = slot;
    made.value = {std::move(value)};
    return made;
}
inline stmt store(place target, expr value, std::string op = "=") {
    stmt made;
    made.what = stmt::store;
    made.op = std::move(op);
    made.target = std::move(target);
    made.value = {std::move(value)};
    return made;
}
inline stmt branch(expr condition, std::vector<stmt> body, std::vector<stmt> other = {}) {
    stmt made;
    made.what = stmt::branch;
    made.value = {std::move(condition)};
    made.body = std::move(body);
    made.other = std::move(other);
    return made;
}
inline stmt loop(int slot, expr from, expr to, expr step, std::vector<stmt> body) {
    stmt made;
    made.what = stmt::loop;
    made.slot = slot;
    made.value = {std::move(from), std::move(to), std::move(step)};
    made.body = std::move(body);
    return made;
}
inline stmt plain(stmt::kind what) {
    stmt made;
    made.what = what;
    return made;
}
inline stmt give(expr value) {
    stmt made = plain(stmt::give);
    made.value = {std::move(value)};
    return made;
}

}  // namespace fuzz
