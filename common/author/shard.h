// The part of the judges' cases, and of the attacks, that one run takes.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

namespace author {

/// One of SHARDS parts, dealt out in turns; or everything.
struct shard {
    static constexpr int SHARDS = 4;
    std::optional<int> number;  // none: everything

    bool has(size_t place) const { return !number || place % SHARDS == size_t(*number); }
};

/// The first, or what the environment asks for: SHARD=2 another one, ALL=1 everything. Throws std::runtime_error if
/// there is no such one.
inline shard wanted_shard() {
    const auto value = [](const char* name) {
        const char* text = std::getenv(name);
        return std::string(text ? text : "");
    };
    if (const std::string all = value("ALL"); !all.empty() && all != "0") return {};
    const std::string number = value("SHARD");
    for (int k = 0; k < shard::SHARDS; k++)
        if (number == std::to_string(k) || (number.empty() && k == 0)) return {k};
    throw std::runtime_error("SHARD=" + number + ": 0 to " + std::to_string(shard::SHARDS - 1) +
                             ", or ALL=1 for everything");
}

}  // namespace author
