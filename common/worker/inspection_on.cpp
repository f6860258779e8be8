// A worker with the inspector.
#include "inspect/watch/inspect.h"
#include "worker/inspection.h"

namespace worker {

void begin_inspection() {
    inspect::begin();
}

void sample_blocks(uint64_t one_of) {
    inspect::sample_blocks(one_of);
}

std::string take_inspection() {
    return inspect::to_json(inspect::take());
}

void draw_inspection(bool wanted) {
    inspect::draw(wanted);
}

}  // namespace worker
