// Library functions that kernels may call, renamed to the engine's own. They must be declared before the C
// library's headers are read: the first declaration decides which symbol a call becomes, also one that the
// compiler makes up itself (a struct copy is a memcpy, printf("a\n") a puts). In host code the engine's
// versions do what the library's do.
#pragma once
#include <stddef.h>

extern "C" {
int printf(const char* __restrict format, ...) __asm__("simt_printf");
int puts(const char* text) __asm__("simt_puts");
int putchar(int character) __asm__("simt_putchar");
long clock() noexcept __asm__("simt_clock");
void* memcpy(void* __restrict to, const void* __restrict from, size_t bytes) noexcept __asm__("simt_memcpy");
void* memmove(void* to, const void* from, size_t bytes) noexcept __asm__("simt_memmove");
void* memset(void* to, int value, size_t bytes) noexcept __asm__("simt_memset");
__attribute__((noreturn)) void __assert_fail(const char* assertion, const char* file, unsigned int line,
                                             const char* function) noexcept __asm__("simt_assert_fail");
}
