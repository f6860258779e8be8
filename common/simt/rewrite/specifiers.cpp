// Words of CUDA that stand among the specifiers of a function or a type.
#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

/// True if `word` stands among the words directly around token i.
bool stands_beside(const source& file, size_t i, std::string_view word) {
    for (size_t j = file.previous(i); file.is_identifier(j); j = file.previous(j)) {
        if (file.is(j, word)) return true;
    }
    for (size_t j = file.next(i); file.is_identifier(j); j = file.next(j)) {
        if (file.is(j, word)) return true;
    }
    return false;
}

bool is_explicit_instantiation(const source& file, size_t i) {
    for (size_t j = file.previous(i); file.is_identifier(j); j = file.previous(j)) {
        if (file.is(j, "template")) return true;
    }
    return false;
}

void erase_with_arguments(source& file, size_t i) {
    file.erase(i, file.end_of_arguments(i));
}

}  // namespace

void rewrite_specifiers(source& file) {
    for (size_t i = file.first(); i != NONE; i = file.next(i)) {
        if (!file.is_identifier(i) || file.tokens[i].replaced) continue;
        const std::string_view word = file.text(i);
        if (word == "__host__" || word == "__device__" || word == "__grid_constant__") {
            file.erase(i);
        } else if (word == "__global__") {
            // A kernel is launched through its address and named in reports:
            // it stays one function of its own.
            file.replace(i, is_explicit_instantiation(file, i) ? "" : "__attribute__((noinline,noclone))");
        } else if (word == "__forceinline__") {
            const bool is_inline = stands_beside(file, i, "inline") || stands_beside(file, i, "__inline__");
            file.replace(
                i, is_inline ? "__attribute__((always_inline))" : "inline __attribute__((always_inline))");
        } else if (word == "__noinline__" && !file.is(file.previous(i), "(")) {
            file.replace(i, "__attribute__((noinline))");
        } else if (word == "__launch_bounds__" || word == "__maxnreg__") {
            erase_with_arguments(file, i);
        } else if (word == "__align__" && file.end_of_arguments(i) != i) {
            file.replace(i, "__attribute__((aligned");
            file.insert_after(file.end_of_arguments(i), "))");
        }
    }
}

}  // namespace rewrite
