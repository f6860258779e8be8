// Barriers that are no calls.
#include <string>

#include "simt/rewrite/passes.h"

namespace rewrite {

void rewrite_barriers(source& file) {
    constexpr std::string_view SWITCH = "WAIT_IN_KERNEL = ", OFF = "false";
    // Their values may stay in registers that a jump does not put away: to name those takes g++ minutes.
    for (size_t i = file.first(); i != NONE; i = file.next(i))
        if (file.is(i, "long") && file.is(file.next(i), "double")) return;
    for (size_t i = 0; i < file.tokens.size(); i++) {
        if (file.tokens[i].kind == token_kind::foreign) {
            const size_t at = file.text(i).find(SWITCH);
            if (at == std::string_view::npos) continue;
            std::string text(file.text(i));
            file.replace(i, text.replace(at + SWITCH.size(), OFF.size(), "true"));
        } else if (file.is(i, "__syncthreads") && file.is(file.next(i), "(")) {
            if (!file.is(file.previous(i), "void")) file.replace(i, "simt_syncthreads");
        }
    }
}

}  // namespace rewrite
