#include "inspect/watch/object_uses.h"

#include <new>

namespace inspect {

const std::vector<uint32_t>& object_uses::padding_of(const simt::object_type& type) {
    const auto [place, is_new] = paddings.try_emplace(&type);
    std::vector<uint32_t>& padding = place->second;
    if (!is_new || !type.clear_padding) return padding;
    const std::align_val_t alignment{type.alignment};
    auto* const object = static_cast<unsigned char*>(operator new(type.bytes, alignment));
    for (size_t i = 0; i < type.bytes; i++)
        object[i] = 1;
    type.clear_padding(object);
    for (uint32_t i = 0; i < type.bytes; i++) {
        if (object[i] == 0) padding.push_back(i);
    }
    operator delete(object, alignment);
    return padding;
}

}  // namespace inspect
