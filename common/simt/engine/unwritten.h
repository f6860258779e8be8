// What memory holds that nobody wrote, or that was freed.
#pragma once
#include <cstdint>

/// An address that is a number: 0 unless the linker is told another one, as cucc does.
extern "C" const char simt_unwritten[] __attribute__((weak));

namespace simt {

/// A program of cucc, not a lab: the checks are its own.
inline bool is_own_program() {
    return reinterpret_cast<uintptr_t>(simt_unwritten) != 0;
}

/// Every byte of it. In a lab NaN, of which its checks know. A program's own check may be |a - b| > 1e-5, which is false for
/// NaN: there cucc has it be 0xfe, -1.7e38 as a float, -16843010 as an int.
inline int unwritten_byte() {
    constexpr int NOT_A_NUMBER = 0xff;
    return is_own_program() ? int(reinterpret_cast<uintptr_t>(simt_unwritten) & 0xff) : NOT_A_NUMBER;
}

}  // namespace simt
