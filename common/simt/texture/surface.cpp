// Surface objects, and what kernels read and write by them.
#include "simt/include/simt/surface.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "simt/engine/error_state.h"
#include "simt/engine/observer.h"
#include "simt/engine/report.h"
#include "simt/engine/runner.h"
#include "simt/texture/array.h"
#include "simt/texture/handle_table.h"

namespace simt {
namespace {

struct surface_object {
    cudaResourceDesc resource{};
    std::shared_ptr<array_memory> memory;
    surface_shape shape{};
    int row_bytes = 0, rows = 0, slices = 0;
};

handle_table<surface_object>& known_surfaces() {
    static auto* table = new handle_table<surface_object>;
    return *table;
}

[[noreturn]] void refuse_access(const char* kind, const char* why, uintptr_t site) {
    report({kind, true, why, site, 0});
    stop_launch(cudaErrorIllegalAddress);
}

surface_shape shape_of_surface(const cudaArray& array) {
    const bool has_rows = array.height != 0;
    if (array.flags & (cudaArrayLayered | cudaArrayCubemap))
        return has_rows ? surface_shape::plane_layers : surface_shape::line_layers;
    if (array.depth != 0) return surface_shape::volume;
    return has_rows ? surface_shape::plane : surface_shape::line;
}

const surface_object& surface_of(cudaSurfaceObject_t handle, surface_shape shape, uintptr_t site) {
    const surface_object* surface = known_surfaces().find(handle);
    if (!surface)
        refuse_access("illegal-address",
                      "an access to a surface object that was never created, or is destroyed", site);
    if (surface->shape != shape)
        refuse_access("illegal-address", "an access to a surface by a function for arrays of another shape",
                      site);
    if (!surface->memory->is_live)
        refuse_access("use-after-free", "a surface access to a CUDA array after cudaFreeArray", site);
    return *surface;
}

/// Brings the coordinate into 0 .. size - taken, if the mode allows that. False: there is nothing to access.
bool bring_inside(int& coordinate, int taken, int size, cudaSurfaceBoundaryMode mode, uintptr_t site) {
    const int last = size - taken;
    if (coordinate >= 0 && coordinate <= last) return true;
    if (mode == cudaBoundaryModeTrap)
        refuse_access("out-of-bounds", "a surface access outside of its array", site);
    coordinate = std::clamp(coordinate, 0, std::max(last, 0));
    return mode == cudaBoundaryModeClamp;
}

/// The first byte of the access among the array's, or nothing where the boundary mode says so.
std::optional<size_t> place_in(const surface_object& surface, surface_position at, size_t bytes,
                               cudaSurfaceBoundaryMode mode, uintptr_t site) {
    if (at.x % int(bytes) != 0) {
        report({"misaligned", true,
                "a surface access whose x, which counts bytes, is no multiple of the texel's size", site, 0});
        stop_launch(cudaErrorMisalignedAddress);
    }
    const bool is_inside = bring_inside(at.x, int(bytes), surface.row_bytes, mode, site) &&
                           bring_inside(at.y, 1, surface.rows, mode, site) &&
                           bring_inside(at.slice, 1, surface.slices, mode, site);
    if (!is_inside) return std::nullopt;
    const size_t row = size_t(at.slice) * size_t(surface.rows) + size_t(at.y);
    return row * size_t(surface.row_bytes) + size_t(at.x);
}

}  // namespace

[[gnu::noinline]] void read_surface(void* value, size_t bytes, cudaSurfaceObject_t handle,
                                    const surface_position& at, cudaSurfaceBoundaryMode mode) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    const surface_object& surface = surface_of(handle, at.shape, site);
    if (the_observer && current_block) the_observer->texture_fetched(*current_block, bytes, site);
    const std::optional<size_t> place = place_in(surface, at, bytes, mode, site);
    if (!place) return void(std::memset(value, 0, bytes));
    const array_memory& memory = *surface.memory;
    if (!memory.written.empty() && !memory.written[*place])
        report(
            {"uninitialised-read", true, "a surface read of a texel that was never written", site, 0, true});
    std::memcpy(value, &memory.texels[*place], bytes);
}

[[gnu::noinline]] void write_surface(const void* value, size_t bytes, cudaSurfaceObject_t handle,
                                     const surface_position& at, cudaSurfaceBoundaryMode mode) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    const surface_object& surface = surface_of(handle, at.shape, site);
    const std::optional<size_t> place = place_in(surface, at, bytes, mode, site);
    if (!place) return;
    std::memcpy(&surface.memory->texels[*place], value, bytes);
    surface.memory->mark_written(*place, bytes);
}

void destroy_all_surfaces() {
    known_surfaces().remove_all();
}

}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* handle, const cudaResourceDesc* resource) {
    if (device_is_far()) return ask_device<cudaCreateSurfaceObject>(handle, resource);
    const char* call = "cudaCreateSurfaceObject";
    if (const cudaError_t failed = sticky_error()) return failed;
    if (!handle || !resource) return refuse(cudaErrorInvalidValue, "%s: a null pointer", call);
    if (resource->resType != cudaResourceTypeArray)
        return refuse(cudaErrorInvalidValue, "%s: surfaces are on arrays alone", call);
    const cudaArray* array = resource->res.array.array;
    if (!is_array(array)) return refuse(cudaErrorInvalidResourceHandle, "%s: there is no such array", call);
    if (!(array->flags & cudaArraySurfaceLoadStore))
        return refuse(cudaErrorInvalidValue, "%s: the array was made without cudaArraySurfaceLoadStore",
                      call);
    auto surface = std::make_unique<surface_object>();
    surface->resource = *resource;
    surface->memory = array->memory;
    surface->shape = shape_of_surface(*array);
    surface->row_bytes = int(array->row_bytes());
    surface->rows = int(array->rows());
    surface->slices = int(array->slices());
    *handle = known_surfaces().add(std::move(surface));
    if (*handle == 0) return refuse(cudaErrorMemoryAllocation, "%s: too many surfaces exist already", call);
    return done(call);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
    if (device_is_far()) return ask_device<cudaDestroySurfaceObject>(handle);
    known_surfaces().remove(handle);
    return remember(cudaSuccess);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t handle) {
    if (device_is_far()) return look_at_device<cudaGetSurfaceObjectResourceDesc>(resource, handle);
    const surface_object* surface = known_surfaces().find(handle);
    if (!surface || !resource)
        return refuse(cudaErrorInvalidValue,
                      "cudaGetSurfaceObjectResourceDesc: no such surface, or a null pointer");
    *resource = surface->resource;
    return remember(cudaSuccess);
}

}  // extern "C"
