#include "model.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "memory.h"

namespace fuzz {

namespace {

constexpr int WARP = 32;
constexpr int MOST_STEPS = 20'000;  // statements of a program, each for all threads of a block

struct undecided : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// The launch ends here: a GPU would.
struct stopped {};

/// A number, the members of an aggregate, or a pointer: array, byte; to a local: LOCAL, slot, frame.
struct value {
    int64_t m[8] = {};
};
constexpr int64_t LOCAL = -1;
using lanes = std::vector<value>;
using mask = std::vector<char>;

bool any(const mask& active) {
    return std::find(active.begin(), active.end(), 1) != active.end();
}
void join(mask& to, const mask& more) {
    for (size_t i = 0; i < to.size(); i++)
        to[i] |= more[i];
}

int64_t wrapped(int64_t number, scalar to) {
    switch (to) {
        case scalar::i8:
            return static_cast<int8_t>(number);
        case scalar::u8:
            return static_cast<uint8_t>(number);
        case scalar::i16:
            return static_cast<int16_t>(number);
        case scalar::u16:
            return static_cast<uint16_t>(number);
        case scalar::i32:
            if (number != static_cast<int32_t>(number)) throw undecided("int overflows");
            return number;
        case scalar::u32:
            return static_cast<uint32_t>(number);
        default:
            if (number > (1 << 24) || number < -(1 << 24)) throw undecided("float is not exact");
            return number;
    }
}

int64_t converted(int64_t number, scalar from, scalar to) {
    if (to == scalar::i32) return static_cast<int32_t>(number);
    if (is_float(from) && !is_float(to) && number < 0 && name_of(to)[0] == 'u')
        throw undecided("negative float to unsigned");
    return wrapped(number, to);
}

int64_t applied(const std::string& op, int64_t a, int64_t b) {
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return a * b;
    if (op == "&") return a & b;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == ">>") return a >> b;
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == ">") return a > b;
    if (op == ">=") return a >= b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "&&") return a && b;
    if (b == 0) throw undecided("division by zero");
    if (op == "/") return a / b;
    if (op == "%") return a % b;
    throw undecided("no operator " + op);
}

/// Data are unsigned, all other numbers follow from the launch alone.
bool follows_data(const expr& what) {
    if (what.what == expr::load || what.what == expr::cached_load || what.what == expr::call) return true;
    if (what.what == expr::local && what.is == scalar_type(scalar::u32)) return true;
    return std::any_of(what.of.begin(), what.of.end(), follows_data);
}

struct frame {
    const function* what = nullptr;
    std::vector<lanes> slots;
    lanes result;
    mask returned, broken, continued;
};

/// Runs the blocks of one launch, one after another, all threads of a block in step.
class machine {
public:
    machine(const program& what, const launch& one, std::vector<std::unique_ptr<memory>>& memories,
            bool is_open, outcome& seen)
        : it(what), run(one), memories(memories), is_open(is_open), seen(seen), threads(one.block.count()) {}

    void run_grid();

private:
    void run_block(int number);
    mask execute(const std::vector<stmt>& list, mask active);
    mask step(const stmt& one, mask active);
    mask run_loop(const stmt& one, mask active);
    mask run_choice(const stmt& one, const mask& active);
    void pass_barrier(const stmt& one, const mask& active);
    lanes evaluate(const expr& what, const mask& active);
    lanes evaluate_call(const expr& what, const mask& active);
    lanes evaluate_shuffle(const expr& what, const mask& active);
    lanes evaluate_binary(const expr& what, const mask& active);
    lanes addresses_of(const place& where, const mask& active, const type*& accessed, int& member);
    lanes access(const place& where, direction how, mask active, const lanes* stored, const std::string& op);
    void check_piece(const lanes& at, int offset, int width, mask& active);
    void count_piece(const lanes& at, int offset, int width, direction how, const mask& active);
    const type* element_of(const place& where);
    frame& here() { return *frames.back(); }

