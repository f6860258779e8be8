// The functions that the lab offers, by name.
#include "worker/offer.h"

#include <map>
#include <sstream>
#include <stdexcept>

namespace worker {
namespace {

/// A function's static: offers arrive from constructors of
/// other files, before any static of this one may exist.
std::map<std::string, offered_function>& offered() {
    static std::map<std::string, offered_function> functions;
    return functions;
}

/// "out, in, width" as three names.
std::vector<std::string> split_names(const char* text) {
    std::vector<std::string> names;
    std::istringstream list(text);
    for (std::string name; std::getline(list >> std::ws, name, ',');)
        names.push_back(name);
    return names;
}

}  // namespace

bool offer(const char* name, const char* parameters, size_t parameter_count,
           std::function<void(std::span<const raw_argument>)> invoke) {
    const auto checked = [=](std::span<const raw_argument> arguments) {
        if (arguments.size() != parameter_count)
            throw std::invalid_argument(std::to_string(arguments.size()) + " arguments for " +
                                        std::to_string(parameter_count) + " parameters");
        invoke(arguments);
    };
    offered()[name] = {name, split_names(parameters), checked};
    return true;
}

const offered_function* find_offered(const std::string& name) {
    const auto found = offered().find(name);
    return found == offered().end() ? nullptr : &found->second;
}

}  // namespace worker
