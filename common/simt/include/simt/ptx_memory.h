// What inline PTX reads, writes and multiplies: ld, st, atom, red, cp.async, ldmatrix and mma.sync (ptx.h).
#pragma once
#include <tuple>

#include "simt/atomics.h"
#include "simt/matrices.h"
#include "simt/pipeline.h"
#include "simt/ptx.h"

/// The thread is about to store this word for others that may look at it meanwhile.
extern "C" void simt_store_for_others(const void* word);

// An address of shared memory is a number of 32 bits.
SIMT_DEVICE_INLINE size_t __cvta_generic_to_shared(const void* pointer) {
    return static_cast<unsigned int>(static_cast<const char*>(pointer) - simt_dynsmem);
}
SIMT_DEVICE_INLINE void* __cvta_shared_to_generic(size_t address) {
    return simt_dynsmem + static_cast<int>(address);
}
SIMT_DEVICE_INLINE size_t __cvta_generic_to_global(const void* pointer) {
    return reinterpret_cast<size_t>(pointer);
}
SIMT_DEVICE_INLINE void* __cvta_global_to_generic(size_t address) {
    return reinterpret_cast<void*>(address);
}

namespace simt::ptx {

// ---- addresses

template <class type>
SIMT_ALWAYS_INLINE auto further(input<type> base, int bytes) {
    if constexpr (std::is_pointer_v<type>)
        return input<char*>(bits_as<char*>(base.value) + bytes);
    else
        return input<type>(base.value + static_cast<type>(bytes));
}
struct global_memory {
    template <class type>
    static SIMT_ALWAYS_INLINE char* at(input<type> address) {
        return address;
    }
};
struct shared_memory {
    template <class type>
    static SIMT_ALWAYS_INLINE char* at(input<type> address) {
        if constexpr (std::is_pointer_v<type>)
            return address;
        else
            return static_cast<char*>(__cvta_shared_to_generic(address.value));
    }
};

// ---- lists of registers: {%0, %1}

template <class... types>
SIMT_ALWAYS_INLINE std::tuple<types&&...> list(types&&... registers) {
    return {static_cast<types&&>(registers)...};
}
template <class type>
inline constexpr int LENGTH = 1;
template <class... types>
inline constexpr int LENGTH<std::tuple<types...>> = sizeof...(types);

/// function(register) for each, in their order; of one that stands alone, too.
template <class type, class function_type>
SIMT_ALWAYS_INLINE void for_each(type& one, const function_type& function) {
    function(one);
}
template <class... types, class function_type>
SIMT_ALWAYS_INLINE void for_each(std::tuple<types...>& all, const function_type& function) {
    std::apply([&](auto&... one) { (function(one), ...); }, all);
}
/// The registers' bits as neighbours in memory, and back.
template <class word, class registers>
SIMT_ALWAYS_INLINE void gather(word* words, registers& from) {
    for_each(from, [&](auto& one) { *words++ = static_cast<word>(one); });
}
template <class word, class registers>
SIMT_ALWAYS_INLINE void scatter(registers& to, const word* words) {
    for_each(to, [&](auto& one) { put(one, *words++); });
}
/// What one access loads or stores. Words by which threads wait for each other are volatile: g++ keeps such accesses whole
/// where they are vectors, and the inspector knows them.
template <class word, int length>
struct alignas(length * sizeof(word)) neighbours {
    word words[length];

    SIMT_ALWAYS_INLINE neighbours read() const { return *this; }
    SIMT_ALWAYS_INLINE void write(const neighbours& all) { *this = all; }
};
template <class word, int length>
struct neighbours<volatile word, length> {
    using plain = neighbours<word, length>;
    typedef word vector __attribute__((vector_size(length * sizeof(word))));
    volatile vector words;

