// Builds the report of what was recorded.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "inspect/watch/wording.h"

namespace inspect {

namespace {

traffic& direction_of(memory_traffic& memory, access_kind kind) {
    if (kind == access_kind::read) return memory.loads;
    return kind == access_kind::write ? memory.stores : memory.atomics;
}

const char* direction_word(access_kind kind) {
    if (kind == access_kind::read) return "load";
    return kind == access_kind::write ? "store" : "atomic";
}

const char* space_word(space where) {
    switch (where) {
        case space::shared:
            return "shared";
        case space::constant:
            return "constant";
        case space::texture:
            return "texture";
        default:
            return "global";
    }
}

std::string name_of(uint32_t key, uint32_t variable, const device_state& memory) {
    return variable_name(space_of(key), kind_of(key), variable, memory);
}

void add_to_total(counts& total, uint32_t key, const traffic& seen) {
    switch (space_of(key)) {
        case space::shared:
            direction_of(total.shared, kind_of(key)) += seen;
            break;
        case space::constant:
            if (kind_of(key) == access_kind::read) total.constant += seen;
            break;
        case space::texture:
            total.texture += seen;
            break;
        default:
            direction_of(total.global, kind_of(key)) += seen;
    }
}

using site_cache = std::map<uint32_t, simt::source_location>;

const simt::source_location& locate_site(uint32_t site, site_cache& known) {
    const auto [place, is_new] = known.try_emplace(site);
    if (is_new && site != 0) place->second = simt::locate(return_address_of(site));
    return place->second;
}

/// Several instructions may stand for one place in the source (templates, inlined functions): adds them up.
std::vector<line_traffic> lines_of(const launch_record& record, const device_state& memory,
                                   site_cache& known) {
    using identity = std::tuple<std::string, int, int, std::string, std::string, std::string, unsigned>;
    std::map<identity, traffic> merged;
    for (const traffic_table::entry& entry : record.seen.entries()) {
        const simt::source_location& at = locate_site(entry.key & SITE_MASK, known);
        const std::string variable = name_of(entry.key, entry.variable, memory);
        merged[{at.file, at.line, at.column, space_word(space_of(entry.key)),
                direction_word(kind_of(entry.key)), variable, bytes_of(entry.key)}] += entry.seen;
    }
    std::vector<line_traffic> lines;
    for (const auto& [what, seen] : merged) {
        const auto& [file, line, column, where, direction, variable, bytes] = what;
        lines.push_back({file, line, column, where, direction, variable, bytes, seen});
    }
    return lines;
}

std::vector<variable_traffic> variables_of(const launch_record& record, const device_state& memory) {
    std::map<std::pair<std::string, std::string>, variable_traffic> merged;
    for (const traffic_table::entry& entry : record.seen.entries()) {
        const std::string name = name_of(entry.key, entry.variable, memory);
        if (name.empty()) continue;
        const std::string where = space_word(space_of(entry.key));
        variable_traffic& one = merged[{where, name}];
        one.name = name, one.space = where;
        direction_of(one.seen, kind_of(entry.key)) += entry.seen;
        if (space_of(entry.key) == space::constant)
            one.bytes = simt::constant_variable_at(return_address_of(entry.variable))->bytes;
    }
    std::vector<variable_traffic> variables;
    for (auto& [what, seen] : merged)
        variables.push_back(std::move(seen));
    return variables;
}

/// Elements of the memory that the contract names, and a sample of every source line.
sketch sketch_of(const sketcher& drawn, const device_state& memory, site_cache& known) {
    sketch result;
    result.block = drawn.sampled_block();
    for (const auto& [variable, seen] : drawn.by_variable()) {
        const piece& array = memory.pieces[variable];
        if (array.name().empty()) continue;
        simt::allocation owner = memory.record(array.allocation);
        if (!memory.pieces.is_whole(variable)) owner.row_bytes = owner.pitch = 0;
        result.elements.push_back(
            {array.name(), owner.row_bytes, owner.pitch, seen.loads, seen.stores, seen.loader});
    }
    for (const auto& [what, seen] : drawn.by_line()) {
        const auto& [key, variable] = what;
        const simt::source_location& at = locate_site(key & SITE_MASK, known);
        request_sample sample{at.file,
                              at.line,
                              at.column,
                              space_word(space_of(key)),
                              direction_word(kind_of(key)),
                              name_of(key, variable, memory),
                              bytes_of(key),
                              seen.block,
                              seen.warp,
                              seen.mask,
                              {seen.offsets, seen.offsets + LANES},
                              seen.cost};
        if (space_of(key) == space::global && variable != 0) {
            const uintptr_t begin = memory.pieces[variable].begin - simt::device_begin;
            for (uint32_t& offset : sample.offsets)
                offset -= static_cast<uint32_t>(begin);
        }
        result.samples.push_back(std::move(sample));
    }
    return result;
}

launch launch_of(const launch_record& record, const device_state& memory, site_cache& known) {
    launch result;
    result.kernel = record.kernel;
    const uint3 &grid = record.grid, &block = record.block;
    std::tie(result.grid[0], result.grid[1], result.grid[2]) = std::tie(grid.x, grid.y, grid.z);
    std::tie(result.block[0], result.block[1], result.block[2]) = std::tie(block.x, block.y, block.z);
    for (const simt::variable& variable : record.shared)
        result.static_shared += variable.bytes;
    result.inspected_blocks = record.inspected_blocks;
    result.dynamic_shared = record.dynamic_shared;
    for (const traffic_table::entry& entry : record.seen.entries())
        add_to_total(result.total, entry.key, entry.seen);
    result.total.matrix_products = record.matrix_products;
    result.lines = lines_of(record, memory, known);
    result.variables = variables_of(record, memory);
    if (record.drawn) result.drawn = sketch_of(*record.drawn, memory, known);
    return result;
}

auto place_in_source(const simt::source_location& at) {
    return std::tie(at.file, at.line, at.column);
}

/// The same race is met from either side: lets it begin with the line that comes first in the source.
incident in_source_order(incident seen, site_cache& known) {
    if (seen.what.kind != incident_kind::race) return seen;
    const auto here = place_in_source(locate_site(seen.what.site, known));
    const auto there = place_in_source(locate_site(seen.what.other_site, known));
    const bool other_way_round = there < here || (there == here && seen.what.other_access < seen.what.access);
    if (!other_way_round) return seen;
    std::swap(seen.what.site, seen.what.other_site);
    std::swap(seen.what.access, seen.what.other_access);
    std::swap(seen.when.thread, seen.other_thread);
    std::swap(seen.when.block, seen.other_block);
    return seen;
}

/// Incidents that are one finding to a reader, because the instructions belong to the same lines. Races of
/// the same two lines are one, whether the accesses are a read and a write or two writes; but those between
/// blocks need another cure.
struct draft {
    incident seen;
    simt::source_location here, there;
    std::string variable;
    uint64_t variable_bytes = 0;

