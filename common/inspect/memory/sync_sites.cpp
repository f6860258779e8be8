// Tells waiting from racing.
#include "inspect/memory/sync_sites.h"

namespace inspect {

void sync_sites::add(const sync_sites& more) {
    volatile_reads.insert(more.volatile_reads.begin(), more.volatile_reads.end());
    releases.insert(more.releases.begin(), more.releases.end());
    guesses.insert(more.guesses.begin(), more.guesses.end());
}

void sync_sites::clear() {
    volatile_reads.clear();
    releases.clear();
    guesses.clear();
}

bool sync_sites::explain(const incident_identity& race) const {
    if (race.kind != incident_kind::race) return false;
    const bool is_with_atomic =
        race.access == access_kind::atomic || race.other_access == access_kind::atomic;
    const auto is_sync = [&](access_kind kind, uint32_t site) {
        switch (kind) {
            case access_kind::read:
                return volatile_reads.contains(site) || (is_with_atomic && guesses.contains(site));
            case access_kind::write:
                return releases.contains(site);
            default:
                return true;
        }
    };
    return is_sync(race.access, race.site) && is_sync(race.other_access, race.other_site);
}

}  // namespace inspect
