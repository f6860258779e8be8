// Where operands begin and statements end, as far as the words alone tell.
#pragma once
#include "simt/rewrite/source.h"

namespace rewrite {

/// The first token of the postfix expression that ends with token i, as in `a.b[i]->c(x)`;
/// NONE where that cannot be told from the words alone.
size_t begin_of_operand(const source& file, size_t i);

/// True if what follows token i continues an expression: a * or & is then an operator of two.
bool ends_operand(const source& file, size_t i);

/// Two of the same sign that touch: ++, && and the like.
bool is_twice(const source& file, size_t i, std::string_view sign);

/// True for += and its like after an operand, ++ and -- on either side of it. It begins at `first`; `after` follows it.
bool is_updated(const source& file, size_t first, size_t after);

/// True for the while that ends do { ... }.
bool ends_do(const source& file, size_t i);

/// The semicolon of the statement that begins at i, or the end of its block; of an if that of its else, too.
size_t end_of_statement(const source& file, size_t i);

/// The last token of the statement that an if, else, switch, for, while or do at i decides on.
size_t end_of_controlled(const source& file, size_t i);

}  // namespace rewrite
