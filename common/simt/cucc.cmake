# A CMake project's CUDA for a machine without a GPU:   cmake -DCMAKE_TOOLCHAIN_FILE=FOLDER/cucc.cmake ...
list(PREPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})  # FindCUDAToolkit.cmake
# CMake asks nvcc for much that cucc need not know; it is answered here.
set(cucc ${CMAKE_CURRENT_LIST_DIR}/cucc)
set(CMAKE_CUDA_COMPILER ${cucc})
set(CMAKE_CUDA_HOST_LINK_LAUNCHER ${cucc})
set(CMAKE_CUDA_COMPILER_FORCED 1)
set(CMAKE_CUDA_COMPILER_ID_RUN 1)
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_VERSION 12.0)
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
foreach(year 11 14 17 20)
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_${year})
    set(CMAKE_CUDA${year}_COMPILE_FEATURES cuda_std_${year})
endforeach()
set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "")
set(CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT "#$ LIBRARIES= -L.\n\n#$ ${cucc} a.o -L.\n")
# C++ files of the project include CUDA's headers, and what is linked needs the backend.
set(CMAKE_CXX_COMPILER ${cucc})
