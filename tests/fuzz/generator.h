// Makes a random program: one class, its parts in generate_*.cpp.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "build.h"
#include "random.h"

namespace fuzz {

using statements = std::vector<stmt>;

/// Where statements are being made.
struct scope {
    struct turn {
        int slot, limit;  // turns at most
    };
    std::vector<turn> turns;  // of the loops around, outermost first
    bool is_uniform = true;   // every thread of the block comes here
    int depth = 0;
};

class generator {
public:
    generator(unsigned seed, int index) : random(seed) {
        it.seed = seed;
        it.index = index;
    }
    program make();

private:
    void use(const std::string& feature) { it.features[feature]++; }

    // ---- types and memory
    const type* some_scalar();
    const type* some_aggregate();
    // Members of mixed size stand so that no two small ones fill an aligned word: compilers would move them at once.
    const type* some_struct();
    const type* some_element() { return random.chance(65) ? some_scalar() : some_aggregate(); }
    int new_array(space where, const type* element, int count = 0);

    // ---- locals of the function being made
    int new_local(const type* is, const std::string& prefix, bool is_const = true);
    function& now() { return it.functions[current]; }
    expr accumulated() { return of_local(acc, UNSIGNED); }
    expr number(int slot) { return of_local(slot, INT); }
    /// acc = acc * 5 + value
    stmt mix(expr value);
    /// A number as unsigned.
    expr bits(expr value);
    /// All members of a local aggregate.
    expr sum_of(int slot, const type* is);
    /// A number of this type made of an unsigned one; a float is small enough to be exact.
    expr narrowed(expr from, const type* to);
    expr made_of(expr from, const type* to);

    // ---- indices
    expr thread() { return number(slot_t); }
    expr global_thread() { return number(slot_g); }
    /// Another one for every thread of the grid and every turn of the loops around.
    expr own_index(const scope& where);
    /// Any element; in loops another one in every turn.
    expr any_index(const scope& where, bool may_follow_data = true);

    // ---- conditions
    expr condition();

    // ---- memory that is read
    struct source {
        place from;
        const type* is;
    };
    source some_source(const scope& where, const type* element);
    bool is_read_only(const place& from) { return it.arrays[from.array].where == space::global; }
    void load_scalar(statements& out, const scope& where);
    void load_aggregate(statements& out, const scope& where);
    void load_cast(statements& out, const scope& where);

    // ---- memory that is written
    int new_output(const type* element);
    void store_new(statements& out, const scope& where);
    void update(statements& out, const scope& where);
    void copy(statements& out, const scope& where);
    void add_atomically(statements& out, const scope& where);

    // ---- control
    void choose(statements& out, const scope& where);
    void go_round(statements& out, const scope& where);
    void select_case(statements& out, const scope& where);
    void shuffle(statements& out);
    void use_list(statements& out);

    // ---- shared memory, where all threads of the block are
    bool has_barrier(const statements& list);
    int new_tile(const type* element, int count);
    void exchange(statements& out, const scope& where);
    void permute(statements& out, const scope&);
    void take(statements& out, expr value);
    void stencil(statements& out, const scope&);
    void tile_2d(statements& out, const scope&);
    void filled_by_loop(statements& out, const scope& where);
    void tree(statements& out, const scope& where);
    void histogram(statements& out);

    // ---- helpers: a function of its own for every place that calls one
    /// Begins a function; what is made until end_helper() belongs to it.
    struct begun {
        int id, outer, outer_acc;
    };
    begun begin_helper(function::kind kind, const type* result);
    void end_helper(const begun& helper);
    int parameter(const type* is, local::manner how, const char* name, bool is_const = true);
    function::kind some_kind();
    void call_helper(statements& out, const scope& where);
    /// Arithmetic with an early return and a loop.
    void helper_of_values(statements& out);
    /// Loads through a pointer, once or in a loop, for some threads only.
    void helper_with_pointer(statements& out, const scope& where);
    expr pointer_to(int id);
    /// out = add(x[i], y[i])
    void helper_of_aggregates(statements& out, const scope& where);
    void helper_with_reference(statements& out, const scope& where);
    /// Stores through a reference.
    void helper_that_writes(statements& out, const scope& where);
    /// Not of a form that becomes a loop.
    void helper_that_recurs(statements& out, const scope& where);
    void helper_template(statements& out, const scope& where);
    void helper_that_returns_aggregate(statements& out, const scope& where);
    /// Changes a local aggregate through a reference.
    void helper_of_locals(statements& out);

    // ---- kernels
    static void append(statements& to, statements more);
    statements some_statements(const scope& where, int count);
    void statement(statements& out, const scope& where);
    int number_parameter(int value);
    static constexpr int NUMBERS = 6;
    void make_kernel(int index);
    int new_array_output();
    // Slots of a kernel's parameters come first: moves all others behind the arrays.
    static void shift_slots(std::vector<stmt>& list, const std::function<int(int)>& moved);
    static void insert_array_slots(function& what, int arrays);
    static void drop_numbers(function& what, int arrays, int used);
    random_numbers random;
    program it;
    int kernel = 0, current = 0, acc = 0;
    int slot_t = 0, slot_b = 0, slot_g = 0, slot_gx = 0, slot_gy = 0, first_number = 0, used_numbers = 0;
    shape block;
    int block_threads = 0, grid_threads = 0, grid_width = 0, grid_height = 0;
    bool has_dynamic = false, returns_early = false;
};

}  // namespace fuzz
