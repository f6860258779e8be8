// The likeliest cause of a wrong output.
#include "diagnose/diagnose.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "diagnose/causes.h"
#include "diagnose/mistake.h"

namespace check {

namespace {

/// Wrong values that a cause must explain, and right ones beside fewer of them: agreements can be chance.
constexpr size_t ENOUGH_AGREEMENTS = 3, LEAST_AGREEMENTS = 2;
/// Products of one suspect in one case; of larger problems every n-th value is looked at.
constexpr double MOST_PRODUCTS = 3e6;
/// Wrong values from all over the output that a suspect must give before it is asked for all.
constexpr size_t SAMPLE = 40;
/// Products of all suspects in one case, less than half a second, in all cases of a method and of all methods together;
/// where these are spent, in one case more. Suspects that come last are the least likely.
constexpr double MOST_WORK = 4e7, MOST_OF_METHOD = 8e7, MOST_OF_ALL = 1.6e8, LEAST_WORK = 2e6;

/// What looking for a cause may still cost, in products.
class effort {
public:
    explicit effort(double products) : most_(products) {}
    void spend(double products) { spent_ += products; }
    bool exhausted() const { return spent_ >= most_; }
    double spent() const { return spent_; }

private:
    double most_, spent_ = 0.0;
};

/// How the values of an output agree with what a mistake gives.
struct agreement {
    bool by_place = false, counted = false;
    size_t numbers = 0;  // wrong values explained by a number other than 0
    size_t zeros = 0, nans = 0;
    size_t right_numbers = 0;  // right values other than 0
    size_t unknown = 0;        // wrong values that the mistake leaves open

    /// Zeros and NaN have many causes: they count where numbers beside them agree as well, and zeros where the mistake
    /// leaves nothing open.
    /// They count, too, of a kernel that gave right numbers in an earlier case, where other causes are ruled out.
    bool convincing(bool worked_before) const {
        if (worked_before && zeros >= ENOUGH_AGREEMENTS && numbers + nans + unknown == 0) return true;
        const bool nothing_else = numbers + zeros + right_numbers + unknown == 0;
        if (counted && nans > 0 && (zeros > 0 || nothing_else) && nans + zeros >= ENOUGH_AGREEMENTS)
            return true;
        const bool nans_count = numbers > 0 || (by_place && right_numbers > 0);
        const size_t agreements =
            numbers + (right_numbers > 0 && unknown == 0 ? zeros : 0) + (nans_count ? nans : 0);
        return agreements >= ENOUGH_AGREEMENTS ||
               (agreements >= LEAST_AGREEMENTS && right_numbers >= LEAST_AGREEMENTS);
    }

    bool says_something() const { return numbers + zeros + nans > 0; }

