// CUB's classes name others as those are called: typedef BlockScan<int, 32> BlockScan; g++ takes that for a mistake, where
// nvcc does not, unless the first one has its namespace.
#include "simt/rewrite/passes.h"

namespace rewrite {

void qualify_class_names(source& file) {
    for (size_t i = file.first(); i != NONE; i = file.next(i)) {
        const size_t name = file.next(i), open = file.next(name);
        if (!file.is(i, "typedef") || !file.is_identifier(name) || !file.is(open, "<")) continue;
        const std::string& header = file.places[file.tokens[i].place].name;
        const size_t own_name = file.next(file.closing_angle(open));
        if (!is_of_cub(header) || !file.is(own_name, file.text(name))) continue;
        file.insert_before(name, "cub::");
    }
}

}  // namespace rewrite
