// Which objects of device memory a kernel looks into. The rewriter turns p[i].x of an inspected kernel into
// simt::whole(p[i], path).x: the inspector then knows what the member is a part of.
#pragma once
#include <cstddef>
#include <type_traits>

namespace simt {

struct object_type {
    size_t alignment, bytes;
    /// Makes the bytes between members 0; null if that is not known.
    void (*clear_padding)(void* object);
};

/// The address stands for the type.
template <class type>
inline constexpr object_type type_of_object = {
    alignof(type), sizeof(type), [] {
        void (*clear)(void*) = nullptr;
        if constexpr (std::is_trivially_copyable_v<type>)
            clear = [](void* object) { __builtin_clear_padding(static_cast<type*>(object)); };
        return clear;
    }()};

/// To the inspector: members of this object are used next. `is_restricted`: by way of a pointer that is
/// __restrict__. Pure in its way: the compiler may move and join the kernel's own accesses as if it were not
/// there. `once` keeps calls apart.
extern "C" [[gnu::pure, gnu::nothrow, gnu::leaf]] int simt_object(const void* address,
                                                                  const object_type* type, bool is_restricted,
                                                                  int once);

template <class pointer>
inline constexpr bool is_restricted = false;
template <class type>
inline constexpr bool is_restricted<type* __restrict__> = true;
template <class type>
inline constexpr bool is_restricted<type* const __restrict__> = true;

/// How an expression leads from a variable to an object.
enum class way {
    any,      // not known, or the variable is in shared, constant or global memory
    member,   // v.a.b
    element,  // v[i][j].a
};

template <class variable, way WAY>
struct path {};

/// Whether the object is a part of the variable, and with it among the thread's own.
template <class variable, way WAY>
inline constexpr bool is_own = (WAY == way::member && std::is_class_v<variable>) ||
                               (WAY == way::element && std::is_array_v<variable> &&
                                std::is_class_v<std::remove_all_extents_t<variable>>);

template <class variable, way WAY, class type>
[[gnu::always_inline]] constexpr void note_object(type* object) {
    using plain = std::remove_cv_t<type>;
    constexpr bool has_members = std::is_class_v<plain> || std::is_union_v<plain>;
    if constexpr (has_members && !std::is_volatile_v<type> && !is_own<variable, WAY>) {
        if constexpr (alignof(plain) > 1) {
            if (__builtin_is_constant_evaluated()) return;
            int once;
            asm volatile("" : "=r"(once));
            asm volatile(
                "" ::"r"(simt_object(object, &type_of_object<plain>, is_restricted<variable>, once)));
        }
    }
}

/// The object itself.
template <class variable, way WAY, class type>
[[gnu::always_inline]] constexpr type&& whole(type&& object, path<variable, WAY>) {
    note_object<variable, WAY>(__builtin_addressof(object));
    return static_cast<type&&>(object);
}

/// The same for what stands before ->: a pointer, an array, or an object that has this operator.
template <class variable, way WAY, class type>
[[gnu::always_inline]] constexpr type&& whole_at(type&& pointer, path<variable, WAY>) {
    if constexpr (std::is_pointer_v<std::decay_t<type>>)
        note_object<variable, WAY>(static_cast<std::decay_t<type>>(pointer));
    return static_cast<type&&>(pointer);
}

/// To the inspector: an index of an array of so many elements. Returns it; pure as simt_object() is.
extern "C" [[gnu::pure, gnu::nothrow, gnu::leaf]] size_t simt_index(size_t index, size_t count,
                                                                    const char* array);

/// The index of an element of a variable whose members are used. (Without a branch, behind which another basic
/// block would begin.)
template <class array, class type>
[[gnu::always_inline]] constexpr type index(type at) {
    using plain = std::remove_reference_t<array>;
    if constexpr (std::extent_v<plain> != 0 && std::is_integral_v<type>) {
        constexpr size_t COUNT = std::extent_v<plain>;
        const bool is_known = __builtin_constant_p(at) && static_cast<size_t>(at) < COUNT;
        if (is_known || __builtin_is_constant_evaluated()) return at;
        return static_cast<type>(simt_index(static_cast<size_t>(at), COUNT, __PRETTY_FUNCTION__));
    }
    return at;
}

}  // namespace simt
