// Two readings of one file, with __CUDA_ARCH__ and without, become one text.
#include <map>
#include <string>
#include <tuple>

#include "simt/rewrite/functions.h"
#include "simt/rewrite/rewrite.h"
#include "simt/rewrite/source.h"

namespace rewrite {
namespace {

/// A text and the bodies of its functions.
struct reading {
    std::string_view text;
    source file;
    function_table functions;

    explicit reading(std::string_view text) : text(text), file(lex(text)), functions(find_functions(file)) {}

    size_t offset(size_t i) const { return file.tokens[i].text.data() - text.data(); }
    std::string_view body(const function& f) const {
        const size_t begin = offset(f.body);
        return text.substr(begin, offset(file.partner(f.body)) + 1 - begin);
    }
    std::string tokens_of_body(const function& f) const { return file.join(f.body, file.partner(f.body)); }
    bool has_assembly(const function& f) const {
        for (size_t i = f.body; i < file.partner(f.body); i = file.next(i)) {
            if (file.is(i, "asm") || file.is(i, "__asm__") || file.is(i, "__asm")) return true;
        }
        return false;
    }
    /// Makes the compiler count from token i on, whatever stands before.
    std::string marker(size_t i) const {
        const token& t = file.tokens[i];
        const place& where = file.places[t.place];
        return "\n# " + std::to_string(t.line) + " " + std::string(where.quoted) + std::string(where.flags) +
               "\n" + std::string(t.column, ' ');
    }
};

using function_key = std::tuple<std::string, int, int>;  // file, line and column of the name

function_key key_of(const reading& one, const function& f) {
    const token& t = one.file.tokens[f.name_at];
    return {one.file.places[t.place].name, t.line, t.column};
}

}  // namespace

result with_host_bodies(std::string_view device_text, std::string_view host_text) {
    const reading device(device_text);
    reading host(host_text);
    for (size_t i = host.file.first(); i != NONE; i = host.file.next(i)) {
        if (host.file.is(i, "__CUDA_ARCH__"))
            host.file.report(i,
                             "__CUDA_ARCH__ is not defined where nvcc compiles the host's part, kernels "
                             "included: use it in #if and #ifdef");
    }
    if (!host.file.problems.empty()) return {{}, std::move(host.file.problems)};
    std::map<function_key, const function*> of_host;
    for (const function& f : host.functions.functions)
        if (f.body != NONE && f.parameters != NONE) of_host[key_of(host, f)] = &f;

    std::string text;
    size_t done = 0;
    for (const function& f : device.functions.functions) {
        if (f.body == NONE || f.parameters == NONE || device.offset(f.body) < done) continue;
        const auto found = of_host.find(key_of(device, f));
        if (found == of_host.end()) continue;
        const function& other = *found->second;
        if (device.tokens_of_body(f) == host.tokens_of_body(other)) continue;
        // Assembly of a GPU cannot run here: then what stands beside it for older GPUs, or for the host.
        const bool can_run = !device.has_assembly(f) || host.has_assembly(other);
        const bool on_device = f.is_global || f.is_device,
                   on_host = !f.is_global && (f.is_host || !f.is_device);
        if (on_device && !on_host && can_run) continue;
        const std::string_view host_body = host.body(other);
        text += device_text.substr(done, device.offset(f.body) - done);
        if (on_device && can_run) {
            text += "{ if (::simt::in_kernel()) " + device.marker(f.body);
            text += device.body(f);
            text += " else " + host.marker(other.body);
            text += host_body;
            text += " }";
        } else {
            text += host.marker(other.body);
            text += host_body;
        }
        const size_t close = device.file.partner(f.body);
        done = device.offset(close) + 1;
        text += device.marker(close) + " ";
    }
    text += device_text.substr(done);
    return {std::move(text), {}};
}

}  // namespace rewrite
