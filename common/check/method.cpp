// The methods of the lab that this judge was built for, in order of definition.
#include "check/method.h"

namespace check {

namespace {

// Functions with a static inside: methods are defined at namespace scope, before main() and in any order of
// files.
std::vector<const method_1d*>& list_1d() {
    static std::vector<const method_1d*> methods;
    return methods;
}

std::vector<const method_2d*>& list_2d() {
    static std::vector<const method_2d*> methods;
    return methods;
}

}  // namespace

method_1d::method_1d(std::string name, run_function run) : name(std::move(name)), run(std::move(run)) {
    list_1d().push_back(this);
}

method_2d::method_2d(std::string name, run_function run, int channels)
    : name(std::move(name)), run(std::move(run)), channels(channels) {
    list_2d().push_back(this);
}

method_1d method_1d::unlisted(std::string name, run_function run) {
    method_1d made;
    made.name = std::move(name);
    made.run = std::move(run);
    return made;
}

method_2d method_2d::unlisted(std::string name, run_function run, int channels) {
    method_2d made;
    made.name = std::move(name);
    made.run = std::move(run);
    made.channels = channels;
    return made;
}

const std::vector<const method_1d*>& methods_1d() {
    return list_1d();
}
const std::vector<const method_2d*>& methods_2d() {
    return list_2d();
}

}  // namespace check
