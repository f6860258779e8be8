// What the CPU backend cannot run, and what nvcc would not compile.
#include <map>
#include <string>

#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

/// Words that only a GPU can run, and what to do instead.
std::string_view remedy_for(std::string_view word) {
    static constexpr std::string_view PTX =
        "inline PTX runs on a GPU only: build with BACKEND=gpu, or keep it behind #ifdef __CUDA_ARCH__ with "
        "a portable twin";
    static constexpr std::string_view HALF =
        "16-bit floating point runs on a GPU only: build with BACKEND=gpu, or store float";
    static const std::map<std::string_view, std::string_view> words = {
        {"asm", PTX},
        {"__asm", PTX},
        {"__asm__", PTX},
        {"__half", HALF},
        {"__half2", HALF},
        {"__nv_bfloat16", HALF},
        {"__nv_bfloat162", HALF},
        {"__managed__",
         "__managed__ variables run on a GPU only: declare it __device__ and copy with cudaMemcpyToSymbol, "
         "or build with "
         "BACKEND=gpu"},
        {"__cluster_dims__",
         "thread block clusters run on a GPU only: build with BACKEND=gpu, or keep them behind #ifdef "
         "__CUDA_ARCH__"},
    };
    const auto found = words.find(word);
    return found == words.end() ? std::string_view() : found->second;
}

class rejection_pass {
public:
    rejection_pass(source& file, const function_table& functions) : file_(file), functions_(functions) {
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
    }

private:
    source& file_;
    const function_table& functions_;
    bool own_texture_ = false;

    void check_word(size_t i) {
        const std::string_view remedy = remedy_for(file_.text(i));
        if (!remedy.empty()) file_.report(i, std::string(remedy));
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
        if (!f.is_global) return;
        if (f.is_member && !file_.is(f.first, "friend")) {
            file_.report(f.name_at, "kernel " + f.name + " is a member of a class: move it out of the class");
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

void reject_unsupported(source& file, const function_table& functions) {
    rejection_pass(file, functions).run();
}

}  // namespace rewrite