    void add(const mistaken_value& value, bool wrong) {
        unknown += wrong && value.is_unknown();
        if (value.is_unknown()) return;
        const bool nan = std::isnan(value.value);
        const bool zero = !nan && std::abs(value.value) <= value.bound;
        if (wrong) (nan ? nans : zero ? zeros : numbers)++;
        if (!wrong && !nan && !zero) right_numbers++;
    }
};

/// True if the mistake gives a few wrong values from all over the output.
bool gives_sample(const mistake& cause, std::span<const float> out, const problem_2d& problem,
                  const comparison& found, effort& work) {
    const size_t step = 1 + found.wrong_count / SAMPLE;
    size_t number = 0;
    for (size_t k = found.first; k < out.size(); k++) {
        if (!found.wrong[k] || number++ % step != 0) continue;
        work.spend(double(problem.filter.taps.size()));
        const std::vector<mistaken_value> given = cause.values_at(k);
        if (std::none_of(given.begin(), given.end(),
                         [&](const auto& value) { return cause.may_give(value, out[k]); }))
            return false;
    }
    return true;
}

/// True if the mistake gives every value of the output, wrong
/// ones first: most mistakes are ruled out by the first value.
bool gives(const mistake& cause, std::span<const float> out, const problem_2d& problem,
           const comparison& found, agreement& agreed, effort& work) {
    if (!gives_sample(cause, out, problem, found, work)) return false;
    agreed.by_place = cause.by_place;
    agreed.counted = cause.counted;
    const double products = double(out.size()) * double(problem.filter.taps.size());
    const size_t step = 1 + size_t(products / MOST_PRODUCTS);
    for (const bool wrong : {true, false}) {
        for (size_t k = wrong ? found.first : 0; k < out.size(); k++) {
            if (bool(found.wrong[k]) != wrong || k % step != found.first % step) continue;
            work.spend(double(problem.filter.taps.size()));
            const std::vector<mistaken_value> given = cause.values_at(k);
            const auto same = std::find_if(given.begin(), given.end(),
                                           [&](const auto& value) { return cause.may_give(value, out[k]); });
            if (same == given.end()) return false;
            agreed.add(*same, wrong);
        }
    }
    return true;
}

/// A sentence without its numbers, for which r may stand as in "y - r": what it says of every case.
std::string gist(const std::string& id, const std::string& sentence) {
    std::string words = id + ": ";
    const auto is_word = [&](size_t at) {
        return at < sentence.size() && std::isalnum((unsigned char)sentence[at]);
    };
    for (size_t at = 0; at < sentence.size(); at++) {
        const bool is_offset =
            at >= 2 && sentence[at] == 'r' && !is_word(at + 1) &&
            (sentence.compare(at - 2, 2, "+ ") == 0 || sentence.compare(at - 2, 2, "- ") == 0);
        if (!is_offset && !std::isdigit((unsigned char)sentence[at])) words += sentence[at];
    }
    return words;
}

}  // namespace

/// What a past case says of a mistake: it gives something else than came out; it leaves open all that was wrong; it
/// gives what came out.
enum class word_of_past { denies, leaves_open, explains };

/// What could have gone wrong in a past case, by the gists of mistakes. It stays where it is as long as this does.
struct past_suspects {
    past_suspects(const past_case& before, const past_calls& past)
        : known{&before.seen, past.filters_before(before.calls_before), before.out},
          found(compare(before.out, convolve_cpu(before.problem))),
          list(before.problem, before.one_dimensional, known) {
        for (const mistake& one : list.all())
            by_gist.emplace(gist(one.id, one.cause), &one);
    }

