// Inline PTX that the CPU backend can say, too: one instruction in a statement becomes a call of simt/include/simt/ptx.h.
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

using texts = std::vector<std::string>;

/// asm volatile("text" : "=r"(output) : "r"(input), ...)
struct statement {
    std::string text;  // one blank between texts, no semicolon at its end
    texts operands;    // what stands in their brackets, outputs first
    size_t outputs = 0;
};

/// "ld.global.v2.f32 {%0, %1}, [%2]": its name between the points, and its operands.
struct instruction {
    texts name, operands;
};

const std::string CALL = "::simt::ptx::";

texts split(std::string_view text, char at) {
    texts parts(1);
    int depth = 0;
    for (const char c : text) {
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (c == at && depth == 0)
            parts.emplace_back();
        else if (c != ' ')
            parts.back() += c;
    }
    return parts;
}

instruction parse(const std::string& text) {
    const size_t blank = std::min(text.find(' '), text.size());
    instruction parsed{split(text.substr(0, blank), '.'), {}};
    if (blank < text.size()) parsed.operands = split(text.substr(blank), ',');
    return parsed;
}

std::string join(const texts& parts, const std::string& with) {
    std::string text;
    for (size_t k = 0; k < parts.size(); k++)
        text += (k > 0 ? with : "") + parts[k];
    return text;
}

/// The type of C++ for one of PTX; empty for what is none.
std::string type_of(const std::string& name) {
    static const std::map<std::string_view, std::string> types = {{"b8", "unsigned char"},
                                                                  {"u8", "unsigned char"},
                                                                  {"s8", "signed char"},
                                                                  {"b16", "unsigned short"},
                                                                  {"u16", "unsigned short"},
                                                                  {"s16", "short"},
                                                                  {"b32", "unsigned int"},
                                                                  {"u32", "unsigned int"},
                                                                  {"s32", "int"},
                                                                  {"b64", "unsigned long long"},
                                                                  {"u64", "unsigned long long"},
                                                                  {"s64", "long long"},
                                                                  {"f32", "float"},
                                                                  {"f64", "double"}};
    const auto found = types.find(name);
    return found == types.end() ? "" : found->second;
}

/// Functions of ptx.h by the names of instructions. <> stands for the last part of a name, a type.
const std::map<std::string_view, std::string_view>& functions() {
    static const std::map<std::string_view, std::string_view> all = {
        {"abs.<>", "abs"},
        {"activemask.b32", "activemask"},
        {"add.<>", "add"},
        {"add.rn.<>", "add"},
        {"and.<>", "bit_and"},
        {"bar.sync", "bar_sync"},
        {"bar.warp.sync", "bar_warp_sync"},
        {"barrier.sync", "bar_sync"},
        {"barrier.sync.aligned", "bar_sync"},
        {"bfe.s32", "bfe_signed"},
        {"bfe.u32", "bfe"},
        {"bfi.b32", "bfi"},
        {"bfind.u32", "bfind"},
        {"brev.b32", "brev"},
        {"clz.b32", "clz"},
        {"cos.approx.f32", "cos_approx"},
        {"cp.async.commit_group", "cp_async_commit_group"},
        {"cp.async.wait_all", "cp_async_wait_all"},
        {"cp.async.wait_group", "cp_async_wait_group"},
        {"cvt.f32.bf16", "cvt_f32_bf16"},
        {"cvt.f32.f16", "cvt_f32_f16"},
        {"cvt.rn.bf16.f32", "cvt_bf16_f32"},
        {"cvt.rn.bf16x2.f32", "cvt_bf16x2_f32"},
        {"cvt.rn.f16.f32", "cvt_f16_f32"},
        {"cvt.rn.f16x2.f32", "cvt_f16x2_f32"},
        {"cvt.rna.tf32.f32", "cvt_tf32_f32"},
        {"div.full.f32", "div<float>"},
        {"div.rn.<>", "div"},
        {"dp4a.s32.s32", "dp4a<int>"},
        {"dp4a.u32.u32", "dp4a<unsigned int>"},
        {"ex2.approx.f32", "ex2_approx"},
        {"fma.rn.<>", "fma"},
        {"lg2.approx.f32", "lg2_approx"},
        {"lop3.b32", "lop3"},
        {"mad.lo.<>", "mad"},
        {"max.<>", "max"},
        {"membar.cta", "membar_cta"},
        {"membar.gl", "membar_gl"},
        {"membar.sys", "membar_gl"},
        {"min.<>", "min"},
        {"mov.<>", "mov"},
        {"mul.<>", "mul"},
        {"mul.hi.s32", "mul_hi_signed"},
        {"mul.hi.u32", "mul_hi"},
        {"mul.lo.<>", "mul"},
        {"mul.rn.<>", "mul"},
        {"mul.wide.s32", "mul_wide_signed"},
        {"mul.wide.u32", "mul_wide"},
        {"nanosleep.u32", "nanosleep"},
        {"neg.<>", "neg"},
        {"not.<>", "bit_not"},
        {"or.<>", "bit_or"},
        {"popc.b32", "popc"},
        {"popc.b64", "popc_long"},
        {"prefetch.global.L1", "prefetch"},
        {"prefetch.global.L2", "prefetch"},
        {"prmt.b32", "prmt"},
        {"rcp.approx.f32", "rcp"},
        {"rcp.rn.f32", "rcp"},
        {"rsqrt.approx.f32", "rsqrt_approx"},
        {"sad.u32", "sad"},
        {"shf.l.wrap.b32", "shf_l_wrap"},
        {"shf.r.wrap.b32", "shf_r_wrap"},
        {"shfl.sync.bfly.b32", "shfl_bfly"},
        {"shfl.sync.down.b32", "shfl_down"},
        {"shfl.sync.idx.b32", "shfl_idx"},
        {"shfl.sync.up.b32", "shfl_up"},
        {"shl.<>", "shl"},
        {"shr.<>", "shr"},
        {"sin.approx.f32", "sin_approx"},
        {"sqrt.approx.f32", "sqrt_approx"},
        {"sqrt.rn.<>", "sqrt"},
        {"sub.<>", "sub"},
        {"sub.rn.<>", "sub"},
        {"tanh.approx.f32", "tanh_approx"},
        {"trap", "trap"},
        {"vabsdiff4.u32.u32.u32.add", "vabsdiff4_add"},
        {"xor.<>", "bit_xor"},
    };
    return all;
}

