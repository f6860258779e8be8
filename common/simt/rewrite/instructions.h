// Instructions of inline PTX, one at a time.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace rewrite {

using texts = std::vector<std::string>;

/// The parts between `at`, without blanks; what stands in {} or [] is one.
texts split(std::string_view text, char at);

/// The parts, one behind the other, `with` between them.
std::string join(const texts& parts, const std::string& with);

/// "ld.global.v2.f32 {%0, %1}, [%2]": its name between the points, and its operands.
struct instruction {
    texts name, operands;
};

/// Of a text without a semicolon.
instruction parse_instruction(const std::string& text);

/// The type of C++ for one of PTX; empty for what is none. A predicate is a bool.
std::string type_of(const std::string& name);

/// A function of simt::ptx, with its template's arguments, and what becomes of the first operand.
struct ptx_function {
    enum class use_of_first { argument, value, reference };
    std::string name;
    use_of_first first = use_of_first::value;
    bool reads_carry = false, writes_carry = false;  // of the instruction before; to the one behind
};

/// What does the same; its name is empty if there is none.
ptx_function function_of(const instruction& what);

}  // namespace rewrite
