// Keeps the state of every byte of device memory.
#include "inspect/memory/device_state.h"

#include <algorithm>
#include <cstring>

namespace inspect {

using simt::allocation;
using simt::CHUNK_BYTES;

device_state::device_state() = default;

device_state::~device_state() {
    for (auto& chunk : chunks)
        delete chunk.load();
}

void device_state::allocated(const allocation& what) {
    if (chunks.empty()) {  // device memory is reserved by the first allocation
        begin = simt::device_begin;
        const size_t count = (simt::device_end - simt::device_begin) / CHUNK_BYTES;
        chunks = std::vector<std::atomic<chunk*>>(count);
        owners.resize(count);
    }
    forget(what);
    if (records.size() <= what.serial) records.resize(what.serial + 1);
    pieces.allocated(what);
    records[what.serial] = what;
    const size_t first = (what.begin - begin) / CHUNK_BYTES;
    const size_t last = (what.begin + what.bytes - 1 - begin) / CHUNK_BYTES;
    std::fill(owners.begin() + first, owners.begin() + last + 1, what.serial);
}

void device_state::freed(const allocation& what) {
    if (what.serial >= records.size()) return;
    forget(what);
    records[what.serial] = what;
    records[what.serial].live = false;
    pieces.freed(what);
}

/// Drops the states of an allocation's chunks, so that they are made anew from what is allocated there then.
void device_state::forget(const allocation& what) {
    const size_t first = (what.begin - begin) / CHUNK_BYTES;
    const size_t last = (what.begin + what.bytes - 1 - begin) / CHUNK_BYTES;
    for (size_t index = first; index <= last; index++)
        delete chunks[index].exchange(nullptr);
}

/// Of a chunk that nobody has touched. It belongs to one allocation, which begins with a chunk, or to none.
void device_state::set_initial_states(chunk& states, size_t index) const {
    states.fill(NOT_ALLOCATED);
    if (owners[index] == 0) return;
    const allocation& owner = records[owners[index]];
    const size_t first = begin + index * CHUNK_BYTES - owner.begin;
    if (!owner.live || owner.is_heap || first >= owner.bytes) return;
    const size_t end = std::min(owner.bytes, first + CHUNK_BYTES);
    const byte_state state = simt::host_may_write(owner.use) ? INITIALISED : UNINITIALISED;
    std::fill_n(states.begin(), end - first, state);
    if (owner.pitch == 0) return;
    for (size_t row = first / owner.pitch * owner.pitch; row < end; row += owner.pitch) {
        const size_t from = std::max(row + owner.row_bytes, first), to = std::min(row + owner.pitch, end);
        if (from < to) std::fill(states.begin() + (from - first), states.begin() + (to - first), ROW_PADDING);
    }
}

/// The states of a chunk; the caller holds its mutex, or no kernel runs.
device_state::chunk& device_state::make(size_t index) {
    if (chunk* found = find(index)) return *found;
    auto* made = new chunk;
    set_initial_states(*made, index);
    chunks[index].store(made, std::memory_order_release);
    return *made;
}

/// Calls act(chunk index, first byte in the chunk, bytes) for the chunks that
/// a range touches, inside device memory.
template <class action>
void device_state::for_each_piece(uintptr_t address, size_t bytes, const action& act) {
    if (chunks.empty() || address < begin || address >= simt::device_end) return;
    size_t offset = address - begin;
    const size_t end = std::min(offset + bytes, chunks.size() * CHUNK_BYTES);
    while (offset < end) {
        const size_t in_chunk = offset % CHUNK_BYTES;
        const size_t piece = std::min(end - offset, CHUNK_BYTES - in_chunk);
        act(offset / CHUNK_BYTES, in_chunk, piece);
        offset += piece;
    }
}

void device_state::host_wrote(uintptr_t address, size_t bytes) {
    for_each_piece(address, bytes, [&](size_t index, size_t first, size_t count) {
        chunk& states = make(index);
        for (size_t i = first; i < first + count; i++) {
            if (states[i] == UNINITIALISED) states[i] = INITIALISED;
        }
    });
}

void device_state::copied(uintptr_t to, uintptr_t from, size_t bytes) {
    std::vector<uint8_t> source;
    for_each_piece(from, bytes, [&](size_t index, size_t first, size_t count) {
        const chunk& states = make(index);
        source.insert(source.end(), states.begin() + first, states.begin() + first + count);
    });
    size_t done = 0;
    for_each_piece(to, source.size(), [&](size_t index, size_t first, size_t count) {
        chunk& states = make(index);
        for (size_t i = 0; i < count; i++) {
            uint8_t& state = states[first + i];
            if (state == NOT_ALLOCATED || state == ROW_PADDING) continue;
            state = source[done + i] == UNINITIALISED ? UNINITIALISED : INITIALISED;
        }
        done += count;
    });
}

device_state::unwritten device_state::find_unwritten(uintptr_t address, size_t bytes) {
    unwritten result;
    if (is_incomplete) return result;
    for_each_piece(address, bytes, [&](size_t index, size_t first, size_t count) {
        const chunk& states = make(index);
        for (size_t i = first; i < first + count; i++) {
            if (states[i] != UNINITIALISED) continue;
            if (result.bytes++ == 0) result.first = begin + index * CHUNK_BYTES + i;
        }
    });
    return result;
}

void device_state::read_states(uint8_t* states, uint32_t offset, uint32_t bytes) {
    const size_t index = offset / CHUNK_BYTES;
    if (index >= owners.size() || owners[index] == 0) {
        std::memset(states, NOT_ALLOCATED, bytes);
        return;
    }
    {
        const std::lock_guard lock(mutex_of(index));
        std::memcpy(states, &make(index)[offset % CHUNK_BYTES], bytes);
    }
    // What another block of this launch wrote is not there for this one: no order holds between blocks.
    const uint8_t unwritten = is_incomplete ? INITIALISED : UNINITIALISED;
    for (uint32_t i = 0; i < bytes; i++) {
        const bool is_unwritten = states[i] == UNINITIALISED || states[i] == WRITTEN_BY_LAUNCH;
        states[i] = is_unwritten ? unwritten : states[i];
    }
}

void device_state::merge_written(const uint8_t* states, uint32_t offset, uint32_t bytes) {
    const size_t index = offset / CHUNK_BYTES;
    bool first = false;
    {
        const std::lock_guard lock(mutex_of(index));
        uint8_t* known = &make(index)[offset % CHUNK_BYTES];
        for (uint32_t i = 0; i < bytes; i++) {
            const bool is_new = states[i] == INITIALISED && known[i] == UNINITIALISED;
            known[i] = is_new ? uint8_t{WRITTEN_BY_LAUNCH} : known[i];
            first |= is_new;
        }
    }
    if (!first) return;
    const std::lock_guard lock(written_mutex);
    if (written.empty() || written.back() != index) written.push_back(index);
}

void device_state::set_states(uint32_t offset, size_t bytes, byte_state state) {
    for_each_piece(begin + offset, bytes, [&](size_t index, size_t first, size_t count) {
        const std::lock_guard lock(mutex_of(index));
        chunk& known = make(index);
        std::fill_n(known.begin() + first, count, static_cast<uint8_t>(state));
    });
}

void device_state::launch_ended() {
    std::sort(written.begin(), written.end());
    written.erase(std::unique(written.begin(), written.end()), written.end());
    for (const size_t index : written) {
        for (uint8_t& state : *find(index)) {
            if (state == WRITTEN_BY_LAUNCH) state = INITIALISED;
        }
    }
    written.clear();
}

void device_state::refresh_labels() {
    for (allocation& record : records) {
        if (record.serial == 0 || !record.live) continue;
        const allocation* now = simt::allocation_near(record.begin);
        if (now && now->serial == record.serial) record.label = now->label;
    }
}

}  // namespace inspect
