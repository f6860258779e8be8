// A launch: checked as the real runtime checks it, run, and its failure remembered.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <span>

#include "simt/engine/devices.h"
#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/engine/kernel_list.h"
#include "simt/engine/limits.h"
#include "simt/engine/pool.h"
#include "simt/engine/report.h"
#include "simt/engine/runner.h"
#include "simt/engine/symbols.h"
#include "simt/include/simt/device.h"
#include "simt/memory/address_space.h"
#include "simt/memory/allocations.h"
#include "simt/memory/arena.h"
#include "simt/memory/heap.h"
#include "simt/memory/managed_guard.h"
#include "simt/memory/peers.h"
#include "simt/memory/sent_bytes.h"
#include "simt/runtime/capture.h"
#include "simt/runtime/checks.h"
#include "simt/runtime/host_order.h"
#include "simt/runtime/kernel_output.h"
#include "simt/runtime/known_kernels.h"
#include "simt/runtime/launch_in_flight.h"

namespace simt {

namespace {

uint3 block_of_last_launch{};

/// Why the runtime would refuse this grid and block, or nothing.
std::string wrong_shape(const launch_config& config) {
    const unsigned grid[3] = {config.grid.x, config.grid.y, config.grid.z};
    const unsigned block[3] = {config.block.x, config.block.y, config.block.z};
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        const std::string axis(1, "xyz"[i]);
        if (grid[i] == 0 || grid[i] > unsigned(MAX_GRID[i])) {
            return "a grid of " + triple(config.grid) + " blocks: " + axis + " must be 1 .. " +
                   std::to_string(MAX_GRID[i]);
        }
        if (block[i] == 0 || block[i] > unsigned(MAX_BLOCK[i])) {
            return "a block of " + triple(config.block) + " threads: " + axis + " must be 1 .. " +
                   std::to_string(MAX_BLOCK[i]);
        }
        threads *= block[i];
    }
    if (threads > MAX_THREADS_PER_BLOCK) {
        return "a block of " + triple(config.block) + " = " + std::to_string(threads) + " threads: at most " +
               std::to_string(MAX_THREADS_PER_BLOCK);
    }
    return "";
}

/// Why the kernel has no code for blocks of this size, or nothing.
std::string too_many_threads(const void* kernel, const launch_config& config) {
    const unsigned threads = config.block.x * config.block.y * config.block.z;
    const unsigned most = unsigned(most_threads_of(kernel));
    if (threads <= most) return "";
    return "a block of " + triple(config.block) + " = " + std::to_string(threads) +
           " threads: the kernel's __launch_bounds__ allow " + std::to_string(most);
}

std::string too_much_shared_memory(const void* kernel, const launch_config& config) {
    const size_t limit = dynamic_shared_limit(kernel);
    if (config.dynamic_shared <= limit) return "";
    const size_t fixed = static_shared_bytes(kernel);
    return std::to_string(config.dynamic_shared) + " bytes of dynamic shared memory: at most " +
           std::to_string(limit) + " for this kernel, which has " + std::to_string(fixed) +
           " of its own (cudaFuncSetAttribute can allow " + std::to_string(SHARED_PER_BLOCK_OPTIN - fixed) +
           ")";
}

/// Why the blocks of a cooperative launch cannot all be there at the same time, or nothing.
std::string too_many_together(const void* kernel, const launch_config& config) {
    int of_one = 0;
    const unsigned threads = config.block.x * config.block.y * config.block.z;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_one, kernel, int(threads), config.dynamic_shared) !=
        cudaSuccess)
        return "no such kernel";
    const uint64_t most = uint64_t(of_one) * MULTIPROCESSORS;
    const uint64_t blocks = uint64_t{config.grid.x} * config.grid.y * config.grid.z;
    if (blocks <= most) return "";
    return std::to_string(blocks) + " blocks of a cooperative launch: " + std::to_string(most) +
           " of this kernel fit the device at the same time";
}

/// The __device__ or __constant__ variable whose name is among the arguments.
const variable* named_argument(const void* arguments, size_t bytes) {
    for (size_t offset = 0; offset + sizeof(uintptr_t) <= bytes; offset += sizeof(uintptr_t)) {
        uintptr_t word = 0;
        std::memcpy(&word, static_cast<const char*>(arguments) + offset, sizeof word);
        if (const variable* found = variable_by_name(word)) return found;
    }
    return nullptr;
}

