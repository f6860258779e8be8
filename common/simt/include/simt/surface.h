// Surfaces: CUDA arrays that kernels read and write, by texels and unfiltered.
#pragma once
#include "texture.h"

typedef unsigned long long cudaSurfaceObject_t;
/// What an access outside of the surface does: end the kernel, take the nearest texel, or read zeros and write nothing.
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2,
};

extern "C" {
/// On an array made with cudaArraySurfaceLoadStore.
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface);
}

namespace simt {

/// Which coordinates an array has. The faces of cubemaps are layers.
enum class surface_shape { line, plane, volume, line_layers, plane_layers };
/// x in bytes, y in rows, the slice or layer.
struct surface_position {
    surface_shape shape;
    int x, y, slice;
};
// The address they return to is the place of the access in the source.
void read_surface(void* value, size_t bytes, cudaSurfaceObject_t surface, const surface_position& at,
                  cudaSurfaceBoundaryMode mode);
void write_surface(const void* value, size_t bytes, cudaSurfaceObject_t surface, const surface_position& at,
                   cudaSurfaceBoundaryMode mode);

/// Types a surface can hold: vectors of 1, 2 or 4 numbers, at most 16 bytes of them.
template <class type>
constexpr bool is_surface_type =
    is_texel<type> || std::is_same_v<type, long long> || std::is_same_v<type, unsigned long long> ||
    std::is_same_v<type, longlong1> || std::is_same_v<type, longlong2> || std::is_same_v<type, ulonglong1> ||
    std::is_same_v<type, ulonglong2>;

}  // namespace simt

// surf2Dread<T>(surface, x, y, mode), its older form with the result in front, and surf2Dwrite.
#define SIMT_SURFACE(name, shape, row, slice, ...)                                                      \
    template <class type>                                                                               \
    SIMT_DEVICE_INLINE type name##read(cudaSurfaceObject_t surface, __VA_ARGS__,                        \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
        static_assert(simt::is_surface_type<type>,                                                      \
                      "a surface has texels of 1, 2 or 4 numbers, up to 16 bytes");                     \
        type value;                                                                                     \
        simt::read_surface(&value, sizeof value, surface, {simt::surface_shape::shape, x, row, slice},  \
                           mode);                                                                       \
        return value;                                                                                   \
    }                                                                                                   \
    template <class type>                                                                               \
    SIMT_DEVICE_INLINE void name##read(type* value, cudaSurfaceObject_t surface, __VA_ARGS__,           \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
        static_assert(simt::is_surface_type<type>,                                                      \
                      "a surface has texels of 1, 2 or 4 numbers, up to 16 bytes");                     \
        simt::read_surface(value, sizeof *value, surface, {simt::surface_shape::shape, x, row, slice},  \
                           mode);                                                                       \
    }                                                                                                   \
    template <class type>                                                                               \
    SIMT_DEVICE_INLINE void name##write(type value, cudaSurfaceObject_t surface, __VA_ARGS__,           \
                                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
        static_assert(simt::is_surface_type<type>,                                                      \
                      "a surface has texels of 1, 2 or 4 numbers, up to 16 bytes");                     \
        simt::write_surface(&value, sizeof value, surface, {simt::surface_shape::shape, x, row, slice}, \
                            mode);                                                                      \
    }
SIMT_SURFACE(surf1D, line, 0, 0, int x)
SIMT_SURFACE(surf2D, plane, y, 0, int x, int y)
SIMT_SURFACE(surf3D, volume, y, z, int x, int y, int z)
SIMT_SURFACE(surf1DLayered, line_layers, 0, layer, int x, int layer)
SIMT_SURFACE(surf2DLayered, plane_layers, y, layer, int x, int y, int layer)
SIMT_SURFACE(surfCubemap, plane_layers, y, face, int x, int y, int face)
SIMT_SURFACE(surfCubemapLayered, plane_layers, y, face, int x, int y, int face)
#undef SIMT_SURFACE
