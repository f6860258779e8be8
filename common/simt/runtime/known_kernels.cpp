// Launches of kernels that are given by their addresses.
#include "simt/runtime/known_kernels.h"

#include <map>
#include <mutex>

#include "simt/engine/error_state.h"

namespace simt {
namespace {

struct kernel_types {
    std::mutex mutex;
    std::map<const void*, kernel_type> of;
};

kernel_types& types() {
    static auto* list = new kernel_types;  // never destroyed, see allocations.cpp
    return *list;
}

cudaError_t launch_known(const char* call, const void* kernel, const launch_config& config, void** arguments,
                         uintptr_t site) {
    const kernel_type* type = find_kernel(kernel);
    if (!type) return refuse_unknown_kernel(call);
    const closure_bytes closure = closure_of(*type, arguments);
    launch_from(site, kernel, nullptr, config, type->call, closure.data(), closure.size());
    return cudaPeekAtLastError();
}

}  // namespace

void remember_kernel(const void* kernel, const kernel_type& type) {
    const std::lock_guard lock(types().mutex);
    types().of.insert_or_assign(kernel, type);
}

const kernel_type* find_kernel(const void* kernel) {
    const std::lock_guard lock(types().mutex);
    const auto found = types().of.find(kernel);
    return found == types().of.end() ? nullptr : &found->second;
}

cudaError_t refuse_unknown_kernel(const char* call) {
    return refuse(
        cudaErrorInvalidDeviceFunction,
        "%s: the CPU backend knows the sizes of arguments by the kernel's type: make the pointer of the "
        "kernel's name, by a cast to void*",
        call);
}

closure_bytes closure_of(const kernel_type& type, void** arguments) {
    closure_bytes closure(type.closure_bytes);
    type.close(closure.data(), arguments);
    return closure;
}

}  // namespace simt

using namespace simt;

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t dynamic_shared, cudaStream_t stream) {
    return launch_known("cudaLaunchKernel", kernel, {grid, block, dynamic_shared, stream}, arguments,
                        reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t dynamic_shared, cudaStream_t stream) {
    launch_config config(grid, block, dynamic_shared, stream);
    config.cooperative = true;
    return launch_known("cudaLaunchCooperativeKernel", kernel, config, arguments,
                        reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}

cudaError_t simt::take_config(const cudaLaunchConfig_t* asked, launch_config& config) {
    constexpr char CALL[] = "cudaLaunchKernelEx";
    if (!asked || (asked->numAttrs > 0 && !asked->attrs))
        return refuse(cudaErrorInvalidValue, "%s: a null pointer", CALL);
    config = launch_config(asked->gridDim, asked->blockDim, asked->dynamicSmemBytes, asked->stream);
    for (unsigned int k = 0; k < asked->numAttrs; k++) {
        const cudaLaunchAttribute& one = asked->attrs[k];
        if (one.id == cudaLaunchAttributeCooperative) config.cooperative = one.val.cooperative != 0;
        const auto& cluster = one.val.clusterDim;
        if (one.id == cudaLaunchAttributeClusterDimension &&
            (cluster.x > 1 || cluster.y > 1 || cluster.z > 1))
            return refuse(cudaErrorNotSupported, "%s: thread block clusters run on a GPU only", CALL);
    }
    return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
    launch_config how(1, 1);
    if (const cudaError_t refused = take_config(config, how)) return refused;
    return launch_known("cudaLaunchKernelExC", kernel, how, arguments,
                        reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}
