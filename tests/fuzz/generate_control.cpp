// Branches, loops, shuffles, local arrays.
#include <algorithm>

#include "generator.h"

namespace fuzz {

using std::to_string;

void generator::choose(statements& out, const scope& where) {
    scope inner = where;
    inner.is_uniform = false;
    inner.depth++;
    statements yes = some_statements(inner, 1 + random.below(2)), no;
    if (random.chance(45)) no = some_statements(inner, 1 + random.below(2));
    use(no.empty() ? "if" : "if else");
    out.push_back(branch(condition(), yes, no));
}

void generator::go_round(statements& out, const scope& where) {
    scope inner = where;
    inner.depth++;
    const int slot = new_local(INT, "k", false);
    const int limit = 2 + random.below(4);
    expr bound;
    if (where.is_uniform && random.chance(50)) {
        bound = number(number_parameter(limit));
        use("uniform loop");
    } else {
        const int end = new_local(INT, "n");
        expr count = random.chance(50) ? binary("%", thread(), limit + 1)
                                       : converted(binary("%", accumulated(), limit + 1), INT);
        out.push_back(declare(end, count));
        bound = number(end);
        inner.is_uniform = false;
        use("divergent loop");
    }
    inner.turns.push_back({slot, limit});
    statements body;
    if (!inner.is_uniform || random.chance(50)) {
        if (random.chance(25)) {
            inner.is_uniform = false;
            body.push_back(branch(condition(), {plain(stmt::next)}));
            use("continue");
        }
        append(body, some_statements(inner, 1 + random.below(3)));
        if (random.chance(25) && !has_barrier(body)) {
            scope after = inner;
            after.is_uniform = false;
            body.push_back(branch(condition(), {plain(stmt::leave)}));
            append(body, some_statements(after, 1));
            use("break");
        }
    } else {
        exchange(body, inner);
    }
    out.push_back(loop(slot, literal(0), bound, literal(1), body));
    if (!where.turns.empty()) use("nested loop");
}

void generator::select_case(statements& out, const scope& where) {
    scope inner = where;
    inner.is_uniform = false;
    inner.depth++;
    stmt made = plain(stmt::choice);
    const int cases = 3 + random.below(2);
    made.value = {random.chance(50) ? binary("%", thread(), cases)
                                    : converted(binary("%", accumulated(), cases), INT)};
    for (int k = 0; k < cases; k++) {
        made.cases.push_back(some_statements(inner, 1));
        made.falls.push_back(random.chance(20));
    }
    use("switch");
    out.push_back(made);
}

void generator::shuffle(statements& out) {
    expr value;
    value.what = expr::shuffle;
    value.is = UNSIGNED;
    value.op = random.one_of<const char*>({"xor", "down", "up", ""});
    value.value = 1 + random.below(30);
    value.of = {accumulated()};
    out.push_back(mix(std::move(value)));
    use("shuffle");
}

void generator::use_list(statements& out) {
    const int slot = new_local(UNSIGNED, "l", false), count = 3 + random.below(4);
    now().locals[slot].how = local::list;
    now().locals[slot].count = count;
    out.push_back(declare(slot));
    for (int k = 0; k < count; k++) {
        stmt one = assign(slot, binary("+", accumulated(), 11 * k));
        one.element = k;
        out.push_back(one);
    }
    expr value;
    value.what = expr::element_of;
    value.is = UNSIGNED;
    value.slot = slot;
    value.of = {converted(binary("%", accumulated(), count), INT)};
    out.push_back(mix(std::move(value)));
    use("local array");
}

}  // namespace fuzz
