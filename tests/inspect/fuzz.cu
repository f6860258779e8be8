// Random programs against an oracle: does the inspector see a race exactly where two threads conflict?
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "expect.h"

constexpr int BYTES = 256;  // of the memory that the threads fight for

struct operation {
    enum { nothing, read, write, atomic } kind;
    int address, size;
};

struct program {
    int blocks, threads, phases, steps;
    bool in_shared_memory, has_warp_barriers;
    std::vector<operation> operations;  // [block][phase][thread][step]
    const operation* at(int block, int phase, int thread) const {
        return &operations[((block * phases + phase) * threads + thread) * steps];
    }
};

__device__ void execute(const operation& what, unsigned char* memory, int& sum) {
    unsigned char* place = memory + what.address;
    if (what.kind == operation::read) {
        sum += what.size == 4   ? *reinterpret_cast<int*>(place)
               : what.size == 2 ? *reinterpret_cast<short*>(place)
                                : *place;
    } else if (what.kind == operation::write) {
        if (what.size == 4) *reinterpret_cast<int*>(place) = sum + threadIdx.x;
        if (what.size == 2) *reinterpret_cast<short*>(place) = short(sum + threadIdx.x);
        if (what.size == 1) *place = static_cast<unsigned char>(sum + threadIdx.x);
    } else if (what.kind == operation::atomic) {
        atomicAdd(reinterpret_cast<int*>(place), 1);
    }
}