std::string name_for_address(const variable& named) {
    return "the variable " + named.name +
           " is passed to a kernel by its name: on a GPU that is an address of the host; the kernel can "
           "use " +
           named.name + " itself, or the pointer that cudaGetSymbolAddress gives";
}

void refuse_launch(cudaError_t error, const char* kind, const std::string& text, uintptr_t site) {
    trouble what{kind, true, text};
    what.site = site;
    report(what);
    remember(error);
}

launch_info describe(const void* kernel, const char* name, const launch_config& config, const void* closure,
                     size_t closure_bytes) {
    static uint32_t launches = 0;
    launch_info info;
    info.kernel = kernel;
    info.name = function_name(kernel);
    if (info.name.empty()) info.name = name ? name : "a kernel";
    info.grid = config.grid;
    info.block = config.block;
    info.dynamic_shared = config.dynamic_shared;
    info.arguments = closure;
    info.argument_bytes = closure_bytes;
    info.serial = ++launches;
    info.threads = config.block.x * config.block.y * config.block.z;
    info.blocks = uint64_t{config.grid.x} * config.grid.y * config.grid.z;
    return info;
}

void run_observed(grid_run& run) {
    if (the_observer) the_observer->launch_begins(run.info);
    const auto begin = std::chrono::steady_clock::now();
    if (!run_grid(run)) run.error = cudaErrorMemoryAllocation;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (the_observer) the_observer->launch_ends(run.info, seconds.count());
    guard_managed_memory();
}

/// One at a time, but for one that is in flight.
std::mutex& launch_mutex() {
    static auto& mutex = *new std::mutex;
    return mutex;
}

/// A launch at `site`, and then what its kernel launches. `depth`: so many kernels lie between the host and this one.
void launch_at(uintptr_t site, const void* kernel, const char* name, const launch_config& config,
               kernel_caller call, std::span<const std::byte> closure, int depth = 0) {
    if (depth > MAX_LAUNCH_DEPTH) {
        return refuse_launch(
            cudaErrorLaunchMaxDepthExceeded, "launch-error",
            "a kernel " + std::to_string(MAX_LAUNCH_DEPTH) +
                " launches away from the host launches another one: that is as far as it goes",
            site);
    }
    if (remember(cudaSuccess) != cudaSuccess) return;
    if (!is_kernel_call(kernel, call, closure.size())) {
        return refuse_launch(cudaErrorInvalidDeviceFunction, "launch-error",
                             "what is launched is no __global__ function", site);
    }
    if (!kernel) kernel = kernel_called_by(call);
    const std::string shape = wrong_shape(config);
    if (!shape.empty()) return refuse_launch(cudaErrorInvalidConfiguration, "launch-error", shape, site);
    const std::string crowd = too_many_threads(kernel, config);
    if (!crowd.empty()) return refuse_launch(cudaErrorInvalidValue, "launch-error", crowd, site);
    const std::string shared = too_much_shared_memory(kernel, config);
    if (!shared.empty()) return refuse_launch(cudaErrorInvalidValue, "shared-limit", shared, site);
    const std::string too_many = config.cooperative ? too_many_together(kernel, config) : "";
    if (!too_many.empty())
        return refuse_launch(cudaErrorCooperativeLaunchTooLarge, "launch-error", too_many, site);
    if (const variable* named = named_argument(closure.data(), closure.size())) {
        report({"host-pointer-in-kernel", true, name_for_address(*named), site});
        return make_sticky(cudaErrorIllegalAddress);
    }
    if (!constant_memory_fits()) return void(remember(cudaErrorInvalidValue));
    if (!reserve_device_memory()) return void(remember(cudaErrorMemoryAllocation));

    std::unique_lock lock(launch_mutex());
    const auto launched = std::make_shared<open_launch>();
    launched->depth = depth;
    // Several devices take turns with their variables.
    const bool without_host = depth == 0 && host_may_go_on() && device_count() == 1 && !is_any_in_flight();
    if (without_host) {  // the arguments are the host's
        launched->closure.assign(closure.begin(), closure.end());
        closure = launched->closure;
    }
    grid_run& run = launched->run;
    run.info = describe(kernel, name, config, closure.data(), closure.size());
    run.call = call;
    run.cooperative = config.cooperative;
    run.closure = closure.data();
    run.shared = shared_variables_of(kernel);
    give_thread_a_signal_stack();
    prepare_heap();
    open_device_memory();
    show_variables_of(current_device());
    if (without_host) {
        if (!begin_grid(run)) run.error = cudaErrorMemoryAllocation;
        if (!ends_without_host(run)) return keep_in_flight(launched);
    } else {
        const peers_closed others(current_device());
        run_observed(run);
    }
    lock.unlock();
    conclude(*launched);
}