    const program& it;
    const launch& run;
    std::vector<std::unique_ptr<memory>>& memories;
    const bool is_open;  // every way that data can take is taken
    outcome& seen;
    const int threads;
    int block = 0, epoch = 0, line = 0, steps = 0;
    std::vector<int> warp_epochs;
    std::vector<frame*> frames;
};

void machine::run_grid() {
    try {
        for (int number = 0; number < run.grid.count(); number++)
            run_block(number);
    } catch (const stopped&) {
    }
    for (const auto& one : memories)
        if (one && one->owner.where != space::constant) one->find_races(seen.faults);
}

void machine::run_block(int number) {
    block = number;
    epoch = 0;
    warp_epochs.assign((threads + WARP - 1) / WARP, 0);
    for (const auto& one : memories) {
        if (!one) continue;
        const space where = one->owner.where;
        if (where != space::shared && where != space::dynamic) continue;
        one->find_races(seen.faults);
        one->forget();
    }
    frame top;
    top.what = &it.functions[run.kernel];
    top.slots.assign(top.what->locals.size(), lanes(threads));
    top.returned = top.broken = top.continued = mask(threads);
    const shape &g = run.grid, &b = run.block;
    // The first locals are arrays and numbers, then x, y, z of thread and block, by convention of the writer.
    int slot = 0;
    for (const int id : run.arrays) {
        for (value& one : top.slots[slot])
            one.m[0] = id;
        slot++;
    }
    for (const int one : run.numbers) {
        for (value& lane : top.slots[slot])
            lane.m[0] = one;
        slot++;
    }
    const int block_at[3] = {block % g.x, block / g.x % g.y, block / g.x / g.y};
    for (int t = 0; t < threads; t++) {
        const int thread_at[3] = {t % b.x, t / b.x % b.y, t / b.x / b.y};
        for (int k = 0; k < 3; k++) {
            top.slots[slot + k][t].m[0] = thread_at[k];
            top.slots[slot + 3 + k][t].m[0] = block_at[k];
        }
    }
    frames = {&top};
    execute(top.what->body, mask(threads, 1));
}

mask machine::execute(const std::vector<stmt>& list, mask active) {
    for (const stmt& one : list) {
        if (!any(active)) break;
        active = step(one, std::move(active));
    }
    return active;
}

mask machine::step(const stmt& one, mask active) {
    if (++steps > MOST_STEPS) throw undecided("too long");
    line = one.line;
    switch (one.what) {
        case stmt::declare:
            if (one.value.empty()) return active;
            [[fallthrough]];
        case stmt::assign: {
            const lanes stored = evaluate(one.value[0], active);
            lanes& slot = here().slots[one.slot];
            const local& variable = here().what->locals[one.slot];
            for (int t = 0; t < threads; t++) {
                if (!active[t]) continue;
                if (one.element >= 0 || variable.how == local::list) {
                    slot[t].m[one.element] = stored[t].m[0];
                } else {
                    slot[t] = stored[t];
                }
            }
            return active;
        }
        case stmt::store: {
            lanes stored = evaluate(one.value[0], active);
            access(one.target, direction::store, active, &stored, one.op);
            return active;
        }
        case stmt::atomic: {
            lanes operand = evaluate(one.value[0], active);
            access(one.target, direction::atomic, active, &operand, one.op);
            return active;
        }
        case stmt::branch: {
            const lanes condition = evaluate(one.value[0], active);
            mask yes(threads), no(threads);
            for (int t = 0; t < threads; t++)
                (condition[t].m[0] ? yes : no)[t] = active[t];
            if (is_open && follows_data(one.value[0])) yes = no = active;
            mask left = any(yes) ? execute(one.body, yes) : yes;
            join(left, any(no) ? execute(one.other, no) : no);
            return left;
        }
        case stmt::loop:
            return run_loop(one, std::move(active));
        case stmt::choice:
            return run_choice(one, active);
        case stmt::leave:
            join(here().broken, active);
            return mask(threads);
        case stmt::next:
            join(here().continued, active);
            return mask(threads);
        case stmt::give:
            if (!one.value.empty()) {
                const lanes result = evaluate(one.value[0], active);
                for (int t = 0; t < threads; t++)
                    if (active[t]) here().result[t] = result[t];
            }
            join(here().returned, active);
            return mask(threads);
        case stmt::barrier:
            pass_barrier(one, active);
            return active;
        case stmt::warp_barrier:
            for (int t = 0; t < threads; t += WARP)
                warp_epochs[t / WARP] += active[t];
            return active;
        case stmt::invoke:
            evaluate(one.value[0], active);
            return active;
    }
    return active;
}

