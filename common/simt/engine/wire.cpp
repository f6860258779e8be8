// Bytes at the end, bytes from the front.
#include "simt/engine/wire.h"

#include <stdexcept>

namespace simt {

void wire_writer::append(const void* from, size_t count) {
    const auto* begin = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), begin, begin + count);
}

std::span<const std::byte> wire_reader::take(uint64_t count) {
    if (count > left_.size()) throw std::out_of_range("fewer bytes than announced");
    const std::span<const std::byte> taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
}

}  // namespace simt
