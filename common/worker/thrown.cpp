// Stands before the C++ library's __cxa_throw, and remembers who called.
#include "worker/thrown.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <cstdint>
#include <cstdlib>

#include "worker/source_line.h"

namespace worker {
namespace {

constexpr int MOST_CALLERS = 24;
thread_local void* callers[MOST_CALLERS];
thread_local int depth = 0;
thread_local const void* thrown = nullptr;

}  // namespace

void place_of_throw(const void* object, char* place, size_t place_bytes) {
    place[0] = '\0';
    for (int i = 0; object == thrown && i < depth; i++) {
        if (find_student_line(uintptr_t(callers[i]) - 1, place, place_bytes)) return;
    }
}

}  // namespace worker

using destructor = void (*)(void*);
// By another name: the compiler has a declaration of its own. Weak: where the C++ library is linked into the worker, its
// own is taken, and what is thrown names no line.
[[noreturn, gnu::weak]] void remember_and_throw(void* object, void* type,
                                                destructor destroy) __asm__("__cxa_throw");

void remember_and_throw(void* object, void* type, destructor destroy) {
    using thrower = void (*)(void*, void*, destructor);
    static const auto real = reinterpret_cast<thrower>(dlsym(RTLD_NEXT, "__cxa_throw"));
    worker::thrown = object;
    worker::depth = backtrace(worker::callers, worker::MOST_CALLERS);
    real(object, type, destroy);
    std::abort();  // not reached
}