void machine::pass_barrier(const stmt& one, const mask& active) {
    epoch++;
    if (std::count(active.begin(), active.end(), 1) == threads) return;
    seen.faults.insert({"divergent-barrier", "", one.line, 0});
}

// Lanes that leave wait behind the loop, lanes that go on with the next turn at its end.
mask machine::run_loop(const stmt& one, mask active) {
    frame& mine = here();
    const mask outer_broken = mine.broken, outer_continued = mine.continued;
    mine.broken = mine.continued = mask(threads);
    const lanes from = evaluate(one.value[0], active);
    for (int t = 0; t < threads; t++)
        if (active[t]) mine.slots[one.slot][t] = from[t];
    mask done(threads);
    while (any(active)) {
        if (++steps > MOST_STEPS) throw undecided("too long");
        line = one.line;
        const lanes to = evaluate(one.value[1], active);
        for (int t = 0; t < threads; t++) {
            if (!active[t] || mine.slots[one.slot][t].m[0] < to[t].m[0]) continue;
            active[t] = 0;
            done[t] = 1;
        }
        if (!any(active)) break;
        active = execute(one.body, active);
        join(active, mine.continued);
        mine.continued = mask(threads);
        line = one.line;
        if (!any(active)) break;
        const lanes by = evaluate(one.value[2], active);
        for (int t = 0; t < threads; t++)
            if (active[t]) mine.slots[one.slot][t].m[0] += by[t].m[0];
    }
    join(done, mine.broken);
    mine.broken = outer_broken;
    mine.continued = outer_continued;
    return done;
}

mask machine::run_choice(const stmt& one, const mask& active) {
    const lanes chosen = evaluate(one.value[0], active);
    mask left(threads), falling(threads);
    const bool is_everywhere = is_open && follows_data(one.value[0]);
    const int last = int(one.cases.size()) - 1;
    for (int k = 0; k <= last; k++) {
        mask here = falling;
        for (int t = 0; t < threads; t++)
            here[t] |=
                active[t] && (is_everywhere || (k == last ? chosen[t].m[0] >= last : chosen[t].m[0] == k));
        falling = mask(threads);
        mask out = any(here) ? execute(one.cases[k], here) : here;
        join(k < last && one.falls[k] ? falling : left, out);
    }
    return left;
}

lanes machine::evaluate_binary(const expr& what, const mask& active) {
    lanes left = evaluate(what.of[0], active);
    mask needed = active;
    if (what.op == "&&") {
        for (int t = 0; t < threads; t++)
            needed[t] = active[t] && left[t].m[0];
    }
    // Whatever the data are: the last place that they can lead to.
    const bool is_bound = is_open && what.op == "%" && follows_data(what.of[0]);
    const lanes right = any(needed) ? evaluate(what.of[1], needed) : lanes(threads);
    for (int t = 0; t < threads; t++) {
        if (!active[t]) continue;
        if (is_bound) {
            left[t].m[0] = right[t].m[0] - 1;
            continue;
        }
        left[t].m[0] = wrapped(applied(what.op, left[t].m[0], right[t].m[0]), what.is->members[0].type);
    }
    return left;
}

