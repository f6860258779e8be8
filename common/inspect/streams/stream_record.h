// What a call asked of the device's streams: which operation may run beside which, on what timeline, and which of them
// use the same bytes although nothing says which comes first.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inspect/report/report.h"
#include "inspect/streams/byte_ranges.h"
#include "simt/engine/stream_order.h"

namespace inspect {

/// The part of the device that does it: copies of either direction, and to other devices, have an engine of their own,
/// all else the cores.
enum class work_kind : uint8_t { to_device, to_host, peer, on_device, fill, kernel, transform };

/// Work that the device has been given. Ranges are needed of what is_used() only.
struct device_work {
    work_kind kind{};
    std::string name;  // of the kernel, or of the call
    simt::asked_work asked;
    uint64_t bytes = 0;
    byte_ranges reads = {}, writes = {}, updates = {};  // of these writes, those by atomic operations
    uintptr_t site = 0;
    int device = 0;       // that does it: of a copy to a peer the one that it comes from
    transform what = {};  // of a transform
};

/// Two operations in different streams: `later` was asked for later.
struct stream_race {
    device_work earlier, later;
    byte_range bytes;
    bool earlier_writes = false, later_writes = false;
};

/// Follows one process. Not thread-safe.
class stream_record {
public:
    void take(const simt::stream_step& step);
    /// True once there is more than one stream: nothing can race before.
    bool is_used() const { return used; }
    /// Work is about to begin in this stream.
    void begin(uintptr_t stream) { used = used || stream != 0; }
    /// The host may race with what it has not waited for.
    void watch_host() { used = true; }
    /// It is done. Returns what it races with.
    std::vector<stream_race> add(device_work work);
    /// Kernels that the host has not waited for, the latest first.
    std::vector<const device_work*> open_kernels() const;
    void allocated(uint64_t bytes, uintptr_t site);
    /// Freed memory: whoever gets it has nothing to do with who had it.
    void freed(uintptr_t begin, size_t bytes);
    /// The call's operations, in the order in which it asked for them; sites in place of lines. Forgets them.
    struct record {
        operation what;
        uintptr_t site = 0;
        std::optional<transform> transformed = {};
    };
    std::vector<record> take_operations();

    /// "stream 2", in the order in which the call used them, "the default stream".
    std::string name_of(uintptr_t stream) const;

private:
    /// An operation that the host has not waited for.
    struct open_work {
        device_work work;
        simt::stream_stamp when;
        size_t index = 0;  // in records
    };
    void count_overlaps(const open_work& now);
    unsigned number_of(uintptr_t stream);

    static constexpr size_t MOST_OPERATIONS = 4096;  // of a report; a program may ask for millions
    static constexpr size_t MOST_OPEN = 1024;        // that a new one is compared with: the latest
    bool used = false;
    simt::stream_order order;
    std::deque<open_work> open;
    std::vector<record> records;
    std::vector<uintptr_t> streams;                          // as the call used them
    std::map<std::pair<int, size_t>, uint64_t> engine_free;  // by device and engine
};

/// "conv_kernel in stream 1 reads ... that cudaMemcpyAsync in stream 2 writes ...".
std::string sentence_of(const stream_race& race, const stream_record& record, const std::string& memory);

}  // namespace inspect