/// The name of a function of ptx.h, with its template's arguments; empty if there is none.
std::string function_for(const texts& name) {
    texts plain = name;
    // What is approximated has no denormal numbers to lose.
    if (std::find(plain.begin(), plain.end(), "approx") != plain.end()) std::erase(plain, "ftz");
    const auto exact = functions().find(join(plain, "."));
    if (exact != functions().end()) return std::string(exact->second);
    const std::string type = type_of(plain.back());
    plain.back() = "<>";
    const auto typed = functions().find(join(plain, "."));
    if (typed == functions().end() || type.empty()) return "";
    return std::string(typed->second) + "<" + type + ">";
}

/// ld, st, red and atom. How they use caches and what order they promise changes nothing here, where threads take turns.
std::string memory_function(const texts& name) {
    static const std::set<std::string_view> without_effect = {"global",
                                                              "nc",
                                                              "ca",
                                                              "cg",
                                                              "cs",
                                                              "lu",
                                                              "cv",
                                                              "wb",
                                                              "wt",
                                                              "weak",
                                                              "volatile",
                                                              "relaxed",
                                                              "acquire",
                                                              "release",
                                                              "acq_rel",
                                                              "gpu",
                                                              "sys",
                                                              "cta",
                                                              "L1::no_allocate",
                                                              "L1::evict_last",
                                                              "L1::evict_first",
                                                              "L2::64B",
                                                              "L2::128B",
                                                              "L2::256B"};
    static const std::map<std::string_view, std::string> operations = {
        {"add", "add"}, {"min", "min"},   {"max", "max"}, {"and", "and"}, {"or", "or"},
        {"xor", "xor"}, {"exch", "exch"}, {"cas", "cas"}, {"inc", "inc"}, {"dec", "dec"}};
    const std::string type = type_of(name.back());
    std::string space = "global", operation;
    for (size_t k = 1; k + 1 < name.size(); k++) {
        if (without_effect.count(name[k]) > 0 || name[k] == "v2" || name[k] == "v4") continue;
        if (name[k] == "shared" || name[k] == "shared::cta")
            space = "shared";
        else if (operations.count(name[k]) > 0 && operation.empty())
            operation = name[k];
        else
            return "";
    }
    const bool is_atomic = name[0] == "atom" || name[0] == "red";
    if (type.empty() || is_atomic == operation.empty()) return "";
    const std::string function = is_atomic ? "atomic_" + operation : name[0] == "ld" ? "load" : "store";
    return function + "<" + CALL + space + "_memory, " + type + ">";
}

/// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32: of d, a, b and c.
std::string mma_function(const texts& name) {
    static const std::map<std::string_view, std::string> elements = {
        {"f16", "float16"},  {"bf16", "bfloat16"}, {"tf32", "tf32"},  {"s8", "signed8"},
        {"u8", "unsigned8"}, {"s32", "integer"},   {"f32", "single"}, {"f64", "twice"}};
    static const std::set<std::string_view> shapes = {"m16n8k4", "m16n8k8", "m16n8k16", "m16n8k32", "m8n8k4"};
    if (name.size() != 10 || name[1] != "sync" || name[2] != "aligned" || shapes.count(name[3]) == 0)
        return "";
    if (name[4] != "row" || name[5] != "col" || name[7] != name[8]) return "";
    // Of halves Volta's own shape has another layout.
    if (name[3] == "m8n8k4" && name[7] != "f64") return "";
    std::string shape = name[3].substr(1);
    shape.replace(shape.find('n'), 1, ", ").replace(shape.find('k'), 1, ", ");
    std::string arguments = shape;
    for (const size_t k : {size_t(7), size_t(9), size_t(6)}) {
        if (elements.count(name[k]) == 0) return "";
        arguments += ", ::simt::matrix_element::" + elements.at(name[k]);
    }
    return "mma<" + arguments + ">";
}

/// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
std::string ldmatrix_function(const texts& name) {
    const auto has = [&](std::string_view word) {
        return std::find(name.begin(), name.end(), word) != name.end();
    };
    if (!has("m8n8") || !has("b16") || !(has("shared") || has("shared::cta"))) return "";
    return std::string("ldmatrix<") + (has("trans") ? "true" : "false") + ">";
}

/// cp.async.cg.shared.global.L2::128B
std::string cp_async_function(const texts& name) {
    static const std::set<std::string_view> known = {
        "cp", "async", "ca", "cg", "shared", "shared::cta", "global", "L2::64B", "L2::128B", "L2::256B"};
    const bool is_copy = name.size() >= 5 && name[1] == "async";
    for (const std::string& word : name)
        if (known.count(word) == 0) return "";
    return is_copy ? "cp_async" : "";
}

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
            const std::string call = said ? call_for(*said) : "";
            if (call.empty()) continue;
            file_.take_place(i, close, call);
        }
    }

private:
    source& file_;

    /// The call that does the same; empty if there is none.
    static std::string call_for(const statement& said) {
        if (said.text.empty() && said.outputs == 0)
            return "static_cast<void>(0)";  // keeps the compiler's order
        const instruction what = parse(said.text);
        const std::string& kind = what.name[0];
        texts arguments;
        for (const std::string& operand : what.operands) {
            arguments.push_back(argument_for(operand, said, arguments.empty()));
            if (arguments.back().empty()) return "";
        }
        std::string function;
        // These write where they are told.
        if (kind == "mma")
            function = mma_function(what.name);
        else if (kind == "ldmatrix")
            function = ldmatrix_function(what.name);
        else if (kind == "mov" && !arguments.empty() && what.operands[0].starts_with("{"))
            function = "unpack";
        else if (kind == "ld" || kind == "st" || kind == "red" || kind == "atom")
            function = memory_function(what.name);
        if (!function.empty()) return CALL + function + "(" + join(arguments, ", ") + ")";
        function = function_for(what.name);
        if (function.empty() && kind == "cp") function = cp_async_function(what.name);
        if (function.empty() || said.outputs > 1) return "";
        if (said.outputs == 0) return CALL + function + "(" + join(arguments, ", ") + ")";
        if (what.operands.empty() || what.operands[0] != "%0") return "";
        const std::string value =
            CALL + function + "(" + join({arguments.begin() + 1, arguments.end()}, ", ") + ")";
        return CALL + "put(" + said.operands[0] + ", " + value + ")";
    }

    /// %0, [%1 + 16], {%2, %3}, 0x1f, %laneid; empty for what is not understood. The first operand is written, if it is an
    /// output.
    static std::string argument_for(const std::string& operand, const statement& said, bool is_first) {
        const auto inside = [&] { return operand.substr(1, operand.size() - 2); };
        if (operand.starts_with("[")) {
            const size_t plus = operand.find('+');
            if (plus == std::string::npos) return argument_for(inside(), said, false);
            const std::string base = argument_for(operand.substr(1, plus - 1), said, false);
            const std::string offset =
                argument_for(operand.substr(plus + 1, operand.size() - plus - 2), said, false);
            return base.empty() || offset.empty() ? "" : CALL + "further(" + base + ", " + offset + ")";
        }
        if (operand.starts_with("{")) {
            texts all;
            for (const std::string& one : split(inside(), ',')) {
                all.push_back(argument_for(one, said, is_first));
                if (all.back().empty()) return "";
            }
            return CALL + "list(" + join(all, ", ") + ")";
        }
        const size_t digits = operand.starts_with("-");
        if (operand.starts_with("0f") || operand.starts_with("0d")) return "";  // the bits of a number
        const bool is_number =
            operand.find_first_not_of("0123456789abcdefxABCDEF", digits) == std::string::npos;
        if (operand.size() > digits && std::isdigit(operand[digits]) && is_number) return operand;
        if (!operand.starts_with("%") || operand.size() < 2) return "";
        std::string name = operand.substr(1);
        if (name.find_first_not_of("0123456789") == std::string::npos) {
            const size_t k = size_t(std::stoi(name));
            if (k >= said.operands.size()) return "";
            return is_first && k < said.outputs ? "(" + said.operands[k] + ")"
                                                : CALL + "input(" + said.operands[k] + ")";
        }
        static const std::set<std::string_view> special = {
            "laneid",      "warpid",      "smid",        "nsmid",    "lanemask_lt", "lanemask_le",
            "lanemask_eq", "lanemask_ge", "lanemask_gt", "clock",    "clock64",     "globaltimer",
            "tid.x",       "tid.y",       "tid.z",       "ntid.x",   "ntid.y",      "ntid.z",
            "ctaid.x",     "ctaid.y",     "ctaid.z",     "nctaid.x", "nctaid.y",    "nctaid.z"};
        if (special.count(name) == 0) return "";
        std::replace(name.begin(), name.end(), '.', '_');
        return CALL + name + "()";
    }

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
