// Follows launches and host calls; adds up what the runners saw.
#include "inspect/watch/inspector.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "inspect/watch/access.h"
#include "inspect/watch/inspect.h"
#include "simt/engine/error_state.h"

extern "C" char etext[];  // end of the program's instructions, from the linker

namespace inspect {

namespace {

/// A place is an offset of 32 bits. Before every constructor that may ask for memory.
[[gnu::constructor(101)]] void limit_memory() {
    simt::limit_device_memory(size_t(1) << 32);
}

/// "device memory of 4000 bytes (in)", "page-locked memory".
std::string memory_at(uintptr_t address) {
    const simt::allocation* owner = simt::allocation_near(address);
    const bool is_inside = owner && address >= owner->begin && address < owner->begin + owner->bytes;
    if (!is_inside || owner->use == simt::memory_use::host) return "page-locked memory";
    const std::string label = owner->label.empty() ? "" : " (" + owner->label + ")";
    return "device memory of " + std::to_string(owner->bytes) + " bytes" + label;
}

void tell_operations(report& to, std::vector<stream_record::record> records) {
    for (stream_record::record& one : records) {
        if (one.site != 0) one.what.line = simt::locate(one.site).line;
        if (one.transformed) {
            one.transformed->line = one.what.line;
            to.transforms.push_back(std::move(*one.transformed));
        }
        to.operations.push_back(std::move(one.what));
    }
}

byte_ranges ranges_of(const std::vector<simt::address_range>& from) {
    byte_ranges ranges;
    for (const simt::address_range& one : from)
        add_range(ranges, {one.begin, one.end});
    return ranges;
}

uint64_t sum_of(const byte_ranges& ranges) {
    uint64_t bytes = 0;
    for (const byte_range& one : ranges)
        bytes += one.end - one.begin;
    return bytes;
}

}  // namespace

void inspector::launch_begins(const simt::launch_info& launch) {
    running_launch = launch.serial;
    const std::lock_guard lock(mutex);
    memory.pieces.launch_begins(launch);
    passed.sent(launch.arguments, launch.argument_bytes);
    sample = block_sample(launch, sampling);
    streams.begin(simt::the_asked_work().stream);
    if (simt::has_managed_memory()) streams.watch_host();
    if (streams.is_used()) facts.touched.want();
}

bool inspector::wants_block(const simt::launch_info&, uint64_t block) {
    return sample.contains(block);
}

void inspector::launch_ends(const simt::launch_info& launch, double) {
    const std::lock_guard lock(mutex);
    incident_table of_launch;
    sync_sites waits;
    launch_record record;
    record.kernel = launch.name;
    record.grid = launch.grid;
    record.block = launch.block;
    record.serial = launch.serial;
    record.dynamic_shared = launch.dynamic_shared;
    for (const auto& runner : runners) {
        if (!runner || !runner->took_part_in(launch.serial)) continue;
        record.shared_shift = runner->shared_shift;
        record.shared = runner->shared;
        record.dynamic_begin =
            runner->shared_shift + (runner->context->dynamic_begin - runner->statics.begin);
        record.inspected_blocks += runner->blocks;
        record.matrix_products += std::exchange(runner->matrix_products, 0);
        for (const auto& entry : runner->traffic.entries()) {
            record.seen.at(entry.key, entry.variable) += entry.seen;
        }
        if (runner->drawing && !record.drawn)
            record.drawn = std::move(runner->drawing);
        else if (runner->drawing)
            record.drawn->add(*runner->drawing);
        runner->drawing.reset();
        of_launch.add(runner->incidents);
        waits.add(runner->sites);
        runner->sites.clear();
        for (const incident& seen : runner->reads_of_others) {
            const bool was_written =
                memory.find_unwritten(simt::device_begin + seen.address, seen.bytes).bytes == 0;
            if (!was_written) of_launch.add(seen);
        }
        runner->reads_of_others.clear();
        runner->traffic.clear();
        runner->incidents.clear();
    }
    if (record.inspected_blocks < launch.blocks && record.inspected_blocks > 0) {
        for (auto& entry : record.seen.entries())
            entry.seen = scaled(entry.seen, record.inspected_blocks, launch.blocks);
        record.matrix_products = scaled(record.matrix_products, record.inspected_blocks, launch.blocks);
        memory.blocks_were_left_out();
    }
    facts.find_races(launch.serial, memory, of_launch);
    of_launch.add(before_grid_sync);
    before_grid_sync.clear();
    for (const auto& [what, seen] : of_launch.all()) {
        if (!waits.explain(what)) incidents.add(seen);
    }
    device_work work{work_kind::kernel, record.kernel, simt::the_asked_work()};
    work.device = work.asked.device;
    facts.touched.take([&](uint32_t offset, uint32_t bytes, use_kind how) {
        const uintptr_t begin = simt::device_begin + offset;
        byte_ranges& ranges = how == use_kind::read      ? work.reads
                              : how == use_kind::changed ? work.writes
                                                         : work.updates;
        add_range(ranges, {begin, begin + bytes});
    });
    add_work(std::move(work));
    launches.push_back(std::move(record));
    memory.launch_ended();
    running_launch = 0;
}

void inspector::block_begins(simt::block_context& context) {
    if (!context.inspection) {
        const std::lock_guard lock(mutex);
        if (runners.size() <= context.runner) runners.resize(context.runner + 1);
        runners[context.runner] = std::make_unique<runner_state>(memory, facts);
        context.inspection = runners[context.runner].get();
    }
    runner_state& state = state_of(context);
    if (drawing && !state.drawing) {
        const uint64_t sampled = sketcher::block_in_the_middle(context.launch->grid);
        state.drawing = std::make_unique<sketcher>(memory, sampled);
    }
    state.begin_block(context);
}

void inspector::block_ends(simt::block_context& context) {
    state_of(context).leave_facts();
}

void inspector::thread_resumes(simt::block_context& context) {
    state_of(context).resume_thread();
}

void inspector::thread_pauses(simt::block_context& context, bool) {
    state_of(context).pause_thread();
}

uint32_t inspector::warp_drained(simt::block_context& context, unsigned warp) {
    return state_of(context).merge(warp);
}

void inspector::block_synchronised(simt::block_context& context) {
    state_of(context).synchronise_block();
}

void inspector::block_meets_grid(simt::block_context& context) {
    state_of(context).leave_facts();
}

/// All blocks wait: what they have done comes before all that they will do.
void inspector::grid_synchronised(const simt::launch_info& launch) {
    const std::lock_guard lock(mutex);
    facts.find_races(launch.serial, memory, before_grid_sync);
    memory.launch_ended();
}

void inspector::block_leaves_grid(simt::block_context& context) {
    state_of(context).grid_synchronised();
}

void inspector::warp_synchronised(simt::block_context& context, unsigned warp, uint32_t lanes) {
    state_of(context).synchronise_warp(warp, lanes);
}

void inspector::threads_synchronised(simt::block_context& context, unsigned first, unsigned threads) {
    state_of(context).synchronise_threads(first, threads);
}

void inspector::accessed(simt::block_context&, uintptr_t address, size_t bytes, access_kind kind,
                         uintptr_t site) {
    inspect_backend_access(address, bytes, kind, site);
}

void inspector::heap_taken(simt::block_context& context, uintptr_t address, size_t bytes) {
    state_of(context).heap_changed(address, bytes, UNINITIALISED);
}

void inspector::heap_given_back(simt::block_context& context, uintptr_t address, size_t bytes) {
    state_of(context).heap_changed(address, bytes, NOT_ALLOCATED);
}

void inspector::compares_and_swaps(simt::block_context& context, uintptr_t address) {
    runner_state& runner = state_of(context);
    const place where = runner.place_of(address);
    if (where != runner_state::NO_PLACE) runner.compare_and_swap(where);
}

void inspector::stores_for_others(simt::block_context& context, uintptr_t address) {
    runner_state& runner = state_of(context);
    runner.stored_for_others = runner.place_of(address);
}

void inspector::matrices_multiplied(simt::block_context& context) {
    state_of(context).matrix_products++;
}

void inspector::texture_fetched(simt::block_context& context, size_t bytes, uintptr_t site) {
    const uint32_t key =
        event_key(site_of(site) & SITE_MASK, space::texture, access_kind::read, static_cast<uint32_t>(bytes));
    state_of(context).log(key, 0);
}

void inspector::texel_read(simt::block_context& context, uintptr_t address, size_t bytes, uintptr_t site) {
    runner_state& runner = state_of(context);
    runner.settle_pending_write();
    const place where = make_place(space::global, static_cast<uint32_t>(address - runner.device.begin));
    const uint32_t from = site_of(site);
    const bool is_word = bytes == 4;
    if (is_word && check_quickly<access_kind::read>(runner, runner.shadow.page_at(where), where, from))
        return;
    runner.check(where, static_cast<uint32_t>(bytes), access_kind::read, from);
}

void inspector::found(const simt::trouble& what) {
    incident seen;
    seen.what.kind = incident_kind::of_backend;
    seen.what.backend_kind = what.kind;
    seen.what.site = what.site ? site_of(what.site) : 0;
    seen.what.other_site = what.other_site ? site_of(what.other_site) : 0;
    seen.is_error = what.is_error;
    seen.text = what.text;
    seen.by_thread = what.by_thread;
    if (const simt::block_context* context = simt::current_block) {
        seen.when = {context->launch->serial, context->block, context->thread};
        // It faults at memory that is there: a store to it was announced, and is never made.
        if (seen.what.backend_kind == "peer-access") state_of(*context).disown_pending_write();
        state_of(*context).note(seen);
        return;
    }
    const std::lock_guard lock(mutex);
    seen.when.launch = running_launch;
    incidents.add(seen);
}

void inspector::own_work(const std::function<void()>& work) {
    const unseen meanwhile;
    work();
}

void inspector::allocated(const simt::allocation& what) {
    const std::lock_guard lock(mutex);
    memory.allocated(what);
    if (!what.is_heap && what.use != simt::memory_use::host) streams.allocated(what.bytes, what.site);
}

void inspector::freed(const simt::allocation& what) {
    const std::lock_guard lock(mutex);
    memory.freed(what);
    streams.freed(what.begin, what.bytes);
}

void inspector::host_wrote(uintptr_t address, size_t bytes) {
    const std::lock_guard lock(mutex);
    memory.host_wrote(address, bytes);
}

void inspector::host_read(uintptr_t address, size_t bytes) {
    const std::lock_guard lock(mutex);
    const device_state::unwritten unwritten = memory.find_unwritten(address, bytes);
    if (unwritten.bytes == 0) return;
    incident seen;
    seen.what.kind = incident_kind::never_written;
    seen.what.where = space::global;
    seen.address = unwritten.first - simt::device_begin;
    seen.what.allocation = memory.owner(static_cast<uint32_t>(seen.address));
    seen.bytes = unwritten.bytes;
    seen.copied = bytes;
    if (const uintptr_t caller = simt::user_frame()) seen.what.site = site_of(caller);
    seen.when.launch = launches.empty() ? 0 : launches.back().serial;
    incidents.add(seen);
}

void inspector::copied(uintptr_t to, uintptr_t from, size_t bytes) {
    const std::lock_guard lock(mutex);
    memory.copied(to, from, bytes);
}

void inspector::sent(const void* host, size_t bytes) {
    const std::lock_guard lock(mutex);
    passed.sent(host, bytes);
}

void inspector::fetched(const void* host, size_t bytes) {
    const std::lock_guard lock(mutex);
    passed.fetched(host, bytes);
}

void inspector::moved(const simt::moved_rows& what) {
    const std::lock_guard lock(mutex);
    device_work work{work_kind::on_device, what.call, simt::the_asked_work(), what.width * what.height};
    work.writes = ranges_of_rows(what.to, what.to_pitch, what.width, what.height);
    if (what.from != 0) work.reads = ranges_of_rows(what.from, what.from_pitch, what.width, what.height);
    if (what.from == 0)
        work.kind = work_kind::fill;
    else if (!what.from_device)
        work.kind = work_kind::to_device;
    else if (!what.to_device)
        work.kind = work_kind::to_host;
    else if (what.to_memory_of != what.from_memory_of)
        work.kind = work_kind::peer;
    work.device = what.from_device ? what.from_memory_of : what.to_memory_of;
    add_work(std::move(work));
}

void inspector::transformed(const simt::done_transform& what) {
    const std::lock_guard lock(mutex);
    find_unset(what);
    for (const simt::address_range& one : what.writes) {
        memory.host_wrote(one.begin, one.end - one.begin);
        memory.pieces.stored_to(one);
    }
    device_work work{work_kind::transform, what.call, simt::the_asked_work()};
    work.device = work.asked.device;
    work.reads = ranges_of(what.reads);
    work.writes = ranges_of(what.writes);
    work.bytes = sum_of(work.reads) + sum_of(work.writes);
    work.what = {what.kind, what.is_inverse, what.in_place, what.sizes, what.batch};
    if (what.unsets_input) {
        for (const byte_range& one : work.reads)
            memory.set_states(static_cast<uint32_t>(one.begin - simt::device_begin), one.end - one.begin,
                              UNINITIALISED);
        work.writes.insert(work.writes.end(), work.reads.begin(), work.reads.end());
        std::sort(work.writes.begin(), work.writes.end(),
                  [](const byte_range& a, const byte_range& b) { return a.begin < b.begin; });
    }
    add_work(std::move(work));
}

/// A transform that reads what nobody has written. The lock must be held.
void inspector::find_unset(const simt::done_transform& what) {
    device_state::unwritten unset;
    for (const simt::address_range& one : what.reads) {
        const device_state::unwritten here = memory.find_unwritten(one.begin, one.end - one.begin);
        if (unset.bytes == 0) unset.first = here.first;
        unset.bytes += here.bytes;
    }
    if (unset.bytes == 0) return;
    add_of_host("uninitialised-read", simt::user_frame(), 0,
                what.call + std::string(" reads ") + std::to_string(unset.bytes) +
                    " bytes that were never written, the first of them byte " +
                    std::to_string(unset.first - simt::allocation_near(unset.first)->begin) + " of " +
                    memory_at(unset.first));
}

/// Something wrong that the host has asked for, or done, at these return addresses (0: unknown). The lock must be held.
void inspector::add_of_host(const char* kind, uintptr_t site, uintptr_t other_site, std::string text) {
    incident seen;
    seen.what.kind = incident_kind::of_backend;
    seen.what.backend_kind = kind;
    seen.what.site = site ? site_of(site) : 0;
    seen.what.other_site = other_site ? site_of(other_site) : 0;
    seen.text = std::move(text);
    seen.when.launch = launches.empty() ? 0 : launches.back().serial;
    incidents.add(seen);
}

/// The lock must be held.
void inspector::add_work(device_work work) {
    if (streams.is_used() || work.kind == work_kind::transform) work.site = simt::user_frame();
    for (const stream_race& race : streams.add(std::move(work))) {
        add_of_host("stream-race", race.later.site, race.earlier.site,
                    sentence_of(race, streams, memory_at(race.bytes.begin)));
    }
}

void inspector::stepped(const simt::stream_step& step) {
    const std::lock_guard lock(mutex);
    if (step.what == simt::stream_step::kind::locked)
        return streams.allocated(step.bytes, simt::user_frame());
    streams.take(step);
}

std::vector<simt::used_range> inspector::unfinished_uses() {
    const std::lock_guard lock(mutex);
    std::vector<simt::used_range> uses;
    for (const device_work* kernel : streams.open_kernels()) {
        for (const byte_range& one : kernel->reads)
            uses.push_back({one.begin, one.end, false});
        for (const byte_range& one : kernel->writes)
            uses.push_back({one.begin, one.end, true});
    }
    return uses;
}

bool inspector::host_touched(uintptr_t address, bool writes, uintptr_t site) {
    const std::lock_guard lock(mutex);
    const auto holds = [&](const byte_ranges& ranges) {
        return std::any_of(ranges.begin(), ranges.end(),
                           [&](const byte_range& one) { return address >= one.begin && address < one.end; });
    };
    for (const device_work* kernel : streams.open_kernels()) {
        if (holds(kernel->updates)) continue;  // which the host may do at the same time
        const bool is_changed = holds(kernel->writes);
        if (!is_changed && !(writes && holds(kernel->reads))) continue;
        add_of_host("stream-race", site, kernel->site,
                    std::string("the host ") + (writes ? "writes" : "reads") + " byte " +
                        std::to_string(address - simt::allocation_near(address)->begin) + " of " +
                        memory_at(address) + " that " + kernel->name + " in " +
                        streams.name_of(kernel->asked.stream) + (is_changed ? " writes" : " reads") +
                        ", and has not waited for it: cudaDeviceSynchronize() before");
        return true;
    }
    return false;
}

value_origin inspector::origin_of(const host_arrays& outputs, const host_arrays& inputs) {
    const std::lock_guard lock(mutex);
    return passed.origin_of(outputs, inputs);
}

/// Device memory that was asked for since the last report and is still there.
void inspector::find_leaks() {
    const bool can_be_freed = simt::sticky_error() == cudaSuccess;
    const auto note = [&](uintptr_t site, size_t bytes, const std::string& what) {
        incident seen;
        seen.what.kind = incident_kind::of_backend;
        seen.what.backend_kind = "leak";
        seen.what.site = site ? site_of(site) : 0;
        seen.is_error = false;
        seen.text = std::to_string(bytes) + " bytes of device memory" + what + " are never freed";
        if (can_be_freed) incidents.add(seen);
    };
    for (uint32_t serial = known_allocations + 1; serial <= memory.last_serial(); serial++) {
        const simt::allocation& one = memory.record(serial);
        if (one.serial == serial && one.live && !one.is_heap && one.use != simt::memory_use::host)
            note(one.site, one.bytes, one.label.empty() ? "" : " (" + one.label + ")");
    }
    for (const simt::heap_piece& one : simt::live_heap_pieces()) {
        if (known_pieces.insert(one.begin).second)
            note(one.site, one.bytes, " from malloc or new in a kernel");
    }
    uint64_t last_array = known_arrays;
    for (const simt::array_allocation& one : simt::live_arrays()) {
        if (one.serial > known_arrays) note(one.site, one.bytes, " (a CUDA array)");
        last_array = std::max(last_array, one.serial);
    }
    known_allocations = memory.last_serial();
    known_arrays = last_array;
}

report inspector::take() {
    const std::lock_guard lock(mutex);
    const std::vector<simt::guessed_array> guesses = simt::settle_names();
    for (const launch_record& launch : launches)
        for (const traffic_table::entry& entry : launch.seen.entries())
            if (space_of(entry.key) == space::global && kind_of(entry.key) != access_kind::read &&
                entry.variable != 0)
                memory.pieces.stored_to(entry.variable);
    memory.pieces.settle(guesses);
    memory.refresh_labels();
    find_leaks();
    report result = build_report(launches, incidents, memory, guesses);
    tell_operations(result, streams.take_operations());
    simt::forget_names();
    memory.pieces.forget();
    launches.clear();
    incidents.clear();
    passed.clear();
    return result;
}

void inspector::sample_blocks(uint64_t one_of) {
    const std::lock_guard lock(mutex);
    sampling = one_of;
    memory.forget_blocks_left_out();
}

namespace {
inspector* the_inspector = nullptr;
}

void begin() {
    if (the_inspector) return;
    // Instructions are logged in 24 bits.
    if (static_cast<size_t>(etext - __executable_start) > SITE_MASK) {
        std::fprintf(stderr,
                     "inspector: the program has %zu MB of code, more than the 16 MB that can be inspected\n",
                     static_cast<size_t>(etext - __executable_start) >> 20);
        std::exit(2);
    }
    the_inspector = new inspector;  // never destroyed: runners and host threads may outlive main()
    simt::the_observer = the_inspector;
}

void sample_blocks(uint64_t one_of) {
    begin();
    the_inspector->sample_blocks(one_of);
}

report take() {
    begin();
    return the_inspector->take();
}

value_origin origin_of(const host_arrays& outputs, const host_arrays& inputs) {
    begin();
    return the_inspector->origin_of(outputs, inputs);
}

void draw(bool wanted) {
    begin();
    the_inspector->draw(wanted);
}

}  // namespace inspect
