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

/// A kernel that calls wait_for_launch_before(), and its bytes of dynamic shared memory. Where it was compiled for older GPUs a
/// launch begins when all before it is done.
template <class... parameters>
class chained_kernel {
public:
    chained_kernel(void (*kernel)(parameters...), size_t shared_bytes)
        : kernel_(kernel), shared_bytes_(shared_bytes) {
        constexpr int HOPPER = 90;
        cudaFuncAttributes compiled{};
        CUDA_CHECK(cudaFuncGetAttributes(&compiled, kernel));
        may_overlap_ = compiled.ptxVersion >= HOPPER;
        CUDA_CHECK(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes)));
    }

    void launch(dim3 grid, dim3 block, cudaStream_t stream,
                const std::type_identity_t<parameters>&... arguments) const {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = may_overlap_;
        cudaLaunchConfig_t how{grid, block, shared_bytes_, stream, &attribute, 1};
        CUDA_CHECK(cudaLaunchKernelEx(&how, kernel_, arguments...));
    }

private:
    void (*kernel_)(parameters...);
    size_t shared_bytes_;
    bool may_overlap_;
};

}  // namespace fastest
