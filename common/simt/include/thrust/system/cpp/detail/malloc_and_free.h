// thrust::device_malloc(), from the same memory as a device_vector.
#pragma once
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/cpp/detail/execution_policy.h>

#include "../../../../simt/thrust_memory.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
namespace detail {

template <class policy>
void* malloc(execution_policy<policy>&, std::size_t bytes) {
    return simt::allocate_for_thrust(bytes);
}

template <class policy, class pointer>
void free(execution_policy<policy>&, pointer memory) {
    cudaFree(thrust::raw_pointer_cast(memory));
}

}  // namespace detail
}  // namespace cpp
}  // namespace system
THRUST_NAMESPACE_END
