// The table of plans. live_plans() is declared in observer.h.
#include "simt/runtime/transform_plans.h"

#include <map>
#include <mutex>

#include "simt/engine/observer.h"

namespace simt {
namespace {

struct plan_table {
    std::mutex mutex;
    std::map<cufftHandle, transform_plan> plans;
    cufftHandle last = 0;
};

plan_table& known_plans() {
    static auto* table = new plan_table;  // never destroyed, see allocations.cpp
    return *table;
}

}  // namespace

cufftHandle add_plan(const transform_plan& plan) {
    const std::lock_guard lock(known_plans().mutex);
    known_plans().plans[++known_plans().last] = plan;
    return known_plans().last;
}

bool find_plan(cufftHandle handle, transform_plan& plan) {
    const std::lock_guard lock(known_plans().mutex);
    const auto found = known_plans().plans.find(handle);
    if (found == known_plans().plans.end()) return false;
    plan = found->second;
    return true;
}

bool change_plan(cufftHandle handle, const transform_plan& plan) {
    const std::lock_guard lock(known_plans().mutex);
    const auto found = known_plans().plans.find(handle);
    if (found == known_plans().plans.end()) return false;
    found->second = plan;
    return true;
}

bool remove_plan(cufftHandle handle) {
    const std::lock_guard lock(known_plans().mutex);
    return known_plans().plans.erase(handle) != 0;
}

void destroy_all_plans() {
    const std::lock_guard lock(known_plans().mutex);
    known_plans().plans.clear();
}

size_t live_plans() {
    const std::lock_guard lock(known_plans().mutex);
    return known_plans().plans.size();
}

}  // namespace simt
