// What the CPU backend cannot run, and what nvcc would not compile.
#include <map>
#include <string>

#include "simt/rewrite/passes.h"
#include "simt/rewrite/sides.h"

namespace rewrite {
namespace {

constexpr std::string_view PTX =
    "inline PTX runs on a GPU only: build with BACKEND=gpu, or keep it behind #ifdef __CUDA_ARCH__ with a "
    "portable twin";

/// Words that only a GPU can run, and what to do instead.
std::string_view instead_of(std::string_view word) {
    static const std::map<std::string_view, std::string_view> words = {
        {"asm", PTX},
        {"__asm", PTX},
        {"__asm__", PTX},
        {"__cluster_dims__",
         "thread block clusters run on a GPU only: build with BACKEND=gpu, or keep them behind #ifdef "
         "__CUDA_ARCH__"},
    };
    const auto found = words.find(word);
    return found == words.end() ? std::string_view() : found->second;
}

/// Words of C++ that device code cannot use, and what to do instead.
std::string_view remedy_in_device(std::string_view word) {
    static constexpr std::string_view EXCEPTIONS =
        "device code has no exceptions: leave a value that says what is wrong, or call __trap()";
    static constexpr std::string_view TYPES =
        "device code does not know types at run time: use a virtual function, or a member that says which it "
        "is";
    static const std::map<std::string_view, std::string_view> words = {
        {"throw", EXCEPTIONS},
        {"try", EXCEPTIONS},
        {"dynamic_cast", TYPES},
        {"typeid", TYPES},
        {"thread_local", "device code has no thread_local variables: a local variable is the thread's own"},
    };
    const auto found = words.find(word);
    return found == words.end() ? std::string_view() : found->second;
}

class rejection_pass {
public:
    rejection_pass(source& file, const function_table& functions, bool judged)
        : file_(file), functions_(functions), sides_(file, functions), judged_(judged) {
        for (const place& one : file.places)
            has_stdio_ |= one.name.ends_with("/stdio.h");
        for (size_t i = file.first(); i != NONE; i = file.next(i)) {
            const bool names_class = file.is(i, "class") || file.is(i, "struct");
            own_texture_ |=
                names_class && (file.is(file.next(i), "texture") || file.is(file.next(i), "surface"));
        }
    }

    void run() {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            if (!file_.is_identifier(i)) continue;
            check_word(i);
            check_texture_reference(i);
        }
        for (const function& f : functions_.functions)
            check_kernel(f);
        if (judged_) check_headers();
    }

private:
    source& file_;
    const function_table& functions_;
    const side_map sides_;
    const bool judged_;
    bool own_texture_ = false, has_stdio_ = false;

    void check_word(size_t i) {
        if (file_.tokens[i].replaced) return;
        const side where = sides_.of(i);
        const bool on_host = where == side::host || where == side::outside;
        const std::string_view remedy = instead_of(file_.text(i));
        // A host's assembly is the processor's own, here as under nvcc.
        const bool is_assembly = !judged_ && on_host && remedy == PTX;
        if (!remedy.empty() && !is_assembly) file_.report(i, std::string(remedy));
        if (judged_ && file_.is(i, "__managed__"))
            file_.report(
                i,
                "a lab has no __managed__ variables, for its device is a process of its own: declare it "
                "__device__ and copy with cudaMemcpyToSymbol");
        const std::string_view instead = remedy_in_device(file_.text(i));
        if (!instead.empty() && !on_host) file_.report(i, std::string(instead));
        // The CPU backend's own headers declare it, before all others.
        const bool prints = file_.is(i, "printf") || file_.is(i, "puts") || file_.is(i, "putchar");
        if (prints && !has_stdio_ && file_.is(file_.next(i), "("))
            file_.report(i, std::string(file_.text(i)) + " is not declared: #include <cstdio>");
    }

    /// Where the first of CUB's headers is included.
    void check_headers() {
        for (size_t i = 1; i < file_.tokens.size(); i++) {
            const place& header = file_.places[file_.tokens[i].place];
            if (header.flags.empty() || !is_of_cub(header.name)) continue;  // a folder of that name is none
            return file_.report(i - 1, "CUB is not for labs: use warp shuffles and shared memory");
        }
    }

    /// texture<float, 2> name;
    void check_texture_reference(size_t i) {
        if (own_texture_ || !(file_.is(i, "texture") || file_.is(i, "surface"))) return;
        if (!file_.is(file_.next(i), "<") || functions_.inside_function(i)) return;
        if (!file_.is_identifier(file_.next(file_.closing_angle(file_.next(i))))) return;
        file_.report(i, std::string(file_.text(i)) +
                            " references are gone since CUDA 12: use a cudaTextureObject_t and "
                            "tex2D<float>(object, x, y)");
    }

    void check_kernel(const function& f) {
        if (!f.is_global) {
            for (size_t i = f.first; i != NONE && i < f.parameters; i = file_.next(i)) {
                if (file_.is(i, "__launch_bounds__"))
                    file_.report(i, "__launch_bounds__ is for kernels: " + f.name + " is none");
            }
            return;
        }
        if (f.is_device || f.is_host) {
            file_.report(f.name_at, "kernel " + f.name + " is " + (f.is_device ? "__device__" : "__host__") +
                                        " as well: a kernel is __global__ alone");
            return;
        }
        if (f.is_constexpr || f.is_consteval) {
            file_.report(f.name_at,
                         "kernel " + f.name + " is constexpr, which a kernel cannot be: leave it out");
            return;
        }
        if (f.is_member || (f.is_friend && f.body != NONE)) {
            file_.report(f.name_at, "kernel " + f.name + " is a member of a class: move it out of the class");
            return;
        }
        const size_t last = file_.previous(file_.partner(f.parameters));
        if (file_.is(last, "...")) {
            file_.report(last, "kernel " + f.name + " takes any number of arguments: name its parameters");
            return;
        }
        bool returns_void = false;
        for (size_t i = f.first; i != NONE && i < f.name_at; i = file_.next(i)) {
            returns_void |= file_.is(i, "void") && !file_.is(file_.next(i), "*");
        }
        if (!returns_void)
            file_.report(f.name_at,
                         "kernel " + f.name + " returns a value: make it void and write to global memory");
    }
};

}  // namespace

void reject_unsupported(source& file, const function_table& functions, bool judged) {
    rejection_pass(file, functions, judged).run();
}

}  // namespace rewrite
