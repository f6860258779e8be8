// Helper functions, by value, by pointer, by reference.
#include <algorithm>

#include "generator.h"

namespace fuzz {

using std::to_string;

generator::begun generator::begin_helper(function::kind kind, const type* result) {
    const int outer = current, outer_acc = acc;
    static const char* const WORDS[] = {"", "plain", "forced", "kept", "recursive", "templated"};
    function made;
    made.what = kind;
    made.result = result;
    made.name = "f" + to_string(it.index) + "_" + to_string(it.functions.size());
    // Behind the kernel in the list, but the writer needs helpers first: it is moved before it at the end.
    it.functions.push_back(made);
    current = int(it.functions.size()) - 1;
    use(std::string("helper ") + WORDS[int(kind)]);
    return {current, outer, outer_acc};
}

void generator::end_helper(const begun& helper) {
    current = helper.outer;
    acc = helper.outer_acc;
}

int generator::parameter(const type* is, local::manner how, const char* name, bool is_const) {
    const int slot = new_local(is, name, is_const);
    now().locals[slot].how = how;
    now().parameters = slot + 1;
    return slot;
}

function::kind generator::some_kind() {
    return random.one_of({function::plain, function::forced, function::kept, function::kept});
}

void generator::call_helper(statements& out, const scope& where) {
    switch (random.below(9)) {
        case 0:
            return helper_of_values(out);
        case 1:
            return helper_with_pointer(out, where);
        case 2:
            return helper_of_aggregates(out, where);
        case 3:
            return helper_with_reference(out, where);
        case 4:
            return helper_that_writes(out, where);
        case 5:
            return helper_that_recurs(out, where);
        case 6:
            return helper_template(out, where);
        case 7:
            return helper_that_returns_aggregate(out, where);
        default:
            return helper_of_locals(out);
    }
}

void generator::helper_of_values(statements& out) {
    const begun helper = begin_helper(some_kind(), UNSIGNED);
    const int x = parameter(UNSIGNED, local::value, "x"), n = parameter(INT, local::value, "n");
    statements& body = now().body;
    body.push_back(branch(test("==", binary("&", of_local(x, UNSIGNED), 3), 1),
                          {give(binary("^", of_local(x, UNSIGNED), 99))}));
    acc = new_local(UNSIGNED, "sum", false);
    it.functions[current].body.push_back(declare(acc, of_local(x, UNSIGNED)));
    const int k = new_local(INT, "k", false);
    statements inside{mix(converted(number(k), UNSIGNED))};
    now().body.push_back(loop(k, literal(0), number(n), literal(1), inside));
    now().body.push_back(give(accumulated()));
    end_helper(helper);
    out.push_back(mix(call(helper.id, UNSIGNED, {accumulated(), binary("%", thread(), 3)})));
}

void generator::helper_with_pointer(statements& out, const scope& where) {
    const type* element = some_scalar();
    const begun helper = begin_helper(some_kind(), UNSIGNED);
    const int p = parameter(element, local::pointer, "p"), i = parameter(INT, local::value, "i"),
              n = parameter(INT, local::value, "n");
    acc = new_local(UNSIGNED, "sum", false);
    now().body.push_back(declare(acc, literal(7, UNSIGNED)));
    const int k = new_local(INT, "k", false);
    expr index = binary("+", number(i), binary("*", number(k), random.one_of({1, 3, 32})));
    statements inside{mix(load(through(p, index), element))};
    now().body.push_back(loop(k, literal(0), number(n), literal(1), inside));
    now().body.push_back(give(accumulated()));
    end_helper(helper);
    const source from = some_source(where, element);
    const place start = at(from.from.array, literal(0));
    expr count = random.chance(50) ? literal(1 + random.below(3)) : binary("%", thread(), 4);
    out.push_back(mix(call(helper.id, UNSIGNED, {pointer_to(from.from.array), from.from.index[0], count})));
    use("pointer argument");
}

expr generator::pointer_to(int id) {
    place start;
    start.array = id;
    return bind(start, it.arrays[id].element, false);
}

void generator::helper_of_aggregates(statements& out, const scope& where) {
    const type* element = some_aggregate();
    const begun helper = begin_helper(some_kind(), element);
    const int a = parameter(element, local::value, "a"), b = parameter(element, local::value, "b");
    expr made;
    made.what = expr::make;
    made.is = element;
    if (random.chance(40)) made.op = "type{}";
    for (size_t m = 0; m < element->members.size(); m++) {
        const type* part = scalar_type(element->members[m].type);
        const expr first = member_of(of_local(a, element), int(m)),
                   second = member_of(of_local(b, element), int(m));
        made.of.push_back(is_float(element->members[m].type)
                              ? binary("+", first, second)
                              : converted(binary("+", bits(first), bits(second)), part));
    }
    now().body.push_back(give(made));
    end_helper(helper);
    const source x = some_source(where, element), y = some_source(where, element);
    expr value = call(helper.id, element, {load(x.from, element), load(y.from, element)});
    if (random.chance(60)) {
        out.push_back(store(at(new_output(element), own_index(where)), std::move(value)));
        use("helper returns into memory");
    } else {
        take(out, std::move(value));
    }
    use("aggregates by value");
}

void generator::helper_with_reference(statements& out, const scope& where) {
    const type* element = some_element();
    const begun helper = begin_helper(some_kind(), UNSIGNED);
    const int r = parameter(element, local::reference, "r");
    const int v = new_local(element, "v");
    now().body.push_back(declare(v, of_local(r, element)));
    now().body.push_back(give(sum_of(v, element)));
    end_helper(helper);
    const source from = some_source(where, element);
    if (it.arrays[from.from.array].where == space::constant) it.arrays[from.from.array].where = space::device;
    out.push_back(mix(call(helper.id, UNSIGNED, {bind(from.from, element, false)})));
    use("reference to memory");
}

void generator::helper_that_writes(statements& out, const scope& where) {
    const type* element = some_element();
    const begun helper = begin_helper(some_kind(), nullptr);
    const int r = parameter(element, local::reference, "r", false),
              x = parameter(UNSIGNED, local::value, "x");
    place target;
    target.slot = r;
    now().body.push_back(store(target, made_of(of_local(x, UNSIGNED), element)));
    end_helper(helper);
    stmt made = plain(stmt::invoke);
    made.value = {call(helper.id, UNSIGNED,
                       {bind(at(new_output(element), own_index(where)), element, false), accumulated()})};
    out.push_back(made);
    use("store through a reference");
}

void generator::helper_that_recurs(statements& out, const scope& where) {
    const type* element = some_scalar();
    const begun helper = begin_helper(function::recursive, UNSIGNED);
    const int p = parameter(element, local::pointer, "p"), i = parameter(INT, local::value, "i"),
              n = parameter(INT, local::value, "n");
    now().body.push_back(branch(test("<=", number(n), 0), {give(literal(3, UNSIGNED))}));
    acc = new_local(UNSIGNED, "v", false);
    now().body.push_back(
        declare(acc, bits(load(through(p, binary("+", number(i), binary("*", number(n), 7))), element))));
    expr deeper = call(helper.id, UNSIGNED, {of_local(p, element), number(i), binary("-", number(n), 1)});
    now().body.push_back(give(binary("^", binary("*", std::move(deeper), 3), accumulated())));
    end_helper(helper);
    const source from = some_source(where, element);
    out.push_back(mix(call(helper.id, UNSIGNED,
                           {pointer_to(from.from.array), from.from.index[0], binary("%", thread(), 4)})));
}

void generator::helper_template(statements& out, const scope& where) {
    const type* element = some_scalar();
    const begun helper = begin_helper(function::templated, UNSIGNED);
    const int p = parameter(element, local::pointer, "p"), i = parameter(INT, local::value, "i");
    now().template_argument = 1 + random.below(4);
    expr by = literal(now().template_argument);
    by.op = "K";
    now().body.push_back(give(bits(load(through(p, binary("*", number(i), by)), element))));
    end_helper(helper);
    const source from = some_source(where, element);
    out.push_back(mix(call(helper.id, UNSIGNED, {pointer_to(from.from.array), from.from.index[0]})));
}

void generator::helper_that_returns_aggregate(statements& out, const scope& where) {
    const type* element = some_aggregate();
    const type* from_type = some_scalar();
    const begun helper = begin_helper(some_kind(), element);
    const int p = parameter(from_type, local::pointer, "p"), i = parameter(INT, local::value, "i");
    const int v = new_local(UNSIGNED, "v");
    now().body.push_back(declare(v, bits(load(through(p, number(i)), from_type))));
    now().body.push_back(give(made_of(of_local(v, UNSIGNED), element)));
    end_helper(helper);
    const source from = some_source(where, from_type);
    expr value = call(helper.id, element, {pointer_to(from.from.array), from.from.index[0]});
    if (random.chance(60)) {
        out.push_back(store(at(new_output(element), own_index(where)), std::move(value)));
        use("helper returns into memory");
    } else {
        take(out, std::move(value));
    }
}

void generator::helper_of_locals(statements& out) {
    const type* element = some_aggregate();
    const begun helper = begin_helper(some_kind(), nullptr);
    const int r = parameter(element, local::reference, "r", false),
              x = parameter(UNSIGNED, local::value, "x");
    place target;
    target.slot = r;
    target.member = random.below(int(element->members.size()));
    now().body.push_back(
        store(target, narrowed(of_local(x, UNSIGNED), scalar_type(element->members[target.member].type))));
    end_helper(helper);
    const int v = new_local(element, "v", false);
    out.push_back(declare(v, made_of(accumulated(), element)));
    place variable;
    variable.slot = v;
    stmt made = plain(stmt::invoke);
    made.value = {call(helper.id, UNSIGNED, {bind(variable, element, false), accumulated()})};
    out.push_back(made);
    out.push_back(mix(sum_of(v, element)));
    use("reference to a local");
}

}  // namespace fuzz
