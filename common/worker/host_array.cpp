// Pages for the arrays of a call.
#include "worker/host_array.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace worker {

host_array::host_array(const void* bytes, size_t size) {
    map(size);
    if (size > 0) std::memcpy(data_, bytes, size);
}

host_array::host_array(size_t size) {
    map(size);
    std::memset(data_, 0xff, size);
}

void host_array::map(size_t size) {
    const size_t page = size_t(sysconf(_SC_PAGESIZE));
    const size_t usable = (size + page - 1) / page * page;
    mapped_ = usable + 2 * page;
    mapping_ = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping_ == MAP_FAILED) throw std::bad_alloc();

    uint8_t* begin = static_cast<uint8_t*>(mapping_) + page;
    if (usable > 0 && mprotect(begin, usable, PROT_READ | PROT_WRITE) != 0) {
        munmap(mapping_, mapped_);
        throw std::bad_alloc();
    }
    // An image has thousands of small pages, and the kernel stops for each one at its first touch. Without
    // large ones it is only slower.
    (void)madvise(begin, usable, MADV_HUGEPAGE);
    // Vector types need 16 bytes, which is what malloc gives.
    data_ = begin + (usable - size) / 16 * 16;
    size_ = size;
}

host_array::~host_array() {
    if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

host_array::host_array(host_array&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      mapping_(std::exchange(other.mapping_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, 0)) {}

}  // namespace worker
