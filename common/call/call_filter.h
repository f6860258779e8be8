// A system call filter, as a program for the kernel.
#pragma once
#include <linux/filter.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace check {

/// Built without allocating: it is needed between fork and exec, and names the process. libseccomp would
/// allocate there, and its rules compare an argument once: kill() is allowed three values.
///
/// Whatever is not refused is allowed. Arguments are compared by their low halves, which is all of an int,
/// and all that the kernel looks at of an ioctl's number.
class call_filter {
public:
    using values = std::initializer_list<uint32_t>;

    call_filter();

    /// The system call fails with this error number.
    void refuse(long number, int error);
    /// So does every call with this number or a higher one, but for those named.
    void refuse_from(long first, values but, int error);
    /// The system call fails unless its argument has one of the values.
    void refuse_unless(long number, int argument, values allowed);
    /// The system call fails if its argument has one of the values.
    void refuse_if(long number, int argument, values refused);
    /// The system call fails unless its argument has the bit.
    void refuse_without_bit(long number, int argument, uint32_t bit);
    /// The system call fails if its argument has any of the bits.
    void refuse_with_bits(long number, int argument, uint32_t bits);

    /// From now on, for this process and all that it becomes. 0, or the error number of the refusal. An
    /// ordinary user must have given up new privileges before (PR_SET_NO_NEW_PRIVS).
    int install();

private:
    void append(sock_filter instruction);
    void load(size_t offset);
    void load_argument(int argument);
    void skip_unless_equal(uint8_t if_equal, uint32_t value, uint8_t otherwise);
    void finish(uint32_t action);

    static constexpr unsigned short MOST = 512;
    sock_filter code_[MOST];
    unsigned short length_ = 0;
    bool full_ = false;
};

/// What keeps this kernel from taking a filter; null if nothing does.
const char* why_no_call_filter();

}  // namespace check
