// Random numbers, the same everywhere.
#pragma once
#include <cstdint>
#include <initializer_list>

namespace fuzz {

class random_numbers {
public:
    explicit random_numbers(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15u + 0x1234567) {}
    uint32_t next() {  // splitmix64
        state += 0x9E3779B97F4A7C15u;
        uint64_t z = state;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return static_cast<uint32_t>((z ^ z >> 31) >> 32);
    }
    int below(int limit) { return static_cast<int>(next() % static_cast<uint32_t>(limit)); }
    bool chance(int percent) { return below(100) < percent; }
    template <class type>
    type one_of(std::initializer_list<type> list) {
        return list.begin()[below(static_cast<int>(list.size()))];
    }

private:
    uint64_t state;
};

}  // namespace fuzz
