// Shared memory: what a block's threads exchange.
#include <algorithm>

#include "generator.h"

namespace fuzz {

using std::to_string;

bool generator::has_barrier(const statements& list) {
    return std::any_of(list.begin(), list.end(), [&](const stmt& one) {
        return one.what == stmt::barrier || has_barrier(one.body) || has_barrier(one.other);
    });
}

int generator::new_tile(const type* element, int count) {
    const bool is_dynamic = !has_dynamic && random.chance(20);
    has_dynamic |= is_dynamic;
    use(is_dynamic ? "dynamic shared memory" : "static shared memory");
    const int id = new_array(is_dynamic ? space::dynamic : space::shared, element, count);
    return id;
}

void generator::exchange(statements& out, const scope& where) {
    switch (random.below(6)) {
        case 0:
            return stencil(out, where);
        case 1:
            return tile_2d(out, where);
        case 2:
            return filled_by_loop(out, where);
        case 3:
            return tree(out, where);
        case 4:
            return histogram(out);
        default:
            return permute(out, where);
    }
}

void generator::permute(statements& out, const scope&) {
    const type* element = some_element();
    const bool in_warp = random.chance(30);
    const int stride = in_warp ? 1 : random.one_of({1, 1, 1, 2, 3});
    const int tile = new_tile(element, block_threads * stride);
    expr to = binary("*", thread(), stride), from = binary("-", literal(block_threads - 1), thread());
    const int partner = random.one_of({1, 2, 3, 16});
    // A partner of the same warp must be a thread: whole warps only.
    const bool is_partner = in_warp && block_threads % 32 == 0;
    if (is_partner) from = binary("^", thread(), partner);
    if (!is_partner && random.chance(40))
        from = binary("%", binary("+", thread(), 1 + random.below(40)), block_threads);
    out.push_back(store(at(tile, stride == 1 ? thread() : to), made_of(accumulated(), element)));
    out.push_back(plain(is_partner ? stmt::warp_barrier : stmt::barrier));
    expr index = stride == 1 ? from : binary("*", from, stride);
    take(out, load(at(tile, index), element));
    out.push_back(plain(is_partner ? stmt::warp_barrier : stmt::barrier));
    use(is_partner ? "tile of a warp" : "shared tile");
}

void generator::take(statements& out, expr value) {
    const type* is = value.is;
    if (is->is_scalar()) {
        out.push_back(mix(std::move(value)));
        return;
    }
    const int slot = new_local(is, "v");
    out.push_back(declare(slot, std::move(value)));
    out.push_back(mix(sum_of(slot, is)));
}

void generator::stencil(statements& out, const scope&) {
    const type* element = some_scalar();
    const int radius = std::min(1 + random.below(3), block_threads);
    const int tile = new_tile(element, block_threads + 2 * radius);
    out.push_back(store(at(tile, binary("+", thread(), radius)), made_of(accumulated(), element)));
    statements halo;
    halo.push_back(store(at(tile, thread()), literal(1, element)));
    halo.push_back(store(at(tile, binary("+", thread(), block_threads + radius)), literal(2, element)));
    out.push_back(branch(test("<", thread(), radius), halo));
    out.push_back(plain(stmt::barrier));
    const int slot = new_local(INT, "j", false);
    statements body{mix(load(at(tile, binary("+", thread(), number(slot))), element))};
    out.push_back(loop(slot, literal(0), literal(2 * radius + 1), literal(1), body));
    out.push_back(plain(stmt::barrier));
    use("stencil");
}

void generator::tile_2d(statements& out, const scope&) {
    const type* element = some_element();
    const int width = block.y * block.z > 1 ? block.x : std::min(block.x, 8);
    const int rows = (block_threads + width - 1) / width, pad = random.below(2);
    const int tile = new_array(space::shared, element, rows * (width + pad));
    it.arrays[tile].columns = width + pad;
    const auto cell = [&](expr linear) {
        place made;
        made.array = tile;
        made.index = {binary("/", linear, width), binary("%", linear, width)};
        return made;
    };
    out.push_back(store(cell(thread()), made_of(accumulated(), element)));
    out.push_back(plain(stmt::barrier));
    expr other = binary("-", literal(block_threads - 1), thread());
    if (rows == width && rows * width == block_threads && random.chance(70)) {
        place turned;
        turned.array = tile;
        turned.index = {binary("%", thread(), width), binary("/", thread(), width)};
        take(out, load(turned, element));
        use("transposed tile");
    } else {
        take(out, load(cell(other), element));
    }
    out.push_back(plain(stmt::barrier));
    use("2D tile");
}

void generator::filled_by_loop(statements& out, const scope& where) {
    const type* element = some_scalar();
    const int size = block_threads + 1 + random.below(block_threads + 9);
    const int tile = new_tile(element, size), slot = new_local(INT, "i", false);
    const int in = new_array(space::global, element);
    expr index = binary("+", number(slot), binary("*", number(slot_b), size));
    for (const scope::turn& one : where.turns)
        index = binary("+", std::move(index), number(one.slot));
    statements body{store(at(tile, number(slot)), load(at(in, index), element))};
    out.push_back(loop(slot, thread(), literal(size), literal(block_threads), body));
    out.push_back(plain(stmt::barrier));
    take(out, load(at(tile, binary("-", literal(size - 1), thread())), element));
    out.push_back(plain(stmt::barrier));
    use("tile filled by a loop");
}

void generator::tree(statements& out, const scope& where) {
    int half = 1;
    while (half * 2 <= block_threads)
        half *= 2;
    if (half < 4) return permute(out, where);
    const int tile = new_tile(UNSIGNED, block_threads);
    out.push_back(store(at(tile, thread()), accumulated()));
    out.push_back(plain(stmt::barrier));
    const int slot = new_local(INT, "r", false), d = new_local(INT, "d");
    int rounds = 0;
    while (half >> (rounds + 1))
        rounds++;
    statements body{declare(d, binary(">>", literal(half / 2), number(slot)))};
    expr is_low = binary("<", thread(), number(d));
    statements add{
        store(at(tile, thread()), load(at(tile, binary("+", thread(), number(d))), UNSIGNED), "+=")};
    body.push_back(branch(is_low, add));
    body.push_back(plain(stmt::barrier));
    out.push_back(loop(slot, literal(0), literal(rounds), literal(1), body));
    take(out, load(at(tile, literal(0)), UNSIGNED));
    out.push_back(plain(stmt::barrier));
    use("tree");
}

void generator::histogram(statements& out) {
    const int bins = std::min(block_threads, random.one_of({4, 8, 15, 32}));
    const int tile = new_tile(UNSIGNED, bins);
    out.push_back(branch(test("<", thread(), bins), {store(at(tile, thread()), literal(0, UNSIGNED))}));
    out.push_back(plain(stmt::barrier));
    stmt add;
    add.what = stmt::atomic;
    add.op = "Add";
    add.target = at(tile, converted(binary("%", accumulated(), bins), INT));
    add.value = {binary("&", accumulated(), 255)};
    out.push_back(add);
    out.push_back(plain(stmt::barrier));
    take(out, load(at(tile, binary("%", thread(), bins)), UNSIGNED));
    out.push_back(plain(stmt::barrier));
    use("shared atomics");
}

}  // namespace fuzz