    circumstances known;
    comparison found;
    mistake_list list;
    std::multimap<std::string, const mistake*> by_gist;
    std::map<std::string, word_of_past> words;
};

namespace {

std::set<std::string> kernels_of(const inspect::report& seen) {
    std::set<std::string> names;
    for (const inspect::launch& one : seen.launches)
        names.insert(one.kernel.substr(0, one.kernel.find('<')));
    return names;
}

/// Whether both are of one kernel: of another, which did not run, a right result says nothing.
bool share_a_kernel(const std::set<std::string>& some, const std::set<std::string>& others) {
    return some.empty() || others.empty() ||
           std::ranges::any_of(some, [&](const std::string& name) { return others.contains(name); });
}

/// Of the same mistake in an earlier case.
word_of_past said_by(const past_case& before, const std::string& its_gist, const past_calls& past) {
    if (!before.suspects) before.suspects = std::make_shared<past_suspects>(before, past);
    past_suspects& suspects = *before.suspects;
    const auto [first, last] = suspects.by_gist.equal_range(its_gist);
    if (first == last) return word_of_past::explains;
    const auto [word, is_new] = suspects.words.try_emplace(its_gist, word_of_past::denies);
    effort any_work(MOST_WORK);  // past cases are small
    for (auto at = first; at != last && is_new && word->second != word_of_past::explains; at++) {
        agreement any;
        if (!gives(*at->second, before.out, before.problem, suspects.found, any, any_work)) continue;
        const bool says_something = suspects.found.right() || any.says_something();
        word->second = says_something ? word_of_past::explains : word_of_past::leaves_open;
    }
    return word->second;
}

/// True if the same method gave right results in an earlier case, and they were not all 0.
bool worked_before(const std::string& method, const past_calls& past) {
    return std::any_of(past.cases().begin(), past.cases().end(), [&](const past_case& before) {
        const auto is_number = [](float value) { return value != 0.0f; };
        return before.method == method && std::any_of(before.out.begin(), before.out.end(), is_number) &&
               compare(before.out, convolve_cpu(before.problem)).right();
    });
}

std::vector<diagnosis> diagnose_values(std::span<const float> out, const comparison& found,
                                       const problem_2d& problem, const shape& where,
                                       const inspect::report& seen, bool is_race, const std::string& method,
                                       const past_calls& past) {
    std::vector<diagnosis> causes;
    const circumstances known{&seen, past.filters_before_this(), out};
    const mistake_list list(problem, where.one_dimensional, known);
    const std::string counted = diagnose_number_of_taps(out, found, problem, where, seen).id;
    double& searched = past.searched(method);
    const double left = std::min(MOST_OF_METHOD - searched, MOST_OF_ALL - past.searched_in_all());
    effort work(std::clamp(left, LEAST_WORK, MOST_WORK));
    // Only usual ones are needed where counts tell, or where a race does and others were looked for before.
    const bool is_told = !counted.empty() || (is_race && searched >= LEAST_WORK);
    const bool worked = worked_before(method, past);
    const std::set<std::string> kernels = kernels_of(seen);
    const bool has_numbers =
        std::any_of(out.begin(), out.end(), [](float value) { return !std::isnan(value) && value != 0.0f; });
    auto told = mistake::rarity::any_token;
    for (const mistake& suspect : list.all()) {
        if (work.exhausted()) break;
        if (suspect.rank > told || (suspect.rank != mistake::rarity::usual && is_told)) continue;
        if (!has_numbers && !worked && !suspect.counted) continue;  // nothing that it gives is convincing
        agreement agreed;
        if (!gives(suspect, out, problem, found, agreed, work) || !agreed.convincing(worked)) continue;
        const bool refuted =
            std::any_of(past.cases().begin(), past.cases().end(), [&](const past_case& before) {
                return before.method == method && share_a_kernel(kernels, kernels_of(before.seen)) &&
                       said_by(before, gist(suspect.id, suspect.cause), past) != word_of_past::explains;
            });
        if (refuted) continue;
        // Where sums have more taps than the filter, a place that is wrong comes from that.
        if (!counted.empty() && suspect.id == "shifted") continue;
        if (suspect.rank < told) causes.clear();
        told = suspect.rank;
        causes.push_back({suspect.id, suspect.cause, true});
    }
    searched += work.spent();
    return causes;
}

/// Causes of one kind that may give the same numbers, and what is true of all of them: the first.
struct kind_of_causes {
    const char* text;
    std::vector<std::string> ids;
};

const kind_of_causes KINDS[] = {
    {"the taps are those of an earlier call: is the filter copied in every call, before the launch?",
     {"filter-of-earlier-call", "filter-copied-late", "filter-not-copied"}},
    {"the test for ghost cells takes pixels of the image for such, or misses some",
     {"ghost-test-wrong", "ghost-untested", "ghost-row-wrap"}},
    {"taps are taken from beside their place: is their index right?",
     {"tap-index-wrong", "tap-index-not-shifted", "filter-transposed", "filter-rows-misread",
      "filter-misplaced"}},
    {"cells of the tile are loaded from elsewhere, or stored or read beside their place",
     {"tile-cells-wrong", "tile-index-wrong", "tile-source-wrong", "tile-offset-forgotten", "halo-misplaced",
      "shifted"}},
    {"only the last products are in the sum: is = used where += is meant, or does a loop start too late?",
     {"one-product-left", "sum-overwritten", "taps-left-out"}},
    {"a guard takes columns or rows for too many: is each compared with its own side of the image?",
     {"outputs-left-out", "square-guard"}},
    {"pixels are taken from beside their place: is the index of a neighbour right?",
     {"neighbour-index-wrong", "shifted", "image-transposed", "coordinates-swapped", "channels-mixed"}},
};

/// One cause in the place of several, if one says what is true of all of them; nothing if none does: who cannot
/// tell two causes apart says nothing rather than guess.
diagnosis one_for_all(const std::vector<diagnosis>& causes) {
    const auto all = [&](auto is_one) { return std::all_of(causes.begin(), causes.end(), is_one); };
    if (causes.empty()) return {};
    if (all([&](const diagnosis& cause) { return cause.id == causes.front().id; })) {
        const std::string first = gist(causes.front().id, causes.front().text);
        const bool one_sentence =
            all([&](const diagnosis& cause) { return gist(cause.id, cause.text) == first; });
        return one_sentence ? causes.front()
                            : diagnosis{causes.front().id, std::string(meaning_of(causes.front().id)), true};
    }
    for (const kind_of_causes& kind : KINDS) {
        if (all([&](const diagnosis& cause) {
                return std::find(kind.ids.begin(), kind.ids.end(), cause.id) != kind.ids.end();
            }))
            return {kind.ids.front(), kind.text, true};
    }
    return {};
}

diagnosis joined(const std::vector<diagnosis>& causes) {
    diagnosis one = one_for_all(causes);
    for (const diagnosis& cause : causes)
        one.stands_for.push_back(gist(cause.id, cause.text));
    return one;
}

bool has_number(const std::vector<float>& out) {
    return std::any_of(out.begin(), out.end(), [](float value) { return !std::isnan(value); });
}

/// True if a kernel stored infinity or NaN, and has read nothing that is unset.
bool overflows_fp16(std::span<const float> out, const problem_2d& problem, const inspect::report& seen) {
    const bool is_kernels = seen.total().global.stores.lanes >= out.size() && seen.origin.of_host == 0;
    return problem.fp16_parts > 0 && is_kernels && seen.clean() &&
           !std::ranges::all_of(out, [](float value) { return std::isfinite(value); });
}

/// What the counts alone settle, and earlier cases do not deny.
diagnosis diagnose_launches(std::span<const float> out, const shape& where, const problem_2d& problem,
                            const inspect::report& seen, const std::string& method, const past_calls& past) {
    if (!seen.inspected) return {};
    if (seen.launches.empty()) return {"nothing-launched", "no kernel was launched", false};
    if (seen.origin.sent_by_host && std::ranges::equal(out, problem.in.pixels))
        return {"input-unchanged",
                "the input came back unchanged: is it copied to out in the place of the result?", true};
    if (overflows_fp16(out, problem, seen))
        return {"fp16-overflow",
                "the result is infinite or no number: is a scale, what it scales, or a sum beyond the end of "
                "fp16, 65504?",
                true};
    const bool worked_before = std::any_of(
        past.cases().begin(), past.cases().end(),
        [&](const past_case& before) { return before.method == method && has_number(before.out); });
    if (worked_before) return {};
    const inspect::memory_traffic global = seen.total().global;
    // In a small image no pixel may be one that the kernel stores: those whose filter overhangs.
    const bool has_middle =
        where.width >= problem.filter.width &&
        (where.one_dimensional ||
         (where.slice_height() >= problem.filter.slice_height() && where.depth >= problem.filter.depth));
    if (global.stores.lanes + global.atomics.lanes == 0)
        return has_middle ? diagnosis{"nothing-stored", "no thread wrote anything to global memory", false}
                          : diagnosis{};
    const bool stored = global.stores.lanes >= out.size();
    // A clean report rules out that the kernel computed with unset memory; of textures it knows nothing.
    const bool all_nan = std::all_of(out.begin(), out.end(), [](float value) { return std::isnan(value); });
    // Nor does it see NaN that the host sent in the place of the input.
    const bool computed = seen.clean() && seen.total().texture.lanes == 0 &&
                          (global.loads.lanes == 0 || seen.of("in").loads.lanes > 0);
    const bool none_arrived = seen.origin.values > 0 && seen.origin.of_host == seen.origin.values;
    if (all_nan && stored && (computed || none_arrived)) {
        return {
            "out-not-copied",
            "the kernel stored its results, but none reached the host: is out copied back, after the kernel?",
            true};
    }
    return {};
}

diagnosis diagnose(std::span<const float> out, const problem_2d& problem, const shape& where,
                   const inspect::report& seen, const std::string& method, const past_calls& past) {
    const comparison found = compare(out, convolve_cpu(problem));
    if (found.right()) return {};
    const diagnosis launches = diagnose_launches(out, where, problem, seen, method, past);
    if (!launches.id.empty()) return launches;
    // What one pass did wrong the others spread, and counts are of all launches of all devices together.
    if (problem.passes > 1) return {};
    const std::vector<diagnosis> findings = diagnose_findings(out, found, problem, where, seen);
    const bool is_race =
        std::ranges::any_of(findings, [](const diagnosis& one) { return one.id == "barrier-missing"; });
    std::vector<diagnosis> causes = diagnose_values(out, found, problem, where, seen, is_race, method, past);
    const diagnosis unwritten = diagnose_unwritten(out, found, where, seen);
    if (!unwritten.id.empty()) causes.push_back(unwritten);
    causes.insert(causes.end(), findings.begin(), findings.end());
    if (causes.empty()) causes.push_back(diagnose_counts(out, found, problem, where, seen));
    if (causes.back().id.empty() && worked_before(method, past)) causes = {diagnose_ends(out, found, where)};
    return joined(causes);
}

/// A sentence about images in the words of an array.
std::string of_array(std::string text) {
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"a pixel", "an element"},
                                   {"pixel", "element"},
                                   {"an image", "an array"},
                                   {"the image", "the array"}}) {
        for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    }
    return text;
}

