// The emulated devices: how many there are, and who reads whose memory.
#pragma once
#include "simt/engine/stream_order.h"

namespace simt {

/// As many as SIMT_DEVICES says, 1 to MOST_DEVICES, or lend_devices(); 1 if neither does.
int device_count();

/// From now on there are so many. No device reads another one's memory, and `current` is this thread's current one.
void lend_devices(int count, int current = 0);

/// The device that this thread asks; in a far device's process the one that it was asked for.
inline int current_device() {
    return the_asked_work().device;
}

/// Whether kernels of `device` can reach the memory of `peer`: it is their own, or the program has enabled it.
bool reaches(int device, int peer);
/// False if it was so before.
bool let_reach(int device, int peer, bool enabled);

/// __device__ and __constant__ variables hold what this device has in them: each device has its own. Called before
/// a kernel runs or a copy uses them.
void show_variables_of(int device);

}  // namespace simt
