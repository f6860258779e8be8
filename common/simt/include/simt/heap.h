// malloc, free, new and delete in kernels. The rewriter turns malloc(n) there into simt::heap_malloc(n),
// new T into new (simt::on_heap) T, and delete p into simt::heap_object() % p.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

extern "C" {
void* simt_device_malloc(size_t bytes);
void simt_device_free(void* memory);
}

namespace simt {

struct heap_tag {};
inline constexpr heap_tag on_heap;

[[gnu::always_inline]] inline void* heap_malloc(size_t bytes) {
    return simt_device_malloc(bytes);
}
[[gnu::always_inline]] inline void heap_free(void* memory) {
    simt_device_free(memory);
}

struct heap_object {};
struct heap_array {};

/// delete pointer
template <class type>
[[gnu::always_inline]] inline void operator%(heap_object, type* pointer) {
    if (!pointer) return;
    if constexpr (!std::is_trivially_destructible_v<type>) pointer->~type();
    simt_device_free(const_cast<std::remove_cv_t<type>*>(pointer));
}

/// delete[] pointer. The compiler keeps the number of elements before them, where there is something to destroy.
template <class type>
[[gnu::always_inline]] inline void operator%(heap_array, type* pointer) {
    if (!pointer) return;
    auto* memory = reinterpret_cast<char*>(const_cast<std::remove_cv_t<type>*>(pointer));
    if constexpr (!std::is_trivially_destructible_v<type>) {
        for (size_t i = reinterpret_cast<size_t*>(memory)[-1]; i > 0; i--)
            pointer[i - 1].~type();
        memory -= sizeof(size_t) > alignof(type) ? sizeof(size_t) : alignof(type);
    }
    simt_device_free(memory);
}

}  // namespace simt

[[gnu::always_inline]] inline void* operator new(size_t bytes, simt::heap_tag) noexcept {
    return simt_device_malloc(bytes);
}
[[gnu::always_inline]] inline void* operator new[](size_t bytes, simt::heap_tag) noexcept {
    return simt_device_malloc(bytes);
}
