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
double modf(double value, double* whole) noexcept __asm__("simt_math_modf");
float modff(float value, float* whole) noexcept __asm__("simt_math_modff");
double frexp(double value, int* exponent) noexcept __asm__("simt_math_frexp");
float frexpf(float value, int* exponent) noexcept __asm__("simt_math_frexpf");
double remquo(double value, double by, int* quotient) noexcept __asm__("simt_math_remquo");
float remquof(float value, float by, int* quotient) noexcept __asm__("simt_math_remquof");
void sincos(double angle, double* sine, double* cosine) noexcept __asm__("simt_math_sincos");
void sincosf(float angle, float* sine, float* cosine) noexcept __asm__("simt_math_sincosf");
__attribute__((noreturn)) void __assert_fail(const char* assertion, const char* file, unsigned int line,
                                             const char* function) noexcept __asm__("simt_assert_fail");
}
// The compiler would write these out as moves, which nobody counts. The C++ library's headers use them.
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
