// The unusual accesses: constant memory, __device__ variables, host memory, ranges, misaligned ones.
#include "inspect/watch/access.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace inspect {

namespace {

/// The program's own segments in memory.
struct program_image {
    address_range all, read_only;  // the second: constants and string literals, which kernels may read
};

program_image find_segments() {
    program_image image;
    const auto first_is_program = [](dl_phdr_info* info, size_t, void* result) {
        auto& image = *static_cast<program_image*>(result);
        uintptr_t begin = UINTPTR_MAX, end = 0, writable = UINTPTR_MAX;
        for (int i = 0; i < info->dlpi_phnum; i++) {
            const auto& segment = info->dlpi_phdr[i];
            if (segment.p_type != PT_LOAD) continue;
            const uintptr_t at = info->dlpi_addr + segment.p_vaddr;
            begin = std::min(begin, at);
            end = std::max(end, at + segment.p_memsz);
            if (segment.p_flags & PF_W) writable = std::min(writable, at);
        }
        image.all = {begin, end - begin};
        image.read_only = {begin, std::min(writable, end) - begin};
        return 1;
    };
    dl_iterate_phdr(first_is_program, &image);
    return image;
}

const program_image& image() {
    static const program_image found = find_segments();
    return found;
}

bool is_mapped(uintptr_t address) {
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    unsigned char resident = 0;
    return mincore(reinterpret_cast<void*>(address / page * page), 1, &resident) == 0;
}

void report_address(runner_state& runner, incident_kind kind, uintptr_t address, uint32_t bytes,
                    access_kind access, uint32_t site) {
    const unseen own_work;
    incident found = runner.new_incident(kind, access, site);
    found.address = address;
    found.bytes = bytes;
    runner.note(found);
}

/// Finds the __constant__ variable that holds the address and remembers it as the one used last.
bool is_constant(runner_state& runner, uintptr_t address) {
    if (runner.constant.contains(address)) return true;
    const simt::variable* found = simt::constant_variable_at(address);
    if (found) runner.constant = {found->begin, found->bytes};
    return found != nullptr;
}

/// An instrumented function of the C++ library may be in use by the backend itself, on memory of its own.
bool is_library_code(uint32_t site) {
    bool result = false;
    simt::on_large_stack(
        [&] { result = simt::locate(return_address_of(site)).file.starts_with("/usr/include/c++"); });
    return result;
}

template <uint32_t BYTES>
void inspect_any_kind(uintptr_t address, access_kind kind, uintptr_t return_address) {
    switch (kind) {
        case access_kind::read:
            inspect_access<BYTES, access_kind::read>(address, return_address);
            break;
        case access_kind::write:
            inspect_access<BYTES, access_kind::write>(address, return_address);
            break;
        case access_kind::atomic:
            inspect_access<BYTES, access_kind::atomic>(address, return_address);
            break;
    }
}

void inspect_piece(uintptr_t address, size_t bytes, access_kind kind, uintptr_t return_address) {
    switch (bytes) {
        case 16:
            return inspect_any_kind<16>(address, kind, return_address);
        case 8:
            return inspect_any_kind<8>(address, kind, return_address);
        case 4:
            return inspect_any_kind<4>(address, kind, return_address);
        case 2:
            return inspect_any_kind<2>(address, kind, return_address);
        default:
            return inspect_any_kind<1>(address, kind, return_address);
    }
}

}  // namespace

void refuse_misaligned(runner_state& runner, place where, uint32_t bytes, access_kind kind, uint32_t site) {
    const unseen own_work;
    incident found = runner.new_incident(incident_kind::misaligned, kind, site);
    found.what.where = space_of_place(where);
    found.what.allocation = runner.allocation_at(where);
    found.address = offset_of(where);
    found.bytes = bytes;
    runner.note(found);
    simt::stop_launch(cudaErrorMisalignedAddress);
}