lanes machine::evaluate(const expr& what, const mask& active) {
    switch (what.what) {
        case expr::literal: {
            value same;
            same.m[0] = what.value;
            return lanes(threads, same);
        }
        case expr::local: {
            const local& variable = here().what->locals[what.slot];
            if (variable.how != local::reference) return here().slots[what.slot];
            place target;
            target.slot = what.slot;
            return access(target, direction::load, active, nullptr, "");
        }
        case expr::binary:
            return evaluate_binary(what, active);
        case expr::convert: {
            lanes result = evaluate(what.of[0], active);
            const scalar from = what.of[0].is->members[0].type, to = what.is->members[0].type;
            for (int t = 0; t < threads; t++)
                if (active[t]) result[t].m[0] = converted(result[t].m[0], from, to);
            return result;
        }
        case expr::load:
        case expr::cached_load:
            return access(what.from, direction::load, active, nullptr, "");
        case expr::member_of: {
            lanes result = evaluate(what.of[0], active);
            for (value& one : result)
                one.m[0] = one.m[what.value];
            return result;
        }
        case expr::element_of: {
            lanes result = here().slots[what.slot];
            const lanes index = evaluate(what.of[0], active);
            for (int t = 0; t < threads; t++)
                if (active[t]) result[t].m[0] = result[t].m[index[t].m[0]];
            return result;
        }
        case expr::select: {
            const lanes condition = evaluate(what.of[0], active);
            mask yes(threads), no(threads);
            for (int t = 0; t < threads; t++)
                (condition[t].m[0] ? yes : no)[t] = active[t];
            if (is_open && follows_data(what.of[0])) yes = no = active;
            lanes result = any(yes) ? evaluate(what.of[1], yes) : lanes(threads);
            const lanes other = any(no) ? evaluate(what.of[2], no) : lanes(threads);
            for (int t = 0; t < threads; t++)
                if (no[t]) result[t] = other[t];
            return result;
        }
        case expr::call:
            return evaluate_call(what, active);
        case expr::make: {
            lanes result(threads);
            for (size_t m = 0; m < what.of.size(); m++) {
                const lanes part = evaluate(what.of[m], active);
                for (int t = 0; t < threads; t++)
                    result[t].m[m] = part[t].m[0];
            }
            return result;
        }
        case expr::shuffle:
            return evaluate_shuffle(what, active);
        case expr::bind: {
            const type* accessed = nullptr;
            int member = -1;
            if (what.from.array < 0 && what.from.slot >= 0 &&
                here().what->locals[what.from.slot].how == local::value) {
                lanes result(threads);
                for (value& one : result) {
                    one.m[0] = LOCAL;
                    one.m[1] = what.from.slot;
                    one.m[2] = int64_t(frames.size()) - 1;
                }
                return result;
            }
            return addresses_of(what.from, active, accessed, member);
        }
    }
    throw undecided("no such expression");
}

lanes machine::evaluate_call(const expr& what, const mask& active) {
    if (frames.size() > 20) throw undecided("too deep");
    frame called;
    called.what = &it.functions[what.callee];
    called.slots.assign(called.what->locals.size(), lanes(threads));
    called.result = lanes(threads);
    called.returned = called.broken = called.continued = mask(threads);
    for (int k = 0; k < called.what->parameters; k++)
        called.slots[k] = evaluate(what.of[k], active);
    const int caller_line = line;
    frames.push_back(&called);
    execute(called.what->body, active);
    frames.pop_back();
    line = caller_line;
    return called.result;
}

lanes machine::evaluate_shuffle(const expr& what, const mask& active) {
    const lanes from = evaluate(what.of[0], active);
    lanes result = from;
    for (int t = 0; t < threads; t++) {
        const int lane = t % WARP, by = int(what.value);
        int source = lane;
        if (what.op == "xor") source = lane ^ by;
        if (what.op == "down" && lane + by < WARP) source = lane + by;
        if (what.op == "up" && lane >= by) source = lane - by;
        if (what.op == "") source = by;
        const int other = t - lane + source;
        if (other >= threads || !active[other]) throw undecided("shuffle from a lane that is not there");
        result[t] = from[other];
    }
    return result;
}

const type* machine::element_of(const place& where) {
    if (where.as) return where.as;
    return where.array >= 0 ? it.arrays[where.array].element : here().what->locals[where.slot].is;
}