    SIMT_ALWAYS_INLINE plain read() const {
        const vector all = words;
        return same_bits<plain>(all);
    }
    SIMT_ALWAYS_INLINE void write(const plain& all) {
        simt_store_for_others(this);
        words = same_bits<vector>(all);
    }
};

/// mov.b64 {%0, %1}, %2: the lowest bits come first.
template <class registers, class type>
SIMT_ALWAYS_INLINE void unpack(registers&& to, input<type> from) {
    using part =
        std::conditional_t<sizeof(type) / LENGTH<std::decay_t<registers>> == 4, unsigned int, unsigned short>;
    static_assert(sizeof(type) == sizeof(part) * LENGTH<std::decay_t<registers>>,
                  "registers of 16 or 32 bits");
    part parts[LENGTH<std::decay_t<registers>>];
    __builtin_memcpy(parts, &from.value, sizeof parts);
    scatter(to, parts);
}
template <class type, class... types>
SIMT_ALWAYS_INLINE type mov(std::tuple<types...> from) {
    using part = std::conditional_t<sizeof(type) / sizeof...(types) == 4, unsigned int, unsigned short>;
    static_assert(sizeof(type) == sizeof(part) * sizeof...(types), "registers of 16 or 32 bits");
    part parts[sizeof...(types)];
    gather(parts, from);
    type all;
    __builtin_memcpy(&all, parts, sizeof all);
    return all;
}

// ---- loads and stores

template <class space, class word, class registers, class type>
SIMT_ALWAYS_INLINE void load(registers&& to, input<type> address) {
    using all = neighbours<word, LENGTH<std::decay_t<registers>>>;
    const auto loaded = reinterpret_cast<const all*>(space::at(address))->read();
    scatter(to, loaded.words);
}
template <class space, class word, class type, class registers>
SIMT_ALWAYS_INLINE void store(input<type> address, registers&& from) {
    using all = neighbours<word, LENGTH<std::decay_t<registers>>>;
    neighbours<std::remove_volatile_t<word>, LENGTH<std::decay_t<registers>>> stored;
    gather(stored.words, from);
    reinterpret_cast<all*>(space::at(address))->write(stored);
}
template <class space, class word, class registers, class type>
SIMT_ALWAYS_INLINE void load_acquire(registers&& to, input<type> address) {
    load<space, word>(to, address);
    __threadfence();
}
template <class space, class word, class type, class registers>
SIMT_ALWAYS_INLINE void store_release(input<type> address, registers&& from) {
    __threadfence();
    store<space, word>(address, from);
}

// atom, and red, which forgets the old value.
#define SIMT_PTX_ATOMIC(name, function)                                                                  \
    template <class space, class word, class type, class... values>                                      \
    SIMT_ALWAYS_INLINE void atomic_##name(input<type> address, values... operands) {                     \
        function(reinterpret_cast<word*>(space::at(address)), static_cast<word>(operands)...);           \
    }                                                                                                    \
    template <class space, class word, class old_type, class type, class... values>                      \
    SIMT_ALWAYS_INLINE void atomic_##name(old_type& old, input<type> address, values... operands) {      \
        put(old, function(reinterpret_cast<word*>(space::at(address)), static_cast<word>(operands)...)); \
    }
SIMT_PTX_ATOMIC(add, atomicAdd)
SIMT_PTX_ATOMIC(min, atomicMin)
SIMT_PTX_ATOMIC(max, atomicMax)
SIMT_PTX_ATOMIC(and, atomicAnd)
SIMT_PTX_ATOMIC(or, atomicOr)
SIMT_PTX_ATOMIC(xor, atomicXor)
SIMT_PTX_ATOMIC(inc, atomicInc)
SIMT_PTX_ATOMIC(dec, atomicDec)
SIMT_PTX_ATOMIC(exch, atomicExch)
SIMT_PTX_ATOMIC(cas, atomicCAS)
#undef SIMT_PTX_ATOMIC

// ---- copies that go on beside the thread

