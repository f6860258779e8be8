// malloc, free, new and delete in device code.
#include <algorithm>

#include "simt/rewrite/passes.h"

namespace rewrite {
namespace {

class heap_pass {
public:
    heap_pass(source& file, const function_table& functions) : file_(file), functions_(functions) {}

    void run() {
        for (size_t i = file_.first(); i != NONE; i = file_.next(i)) {
            const function* const around = functions_.around(i);
            if (!around || !(around->is_device || around->is_global)) continue;
            if (file_.is(i, "malloc")) rewrite_call(i, "::simt::heap_malloc");
            if (file_.is(i, "free")) rewrite_call(i, "::simt::heap_free");
            if (file_.is(i, "new")) rewrite_new(i);
            if (file_.is(i, "delete")) rewrite_delete(i);
        }
    }

private:
    source& file_;
    const function_table& functions_;

    bool is_own(std::string_view name) const {
        return std::any_of(functions_.functions.begin(), functions_.functions.end(),
                           [&](const function& one) { return one.name == name; });
    }

    /// malloc(...), ::malloc(...), std::malloc(...); not a member, nor a function of the file's own.
    void rewrite_call(size_t name, std::string_view call) {
        const size_t before = file_.previous(name), scope = file_.previous(before);
        if (!file_.is(file_.next(name), "(") || file_.is(before, ".") || file_.is(before, "->")) return;
        if (is_own(file_.text(name))) return;
        if (file_.is(before, "::")) {
            if (file_.is_identifier(scope) && !file_.is(scope, "std") && !file_.is(scope, "return")) return;
            if (file_.is(scope, "std")) file_.erase(scope);
            file_.erase(before);
        }
        file_.replace(name, call);
    }

    /// Not where the place is given: new (place) type.
    void rewrite_new(size_t i) {
        if (file_.is(file_.previous(i), "operator") || file_.is(file_.next(i), "(")) return;
        file_.insert_after(i, " (::simt::on_heap)");
    }

    /// What stands behind % is what would stand behind delete.
    void rewrite_delete(size_t i) {
        const size_t before = file_.previous(i), next = file_.next(i);
        if (file_.is(before, "operator") || file_.is(before, "=")) return;
        const bool is_array = file_.is(next, "[");
        if (is_array) file_.erase(next, file_.partner(next));
        file_.replace(i, is_array ? "::simt::heap_array() % " : "::simt::heap_object() % ");
    }
};

}  // namespace

void rewrite_heap(source& file, const function_table& functions) {
    heap_pass(file, functions).run();
}

}  // namespace rewrite
