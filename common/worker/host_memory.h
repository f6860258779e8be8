// Memory of the student's host code.
#pragma once

namespace worker {

/// From now on memory that `new` gives, a vector's too, and a little behind it, is filled with large
/// numbers: what nobody has set is no 0 by chance, nor is what is read beyond the end.
void fill_new_memory();

}  // namespace worker
