// What is known of every byte of device memory between launches: allocated or not, written or not.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "inspect/memory/pieces.h"
#include "inspect/memory/short_mutex.h"
#include "simt/engine/observer.h"

namespace inspect {

/// The state of one byte of memory.
enum byte_state : uint8_t {
    NOT_ALLOCATED = 0,
    UNINITIALISED = 1,
    INITIALISED = 2,
    ROW_PADDING = 3,        // allocated, but between the end of a pitched row and the next row
    WRITTEN_BY_LAUNCH = 4,  // uninitialised when the running launch began; initialised when it has ended
};

/// Allocations and the state of their bytes. States exist only for chunks that somebody touched.
class device_state {
public:
    device_state();
    ~device_state();

    void allocated(const simt::allocation& what);
    void freed(const simt::allocation& what);
    void host_wrote(uintptr_t address, size_t bytes);
    void copied(uintptr_t to, uintptr_t from, size_t bytes);

    /// Bytes of [address, address + bytes) that are allocated and were never written, and the first of them.
    struct unwritten {
        size_t bytes = 0;
        uintptr_t first = 0;
    };
    unwritten find_unwritten(uintptr_t address, size_t bytes);

    /// The states of `bytes` bytes from `offset` (both multiples of 256,
    /// within one chunk) as the launch found them.
    void read_states(uint8_t* states, uint32_t offset, uint32_t bytes);
    /// Bytes that are INITIALISED in `states` have been written by the running launch.
    void merge_written(const uint8_t* states, uint32_t offset, uint32_t bytes);
    /// Of the heap: memory that a kernel got, or gave back.
    void set_states(uint32_t offset, size_t bytes, byte_state state);
    /// What the launch has written is initialised from now on.
    void launch_ended();
    /// Blocks of a launch did not run: from now on nobody knows what they would have written,
    /// and no byte counts as unwritten.
    void blocks_were_left_out() { is_incomplete = true; }
    void forget_blocks_left_out() { is_incomplete = false; }

    /// Serial of the allocation, live or freed, that owns the chunk of this offset; 0 for none.
    uint32_t owner(uint32_t offset) const { return owners[offset / simt::CHUNK_BYTES]; }
    /// The record of an allocation; keeps those that were freed. With its latest label.
    const simt::allocation& record(uint32_t serial) const { return records[serial]; }
    void refresh_labels();
    /// What the allocations consist of.
    memory_pieces pieces;
    uint32_t last_serial() const { return records.empty() ? 0 : static_cast<uint32_t>(records.size() - 1); }

private:
    using chunk = std::array<uint8_t, simt::CHUNK_BYTES>;
    chunk* find(size_t index) { return chunks[index].load(std::memory_order_acquire); }
    chunk& make(size_t index);
    void set_initial_states(chunk& states, size_t index) const;
    void forget(const simt::allocation& what);
    template <class action>
    void for_each_piece(uintptr_t address, size_t bytes, const action& act);
    short_mutex& mutex_of(size_t index) { return mutexes[index % mutexes.size()]; }

    uintptr_t begin = 0;  // of device memory
    bool is_incomplete = false;
    std::vector<std::atomic<chunk*>> chunks;
    std::vector<uint32_t> owners;           // by chunk
    std::vector<simt::allocation> records;  // by serial
    std::vector<size_t> written;            // chunks that hold WRITTEN_BY_LAUNCH
    short_mutex written_mutex;
    std::array<short_mutex, 64> mutexes;  // of chunks, striped: runners seldom meet
};

}  // namespace inspect
