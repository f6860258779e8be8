// Spin locks: they are held for the few instructions between a callback and the next one.
#include "inspect/memory/write_locks.h"

#include <sched.h>

#include <atomic>

namespace inspect {

namespace {

constexpr uint32_t LOCKS = 1024;
constexpr int PATIENCE = 1'000'000;  // yields; about a second
std::atomic<bool> locks[LOCKS];

}  // namespace

int lock_piece(uintptr_t address) {
    const uint32_t number = static_cast<uint32_t>(address / 16 * 0x9E3779B1u >> 8) % LOCKS;
    for (int i = 0; i < PATIENCE; i++) {
        if (!locks[number].exchange(true, std::memory_order_acquire)) return static_cast<int>(number);
        sched_yield();
    }
    return -1;
}

void unlock_piece(int lock) {
    locks[lock].store(false, std::memory_order_release);
}

}  // namespace inspect
