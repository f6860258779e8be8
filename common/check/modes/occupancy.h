// How many blocks of a launch a multiprocessor holds at once, by the limits of a GPU.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>

namespace check {

/// A GPU of data/gpus.csv. The limits are those of one multiprocessor unless they say otherwise.
struct gpu_facts {
    std::string key, name, compute_capability, source;
    int multiprocessors = 0, fp32_lanes = 0;
    double boost_mhz = 0, memory_gb_s = 0;
    int threads = 0, blocks = 0, registers = 0;
    size_t shared_bytes = 0, shared_bytes_of_block = 0,
           reserved_bytes = 0;  // reserved: the system's share of every block

    /// Two operations a lane and clock (fused multiply-add), GFLOP/s.
    double peak_gflops() const { return 2e-3 * multiprocessors * fp32_lanes * boost_mhz; }
};

struct occupancy {
    int blocks = 0;  // on one multiprocessor at once
    int warps = 0, most_warps = 0;
    std::string limit;  // what stops the next block: "threads", "blocks", "shared memory", "registers"
    double share() const { return most_warps == 0 ? 0.0 : double(warps) / most_warps; }
};

/// Of blocks with so many threads, bytes of shared memory and registers a thread; 0 registers: unknown, and
/// not counted. Warps get registers in units of 256, blocks shared memory in units of 128 bytes (CUDA C++
/// Best Practices Guide and the occupancy calculator of Nsight Compute). 0 blocks if not even one fits.
inline occupancy occupancy_of(const gpu_facts& gpu, int threads, size_t shared_bytes, int registers) {
    constexpr int WARP = 32, REGISTER_UNIT = 256;
    constexpr size_t SHARED_UNIT = 128;
    const auto rounded_up = [](auto value, auto unit) { return (value + unit - 1) / unit * unit; };
    const int warps = std::max(1, (threads + WARP - 1) / WARP);
    occupancy seen;
    seen.most_warps = gpu.threads / WARP;
    seen.blocks = gpu.blocks;
    seen.limit = "blocks";
    const auto bound = [&seen](int blocks, const char* limit) {
        if (blocks >= seen.blocks) return;
        seen.blocks = blocks;
        seen.limit = limit;
    };
    bound(seen.most_warps / warps, "threads");
    if (registers > 0) {
        const int warps_by_registers = gpu.registers / rounded_up(registers * WARP, REGISTER_UNIT);
        bound(warps_by_registers / warps, "registers");
    }
    if (shared_bytes > gpu.shared_bytes_of_block)
        bound(0, "shared memory");
    else if (shared_bytes + gpu.reserved_bytes > 0)
        bound(int(gpu.shared_bytes / rounded_up(shared_bytes + gpu.reserved_bytes, SHARED_UNIT)),
              "shared memory");
    seen.warps = seen.blocks * warps;
    return seen;
}

}  // namespace check
