// Which values are wrong, made small.
#include "check/wrong_picture.h"

#include <algorithm>
#include <cmath>

namespace check {

namespace {

int rounded_up(int all, int part) {
    return (all + part - 1) / part;
}

}  // namespace

wrong_picture picture_of(std::span<const float> out, const comparison& found, const shape& where) {
    wrong_picture picture;
    picture.width = where.width;
    picture.height = where.height;
    picture.cell_width = rounded_up(where.width, wrong_picture::MOST_COLUMNS);
    picture.cell_height = rounded_up(where.height, wrong_picture::MOST_ROWS);
    const std::string row(size_t(rounded_up(where.width, picture.cell_width)), wrong_picture::RIGHT);
    picture.rows.assign(size_t(rounded_up(where.height, picture.cell_height)), row);
    for (size_t k = 0; k < found.wrong.size(); k++) {
        if (!found.wrong[k]) continue;
        const size_t pixel = k / size_t(where.channels);
        char& cell = picture.rows[pixel / size_t(where.width) / size_t(picture.cell_height)]
                                 [pixel % size_t(where.width) / size_t(picture.cell_width)];
        // A wrong number says more than a missing one.
        if (cell != wrong_picture::WRONG)
            cell = std::isnan(out[k]) ? wrong_picture::NOT_A_NUMBER : wrong_picture::WRONG;
    }
    return picture;
}

}  // namespace check
