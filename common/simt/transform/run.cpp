// Checks, computes and announces transforms.
#include "simt/transform/run.h"

#include <algorithm>
#include <cstring>

#include "simt/engine/devices.h"
#include "simt/engine/error_state.h"
#include "simt/engine/far_device.h"
#include "simt/memory/address_space.h"
#include "simt/memory/allocations.h"
#include "simt/memory/arena.h"
#include "simt/memory/labels.h"
#include "simt/transform/fftw.h"

namespace simt {
namespace {

/// One array of a transform.
struct transform_array {
    const char* call = "";
    transform_side side;
    uintptr_t begin = 0;
    size_t bytes = 0;

    const char* uses() const { return side.is_input ? " reads" : " writes"; }
};

/// The kernels of the transform have failed.
cufftResult stop(const char* kind, const std::string& text) {
    report({kind, true, text, user_frame()});
    make_sticky(cudaErrorIllegalAddress);
    return CUFFT_EXEC_FAILED;
}

/// "device memory of 4000 bytes (in)"
std::string name_of_memory(const allocation& memory) {
    return "device memory of " + std::to_string(memory.bytes) + " bytes" +
           (memory.label.empty() ? "" : " (" + memory.label + ")");
}

std::string beyond(const transform_array& array, size_t available) {
    allocation memory;
    const bool has_name = find_live(array.begin, memory);
    return array.call + std::string(array.uses()) + " " + std::to_string(array.bytes) + " bytes, and " +
           std::to_string(available) + " are there" +
           (has_name ? ", " + name_of_memory(memory) + " from byte " +
                           std::to_string(array.begin - memory.begin) + " on"
                     : "");
}

cufftResult check(const transform_array& array) {
    const std::string who = array.call + std::string(array.uses());
    const auto* pointer = reinterpret_cast<const void*>(array.begin);
    if (array.begin == 0) return stop("illegal-address", who + " at a null pointer");
    const size_t available = device_bytes_from(pointer);
    if (available == 0 && is_device_address(array.begin))
        return stop("use-after-free", who + " device memory that is not allocated, or was freed");
    if (available == 0)
        return stop("host-pointer-in-kernel", who + " host memory: its kernels need memory of the device");
    if (array.bytes > available) return stop("out-of-bounds", beyond(array, available));
    allocation memory;
    const bool is_others = find_live(array.begin, memory) && memory.use == memory_use::device &&
                           !reaches(current_device(), memory.device);
    if (is_others)
        return stop("peer-access", who + " memory of device " + std::to_string(memory.device) +
                                       " on device " + std::to_string(current_device()) +
                                       ", which does not reach it");
    return CUFFT_SUCCESS;
}

/// Out of place and in more than one dimension a transform to real values leaves nothing of its input, as cuFFT's.
bool spoils_input(const transform_plan& plan, bool in_place) {
    return plan.type == CUFFT_C2R && plan.rank > 1 && !in_place;
}

void unset(const std::vector<address_range>& ranges) {
    for (const address_range& one : ranges)
        std::memset(host_view(one.begin), 0xff, one.end - one.begin);
}

/// What the host has brought there is there no more.
void forget_names_of(const std::vector<address_range>& written) {
    for (const address_range& one : written) {
        const size_t bytes = one.end - one.begin;
        note_fill({one.begin, bytes, bytes, 1});
    }
}

const char* kind_of(cufftType type) {
    if (type == CUFFT_C2C) return "C2C";
    return type == CUFFT_R2C ? "R2C" : "C2R";
}

/// It is done. Ranges take their time: nobody needs them of a plain program whose input is still there.
void announce(const transform_array& from, const transform_array& to, const transform_plan& plan,
              int direction) {
    const bool in_place = from.begin == to.begin;
    const bool is_spoilt = spoils_input(plan, in_place);
    if (!the_observer && !is_spoilt) return;
    done_transform done;
    done.call = from.call;
    done.kind = kind_of(plan.type);
    done.is_inverse = plan.type == CUFFT_C2R || (plan.type == CUFFT_C2C && direction == CUFFT_INVERSE);
    done.in_place = in_place;
    done.sizes.assign(plan.sizes, plan.sizes + plan.rank);
    done.batch = uint64_t(plan.batch);
    done.reads = ranges_of(from.side, from.begin);
    done.writes = ranges_of(to.side, to.begin);
    done.unsets_input = is_spoilt;
    if (is_spoilt) unset(done.reads);
    forget_names_of(done.writes);
    if (the_observer) the_observer->transformed(done);
}

cufftResult transform_there(const char* call, transform_plan plan, const void* in, void* out, int direction) {
    return transform(call, plan, in, out, direction);
}

}  // namespace

cufftResult transform(const char* call, const transform_plan& plan, const void* in, void* out,
                      int direction) {
    if (device_is_far()) return ask_device<transform_there>(call, plan, in, out, direction);
    const bool is_direction = direction == CUFFT_FORWARD || direction == CUFFT_INVERSE;
    if (sticky_error() != cudaSuccess || fault_of(plan).error != CUFFT_SUCCESS || !is_direction)
        return CUFFT_EXEC_FAILED;
    const bool in_place = in == out;
    transform_array from{call, side_of(plan, true, in_place), reinterpret_cast<uintptr_t>(in)};
    transform_array to{call, side_of(plan, false, in_place), reinterpret_cast<uintptr_t>(out)};
    for (transform_array* one : {&from, &to}) {
        one->bytes = extent_of(one->side);
        if (const cufftResult bad = check(*one)) return bad;
    }
    const bool overlap = from.begin < to.begin + to.bytes && to.begin < from.begin + from.bytes;
    if (!in_place && overlap)
        return stop("race", std::string(call) + " reads and writes the same memory, and not in place");
    if (in_place && !fit_in_place(from.side, to.side))
        return stop("race",
                    std::string(call) + " in place has rows of the output where others of the input are");
    if (fails_this_time(call)) return CUFFT_EXEC_FAILED;
    show_variables_of(current_device());
    if (!compute(plan, from.side, host_view(in), to.side, host_view(out), direction))
        return CUFFT_EXEC_FAILED;
    announce(from, to, plan, direction);
    return CUFFT_SUCCESS;
}

}  // namespace simt
