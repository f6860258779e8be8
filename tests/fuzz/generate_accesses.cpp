// Indices, conditions, loads, stores, atomics.
#include <algorithm>

#include "generator.h"

namespace fuzz {

using std::to_string;

expr generator::own_index(const scope& where) {
    expr index = global_thread();
    switch (random.below(6)) {
        case 0:
            index = binary("-", literal(grid_threads - 1), std::move(index));
            break;
        case 1:
            index = binary("*", std::move(index), random.one_of({2, 3}));
            break;
        case 2:
            index = binary("+", std::move(index), random.below(5));
            break;
        case 3:
            index = binary("+", binary("*", number(slot_b), block_threads),
                           binary("-", literal(block_threads - 1), thread()));
            break;
        default:
            break;
    }
    int64_t size = 3 * grid_threads + 8;
    for (const scope::turn& one : where.turns) {
        index = binary("+", std::move(index), binary("*", number(one.slot), size));
        size *= one.limit;
    }
    return index;
}

expr generator::any_index(const scope& where, bool may_follow_data) {
    const int c = random.below(4);
    expr index;
    switch (random.below(may_follow_data ? 10 : 9)) {
        case 0:
            index = binary("*", global_thread(), random.one_of({2, 3, 5}));
            break;
        case 1:
            index = binary("-", literal(grid_threads - 1 + c), global_thread());
            break;
        case 2:
            index = binary("/", global_thread(), random.one_of({2, 4}));
            break;
        case 3:
            index = binary("%", thread(), random.one_of({2, 3, 8, 16}));
            break;
        case 4:
            index = number(slot_b);
            use("broadcast");
            break;
        case 5:
            index = binary("^", thread(), random.one_of({1, 5, 8}));
            break;
        case 6:
            index = binary("+", binary("*", number(slot_gy), grid_width + c), number(slot_gx));
            use("row and column");
            break;
        case 7:
            index = binary("+", binary("*", number(slot_gx), grid_height), number(slot_gy));
            use("column and row");
            break;
        case 8:
            index = binary("+", global_thread(), c);
            break;
        default:
            index = converted(binary("%", accumulated(), random.one_of({7, 13, 40})), INT);
            use("index from data");
    }
    for (const scope::turn& one : where.turns)
        index = binary("+", std::move(index), binary("*", number(one.slot), random.one_of({1, 2, 32, 33})));
    return index;
}

expr generator::condition() {
    switch (random.below(6)) {
        case 0:
            return test("<", thread(), 1 + random.below(block_threads));
        case 1:
            return test("==", binary("%", thread(), random.one_of({2, 3, 4})), 1);
        case 2:
            return test("!=", binary("&", accumulated(), 1 << random.below(6)), 0);
        case 3:
            return test(">", binary("%", accumulated(), 10), random.below(9));
        case 4:
            return test(">=", binary("&", thread(), 31), random.below(32));
        default:
            return test("==", binary("&", number(slot_g), random.one_of({1, 2, 4})), 0);
    }
}

generator::source generator::some_source(const scope& where, const type* element) {
    const int kind = random.below(100);
    space there = space::global;
    if (kind < 10 && element->is_scalar() && element->bytes == 4) there = space::constant;
    // A compiler knows how a variable is aligned and may move more of it at once than the type allows.
    if (kind >= 10 && kind < 20 && element->is_one_access()) there = space::device;
    const int id = new_array(there, element);
    if (there == space::constant) use("constant memory");
    if (there == space::device) use("device variable");
    array& made = it.arrays[id];
    if (there == space::global && random.chance(20)) {
        made.is_restricted = true;
        use("__restrict__");
    }
    return {at(id, any_index(where)), element};
}

void generator::load_scalar(statements& out, const scope& where) {
    source from = some_source(where, some_scalar());
    expr value = load(from.from, from.is);
    if (is_read_only(from.from) && random.chance(25)) {
        value.what = expr::cached_load;
        use("__ldg");
    }
    if (random.chance(15)) {
        expr chosen;
        chosen.what = expr::select;
        chosen.is = value.is;
        chosen.of = {condition(), value, literal(1, value.is)};
        if (value.is->bytes >= 4) value = chosen, use("conditional load");
    }
    out.push_back(mix(std::move(value)));
    use("load");
}

void generator::load_aggregate(statements& out, const scope& where) {
    source from = some_source(where, some_aggregate());
    if (random.chance(25)) {
        from.from.member = random.below(int(from.is->members.size()));
        out.push_back(mix(load(from.from, scalar_type(from.is->members[from.from.member].type))));
        use("member load");
        return;
    }
    expr value = load(from.from, from.is);
    if (!from.is->is_own && from.is->members.size() != 3 && is_read_only(from.from) && random.chance(20)) {
        value.what = expr::cached_load;
        use("__ldg of a vector");
    }
    const int slot = new_local(from.is, "v");
    out.push_back(declare(slot, std::move(value)));
    out.push_back(mix(sum_of(slot, from.is)));
    use("aggregate load");
}

void generator::load_cast(statements& out, const scope& where) {
    const scalar of = random.one_of({scalar::f32, scalar::i32, scalar::u8});
    const type* wide = vector_type(of, random.one_of({2, 4}));
    source from = some_source(where, scalar_type(of));
    if (it.arrays[from.from.array].where == space::constant) it.arrays[from.from.array].where = space::device;
    from.from.as = wide;
    const int slot = new_local(wide, "v");
    out.push_back(declare(slot, load(from.from, wide)));
    out.push_back(mix(sum_of(slot, wide)));
    use("vector load by cast");
}

int generator::new_output(const type* element) {
    const int id =
        new_array(random.chance(12) && element->is_one_access() ? space::device : space::global, element);
    it.arrays[id].is_written = true;
    return id;
}

void generator::store_new(statements& out, const scope& where) {
    const type* element = some_element();
    place to = at(new_output(element), own_index(where));
    if (!element->is_scalar() && random.chance(20)) {
        to.member = random.below(int(element->members.size()));
        out.push_back(store(to, narrowed(accumulated(), scalar_type(element->members[to.member].type))));
        use("member store");
        return;
    }
    expr value = made_of(accumulated(), element);
    if (value.what == expr::make && random.chance(30)) {
        value.op = "{}";
        use("store of braces");
    }
    out.push_back(store(to, std::move(value)));
    use(element->is_scalar() ? "store" : "aggregate store");
}

void generator::update(statements& out, const scope& where) {
    const type* element = scalar_type(random.one_of({scalar::i32, scalar::u32, scalar::f32, scalar::u8}));
    place to = at(new_output(element), own_index(where));
    const bool is_unsigned = element == UNSIGNED;
    expr by = is_unsigned ? accumulated() : narrowed(binary("&", accumulated(), 15), element);
    out.push_back(store(to, by, "+="));
    use("read and write");
}

void generator::copy(statements& out, const scope& where) {
    const type* element = some_aggregate();
    source from = some_source(where, element);
    place to = at(new_output(element), own_index(where));
    // How a compiler moves a struct with padding or of many members is its own affair.
    const bool is_decided = !element->has_padding();
    it.arrays[to.array].is_compared = it.arrays[from.from.array].is_compared = is_decided;
    out.push_back(store(to, load(from.from, element)));
    use("aggregate copy");
}

void generator::add_atomically(statements& out, const scope& where) {
    const type* element = scalar_type(random.one_of({scalar::i32, scalar::u32, scalar::u32, scalar::f32}));
    const bool is_float = element->members[0].type == scalar::f32;
    place to = at(new_output(element), any_index(where));
    stmt made;
    made.what = stmt::atomic;
    made.op = is_float ? "Add" : random.one_of<const char*>({"Add", "Max", "Min", "Or", "Xor"});
    made.target = to;
    made.value = {narrowed(binary("&", accumulated(), is_float ? 15 : 255), element)};
    out.push_back(made);
    use(std::string("atomic") + made.op);
}

}  // namespace fuzz
