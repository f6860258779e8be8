// Accesses to members of one object, put together as nvcc does: p[i].x + p[i].y of a float4 is one of 8 bytes.
#pragma once
#include <vector>

#include "inspect/memory/lane_log.h"
#include "inspect/watch/object_uses.h"
#include "inspect/watch/warp_merge.h"

namespace inspect {

/// Stands between the merge of the lanes and the count. nvcc's load-store vectoriser joins accesses of one
/// basic block to one object if the type's alignment allows the wider access and nothing between them may
/// touch the same memory: no store, or no access at all between two stores, but to another member of the same
/// type, by way of a __restrict__ pointer, or in another kind of memory. Arrays of float are not joined.
class member_merge : public request_sink {
public:
    member_merge(request_sink& next, const object_uses& uses) : next(next), uses(uses) {}

    void request(uint32_t key, uint32_t mask, const uint32_t* offsets) override;
    /// These lanes enter another basic block, or come to a barrier.
    void turn(uint32_t mask) override;
    void finish() { turn(ALL_LANES); }

private:
    /// An object that lanes are about to use.
    struct object {
        space where{};
        uint32_t mask = 0;
        object_use use;
        uint32_t offsets[LANES] = {};
    };
    /// Accesses of one kind and size within one aligned piece of an object.
    struct group {
        uint32_t key = 0, mask = 0;
        object_use use;
        uint32_t piece = 0;    // offset in the object, of PIECE bytes or fewer
        uint32_t covered = 0;  // bytes of the piece
        uint32_t stored = 0;   // bytes of the piece in this or another object that were stored meanwhile
        uint32_t offsets[LANES] = {};  // of the piece
    };
    /// One access, and what it is a part of.
    struct access {
        uint32_t key = 0, mask = 0;
        const uint32_t* offsets = nullptr;
        const object* whole = nullptr;  // null: of nothing that is known
        uint32_t member = 0;            // offset in the object
        uint32_t limit = 0;             // bytes of the widest access that the alignment allows
    };

    void note(uint32_t key, uint32_t mask, const uint32_t* offsets);
    const object* find_object(uint32_t key, uint32_t mask, const uint32_t* offsets) const;
    group* find_group(const access& one);
    void end_conflicting(const access& one, const group* joined);
    void count(const group& done);
    void count_piece(const group& done, uint32_t begin, uint32_t bytes);

    request_sink& next;
    const object_uses& uses;
    std::vector<object> objects;  // the newest last
    std::vector<group> groups;
};

}  // namespace inspect
