// Gives LAB_EXPORT its meaning in a worker: the function can be called by name with bytes for arguments.
// Included before the contract's header (g++ -include worker/offer.h -include labs/NN_name/NAME.h glue.cpp).
#pragma once
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "call/channel.h"

namespace worker {

/// One argument as it arrived. An input or output is an array of `size` bytes, a scalar its `size` bytes.
struct raw_argument {
    channel::argument_kind kind{};
    void* data = nullptr;
    size_t size = 0;
};

/// A function of the lab. `invoke` throws std::invalid_argument if the arguments are not its parameters.
struct offered_function {
    std::string name;
    std::vector<std::string> parameters;  // names, as the contract's LAB_EXPORT line gives them
    std::function<void(std::span<const raw_argument>)> invoke;
};

/// Adds a function to those that can be called; returns true, so that a static variable can do it.
bool offer(const char* name, const char* parameters, size_t parameter_count,
           std::function<void(std::span<const raw_argument>)> invoke);
/// Null if the lab offers nothing of this name.
const offered_function* find_offered(const std::string& name);

template <class T>
struct is_span : std::false_type {};
template <class T>
struct is_span<std::span<T>> : std::true_type {};

/// The parameter of type P that these bytes stand for.
template <class P>
P unpack(const raw_argument& argument) {
    if constexpr (is_span<P>::value) {
        using element = typename P::element_type;
        static_assert(std::is_trivially_copyable_v<element>, "a contract passes spans of plain data");
        const auto expected =
            std::is_const_v<element> ? channel::argument_kind::input : channel::argument_kind::output;
        if (argument.kind != expected || argument.size % sizeof(element) != 0)
            throw std::invalid_argument("the bytes of a span do not fit its type");
        return P(static_cast<element*>(argument.data), argument.size / sizeof(element));
    } else {
        static_assert(std::is_trivially_copyable_v<P>,
                      "a contract passes spans, numbers and enums, all by value");
        if (argument.kind != channel::argument_kind::scalar || argument.size != sizeof(P))
            throw std::invalid_argument("the bytes of a number do not fit its type");
        P value;
        std::memcpy(&value, argument.data, sizeof value);
        return value;
    }
}

template <class... P, size_t... INDEX>
void call_unpacked(void (*function)(P...), std::span<const raw_argument> arguments,
                   std::index_sequence<INDEX...>) {
    function(unpack<P>(arguments[INDEX])...);
}

template <class... P>
bool offer_function(const char* name, const char* parameters, void (*function)(P...)) {
    return offer(name, parameters, sizeof...(P), [function](std::span<const raw_argument> arguments) {
        call_unpacked(function, arguments, std::index_sequence_for<P...>());
    });
}

}  // namespace worker

#define LAB_EXPORT(function, ...) \
    static const bool function##_is_offered = ::worker::offer_function(#function, #__VA_ARGS__, &function)
