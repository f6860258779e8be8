// Values as bytes, for a process of the same program.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace simt {

using byte_list = std::vector<std::byte>;

/// Appends values to bytes.
class wire_writer {
public:
    template <class T>
    void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        append(&value, sizeof value);
    }
    void put_bytes(std::span<const std::byte> bytes) {
        put(uint64_t(bytes.size()));
        append(bytes.data(), bytes.size());
    }
    const byte_list& bytes() const { return bytes_; }
    byte_list take() { return std::move(bytes_); }

private:
    byte_list bytes_;

    void append(const void* from, size_t count);
};

/// Takes them off again. The bytes may come from a stranger: throws std::out_of_range where there are too few.
class wire_reader {
public:
    explicit wire_reader(std::span<const std::byte> bytes) : left_(bytes) {}

    template <class T>
    T get() {
        static_assert(std::is_trivially_copyable_v<T>);
        std::array<std::byte, sizeof(T)> raw;
        std::memcpy(raw.data(), take(sizeof raw).data(), sizeof raw);
        return std::bit_cast<T>(raw);
    }
    std::span<const std::byte> get_bytes() { return take(get<uint64_t>()); }
    std::string get_text() {
        const std::span<const std::byte> bytes = get_bytes();
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

private:
    std::span<const std::byte> left_;

    std::span<const std::byte> take(uint64_t count);
};

inline std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

}  // namespace simt
