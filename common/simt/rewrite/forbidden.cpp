// What a student's text may not say: by it the program around it would be addressed, replaced, or not see
// what kernels do. The text is preprocessed: no macro hides a word.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "simt/rewrite/directives.h"
#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

using words = std::set<std::string_view>;

/// Rooms of the workbook that a kernel does not see.
const words OURS = {"simt", "inspect", "worker", "check", "channel"};

/// Attributes that say something of a kernel, or to a reader. Others put code elsewhere, run it before main(),
/// give it another's name, or switch off what counts accesses.
const words ATTRIBUTES = {"nodiscard",
                          "maybe_unused",
                          "noreturn",
                          "fallthrough",
                          "likely",
                          "unlikely",
                          "unused",
                          "deprecated",
                          "always_inline",
                          "noinline",
                          "aligned",
                          "packed",
                          "pure",
                          "const",
                          "hot",
                          "cold",
                          "may_alias",
                          "no_unique_address",
                          "assume",
                          "nonnull",
                          "flatten",
                          "vector_size",
                          "align_value",
                          "warn_unused_result",
                          "format",
                          "malloc",
                          "returns_nonnull",
                          "carries_dependency",
                          "nv_weak",
                          "unroll"};

/// Vector instructions write memory unseen.
constexpr std::array<std::string_view, 4> OF_PROCESSORS = {"_mm", "__builtin_ia32_", "__builtin_aarch64_",
                                                           "__builtin_neon_"};

/// What the compiler has beside the language: copies that nobody counts (memcpy and memset are), and ways
/// past a function's frame.
constexpr std::array<std::string_view, 21> OF_COMPILER = {
    "mem",    "str",   "stp",    "bcopy",   "bzero",          "bcmp",       "index",
    "__",     "apply", "setjmp", "longjmp", "update_",        "nonlocal",   "eh_",
    "unwind", "dwarf", "frame_", "stack_",  "thread_pointer", "set_thread", "nontemporal"};

constexpr std::array<std::string_view, 11> OUR_PREFIXES = {
    "__tsan_",   "__sanitizer_",   "__asan_",        "__ubsan_",    "__msan_",          "__lsan_",
    "__hwasan_", "__cyg_profile_", "__interceptor_", "simt_object", "simt_switch_fiber"};

/// What stands for a bracket, a brace or a number sign: those who look for these would not see it.
constexpr std::array<std::string_view, 5> DIGRAPHS = {"<:", ":>", "<%", "%>", "%:"};

/// __name__ is name.
std::string_view without_lines(std::string_view name) {
    if (name.size() > 4 && name.starts_with("__") && name.ends_with("__"))
        return name.substr(2, name.size() - 4);
    return name;
}

class forbidden_pass {
public:
    explicit forbidden_pass(source& file) : file_(file) {}

    void run() {
        for (size_t i = 0; i < file_.tokens.size(); i++) {
            if (is_of_library(i)) continue;
            if (file_.tokens[i].kind == token_kind::directive) check_pragma(i);
            if (file_.is_identifier(i)) check_word(i);
            check_digraph(i);
            if (file_.is(i, "[") && file_.is(file_.next(i), "["))
                check_attributes(file_.next(i), file_.partner(file_.next(i)));
        }
    }

private:
    source& file_;

    void refuse(size_t i, const std::string& text) { file_.report(i, std::string(FORBIDDEN) + text); }

    /// The workbook's own public headers.
    bool is_of_library(size_t i) const {
        return file_.places[file_.tokens[i].place].name.starts_with("common/lab/");
    }

    void check_word(size_t i) {
        const std::string_view word = file_.text(i);
        if (word == "__attribute__" || word == "__attribute") {
            const size_t open = file_.next(file_.next(i));
            if (file_.is(open, "(")) check_attributes(open, file_.partner(open));
        }
        for (const std::string_view prefix : OUR_PREFIXES) {
            if (word.starts_with(prefix))
                refuse(i, std::string(word) + " belongs to the inspector: use another name");
        }
        for (const std::string_view prefix : OF_PROCESSORS) {
            if (word.starts_with(prefix))
                refuse(i,
                       std::string(word) + " is an instruction of this computer's processor: no GPU has it");
        }
        constexpr std::string_view BUILTIN = "__builtin_";
        for (const std::string_view prefix : OF_COMPILER) {
            if (word.starts_with(BUILTIN) && word.substr(BUILTIN.size()).starts_with(prefix))
                refuse(i, std::string(word) + " is the compiler's own: use the function of the library");
        }
        // extern "C" and such a name would be any function of C++.
        if (word.starts_with("_Z")) refuse(i, std::string(word) + " is a name of the linker's: use another");
        check_room(i);
    }

