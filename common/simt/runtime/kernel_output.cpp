#include "simt/runtime/kernel_output.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "simt/engine/report.h"

namespace simt {
namespace {

struct kept_output {
    std::mutex mutex;
    std::string text;
    bool shown_at_once = false;
};

kept_output& the_output() {
    static auto* output = new kept_output;  // never destroyed, see allocations.cpp
    return *output;
}

void show(kept_output& output) {
    fwrite(output.text.data(), 1, output.text.size(), stdout);
    output.text.clear();
}

void tell_what_is_lost() {
    const std::string& text = the_output().text;
    if (text.empty()) return;
    constexpr size_t ENOUGH = 60;  // characters
    const std::string line = text.substr(0, std::min(text.find('\n'), ENOUGH));
    const bool is_all = text == line || text == line + "\n";
    complain("lost: what a kernel printed (\"" + line + (is_all ? "\"" : "\", ...") +
             ") and nobody waited for; call cudaDeviceSynchronize() before the program ends");
}

}  // namespace

void keep_kernel_output(std::string text) {
    if (text.empty()) return;
    kept_output& output = the_output();
    const std::lock_guard lock(output.mutex);
    [[maybe_unused]] static const int at_end = std::atexit(tell_what_is_lost);
    show(output);
    output.text = std::move(text);
    if (output.shown_at_once) show(output);
}

void show_kernel_output() {
    kept_output& output = the_output();
    const std::lock_guard lock(output.mutex);
    show(output);
}

void keep_no_kernel_output() {
    kept_output& output = the_output();
    const std::lock_guard lock(output.mutex);
    output.shown_at_once = true;
}

}  // namespace simt
