// Cooperative groups: the grid, the block, tiles and coalesced lanes of a warp, and thread_group for any of the last three.
#pragma once
#include <type_traits>

#include "cuda_runtime.h"
#include "simt/phases.h"

namespace cooperative_groups {

namespace detail {
/// Index of the thread in its block, x fastest.
SIMT_INLINE unsigned int thread_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
SIMT_INLINE unsigned int threads_of_block() {
    return blockDim.x * blockDim.y * blockDim.z;
}
SIMT_INLINE unsigned int lane() {
    return thread_in_block() % warpSize;
}
/// The lanes below this one.
SIMT_INLINE unsigned int lower_lanes() {
    return (1u << lane()) - 1;
}
/// The lane whose rank among the lanes of the mask is `rank`.
SIMT_INLINE int lane_of_rank(unsigned int mask, unsigned int rank) {
    for (unsigned int skipped = 0; skipped < rank; skipped++) {
        mask &= mask - 1;
    }
    return __ffs(static_cast<int>(mask)) - 1;
}
}  // namespace detail

/// For tiles of more than a warp, which need none here: as much as a GPU asks for, for blocks to `most_threads`.
template <unsigned int most_threads = 1024>
struct alignas(8) block_tile_memory {
    char simt_unused[most_threads / 32 * 32];
};

/// All threads of the block.
class thread_block {
public:
    __attribute__((always_inline)) void sync() const { simt::wait_for_block(); }
    __attribute__((always_inline)) unsigned int thread_rank() const { return detail::thread_in_block(); }
    __attribute__((always_inline)) unsigned int num_threads() const { return detail::threads_of_block(); }
    __attribute__((always_inline)) unsigned int size() const { return num_threads(); }
    __attribute__((always_inline)) dim3 group_index() const { return blockIdx; }
    __attribute__((always_inline)) dim3 thread_index() const { return threadIdx; }
    __attribute__((always_inline)) dim3 group_dim() const { return blockDim; }
    __attribute__((always_inline)) dim3 dim_threads() const { return blockDim; }
};
SIMT_INLINE thread_block this_thread_block() {
    return {};
}
template <unsigned int most_threads>
SIMT_INLINE thread_block this_thread_block(block_tile_memory<most_threads>&) {
    if (detail::threads_of_block() > most_threads)
        simt_refuse("a block has more threads than its block_tile_memory is for");
    return {};
}

/// All threads of all blocks; they can wait for each other in a cooperative launch.
class grid_group {
public:
    __attribute__((always_inline)) bool is_valid() const { return simt_is_cooperative() != 0; }
    __attribute__((always_inline)) void sync() const { simt_grid_sync(); }
    __attribute__((always_inline)) unsigned long long num_blocks() const {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    __attribute__((always_inline)) unsigned long long block_rank() const {
        return blockIdx.x +
               static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    __attribute__((always_inline)) unsigned long long num_threads() const {
        return num_blocks() * detail::threads_of_block();
    }
    __attribute__((always_inline)) unsigned long long size() const { return num_threads(); }
    __attribute__((always_inline)) unsigned long long thread_rank() const {
        return block_rank() * detail::threads_of_block() + detail::thread_in_block();
    }
    __attribute__((always_inline)) dim3 dim_blocks() const { return gridDim; }
    __attribute__((always_inline)) dim3 group_dim() const { return gridDim; }
    __attribute__((always_inline)) dim3 block_index() const { return blockIdx; }
};
SIMT_INLINE grid_group this_grid() {
    return {};
}

/// A group of lanes of one warp, by its mask: what tiles and coalesced groups have in common.
class lane_group {
public:
    __attribute__((always_inline)) explicit lane_group(unsigned int mask) : mask_(mask) {}
    __attribute__((always_inline)) void sync() const { __syncwarp(mask_); }
    __attribute__((always_inline)) unsigned int thread_rank() const {
        return static_cast<unsigned int>(__popc(mask_ & detail::lower_lanes()));
    }
    __attribute__((always_inline)) int any(int predicate) const { return __any_sync(mask_, predicate); }
    __attribute__((always_inline)) int all(int predicate) const { return __all_sync(mask_, predicate); }
    /// Bit r is the predicate of the thread of rank r.
    __attribute__((always_inline)) unsigned int ballot(int predicate) const {
        return ranks(__ballot_sync(mask_, predicate));
    }
    template <class type>
    __attribute__((always_inline)) unsigned int match_any(type value) const {
        return ranks(__match_any_sync(mask_, value));
    }
    template <class type>
    __attribute__((always_inline)) unsigned int match_all(type value, int& all_equal) const {
        return ranks(__match_all_sync(mask_, value, &all_equal));
    }

    /// The lanes of the warp that belong to it.
    __attribute__((always_inline)) unsigned int simt_mask() const { return mask_; }

protected:
    /// Lanes to ranks: the bits of the mask, closed up.
    __attribute__((always_inline)) unsigned int ranks(unsigned int lanes) const {
        unsigned int result = 0, rank = 0;
        for (unsigned int rest = mask_; rest != 0; rest &= rest - 1, rank++) {
            const int lane = __ffs(static_cast<int>(rest)) - 1;
            result |= (lanes >> lane & 1) << rank;
        }
        return result;
    }
    unsigned int mask_;
};

namespace detail {

/// A tile within a warp: 1, 2, 4, ... 32 neighbouring lanes.
template <unsigned int tile_size>
class warp_tile : public lane_group {
public:
    __attribute__((always_inline)) warp_tile() : lane_group(tile_mask()) {}
    template <class type>
    __attribute__((always_inline)) type shfl(type value, int rank) const {
        return __shfl_sync(mask_, value, rank, tile_size);
    }
    template <class type>
    __attribute__((always_inline)) type shfl_up(type value, unsigned int delta) const {
        return __shfl_up_sync(mask_, value, delta, tile_size);
    }
    template <class type>
    __attribute__((always_inline)) type shfl_down(type value, unsigned int delta) const {
        return __shfl_down_sync(mask_, value, delta, tile_size);
    }
    template <class type>
    __attribute__((always_inline)) type shfl_xor(type value, unsigned int rank_mask) const {
        return __shfl_xor_sync(mask_, value, static_cast<int>(rank_mask), tile_size);
    }

private:
    static __attribute__((always_inline)) unsigned int tile_mask() {
        if (tile_size == 32) return 0xffffffffu;
        const unsigned int first = detail::lane() / tile_size * tile_size;
        return ((1u << (tile_size % 32)) - 1) << first;
    }
};

/// A tile of several warps: 64, 128, 256 or 512 neighbouring threads. It has less to offer, as on a GPU.
template <unsigned int tile_size>
class block_tile {
public:
    __attribute__((always_inline)) void sync() const { simt_tile(tile_size, 0, 0); }
    /// Any trivially copyable type travels in pieces of 8 bytes.
    template <class type>
    __attribute__((always_inline)) type shfl(type value, unsigned int rank) const {
        static_assert(std::is_trivially_copyable_v<type>, "a shuffle moves bytes");
        uint64_t pieces[(sizeof(type) + 7) / 8] = {};
        __builtin_memcpy(pieces, &value, sizeof value);
        for (uint64_t& piece : pieces)
            piece = simt_tile(tile_size, piece, rank);
        __builtin_memcpy(&value, pieces, sizeof value);
        return value;
    }
    __attribute__((always_inline)) int any(int predicate) const {
        unsigned int holds = predicate != 0;
        for (unsigned int distance = 1; distance < tile_size; distance *= 2)
            holds |= shfl(holds, (thread_in_block() ^ distance) % tile_size);
        return holds != 0;
    }
    __attribute__((always_inline)) int all(int predicate) const { return !any(!predicate); }
};

/// What a tile is a part of, and so how many threads its number counts within.
template <class parent_type>
struct tile_parent {
    static constexpr unsigned int MOST_THREADS = parent_type::num_threads();
    __attribute__((always_inline)) unsigned int parent_threads() const { return parent_type::num_threads(); }
};
template <>
struct tile_parent<thread_block> {
    static constexpr unsigned int MOST_THREADS = 1024;
    __attribute__((always_inline)) unsigned int parent_threads() const { return threads_of_block(); }
};
template <>
struct tile_parent<void> {  // the type does not say
    static constexpr unsigned int MOST_THREADS = 1024;
    unsigned int simt_threads;
    __attribute__((always_inline)) unsigned int parent_threads() const { return simt_threads; }
};

}  // namespace detail

/// 1, 2, 4, ... 512 neighbouring threads.
template <unsigned int tile_size, class parent_type = void>
class thread_block_tile
    : public std::conditional_t<tile_size <= 32, detail::warp_tile<tile_size>, detail::block_tile<tile_size>>,
      public detail::tile_parent<parent_type> {
    static_assert(tile_size >= 1 && tile_size <= 512 && (tile_size & (tile_size - 1)) == 0,
                  "a tile has 1, 2, 4, .. 512 threads");
    static_assert(tile_size <= detail::tile_parent<parent_type>::MOST_THREADS, "a tile of a smaller tile");

public:
    thread_block_tile() = default;
    /// A tile whose type does not say what it is a part of takes any of its size.
    template <class other_parent, class own_parent = parent_type,
              class = std::enable_if_t<std::is_void_v<own_parent>>>
    __attribute__((always_inline)) thread_block_tile(const thread_block_tile<tile_size, other_parent>& other)
        : detail::tile_parent<void>{other.parent_threads()} {}
    static constexpr __attribute__((always_inline)) unsigned int num_threads() { return tile_size; }
    static constexpr __attribute__((always_inline)) unsigned int size() { return tile_size; }
    __attribute__((always_inline)) unsigned int thread_rank() const {
        return detail::thread_in_block() % tile_size;
    }
    __attribute__((always_inline)) unsigned int meta_group_rank() const {
        return detail::thread_in_block() % this->parent_threads() / tile_size;
    }
    __attribute__((always_inline)) unsigned int meta_group_size() const {
        return (this->parent_threads() + tile_size - 1) / tile_size;
    }
};

namespace detail {
template <class group_type>
inline constexpr bool is_block_tile = false;
template <unsigned int tile_size, class parent_type>
inline constexpr bool is_block_tile<thread_block_tile<tile_size, parent_type>> = (tile_size > 32);

/// The value of the thread whose rank differs in these bits.
template <unsigned int tile_size, class parent_type, class type>
SIMT_INLINE type from_across(const thread_block_tile<tile_size, parent_type>& tile, type value,
                             unsigned int bits) {
    if constexpr (tile_size > 32)
        return tile.shfl(value, tile.thread_rank() ^ bits);
    else
        return tile.shfl_xor(value, bits);
}
/// The value of the thread whose rank is so much lower; its own where there is none.
template <class group_type, class type>
SIMT_INLINE type from_below(const group_type& group, type value, unsigned int distance) {
    if constexpr (is_block_tile<group_type>) {
        const unsigned int rank = group.thread_rank();
        return group.shfl(value, rank < distance ? rank : rank - distance);
    } else {
        return group.shfl_up(value, distance);
    }
}
}  // namespace detail

template <unsigned int tile_size, class group_type>
SIMT_INLINE thread_block_tile<tile_size, group_type> tiled_partition(const group_type&) {
    return {};
}

/// The lanes that have come to one point together; ranks count them upwards.
class coalesced_group : public lane_group {
public:
    __attribute__((always_inline)) explicit coalesced_group(unsigned int mask) : lane_group(mask) {}
    __attribute__((always_inline)) unsigned int num_threads() const {
        return static_cast<unsigned int>(__popc(mask_));
    }
    __attribute__((always_inline)) unsigned int size() const { return num_threads(); }
    __attribute__((always_inline)) unsigned int meta_group_rank() const { return 0; }
    __attribute__((always_inline)) unsigned int meta_group_size() const { return 1; }
    template <class type>
    __attribute__((always_inline)) type shfl(type value, unsigned int rank) const {
        return __shfl_sync(mask_, value, detail::lane_of_rank(mask_, rank % num_threads()));
    }
    /// A source beyond the group's ends is the thread itself.
    template <class type>
    __attribute__((always_inline)) type shfl_up(type value, unsigned int delta) const {
        const unsigned int rank = thread_rank();
        return shfl(value, rank < delta ? rank : rank - delta);
    }
    template <class type>
    __attribute__((always_inline)) type shfl_down(type value, unsigned int delta) const {
        const unsigned int rank = thread_rank();
        return shfl(value, rank + delta >= num_threads() ? rank : rank + delta);
    }
};
SIMT_INLINE coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}
/// The same where the rewriter has said which place of the text it is.
SIMT_INLINE coalesced_group coalesced_threads(unsigned int place) {
    return coalesced_group(__activemask(place));
}

/// Those of the group that say the same label; the others are in groups of their own.
template <class group_type, class label_type>
SIMT_INLINE coalesced_group labeled_partition(const group_type& group, label_type label) {
    return coalesced_group(__match_any_sync(group.simt_mask(), label));
}
template <class group_type>
SIMT_INLINE coalesced_group binary_partition(const group_type& group, bool predicate) {
    return labeled_partition(group, static_cast<int>(predicate));
}

/// Any group within a block.
class thread_group {
public:
    __attribute__((always_inline)) thread_group(const thread_block&) : is_block_(true), mask_(0) {}
    __attribute__((always_inline)) thread_group(const lane_group& lanes)
        : is_block_(false), mask_(lanes.simt_mask()) {}
    __attribute__((always_inline)) void sync() const {
        if (is_block_)
            simt::wait_for_block();
        else
            __syncwarp(mask_);
    }
    __attribute__((always_inline)) unsigned int num_threads() const {
        return is_block_ ? detail::threads_of_block() : static_cast<unsigned int>(__popc(mask_));
    }
    __attribute__((always_inline)) unsigned int size() const { return num_threads(); }
    __attribute__((always_inline)) unsigned int thread_rank() const {
        return is_block_ ? detail::thread_in_block()
                         : static_cast<unsigned int>(__popc(mask_ & detail::lower_lanes()));
    }
    __attribute__((always_inline)) bool simt_is_block() const { return is_block_; }
    __attribute__((always_inline)) unsigned int simt_mask() const { return mask_; }

private:
    bool is_block_;
    unsigned int mask_;  // of lanes
};
/// `size` threads of neighbouring ranks: 1, 2, 4 .. 32 of a block, or of lanes.
SIMT_INLINE thread_group tiled_partition(const thread_group& parent, unsigned int size) {
    const unsigned int lanes = parent.simt_is_block() ? 0xffffffffu : parent.simt_mask();
    const unsigned int rank = parent.simt_is_block() ? detail::lane() : parent.thread_rank();
    unsigned int mask = 0;
    for (unsigned int member = rank / size * size; member < rank / size * size + size; member++) {
        const int lane = detail::lane_of_rank(lanes, member);
        if (lane >= 0) mask |= 1u << lane;
    }
    return coalesced_group(mask);
}
SIMT_INLINE thread_group tiled_partition(const thread_block& parent, unsigned int size) {
    return tiled_partition(thread_group(parent), size);
}
SIMT_INLINE coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
    return coalesced_group(tiled_partition(thread_group(parent), size).simt_mask());
}

template <class group_type>
SIMT_INLINE void sync(const group_type& group) {
    group.sync();
}
template <class group_type>
SIMT_INLINE auto thread_rank(const group_type& group) {
    return group.thread_rank();
}
template <class group_type>
SIMT_INLINE auto group_size(const group_type& group) {
    return group.num_threads();
}

}  // namespace cooperative_groups
