#include "inspect/memory/copied_types.h"

#include "inspect/memory/current_runner.h"

namespace inspect {

simt::copied_type copied_types::look_up(uintptr_t return_address) {
    const unseen own_work;
    entry& place = known[return_address % known.size()];
    simt::on_large_stack([&] { place = {return_address, simt::type_of_copy(return_address)}; });
    return place.type;
}

}  // namespace inspect
