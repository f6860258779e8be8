// Gallery: photographs through every method of the lab and every filter of the sources.
#pragma once
#include <string>
#include <vector>

#include "check/session.h"

namespace check {

struct gallery_options {
    std::vector<std::string> images = {"data/images/camera.png", "data/images/coffee.png"};
    std::string out = "build/gallery";  // folder of IMAGE.FILTER.METHOD.png and gallery.csv
    std::string date;                   // of the data, YYYY-MM-DD
};

/// Adds a row to gallery.csv for each method, photograph and filter: are its values those of the serial
/// loop, bit by bit? Returns the exit code: 0 if all are (of methods that take other problems, method_2d::pose, and
/// on a GPU that was not built with --fmad=false: if all are within their bounds), else 1.
int run_gallery(const gallery_options& options, session& run);

}  // namespace check
