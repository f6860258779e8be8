// Small CUDA programs as trees: what the generator makes, the writer writes and the model runs.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fuzz {

enum class scalar : uint8_t { i8, u8, i16, u16, i32, u32, f32, f64 };

int bytes_of(scalar type);
bool is_float(scalar type);
const char* name_of(scalar type);

struct member {
    scalar type;
    std::string name;
    int offset = 0;
};

/// A scalar has one member without a name.
struct type {
    std::string name;
    std::vector<member> members;
    int bytes = 0, align = 0;
    bool is_own = false;  // a struct of the program, not CUDA's
    bool is_scalar() const { return members.size() == 1 && members[0].name.empty(); }
    bool has_padding() const;
    /// Whether a GPU moves a whole one with one instruction.
    bool is_one_access() const;
};

const type* scalar_type(scalar of);
/// float4, uchar2, ...
const type* vector_type(scalar of, int members);
/// Sets offsets and sizes as C++ does; `align` 0 is that of the members.
type made_struct(std::string name, std::vector<scalar> members, int align);

enum class space : uint8_t { global, device, constant, shared, dynamic };

struct array {
    int id = 0;
    std::string name;
    space where = space::global;
    const type* element = nullptr;
    int count = 0;               // elements
    int columns = 0;             // of a 2D tile; 0: one dimension
    bool is_written = false;     // by a kernel
    bool is_restricted = false;  // const __restrict__
    bool is_fresh = false;       // never filled by the host
    bool is_compared = true;     // its counts are the same in every compiler's code
    int kernel = 0;              // the one that shared memory belongs to
    int bytes() const { return count * element->bytes; }
};

struct expr;

/// An element, or a member of one: array[index], pointer[index], *reference.
struct place {
    int array = -1, slot = -1;  // slot: a pointer or reference instead of an array
    std::vector<expr> index;    // two for a tile; none for a reference
    int member = -1;
    const type* as = nullptr;  // read through a cast pointer: index counts these
    int shift = 0;             // elements that the pointer is moved by before the cast
};

struct expr {
    enum kind : uint8_t {
        literal,
        local,
        binary,
        convert,
        load,
        cached_load,  // __ldg
        member_of,
        element_of,  // of a local array
        select,
        call,
        make,  // an aggregate of its members
        shuffle,
        bind,  // a pointer or reference to a place
    } what = literal;
    const type* is = nullptr;
    int64_t value = 0;  // literal; member
    int slot = -1;
    std::string op;  // binary's; shuffle's name
    place from;
    int callee = -1;
    std::vector<expr> of;
};

struct stmt {
    enum kind : uint8_t {
        declare,
        assign,
        store,
        atomic,
        branch,
        loop,
        choice,
        leave,
        next,
        give,  // return
        barrier,
        warp_barrier,
        invoke,
    } what = barrier;
    int slot = -1, element = -1;  // declare, assign, loop; element of a local array
    std::string op;               // of store, assign, atomic: "=", "+=", "Add"
    place target;
    std::vector<expr> value;  // condition, bounds (from, to, step), stored value, returned value
    std::vector<stmt> body, other;
    std::vector<std::vector<stmt>> cases;  // the last one is default
    std::vector<char> falls;               // whether a case goes on into the next
    bool is_guard = false;                 // never made into a fault
    int line = 0;                          // set by the writer
};

struct local {
    enum manner : uint8_t { value, reference, pointer, list } how = value;  // list: array of `count`
    const type* is = nullptr;
    std::string name;
    int count = 0;
    bool is_const = true;
};

/// A kernel or a helper. The first locals are its parameters.
struct function {
    enum kind : uint8_t { kernel, plain, forced, kept, recursive, templated } what = plain;
    std::string name;
    const type* result = nullptr;  // null: void
    int parameters = 0;
    int template_argument = 0;
    std::vector<local> locals;
    std::vector<stmt> body;
};

struct shape {
    int x = 1, y = 1, z = 1;
    int count() const { return x * y * z; }
};

struct launch {
    int kernel = 0;  // index of the function
    shape grid, block;
    std::vector<int> arrays;   // global ones, its parameters
    std::vector<int> numbers;  // and int parameters behind them
};

struct program {
    unsigned seed = 0;
    int index = 0;
    std::vector<std::shared_ptr<const type>> structs;
    std::deque<array> arrays;
    std::deque<function> functions;
    std::vector<launch> launches;
    std::string planted;                  // "" if it is right
    std::map<std::string, int> features;  // what it is made of
};

}  // namespace fuzz
