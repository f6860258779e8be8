// Refuses filters that constant memory cannot hold.
#include "lab/filter.h"

#include <stdexcept>
#include <string>

namespace lab {

void expect_room_for(size_t taps, size_t room) {
    if (taps > room)
        throw std::invalid_argument("a filter of " + std::to_string(taps) +
                                    " taps: constant memory holds at most " + std::to_string(room));
}

}  // namespace lab