    void check_digraph(size_t i) {
        if (!file_.touches_next(i)) return;
        const std::string pair = std::string(file_.text(i)) + std::string(file_.text(i + 1));
        if (std::find(DIGRAPHS.begin(), DIGRAPHS.end(), pair) != DIGRAPHS.end())
            refuse(i, "the digraph " + pair + ": write the sign that it stands for");
    }

    /// simt::name, and a namespace or class by which a function of ours could be meant.
    void check_room(size_t i) {
        static const words openers = {"namespace", "struct", "class", "union"};
        const std::string room(file_.text(i));
        const size_t before = file_.previous(i);
        const bool opened =
            openers.count(file_.text(before)) > 0 && !file_.is(file_.previous(before), "enum");
        const bool is_ours = OURS.count(room) > 0;
        const bool aliased =
            file_.is(before, "=") && file_.is(file_.previous(file_.previous(before)), "namespace");
        const bool qualified = file_.is(file_.next(i), "::") || file_.is(before, "::") || aliased;
        const bool named = (room == "simt" || room == "inspect") && qualified;
        const bool adds_to_lab = room == "lab" && opened && !file_.is(file_.previous(before), "using");
        if ((is_ours && (opened || named)) || adds_to_lab)
            refuse(i, room + ":: belongs to the program around this file: use another name");
    }

    /// Between the inner brackets of [[...]] or __attribute__((...)).
    void check_attributes(size_t open, size_t close) {
        if (close == NONE) return;
        for (size_t i = file_.next(open); i != NONE && i < close; i = file_.next(i)) {
            if (file_.is(i, "(")) i = file_.partner(i);
            if (file_.is(i, "using")) i = file_.next(file_.next(i));  // using gnu:
            if (!file_.is_identifier(i) || file_.is(file_.next(i), "::")) continue;
            const std::string_view name = without_lines(file_.text(i));
            if (ATTRIBUTES.count(name) == 0)
                refuse(i, "the attribute " + std::string(name) +
                              ": it could move code, run it early or hide it from the inspector");
        }
    }

    /// #pragma GCC and its like, also by _Pragma.
    void check_pragma(size_t i) {
        const source line = lex(file_.text(i).substr(file_.text(i).find('#') + 1));
        const size_t first = line.first();
        if (!line.is(first, "pragma")) return;
        const size_t who = line.next(first), what = line.next(who);
        if (line.is(who, "weak") || line.is(who, "redefine_extname") || line.is(who, "push_macro") ||
            line.is(who, "pop_macro"))
            return refuse(i, "#pragma " + std::string(line.text(who)) + ": names keep their meaning");
        if (!line.is(who, "GCC") && !line.is(who, "clang")) return;
        static const words right = {"unroll", "ivdep", "diagnostic"};
        const std::string_view text = file_.text(i);
        // For a debugger (common/ARCHITECTURE.md). It takes nothing from what is seen.
        const bool debugged = line.is(what, "optimize") && text.find("(\"O0\")") != std::string_view::npos;
        bool silent = false;
        for (const std::string_view said : {"deprecated", "vla", "\\"})
            silent |= line.is(what, "diagnostic") && text.find(said) != std::string_view::npos;
        if ((right.count(line.text(what)) == 0 && !debugged) || silent)
            refuse(i, "#pragma " + std::string(line.text(who)) + " " + std::string(line.text(what)) +
                          (silent ? ": the CPU backend reads these remarks"
                                  : ": the compiler's options stay as they are"));
    }
};

}  // namespace

void reject_forbidden(source& file) {
    forbidden_pass(file).run();
}

}  // namespace rewrite
