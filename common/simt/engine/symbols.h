// Names and places of the program's functions and variables, from its own symbol table.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simt/engine/observer.h"

// Where the launch rewriter puts __constant__, __device__ and __managed__ variables: the linker gives the bounds of the
// sections. Weak: a program without such variables has no such section, and both addresses are null.
extern "C" {
extern char __start_simt_const[] __attribute__((weak));
extern char __stop_simt_const[] __attribute__((weak));
extern char __start_simt_dev[] __attribute__((weak));
extern char __stop_simt_dev[] __attribute__((weak));
extern char __start_simt_managed[] __attribute__((weak));
extern char __stop_simt_managed[] __attribute__((weak));
}

namespace simt {

/// Demangled name of a function of the program without its parameters;
/// empty if the address is in none of them.
std::string function_name(const void* address);

/// The name of such a function as the compiler mangled it; valid as long as the program runs.
std::string_view mangled_name(const void* address);

/// Where the function of the program that contains the address begins; 0 if there is none.
uintptr_t function_begin(uintptr_t address);

/// The instructions of the function that begins at the address; none if none does.
std::span<const uint8_t> code_of_function(uintptr_t begin);

/// Demangled; the text itself if it is no mangled name.
std::string demangle(const char* mangled);

/// Bytes of the program's thread-local variables of this OS thread, where every __shared__ variable lives.
struct static_image {
    uintptr_t begin = 0, end = 0;
};
static_image thread_statics();

/// The __shared__ variables that may be used by a kernel: its own and those of functions that are no kernels,
/// as far as known. Those of other kernels that were launched before are left out.
std::vector<variable> shared_variables_of(const void* kernel);

/// Static shared memory of a kernel in bytes: every __shared__ variable of the kernel and of the functions it
/// calls, as far as known.
size_t static_shared_bytes(const void* kernel);

/// Where the program was loaded: what must be added to an address of its file.
uintptr_t load_offset();

}  // namespace simt