void inspect_unusual_access(runner_state& runner, uintptr_t address, uint32_t bytes, access_kind kind,
                            uint32_t site) {
    const uint32_t offset = site_of(address);  // from the start of the program
    const bool is_known = is_constant(runner, address);
    if (is_known || simt::constant_variable_near(address)) {
        if (address % bytes != 0)
            refuse_misaligned(runner, make_place(space::constant, offset), bytes, kind, site);
        const bool is_source = kind == access_kind::read && runner.may_be_source(bytes);
        const bool is_inside = is_known && runner.constant.contains(address, bytes);
        // Waits if the log is full: other threads may use another variable meanwhile.
        runner.log(event_key(site & SITE_MASK, space::constant, kind, bytes), offset, is_source);
        if (is_inside && kind == access_kind::read) return;
        const unseen own_work;
        const incident_kind what = is_inside ? incident_kind::constant_write : incident_kind::out_of_bounds;
        incident found = runner.new_incident(what, kind, site);
        found.what.where = space::constant;
        found.address = offset;
        found.bytes = bytes;
        runner.note(found);
        return;
    }
    const address_range arguments = {reinterpret_cast<uintptr_t>(runner.context->launch->arguments),
                                     runner.context->launch->argument_bytes};
    if (arguments.contains(address)) return;
    if (simt::device_variable_near(address)) {
        const bool is_source = kind == access_kind::read && runner.may_be_source(bytes);
        if (!is_source) runner.settle_pending_write();
        const place where = make_place(space::device_variable, offset);
        if (address % bytes != 0) refuse_misaligned(runner, where, bytes, kind, site);
        runner.log(event_key(site & SITE_MASK, space::device_variable, kind, bytes), offset, is_source);
        runner.check(where, bytes, kind, site);
        if (kind == access_kind::write) runner.announce_write(where, address, bytes);
        if (kind == access_kind::atomic) runner.announce_atomic(where, address);
        return;
    }
    if (image().read_only.contains(address) && kind == access_kind::read) return;
    if (is_library_code(site)) return;
    const bool is_host = image().all.contains(address) || is_mapped(address);
    report_address(runner, is_host ? incident_kind::host_pointer : incident_kind::illegal_address, address,
                   bytes, kind, site);
    simt::stop_launch(cudaErrorIllegalAddress);
}

void inspect_aggregate(uintptr_t address, size_t bytes, access_kind kind, uintptr_t return_address,
                       const simt::copied_type& type) {
    // nvcc copies members: not what lies behind the last.
    const size_t used = bytes == type.bytes ? type.used : bytes;
    for (size_t done = 0; done < used;) {
        const uintptr_t at = address + done;
        size_t piece = type.alignment == 0 ? 4 : std::min<size_t>(type.alignment, 16);
        while (piece > bytes - done || (type.alignment == 0 ? at : done) % piece != 0 ||
               done + piece / 2 >= used)
            piece /= 2;
        inspect_piece(at, piece, kind, return_address);
        done += piece;
        if (kind == access_kind::write && current_runner) current_runner->disown_pending_write();
    }
}

/// A struct that lies where none of its type can, if it is in one of the memories.
static void refuse_copy(runner_state& runner, uintptr_t address, size_t alignment, access_kind kind,
                        uint32_t site) {
    const place where = is_constant(runner, address) ? make_place(space::constant, site_of(address))
                                                     : runner.place_of(address);
    if (where == runner_state::NO_PLACE) return;
    runner.settle_pending_write();
    refuse_misaligned(runner, where, static_cast<uint32_t>(std::min<size_t>(alignment, 16)), kind, site);
}

void inspect_copy(uintptr_t address, size_t bytes, access_kind kind, uintptr_t return_address) {
    runner_state* runner = current_runner;
    if (runner == nullptr || runner->stack.contains(address)) return;
    const simt::copied_type type = runner->copies.type_at(return_address);
    const bool is_off = type.alignment != 0 && address % type.alignment != 0;
    if (is_off && type.is_declared)
        refuse_copy(*runner, address, type.alignment, kind, site_of(return_address));
    inspect_aggregate(address, bytes, kind, return_address, is_off ? simt::copied_type{} : type);  // packed
}

void inspect_object(uintptr_t address, const object_use& use, uintptr_t return_address) {
    runner_state* runner = current_runner;
    if (runner == nullptr || runner->stack.contains(address)) return;
    const uint32_t site = site_of(return_address), in_program = site_of(address);
    if (runner->device.contains(address)) {
        const auto offset = static_cast<uint32_t>(address - runner->device.begin);
        runner->use_object(make_place(space::global, offset), use, site);
    } else if (runner->statics.contains(address)) {
        const auto offset = static_cast<uint32_t>(address - runner->statics.begin + runner->shared_shift);
        runner->use_object(make_place(space::shared, offset), use, site);
    } else if (is_constant(*runner, address)) {
        runner->use_object(make_place(space::constant, in_program), use, site);
    } else if (simt::device_variable_at(address)) {
        runner->use_object(make_place(space::device_variable, in_program), use, site);
    }
}

void inspect_backend_access(uintptr_t address, size_t bytes, access_kind kind, uintptr_t return_address) {
    if (current_runner) current_runner->end_objects();  // what asks for one access by name gets that
    if ((bytes == 8 || bytes == 16) && address % bytes == 0) {
        inspect_piece(address, bytes, kind, return_address);
    } else {
        inspect_aggregate(address, bytes, kind, return_address);
    }
}

}  // namespace inspect
