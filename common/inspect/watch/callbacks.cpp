// The functions that instrumented code calls: -fsanitize=thread for accesses and calls,
// -fsanitize-coverage=trace-pc for basic blocks, -fsanitize=bounds for indices of arrays. Linked instead of
// the sanitizers' own libraries.
#include <algorithm>
#include <string>

#include "inspect/watch/access.h"

using inspect::access_kind;
using inspect::current_runner;
using inspect::inspect_access;
using inspect::inspect_volatile_access;
using inspect::inspect_wide_access;

namespace {

inline uintptr_t number(const volatile void* pointer) {
    return reinterpret_cast<uintptr_t>(pointer);
}

/// How the compiler describes a type to __ubsan_handle_out_of_bounds.
struct type_description {
    uint16_t is_float;  // 0: an integer
    uint16_t info;      // bit 0: signed; above: log2 of the bits
    char name[1];
};

/// What the compiler tells of an index that is out of bounds.
struct out_of_bounds_data {
    const char* file;
    uint32_t line, column;
    const type_description *array, *index;
};

std::string index_text(const type_description& type, uintptr_t index) {
    if (!(type.info & 1)) return std::to_string(index);
    const int unused = 64 - std::min(1 << (type.info >> 1), 64);
    return std::to_string(static_cast<int64_t>(index) << unused >> unused);
}

void note_index(const std::string& index, const std::string& array, uintptr_t site) {
    inspect::runner_state* runner = current_runner;
    const inspect::unseen own_work;
    const std::string text = "index " + index + " is outside the array, which is " + array;
    if (!runner) {
        simt::report({.kind = "index-out-of-array", .text = text, .site = site});
        return;
    }
    runner->settle_pending_write();
    inspect::incident found = runner->new_incident(inspect::incident_kind::index_out_of_array,
                                                   access_kind::read, inspect::site_of(site));
    found.text = text;
    runner->note(found);
}

}  // namespace

#define RETURN_ADDRESS number(__builtin_return_address(0))

// The compiler knows one function a size and kind of access.
#define ACCESS_CALLBACKS(BYTES, inspect_access, inspect_volatile)                    \
    void __tsan_read##BYTES(void* p) {                                               \
        inspect_access<BYTES, access_kind::read>(number(p), RETURN_ADDRESS);         \
    }                                                                                \
    void __tsan_write##BYTES(void* p) {                                              \
        inspect_access<BYTES, access_kind::write>(number(p), RETURN_ADDRESS);        \
    }                                                                                \
    void __tsan_volatile_read##BYTES(void* p) {                                      \
        inspect_volatile<BYTES, access_kind::read>(number(p), RETURN_ADDRESS);       \
    }                                                                                \
    void __tsan_volatile_write##BYTES(void* p) {                                     \
        inspect_volatile<BYTES, access_kind::write>(number(p), RETURN_ADDRESS);      \
    }                                                                                \
    void __tsan_read_write##BYTES(void* p) {                                         \
        inspect_access<BYTES, access_kind::read>(number(p), RETURN_ADDRESS);         \
        inspect_access<BYTES, access_kind::write>(number(p), RETURN_ADDRESS);        \
    }                                                                                \
    void __tsan_unaligned_read##BYTES(void* p) {                                     \
        inspect::inspect_copy(number(p), BYTES, access_kind::read, RETURN_ADDRESS);  \
    }                                                                                \
    void __tsan_unaligned_write##BYTES(void* p) {                                    \
        inspect::inspect_copy(number(p), BYTES, access_kind::write, RETURN_ADDRESS); \
    }                                                                                \
    void __tsan_unaligned_volatile_read##BYTES(void* p) {                            \
        inspect::inspect_copy(number(p), BYTES, access_kind::read, RETURN_ADDRESS);  \
    }                                                                                \
    void __tsan_unaligned_volatile_write##BYTES(void* p) {                           \
        inspect::inspect_copy(number(p), BYTES, access_kind::write, RETURN_ADDRESS); \
    }                                                                                \
    void __tsan_unaligned_read_write##BYTES(void* p) {                               \
        inspect::inspect_copy(number(p), BYTES, access_kind::read, RETURN_ADDRESS);  \
        inspect::inspect_copy(number(p), BYTES, access_kind::write, RETURN_ADDRESS); \
    }

