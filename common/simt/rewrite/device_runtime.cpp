// What of CUDA's runtime kernels may call, where kernels may launch kernels.
#include <map>
#include <string>

#include "simt/rewrite/passes.h"

namespace rewrite {

void rewrite_device_runtime(source& file, const function_table& functions) {
    static const std::map<std::string_view, std::string_view> names = {
        {"cudaMalloc", "allocate"},
        {"cudaFree", "give_back"},
        {"cudaMemcpyAsync", "copy"},
        {"cudaMemsetAsync", "set"},
        {"cudaStreamCreateWithFlags", "create_stream"},
        {"cudaStreamDestroy", "destroy_stream"},
        {"cudaGetLastError", "last_error"},
        {"cudaPeekAtLastError", "last_error"},
        {"cudaGetErrorName", "name_of_error"},
        {"cudaGetErrorString", "text_of_error"},
    };
    for (size_t i = file.first(); i != NONE; i = file.next(i)) {
        const auto found = names.find(file.text(i));
        if (found == names.end() || !file.is(file.next(i), "(")) continue;
        const function* const around = functions.around(i);
        if (!around || around->is_host || !(around->is_device || around->is_global)) continue;
        file.replace(i, "simt::device_runtime::" + std::string(found->second));
    }
}

}  // namespace rewrite
