// Element types, arrays, locals, numbers of other types.
#include <algorithm>

#include "generator.h"

namespace fuzz {

using std::to_string;

static constexpr scalar ALL[] = {scalar::i32, scalar::f32, scalar::u32, scalar::f32, scalar::i32,
                                 scalar::i8,  scalar::u8,  scalar::i16, scalar::u16, scalar::f64};

const type* generator::some_scalar() {
    return scalar_type(ALL[random.below(std::size(ALL))]);
}

const type* generator::some_aggregate() {
    if (random.chance(55)) {
        scalar of = ALL[random.below(std::size(ALL))];
        const int members = of == scalar::f64 ? 2 : random.one_of({2, 2, 3, 4, 4, 4});
        const type* made = vector_type(of, members);
        use(made->name);
        return made;
    }
    return some_struct();
}

const type* generator::some_struct() {
    if (!it.structs.empty() && random.chance(40)) {
        const type* known = it.structs[random.below(int(it.structs.size()))].get();
        use("own struct");
        return known;
    }
    using enum scalar;
    static const std::vector<std::pair<std::vector<scalar>, int>> SHAPES = {
        {{f32, f32, f32}, 0},
        {{i32, f32}, 0},
        {{f32, f32, f32, f32, f32}, 0},
        {{f32, f32}, 8},
        {{i32, i32, i32, i32}, 16},
        {{u16, u16}, 4},
        {{f64, i32}, 0},
        {{i8, i32}, 0},
        {{i16, i16, i16}, 0},
        {{u8, u8, u8, u8}, 4},
        {{u8, u8, u8, u8, u8}, 0},
        {{i32, u8}, 0},
        {{f64, f64}, 16},
        {{f32, f32, f32, f32}, 16},
        {{i32, f32, u32, f32, i32, f32}, 0},
    };
    const auto& [members, align] = SHAPES[random.below(int(SHAPES.size()))];
    const std::string name = "s" + to_string(it.index) + "_" + to_string(it.structs.size());
    it.structs.push_back(std::make_shared<type>(made_struct(name, members, align)));
    const type& made = *it.structs.back();
    use(made.is_one_access() ? "aligned struct"
        : made.has_padding() ? "struct with padding"
                             : "unaligned struct");
    if (made.bytes > 16) use("struct above 16 bytes");
    return &made;
}

int generator::new_array(space where, const type* element, int count) {
    array made;
    made.id = int(it.arrays.size());
    made.where = where;
    made.element = element;
    made.count = count;
    made.kernel = kernel;
    const std::string number = to_string(made.id);
    const char* const before = where == space::global     ? "a"
                               : where == space::device   ? "g"
                               : where == space::constant ? "c"
                                                          : "s_";
    made.name = where == space::global ? before + number : before + to_string(it.index) + "_" + number;
    it.arrays.push_back(made);
    if (where == space::global) it.launches.back().arrays.push_back(made.id);
    use(element->is_scalar() ? element->name : element->is_own ? "own struct" : "vector");
    return made.id;
}

int generator::new_local(const type* is, const std::string& prefix, bool is_const) {
    local made;
    made.is = is;
    made.is_const = is_const;
    made.name = prefix + to_string(now().locals.size());
    now().locals.push_back(made);
    return int(now().locals.size()) - 1;
}

stmt generator::mix(expr value) {
    const int factor = random.one_of({3, 5, 7, 9, 31});
    return assign(acc, binary("+", binary("*", accumulated(), factor), bits(std::move(value))));
}

expr generator::bits(expr value) {
    if (is_float(value.is->members[0].type)) value = converted(std::move(value), INT);
    return converted(std::move(value), UNSIGNED);
}

expr generator::sum_of(int slot, const type* is) {
    if (is->is_scalar()) return bits(of_local(slot, is));
    expr sum = bits(member_of(of_local(slot, is), 0));
    for (size_t m = 1; m < is->members.size(); m++)
        sum = binary("+", binary("*", std::move(sum), 3), bits(member_of(of_local(slot, is), int(m))));
    return sum;
}

expr generator::narrowed(expr from, const type* to) {
    if (is_float(to->members[0].type)) from = converted(binary("&", std::move(from), 1023), INT);
    return converted(std::move(from), to);
}

expr generator::made_of(expr from, const type* to) {
    if (to->is_scalar()) return narrowed(std::move(from), to);
    expr made;
    made.what = expr::make;
    made.is = to;
    if (random.chance(40)) made.op = "type{}";
    for (const member& one : to->members) {
        const type* part = scalar_type(one.type);
        made.of.push_back(narrowed(
            binary("+", binary(">>", from, int64_t(made.of.size())), 1 + int64_t(made.of.size())), part));
    }
    return made;
}

}  // namespace fuzz
