// Inline PTX that says what the CPU backend can say, too: special registers, fences, a few instructions.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

/// asm volatile("text" : "=r"(output) : "r"(input), ...)
struct statement {
    std::string text;                  // one blank between words, no semicolon at its end
    std::vector<std::string> outputs;  // that are written, and not read
    std::vector<std::string> inputs;
};

/// Functions of simt/include/simt/ptx.h for instructions, by their text with operands in their order.
const std::map<std::string_view, std::string_view>& instructions() {
    static const std::map<std::string_view, std::string_view> all = {
        {"bfe.s32 %0, %1, %2, %3", "bfe_signed"},
        {"bfe.u32 %0, %1, %2, %3", "bfe"},
        {"bfi.b32 %0, %1, %2, %3, %4", "bfi"},
        {"bfind.u32 %0, %1", "bfind"},
        {"brev.b32 %0, %1", "brev"},
        {"clz.b32 %0, %1", "clz"},
        {"mul.hi.u32 %0, %1, %2", "mul_hi"},
        {"popc.b32 %0, %1", "popc"},
        {"prmt.b32 %0, %1, %2, %3", "prmt"},
        {"vabsdiff4.u32.u32.u32.add %0, %1, %2, %3", "vabsdiff4_add"},
        {"membar.cta", "membar_cta"},
        {"membar.gl", "membar_gl"},
        {"membar.sys", "membar_gl"},
        {"mov.u32 %0, %laneid", "laneid"},
        {"mov.u32 %0, %warpid", "warpid"},
        {"mov.u32 %0, %smid", "smid"},
        {"mov.u32 %0, %nsmid", "nsmid"},
        {"mov.u32 %0, %lanemask_lt", "lanemask_lt"},
        {"mov.u32 %0, %lanemask_le", "lanemask_le"},
        {"mov.u32 %0, %lanemask_eq", "lanemask_eq"},
        {"mov.u32 %0, %lanemask_ge", "lanemask_ge"},
        {"mov.u32 %0, %lanemask_gt", "lanemask_gt"},
        {"mov.u32 %0, %clock", "clock"},
        {"mov.u64 %0, %clock64", "clock"},
        {"mov.u64 %0, %globaltimer", "globaltimer"},
    };
    return all;
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
            if (!said) continue;
            const auto found = instructions().find(said->text);
            if (found == instructions().end()) continue;
            file_.erase(i, close);
            file_.replace(i, call(*said, found->second));
        }
    }

private:
    source& file_;

    static std::string call(const statement& said, std::string_view function) {
        std::string text;
        for (const std::string& output : said.outputs)
            text += "(" + output + ") = ";
        text += "::simt::ptx::" + std::string(function) + "(";
        for (size_t k = 0; k < said.inputs.size(); k++)
            text += (k > 0 ? ", (" : "(") + said.inputs[k] + ")";
        return text + ")";
    }

    /// Nothing if there is something that is not understood: operands with names, or that are read and written.
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
                    if (!file_.is(open, "(") || end == NONE) return {};
                    if (constraint[0] != '"' || constraint.starts_with("\"=") != (part == 0)) return {};
                    (part == 0 ? said.outputs : said.inputs)
                        .push_back(file_.join(file_.next(open), file_.previous(end)));
                }
                i = file_.next(part < 2 ? end : i);
                if (file_.is(i, ",")) i = file_.next(i);
            }
        }
        return said.outputs.size() <= 1 ? std::optional(said) : std::nullopt;
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
                if (text[k] == ',') result += ' ';
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
