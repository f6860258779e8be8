// Launches in a row: each begins while the one before it ends (programmatic dependent launch, from Hopper on).
#pragma once
#include <type_traits>

#include "lab/buffer.h"

namespace fastest {

/// In a kernel of launch_chained(): returns when all that came before it in the stream is done and seen.
/// Whoever reads or writes images waits first; then the next launch may begin. Images are to be read by the copy engine or past the
/// L1 cache, which may hold what was there before.
__device__ __forceinline__ void wait_for_launch_before() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;\ngriddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Launches a kernel that calls wait_for_launch_before(). Where it was compiled for older GPUs it begins when all before it is done.
template <class... parameters>
void launch_chained(void (*kernel)(parameters...), dim3 grid, dim3 block, size_t shared_bytes,
                    cudaStream_t stream, const std::type_identity_t<parameters>&... arguments) {
    constexpr int HOPPER = 90;
    cudaFuncAttributes compiled{};
    CUDA_CHECK(cudaFuncGetAttributes(&compiled, kernel));
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = compiled.ptxVersion >= HOPPER;
    cudaLaunchConfig_t how{grid, block, shared_bytes, stream, &attribute, 1};
    CUDA_CHECK(cudaLaunchKernelEx(&how, kernel, arguments...));
}

}  // namespace fastest
