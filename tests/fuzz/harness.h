// What generated programs call: memory with contents, launches that are counted, values printed.
#pragma once
#include <cuda_runtime.h>

struct fuzz_program {
    int number;
    void (*run)();
    bool is_right;  // no fault was planted
};
/// Of the generated file, up to a number of -1.
extern const fuzz_program FUZZ_PROGRAMS[];

/// Device memory of this name; `layout` is the bytes of an element and the kinds and offsets of its members.
void* fuzz_array(const char* name, int id, const char* layout, int count, bool is_filled);
/// Host memory with an array's first contents.
const void* fuzz_contents(int id, const char* layout, int count);
/// Host memory to copy into, printed by the next fuzz_print(..., nullptr).
void* fuzz_buffer(int bytes);
void fuzz_launched(const char* name);
void fuzz_print(const char* name, const char* layout, int count, const void* device);
/// Set by who wants to know what memory is called.
extern void (*name_memory)(const void* device, const char* name);
