// A worker with the inspector.
#include "inspect/watch/inspect.h"
#include "simt/engine/matrices.h"
#include "worker/inspection.h"

namespace worker {

bool is_inspected() {
    return true;
}

void begin_inspection() {
    inspect::begin();
}

void sample_blocks(uint64_t one_of) {
    inspect::sample_blocks(one_of);
}

void double_products(bool wanted) {
    simt::double_products(wanted);
}

std::string take_inspection(const host_arrays& outputs, const host_arrays& inputs) {
    const inspect::value_origin origin = inspect::origin_of(outputs, inputs);
    inspect::report seen = inspect::take();
    seen.origin = origin;
    return inspect::to_json(seen);
}

void draw_inspection(bool wanted) {
    inspect::draw(wanted);
}

}  // namespace worker
