// Kernel launches. The rewriter turns k<<<grid, block>>>(x) into
// simt::prepare(k, simt::launch_config(grid, block))(x).
#pragma once
#include <cstddef>

#include "simt/types.h"

namespace simt {

/// What stands between <<< and >>>.
struct launch_config {
    dim3 grid, block;
    size_t dynamic_shared;  // bytes
    cudaStream_t stream;

    launch_config(dim3 grid, dim3 block, size_t dynamic_shared = 0, cudaStream_t stream = nullptr)
        : grid(grid), block(block), dynamic_shared(dynamic_shared), stream(stream) {}
};

/// Runs call(closure) once for every thread of the grid and returns when all have ended.
/// Errors are left for cudaGetLastError. `kernel` may be null when it has no address of its own to take;
/// `closure` holds the arguments.
void launch(const void* kernel, const char* name, const launch_config& config, void (*call)(const void*),
            const void* closure, size_t closure_bytes);

/// Calls through a closure that lies on the host's stack. Not instrumented: a GPU has no such calls.
template <class closure_type>
__attribute__((no_sanitize_thread)) void call_closure(const void* closure) {
    (*static_cast<const closure_type*>(closure))();
}

/// A kernel and its configuration, waiting for the arguments.
template <class... parameters>
struct prepared_kernel {
    void (*kernel)(parameters...);
    launch_config config;

    // Always inlined, so that the launch's return address lies in the line of the <<<>>>.
    __attribute__((always_inline)) void operator()(parameters... arguments) const {
        void (*const function)(parameters...) = kernel;
        const auto closure = [=]() __attribute__((no_sanitize_thread)) {
            function(arguments...);
        };
        launch(reinterpret_cast<const void*>(kernel), nullptr, config, call_closure<decltype(closure)>,
               &closure, sizeof closure);
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
        launch(nullptr, name, config, call_closure<decltype(closure)>, &closure, sizeof closure);
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

}  // namespace simt
