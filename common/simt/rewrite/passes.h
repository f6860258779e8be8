// The passes over a file. Each looks for one kind of CUDA construct and edits it,
// or reports what must change.
#pragma once
#include "simt/rewrite/functions.h"
#include "simt/rewrite/source.h"

namespace rewrite {

/// Constructs that only a GPU can run, and mistakes that nvcc rejects but g++ would accept.
/// `judged`: a student's file, whose device is a process of its own.
void reject_unsupported(source& file, const function_table& functions, bool judged);

/// What a student's text may not say, for a file that is judged.
void reject_forbidden(source& file);

/// Inline PTX that the CPU backend has a function for (simt/include/simt/ptx.h) becomes its call; all other is unsupported.
void rewrite_assembly(source& file);

/// What of the C++ library device code cannot use. `relaxed`: what is constexpr it can.
void reject_library_calls(source& file, const function_table& functions, bool relaxed);

/// __global__, __host__, __forceinline__, __launch_bounds__, __align__ and the like;
/// __device__ on functions and lambdas.
void rewrite_specifiers(source& file);

/// __device__, __constant__ and __managed__ variables go to sections of their own, in which the backend finds them. In an
/// inspected build there is unused memory between them, so that running from one into the other is seen.
void rewrite_device_variables(source& file, const function_table& functions, bool inspected);

/// __shared__ variables become thread-local: one runner executes one block at a time. In an inspected build
/// there is unused memory between them, too.
void rewrite_shared_variables(source& file, const function_table& functions, bool inspected);

/// typedef BlockScan<int, 32> BlockScan; in a class of CUB.
void qualify_class_names(source& file);

/// Every kernel begins with mark_kernel() (simt/include/simt/launch.h), which has what its __launch_bounds__ say.
void mark_kernels(source& file, const function_table& functions);

/// Casts to integers in device code become those of a GPU (simt/include/simt/conversions.h).
void rewrite_casts(source& file, const function_table& functions);

/// Numbers that become integers without a cast do so as on a GPU: at the tokens that an earlier compilation
/// of the same text told (rewrite.h).
void rewrite_conversions(source& file, const std::vector<size_t>& places);

/// In an inspected build p[i].x in device code also tells the inspector which object x is a member of.
void rewrite_members(source& file, const function_table& functions);

/// malloc, free, new and delete in device code become those of the device's heap.
void rewrite_heap(source& file, const function_table& functions);

/// Calls of CUDA's runtime in device code become those of the device's (simt/include/simt/device_runtime.h).
void rewrite_device_runtime(source& file, const function_table& functions);

/// A loop in device code that may wait for another thread lets that one run now and then.
void rewrite_waiting_loops(source& file, const function_table& functions);

/// Lanes of a warp meet where one may read what another has just written to shared memory.
void rewrite_steps(source& file, const function_table& functions, bool judged);

/// kernel<<<grid, block, shared, stream>>>(arguments) becomes a call. `from_kernels`: kernels may launch, too.
void rewrite_launches(source& file, const function_table& functions, bool from_kernels);

/// Threads wait for their block in their kernel (simt/include/simt/execution.h), where nobody watches.
void rewrite_barriers(source& file);

/// #pragma unroll becomes GCC's, or nothing in an inspected build,
/// where every access is counted as it is written.
void rewrite_unroll(source& file, bool inspected);

}  // namespace rewrite
