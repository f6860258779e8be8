#include "inspect/watch/member_merge.h"

#include <algorithm>

namespace inspect {

namespace {

constexpr uint32_t WIDEST = 16;     // bytes of an access
constexpr size_t MOST_OBJECTS = 8;  // remembered at a time, and groups

uint32_t bits(uint32_t begin, uint32_t bytes) {
    return ((1u << bytes) - 1) << begin;
}

/// Bytes [offset, offset + bytes) of an object, as far as they lie in the 16 bytes at `piece`.
uint32_t bits_in_piece(uint32_t piece, uint32_t offset, uint32_t bytes) {
    uint32_t found = 0;
    for (uint32_t byte = offset; byte < offset + bytes; byte++) {
        if (byte >= piece && byte < piece + WIDEST) found |= 1u << (byte - piece);
    }
    return found;
}

/// Pointers lead to global memory and to __device__ variables alike.
bool may_meet(space a, space b) {
    const auto plain = [](space where) { return where == space::device_variable ? space::global : where; };
    return plain(a) == plain(b);
}

bool same_distance(uint32_t mask, const uint32_t* a, const uint32_t* b, uint32_t distance) {
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const uint32_t lane = __builtin_ctz(rest);
        if (a[lane] - b[lane] != distance) return false;
    }
    return true;
}

/// The power of two that is not below.
uint32_t rounded_up(uint32_t bytes) {
    return bytes <= 1 ? 1 : 2u << log2_of(bytes - 1);
}

/// Bytes without a gap from `begin` on.
uint32_t run_of(uint32_t covered, uint32_t begin) {
    return __builtin_ctz(~(covered >> begin));
}

uint32_t store_width(uint32_t covered, uint32_t begin, uint32_t aligned, uint32_t size) {
    const uint32_t most = std::min(aligned, run_of(covered, begin));
    uint32_t bytes = size;
    while (2 * bytes <= most)
        bytes *= 2;
    return bytes;
}

/// A load may also fetch what nobody wants: up to two members between wanted ones, and what is missing to a
/// power of two. But nvcc takes 16 bytes back to two loads if they serve two words that are no neighbours.
uint32_t load_width(uint32_t covered, uint32_t size) {
    uint32_t end = size;
    for (uint32_t at = end; at < WIDEST && at - end <= 2 * size; at += size) {
        if (covered >> at & 1) end = at + size;
    }
    const uint32_t bytes = rounded_up(end);
    if (bytes < WIDEST || size > 4) return bytes;
    uint32_t words = 0;
    for (uint32_t word = 0; word < 4; word++)
        words += (covered & bits(4 * word, 4)) != 0;
    return words == 2 ? 4 : bytes;
}

}  // namespace

void member_merge::request(uint32_t key, uint32_t mask, const uint32_t* offsets) {
    if (kind_of(key) == OBJECT) return note(key, mask, offsets);
    if (objects.empty() && groups.empty()) return next.request(key, mask, offsets);
    if (kind_of(key) == access_kind::atomic) {
        turn(ALL_LANES);
        return next.request(key, mask, offsets);
    }
    access one{key, mask, offsets};
    one.whole = find_object(key, mask, offsets);
    if (one.whole) {
        const uint32_t first = __builtin_ctz(mask);
        one.member = offsets[first] - one.whole->offsets[first];
        one.limit = static_cast<uint32_t>(std::min<size_t>(one.whole->use.type->alignment, WIDEST));
    }
    if (bytes_of(key) >= one.limit) {
        end_conflicting(one, nullptr);
        return next.request(key, mask, offsets);
    }
    const uint32_t piece = one.member / one.limit * one.limit;
    group* joined = find_group(one);
    end_conflicting(one, joined);
    joined = find_group(one);
    if (!joined) {
        if (groups.size() == MOST_OBJECTS) {
            count(groups.front());
            groups.erase(groups.begin());
        }
        joined = &groups.emplace_back();
        joined->key = key;
        joined->mask = mask;
        joined->use = one.whole->use;
        joined->piece = piece;
        for (uint32_t lane = 0; lane < LANES; lane++)
            joined->offsets[lane] = one.whole->offsets[lane] + piece;
    }
    joined->covered |= bits(one.member - piece, bytes_of(key));
}

