// What a student's file asks of the preprocessor, read before it is asked.
#pragma once
#include <string>
#include <vector>

#include "simt/rewrite/source.h"

namespace rewrite {

/// What begins the text of such problems: reports have a word of their own for it.
inline constexpr std::string_view FORBIDDEN = "forbidden: ";

/// Problems of the file and of the headers beside it and in `contract`, the lab's folder, that it includes:
///   #include of anything but the workbook's public headers, CUDA's and the standard library's
///   line markers, by which text would pass for that of another file
///   macros that change what headers mean
/// Only after this do the line markers of g++ -E tell whose text is whose. Branches of #if are all looked at.
/// A comment or raw string whose line begins like such a directive is taken for one: to know better, one
/// would have to read text exactly as the compiler does.
///
/// Of our own known-wrong cases and mutants, #line tells which solution's lines they are: `own_case`.
std::vector<problem> check_directives(const std::string& file, const std::string& contract,
                                      bool own_case = false);

}  // namespace rewrite