    bool is_race() const { return seen.what.kind == incident_kind::race; }
    /// What the backend noticed, and what was never written, is no access.
    bool is_access() const {
        return seen.what.kind != incident_kind::of_backend && seen.what.kind != incident_kind::never_written;
    }
    auto identity() const {
        const incident_identity& what = seen.what;
        const auto accesses =
            is_race() ? std::pair(access_kind{}, access_kind{}) : std::pair(what.access, what.other_access);
        return std::tuple(here.file, here.line, is_race() ? 0 : here.column, what.kind, what.backend_kind,
                          there.file, there.line, variable, what.between_blocks, accesses);
    }
};

/// Drafts that another one explains: an index beyond its array leads beside the variable or into another; a
/// word that is read too early is unwritten, too, because of the race; where different values are stored, it
/// does not matter that some are the same.
bool is_explained_by(const draft& one, const draft& other) {
    const auto place = std::tie(one.here.file, one.here.line);
    const bool is_here = place == std::tie(other.here.file, other.here.line);
    const bool is_there = place == std::tie(other.there.file, other.there.line);
    const incident_identity& what = one.seen.what;
    const bool is_stray =
        what.kind == incident_kind::out_of_bounds || what.kind == incident_kind::uninitialised_read;
    if (other.seen.what.kind == incident_kind::index_out_of_array)
        return is_here && is_stray && what.where != space::global;
    if (!other.is_race() || !other.seen.is_error || one.variable != other.variable) return false;
    if (what.kind == incident_kind::uninitialised_read) return is_here || is_there;
    return one.is_race() && !one.seen.is_error && is_here && one.there.line == other.there.line;
}

/// An index that is far off passes several arrays: the line means the one that it uses otherwise.
bool is_beside_another(const draft& one, const draft& other, const report& counted) {
    const incident_identity &what = one.seen.what, &its = other.seen.what;
    const bool same_access = place_in_source(one.here) == place_in_source(other.here) &&
                             what.access == its.access && its.kind == incident_kind::out_of_bounds;
    if (what.kind != incident_kind::out_of_bounds || what.where != space::global || !same_access)
        return false;
    const auto uses = [&](const std::string& variable) {
        uint64_t lanes = 0;
        for (const line_traffic& line : counted.lines())
            if (line.file == one.here.file && line.line == one.here.line && line.column == one.here.column &&
                line.variable == variable && line.direction == direction_word(what.access))
                lanes += line.seen.lanes;
        return lanes;
    };
    return one.variable != other.variable && uses(other.variable) > uses(one.variable);
}

std::string other_place(const draft& one) {
    if (one.here.file != one.there.file) return "at " + one.there.file + ":" + std::to_string(one.there.line);
    return one.here.line == one.there.line ? "on this line" : "at line " + std::to_string(one.there.line);
}

using launch_finder = std::map<uint32_t, const launch_record*>;  // by serial

const launch_record* launch_of(const incident& seen, const launch_finder& launches) {
    const auto place = launches.find(seen.when.launch);
    return place == launches.end() ? nullptr : place->second;
}

std::vector<draft> drafts_of(const incident_table& incidents, const launch_finder& launches,
                             const device_state& memory, site_cache& known) {
    std::vector<draft> all;
    for (const auto& [what, as_seen] : incidents.all()) {
        const incident seen = in_source_order(as_seen, known);
        const sized_variable variable = incident_variable(seen, launch_of(seen, launches), memory);
        all.push_back({seen, locate_site(seen.what.site, known), locate_site(seen.what.other_site, known),
                       variable.name, variable.bytes});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const draft& a, const draft& b) { return a.identity() < b.identity(); });
    std::vector<draft> merged;
    for (const draft& one : all) {
        if (!merged.empty() && merged.back().identity() == one.identity()) {
            combine(merged.back().seen, one.seen);
        } else {
            merged.push_back(one);
        }
    }
    return merged;
}

std::vector<finding> findings_of(const std::vector<launch_record>& records, const incident_table& incidents,
                                 const device_state& memory, site_cache& known, const report& counted) {
    launch_finder launches;
    for (const launch_record& record : records)
        launches[record.serial] = &record;
    const std::vector<draft> drafts = drafts_of(incidents, launches, memory, known);
    std::vector<finding> findings;
    for (const draft& one : drafts) {
        const auto explains = [&](const draft& other) {
            return is_explained_by(one, other) || is_beside_another(one, other, counted);
        };
        if (std::any_of(drafts.begin(), drafts.end(), explains)) continue;
        const std::string text = sentence(one.seen, launch_of(one.seen, launches), memory, other_place(one));
        finding told{kind_word(one.seen), one.seen.is_error, text,           one.here.file, one.here.line,
                     one.here.column,     one.there.file,    one.there.line, one.seen.times};
        if (one.is_access()) {
            told.space = space_word(one.seen.what.where);
            told.direction = direction_word(one.seen.what.access);
            told.variable = one.variable;
            told.variable_bytes = one.variable_bytes;
        }
        findings.push_back(told);
    }
    return findings;
}

/// By what they hold when the call has ended.
std::vector<std::string> zero_constants_of(const std::vector<launch_record>& launches) {
    std::set<std::string> zero;
    for (const launch_record& record : launches) {
        for (const traffic_table::entry& entry : record.seen.entries()) {
            if (space_of(entry.key) != space::constant || entry.variable == 0) continue;
            const simt::variable* read = simt::constant_variable_at(return_address_of(entry.variable));
            const auto* bytes = reinterpret_cast<const char*>(read->begin);
            if (std::all_of(bytes, bytes + read->bytes, [](char one) { return one == 0; }))
                zero.insert(read->name);
        }
    }
    return {zero.begin(), zero.end()};
}

}  // namespace

report build_report(const std::vector<launch_record>& launches, const incident_table& incidents,
                    const device_state& memory, const std::vector<simt::guessed_array>& guesses) {
    report result;
    result.inspected = true;
    site_cache known;
    for (const launch_record& record : launches)
        result.launches.push_back(launch_of(record, memory, known));
    result.zero_constants = zero_constants_of(launches);
    for (const simt::guessed_array& guess : guesses)
        result.guesses.push_back({guess.name, memory_name(guess, memory)});
    result.findings = findings_of(launches, incidents, memory, known, result);
    return result;
}

}  // namespace inspect
