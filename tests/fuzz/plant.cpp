#include "plant.h"

#include <algorithm>
#include <functional>

#include "build.h"
#include "model.h"

namespace fuzz {

namespace {

using visitor = std::function<void(place&, bool is_store)>;

void visit_places(expr& what, const visitor& visit) {
    if (what.what == expr::load || what.what == expr::cached_load || what.what == expr::bind)
        visit(what.from, false);
    for (expr& part : what.from.index)
        visit_places(part, visit);
    for (expr& part : what.of)
        visit_places(part, visit);
}

void visit_places(std::vector<stmt>& list, const visitor& visit) {
    for (stmt& one : list) {
        if (one.what == stmt::store || one.what == stmt::atomic) visit(one.target, one.what == stmt::store);
        for (expr& part : one.target.index)
            visit_places(part, visit);
        for (expr& part : one.value)
            visit_places(part, visit);
        visit_places(one.body, visit);
        visit_places(one.other, visit);
        for (auto& part : one.cases)
            visit_places(part, visit);
    }
}

/// A list and a position in it.
struct spot {
    std::vector<stmt>* list;
    size_t at;
    stmt& what() const { return (*list)[at]; }
};

void find_spots(std::vector<stmt>& list, std::vector<spot>& found) {
    for (size_t k = 0; k < list.size(); k++) {
        found.push_back({&list, k});
        find_spots(list[k].body, found);
        find_spots(list[k].other, found);
        for (auto& part : list[k].cases)
            find_spots(part, found);
    }
}

class planter {
public:
    planter(program& it, random_numbers& random) : it(it), random(random), before(run(it, false)) {
        for (function& one : it.functions) {
            visit_places(one.body, [&](place& where, bool is_store) {
                if (where.array >= 0 && !where.index.empty()) places.push_back({&where, is_store});
            });
            find_spots(one.body, spots);
        }
    }

    bool plant() {
        switch (random.below(12)) {
            case 0:
            case 1:
                return stray_behind();
            case 2:
                return stray_in_front();
            case 3:
            case 9:
            case 10:
            case 11:
                return lose_barrier();
            case 4:
                return share_element();
            case 5:
                return forget_to_fill();
            case 6:
                return misalign();
            case 7:
                return forget_to_store();
            default:
                return split_barrier();
        }
    }

private:
    bool is_shared(const array& one) { return one.where == space::shared || one.where == space::dynamic; }

    array* touched_array() {
        std::vector<array*> list;
        for (array& one : it.arrays) {
            const auto place = before.touched.find(one.id);
            if (place != before.touched.end() && place->second.second > 0) list.push_back(&one);
        }
        return list.empty() ? nullptr : list[random.below(int(list.size()))];
    }

    bool stray_behind() {
        array* chosen = touched_array();
        if (!chosen) return false;
        const int last = before.touched[chosen->id].second;
        const int by = chosen->columns > 0 ? chosen->columns : 1 + random.below(3);
        if (chosen->columns > 0) {
            chosen->count -= by;
        } else {
            chosen->count = last + 1 - by;
        }
        it.planted = "stray behind " + chosen->name;
        return chosen->count > 0;
    }

    place* some_place(const std::function<bool(place&, bool)>& fits) {
        std::vector<place*> list;
        for (auto& [where, is_store] : places)
            if (fits(*where, is_store)) list.push_back(where);
        return list.empty() ? nullptr : list[random.below(int(list.size()))];
    }

    bool stray_in_front() {
        place* chosen = some_place([&](place& where, bool) { return before.touched.count(where.array) > 0; });
        if (!chosen) return false;
        const int low = before.touched[chosen->array].first;
        if (it.arrays[chosen->array].columns > 0) return false;
        chosen->index[0] =
            binary("-", chosen->index[0],
                   low / (chosen->as ? int(chosen->as->members.size()) : 1) + 1 + random.below(3));
        it.planted = "stray in front of " + it.arrays[chosen->array].name;
        return true;
    }

