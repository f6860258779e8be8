// Which of the call's arrays device memory holds, told by the copies between it and the host.
// What observers and the worker use of it is declared in observer.h.
//
// A copy from or to an array itself says it all. Data that goes through other host memory (pinned, a vector,
// with ghost cells around it) is known by its content: see same_words.h. Copies within the device hand names
// on. What is left is told apart by what is missing: see settle_names().
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace simt {

/// Rows of bytes at addresses of the program.
struct byte_rows {
    uintptr_t begin = 0;
    size_t pitch = 0, width = 0, height = 0;
    uintptr_t end() const { return begin + pitch * (height - 1) + width; }
};

/// Copies that have happened. A CUDA array has no addresses: of what goes there it is known that it arrived.
void note_copy_to_device(const byte_rows& dst, const byte_rows& src);
void note_copy_to_array(const byte_rows& src);
void note_copy_to_host(const byte_rows& dst, const byte_rows& src);
void note_copy_on_device(const byte_rows& dst, const byte_rows& src);
/// New or filled memory: it holds nothing of the call's.
void note_fill(const byte_rows& filled);

/// The bytes from a host address to the end of the named range it lies in,
/// and the range's name; SIZE_MAX outside.
size_t named_bytes_from(const void* host_address, std::string& name);

}  // namespace simt
