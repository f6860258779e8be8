// Inline PTX that the CPU backend can say, too: instructions become calls of simt/include/simt/ptx.h. One alone becomes an
// expression; of several in one statement each becomes a statement of a block that has their registers as variables.
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simt/rewrite/instructions.h"
#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

const std::string CALL = "::simt::ptx::";

/// asm volatile("text" : "=r"(output) : "r"(input), ...)
struct statement {
    std::string text;  // one blank between texts, no semicolon at its end
    texts operands;    // what stands in their brackets, outputs first
    size_t outputs = 0;
};

bool is_name(const std::string& text) {
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
           std::all_of(text.begin(), text.end(), is_letter);
}

/// The text without one pair of braces around all of it; nothing if there is none.
std::optional<std::string> without_braces(const std::string& text) {
    if (!text.starts_with("{") || !text.ends_with("}")) return {};
    return text.substr(1, text.size() - 2);
}

/// "r0|p": a register, and the predicate that the instruction sets as well, if any.
struct destination {
    std::string reg, predicate;
};
destination destination_of(const std::string& operand) {
    const size_t bar = operand.find('|');
    return bar == std::string::npos ? destination{operand, ""}
                                    : destination{operand.substr(0, bar), operand.substr(bar + 1)};
}

/// What a statement's instructions become.
class translation {
public:
    explicit translation(const statement& said) : said_(said) {}

    /// C++ that does the same; empty if there is none.
    std::string text() {
        const std::optional<std::string> inside = without_braces(said_.text);
        // Without an instruction it keeps the compiler's order.
        if (said_.text.empty()) return said_.outputs == 0 ? "static_cast<void>(0)" : "";
        const bool is_one = !inside && said_.text.find(';') == std::string::npos;
        return is_one ? call_for(said_.text) : block_for(inside.value_or(said_.text));
    }

private:
    const statement& said_;
    std::map<std::string, std::string> registers_;  // of the block: the types of their variables
    bool in_block_ = false, has_carry_ = false;

    /// Operands are what they were before the first instruction.
    std::string block_for(const std::string& text) {
        in_block_ = true;
        std::string block;
        for (size_t k = 0; k < said_.operands.size(); k++)
            block += (k < said_.outputs ? "auto&& " : "const ::simt::ptx::input ") + operand(k) + "(" +
                     said_.operands[k] + "); ";
        size_t begin = 0;
        while (begin < text.size()) {
            const size_t end = std::min(text.find(';', begin), text.size());
            std::string one = text.substr(begin, end - begin);
            begin = end + 1;
            one.erase(0, one.find_first_not_of(' '));
            if (one.empty()) continue;
            const std::string said =
                one.starts_with(".reg ") ? declaration_for(one.substr(5)) : guarded_call_for(one);
            if (said.empty()) return "";
            block += said + "; ";
        }
        if (has_carry_) block.insert(0, "bool simt_carry; ");
        return "do { " + block + "} while (false)";
    }

    static std::string operand(size_t k) { return "simt_operand" + std::to_string(k); }
    static std::string variable(const std::string& name) { return "simt_" + name; }

    /// ".b32 low, high"
    std::string declaration_for(const std::string& text) {
        const instruction said = parse_instruction(text);  // its name begins with a point
        const std::string type = said.name.size() == 2 ? type_of(said.name[1]) : "";
        texts names;
        for (const std::string& name : said.operands) {
            if (!is_name(name)) return "";
            registers_[name] = type;
            names.push_back(variable(name));
        }
        return type.empty() || names.empty() ? "" : type + " " + join(names, ", ");
    }

    /// "@!p mov.b32 %0, low"
    std::string guarded_call_for(const std::string& text) {
        if (!text.starts_with("@")) return call_for(text);
        const size_t blank = std::min(text.find(' '), text.size());
        const std::string predicate = predicate_for(text.substr(1, blank - 1));
        const std::string call = blank == text.size() ? "" : call_for(text.substr(blank + 1));
        return predicate.empty() || call.empty() ? "" : "if (" + predicate + ") " + call;
    }

