// A worker with the inspector.
#include "inspect/inspect.h"
#include "worker/inspection.h"

namespace worker {

void begin_inspection() {
    inspect::begin();
}

std::string take_inspection() {
    return inspect::to_json(inspect::take());
}

void draw_inspection(bool wanted) {
    inspect::draw(wanted);
}

}  // namespace worker