    spot* some_spot(const std::function<bool(const stmt&)>& fits) {
        std::vector<spot*> list;
        for (spot& one : spots)
            if (fits(one.what())) list.push_back(&one);
        return list.empty() ? nullptr : list[random.below(int(list.size()))];
    }
    static bool is_barrier(const stmt& one) {
        return one.what == stmt::barrier || one.what == stmt::warp_barrier;
    }

    bool lose_barrier() {
        spot* chosen = some_spot(is_barrier);
        if (!chosen) return false;
        it.planted = chosen->what().what == stmt::barrier ? "missing barrier" : "missing barrier of a warp";
        chosen->list->erase(chosen->list->begin() + chosen->at);
        return true;
    }

    bool share_element() {
        place* chosen = some_place([&](place& where, bool is_store) {
            return is_store && where.index.size() == 1 && before.touched.count(where.array) &&
                   before.touched[where.array].second > 1;
        });
        if (!chosen) return false;
        const int last = before.touched[chosen->array].second;
        expr& index = chosen->index[0];
        index = random.chance(50) ? binary("/", index, 2) : binary("%", index, 1 + random.below(last));
        it.planted = "several threads store one element of " + it.arrays[chosen->array].name;
        return true;
    }

    bool forget_to_fill() {
        array* chosen = touched_array();
        if (!chosen || chosen->where != space::global || chosen->is_written) return false;
        chosen->is_fresh = true;
        it.planted = "unset " + chosen->name;
        return true;
    }

    bool misalign() {
        place* chosen = some_place([&](place& where, bool) { return where.as != nullptr; });
        if (!chosen) return false;
        chosen->shift = 1;
        it.planted = "misaligned " + it.arrays[chosen->array].name;
        return true;
    }

    bool forget_to_store() {
        spot* chosen = some_spot([&](const stmt& one) {
            return one.what == stmt::store && one.target.array >= 0 && is_shared(it.arrays[one.target.array]);
        });
        if (!chosen) return false;
        const stmt whole = chosen->what();
        int slot_t = -1;
        for (const function& one : it.functions) {
            if (one.what != function::kernel) continue;
            if (it.arrays[whole.target.array].kernel != &one - &it.functions[0]) continue;
            for (size_t k = 0; k < one.locals.size(); k++)
                if (one.locals[k].name == "t") slot_t = int(k);
        }
        if (slot_t < 0) return false;
        (*chosen->list)[chosen->at] = branch(test("!=", of_local(slot_t, INT), random.below(3)), {whole});
        it.planted = "unset element of " + it.arrays[whole.target.array].name;
        return true;
    }

    bool split_barrier() {
        spot* chosen = some_spot([](const stmt& one) { return one.what == stmt::barrier; });
        if (!chosen) return false;
        for (function& one : it.functions) {
            std::vector<spot> mine;
            find_spots(one.body, mine);
            const bool is_here =
                std::any_of(mine.begin(), mine.end(), [&](const spot& s) { return s.list == chosen->list; });
            if (!is_here) continue;
            for (size_t k = 0; k < one.locals.size(); k++) {
                if (one.locals[k].name != "t") continue;
                const stmt barrier = chosen->what();
                chosen->what() = branch(test("!=", of_local(int(k), INT), 0), {barrier});
                it.planted = "divergent barrier";
                return true;
            }
        }
        return false;
    }

    program& it;
    random_numbers& random;
    outcome before;
    std::vector<std::pair<place*, bool>> places;
    std::vector<spot> spots;
};

}  // namespace

bool plant(program& it, random_numbers& random) {
    if (!planter(it, random).plant()) return false;
    const outcome after = run(it, false);
    // What follows from the fault elsewhere would have to be told apart from it.
    std::set<std::string> variables;
    for (const fault& one : after.faults)
        variables.insert(one.variable);
    return after.refused.empty() && variables.size() == 1;
}

}  // namespace fuzz
