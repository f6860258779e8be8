// Kernel launches. The rewriter turns k<<<grid, block>>>(x) into
// simt::prepare(k, simt::launch_config(grid, block))(x).
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include "simt/barrier.h"
#include "simt/errors.h"
#include "simt/stream.h"
#include "simt/types.h"

namespace simt {

/// What stands between <<< and >>>.
struct launch_config {
    dim3 grid, block;
    size_t dynamic_shared;  // bytes
    cudaStream_t stream;
    bool cooperative = false;  // all blocks are there at the same time, and may wait for each other

    launch_config(dim3 grid, dim3 block, size_t dynamic_shared = 0, cudaStream_t stream = nullptr)
        : grid(grid), block(block), dynamic_shared(dynamic_shared), stream(stream) {}
};

/// Calls a kernel with the arguments that a closure holds.
using kernel_caller = void (*)(const void* kernel, const void* closure);

/// Runs call(kernel, closure) once for every thread of the grid and returns when all have ended.
/// Errors are left for cudaGetLastError. `kernel` may be null when it has no address of its own to take.
void launch(const void* kernel, const char* name, const launch_config& config, kernel_caller call,
            const void* closure, size_t closure_bytes);

/// Puts the function around it on the list of kernels, which a launch looks through (engine/kernel_list.h): the
/// rewriter begins every __global__ function with it. It runs as nothing. A block may have `most_threads`, if it is not 0.
template <size_t most_threads = 0>
__attribute__((always_inline)) inline void mark_kernel() {
    asm volatile("1: .pushsection simt_kernels, \"aw?\"\n .quad 1b, %c0\n .popsection" : : "i"(most_threads));
}
/// The same for what calls a kernel, with the bytes of its closure.
template <size_t bytes>
__attribute__((always_inline)) inline void mark_caller() {
    asm volatile("1: .pushsection simt_callers, \"aw?\"\n .quad 1b, %c0\n .popsection" : : "i"(bytes));
}

// Callers are not instrumented: a GPU has no such calls.
template <class closure_type, class... parameters>
__attribute__((no_sanitize_thread)) void call_pointer(const void* kernel, const void* closure) {
    mark_caller<sizeof(closure_type)>();
    (*static_cast<const closure_type*>(closure))(
        reinterpret_cast<void (*)(parameters...)>(const_cast<void*>(kernel)));
}
/// The same where nobody watches, by a jump: a processor expects every call to return, and threads that wait in their
/// kernels come back in another order.
template <class closure_type, class... parameters>
__attribute__((optimize("optimize-sibling-calls"))) void jump_to_pointer(const void* kernel,
                                                                         const void* closure) {
    mark_caller<sizeof(closure_type)>();
    (*static_cast<const closure_type*>(closure))(
        reinterpret_cast<void (*)(parameters...)>(const_cast<void*>(kernel)));
}
template <class closure_type>
__attribute__((no_sanitize_thread)) void call_by_name(const void*, const void* closure) {
    mark_caller<sizeof(closure_type)>();
    (*static_cast<const closure_type*>(closure))();
}

/// An argument in a closure: a copy of its own; where the kernel takes a reference, the object itself.
template <class type>
struct held_reference {
    type* address;
    SIMT_ALWAYS_INLINE held_reference(type& argument) : address(&argument) {}
    SIMT_ALWAYS_INLINE operator type&() const { return *address; }
};
template <class parameter>
using held = std::conditional_t<std::is_reference_v<parameter>,
                                held_reference<std::remove_reference_t<parameter>>, parameter>;

/// A kernel and its configuration, waiting for the arguments.
template <class... parameters>
struct prepared_kernel {
    void (*kernel)(parameters...);
    launch_config config;

    // Always inlined, so that the launch's return address lies in the line of the <<<>>>.
    __attribute__((always_inline)) void operator()(held<parameters>... arguments) const {
        const auto closure = [=](void (*function)(parameters...))
            __attribute__((no_sanitize_thread, always_inline)) {
            function(arguments...);
        };
        constexpr kernel_caller CALL = WAIT_IN_KERNEL ? jump_to_pointer<decltype(closure), parameters...>
                                                      : call_pointer<decltype(closure), parameters...>;
        launch(reinterpret_cast<const void*>(kernel), nullptr, config, CALL, &closure, sizeof closure);
    }
};

/// A launch by function pointer: arguments convert to the kernel's parameter types.
template <class... parameters>
prepared_kernel<parameters...> prepare(void (*kernel)(parameters...), const launch_config& config) {
    return {kernel, config};
}

/// A kernel that only a direct call can name (default arguments,
/// deduced templates, overloads), inside a lambda.
template <class lambda>
struct prepared_call {
    lambda call;
    const char* name;
    launch_config config;

