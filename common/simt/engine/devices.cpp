// Emulated devices share one range of addresses. Their variables, which the program's text places once, are exchanged
// when another device is used.
#include "simt/engine/devices.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "simt/engine/far_device.h"
#include "simt/engine/symbols.h"

namespace simt {
namespace {

int count_of_environment() {
    const char* wanted = std::getenv("SIMT_DEVICES");
    return std::clamp(wanted ? std::atoi(wanted) : 1, 1, MOST_DEVICES);
}

using bytes_of_sections = std::array<std::vector<char>, 2>;

struct all_devices {
    std::mutex mutex;
    int count = count_of_environment();
    std::set<std::pair<int, int>> reaching;
    int shown = 0;                            // whose variables the program's sections hold
    std::optional<bytes_of_sections> fresh;   // as the program began
    std::map<int, bytes_of_sections> hidden;  // those of the others that have been used
};

all_devices& devices() {
    static auto* all = new all_devices;  // never destroyed, see allocations.cpp
    return *all;
}

struct section {
    char *begin, *end;
};

std::array<section, 2> sections() {
    return {{{__start_simt_const, __stop_simt_const}, {__start_simt_dev, __stop_simt_dev}}};
}

bytes_of_sections content() {
    bytes_of_sections bytes;
    for (size_t i = 0; i < bytes.size(); i++)
        bytes[i].assign(sections()[i].begin, sections()[i].end);
    return bytes;
}

void put_content(const bytes_of_sections& bytes) {
    for (size_t i = 0; i < bytes.size(); i++)
        if (!bytes[i].empty()) std::memcpy(sections()[i].begin, bytes[i].data(), bytes[i].size());
}

/// There are so many, all as they were when the program began.
void renew_devices(int count) {
    if (device_is_far()) ask_device<renew_devices>(count);
    const std::lock_guard lock(devices().mutex);
    devices().count = count;
    devices().reaching.clear();
    devices().hidden.clear();
    devices().shown = 0;
}

/// The lock must be held.
void keep_fresh_variables() {
    if (devices().fresh) return;
    devices().fresh = content();
}

void prepare_devices() {
    if (device_is_far()) return ask_device<prepare_devices>();
    const std::lock_guard lock(devices().mutex);
    keep_fresh_variables();
}

}  // namespace

int device_count() {
    return devices().count;
}

void lend_devices(int count, int current) {
    static const bool is_ready = (prepare_devices(), true);
    (void)is_ready;
    const int lent = std::clamp(count, 1, MOST_DEVICES);
    if (lent > 1 || devices().count > 1) renew_devices(lent);
    the_asked_work().device = std::clamp(current, 0, lent - 1);
}

bool reaches(int device, int peer) {
    if (device == peer) return true;
    const std::lock_guard lock(devices().mutex);
    return devices().reaching.contains({device, peer});
}

bool let_reach(int device, int peer, bool enabled) {
    if (device_is_far()) return ask_device<let_reach>(device, peer, enabled);
    const std::lock_guard lock(devices().mutex);
    return enabled ? devices().reaching.insert({device, peer}).second
                   : devices().reaching.erase({device, peer}) > 0;
}

void show_variables_of(int device) {
    const std::lock_guard lock(devices().mutex);
    if (devices().count == 1) return;
    keep_fresh_variables();
    const int before = std::exchange(devices().shown, device);
    if (before == device) return;
    devices().hidden[before] = content();
    const auto found = devices().hidden.find(device);
    put_content(found != devices().hidden.end() ? found->second : *devices().fresh);
}

}  // namespace simt