// Atomic operations of C++ in a kernel: CUDA code uses atomicAdd() and friends, which do not come by here.
#define ATOMIC_CALLBACKS(BITS, type)                                                                       \
    type __tsan_atomic##BITS##_load(const volatile type* p, int) {                                         \
        inspect_access<BITS / 8, access_kind::atomic>(number(p), RETURN_ADDRESS);                          \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                       \
    }                                                                                                      \
    void __tsan_atomic##BITS##_store(volatile type* p, type value, int) {                                  \
        inspect_access<BITS / 8, access_kind::atomic>(number(p), RETURN_ADDRESS);                          \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                      \
    }                                                                                                      \
    type __tsan_atomic##BITS##_exchange(volatile type* p, type value, int) {                               \
        inspect_access<BITS / 8, access_kind::atomic>(number(p), RETURN_ADDRESS);                          \
        return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                            \
    }                                                                                                      \
    type __tsan_atomic##BITS##_fetch_add(volatile type* p, type value, int) {                              \
        inspect_access<BITS / 8, access_kind::atomic>(number(p), RETURN_ADDRESS);                          \
        return __atomic_fetch_add(p, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                                      \
    type __tsan_atomic##BITS##_fetch_sub(volatile type* p, type value, int) {                              \
        inspect_access<BITS / 8, access_kind::atomic>(number(p), RETURN_ADDRESS);                          \
        return __atomic_fetch_sub(p, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                                      \
    type __tsan_atomic##BITS##_fetch_and(volatile type* p, type value, int) {                              \
        inspect_access<BITS / 8, access_kind::atomic>(number(p), RETURN_ADDRESS);                          \
        return __atomic_fetch_and(p, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                                      \
    type __tsan_atomic##BITS##_fetch_or(volatile type* p, type value, int) {                               \
        inspect_access<BITS / 8, access_kind::atomic>(number(p), RETURN_ADDRESS);                          \
        return __atomic_fetch_or(p, value, __ATOMIC_SEQ_CST);                                              \
    }                                                                                                      \
    type __tsan_atomic##BITS##_fetch_xor(volatile type* p, type value, int) {                              \
        inspect_access<BITS / 8, access_kind::atomic>(number(p), RETURN_ADDRESS);                          \
        return __atomic_fetch_xor(p, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                                      \
    int __tsan_atomic##BITS##_compare_exchange_strong(volatile type* p, type* expected, type value, int,   \
                                                      int) {                                               \
        inspect_access<BITS / 8, access_kind::atomic>(number(p), RETURN_ADDRESS);                          \
        return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }                                                                                                      \
    int __tsan_atomic##BITS##_compare_exchange_weak(volatile type* p, type* expected, type value, int,     \
                                                    int) {                                                 \
        inspect_access<BITS / 8, access_kind::atomic>(number(p), RETURN_ADDRESS);                          \
        return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }

extern "C" {

ACCESS_CALLBACKS(1, inspect_access, inspect_volatile_access)
ACCESS_CALLBACKS(2, inspect_access, inspect_volatile_access)
ACCESS_CALLBACKS(4, inspect_access, inspect_volatile_access)
ACCESS_CALLBACKS(8, inspect_wide_access, inspect_volatile_access)
ACCESS_CALLBACKS(16, inspect_wide_access, inspect_volatile_access)

ATOMIC_CALLBACKS(8, uint8_t)
ATOMIC_CALLBACKS(16, uint16_t)
ATOMIC_CALLBACKS(32, uint32_t)
ATOMIC_CALLBACKS(64, uint64_t)

void __tsan_read_range(void* begin, size_t bytes) {
    inspect::inspect_copy(number(begin), bytes, access_kind::read, RETURN_ADDRESS);
}
void __tsan_write_range(void* begin, size_t bytes) {
    inspect::inspect_copy(number(begin), bytes, access_kind::write, RETURN_ADDRESS);
}

void __tsan_init() {}
void __tsan_atomic_thread_fence(int) {
    if (current_runner) current_runner->fence(true);
}
void __tsan_atomic_signal_fence(int) {  // what __threadfence_block() is
    if (current_runner) current_runner->fence(false);
}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

void __tsan_func_entry(void* call) {
    if (current_runner) current_runner->enter_function(inspect::site_of(number(call)));
}
void __tsan_func_exit() {
    if (current_runner) current_runner->leave_function();
}

void __sanitizer_cov_trace_pc() {
    inspect::begin_basic_block(RETURN_ADDRESS);
}

int simt_object(const void* address, const simt::object_type* type, bool is_restricted, int once) {
    inspect::inspect_object(number(address), {type, is_restricted}, RETURN_ADDRESS);
    return once;
}

void __ubsan_handle_out_of_bounds(out_of_bounds_data* data, uintptr_t index) {
    note_index(index_text(*data->index, index), data->array->name, RETURN_ADDRESS);
}

size_t simt_index(size_t index, size_t count, const char* function) {
    if (index != count) return index;  // the compiler looks at all others
    const std::string_view text = function, before = "array = ";
    const size_t begin = text.find(before) + before.size();
    const std::string array(text.substr(begin, text.find(';', begin) - begin));
    note_index(std::to_string(index), "'" + array + "'", RETURN_ADDRESS);
    return index;
}

}  // extern "C"
