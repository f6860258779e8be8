// The limits of the emulated device: an H200 (compute capability 9.0), as its runtime reports them.
#pragma once
#include <cstddef>

namespace simt {

inline constexpr int WARP_SIZE = 32;
inline constexpr int MAX_THREADS_PER_BLOCK = 1024;
inline constexpr int MAX_BLOCK[3] = {1024, 1024, 64};
/// Kernels that launch kernels: so many lie between the host and the last one.
inline constexpr int MAX_LAUNCH_DEPTH = 24;
inline constexpr int MAX_GRID[3] = {2147483647, 65535, 65535};
inline constexpr size_t SHARED_PER_BLOCK = 48 * 1024;  // without opting in, static and dynamic together
inline constexpr size_t SHARED_PER_BLOCK_OPTIN = 227 * 1024;  // cudaFuncAttributeMaxDynamicSharedMemorySize
inline constexpr size_t SHARED_PER_MULTIPROCESSOR = 228 * 1024;
inline constexpr size_t SHARED_RESERVED_PER_BLOCK = 1024;  // the system's share of every block
inline constexpr size_t CONSTANT_BYTES = 64 * 1024;        // all __constant__ variables of a program
inline constexpr int MULTIPROCESSORS = 132;
inline constexpr int CLOCK_KHZ = 1980000;  // of a multiprocessor, which clock() counts
inline constexpr int MEMORY_CLOCK_KHZ = 3201000;
inline constexpr int MAX_THREADS_PER_MULTIPROCESSOR = 2048;
inline constexpr int MAX_BLOCKS_PER_MULTIPROCESSOR = 32;
inline constexpr int COPY_ENGINES = 3;
inline constexpr int FLOATS_PER_DOUBLE = 2;  // operations in the same time

inline constexpr int REGISTERS = 65536;           // of a block, and of a multiprocessor
inline constexpr int LARGEST_PITCH = 2147483647;  // bytes, in copies
inline constexpr int L2_BYTES = 60 << 20;
inline constexpr int L2_PERSISTING_BYTES = 39321600;
inline constexpr int MEMORY_BUS_BITS = 6016;

inline constexpr size_t PITCH_ALIGNMENT = 512;         // what cudaMallocPitch rounds rows up to
inline constexpr size_t TEXTURE_ALIGNMENT = 512;       // start of a texture in pitched or linear memory ...
inline constexpr size_t TEXTURE_PITCH_ALIGNMENT = 32;  // ... and its row pitch, bytes
inline constexpr size_t MAX_TEXTURE_1D = 131072;
inline constexpr size_t MAX_TEXTURE_2D[2] = {131072, 65536};
inline constexpr size_t MAX_TEXTURE_3D = 16384;     // in each direction
inline constexpr size_t MAX_TEXTURE_LAYER = 32768;  // in each direction of a layer or face
inline constexpr size_t MAX_LAYERS = 2048;
inline constexpr size_t MAX_TEXTURE_PITCHED[3] = {131072, 65000, 2097120};  // texels, rows, bytes of pitch
inline constexpr size_t MAX_TEXTURE_LINEAR = size_t(1) << 28;               // texels

}  // namespace simt
