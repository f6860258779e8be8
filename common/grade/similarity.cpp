// Compares the fingerprints of all submissions to one lab.
#include "grade/similarity.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "grade/fingerprints.h"

namespace grade {
namespace {

constexpr size_t SMALLEST_CLASS = 10;  // in which something can be called usual

/// Fingerprints of a source, each with the places where it stands.
using places_by_hash = std::map<uint64_t, std::vector<fingerprint>>;

std::unordered_set<uint64_t> hashes_of(const std::vector<std::string>& given) {
    std::unordered_set<uint64_t> hashes;
    for (const std::string& text : given)
        for (const fingerprint& run : all_runs(text))
            hashes.insert(run.hash);
    return hashes;
}

std::vector<places_by_hash> places_of(const std::vector<named_source>& all,
                                      const std::unordered_set<uint64_t>& given) {
    std::vector<places_by_hash> places(all.size());
    for (size_t k = 0; k < all.size(); k++)
        for (const fingerprint& one : fingerprints_of(all[k].text))
            if (!given.count(one.hash)) places[k][one.hash].push_back(one);
    return places;
}

/// The sources that have a fingerprint.
std::unordered_map<uint64_t, std::vector<size_t>> owners_of(const std::vector<places_by_hash>& places) {
    std::unordered_map<uint64_t, std::vector<size_t>> owners;
    for (size_t k = 0; k < places.size(); k++)
        for (const auto& [hash, where] : places[k])
            owners[hash].push_back(k);
    return owners;
}

void remove_usual(std::vector<places_by_hash>& places) {
    if (places.size() < SMALLEST_CLASS) return;
    for (const auto& [hash, owners] : owners_of(places)) {
        if (2 * owners.size() <= places.size()) continue;
        for (const size_t owner : owners)
            places[owner].erase(hash);
    }
}

/// How many fingerprints every two sources have in common.
std::map<std::pair<size_t, size_t>, size_t> common_counts(const std::vector<places_by_hash>& places) {
    std::map<std::pair<size_t, size_t>, size_t> counts;
    for (const auto& [hash, owners] : owners_of(places))
        for (size_t i = 0; i < owners.size(); i++)
            for (size_t j = i + 1; j < owners.size(); j++)
                counts[{owners[i], owners[j]}]++;
    return counts;
}

/// Lines of `mine` in which something stands that `theirs` has too.
std::vector<int> common_lines(const places_by_hash& mine, const places_by_hash& theirs) {
    std::set<int> lines;
    for (const auto& [hash, where] : mine) {
        if (!theirs.count(hash)) continue;
        for (const fingerprint& one : where)
            for (int line = one.first_line; line <= one.last_line; line++)
                lines.insert(line);
    }
    return {lines.begin(), lines.end()};
}

}  // namespace

std::vector<similar_pair> similar_pairs(const std::vector<named_source>& all,
                                        const std::vector<std::string>& given) {
    std::vector<places_by_hash> places = places_of(all, hashes_of(given));
    remove_usual(places);
    std::vector<similar_pair> pairs;
    for (const auto& [both, common] : common_counts(places)) {
        const places_by_hash &one = places[both.first], &other = places[both.second];
        const double share = double(common) / double(std::min(one.size(), other.size()));
        if (common < FEWEST_IN_COMMON || share < MUCH_IN_COMMON) continue;
        pairs.push_back(
            {both.first, both.second, common, share, common_lines(one, other), common_lines(other, one)});
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const similar_pair& a, const similar_pair& b) {
        return a.share != b.share ? a.share > b.share : a.common > b.common;
    });
    return pairs;
}

}  // namespace grade
