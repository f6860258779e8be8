// The C library's functions as kernels may call them: printing, assert, memory copies.
// Host code gets the library's own.
#include <cassert>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "simt/engine/report.h"
#include "simt/engine/runner.h"

using simt::access_kind;
using simt::address_of;
using simt::current_block;
using simt::current_runner;
using simt::tell_access;
using simt::the_observer;

static void tell_observer(const void* memory, size_t bytes, access_kind kind, void* return_address) {
    if (!current_block || !the_observer) return;
    // What an observer does on the large stack is not the kernel's doing.
    if (!current_runner->is_fiber_stack(address_of(__builtin_frame_address(0)))) return;
    tell_access(memory, bytes, kind, address_of(return_address));
}

/// True for a format that stores: with %n the C library would write wherever its argument points.
static bool stores(const char* format) {
    for (const char* at = format; (at = strchr(at, '%')) != nullptr; at++) {
        at += 1 + strspn(at + 1, "0123456789.*$+- #'hlLqjztI");
        if (*at == 'n') return true;
        if (*at == 0) return false;
    }
    return false;
}

static void print_from_kernel(const char* format, va_list arguments, void* call) {
    const std::string own = format;  // a copy, which no other block changes meanwhile
    if (stores(own.c_str())) {
        simt::report({"launch-error", true, "printf with %n, which a kernel does not have",
                      reinterpret_cast<uintptr_t>(call), 0, true});
        simt::stop_launch(cudaErrorLaunchFailure);
    }
    char text[1024];
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(text, sizeof text, own.c_str(), arguments);
    if (length >= 0 && size_t(length) < sizeof text) {
        current_runner->print(text, length);
    } else if (length >= 0) {
        std::string longer(length, '\0');
        vsnprintf(longer.data(), longer.size() + 1, own.c_str(), again);
        current_runner->print(longer.data(), length);
    }
    va_end(again);
}

extern "C" {

bool simt_in_kernel() {
    return current_block != nullptr;
}

__attribute__((format(printf, 1, 2))) int simt_printf(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int printed = 1;
    if (current_block) {
        print_from_kernel(format, arguments, __builtin_return_address(0));
    } else {
        printed = vprintf(format, arguments);
    }
    va_end(arguments);
    return printed;
}

int simt_puts(const char* text) {
    if (!current_block) return puts(text);
    current_runner->print(text, strlen(text));
    current_runner->print("\n", 1);
    return 1;
}

int simt_putchar(int character) {
    if (!current_block) return putchar(character);
    const char text = static_cast<char>(character);
    current_runner->print(&text, 1);
    return character;
}

void simt_store_for_others(const void* word) {
    if (current_block && simt::the_observer)
        simt::the_observer->stores_for_others(*current_block, address_of(word));
}

void* simt_memcpy(void* to, const void* from, size_t bytes) {
    tell_observer(from, bytes, access_kind::read, __builtin_return_address(0));
    tell_observer(to, bytes, access_kind::write, __builtin_return_address(0));
    return memcpy(to, from, bytes);
}

void* simt_memmove(void* to, const void* from, size_t bytes) {
    tell_observer(from, bytes, access_kind::read, __builtin_return_address(0));
    tell_observer(to, bytes, access_kind::write, __builtin_return_address(0));
    return memmove(to, from, bytes);
}

void* simt_memset(void* to, int value, size_t bytes) {
    tell_observer(to, bytes, access_kind::write, __builtin_return_address(0));
    return memset(to, value, bytes);
}

// Mathematics that stores some of its results, for double and for float.
#define TELL_STORE(to) tell_observer(to, sizeof *(to), access_kind::write, __builtin_return_address(0))
#define STORING_MATHEMATICS(number, suffix)                                     \
    number simt_math_modf##suffix(number value, number* whole) {                \
        TELL_STORE(whole);                                                      \
        return modf##suffix(value, whole);                                      \
    }                                                                           \
    number simt_math_frexp##suffix(number value, int* exponent) {               \
        TELL_STORE(exponent);                                                   \
        return frexp##suffix(value, exponent);                                  \
    }                                                                           \
    number simt_math_remquo##suffix(number value, number by, int* quotient) {   \
        TELL_STORE(quotient);                                                   \
        return remquo##suffix(value, by, quotient);                             \
    }                                                                           \
    void simt_math_sincos##suffix(number angle, number* sine, number* cosine) { \
        TELL_STORE(sine);                                                       \
        TELL_STORE(cosine);                                                     \
        sincos##suffix(angle, sine, cosine);                                    \
    }
STORING_MATHEMATICS(double, )
STORING_MATHEMATICS(float, f)

[[noreturn]] void simt_assert_fail(const char* assertion, const char* file, unsigned int line,
                                   const char* function) {
    if (!current_block) __assert_fail(assertion, file, line, function);
    simt::report({"assert", true, std::string("assertion `") + assertion + "` failed",
                  reinterpret_cast<uintptr_t>(__builtin_return_address(0)), 0, true});
    simt::stop_launch(cudaErrorAssert);
}

[[noreturn]] void simt_trap() {
    simt::refuse_kernel("__trap() was called", address_of(__builtin_return_address(0)));
}

void simt_exit_thread() {
    current_runner->exit_thread();
}

int simt_spin(int once) {
    if (current_runner) current_runner->spin();
    return once;
}

void simt_give_way() {
    if (current_runner) current_runner->give_way();
}

/// Cycles of the emulated device's clock.
long long int simt_clock64() {
    if (current_runner) current_runner->look_at_clock();
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    // A kHz counts one in a million nanoseconds.
    return now.tv_sec * 1000LL * simt::CLOCK_KHZ + now.tv_nsec * 1LL * simt::CLOCK_KHZ / 1000000;
}

unsigned long long int simt_globaltimer() {
    if (current_runner) current_runner->look_at_clock();
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000000000ULL + now.tv_nsec;
}
unsigned int simt_smid() {
    return unsigned(current_block->block % simt::MULTIPROCESSORS);
}
unsigned int simt_nsmid() {
    return simt::MULTIPROCESSORS;
}

long simt_clock() {
    return current_block ? long(simt_clock64()) : clock();
}

}  // extern "C"
