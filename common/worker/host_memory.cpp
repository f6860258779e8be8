// Memory of the student's host code.
#include "worker/host_memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace worker {
namespace {

bool filled = false;

}  // namespace

void fill_new_memory() {
    filled = true;
}

}  // namespace worker

void* operator new(size_t bytes) {
    constexpr size_t BEHIND = 64;  // what is read beyond the end is no other piece's
    constexpr int LARGE = 0x7f;    // in every byte: a large number of any type
    void* const memory = bytes < PTRDIFF_MAX ? malloc(bytes + BEHIND) : nullptr;
    if (memory == nullptr) throw std::bad_alloc();
    if (worker::filled) std::memset(memory, LARGE, bytes + BEHIND);
    return memory;
}