/// Array and byte of each lane's element.
lanes machine::addresses_of(const place& where, const mask& active, const type*& accessed, int& member) {
    accessed = element_of(where);
    member = where.member;
    lanes at(threads);
    if (where.array >= 0) {
        for (value& one : at)
            one.m[0] = where.array;
    } else {
        at = here().slots[where.slot];
    }
    if (where.shift != 0) {
        for (value& one : at)
            one.m[1] += where.shift * it.arrays[where.array].element->bytes;
    }
    if (where.index.empty()) return at;
    std::vector<lanes> indices;
    for (const expr& one : where.index)
        indices.push_back(evaluate(one, active));
    for (int t = 0; t < threads; t++) {
        if (!active[t]) continue;
        int64_t index = indices[0][t].m[0];
        if (indices.size() == 2) {
            const array& tile = it.arrays[where.array];
            const int64_t column = indices[1][t].m[0];
            if (!is_open && (column < 0 || column >= tile.columns))
                seen.faults.insert({"index-out-of-array", "", line, 0});
            index = index * tile.columns + column;
        }
        if (!is_open && where.array >= 0 && (index < 0 || index >= it.arrays[where.array].count))
            seen.may_be_told.insert({"index-out-of-array", "", line, 0});
        at[t].m[1] += index * accessed->bytes;
    }
    return at;
}

lanes machine::access(const place& where, direction how, mask active, const lanes* stored,
                      const std::string& op) {
    const type* accessed = nullptr;
    int member = -1;
    const lanes at = addresses_of(where, active, accessed, member);
    lanes result(threads);
    int first = threads;
    for (int t = threads - 1; t >= 0; t--)
        if (active[t]) first = t;
    if (first == threads) return result;

    if (at[first].m[0] == LOCAL) {  // a reference to a local variable
        frame& owner = *frames[at[first].m[2]];
        lanes& slot = owner.slots[at[first].m[1]];
        for (int t = 0; t < threads; t++) {
            if (!active[t]) continue;
            if (!stored) {
                result[t] = slot[t];
                if (member >= 0) result[t].m[0] = slot[t].m[member];
            } else if (member >= 0) {
                slot[t].m[member] = (*stored)[t].m[0];
            } else {
                slot[t] = (*stored)[t];
            }
        }
        return result;
    }

    struct piece {
        int offset, bytes;
    };
    std::vector<piece> pieces;
    const auto& members = accessed->members;
    if (member >= 0) {
        pieces = {{members[member].offset, bytes_of(members[member].type)}};
    } else if (accessed->is_one_access()) {
        pieces = {{0, accessed->bytes}};
    } else {
        for (const fuzz::member& one : members)
            pieces.push_back({one.offset, bytes_of(one.type)});
    }
    mask reached = active;
    const bool reads = how == direction::load || op != "=";
    for (const piece& one : pieces)
        check_piece(at, one.offset, one.bytes, reached);
    const auto go = [&](direction way) {
        for (const piece& one : pieces)
            count_piece(at, one.offset, one.bytes, way, reached);
    };
    const auto note = [&](int t, direction way) {
        for (const piece& one : pieces)
            memories[at[t].m[0]]->note(int(at[t].m[1]) + one.offset, one.bytes,
                                       {t, block, epoch, warp_epochs[t / WARP], way, 0, line});
    };
    const auto each_member = [&](direction way, const auto& act) {
        const int from = member >= 0 ? member : 0, to = member >= 0 ? member + 1 : int(members.size());
        for (int t = 0; t < threads; t++) {
            if (!reached[t]) continue;
            memory& target = *memories[at[t].m[0]];
            for (int m = from; m < to; m++)
                act(target, t, int(at[t].m[1]) + members[m].offset, members[m].type, m - from);
            note(t, way);
        }
    };
    if (how == direction::atomic) {
        go(direction::atomic);
        each_member(how, [&](memory& target, int t, int offset, scalar as, int) {
            const int64_t old = target.get(offset, as), operand = (*stored)[t].m[0];
            int64_t now = old + operand;
            if (op == "Max") now = std::max(old, operand);
            if (op == "Min") now = std::min(old, operand);
            if (op == "Or") now = old | operand;
            if (op == "Xor") now = old ^ operand;
            target.put(offset, as, wrapped(now, as));
        });
        return result;
    }
    if (reads) {
        go(direction::load);
        each_member(direction::load, [&](memory& target, int t, int offset, scalar as, int m) {
            result[t].m[m] = target.get(offset, as);
        });
        if (how == direction::load) return result;
    }
    each_member(direction::store, [&](memory& target, int t, int offset, scalar as, int m) {
        int64_t now = (*stored)[t].m[m];
        if (op != "=") now = applied(op.substr(0, op.size() - 1), result[t].m[m], now);
        target.put(offset, as, wrapped(now, as));
    });
    go(direction::store);
    return result;
}

