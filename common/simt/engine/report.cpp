// Where troubles go: to the observer, or, in a plain build, to stderr, each site once.
#include "simt/engine/report.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <tuple>

#include "simt/engine/runner.h"

namespace simt {

std::string triple(uint3 value) {
    char text[48];
    snprintf(text, sizeof text, "(%u,%u,%u)", value.x, value.y, value.z);
    return text;
}

static uint3 position(uint64_t index, uint3 shape) {
    return {unsigned(index % shape.x), unsigned(index / shape.x % shape.y),
            unsigned(index / shape.x / shape.y)};
}

std::string thread_name(const block_context& context, unsigned thread) {
    const uint3 block = position(context.block, context.launch->grid);
    return "block " + triple(block) + ", thread " + triple(position(thread, context.launch->block));
}

std::string runner::this_thread() const {
    return thread_name(context, running_thread());
}

std::string line_name(uintptr_t site) {
    const source_location where = site ? locate(site) : source_location{};
    if (where.line == 0) return "an unknown line";
    return where.file + ":" + std::to_string(where.line);
}

void complain(const std::string& text) {
    fprintf(stderr, "simt: %s\n", text.c_str());
}

std::string text_of(const trouble& what) {
    if (!what.by_thread) return what.text;
    return what.text + " (" + thread_name(*current_block, running_thread()) + ")";
}

static void print_once(const trouble& what) {
    static std::mutex& mutex = *new std::mutex;
    static auto& seen = *new std::set<std::tuple<std::string, uintptr_t, uintptr_t>>;
    const std::lock_guard lock(mutex);
    if (!seen.insert({what.kind, what.site, what.other_site}).second) return;
    std::string text = line_name(what.site) + ": " + what.kind + ": " + text_of(what);
    if (what.other_site) text += "; the other one: " + line_name(what.other_site);
    complain(text);
}

void report(const trouble& what) {
    on_large_stack([&] {
        if (the_observer) {
            the_observer->found(what);
        } else {
            print_once(what);
        }
    });
}

}  // namespace simt
