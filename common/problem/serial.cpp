// The sources' serial float loop.
#include <vector>

#include "lab/border.h"
#include "problem/problem.h"

namespace check {

std::vector<float> convolve_serial(const problem_1d& problem) {
    const int n = problem.n();
    const int radius = problem.radius();
    std::vector<float> out(problem.in.size());
    for (int x = 0; x < n; x++) {
        float sum = 0.0f;
        for (int j = -radius; j <= radius; j++) {
            const bool ghost_cell = x + j < 0 || x + j >= n;
            if (!ghost_cell) sum += problem.in[x + j] * problem.taps[j + radius];
        }
        out[x] = sum;
    }
    return out;
}

std::vector<float> convolve_serial(const problem_2d& problem) {
    const image& in = problem.in;
    const filter& f = problem.filter;
    if (!f.column.empty()) {  // given as factors: along the rows, and of these sums along the columns
        problem_2d pass{in, {f.width, 1, f.row, ""}, problem.border};
        pass.in.pixels = convolve_serial(pass);
        pass.filter = {1, f.height, f.column, ""};
        return convolve_serial(pass);
    }
    const int radius_x = problem.filter.width / 2;
    const int radius_y = problem.filter.height / 2;
    std::vector<float> out(in.pixels.size());
    for (int y = 0; y < in.height; y++) {
        for (int x = 0; x < in.width; x++) {
            for (int channel = 0; channel < in.channels; channel++) {
                float sum = 0.0f;
                for (int i = -radius_y; i <= radius_y; i++) {
                    const int row = border_index(y + i, in.height, problem.border);
                    if (row < 0) continue;
                    for (int j = -radius_x; j <= radius_x; j++) {
                        const int column = border_index(x + j, in.width, problem.border);
                        if (column < 0) continue;
                        sum +=
                            in.pixels[(size_t(row) * in.width + column) * in.channels + channel] *
                            problem.filter.taps[size_t(i + radius_y) * problem.filter.width + j + radius_x];
                    }
                }
                out[(size_t(y) * in.width + x) * in.channels + channel] = sum;
            }
        }
    }
    return out;
}

}  // namespace check
