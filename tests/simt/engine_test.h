// What the tests of engine and rewriter share: a recorder of findings.
#pragma once
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "../support/device_array.h"
#include "../support/marks.h"
#include "simt/engine/observer.h"

/// Findings and accesses that the engine reports.
class recorder : public simt::observer {
public:
    struct access {
        size_t bytes;
        simt::access_kind kind;
        int line;
    };
    std::vector<simt::trouble> findings;
    std::vector<access> accesses;
    uint64_t threads_finished = 0, warp_barriers = 0, block_barriers = 0, blocks_ended = 0;

    recorder() { simt::the_observer = this; }
    ~recorder() override { simt::the_observer = nullptr; }

    void found(const simt::trouble& what) override {
        const std::lock_guard lock(mutex_);
        findings.push_back(what);
        findings.back().text = text_of(what);
        kinds_.push_back(what.kind);
        lines_.push_back(simt::locate(what.site).line);
    }
    void accessed(simt::block_context&, uintptr_t, size_t bytes, simt::access_kind kind,
                  uintptr_t site) override {
        // On the large stack nothing counts as an access of the kernel, not even the vector's own copies.
        simt::on_large_stack([&] {
            const std::lock_guard lock(mutex_);
            accesses.push_back({bytes, kind, simt::locate(site).line});
        });
    }
    void thread_pauses(simt::block_context&, bool finished) override {
        const std::lock_guard lock(mutex_);
        threads_finished += finished;
    }
    void warp_synchronised(simt::block_context&, unsigned, uint32_t) override { warp_barriers++; }
    void block_synchronised(simt::block_context&) override { block_barriers++; }
    void block_ends(simt::block_context&) override {
        const std::lock_guard lock(mutex_);
        blocks_ended++;
    }

    /// True if exactly the findings of this kind were made, at least one, all at this line (0: any).
    bool only(const char* kind, int line = 0) const {
        for (size_t i = 0; i < findings.size(); i++) {
            if (kinds_[i] != kind || (line != 0 && lines_[i] != line)) return false;
        }
        return !findings.empty();
    }
    std::string text() const { return findings.empty() ? "" : findings.front().text; }

private:
    std::mutex mutex_;
    std::vector<std::string> kinds_;
    std::vector<int> lines_;
};
