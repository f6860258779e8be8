// Adds operations one by one and compares each with those that are not known to be over.
#include "inspect/streams/stream_record.h"

#include <algorithm>

namespace inspect {

namespace {

const char* word_of(work_kind kind) {
    switch (kind) {
        case work_kind::to_device:
            return "to-device";
        case work_kind::to_host:
            return "to-host";
        case work_kind::peer:
            return "peer";
        case work_kind::on_device:
            return "on-device";
        case work_kind::fill:
            return "fill";
        case work_kind::transform:
            return "transform";
        case work_kind::kernel:
            break;
    }
    return "kernel";
}

bool is_on_bus(work_kind kind) {
    return kind == work_kind::to_device || kind == work_kind::to_host || kind == work_kind::peer;
}

bool is_computed(work_kind kind) {
    return kind == work_kind::kernel || kind == work_kind::transform;
}

bool is_default(uintptr_t stream) {
    return stream == 0 || simt::is_default_of_other(stream);
}

size_t engine_of(work_kind kind) {
    switch (kind) {
        case work_kind::to_device:
            return 0;
        case work_kind::to_host:
            return 1;
        case work_kind::peer:
            return 2;
        default:
            return 3;
    }
}

/// How two operations race, if nothing orders them: by what the one writes and the other uses.
bool find_race(const device_work& earlier, const device_work& later, stream_race& race) {
    const auto look = [&](const byte_ranges& a, const byte_ranges& b, bool earlier_writes,
                          bool later_writes) {
        race.bytes = common_bytes(a, b);
        race.earlier_writes = earlier_writes;
        race.later_writes = later_writes;
        return !race.bytes.empty();
    };
    return look(earlier.writes, later.writes, true, true) || look(earlier.writes, later.reads, true, false) ||
           look(earlier.reads, later.writes, false, true);
}

}  // namespace

void stream_record::take(const simt::stream_step& step) {
    begin(step.what == simt::stream_step::kind::made ? step.stream : 0);
    order.take(step);
    std::erase_if(open, [&](const open_work& one) { return order.is_over(one.when); });
}

std::vector<stream_race> stream_record::add(device_work work) {
    begin(work.asked.stream);
    const uintptr_t stream = work.asked.stream;
    open_work now{std::move(work), order.ask(stream), records.size()};
    simt::stream_clock& clock = order.clock_of(stream);
    uint64_t& is_free = engine_free[{now.work.device, engine_of(now.work.kind)}];
    const uint64_t slot = std::max(clock.slot, is_free);
    clock.slot = is_free = slot + 1;

    std::vector<stream_race> races;
    for (const open_work& one : open) {
        stream_race race;
        if (!one.when.comes_before(clock) && find_race(one.work, now.work, race)) {
            race.earlier = one.work;
            race.later = now.work;
            races.push_back(std::move(race));
        }
    }
    if (records.size() < MOST_OPERATIONS) {
        operation told;
        told.what = word_of(now.work.kind);
        told.name = now.work.name;
        told.device = now.work.device;
        told.stream = number_of(stream);
        told.bytes = now.work.bytes;
        told.host_waits = !now.work.asked.host_goes_on;
        told.slot = slot;
        records.push_back({told, now.work.site});
        if (now.work.kind == work_kind::transform) {
            transform& one = records.back().transformed.emplace(now.work.what);
            one.stream = told.stream;
            one.device = told.device;
        }
        count_overlaps(now);
    }
    if (!now.work.asked.host_goes_on)
        order.host_waits_for(stream);
    else if (used)
        open.push_back(std::move(now));
    if (open.size() > MOST_OPEN) open.pop_front();
    return races;
}

/// Copies over the bus that may run beside kernels and transforms of the same device, and these beside copies.
void stream_record::count_overlaps(const open_work& now) {
    const simt::stream_clock& clock = order.clock_of(now.when.stream);
    const auto beside = [](const device_work& a, const device_work& b) {
        if (a.device != b.device) return false;
        return is_on_bus(a.kind) ? is_computed(b.kind) : is_computed(a.kind) && is_on_bus(b.kind);
    };
    for (const open_work& one : open) {
        if (one.when.comes_before(clock) || !beside(one.work, now.work)) continue;
        records[now.index].what.overlaps++;
        if (one.index < records.size()) records[one.index].what.overlaps++;
    }
}

std::vector<const device_work*> stream_record::open_kernels() const {
    std::vector<const device_work*> kernels;
    for (auto one = open.rbegin(); one != open.rend(); ++one)
        if (one->work.kind == work_kind::kernel && !order.is_over(one->when)) kernels.push_back(&one->work);
    return kernels;
}

void stream_record::allocated(uint64_t bytes, uintptr_t site) {
    if (records.size() >= MOST_OPERATIONS) return;
    operation told;
    told.what = "allocate";
    told.bytes = bytes;
    told.host_waits = true;
    records.push_back({told, site});
}

void stream_record::freed(uintptr_t begin, size_t bytes) {
    const auto is_freed = [&](const byte_range& one) {
        return one.begin >= begin && one.end <= begin + bytes;
    };
    for (open_work& one : open) {
        std::erase_if(one.work.reads, is_freed);
        std::erase_if(one.work.writes, is_freed);
    }
}

std::vector<stream_record::record> stream_record::take_operations() {
    std::vector<record> taken;
    taken.swap(records);
    open.clear();
    streams.clear();
    order.forget();
    engine_free = {};
    return taken;
}

unsigned stream_record::number_of(uintptr_t stream) {
    if (is_default(stream)) return 0;
    auto found = std::find(streams.begin(), streams.end(), stream);
    if (found == streams.end()) found = streams.insert(found, stream);
    return static_cast<unsigned>(found - streams.begin()) + 1;
}

std::string stream_record::name_of(uintptr_t stream) const {
    if (stream == 0) return "the default stream";
    for (int device = 1; device < simt::MOST_DEVICES; device++)
        if (stream == simt::default_stream_of(device))
            return "the default stream of device " + std::to_string(device);
    const auto found = std::find(streams.begin(), streams.end(), stream);
    return "stream " + std::to_string(found - streams.begin() + 1);
}

std::string sentence_of(const stream_race& race, const stream_record& record, const std::string& memory) {
    const auto who = [&](const device_work& one) {
        return one.name + " in " + record.name_of(one.asked.stream);
    };
    const std::string bytes = race.bytes.end - race.bytes.begin == 1
                                  ? " a byte"
                                  : " " + std::to_string(race.bytes.end - race.bytes.begin) + " bytes";
    return who(race.later) + (race.later_writes ? " writes" : " reads") + bytes + " of " + memory + " that " +
           who(race.earlier) + (race.earlier_writes ? " writes" : " reads") +
           ", and nothing says which comes first: let its stream wait for an event that the other one "
           "records";
}

}  // namespace inspect
