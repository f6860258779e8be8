#include "generate.h"

#include <algorithm>

#include "generator.h"
#include "model.h"
#include "plant.h"

namespace fuzz {

using std::to_string;

program generator::make() {
    const int kernels = random.one_of({1, 1, 1, 2, 2, 3});
    use(kernels > 1 ? "several kernels" : "one kernel");
    for (int k = 0; k < kernels; k++)
        make_kernel(k);
    return it;
}

void generator::append(statements& to, statements more) {
    to.insert(to.end(), more.begin(), more.end());
}

statements generator::some_statements(const scope& where, int count) {
    statements out;
    for (int k = 0; k < count; k++)
        statement(out, where);
    return out;
}

void generator::statement(statements& out, const scope& where) {
    const int kind = random.below(100);
    const bool may_nest = where.depth < 3;
    if (kind < 18) return load_scalar(out, where);
    if (kind < 28) return load_aggregate(out, where);
    if (kind < 31) return load_cast(out, where);
    if (kind < 37) return store_new(out, where);
    if (kind < 40) return update(out, where);
    if (kind < 43) return copy(out, where);
    if (kind < 47) return add_atomically(out, where);
    if (kind < 59) return call_helper(out, where);
    if (kind < 67 && may_nest) return choose(out, where);
    if (kind < 77 && may_nest) return go_round(out, where);
    if (kind < 80 && may_nest) return select_case(out, where);
    if (kind < 82) return use_list(out);
    if (kind < 98 && where.is_uniform && !returns_early) return exchange(out, where);
    if (where.is_uniform && !returns_early && block_threads % 32 == 0) return shuffle(out);
    load_scalar(out, where);
}

int generator::number_parameter(int value) {
    // Parameters stand before all other locals: reserved when the kernel is begun.
    launch& run = it.launches.back();
    for (int k = 0; k < int(run.numbers.size()); k++) {
        if (run.numbers[k] == value) return first_number + k;
    }
    run.numbers[used_numbers] = value;
    return first_number + used_numbers++;
}

void generator::make_kernel(int index) {
    function top;
    top.what = function::kernel;
    top.name = "k" + to_string(it.index) + "_" + to_string(index);
    it.functions.push_back(top);
    kernel = current = int(it.functions.size()) - 1;
    launch run;
    run.kernel = kernel;
    run.block = random.one_of<shape>({{32},
                                      {64},
                                      {96},
                                      {20},
                                      {48},
                                      {33},
                                      {100},
                                      {7},
                                      {128},
                                      {1},
                                      {16, 2},
                                      {8, 8},
                                      {16, 16},
                                      {32, 2},
                                      {5, 7},
                                      {4, 4, 4},
                                      {8, 2, 3},
                                      {3, 3, 3},
                                      {2, 16, 2}});
    run.grid = random.one_of<shape>({{1}, {1}, {2}, {3}, {4}, {2, 2}, {1, 3}, {2, 1, 2}});
    use("block " + to_string(run.block.z > 1 ? 3 : run.block.y > 1 ? 2 : 1) + "D");
    use("grid " + to_string(run.grid.z > 1 ? 3 : run.grid.y > 1 ? 2 : 1) + "D");
    block = run.block;
    block_threads = block.count();
    grid_threads = block_threads * run.grid.count();
    grid_width = block.x * run.grid.x;
    grid_height = block.y * run.grid.y;
    if (block_threads % 32) use("partial warp");
    has_dynamic = false;
    used_numbers = 0;
    run.numbers.assign(NUMBERS, 0);
    it.launches.push_back(run);
    // Arrays become the first locals when their number is known; until then slots count from the numbers.
    first_number = 0;
    for (int k = 0; k < NUMBERS; k++)
        new_local(INT, "n");
    static const char* const BUILTINS[] = {"int(threadIdx.x)", "int(threadIdx.y)", "int(threadIdx.z)",
                                           "int(blockIdx.x)",  "int(blockIdx.y)",  "int(blockIdx.z)"};
    const int builtins = int(now().locals.size());
    for (const char* name : BUILTINS) {
        const int slot = new_local(INT, "");
        now().locals[slot].name = name;
    }
    const auto builtin = [&](int k) { return number(builtins + k); };
    statements body;
    const auto named = [&](const char* name, expr value) {
        const int slot = new_local(INT, "");
        now().locals[slot].name = name;
        body.push_back(declare(slot, std::move(value)));
        return slot;
    };
    expr linear = builtin(0), linear_block = builtin(3);
    if (block.y > 1 || block.z > 1) linear = binary("+", binary("*", builtin(1), block.x), std::move(linear));
    if (block.z > 1) linear = binary("+", binary("*", builtin(2), block.x * block.y), std::move(linear));
    if (run.grid.y > 1 || run.grid.z > 1)
        linear_block = binary("+", binary("*", builtin(4), run.grid.x), std::move(linear_block));
    if (run.grid.z > 1)
        linear_block = binary("+", binary("*", builtin(5), run.grid.x * run.grid.y), std::move(linear_block));
    slot_t = named("t", linear);
    slot_b = named("b", linear_block);
    slot_g = named("g", binary("+", binary("*", number(slot_b), block_threads), thread()));
    slot_gx = named("x", binary("+", binary("*", builtin(3), block.x), builtin(0)));
    slot_gy = named("y", binary("+", binary("*", builtin(4), block.y), builtin(1)));
    acc = new_local(UNSIGNED, "", false);
    now().locals[acc].name = "acc";
    body.push_back(declare(acc, binary("+", binary("*", converted(global_thread(), UNSIGNED), 2654435), 7)));
    returns_early = random.chance(25);
    if (returns_early) {
        const int n = number_parameter(1 + random.below(grid_threads));
        body.push_back(branch(binary(">=", global_thread(), number(n)), {plain(stmt::give)}));
        use("early return");
    }
    const int length = 2 + random.below(5);
    for (int k = 0; k < length; k++) {
        statement(body, {});
        if (returns_early && random.chance(20)) {
            stmt last = store(at(new_array_output(), own_index({})), accumulated());
            body.push_back(branch(condition(), {last, plain(stmt::give)}));
            use("early return");
        }
    }
    scope top_scope;
    body.push_back(store(at(new_array_output(), own_index(top_scope)), accumulated()));
    now().body = body;
    insert_array_slots(now(), int(it.launches.back().arrays.size()));
    it.launches.back().numbers.resize(used_numbers);
    drop_numbers(now(), int(it.launches.back().arrays.size()), used_numbers);
}

int generator::new_array_output() {
    const int id = new_array(space::global, UNSIGNED);
    it.arrays[id].is_written = true;
    return id;
}

void generator::shift_slots(std::vector<stmt>& list, const std::function<int(int)>& moved) {
    const std::function<void(expr&)> in_expr = [&](expr& one) {
        if (one.slot >= 0) one.slot = moved(one.slot);
        if (one.from.slot >= 0) one.from.slot = moved(one.from.slot);
        for (expr& part : one.from.index)
            in_expr(part);
        for (expr& part : one.of)
            in_expr(part);
    };
    for (stmt& one : list) {
        if (one.slot >= 0) one.slot = moved(one.slot);
        if (one.target.slot >= 0) one.target.slot = moved(one.target.slot);
        for (expr& part : one.target.index)
            in_expr(part);
        for (expr& part : one.value)
            in_expr(part);
        shift_slots(one.body, moved);
        shift_slots(one.other, moved);
        for (auto& part : one.cases)
            shift_slots(part, moved);
    }
}

void generator::insert_array_slots(function& what, int arrays) {
    shift_slots(what.body, [&](int slot) { return slot + arrays; });
    local pointer;
    pointer.how = local::pointer;
    pointer.is = INT;
    pointer.name = "unnamed";
    what.locals.insert(what.locals.begin(), arrays, pointer);
}

void generator::drop_numbers(function& what, int arrays, int used) {
    const int dropped = NUMBERS - used, first = arrays + used;
    shift_slots(what.body, [&](int slot) { return slot >= first ? slot - dropped : slot; });
    what.locals.erase(what.locals.begin() + first, what.locals.begin() + first + dropped);
    what.parameters = arrays + used;
}

namespace {

/// Ends every array of global memory where the program's last use is, or a little behind.
bool set_sizes(program& it, random_numbers& random) {
    const outcome seen = run(it, true);
    if (!seen.refused.empty()) return false;
    for (array& one : it.arrays) {
        if (one.where == space::shared || one.where == space::dynamic) continue;
        const auto place = seen.touched.find(one.id);
        one.count =
            place == seen.touched.end() ? 1 : place->second.second + 1 + random.one_of({0, 0, 0, 1, 7});
    }
    return true;
}

}  // namespace

program generate(unsigned seed, int index, wish what) {
    for (unsigned attempt = 0;; attempt++) {
        random_numbers random(seed * 977u + attempt * 31337u + 5);
        program it = generator(seed * 1000003u + attempt * 7u, index).make();
        it.seed = seed;
        if (!set_sizes(it, random)) continue;
        const outcome seen = run(it, false);
        if (!seen.refused.empty() || !seen.faults.empty()) continue;
        if (what == wish::right || random.chance(45)) return it;
        for (int k = 0; k < 8; k++) {
            program faulty = it;
            if (plant(faulty, random)) return faulty;
        }
    }
}

}  // namespace fuzz
