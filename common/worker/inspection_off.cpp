// A worker without the inspector: plain CPU and GPU builds.
#include "worker/inspection.h"

namespace worker {

void begin_inspection() {}

std::string take_inspection() {
    return "";
}

void draw_inspection(bool) {}

}  // namespace worker
