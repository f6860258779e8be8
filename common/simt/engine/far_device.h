// A device in a process of its own, which the process of the host code cannot address: calls of the runtime that
// need the device go there over a stream, one at a time.
//
// Both are the same program, forked: functions and variables have the same addresses in both. A function of the
// runtime begins with
//     if (device_is_far()) return ask_device<cudaFree>(pointer);
// Parameters travel by their types: `T*` there and back, `const T*` there, void pointers and handles as numbers,
// bytes as spans. What the host sends is a stranger's word: handlers check it as the runtime's calls always do.
#pragma once
#include <mutex>
#include <tuple>
#include <utility>

#include "simt/engine/host_news.h"
#include "simt/engine/wire.h"
#include "simt/include/simt/types.h"

namespace simt {

/// True in a process whose device is another process.
bool device_is_far();

/// From now on this process has no device of its own: calls go through the stream.
void use_far_device(int stream);

/// In the device's process: does what the host asks until one of them closes the stream. False for a host that says
/// what no host says.
bool serve_far_host(int stream);

/// In the device's process, while it does what the host asks: where in the program the host stood, as user_frame()
/// says it; 0 at any other time.
uintptr_t asked_from();

/// A pointer that is a name, not a place to read.
template <class T>
inline constexpr bool is_handle = std::is_void_v<T> || std::is_function_v<T>;
/// A pointer to a place that is written.
template <class P>
inline constexpr bool is_place = std::is_pointer_v<P> && !is_handle<std::remove_pointer_t<P>> &&
                                 !std::is_const_v<std::remove_pointer_t<P>>;

namespace far {

using handler = void (*)(wire_reader&, wire_writer&);
/// What a question does there: changes something; changes nothing; asks for a fact, which lasts until something is
/// changed, and is asked for once until then.
enum class question_kind { change, look, fact };
/// Adds a function to those that the host may ask for; returns its number, the same in both processes.
size_t add_handler(handler what);
/// One question and its answer.
byte_list ask(size_t number, question_kind kind, const byte_list& question);

/// How a parameter travels: by value.
template <class P>
struct passed {
    static_assert(std::is_trivially_copyable_v<P>);
    P value;
    static void send(wire_writer& to, const P& value) { to.put(value); }
    explicit passed(wire_reader& from) : value(from.get<P>()) {}
    P get() { return value; }
    void send_back(wire_writer&) {}
    static void take_back(wire_reader&, const P&) {}
};

template <class T>
requires(!is_handle<std::remove_const_t<T>>) struct passed<T*> {
    using plain = std::remove_const_t<T>;
    bool there;
    plain value{};
    static void send(wire_writer& to, T* pointer) {
        to.put(pointer != nullptr);
        if (pointer) to.put(*pointer);
    }
    explicit passed(wire_reader& from) : there(from.get<bool>()) {
        if (there) value = from.get<plain>();
    }
    T* get() { return there ? &value : nullptr; }
    void send_back(wire_writer& to) {
        if (!std::is_const_v<T> && there) to.put(value);
    }
    static void take_back(wire_reader& from, T* pointer) {
        if constexpr (!std::is_const_v<T>) {
            if (pointer) *pointer = from.get<plain>();
        }
    }
};

/// Text that ends with a zero byte, or none.
template <>
struct passed<const char*> {
    bool there;
    std::string text;
    static void send(wire_writer& to, const char* text) {
        to.put(text != nullptr);
        to.put_bytes(bytes_of(text ? text : ""));
    }
    explicit passed(wire_reader& from) : there(from.get<bool>()), text(from.get_text()) {}
    const char* get() { return there ? text.c_str() : nullptr; }
    void send_back(wire_writer&) {}
    static void take_back(wire_reader&, const char*) {}
};

/// Bytes for the device. They are its own: the host cannot change them any more.
template <>
struct passed<std::span<const std::byte>> {
    std::span<const std::byte> bytes;
    static void send(wire_writer& to, std::span<const std::byte> bytes) { to.put_bytes(bytes); }
    explicit passed(wire_reader& from) : bytes(from.get_bytes()) {}
    std::span<const std::byte> get() { return bytes; }
    void send_back(wire_writer&) {}
    static void take_back(wire_reader&, std::span<const std::byte>) {}
};

/// Room for bytes of the device.
template <>
struct passed<std::span<std::byte>> {
    byte_list bytes;
    static void send(wire_writer& to, std::span<std::byte> room) { to.put(uint64_t(room.size())); }
    explicit passed(wire_reader& from) : bytes(from.get<uint64_t>()) {}
    std::span<std::byte> get() { return bytes; }
    void send_back(wire_writer& to) { to.put_bytes(bytes); }
    static void take_back(wire_reader& from, std::span<std::byte> room) {
        const std::span<const std::byte> bytes = from.get_bytes();
        if (!bytes.empty()) std::memcpy(room.data(), bytes.data(), std::min(room.size(), bytes.size()));
    }
};

template <auto function, question_kind KIND, class signature>
struct question;

template <auto function, question_kind KIND, class result, class... parameters>
struct question<function, KIND, result (*)(parameters...)> {
    static void serve(wire_reader& from, wire_writer& to) {
        if (KIND != question_kind::change) changes_nothing();
        std::tuple<passed<parameters>...> given{passed<parameters>(from)...};
        std::apply(
            [&](auto&... one) {
                if constexpr (std::is_void_v<result>)
                    function(one.get()...);
                else if constexpr (std::is_same_v<result, byte_list>)
                    to.put_bytes(function(one.get()...));
                else
                    to.put(function(one.get()...));
                (one.send_back(to), ...);
            },
            given);
    }
    static inline const size_t number = add_handler(serve);

    /// For a fact a pointer is room for it: what happens to lie there is not asked.
    template <class P>
    static void send(wire_writer& to, const P& argument) {
        if constexpr (KIND == question_kind::fact && is_place<P>) {
            const std::remove_pointer_t<P> blank{};
            passed<decltype(&blank)>::send(to, argument ? &blank : nullptr);
        } else {
            passed<P>::send(to, argument);
        }
    }

    static result ask(parameters... arguments) {
        wire_writer to;
        (send<parameters>(to, arguments), ...);
        const byte_list answer = far::ask(number, KIND, to.bytes());
        wire_reader from(answer);
        if constexpr (std::is_void_v<result>) {
            (passed<parameters>::take_back(from, arguments), ...);
        } else if constexpr (std::is_same_v<result, byte_list>) {
            const std::span<const std::byte> bytes = from.get_bytes();
            (passed<parameters>::take_back(from, arguments), ...);
            return {bytes.begin(), bytes.end()};
        } else {
            const result value = from.get<result>();
            (passed<parameters>::take_back(from, arguments), ...);
            return value;
        }
    }
};

}  // namespace far

/// Calls the function in the device's process and returns what it returns there.
template <auto function, class... types>
auto ask_device(const types&... arguments) {
    return far::question<function, far::question_kind::change, decltype(function)>::ask(arguments...);
}

/// The same of a function that changes nothing there.
template <auto function, class... types>
auto look_at_device(const types&... arguments) {
    return far::question<function, far::question_kind::look, decltype(function)>::ask(arguments...);
}

/// The same for a fact about the device: what this process knows since the last change is not asked for again.
template <auto function, class... types>
auto fact_of_device(const types&... arguments) {
    return far::question<function, far::question_kind::fact, decltype(function)>::ask(arguments...);
}

}  // namespace simt