    /// "p" or "!p"
    std::string predicate_for(const std::string& name) const {
        const bool is_not = name.starts_with("!");
        const auto found = registers_.find(name.substr(is_not));
        return found == registers_.end() || found->second != "bool"
                   ? ""
                   : (is_not ? "!" : "") + variable(found->first);
    }

    std::string call_for(const std::string& text) {
        using use = ptx_function::use_of_first;
        const instruction what = parse_instruction(text);
        const ptx_function function = function_of(what);
        if (function.name.empty() || (function.first != use::argument && what.operands.empty())) return "";
        texts arguments;
        std::string to;
        for (size_t k = 0; k < what.operands.size(); k++) {
            const bool is_written = k == 0 && function.first != use::argument;
            const destination where =
                is_written ? destination_of(what.operands[0]) : destination{what.operands[k], ""};
            const std::string argument = argument_for(where.reg, is_written);
            if (argument.empty()) return "";
            if (is_written && function.first == use::value)
                to = argument;
            else
                arguments.push_back(argument);
        }
        const std::string predicate = what.operands.empty() ? "" : destination_of(what.operands[0]).predicate;
        if (!predicate.empty()) {
            if (what.name[0] != "shfl" || predicate_for(predicate).empty()) return "";
            arguments.push_back("&" + variable(predicate));
        }
        if (function.reads_carry && !has_carry_) return "";  // of another statement
        has_carry_ |= function.writes_carry;
        if (has_carry_ && !in_block_) return "";
        if (function.reads_carry || function.writes_carry) arguments.push_back("simt_carry");
        const std::string call = CALL + function.name + "(" + join(arguments, ", ") + ")";
        return to.empty() ? call : CALL + "put(" + to + ", " + call + ")";
    }

    /// %0, [%1 + 16], {%2, low}, 0x1f, 0f3F800000, %laneid, p; empty for what is not understood.
    std::string argument_for(const std::string& text, bool is_written) const {
        const auto inside = [&] { return text.substr(1, text.size() - 2); };
        if (text.starts_with("[")) {
            const size_t plus = text.find('+');
            if (plus == std::string::npos) return argument_for(inside(), false);
            const std::string base = argument_for(text.substr(1, plus - 1), false);
            const std::string offset = argument_for(text.substr(plus + 1, text.size() - plus - 2), false);
            return base.empty() || offset.empty() ? "" : CALL + "further(" + base + ", " + offset + ")";
        }
        if (text.starts_with("{")) {
            texts all;
            for (const std::string& one : split(inside(), ',')) {
                all.push_back(argument_for(one, is_written));
                if (all.back().empty()) return "";
            }
            return CALL + "list(" + join(all, ", ") + ")";
        }
        const std::string value = text.starts_with("%")        ? operand_for(text.substr(1), is_written)
                                  : registers_.count(text) > 0 ? variable(text)
                                                               : "";
        if (!value.empty()) return is_written ? "(" + value + ")" : CALL + "input(" + value + ")";
        if (is_written) return "";
        const std::string predicate = predicate_for(text);
        if (!predicate.empty()) return CALL + "input(" + predicate + ")";
        return text.starts_with("%") ? special_register(text.substr(1)) : number_for(text);
    }

    /// The operand of this number; empty for what is none, or is written though it is no output.
    std::string operand_for(const std::string& number, bool is_written) const {
        const bool is_number = number.find_first_not_of("0123456789") == std::string::npos;
        if (number.empty() || number.size() > 4 || !is_number) return "";
        const size_t k = size_t(std::stoi(number));
        if (k >= said_.operands.size() || (is_written && k >= said_.outputs)) return "";
        return in_block_ ? operand(k) : said_.operands[k];
    }

