// Where Thrust's C++ system has a device_vector's memory from.
#pragma once
#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/pointer.h>

#include "../../../simt/thrust_memory.h"

namespace simt {

class thrust_resource final : public thrust::mr::memory_resource<> {
public:
    void* do_allocate(std::size_t bytes, std::size_t = THRUST_MR_DEFAULT_ALIGNMENT) override {
        return allocate_for_thrust(bytes);
    }
    void do_deallocate(void* memory, std::size_t, std::size_t = THRUST_MR_DEFAULT_ALIGNMENT) override {
        cudaFree(memory);
    }
};

}  // namespace simt

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
namespace detail {
typedef thrust::mr::fancy_pointer_resource<simt::thrust_resource, thrust::cpp::pointer<void>> native_resource;
typedef thrust::mr::fancy_pointer_resource<simt::thrust_resource, thrust::cpp::universal_pointer<void>>
    universal_native_resource;
}  // namespace detail
typedef detail::native_resource memory_resource;
typedef detail::universal_native_resource universal_memory_resource;
typedef detail::native_resource universal_host_pinned_memory_resource;
}  // namespace cpp
}  // namespace system
THRUST_NAMESPACE_END
