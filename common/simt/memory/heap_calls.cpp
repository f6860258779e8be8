// malloc and free as kernels call them.
#include <cstdlib>
#include <string>

#include "simt/engine/report.h"
#include "simt/engine/runner.h"
#include "simt/memory/heap.h"

namespace {
void refuse(const char* kind, const std::string& text, uintptr_t site) {
    simt::report({kind, true, text, site, 0, true});
}
}  // namespace

extern "C" {

void* simt_device_malloc(size_t bytes) {
    if (!simt::current_block) return malloc(bytes);
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    void* memory = nullptr;
    simt::on_large_stack([&] { memory = simt::take_from_heap(bytes, site); });
    if (memory && simt::the_observer)
        simt::the_observer->heap_taken(*simt::current_block, reinterpret_cast<uintptr_t>(memory), bytes);
    return memory;
}

void simt_device_free(void* memory) {
    if (!memory) return;
    if (!simt::current_block) return free(memory);
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    const auto address = reinterpret_cast<uintptr_t>(memory);
    const size_t bytes = simt::heap_piece_near(address).bytes;
    simt::given_back result{};
    simt::on_large_stack([&] { result = simt::give_to_heap(memory); });
    switch (result) {
        case simt::given_back::done:
            if (simt::the_observer) simt::the_observer->heap_given_back(*simt::current_block, address, bytes);
            return;
        case simt::given_back::twice:
            return refuse("use-after-free", "memory is given back that was given back before", site);
        case simt::given_back::never_taken:
            return refuse("illegal-address", "memory is given back that no malloc or new of a kernel gave",
                          site);
    }
}

}  // extern "C"
