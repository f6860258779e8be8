// Which of the two backends this translation unit is compiled for.
#pragma once
#include <cuda_runtime.h>

namespace lab {

#ifdef __CUDA_RUNTIME_H__  // the include guard of NVIDIA's header; the CPU backend's has another
inline constexpr bool ON_GPU = true;
#else
inline constexpr bool ON_GPU = false;
#endif

}  // namespace lab
