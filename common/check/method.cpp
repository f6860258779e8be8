// The methods of the lab that this judge was built for, in order of definition.
#include "check/method.h"

#include <algorithm>
#include <chrono>

namespace check {

namespace {

// Functions with a static inside: methods are defined at
// namespace scope, before main() and in any order of files.
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

method_2d::method_2d(std::string name, run_function run, int channels, pose_function pose)
    : name(std::move(name)), run(std::move(run)), channels(channels), pose(pose) {
    list_2d().push_back(this);
}

method_1d method_1d::unlisted(std::string name, run_function run, int block) {
    method_1d made;
    made.block = block;
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

std::string device_of(const std::string& method, worker_process& worker) {
    return method == SERIAL ? "serial loop on the CPU" : worker.device();
}

namespace {

/// Answers as a worker would.
template <class problem>
call_result run_serially(std::span<float> out, const problem& p) {
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<float> values = serial_values(p);
    const auto end = std::chrono::steady_clock::now();
    std::copy(values.begin(), values.end(), out.begin());
    call_result result;
    result.how = call_end::returned;
    result.call_ms = std::chrono::duration<double, std::milli>(end - begin).count();
    result.kernel_ms = {result.call_ms};
    return result;
}

const method_1d* serial_1d() {
    static const method_1d serial =
        method_1d::unlisted(SERIAL, [](auto&, auto&, auto out, auto& p) { return run_serially(out, p); });
    return &serial;
}

const method_2d* serial_2d() {
    static const method_2d serial =
        method_2d::unlisted(SERIAL, [](auto&, auto&, auto out, auto& p) { return run_serially(out, p); });
    return &serial;
}

/// The lab's methods whose names are in `unknown`, which loses them; or everything.
template <class method>
std::vector<const method*> take_named(const std::vector<const method*>& listed,
                                      std::vector<std::string>& unknown, bool everything) {
    std::vector<const method*> chosen;
    for (const method* m : listed) {
        if (everything || std::erase(unknown, m->name) > 0) chosen.push_back(m);
    }
    return chosen;
}

}  // namespace

std::string method_names() {
    std::string names = SERIAL;
    for (const method_1d* m : methods_1d())
        names += ", " + m->name;
    for (const method_2d* m : methods_2d())
        names += ", " + m->name;
    return names;
}

chosen_methods choose_methods(const std::vector<std::string>& names, bool serial_is_usual) {
    std::vector<std::string> wanted = names;
    chosen_methods chosen;
    chosen.by_name = !wanted.empty();
    const bool serial = chosen.by_name ? std::erase(wanted, SERIAL) > 0 : serial_is_usual;
    chosen.rows = take_named(methods_1d(), wanted, !chosen.by_name);
    chosen.images = take_named(methods_2d(), wanted, !chosen.by_name);
    if (serial && !methods_1d().empty()) chosen.rows.insert(chosen.rows.begin(), serial_1d());
    if (serial && !methods_2d().empty()) chosen.images.insert(chosen.images.begin(), serial_2d());
    if (!wanted.empty()) chosen.unknown = wanted.front();
    return chosen;
}

}  // namespace check
