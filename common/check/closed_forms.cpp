// How often a right kernel touches memory: the closed forms that counts are held against.
#include <algorithm>

#include "check/problem.h"

namespace check {

uint64_t valid_taps(int n, int radius) {
    uint64_t sum = 0;
    for (int j = -radius; j <= radius; j++)
        sum += uint64_t(std::max(0, n - std::abs(j)));
    return sum;
}

uint64_t clipped_tiles(int n, int tile, int radius) {
    uint64_t sum = 0;
    for (int64_t begin = 0; begin < n; begin += tile) {
        const int64_t last = std::min<int64_t>(n, begin + tile + radius);
        const int64_t first = std::max<int64_t>(0, begin - radius);
        sum += uint64_t(last - first);
    }
    return sum;
}

}  // namespace check
