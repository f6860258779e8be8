// The observer that the CPU backend calls: it keeps one state a runner
// and adds everything up when a launch ends.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "inspect/memory/device_state.h"
#include "inspect/memory/grid_facts.h"
#include "inspect/memory/incident.h"
#include "inspect/report/report.h"
#include "inspect/streams/stream_record.h"
#include "inspect/watch/passage.h"
#include "inspect/watch/requests.h"
#include "inspect/watch/runner_state.h"
#include "inspect/watch/sampling.h"

namespace inspect {

/// A launch that has ended.
struct launch_record {
    std::string kernel;
    uint3 grid{}, block{};
    uint32_t serial = 0;
    size_t dynamic_shared = 0;
    uint32_t dynamic_begin = 0;          // offset of the dynamic shared memory in the shared space
    uint32_t shared_shift = 0;           // offset of the static image in the shared space
    std::vector<simt::variable> shared;  // static shared variables that the kernel can use
    uint64_t inspected_blocks = 0;
    traffic_table seen;               // if not all blocks were inspected: scaled to all of them
    uint64_t matrix_products = 0;     // the same
    std::unique_ptr<sketcher> drawn;  // null unless pictures were asked for
};

class inspector : public simt::observer {
public:
    void launch_begins(const simt::launch_info& launch) override;
    void launch_ends(const simt::launch_info& launch, double seconds) override;
    bool wants_block(const simt::launch_info& launch, uint64_t block) override;
    void block_begins(simt::block_context& context) override;
    void block_ends(simt::block_context& context) override;
    void thread_resumes(simt::block_context& context) override;
    void thread_pauses(simt::block_context& context, bool finished) override;
    uint32_t warp_drained(simt::block_context& context, unsigned warp) override;
    void block_synchronised(simt::block_context& context) override;
    void block_meets_grid(simt::block_context& context) override;
    void grid_synchronised(const simt::launch_info& launch) override;
    void block_leaves_grid(simt::block_context& context) override;
    void warp_synchronised(simt::block_context& context, unsigned warp, uint32_t lanes) override;
    void threads_synchronised(simt::block_context& context, unsigned first, unsigned threads) override;
    void accessed(simt::block_context& context, uintptr_t address, size_t bytes, access_kind kind,
                  uintptr_t site) override;
    void heap_taken(simt::block_context&, uintptr_t, size_t) override;
    void heap_given_back(simt::block_context&, uintptr_t, size_t) override;
    void compares_and_swaps(simt::block_context&, uintptr_t) override;
    void stores_for_others(simt::block_context&, uintptr_t) override;
    void matrices_multiplied(simt::block_context& context) override;
    void texture_fetched(simt::block_context& context, size_t bytes, uintptr_t site) override;
    void texel_read(simt::block_context& context, uintptr_t address, size_t bytes, uintptr_t site) override;
    void found(const simt::trouble& what) override;
    void own_work(const std::function<void()>& work) override;
    void allocated(const simt::allocation& what) override;
    void freed(const simt::allocation& what) override;
    void host_wrote(uintptr_t address, size_t bytes) override;
    void host_read(uintptr_t address, size_t bytes) override;
    void copied(uintptr_t to, uintptr_t from, size_t bytes) override;
    void sent(const void* host, size_t bytes) override;
    void fetched(const void* host, size_t bytes) override;
    void moved(const simt::moved_rows& what) override;
    void transformed(const simt::done_transform& what) override;
    void stepped(const simt::stream_step& step) override;
    std::vector<simt::used_range> unfinished_uses() override;
    bool host_touched(uintptr_t address, bool writes, uintptr_t site) override;

    report take();
    value_origin origin_of(const host_arrays& outputs, const host_arrays& inputs);
    void draw(bool wanted) { drawing = wanted; }
    void sample_blocks(uint64_t one_of);

private:
    void find_leaks();
    void find_unset(const simt::done_transform& what);
    void add_of_host(const char* kind, uintptr_t site, uintptr_t other_site, std::string text);
    void add_work(device_work work);
    runner_state& state_of(const simt::block_context& context) {
        return *static_cast<runner_state*>(context.inspection);
    }

    std::mutex mutex;  // of what several runners or host threads may change
    device_state memory;
    grid_facts facts;
    std::vector<std::unique_ptr<runner_state>> runners;
    std::vector<launch_record> launches;  // since the last take()
    incident_table incidents;
    incident_table before_grid_sync;  // races of the running launch that its grid has left behind
    passage passed;                   // the same
    stream_record streams;
    uint32_t running_launch = 0;     // serial, 0 outside
    uint32_t known_allocations = 0;  // serial of the last one before the last take()
    uint64_t known_arrays = 0;
    std::set<uintptr_t> known_pieces;  // of the heap, said to leak
    bool drawing = false;              // pictures are asked for
    uint64_t sampling = 1;             // one of so many blocks runs
    block_sample sample;               // of the running launch
};

/// From what was recorded to the report: instructions become source lines, numbers become names.
report build_report(const std::vector<launch_record>& launches, const incident_table& incidents,
                    const device_state& memory, const std::vector<simt::guessed_array>& guesses);

}  // namespace inspect
