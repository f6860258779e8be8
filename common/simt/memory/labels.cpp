// Keeps the named host ranges of the call in progress, and what the copies tell of device memory.
#include "simt/memory/labels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "simt/engine/far_device.h"
#include "simt/engine/observer.h"
#include "simt/memory/allocations.h"
#include "simt/memory/arena.h"
#include "simt/memory/range_names.h"
#include "simt/memory/same_words.h"
#include "simt/memory/sent_bytes.h"

namespace simt {
namespace {

using words = std::vector<uint32_t>;

/// Bytes of another process's memory, seen at its addresses.
struct host_copy {
    host_copy(const void* begin, std::span<const std::byte> content)
        : bytes(content.begin(), content.end()), window(begin, bytes.size(), bytes.data()) {}
    byte_list bytes;
    host_window window;
};

/// An array of the call.
struct host_array {
    uintptr_t begin = 0, end = 0;
    std::string name;
    bool is_output = false;
    bool is_found = false;  // known to be on the device, or to come from there
    std::optional<word_index> index;
    std::shared_ptr<host_copy> copy;  // of a host that is another process

    size_t bytes() const { return end - begin; }
    std::span<const uint32_t> values() const {
        return {reinterpret_cast<const uint32_t*>(host_view(begin)), bytes() / sizeof(uint32_t)};
    }
    const word_index& content() {
        if (!index) index.emplace(values());
        return *index;
    }
};

/// A copy whose meaning shows when the call ends.
struct noted_copy {
    byte_rows dst, src;
    words content;  // of a copy from or to the host
};

struct label_book {
    std::mutex mutex;
    std::vector<host_array> arrays;
    range_names brought, taken;  // by the host, to and from device memory
    // From and to host memory that is none of the call's arrays.
    std::vector<noted_copy> from_nowhere, to_nowhere;
    std::vector<noted_copy> on_device;
};

label_book& the_book() {
    static auto* book = new label_book;  // never destroyed, see allocations.cpp
    return *book;
}

host_array* array_at(label_book& book, uintptr_t address) {
    for (host_array& array : book.arrays) {
        if (address >= array.begin && address < array.end) return &array;
    }
    return nullptr;
}

/// The rows one after the other; empty if they are no whole words.
words words_of(const byte_rows& rows) {
    if (rows.width % sizeof(uint32_t) != 0) return {};
    words content(rows.width / sizeof(uint32_t) * rows.height);
    for (size_t row = 0; row < rows.height; row++)
        std::memcpy(reinterpret_cast<char*>(content.data()) + row * rows.width,
                    host_view(rows.begin + row * rows.pitch), rows.width);
    return content;
}

/// Words [begin, end) of a text that belong to an array.
struct named_run {
    word_run run;
    host_array* array = nullptr;
    bool is_whole() const { return run.words() == array->bytes() / sizeof(uint32_t); }
};

/// Which arrays make up the text: whole arrays before parts of others, long runs before short ones.
std::vector<named_run> recognise(label_book& book, const words& text, bool outputs) {
    std::vector<named_run> all, chosen;
    for (host_array& array : book.arrays) {
        if (array.is_output != outputs) continue;
        for (const word_run& run : array.content().runs_in(text))
            all.push_back({run, &array});
    }
    std::stable_sort(all.begin(), all.end(), [](const named_run& a, const named_run& b) {
        return std::pair(a.is_whole(), a.run.words()) > std::pair(b.is_whole(), b.run.words());
    });
    for (named_run one : all) {
        for (const named_run& other : chosen) {  // what is left of it beside those
            if (one.run.begin >= other.run.begin) one.run.begin = std::max(one.run.begin, other.run.end);
            if (one.run.begin < other.run.begin) one.run.end = std::min(one.run.end, other.run.begin);
        }
        if (one.run.begin < one.run.end) chosen.push_back(one);
    }
    std::sort(chosen.begin(), chosen.end(),
              [](const named_run& a, const named_run& b) { return a.run.begin < b.run.begin; });
    return chosen;
}

/// Names the memory; without an observer the name of the allocation is all that anybody asks for.
void assign(range_names& names, uintptr_t begin, uintptr_t end, host_array& array, bool brought) {
    if (the_observer) names.assign(begin, end, array.name);
    array.is_found = true;
    label_allocation(begin, array.name, brought);
}

/// Names rows on the device by their content. What stands between two parts of one array belongs to it, and
/// all of a copy that has parts of one array only: ghost cells. False if nothing was recognised.
bool assign_by_content(label_book& book, range_names& names, const byte_rows& rows, const words& content,
                       bool brought) {
    const std::vector<named_run> found = recognise(book, content, !brought);
    if (found.empty()) return false;
    const size_t row_words = rows.width / sizeof(uint32_t);
    const auto address = [&](size_t word) {
        return rows.begin + word / row_words * rows.pitch + word % row_words * sizeof(uint32_t);
    };
    const auto is_first = [&](const named_run& one) { return one.array == found.front().array; };
    if (std::all_of(found.begin(), found.end(), is_first)) {
        assign(names, rows.begin, rows.end(), *found.front().array, brought);
        return true;
    }
    names.assign(rows.begin, rows.end(), "");
    for (size_t k = 0; k < found.size(); k++) {
        const bool goes_on = k + 1 < found.size() && found[k + 1].array == found[k].array;
        const uintptr_t end =
            goes_on ? address(found[k + 1].run.begin) : address(found[k].run.end - 1) + sizeof(uint32_t);
        assign(names, address(found[k].run.begin), end, *found[k].array, brought);
    }
    return true;
}

/// Device memory in which something was not recognised: an allocation, or a variable of the program.
struct unknown_memory {
    uintptr_t begin = 0, end = 0;
    size_t bytes = 0;  // that were not recognised
};

/// Without an end for a __constant__ variable, whose accesses have its name.
unknown_memory owner_of(uintptr_t address) {
    if (const variable* named = device_variable_at(address))
        return {named->begin, named->begin + named->bytes};
    const allocation* owner = allocation_near(address);  // it may have been freed
    if (!owner || address < owner->begin || address >= owner->begin + owner->bytes) return {};
    return {owner->begin, owner->begin + owner->bytes};
}

std::vector<unknown_memory> unknown_in(const range_names& names) {
    std::vector<unknown_memory> all;
    for (const named_range& one : names.within(0, UINTPTR_MAX)) {
        if (one.name != UNRECOGNISED) continue;
        const unknown_memory owner = owner_of(one.begin);
        if (owner.end == 0) continue;
        if (all.empty() || all.back().begin != owner.begin) all.push_back(owner);
        all.back().bytes += one.end - one.begin;
    }
    return all;
}

/// Takes unknown memory for the arrays that were found nowhere: by their order in size, and by the size itself
/// where one array may be in several places.
void guess(label_book& book, bool outputs, std::vector<guessed_array>& guesses) {
    std::vector<unknown_memory> unknown = unknown_in(outputs ? book.taken : book.brought);
    std::vector<const host_array*> missing;
    for (const host_array& array : book.arrays) {
        if (array.is_output == outputs && !array.is_found && array.bytes() > 0) missing.push_back(&array);
    }
    if (missing.empty()) return;
    std::sort(unknown.begin(), unknown.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    std::sort(missing.begin(), missing.end(), [](auto* a, auto* b) { return a->bytes() > b->bytes(); });
    for (size_t k = 0; k < unknown.size(); k++) {
        const auto distance = [&](const host_array* array) {
            return std::abs(std::log(double(array->bytes()) / double(unknown[k].bytes)));
        };
        const auto nearest = std::min_element(missing.begin(), missing.end(),
                                              [&](auto* a, auto* b) { return distance(a) < distance(b); });
        const host_array& meant = unknown.size() == missing.size() ? *missing[k] : **nearest;
        guesses.push_back({meant.name, outputs, unknown[k].begin, unknown[k].end});
    }
}

/// What a copy within the device took over into memory that the host took is the host's as well.
void trace_back(label_book& book, const noted_copy& copy) {
    for (const named_range& one : book.taken.within(copy.dst.begin, copy.dst.end())) {
        if (!book.taken.within(copy.src.begin, copy.src.end()).empty()) return;
        book.taken.assign(copy.src.begin, copy.src.end(), one.name);
        return;
    }
}

}  // namespace

namespace {

void label_there(const void* begin, const char* name, bool is_output, std::span<const std::byte> content) {
    label_host_range(begin, content.size(), name, is_output);
    the_book().arrays.back().copy = std::make_shared<host_copy>(begin, as_on_device(content));
}

}  // namespace

void label_host_range(const void* begin, size_t bytes, std::string name, bool is_output) {
    if (device_is_far()) {
        const std::span content(static_cast<const std::byte*>(begin), bytes);
        return look_at_device<label_there>(begin, name.c_str(), is_output, content);
    }
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    const uintptr_t address = reinterpret_cast<uintptr_t>(begin);
    book.arrays.push_back({address, address + bytes, std::move(name), is_output, false, {}, {}});
}

void show_host_range(const std::string& name, std::span<const std::byte> content) {
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    for (host_array& array : book.arrays) {
        if (array.name != name || !array.copy || array.copy->bytes.size() != content.size()) continue;
        std::copy(content.begin(), content.end(), array.copy->bytes.begin());
    }
}

void forget_host_ranges() {
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    book.arrays.clear();
}

void note_copy_to_device(const byte_rows& dst, const byte_rows& src) {
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    if (book.arrays.empty()) return;
    host_array* source = array_at(book, src.begin);
    // The host may use its output as a place to prepare an input in.
    if (source && (!source->is_output || !the_observer))
        return assign(book.brought, dst.begin, dst.end(), *source, true);
    if (!the_observer) return;
    words content = words_of(src);
    if (assign_by_content(book, book.brought, dst, content, true)) return;
    book.brought.assign(dst.begin, dst.end(), source ? source->name : UNRECOGNISED);
    book.from_nowhere.push_back({dst, src, std::move(content)});
}

void note_copy_to_array(const byte_rows& src) {
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    if (host_array* source = array_at(book, src.begin)) source->is_found = true;
    if (!the_observer || array_at(book, src.begin)) return;
    for (const named_run& one : recognise(book, words_of(src), false))
        one.array->is_found = true;
}

void note_copy_to_host(const byte_rows& dst, const byte_rows& src) {
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    if (book.arrays.empty()) return;
    host_array* target = array_at(book, dst.begin);
    if (target)
        assign(book.taken, src.begin, src.end(), *target, false);
    else if (the_observer)
        book.to_nowhere.push_back({dst, src, words_of(src)});
}

void note_copy_on_device(const byte_rows& dst, const byte_rows& src) {
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    if (!the_observer) return;
    book.brought.assign(dst.begin, dst.end(), "");
    const std::vector<named_range> held = book.brought.within(src.begin, src.end());
    for (const named_range& one : held) {
        // Rows may lie closer here than there, so one name is for all of them.
        const bool all = held.size() == 1 || src.height > 1;
        book.brought.assign(all ? dst.begin : dst.begin + (one.begin - src.begin),
                            all ? dst.end() : dst.begin + (one.end - src.begin), one.name);
    }
    book.on_device.push_back({dst, src, {}});
}

void note_fill(const byte_rows& filled) {
    if (!the_observer) return;
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    for (size_t row = 0; row < filled.height; row++) {
        const uintptr_t begin = filled.begin + row * filled.pitch;
        book.brought.assign(begin, begin + filled.width, "");
    }
}

std::vector<named_range> brought_by_host(uintptr_t begin, uintptr_t end) {
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    return book.brought.within(begin, end);
}

std::vector<named_range> taken_by_host(uintptr_t begin, uintptr_t end) {
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    return book.taken.within(begin, end);
}

std::vector<guessed_array> settle_names() {
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    for (host_array& array : book.arrays) {
        if (array.is_output) array.index.reset();  // it was empty when the call began
    }
    for (const noted_copy& copy : book.from_nowhere) {  // what the host has computed itself is no input
        if (!recognise(book, copy.content, true).empty())
            book.brought.assign(copy.dst.begin, copy.dst.end(), "");
    }
    for (const noted_copy& copy : book.to_nowhere) {
        if (!assign_by_content(book, book.taken, copy.src, copy.content, false))
            book.taken.assign(copy.src.begin, copy.src.end(), UNRECOGNISED);
    }
    std::for_each(book.on_device.rbegin(), book.on_device.rend(),
                  [&](const noted_copy& copy) { trace_back(book, copy); });
    std::vector<guessed_array> guesses;
    guess(book, false, guesses);
    guess(book, true, guesses);
    book.from_nowhere.clear();
    book.to_nowhere.clear();
    book.on_device.clear();
    return guesses;
}

void forget_names() {
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    book.taken.clear();
    for (const named_range& one : book.brought.within(0, UINTPTR_MAX)) {
        allocation owner;
        const bool is_freed = is_device_address(one.begin) && !find_live(one.begin, owner);
        // What one call was guessed to be says nothing about the next.
        if (is_freed || one.name == UNRECOGNISED) book.brought.assign(one.begin, one.end, "");
    }
}

size_t named_bytes_from(const void* host_address, std::string& name) {
    label_book& book = the_book();
    const std::lock_guard lock(book.mutex);
    const uintptr_t address = reinterpret_cast<uintptr_t>(host_address);
    const host_array* range = array_at(book, address);
    if (!range) return SIZE_MAX;
    name = range->name;
    return range->end - address;
}

}  // namespace simt