/// Lanes that stray leave the mask; a misaligned access ends the launch.
void machine::check_piece(const lanes& at, int offset, int width, mask& active) {
    for (int t = 0; t < threads; t++) {
        if (!active[t]) continue;
        const memory& target = *memories[at[t].m[0]];
        const int here = int(at[t].m[1]) + offset;
        if (!is_open && here % width != 0) {
            seen.faults.insert({"misaligned", target.owner.name, line, 0});
            throw stopped{};
        }
        if (target.holds(here, width)) continue;
        if (is_open) throw undecided("too large");
        seen.faults.insert({"out-of-bounds", target.owner.name, line, 0});
        active[t] = 0;
    }
}

/// One instruction: counts the requests.
void machine::count_piece(const lanes& at, int offset, int width, direction how, const mask& active) {
    static const char* const WORDS[] = {"load", "store", "atomic"};
    for (int warp = 0; warp < threads; warp += WARP) {
        std::vector<int> offsets(WARP, -1);
        int lanes_in = 0;
        memory* target = nullptr;
        for (int t = warp; t < std::min(warp + WARP, threads); t++) {
            if (!active[t]) continue;
            target = memories[at[t].m[0]].get();
            const int here = int(at[t].m[1]) + offset;
            if (how != direction::store && !target->was_written(here, width))
                seen.faults.insert({"uninitialised-read", target->owner.name, line, 0});
            offsets[t - warp] = here;
            lanes_in++;
        }
        if (lanes_in == 0 || is_open) continue;
        const array& owner = target->owner;
        count& sum = seen.counts[it.functions[run.kernel].name + " " + owner.name + " " + WORDS[int(how)]];
        sum.lanes += lanes_in;
        sum.requests++;
        if (owner.where == space::constant) {
            sum.cost += addresses(offsets);
        } else if (owner.where == space::shared || owner.where == space::dynamic) {
            sum.cost += wavefronts(offsets, width, how);
        } else {
            sum.cost += how == direction::atomic ? atomic_sectors(offsets, width) : sectors(offsets, width);
        }
    }
}

}  // namespace

outcome run(const program& what, bool is_open) {
    outcome seen;
    std::vector<std::unique_ptr<memory>> memories;
    for (const array& one : what.arrays)
        memories.push_back(std::make_unique<memory>(one, is_open));
    try {
        for (const launch& one : what.launches)
            machine(what, one, memories, is_open, seen).run_grid();
    } catch (const undecided& why) {
        seen.refused = why.what();
        return seen;
    }
    for (const auto& one : memories) {
        const array& owner = one->owner;
        const int bytes = owner.element->bytes;
        if (one->highest >= 0) {
            const int low = one->lowest >= 0 ? one->lowest / bytes : -((-one->lowest + bytes - 1) / bytes);
            seen.touched[owner.id] = {low, one->highest / bytes};
        }
        if (is_open || !owner.is_written || (owner.where != space::global && owner.where != space::device))
            continue;
        std::vector<int64_t>& values = seen.values[owner.name];
        for (int element = 0; element < owner.count; element++) {
            for (const member& part : owner.element->members) {
                const int offset = element * bytes + part.offset;
                values.push_back(one->get(offset, part.type));
                if (!one->was_written(offset, bytes_of(part.type)))
                    seen.faults.insert({"never-written", owner.name, 0, 0});
            }
        }
    }
    return seen;
}

}  // namespace fuzz