    /// 5, -1, 0x1f; or the bits of a float or double, 0f3F800000.
    static std::string number_for(const std::string& text) {
        const size_t digits = text.starts_with("-");
        const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
        const bool is_float = (text.starts_with("0f") || text.starts_with("0F")) && text.size() == 10;
        const bool is_double = (text.starts_with("0d") || text.starts_with("0D")) && text.size() == 18;
        const bool is_bits = is_float || is_double;
        const char* const allowed = is_hex || is_bits ? "0123456789abcdefABCDEF" : "0123456789";
        const size_t begin = is_hex || is_bits ? 2 : digits;
        if (begin >= text.size() || text.find_first_not_of(allowed, begin) != std::string::npos) return "";
        return is_bits ? CALL + "input(0x" + text.substr(2) + (is_float ? "u)" : "ull)") : text;
    }

    static std::string special_register(std::string name) {
        static const std::set<std::string_view> special = {
            "laneid",      "warpid",      "smid",        "nsmid",    "lanemask_lt", "lanemask_le",
            "lanemask_eq", "lanemask_ge", "lanemask_gt", "clock",    "clock64",     "globaltimer",
            "tid.x",       "tid.y",       "tid.z",       "ntid.x",   "ntid.y",      "ntid.z",
            "ctaid.x",     "ctaid.y",     "ctaid.z",     "nctaid.x", "nctaid.y",    "nctaid.z"};
        if (special.count(name) == 0) return "";
        std::replace(name.begin(), name.end(), '.', '_');
        return CALL + name + "()";
    }
};

class assembly_pass {
public:
    explicit assembly_pass(source& file) : file_(file) {}

    void run() {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (!file_.is(i, "asm") && !file_.is(i, "__asm__") && !file_.is(i, "__asm")) continue;
            size_t open = file_.next(i);
            while (file_.is(open, "volatile") || file_.is(open, "__volatile__"))
                open = file_.next(open);
            const size_t close = file_.partner(open);
            if (!file_.is(open, "(") || close == NONE) continue;
            const std::optional<statement> said = read(file_.next(open), close);
            const std::string text = said ? translation(*said).text() : "";
            if (!text.empty()) file_.take_place(i, close, text);
        }
    }

private:
    source& file_;

    /// Nothing if there is something that is not understood: operands with names.
    std::optional<statement> read(size_t i, size_t close) const {
        statement said;
        std::string text;
        for (; i != NONE && file_.tokens[i].kind == token_kind::string; i = file_.next(i)) {
            if (file_.text(i)[0] != '"') return {};
            text += file_.text(i).substr(1, file_.text(i).size() - 2);
        }
        said.text = in_one_form(text);
        for (int part = 0; i != close; part++) {
            if (!file_.is(i, ":") && !file_.is(i, "::")) return {};
            if (file_.is(i, "::")) part++;
            i = file_.next(i);
            while (i != close && !file_.is(i, ":") && !file_.is(i, "::")) {
                const std::string_view constraint = file_.text(i);
                const size_t open = file_.next(i), end = file_.partner(open);
                if (part < 2) {
                    if (!file_.is(open, "(") || end == NONE || constraint.size() < 3 || constraint[0] != '"')
                        return {};
                    const bool is_output = constraint[1] == '=' || constraint[1] == '+';
                    if (is_output != (part == 0)) return {};
                    said.operands.push_back(file_.join(file_.next(open), file_.previous(end)));
                    said.outputs += is_output;
                }
                i = file_.next(part < 2 ? end : i);
                if (file_.is(i, ",")) i = file_.next(i);
            }
        }
        return said;
    }

    static std::string in_one_form(std::string_view text) {
        std::string result;
        for (size_t k = 0; k < text.size(); k++) {
            const bool is_escape = text[k] == '\\' && k + 1 < text.size();
            const bool is_blank = text[k] == ' ' || (is_escape && (text[k + 1] == 'n' || text[k + 1] == 't'));
            if (is_escape) k++;
            if (is_blank) {
                if (!result.empty() && result.back() != ' ') result += ' ';
            } else if (!(text[k] == '%' && !result.empty() && result.back() == '%')) {
                result += text[k];
            }
        }
        while (!result.empty() && (result.back() == ' ' || result.back() == ';'))
            result.pop_back();
        return result;
    }
};

}  // namespace

void rewrite_assembly(source& file) {
    assembly_pass(file).run();
}

}  // namespace rewrite