    template <class... types>
    __attribute__((always_inline)) void operator()(types... arguments) const {
        const lambda function = call;
        const auto closure = [=]() __attribute__((no_sanitize_thread)) {
            function(arguments...);
        };
        launch(nullptr, name, config, call_by_name<decltype(closure)>, &closure, sizeof closure);
    }
};

template <class lambda>
prepared_call<lambda> prepare_generic(const lambda& call, const launch_config& config) {
    return {call, nullptr, config};
}
/// The same with the name that reports give the kernel.
template <class lambda>
prepared_call<lambda> prepare_generic(const char* name, const lambda& call, const launch_config& config) {
    return {call, name, config};
}

/// Launches with the arguments that these point to.
template <class... parameters, size_t... INDEX>
__attribute__((always_inline)) inline void launch_by_pointers(void (*kernel)(parameters...),
                                                              const launch_config& config, void** arguments,
                                                              std::index_sequence<INDEX...>) {
    prepare(kernel, config)(*static_cast<held<parameters>*>(arguments[INDEX])...);
}

/// How a kernel that is known by its address alone is called: its arguments are put into a closure.
struct kernel_type {
    kernel_caller call;
    size_t closure_bytes;
    void (*close)(void* closure, void** arguments);
};
/// From now on the address stands for a kernel of this type.
void remember_kernel(const void* kernel, const kernel_type& type);

template <class... parameters>
auto close_over(held<parameters>... arguments) {
    return [=](void (*function)(parameters...)) __attribute__((no_sanitize_thread)) {
        function(arguments...);
    };
}
template <class closure_type, class... parameters, size_t... INDEX>
void close_at(void* closure, void** arguments, std::index_sequence<INDEX...>) {
    const closure_type made = close_over<parameters...>(*static_cast<held<parameters>*>(arguments[INDEX])...);
    __builtin_memcpy(closure, &made, sizeof made);  // as a GPU takes arguments
}

/// The kernel itself. The rewriter writes this around a kernel's name where it is cast to void*: what gets the address
/// can launch it then.
template <class... parameters>
void (*known_kernel(void (*kernel)(parameters...)))(parameters...) {
    using closure = decltype(close_over<parameters...>(std::declval<held<parameters>>()...));
    remember_kernel(
        reinterpret_cast<const void*>(kernel),
        {call_pointer<closure, parameters...>, sizeof(closure), [](void* place, void** arguments) {
             close_at<closure, parameters...>(place, arguments, std::index_sequence_for<parameters...>());
         }});
    return kernel;
}

}  // namespace simt

/// The kernel itself, or its address cast to void* in this call, which the rewriter takes away: types tell the sizes of
/// arguments.
template <class... parameters>
__attribute__((always_inline)) inline cudaError_t cudaLaunchKernel(void (*kernel)(parameters...), dim3 grid,
                                                                   dim3 block, void** arguments,
                                                                   size_t dynamic_shared = 0,
                                                                   cudaStream_t stream = nullptr) {
    simt::launch_by_pointers(kernel, simt::launch_config(grid, block, dynamic_shared, stream), arguments,
                             std::index_sequence_for<parameters...>());
    return cudaPeekAtLastError();
}
/// The same for an address that was somewhere made of a kernel's name by a cast to void*.
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t dynamic_shared = 0, cudaStream_t stream = nullptr);

/// A launch whose blocks are all there at the same time: they may wait for each other (grid.sync() of
/// cooperative_groups.h). The kernel is given as to cudaLaunchKernel.
template <class... parameters>
__attribute__((always_inline)) inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(parameters...),
                                                                              dim3 grid, dim3 block,
                                                                              void** arguments,
                                                                              size_t dynamic_shared = 0,
                                                                              cudaStream_t stream = nullptr) {
    simt::launch_config config(grid, block, dynamic_shared, stream);
    config.cooperative = true;
    simt::launch_by_pointers(kernel, config, arguments, std::index_sequence_for<parameters...>());
    return cudaPeekAtLastError();
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t dynamic_shared = 0, cudaStream_t stream = nullptr);

struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned int numAttrs;
};
namespace simt {
/// What a launch is asked for: cooperative or not; clusters of more than one block are refused (cudaErrorNotSupported).
/// Whatever else it may be asked for changes nothing here.
cudaError_t take_config(const cudaLaunchConfig_t* asked, launch_config& config);
}  // namespace simt

/// A launch that is described by a struct. Arguments become what the kernel's parameters are.
template <class... parameters, class... arguments>
__attribute__((always_inline)) inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                                                     void (*kernel)(parameters...),
                                                                     arguments&&... values) {
    simt::launch_config how(1, 1);
    if (const cudaError_t refused = simt::take_config(config, how)) return refused;
    simt::prepare(kernel, how)(static_cast<arguments&&>(values)...);
    return cudaPeekAtLastError();
}
/// The same with pointers to the arguments, and the kernel's address as cudaLaunchKernel takes it.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments);