/// Of `bytes` the first `from_memory` are copied, the others are zeros.
template <class to_type, class from_type>
SIMT_ALWAYS_INLINE void cp_async(input<to_type> to, input<from_type> from, int bytes, int from_memory) {
    __pipeline_memcpy_async(shared_memory::at(to), global_memory::at(from), static_cast<size_t>(bytes),
                            static_cast<size_t>(bytes - from_memory));
}
template <class to_type, class from_type>
SIMT_ALWAYS_INLINE void cp_async(input<to_type> to, input<from_type> from, int bytes) {
    cp_async(to, from, bytes, bytes);
}
SIMT_DEVICE_INLINE void cp_async_commit_group() {
    __pipeline_commit();
}
SIMT_DEVICE_INLINE void cp_async_wait_group(int newest) {
    __pipeline_wait_prior(static_cast<size_t>(newest));
}
SIMT_DEVICE_INLINE void cp_async_wait_all() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
}
SIMT_DEVICE_INLINE void prefetch(const void*) {}

// ---- tensor cores

/// 8 x 8 elements of 16 bits a register: of the matrix that register k takes, lane 8 * k + r says where row r begins.
/// A lane gets two neighbours in row lane / 4, or, transposed, in column lane / 4.
template <bool transposed, class registers, class type>
SIMT_ALWAYS_INLINE void ldmatrix(registers&& to, input<type> address) {
    constexpr int WORDS = LENGTH<std::decay_t<registers>>;
    const auto own = reinterpret_cast<unsigned long long>(shared_memory::at(address));
    const int lane = static_cast<int>(laneid()), across = lane / 4, along = lane % 4 * 2;
    unsigned int words[WORDS];
    for (int k = 0; k < WORDS; k++) {
        const auto* const row =
            reinterpret_cast<const char*>(__shfl_sync(~0u, own, 8 * k + (transposed ? along : across)));
        if (transposed) {
            const auto* const next = reinterpret_cast<const char*>(__shfl_sync(~0u, own, 8 * k + along + 1));
            const auto upper = reinterpret_cast<const unsigned short*>(row)[across];
            words[k] = upper |
                       static_cast<unsigned int>(reinterpret_cast<const unsigned short*>(next)[across]) << 16;
        } else {
            words[k] = reinterpret_cast<const unsigned int*>(row)[along / 2];
        }
    }
    scatter(to, words);
}

/// A lane's registers of one matrix.
template <matrix_use use, int m, int n, int k, matrix_element element>
struct mma_share {
    using word = std::conditional_t<element == matrix_element::twice, double, unsigned int>;
    static constexpr int WORDS = share_of(use, m, n, k, element).elements() * bytes_of_element(element) /
                                 static_cast<int>(sizeof(word));
    word words[WORDS];

    template <class registers>
    static constexpr bool fits = LENGTH<std::decay_t<registers>> == WORDS;
};

/// d = a * b + c, by all lanes of a warp.
template <int m, int n, int k, matrix_element factors, matrix_element of_c, matrix_element of_d,
          class to_type, class a_type, class b_type, class c_type>
SIMT_ALWAYS_INLINE void mma(to_type&& to, a_type&& from_a, b_type&& from_b, c_type&& from_c) {
    mma_share<matrix_use::a, m, n, k, factors> a;
    mma_share<matrix_use::b, m, n, k, factors> b;
    mma_share<matrix_use::accumulator, m, n, k, of_c> c;
    mma_share<matrix_use::accumulator, m, n, k, of_d> d;
    static_assert(a.template fits<a_type> && b.template fits<b_type> && c.template fits<c_type> &&
                      d.template fits<to_type>,
                  "mma.sync of this shape has other numbers of registers");
    gather(a.words, from_a);
    gather(b.words, from_b);
    gather(c.words, from_c);
    const matrix_product product = {m, n, k, factors, of_c, of_d, false, a.words, b.words, c.words, d.words};
    meet_for_matrices(&product);
    scatter(to, d.words);
}

}  // namespace simt::ptx
