// All passes in their order.
#include "simt/rewrite/rewrite.h"

#include <algorithm>

#include "simt/rewrite/passes.h"
#include "simt/rewrite/sides.h"

namespace rewrite {

result rewrite_text(std::string_view text, const options& how) {
    source file = lex(text, how.judged);
    const function_table functions = find_functions(file);
    if (how.judged) reject_forbidden(file);
    if (!how.judged) rewrite_assembly(file);
    reject_unsupported(file, functions, how.judged);
    reject_library_calls(file, functions, how.relaxed_constexpr);
    if (how.marked) mark_sides(file, functions, how.relaxed_constexpr);
    rewrite_device_variables(file, functions, how.inspected);
    rewrite_shared_variables(file, functions, how.inspected);
    rewrite_specifiers(file);
    qualify_class_names(file);
    mark_kernels(file, functions);
    rewrite_conversions(file, how.conversions);  // outside of casts and members
    rewrite_casts(file, functions);
    if (how.separate) rewrite_device_runtime(file, functions);
    rewrite_heap(file, functions);
    rewrite_waiting_loops(file, functions);
    rewrite_launches(file, functions, how.separate);
    rewrite_unroll(file, how.inspected);
    if (how.waits_in_kernel) rewrite_barriers(file);
    if (how.inspected) rewrite_members(file, functions);
    rewrite_steps(file, functions, how.judged);

    result done;
    done.problems = std::move(file.problems);
    std::stable_sort(done.problems.begin(), done.problems.end(),
                     [](const problem& a, const problem& b) { return a.file == b.file && a.line < b.line; });
    if (done.problems.empty()) done.text = file.render(how.realign);
    return done;
}

}  // namespace rewrite
