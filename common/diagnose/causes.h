// The causes that a diagnosis can name. Their ids are a stable part of report.json; the sentences beside them
// may be reworded.
#pragma once
#include <array>
#include <string_view>

namespace check {

struct known_cause {
    std::string_view id, meaning;
};

inline constexpr std::array KNOWN_CAUSES = {
    // the filter
    known_cause{"filter-flipped", "taps are taken from the other end, in one direction or in both"},
    known_cause{"filter-transposed", "rows of the filter are used as columns"},
    known_cause{"filter-rows-misread", "rows of the filter are taken to be of another length"},
    known_cause{"filter-size-ignored", "the sum runs over another number of taps than the filter has"},
    known_cause{"filter-cut-short", "only the first taps arrive on the device"},
    known_cause{"filter-misplaced", "the taps land beside their place in constant memory"},
    known_cause{"filter-copied-late", "the kernel sees the filter of the call before"},
    known_cause{"filter-not-copied", "the kernel sees the filter of an earlier call, or of none"},
    known_cause{"filter-of-earlier-call", "copied too late or only once: here both give the same"},
    known_cause{"filter-taken-as-square", "width and height of the filter are taken to be the same"},
    known_cause{"filter-sides-swapped", "width and height of the filter are exchanged"},
    known_cause{"radii-swapped", "half the width is used up and down, half the height left and right"},
    known_cause{"tap-index-not-shifted", "taps are indexed from -r, as the neighbours are"},
    known_cause{"taps-left-out", "the first, the last or all but the middle taps are not used"},
    known_cause{"radius-is-size", "the radius is taken to be the number of taps"},
    known_cause{"tap-index-wrong", "taps are taken from beside their place, or one tap is used for many"},
    known_cause{"taps-too-many", "the sum runs past the ends of the filter"},
    // the place
    known_cause{"shifted", "right sums of other places"},
    known_cause{"neighbour-index-wrong", "a part of the index of a neighbour is wrong or missing"},
    known_cause{"half-pixel-off", "texture coordinates without the half: neighbours are mixed"},
    known_cause{"coordinates-swapped", "x and y change places where a pixel is fetched"},
    known_cause{"width-height-swapped", "rows are taken to be as long as the image is high"},
    known_cause{"image-transposed", "the image is read or written column by column"},
    known_cause{"channels-mixed", "channels are read or written in another order than interleaved"},
    known_cause{"padding-ignored", "a padded image is read by the row length of the unpadded one"},
    known_cause{"padding-misplaced", "pixels stand beside their place in a padded image"},
    known_cause{"padding-unfilled", "pixels are missing in a padded image"},
    known_cause{"pitch-ignored", "rows on the device are taken to be dense"},
    known_cause{"pitch-in-elements", "the pitch, a number of bytes, is used as a number of values"},
    known_cause{"bytes-are-elements", "a number of elements is given where bytes are asked for"},
    // the border
    known_cause{"ghost-zero", "ghost cells are 0 where they should not be"},
    known_cause{"ghost-clamped", "ghost cells repeat the nearest pixel"},
    known_cause{"ghost-mirrored", "ghost cells mirror the image"},
    known_cause{"ghost-wrapped", "ghost cells come from the opposite side"},
    known_cause{"ghost-row-wrap", "reads at the border run into neighbouring rows"},
    known_cause{"ghost-untested", "reads at the border go outside the input"},
    known_cause{"ghost-test-wrong",
                "the test for ghost cells takes pixels of the image for such, or misses some"},
    known_cause{"ghost-not-zero", "ghost cells hold another number than 0"},
    known_cause{"ghost-ends-loop", "a ghost cell ends the sum"},
    known_cause{"ghost-cells-unset", "ghost cells of a shared tile are never stored"},
    known_cause{"overhang-zero", "the result is 0 where the filter overhangs"},
    known_cause{"overhang-not-written", "results are not written where the filter overhangs"},
    // who computes what
    known_cause{"nothing-launched", "no kernel was launched"},
    known_cause{"nothing-stored", "no thread stores a result"},
    known_cause{"out-not-copied", "results stay on the device"},
    known_cause{"array-not-copied", "the kernel reads device memory that nothing was copied to"},
    known_cause{"passage-left-out", "a kernel reads what the kernel before it was to store, and has not"},
    known_cause{"wrong-array", "one array is read where another is meant"},
    known_cause{"writes-the-input", "results are stored in the input"},
    known_cause{"only-first-block", "blocks do not know their place"},
    known_cause{"only-first-channel", "one channel alone is computed"},
    known_cause{"only-first-output", "of several outputs of a thread the first alone is stored"},
    known_cause{"guard-by-last-output", "a thread gives up all outputs if its last one is outside"},
    known_cause{"rows-left-out", "the first rows of every tile alone are computed"},
    known_cause{"grid-rounded-down", "there are no threads for the last, partial blocks"},
    known_cause{"grid-swapped", "the blocks of the grid are counted with width and height exchanged"},
    known_cause{"block-swapped",
                "width and height of the blocks are exchanged, and the grid is made for the others"},
    known_cause{"launch-swapped", "blocks and threads of a launch are exchanged"},
    known_cause{"grid-too-small", "there are fewer threads than outputs"},
    known_cause{"thread-index-wrong", "threads compute and store other outputs than their own"},
    known_cause{"index-too-narrow", "the type of an index is too small for the outputs there are"},
    known_cause{"outputs-left-out", "outputs have no thread that stores them"},
    known_cause{"square-guard", "rows are compared with the width of the image"},
    known_cause{"no-guard", "threads without an output store as well, into the next rows or past the end"},
    known_cause{"length-is-thread-count", "the array is taken to be as long as there are threads"},
    // shared memory
    known_cause{"shared-too-small", "the launch asks for less shared memory than its tile takes"},
    known_cause{"barrier-missing", "threads read cells of a tile before others have stored them"},
    known_cause{"barrier-in-branch", "some threads never come to the barrier"},
    known_cause{"early-return", "threads leave before they have loaded their share of the tile"},
    known_cause{"tile-partly-loaded", "cells of the tile have nobody to load them"},
    known_cause{"halo-as-ghost", "pixels beside the tile count as 0"},
    known_cause{"halo-of-one-tile", "pixels farther away than the next tile are left out"},
    known_cause{"halo-misplaced", "a part of the halo is loaded from beside its place"},
    known_cause{"tile-offset-forgotten", "the sum reads the tile as if there were no halo before it"},
    known_cause{"tile-cells-wrong",
                "cells of the tile are loaded from elsewhere, or stored or read beside their place"},
    known_cause{"tile-index-wrong", "cells of the tile are stored or read beside their place"},
    known_cause{"tile-source-wrong", "cells of the tile are loaded from another place of the image"},
    // the result
    known_cause{"sum-starts-wrong", "the sum starts from something else than 0"},
    known_cause{"added-to-unset", "values are added to memory that nobody has set"},
    known_cause{"sum-overwritten", "products replace the sum and are not added to it"},
    known_cause{"one-product-left",
                "the last product alone is in the sum: others are replaced by it, or a loop starts too late"},
    known_cause{"product-wrong", "pixels and taps are not multiplied, or one of them is left out"},
    known_cause{"nothing-added", "no pixel ever comes to the sum"},
    known_cause{"integer-sum", "a float becomes a whole number on its way"},
    known_cause{"fp16-overflow", "a number is too large for fp16"},
    known_cause{"bits-lost", "pixels, taps or products are not as exact as they should be"},
    known_cause{"added-twice", "the result is there twice"},
    known_cause{"result-divided", "the result is divided by the sum of the taps"},
    known_cause{"result-clamped", "the result is clamped to a range"},
    known_cause{"absolute-value", "the absolute value was taken"},
    known_cause{"sign-wrong", "the sign is wrong"},
    known_cause{"input-unchanged", "the input came back"},
    // several steps
    known_cause{"transform-not-divided",
                "transforms there and back multiply by a number of cells, and something else divides"},
    known_cause{"step-left-out", "one of several steps is left out, or stands in the place of another"},
    known_cause{"exchange-wrong",
                "one of several passes alone is right: what goes from one to the next is missing, misplaced, "
                "late or lost"},
    known_cause{"display-wrong", "a value is not scaled, not clamped, or both in the wrong order"},
    known_cause{"length-wrong", "the length of a gradient is made of something else than squares and a root"},
    known_cause{"threshold-wrong",
                "a threshold is not compared, the wrong way round, or with something else"},
};

/// "" of ids that are none.
constexpr std::string_view meaning_of(std::string_view id) {
    for (const known_cause& one : KNOWN_CAUSES) {
        if (one.id == id) return one.meaning;
    }
    return "";
}

constexpr bool is_known_cause(std::string_view id) {
    return !meaning_of(id).empty();
}

}  // namespace check
