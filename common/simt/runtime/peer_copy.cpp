// Copies between devices: both are device 0.
#include "simt/engine/error_state.h"
#include "simt/include/simt/memory.h"
#include "simt/runtime/checks.h"

namespace simt {
namespace {

cudaError_t check_devices(const char* call, int dst_device, int src_device) {
    if (const cudaError_t bad = check_device(call, dst_device)) return bad;
    return check_device(call, src_device);
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
    if (const cudaError_t bad = check_devices("cudaMemcpyPeer", dst_device, src_device)) return bad;
    return cudaMemcpy(dst, src, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device, size_t bytes,
                                cudaStream_t stream) {
    if (const cudaError_t bad = check_devices("cudaMemcpyPeerAsync", dst_device, src_device)) return bad;
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
