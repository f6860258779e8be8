// Whose memory a kernel can use, where there are several devices: its own device's, and that of peers which this one reaches.
#pragma once
#include <cstdint>
#include <string>

namespace simt {

/// While it exists, kernels of this device fault at the memory of devices that it does not reach. Device memory must have been
/// opened before; closing it ends this as well. With one device it does nothing.
class peers_closed {
public:
    explicit peers_closed(int device);
    ~peers_closed();
    peers_closed(const peers_closed&) = delete;
};

/// Of an address where a kernel has faulted: "device 0 does not reach the memory of device 1, ...", and what to do; empty
/// if it is no such memory.
std::string why_not_reached(uintptr_t address);

}  // namespace simt
