// Which of the two backends this translation unit is compiled for.
#pragma once
#include <cuda_runtime.h>

namespace lab {

#ifndef __CUCC__  // what the CPU backend's headers define
inline constexpr bool ON_GPU = true;
#else
inline constexpr bool ON_GPU = false;
#endif

}  // namespace lab
