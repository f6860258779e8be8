// Memory of the student's host code.
#include "worker/host_memory.h"

#include <malloc.h>

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
    constexpr int LARGE = 0x7f;  // in every byte: a large number of any type
    void* const memory = malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    if (worker::filled) std::memset(memory, LARGE, malloc_usable_size(memory));
    return memory;
}
