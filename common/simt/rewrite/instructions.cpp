// Which functions of simt/include/simt/ptx.h and ptx_memory.h do what instructions of PTX do.
#include "simt/rewrite/instructions.h"

#include <algorithm>
#include <map>
#include <set>

namespace rewrite {

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

std::string join(const texts& parts, const std::string& with) {
    std::string text;
    for (size_t k = 0; k < parts.size(); k++)
        text += (k > 0 ? with : "") + parts[k];
    return text;
}

instruction parse_instruction(const std::string& text) {
    const size_t blank = std::min(text.find(' '), text.size());
    instruction parsed{split(text.substr(0, blank), '.'), {}};
    if (blank < text.size()) parsed.operands = split(text.substr(blank), ',');
    return parsed;
}

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
                                                                  {"f64", "double"},
                                                                  {"pred", "bool"}};
    const auto found = types.find(name);
    return found == types.end() ? "" : found->second;
}

namespace {

/// Functions of ptx.h by the names of instructions. <> stands for the last part of a name, a type.
const std::map<std::string_view, std::string_view>& functions() {
    static const std::map<std::string_view, std::string_view> all = {
        {"abs.<>", "abs"},
        {"activemask.b32", "activemask"},
        {"add.<>", "add"},
        {"add.cc.<>", "add_cc"},
        {"add.rn.<>", "add"},
        {"addc.<>", "addc"},
        {"addc.cc.<>", "addc"},
        {"and.<>", "bit_and"},
        {"and.pred", "bit_and<bool>"},
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
        {"exit", "exit"},
        {"fma.rn.<>", "fma"},
        {"fma.rz.f32", "fma_rz"},
        {"lg2.approx.f32", "lg2_approx"},
        {"lop3.b32", "lop3"},
        {"mad.hi.cc.<>", "mad_hi_cc"},
        {"mad.lo.<>", "mad"},
        {"mad.lo.cc.<>", "mad_lo_cc"},
        {"madc.hi.<>", "madc_hi"},
        {"madc.hi.cc.<>", "madc_hi"},
        {"madc.lo.<>", "madc_lo"},
        {"madc.lo.cc.<>", "madc_lo"},
        {"match.any.sync.b32", "match_any"},
        {"match.any.sync.b64", "match_any_long"},
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
        {"mul.rz.f32", "mul_rz"},
        {"mul.wide.s32", "mul_wide_signed"},
        {"mul.wide.u32", "mul_wide"},
        {"nanosleep.u32", "nanosleep"},
        {"neg.<>", "neg"},
        {"not.<>", "bit_not"},
        {"not.pred", "predicate_not"},
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
        {"selp.<>", "selp"},
        {"setp.eq.<>", "is_eq"},
        {"setp.equ.<>", "is_equ"},
        {"setp.ge.<>", "is_ge"},
        {"setp.geu.<>", "is_geu"},
        {"setp.gt.<>", "is_gt"},
        {"setp.gtu.<>", "is_gtu"},
        {"setp.hi.<>", "is_gt"},
        {"setp.hs.<>", "is_ge"},
        {"setp.le.<>", "is_le"},
        {"setp.leu.<>", "is_leu"},
        {"setp.lo.<>", "is_lt"},
        {"setp.ls.<>", "is_le"},
        {"setp.lt.<>", "is_lt"},
        {"setp.ltu.<>", "is_ltu"},
        {"setp.ne.<>", "is_ne"},
        {"setp.neu.<>", "is_neu"},
        {"shf.l.wrap.b32", "shf_l_wrap"},
        {"shf.r.wrap.b32", "shf_r_wrap"},
        {"shfl.sync.bfly.b32", "shfl<::simt::ptx::lane_move::bfly>"},
        {"shfl.sync.down.b32", "shfl<::simt::ptx::lane_move::down>"},
        {"shfl.sync.idx.b32", "shfl<::simt::ptx::lane_move::idx>"},
        {"shfl.sync.up.b32", "shfl<::simt::ptx::lane_move::up>"},
        {"shl.<>", "shl"},
        {"shr.<>", "shr"},
        {"sin.approx.f32", "sin_approx"},
        {"sqrt.approx.f32", "sqrt_approx"},
        {"sqrt.rn.<>", "sqrt"},
        {"sub.<>", "sub"},
        {"sub.cc.<>", "sub_cc"},
        {"sub.rn.<>", "sub"},
        {"subc.<>", "subc"},
        {"subc.cc.<>", "subc"},
        {"tanh.approx.f32", "tanh_approx"},
        {"trap", "trap"},
        {"vabsdiff4.u32.u32.u32.add", "vabsdiff4_add"},
        {"vadd.u32.u32.u32.add", "vadd_add"},
        {"vote.all.sync.pred", "vote_all"},
        {"vote.any.sync.pred", "vote_any"},
        {"vote.ballot.sync.b32", "vote_ballot"},
        {"vote.sync.all.pred", "vote_all"},
        {"vote.sync.any.pred", "vote_any"},
        {"vote.sync.ballot.b32", "vote_ballot"},
        {"vshl.u32.u32.u32.clamp.add", "vshl_add"},
        {"vshr.u32.u32.u32.clamp.add", "vshr_add"},
        {"xor.<>", "bit_xor"},
    };
    return all;
}

/// cvt.u16.u8, cvt.rn.f32.s32, cvt.rzi.s32.f32: between numbers that C++ has, exact ones or rounded as a cast is.
std::string conversion_function(const texts& name) {
    if (name.size() < 3 || name[0] != "cvt") return "";
    const std::string &to = name[name.size() - 2], &from = name.back();
    const auto is_floating = [](const std::string& type) { return type[0] == 'f'; };
    if (type_of(to).empty() || type_of(from).empty()) return "";
    const bool widens = is_floating(to) == is_floating(from) && (to != "f32" || from != "f64");
    const std::string rounding = widens ? "" : is_floating(to) ? "rn" : "rzi";
    if (name.size() != (widens ? 3u : 4u) || (!widens && name[1] != rounding)) return "";
    return "cvt<" + type_of(to) + ", " + type_of(from) + ">";
}

/// The name of a function of ptx.h, with its template's arguments; empty if there is none.
std::string function_for(const texts& name) {
    texts plain = name;
    // What is approximated has no denormal numbers to lose.
    if (std::find(plain.begin(), plain.end(), "approx") != plain.end()) std::erase(plain, "ftz");
    const std::string conversion = conversion_function(plain);
    if (!conversion.empty()) return conversion;
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
                                                              "v2",
                                                              "v4",
                                                              "nc",
                                                              "ca",
                                                              "cs",
                                                              "lu",
                                                              "wb",
                                                              "weak",
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
    // By these threads may wait for each other, though blocks be far apart.
    static const std::set<std::string_view> among_threads = {"cg",      "cv",      "wt",     "volatile",
                                                             "relaxed", "acquire", "release"};
    static const std::set<std::string_view> operations = {"add", "min",  "max", "and", "or",
                                                          "xor", "exch", "cas", "inc", "dec"};
    const std::string type = type_of(name.back());
    std::string space = "global", operation, order;
    bool may_wait = false;
    for (size_t k = 1; k + 1 < name.size(); k++) {
        may_wait |= among_threads.count(name[k]) > 0;
        if (name[k] == "acquire" || name[k] == "release") order = "_" + name[k];
        if (without_effect.count(name[k]) + among_threads.count(name[k]) > 0) continue;
        if (name[k] == "shared" || name[k] == "shared::cta")
            space = "shared";
        else if (operations.count(name[k]) > 0 && operation.empty())
            operation = name[k];
        else
            return "";
    }
    const bool is_atomic = name[0] == "atom" || name[0] == "red";
    if (type.empty() || is_atomic == operation.empty()) return "";
    const std::string function =
        is_atomic ? "atomic_" + operation : (name[0] == "ld" ? "load" : "store") + order;
    const std::string word = may_wait && !is_atomic ? "volatile " + type : type;
    return function + "<::simt::ptx::" + space + "_memory, " + word + ">";
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

}  // namespace

ptx_function function_of(const instruction& what) {
    using use = ptx_function::use_of_first;
    static const std::set<std::string_view> without_value = {"bar_sync",
                                                             "bar_warp_sync",
                                                             "cp_async_commit_group",
                                                             "cp_async_wait_all",
                                                             "cp_async_wait_group",
                                                             "exit",
                                                             "membar_cta",
                                                             "membar_gl",
                                                             "nanosleep",
                                                             "prefetch",
                                                             "trap"};
    static const std::set<std::string_view> carrying = {"addc", "subc", "madc"};
    const std::string& kind = what.name[0];
    if (kind == "mma") return {mma_function(what.name), use::reference};
    if (kind == "ldmatrix") return {ldmatrix_function(what.name), use::reference};
    if (kind == "mov" && !what.operands.empty() && what.operands[0].starts_with("{"))
        return {"unpack", use::reference};
    if (kind == "ld" || kind == "atom") return {memory_function(what.name), use::reference};
    if (kind == "st" || kind == "red") return {memory_function(what.name), use::argument};
    const std::string name = function_for(what.name);
    if (!name.empty()) {
        const bool writes_carry = what.name.size() > 2 && what.name[what.name.size() - 2] == "cc";
        return {name, without_value.count(name) > 0 ? use::argument : use::value, carrying.count(kind) > 0,
                writes_carry};
    }
    return {kind == "cp" ? cp_async_function(what.name) : "", use::argument};
}

}  // namespace rewrite