__global__ void run_program(const operation* operations, int phases, int steps, unsigned char* memory,
                            bool warp_barrier, int* sums) {
    __shared__ __align__(16) unsigned char s_memory[BYTES];
    for (int i = threadIdx.x; i < BYTES; i += blockDim.x)
        s_memory[i] = 0;
    __syncthreads();
    unsigned char* target = memory ? memory : s_memory;
    int sum = 0;
    for (int phase = 0; phase < phases; phase++) {
        const operation* mine =
            operations + ((blockIdx.x * phases + phase) * blockDim.x + threadIdx.x) * steps;
        for (int step = 0; step < steps; step++)
            execute(mine[step], target, sum);
        if (warp_barrier) {
            __syncwarp();
        } else {
            __syncthreads();
        }
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

program random_program(std::mt19937& random, bool several_blocks) {
    const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
    program made;
    made.blocks = several_blocks ? 2 + below(5) : 1;
    made.threads = 2 + below(several_blocks ? 20 : 70);
    made.phases = 1 + below(3);
    made.steps = 1 + below(3);
    made.in_shared_memory = !several_blocks && below(2) == 0;
    made.has_warp_barriers = below(3) == 0;
    const bool has_bytes = below(2) == 0;
    const int density = 1 + below(several_blocks ? 30 : 100);  // percent of the steps that do something
    const int reads = below(11);                               // tenths
    made.operations.resize(made.blocks * made.phases * made.threads * made.steps);
    for (size_t i = 0; i < made.operations.size(); i++) {
        operation& one = made.operations[i];
        one = {operation::nothing, 0, has_bytes ? 1 << below(3) : 4};
        if (below(100) >= density) continue;
        one.kind = below(10) < reads ? operation::read : below(4) < 3 ? operation::write : operation::atomic;
        if (one.kind == operation::atomic) one.size = 4;
        one.address = below(BYTES) / one.size * one.size;
        const int thread = i / made.steps % made.threads;
        if (one.kind == operation::write && below(3) > 0)
            one.address = thread * 4 % BYTES;  // mostly one's own word
    }
    return made;
}

/// Who did what to a byte.
struct accesses {
    std::set<int> of[4];
};

/// True if two different parties touched a byte, one of them with a write,
/// or one with an atomic and one plainly.
bool conflicts(const accesses& byte) {
    const auto differ = [](const std::set<int>& a, const std::set<int>& b) {
        return !a.empty() && !b.empty() && (a.size() > 1 || b.size() > 1 || *a.begin() != *b.begin());
    };
    const auto& [none, reads, writes, atomics] = byte.of;
    return writes.size() > 1 || differ(writes, reads) || differ(writes, atomics) || differ(atomics, reads);
}

bool any_conflict(const std::map<int, accesses>& bytes) {
    for (const auto& [address, byte] : bytes) {
        if (conflicts(byte)) return true;
    }
    return false;
}

void add(std::map<int, accesses>& bytes, const operation* steps, int count, int who) {
    for (int step = 0; step < count; step++) {
        for (int i = 0; i < steps[step].size && steps[step].kind != operation::nothing; i++) {
            bytes[steps[step].address + i].of[steps[step].kind].insert(who);
        }
    }
}

bool races_within_a_block(const program& it) {
    for (int block = 0; block < it.blocks; block++) {
        // Block barriers: one phase at a time. Warp barriers:
        // threads of one warp within a phase, of two warps in all.
        for (int phase = 0; phase < it.phases; phase++) {
            std::map<int, std::map<int, accesses>> by_warp;
            for (int thread = 0; thread < it.threads; thread++) {
                const int warp = it.has_warp_barriers ? thread / 32 : 0;
                add(by_warp[warp], it.at(block, phase, thread), it.steps, thread);
            }
            for (const auto& [warp, bytes] : by_warp) {
                if (any_conflict(bytes)) return true;
            }
        }
        std::map<int, accesses> of_warps;
        for (int i = 0; it.has_warp_barriers && i < it.phases * it.threads; i++) {
            add(of_warps, it.at(block, i / it.threads, i % it.threads), it.steps, i % it.threads / 32);
        }
        if (any_conflict(of_warps)) return true;
    }
    return false;
}

bool races_between_blocks(const program& it) {
    std::map<int, accesses> of_blocks;
    for (int block = 0; block < it.blocks; block++) {
        for (int i = 0; i < it.phases * it.threads; i++) {
            add(of_blocks, it.at(block, i / it.threads, i % it.threads), it.steps, block);
        }
    }
    return any_conflict(of_blocks);
}

bool inspector_finds_race(const program& it) {
    const inspect::report seen = inspected([&] {
        operation* operations = device<operation>(it.operations.size());
        cudaMemcpy(operations, it.operations.data(), it.operations.size() * sizeof(operation),
                   cudaMemcpyHostToDevice);
        unsigned char* memory = it.in_shared_memory ? nullptr : device<unsigned char>(BYTES);
        int* sums = device<int>(it.blocks * it.threads);
        run_program<<<it.blocks, it.threads>>>(operations, it.phases, it.steps, memory, it.has_warp_barriers,
                                               sums);
        cudaFree(operations);
        cudaFree(memory);
        cudaFree(sums);
    });
    bool has_race = false;
    for (const inspect::finding& one : seen.findings) {
        const bool is_race = one.kind == "race" || one.kind == "benign-race";
        has_race |= is_race;
        expect(is_race, "races only, got" + describe(seen));
    }
    return has_race;
}

/// Every second program has several blocks.
void compare_with_oracle(int programs, unsigned seed) {
    std::mt19937 random(seed);
    int racing = 0;
    for (int i = 0; i < programs && failures < 10; i++) {
        const program it = random_program(random, i % 2 == 1);
        const bool races = races_within_a_block(it) || races_between_blocks(it);
        const bool found = inspector_finds_race(it);
        racing += races;
        expect(found == races, "program " + std::to_string(i) + (races ? " to race" : " not to race"));
    }
    expect(racing > programs / 5 && racing < programs * 4 / 5,
           "racing and right programs in like numbers, got " + std::to_string(racing) + " racing ones");
}

int main(int count, char** arguments) {
    inspect::begin();
    run_case([&] {
        compare_with_oracle(count > 1 ? atoi(arguments[1]) : 3000, count > 2 ? atoi(arguments[2]) : 1);
    });
    return finish();
}
