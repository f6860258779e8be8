// Sentences for findings, for a reader who is tired.
#include "inspect/watch/wording.h"

#include <algorithm>
#include <cstdlib>

#include "simt/engine/limits.h"

namespace inspect {

namespace {

using std::to_string;

/// A place within a variable.
struct named_place {
    std::string name;                // "" if unknown
    bool is_identifier = false;      // a name of the source, which may be followed by [index]
    int64_t offset = 0;              // bytes from its begin; negative: before it
    int64_t bytes = 0;               // of the variable
    std::vector<size_t> steps = {};  // simt::variable
};

std::string coordinates(uint64_t linear, const uint3& shape) {
    std::string text = "(";
    text += to_string(linear % shape.x) + "," + to_string(linear / shape.x % shape.y) + "," +
            to_string(linear / shape.x / shape.y) + ")";
    return text;
}

std::string verb(access_kind kind) {
    switch (kind) {
        case access_kind::read:
            return "reads";
        case access_kind::write:
            return "writes";
        default:
            return "atomically updates";
    }
}

std::string participle(access_kind kind) {
    switch (kind) {
        case access_kind::read:
            return "read";
        case access_kind::write:
            return "written";
        default:
            return "atomically updated";
    }
}

std::string without_name(const simt::allocation& what) {
    return "allocation #" + to_string(what.serial) + " of " + to_string(what.bytes) + " bytes";
}

named_place place_of(const simt::variable& what, uint64_t address) {
    return {what.name, true, static_cast<int64_t>(address - what.begin), static_cast<int64_t>(what.bytes),
            what.steps};
}

/// The variable at an offset of shared memory, or the one that lies nearest: its begin or end was passed.
named_place shared_place(uint64_t offset, const launch_record& launch) {
    const int64_t in_dynamic = static_cast<int64_t>(offset) - launch.dynamic_begin;
    const named_place dynamic{"dynamic shared memory", false, in_dynamic,
                              static_cast<int64_t>(launch.dynamic_shared)};
    if (in_dynamic >= 0 && in_dynamic < static_cast<int64_t>(simt::SHARED_PER_BLOCK_OPTIN)) return dynamic;
    const uint64_t in_statics = offset - launch.shared_shift;
    const auto distance = [&](const simt::variable& one) {
        if (in_statics < one.begin) return one.begin - in_statics;
        return in_statics - std::min<uint64_t>(in_statics, one.begin + one.bytes - 1);
    };
    const auto is_nearer = [&](const simt::variable& a, const simt::variable& b) {
        return distance(a) < distance(b);
    };
    const auto meant = std::min_element(launch.shared.begin(), launch.shared.end(), is_nearer);
    if (meant == launch.shared.end()) return dynamic;
    const bool is_before_dynamic = launch.dynamic_shared > 0 && in_dynamic < 0;
    if (is_before_dynamic && static_cast<uint64_t>(-in_dynamic) < distance(*meant)) return dynamic;
    return place_of(*meant, in_statics);
}

/// In the array that the address is in or next to, or in its whole allocation.
named_place global_place(const simt::allocation& owner, uintptr_t address, const device_state& memory) {
    const auto place = [&](const std::string& name, uintptr_t begin, uintptr_t end) {
        return named_place{name.empty() ? without_name(owner) : name, !name.empty(),
                           static_cast<int64_t>(address - begin), static_cast<int64_t>(end - begin)};
    };
    if (const simt::heap_piece mine = owner.is_heap ? simt::heap_piece_near(address) : simt::heap_piece{};
        mine.bytes > 0) {
        return {to_string(mine.bytes) + " bytes from malloc or new", false,
                static_cast<int64_t>(address - mine.begin), static_cast<int64_t>(mine.bytes)};
    }
    const piece* array = memory.pieces.near(owner.serial, address);
    if (array && !array->name().empty() && !array->is_guess)
        return place(array->name(), array->begin, array->end);
    return place(owner.label, owner.begin, owner.begin + owner.bytes);
}

named_place find_place(const incident& seen, const launch_record* launch, const device_state& memory) {
    const uintptr_t in_program = return_address_of(static_cast<uint32_t>(seen.address));
    switch (seen.what.where) {
        case space::global: {
            if (seen.what.allocation == 0) return {};
            const simt::allocation& owner = memory.record(seen.what.allocation);
            return global_place(owner, simt::device_begin + seen.address, memory);
        }
        case space::shared:
            return launch ? shared_place(seen.address, *launch) : named_place{};
        case space::constant:
            if (const auto* found = simt::constant_variable_near(in_program))
                return place_of(*found, in_program);
            return {};
        case space::device_variable:
            if (const auto* found = simt::device_variable_near(in_program))
                return place_of(*found, in_program);
            return {};
        default:
            return {};
    }
}

int64_t rounded_down(int64_t dividend, int64_t divisor) {
    return dividend >= 0 ? dividend / divisor : -((-dividend + divisor - 1) / divisor);
}

/// "in[1000]", "tile[3][31]", "element 1000 of allocation #2 of 4000 bytes".
std::string element(const named_place& where, uint64_t bytes) {
    if (where.name.empty()) return "memory";
    if (!where.steps.empty()) {
        std::string text = where.name;
        int64_t rest = where.offset;
        for (const size_t step : where.steps) {
            const int64_t index = rounded_down(rest, int64_t(step));
            text += "[" + to_string(index) + "]";
            rest -= index * int64_t(step);
        }
        return text;
    }
    const std::string index = to_string(rounded_down(where.offset, static_cast<int64_t>(bytes)));
    if (where.is_identifier) return where.name + "[" + index + "]";
    return "element " + index + " of " + where.name;
}

/// "1000", "8 x 32".
std::string extent(const named_place& where, uint64_t bytes) {
    if (where.steps.empty()) return to_string(where.bytes / int64_t(bytes));
    std::string text;
    int64_t whole = where.bytes;
    for (const size_t step : where.steps) {
        text += (text.empty() ? "" : " x ") + to_string(whole / int64_t(step));
        whole = int64_t(step);
    }
    return text;
}

/// "writes 16 bytes".
std::string width(const incident& seen) {
    return verb(seen.what.access) + " " + to_string(seen.bytes) + " bytes";
}

/// "writes 16 bytes at byte 80 of out".
std::string bytes_at(const incident& seen, const named_place& where) {
    return width(seen) + " at byte " + to_string(where.offset) + " of " + where.name;
}

std::string bounds_sentence(const incident& seen, const named_place& where) {
    const std::string what = verb(seen.what.access) + " " + element(where, seen.bytes);
    if (where.name.empty()) return what + " that belongs to no variable";
    const bool is_dynamic = seen.what.where == space::shared && !where.is_identifier;
    if (is_dynamic && where.bytes == 0) return what + ", but the launch asks for none";
    const int64_t end = where.offset + static_cast<int64_t>(seen.bytes);
    if (where.offset < 0 && end > 0)
        return bytes_at(seen, where) + ", " + to_string(-where.offset) + " bytes before its begin";
    if (where.offset < 0) return what + ", before its first element";
    if (where.offset < where.bytes) {
        const std::string beyond = ", " + to_string(end - where.bytes) + " bytes past ";
        const std::string limit =
            is_dynamic ? "the " + to_string(where.bytes) + " that the launch asks for" : "its end";
        return bytes_at(seen, where) + beyond + limit;
    }
    const std::string elements = extent(where, seen.bytes) + " elements";
    if (is_dynamic)
        return what + ", past the " + elements + " (" + to_string(where.bytes) +
               " bytes) that the launch asks for";
    return what + ", past its " + elements;
}

std::string row_sentence(const incident& seen, const named_place& where, const device_state& memory) {
    const simt::allocation& owner = memory.record(seen.what.allocation);
    const auto pitch = static_cast<int64_t>(owner.pitch);
    const auto bytes = static_cast<int64_t>(seen.bytes), row_bytes = static_cast<int64_t>(owner.row_bytes);
    const auto offset = static_cast<int64_t>(simt::device_begin + seen.address - owner.begin);
    const int64_t row = offset / pitch, in_row = offset % pitch;
    const std::string place = " of row " + to_string(row) + " of " + where.name;
    if (in_row < row_bytes) {
        return width(seen) + " at byte " + to_string(in_row) + place + ", " +
               to_string(in_row + bytes - row_bytes) + " bytes past the row's end";
    }
    return verb(seen.what.access) + " column " + to_string(in_row / bytes) + place + ", past the " +
           to_string(row_bytes / bytes) + " elements of the row";
}

std::string race_sentence(const incident& seen, const launch_record& launch, const named_place& where,
                          const std::string& other_place) {
    const std::string thread = "thread " + coordinates(seen.when.thread, launch.block);
    const std::string other_thread = "thread " + coordinates(seen.other_thread, launch.block);
    const std::string block = "block " + coordinates(seen.when.block, launch.grid);
    const std::string other_block = "block " + coordinates(seen.other_block, launch.grid);
    const bool between = seen.what.between_blocks;
    const bool same_value = !seen.is_error;
    std::string text = element(where, seen.bytes) + " is " + participle(seen.what.access) + " here by " +
                       (between ? block : thread) + " and " + participle(seen.what.other_access) + " " +
                       other_place + " by " + (between ? other_block : other_thread);
    if (between) {
        text += same_value ? ", both storing the same value" : ", and blocks run in any order";
        return text + " (" + thread + " and " + other_thread + ")";
    }
    text +=
        same_value ? ", both storing the same value with no barrier between" : ", with no barrier between";
    return text + " (" + block + ")";
}

std::string address_sentence(const incident& seen) {
    const std::string what = verb(seen.what.access);
    if (seen.what.kind == incident_kind::host_pointer) {
        return what + " host memory: the address is not one of device memory";
    }
    if (seen.address < 64 * 1024) return what + " through a null pointer";
    return what + " an address where there is no memory (a pointer never set, or an index far out of range?)";
}

/// The first of the unwritten values: "out[17]", or in an allocation of rows "column 3 of row 5".
std::string first_unwritten(const incident& seen, const named_place& where, int64_t bytes,
                            const device_state& memory) {
    const simt::allocation& owner = memory.record(seen.what.allocation);
    if (owner.row_bytes == owner.pitch || owner.pitch == 0) return element(where, uint64_t(bytes));
    const auto offset = static_cast<int64_t>(simt::device_begin + seen.address - owner.begin);
    const auto pitch = static_cast<int64_t>(owner.pitch);
    return "column " + to_string(offset % pitch / bytes) + " of row " + to_string(offset / pitch);
}

std::string unwritten_sentence(const incident& seen, const named_place& where, const device_state& memory) {
    constexpr int64_t VALUE = sizeof(float);
    const bool whole = seen.bytes % VALUE == 0 && seen.copied % VALUE == 0 && where.offset % VALUE == 0;
    const int64_t bytes = whole ? VALUE : 1;
    return to_string(seen.bytes / bytes) + " of the " + to_string(seen.copied / bytes) +
           (whole ? " values" : " bytes") + " copied from " + where.name +
           " to the host were never written, the first " + first_unwritten(seen, where, bytes, memory);
}

bool is_of_heap(const incident& seen, const device_state& memory) {
    return seen.what.where == space::global && memory.record(seen.what.allocation).is_heap;
}

/// What the running thread did, without saying which thread it was.
std::string act_sentence(const incident& seen, const named_place& where, const device_state& memory) {
    const std::string what = verb(seen.what.access) + " " + element(where, seen.bytes);
    switch (seen.what.kind) {
        case incident_kind::out_of_bounds:
            return bounds_sentence(seen, where);
        case incident_kind::row_overrun:
            return row_sentence(seen, where, memory);
        case incident_kind::uninitialised_read:
            if (seen.what.where == space::shared)
                return what + ", which no thread of the block has written yet";
            return what + ", which was never written";
        case incident_kind::misaligned:
            return bytes_at(seen, where) + ", which is not a multiple of " + to_string(seen.bytes);
        case incident_kind::use_after_free:
            return what + (is_of_heap(seen, memory) ? " after it was given back" : " after cudaFree");
        case incident_kind::constant_write:
            return what + ", which is constant memory";
        case incident_kind::index_out_of_array:
            return seen.text;
        default:
            return address_sentence(seen);
    }
}

std::string name_for(const piece& what, access_kind access) {
    return access == access_kind::read ? what.loads_as : what.stores_as;
}

std::string array_name(const piece& what, access_kind access, const device_state& memory) {
    const std::string name = name_for(what, access);
    if (!name.empty()) return name;
    const simt::allocation& owner = memory.record(what.allocation);
    const bool is_whole = what.begin == owner.begin && what.end == owner.begin + owner.bytes;
    const bool has_label = is_whole && !what.is_transformed && !owner.label.empty();
    return has_label ? owner.label : without_name(owner);
}

/// The array that a __device__ variable holds, or else its own name.
std::string device_variable_name(const simt::variable& what, access_kind access, const device_state& memory) {
    const std::string name = name_for(memory.pieces.whole(what.begin, what.begin + what.bytes), access);
    return name.empty() ? what.name : name;
}

}  // namespace

std::string kind_word(const incident& seen) {
    switch (seen.what.kind) {
        case incident_kind::race:
            return seen.is_error ? "race" : "benign-race";
        case incident_kind::out_of_bounds:
            return "out-of-bounds";
        case incident_kind::row_overrun:
            return "row-overrun";
        case incident_kind::uninitialised_read:
            return "uninitialised-read";
        case incident_kind::misaligned:
            return "misaligned";
        case incident_kind::illegal_address:
            return "illegal-address";
        case incident_kind::use_after_free:
            return "use-after-free";
        case incident_kind::host_pointer:
            return "host-pointer-in-kernel";
        case incident_kind::constant_write:
            return "constant-write";
        case incident_kind::index_out_of_array:
            return "index-out-of-array";
        case incident_kind::never_written:
            return "never-written";
        default:
            return seen.what.backend_kind;
    }
}

std::string variable_name(space where, access_kind access, uint32_t variable, const device_state& memory) {
    if (variable == 0) return "";
    switch (where) {
        case space::global:
            return array_name(memory.pieces[variable], access, memory);
        case space::shared:
            if (variable == DYNAMIC_SHARED) return "dynamic shared memory";
            return simt::shared_variables()[variable - 1].name;
        case space::constant:
            return simt::constant_variable_at(return_address_of(variable))->name;
        case space::device_variable:
            return device_variable_name(*simt::device_variable_at(return_address_of(variable)), access,
                                        memory);
        default:
            return "";
    }
}

std::string memory_name(const simt::guessed_array& guess, const device_state& memory) {
    if (const auto* named = simt::device_variable_at(guess.begin)) return named->name;
    const uint32_t serial = memory.owner(static_cast<uint32_t>(guess.begin - simt::device_begin));
    const simt::allocation& owner = memory.record(serial);
    const std::string text = "device memory of " + to_string(owner.bytes) + " bytes";
    const simt::source_location at = simt::locate(owner.site);
    const bool is_ours = at.file.starts_with("common/");  // a device_buffer that the student has made
    if (at.line == 0 || is_ours) return text;
    return text + " from " + at.file.substr(at.file.rfind('/') + 1) + ":" + to_string(at.line);
}

sized_variable incident_variable(const incident& seen, const launch_record* launch,
                                 const device_state& memory) {
    const named_place where = find_place(seen, launch, memory);
    return {where.name, where.name.empty() ? 0 : static_cast<uint64_t>(where.bytes)};
}

std::string sentence(const incident& seen, const launch_record* launch, const device_state& memory,
                     const std::string& other_place) {
    const named_place where = find_place(seen, launch, memory);
    const auto by_thread = [&] {
        return " (block " + coordinates(seen.when.block, launch->grid) + ", thread " +
               coordinates(seen.when.thread, launch->block) + ")";
    };
    if (seen.what.kind == incident_kind::of_backend)
        return seen.by_thread && launch ? seen.text + by_thread() : seen.text;
    if (seen.what.kind == incident_kind::never_written) return unwritten_sentence(seen, where, memory);
    if (!launch) return seen.text;
    if (seen.what.kind == incident_kind::race) return race_sentence(seen, *launch, where, other_place);
    return act_sentence(seen, where, memory) + by_thread();
}

}  // namespace inspect
