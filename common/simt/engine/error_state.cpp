// Last and sticky errors, their names and messages.
#include "simt/engine/error_state.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>

#include "simt/engine/devices.h"
#include "simt/engine/far_device.h"
#include "simt/engine/report.h"

namespace simt {
namespace {

struct error_entry {
    cudaError_t error;
    const char* name;
    const char* message;
};

#define SIMT_ERROR(name, number, message) {name, #name, message},
constexpr error_entry ERRORS[] = {
#include "simt/include/simt/error_list.h"
};
#undef SIMT_ERROR

const error_entry* find_error(cudaError_t error) {
    for (const error_entry& entry : ERRORS) {
        if (entry.error == error) return &entry;
    }
    return nullptr;
}

thread_local cudaError_t last_error = cudaSuccess;
// A failed kernel spoils the device for every host thread.
std::atomic<cudaError_t> sticky = cudaSuccess;
std::atomic<uint64_t> calls_until_failure = 0;  // 0: there will be none
std::atomic<bool> failure_loses_device = false;
constexpr int NONE = -1;
std::atomic<int> lost_device = NONE;

}  // namespace

void make_sticky(cudaError_t error) {
    cudaError_t none = cudaSuccess;
    sticky.compare_exchange_strong(none, error);
}

cudaError_t sticky_error() {
    return sticky;
}

cudaError_t error_of_device(int device) {
    if (sticky != cudaSuccess) return sticky;
    return device == lost_device ? cudaErrorDevicesUnavailable : cudaSuccess;
}

cudaError_t device_error() {
    return error_of_device(current_device());
}

cudaError_t remember_on_host(cudaError_t error) {
    if (sticky != cudaSuccess) return sticky;
    if (error != cudaSuccess) last_error = error;
    return error;
}

cudaError_t remember(cudaError_t error) {
    const cudaError_t failed = device_error();
    return remember_on_host(failed != cudaSuccess ? failed : error);
}

/// No error: the program may have asked in order to find out.
static void note_refusal(const char* reason) {
    if (device_is_far()) return look_at_device<note_refusal>(reason);
    if (the_observer) the_observer->found({"refused-call", false, reason, user_frame()});
}

void tell_refusal(const char* reason) {
    complain(reason);
    note_refusal(reason);
}

cudaError_t refuse(cudaError_t error, const char* format, ...) {
    if (sticky != cudaSuccess) return sticky;
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    tell_refusal(reason);
    return remember(error);
}

/// Where there are several devices, which of them was asked.
static std::string place_of_call() {
    return device_count() == 1 ? "" : " on device " + std::to_string(current_device());
}

bool fails_this_time(const char* call) {
    if (calls_until_failure == 0 || --calls_until_failure > 0) return false;
    if (failure_loses_device) lost_device = current_device();
    const char* what = failure_loses_device ? "the last thing that this device does: from here on it is lost"
                                            : "this time it fails: somebody wants to see what happens then";
    tell_refusal((call + place_of_call() + ": " + what).c_str());
    return !failure_loses_device;
}

cudaError_t done(const char* call) {
    if (const cudaError_t failed = device_error()) return remember(failed);
    return remember_on_host(fails_this_time(call) ? cudaErrorUnknown : cudaSuccess);
}

void fail_call(uint64_t number, bool loses_device) {
    if (device_is_far()) return ask_device<fail_call>(number, loses_device);
    calls_until_failure = number;
    failure_loses_device = loses_device;
    lost_device = NONE;
}

void clear_errors() {
    sticky = cudaSuccess;
    last_error = cudaSuccess;
}

error_news take_error_news() {
    return {std::exchange(last_error, cudaSuccess), sticky, lost_device};
}

void adopt(const error_news& news) {
    if (news.last != cudaSuccess) last_error = news.last;
    sticky = news.sticky;
    lost_device = news.lost_device;
}

}  // namespace simt

using namespace simt;

extern "C" cudaError_t cudaPeekAtLastError() {
    return sticky != cudaSuccess ? sticky.load() : last_error;
}

extern "C" cudaError_t cudaGetLastError() {
    const cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

extern "C" const char* cudaGetErrorName(cudaError_t error) {
    const error_entry* entry = find_error(error);
    return entry ? entry->name : "unrecognized error code";
}

extern "C" const char* cudaGetErrorString(cudaError_t error) {
    const error_entry* entry = find_error(error);
    return entry ? entry->message : "unrecognized error code";
}