void member_merge::turn(uint32_t mask) {
    if (groups.empty() && objects.empty()) return;
    for (const group& one : groups) {
        if (one.mask & mask) count(one);
    }
    std::erase_if(groups, [&](const group& one) { return one.mask & mask; });
    std::erase_if(objects, [&](const object& one) { return one.mask & mask; });
}

void member_merge::note(uint32_t key, uint32_t mask, const uint32_t* offsets) {
    if (objects.size() == MOST_OBJECTS) objects.erase(objects.begin());
    object& noted = objects.emplace_back();
    noted.where = space_of(key);
    noted.mask = mask;
    noted.use = uses.at(key & SITE_MASK);
    std::copy_n(offsets, LANES, noted.offsets);
}

/// The object with the largest alignment, of those the newest, that the access lies in.
const member_merge::object* member_merge::find_object(uint32_t key, uint32_t mask,
                                                      const uint32_t* offsets) const {
    const uint32_t first = __builtin_ctz(mask);
    const object* found = nullptr;
    for (const object& one : objects) {
        if (one.where != space_of(key) || (mask & ~one.mask) != 0) continue;
        const uint32_t member = offsets[first] - one.offsets[first];
        if (member + bytes_of(key) > one.use.type->bytes || member >= one.use.type->bytes) continue;
        if (found && one.use.type->alignment < found->use.type->alignment) continue;
        if (same_distance(mask, offsets, one.offsets, member)) found = &one;
    }
    return found;
}

/// The newest group that the access may join.
member_merge::group* member_merge::find_group(const access& one) {
    const uint32_t piece = one.member / one.limit * one.limit;
    const uint32_t wanted = bits(one.member - piece, bytes_of(one.key));
    constexpr uint32_t SITE = SITE_MASK;
    for (size_t i = groups.size(); i > 0; i--) {
        group& known = groups[i - 1];
        const bool is_alike = ((known.key ^ one.key) & ~SITE) == 0 && known.mask == one.mask;
        if (!is_alike || known.piece != piece || (known.stored & wanted) != 0) continue;
        if (same_distance(one.mask, one.offsets, known.offsets, one.member - piece)) return &known;
    }
    return nullptr;
}

/// What cannot be moved past this access is counted.
void member_merge::end_conflicting(const access& one, const group* joined) {
    const bool is_store = kind_of(one.key) == access_kind::write;
    const uint32_t bytes = bytes_of(one.key);
    std::erase_if(groups, [&](group& known) {
        const bool known_stores = kind_of(known.key) == access_kind::write;
        if (&known == joined || (known.mask & one.mask) == 0 || !(is_store || known_stores)) return false;
        if (!may_meet(space_of(known.key), space_of(one.key))) return false;
        const bool is_same_type = one.whole && one.whole->use.type == known.use.type;
        if (!is_same_type) {
            const bool is_apart = known.use.is_restricted || (one.whole && one.whole->use.is_restricted);
            if (!is_apart) count(known);
            return !is_apart;
        }
        const uint32_t touched = bits_in_piece(known.piece, one.member, bytes);
        if (!known_stores) {
            known.stored |= touched;
            return false;
        }
        if ((touched & known.covered) == 0) return false;
        count(known);
        return true;
    });
}

void member_merge::count(const group& done) {
    const uint32_t size = bytes_of(done.key);
    const auto limit = static_cast<uint32_t>(std::min<size_t>(done.use.type->alignment, WIDEST));
    const bool is_store = kind_of(done.key) == access_kind::write;
    for (uint32_t left = done.covered; left != 0;) {
        const uint32_t begin = __builtin_ctz(left);
        const uint32_t aligned = begin == 0 ? limit : std::min(limit, begin & -begin);
        if (is_store && aligned < 2 * size) {  // nvcc leaves the whole run as it is
            const uint32_t run = run_of(left, begin);
            for (uint32_t at = 0; at < run; at += size)
                count_piece(done, begin + at, size);
            left &= ~bits(begin, run);
            continue;
        }
        const uint32_t bytes = is_store ? store_width(left, begin, aligned, size)
                                        : load_width(left >> begin & bits(0, aligned), size);
        count_piece(done, begin, bytes);
        left &= ~bits(begin, bytes);
    }
}

void member_merge::count_piece(const group& done, uint32_t begin, uint32_t bytes) {
    uint32_t offsets[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
        offsets[lane] = done.offsets[lane] + begin;
    next.request(event_key(done.key & SITE_MASK, space_of(done.key), kind_of(done.key), bytes), done.mask,
                 offsets);
}

}  // namespace inspect
