// Copies between devices. They share one range of addresses: it is checked whose memory is given, and copied as within one.
#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/include/simt/memory.h"
#include "simt/memory/allocations.h"
#include "simt/runtime/checks.h"

namespace simt {
namespace {

cudaError_t check_devices(const char* call, int dst_device, int src_device) {
    if (const cudaError_t bad = check_device(call, dst_device)) return bad;
    return check_device(call, src_device);
}

/// That this end of the copy is memory of the device that it is said to be of.
cudaError_t check_owner(const char* call, const char* side, const void* memory, int device) {
    if (device_is_far()) return look_at_device<check_owner>(call, side, memory, device);
    allocation found;
    const bool is_other = find_live(reinterpret_cast<uintptr_t>(memory), found) &&
                          found.use == memory_use::device && found.device != device;
    if (!is_other) return cudaSuccess;  // what is no memory at all is told by the copy
    return refuse(cudaErrorInvalidValue, "%s: %s is memory of device %d, not of device %d", call, side,
                  found.device, device);
}

cudaError_t check_peers(const char* call, const void* dst, int dst_device, const void* src, int src_device) {
    if (const cudaError_t bad = check_devices(call, dst_device, src_device)) return bad;
    if (const cudaError_t bad = check_owner(call, "dst", dst, dst_device)) return bad;
    return check_owner(call, "src", src, src_device);
}

/// `copy` with what a copy within one device asks for.
template <class function_type>
cudaError_t copy_volume(const char* call, const cudaMemcpy3DPeerParms* p, const function_type& copy) {
    if (!p) return refuse(cudaErrorInvalidValue, "%s: a null pointer for the parameters", call);
    if (const cudaError_t bad = check_devices(call, p->dstDevice, p->srcDevice)) return bad;
    const cudaMemcpy3DParms same = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                    p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
    return copy(&same);
}

}  // namespace
}  // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaMemcpyPeer(void* dst, int dst_device, const void* src, int src_device, size_t bytes) {
    if (const cudaError_t bad = check_peers("cudaMemcpyPeer", dst, dst_device, src, src_device)) return bad;
    return cudaMemcpy(dst, src, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device, size_t bytes,
                                cudaStream_t stream) {
    if (const cudaError_t bad = check_peers("cudaMemcpyPeerAsync", dst, dst_device, src, src_device))
        return bad;
    return cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
    return copy_volume("cudaMemcpy3DPeer", parameters, cudaMemcpy3D);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
    return copy_volume("cudaMemcpy3DPeerAsync", parameters,
                       [=](const cudaMemcpy3DParms* same) { return cudaMemcpy3DAsync(same, stream); });
}

}  // extern "C"