diagnosis of_kernels(diagnosis cause, const inspect::report& seen) {
    cause.kernels = kernels_of(seen);
    return cause;
}

}  // namespace

bool concerns(const diagnosis& cause, const inspect::report& seen) {
    return share_a_kernel(cause.kernels, kernels_of(seen));
}

bool is_denied(const diagnosis& cause, const past_calls& past) {
    if (!cause.from_output || past.cases().empty() || cause.stands_for.empty()) return false;
    if (!concerns(cause, past.cases().back().seen)) return false;
    return std::ranges::all_of(cause.stands_for, [&](const std::string& its_gist) {
        const word_of_past word = said_by(past.cases().back(), its_gist, past);
        // What is read beside its memory may be anything.
        return word == word_of_past::denies ||
               (word == word_of_past::leaves_open && past.cases().back().seen.clean());
    });
}

diagnosis diagnose_passes(const inspect::report& seen) {
    return of_kernels(
        {"exchange-wrong",
         "one pass alone is right, so it goes wrong between two: rows that the strips send each other are "
         "missing, misplaced, late or overwritten, or a pass reads another buffer than the last one stored",
         true},
        seen);
}

diagnosis diagnose(std::span<const float> out, const problem_2d& problem, const inspect::report& seen,
                   const std::string& method, const past_calls& past) {
    return of_kernels(diagnose(out, problem, shape_of(problem), seen, method, past), seen);
}

diagnosis diagnose(std::span<const float> out, const problem_1d& problem, const inspect::report& seen,
                   const std::string& method, const past_calls& past) {
    diagnosis cause = of_kernels(diagnose(out, as_row(problem), shape_of(problem), seen, method, past), seen);
    cause.text = of_array(std::move(cause.text));
    return cause;
}

}  // namespace check
