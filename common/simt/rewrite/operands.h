// Where operands begin, as far as the words alone tell.
#pragma once
#include "simt/rewrite/source.h"

namespace rewrite {

/// The first token of the postfix expression that ends with token i, as in `a.b[i]->c(x)`;
/// NONE where that cannot be told from the words alone.
size_t begin_of_operand(const source& file, size_t i);

}  // namespace rewrite