void launch_there(uintptr_t site, const void* kernel, const char* name, launch_config config,
                  kernel_caller call, std::span<const std::byte> closure) {
    const sent_bytes sent(closure, way_to_device::argument);
    keep_no_kernel_output();
    launch_at(site, kernel, name, config, call, sent.bytes());
    std::fflush(stdout);  // what the host prints next comes next
}

}  // namespace

void conclude(open_launch& ended) {
    {
        const std::lock_guard lock(launch_mutex());
        if (!is_any_in_flight()) close_device_memory();
    }
    keep_kernel_output(ended.run.output());
    if (ended.run.error != cudaSuccess) return make_sticky(ended.run.error);
    for (const child_launch& child : ended.run.take_children())
        launch_at(child.site, child.kernel, child.name, child.config, child.call, child.closure,
                  ended.depth + 1);
}

uint3 last_block() {
    return block_of_last_launch;
}
void forget_block() {
    block_of_last_launch = {};
}

static void launch_at_once(uintptr_t site, const void* kernel, const char* name, const launch_config& config,
                           kernel_caller call, std::span<const std::byte> closure) {
    block_of_last_launch = {config.block.x, config.block.y, config.block.z};
    if (!device_is_far()) {
        deliver_copies();  // kernels may use page-locked memory
        return launch_at(site, kernel, name, config, call, closure);
    }
    std::fflush(stdout);
    ask_device<launch_there>(site, kernel, name, config, call, closure);
}

/// True for an address of shared memory or of a thread's own: another kernel has no such memory.
static bool is_of_block(uintptr_t address) {
    const block_context& block = *current_block;
    return (address >= block.statics_begin && address < block.statics_end) ||
           (address >= block.stacks_begin && address < block.stacks_end);
}

static void launch_from_kernel(child_launch child) {
    for (size_t offset = 0; offset + sizeof(uintptr_t) <= child.closure.size(); offset += sizeof(uintptr_t)) {
        uintptr_t word = 0;
        std::memcpy(&word, &child.closure[offset], sizeof word);
        if (!is_of_block(word)) continue;
        report(
            {"illegal-address", true,
             "a kernel passes a pointer to shared memory or to a local variable to a kernel that it launches",
             child.site, 0, true});
        stop_launch(cudaErrorIllegalAddress);
    }
    on_large_stack([&] { current_runner->launch_later(std::move(child)); });
}

void launch_from(uintptr_t site, const void* kernel, const char* name, const launch_config& config,
                 kernel_caller call, const void* closure, size_t closure_bytes) {
    const std::span arguments(static_cast<const std::byte*>(closure), closure_bytes);
    if (current_block)
        return launch_from_kernel({site, kernel, name, config, call, {arguments.begin(), arguments.end()}});
    if (!is_anything_captured()) {
        if (check_stream_is_ours("a launch", config.stream)) return;
        if (!is_behind_flight(config.stream)) {
            const asking asked(config.stream, true);
            return launch_at_once(site, kernel, name, config, call, arguments);
        }
    }
    const std::vector<std::byte> kept(arguments.begin(), arguments.end());
    on_stream(
        "a launch", config.stream, cudaGraphNodeTypeKernel,
        [=] { return launch_now(kernel, name, config, call, kept); }, kernel);
}

cudaError_t launch_now(const void* kernel, const char* name, const launch_config& config, kernel_caller call,
                       std::span<const std::byte> closure) {
    const cudaError_t before = cudaPeekAtLastError();
    launch_at_once(user_frame(), kernel, name, config, call, closure);
    const cudaError_t after = cudaPeekAtLastError();
    return after == before ? cudaSuccess : after;
}

void launch(const void* kernel, const char* name, const launch_config& config, kernel_caller call,
            const void* closure, size_t closure_bytes) {
    const auto site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    launch_from(site, kernel, name, config, call, closure, closure_bytes);
}

}  // namespace simt
