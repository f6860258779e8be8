// The program's ELF symbol table, read once: functions, __shared__, __device__ and __constant__ variables.
#include "simt/engine/symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

namespace simt {

namespace {

struct function_symbol {
    uintptr_t begin = 0, end = 0;
    std::string mangled;
};

struct shared_symbol {
    std::string mangled;
    variable what;
};

struct symbol_table {
    uintptr_t offset = 0;
    std::vector<function_symbol> functions;  // by address
    std::vector<shared_symbol> shared;
    std::vector<variable> shared_names;  // the same, for observers
    std::vector<variable> device, constant;
    std::set<std::string> guards;  // as written in the source
    std::map<std::string, size_t>
        steps;  // "blur(float*)::simt_step1_tile": bytes; 0 if two of this name differ
};

bool lies_in(uintptr_t address, const char* begin, const char* end) {
    return address >= reinterpret_cast<uintptr_t>(begin) && address < reinterpret_cast<uintptr_t>(end);
}

/// "blur(float*, int)::tile" -> "tile"
std::string last_name(const std::string& qualified) {
    const size_t colons = qualified.rfind("::");
    return colons == std::string::npos ? qualified : qualified.substr(colons + 2);
}

/// What the launch rewriter puts between variables, so that one's end is not the other's begin.
constexpr const char* GUARD_NAME = "simt_guard_";

/// A function's static variable has a name of the form _ZZ <function> E <name>. The C++ library and others
/// have thread-local ones, too, but only a __shared__ variable has a guard beside it.
bool may_be_shared(std::string_view mangled) {
    return mangled.starts_with("_ZZ");
}

/// And for an array of arrays: one as large as its first element, simt_step1_tile, as that one's first, and so on.
constexpr const char* STEP_NAME = "simt_step";

/// "blur(float*)::tile" -> "blur(float*)::simt_guard_tile"
std::string beside(const std::string& qualified, const std::string& prefix) {
    const std::string name = last_name(qualified);
    return qualified.substr(0, qualified.size() - name.size()) + prefix + name;
}

void add_symbol(symbol_table& table, const Elf64_Sym& symbol, const char* name) {
    const int type = ELF64_ST_TYPE(symbol.st_info);
    if (std::strstr(name, GUARD_NAME)) {
        table.guards.insert(demangle(name));
        return;
    }
    if (symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF) return;
    if (std::strstr(name, STEP_NAME)) {
        const auto [known, is_new] = table.steps.emplace(demangle(name), symbol.st_size);
        if (!is_new && known->second != symbol.st_size) known->second = 0;
        return;
    }
    if (type == STT_TLS && may_be_shared(name)) {
        table.shared.push_back({name, {demangle(name), symbol.st_value, symbol.st_size}});
        return;
    }
    const uintptr_t address = table.offset + symbol.st_value;
    if (type == STT_FUNC) {
        table.functions.push_back({address, address + symbol.st_size, name});
    } else if (type == STT_OBJECT && lies_in(address, __start_simt_const, __stop_simt_const)) {
        table.constant.push_back({demangle(name), address, symbol.st_size});
    } else if (type == STT_OBJECT && (lies_in(address, __start_simt_dev, __stop_simt_dev) ||
                                      lies_in(address, __start_simt_managed, __stop_simt_managed))) {
        table.device.push_back({demangle(name), address, symbol.st_size});
    }
}

void read_sections(symbol_table& table, const char* file) {
    const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file);
    const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const auto* symbols = reinterpret_cast<const Elf64_Sym*>(file + sections[i].sh_offset);
        const char* names = file + sections[sections[i].sh_link].sh_offset;
        const size_t count = sections[i].sh_size / sizeof(Elf64_Sym);
        for (size_t k = 0; k < count; k++) {
            add_symbol(table, symbols[k], names + symbols[k].st_name);
        }
    }
}

/// Its steps, now that all symbols are known, and its own name of the qualified one.
void finish(variable& what, const symbol_table& table) {
    for (size_t k = 1;; k++) {
        const auto step = table.steps.find(beside(what.name, STEP_NAME + std::to_string(k) + "_"));
        if (step == table.steps.end() || step->second == 0) break;
        what.steps.push_back(step->second);
    }
    what.name = last_name(what.name);
}

template <class type>
void sort_by_address(std::vector<type>& list) {
    std::sort(list.begin(), list.end(), [](const type& a, const type& b) { return a.begin < b.begin; });
}

symbol_table read_symbols() {
    symbol_table table;
    table.offset = load_offset();
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status = {};
    if (file < 0 || fstat(file, &status) != 0) return table;  // names are a comfort: do without them
    void* bytes = mmap(nullptr, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED) return table;
    read_sections(table, static_cast<const char*>(bytes));
    munmap(bytes, status.st_size);

    std::erase_if(table.shared, [&](const shared_symbol& symbol) {
        return !table.guards.contains(beside(symbol.what.name, GUARD_NAME));
    });
    for (auto* list : {&table.device, &table.constant})
        for (variable& one : *list)
            finish(one, table);
    for (shared_symbol& one : table.shared)
        finish(one.what, table);
    sort_by_address(table.functions);
    sort_by_address(table.device);
    sort_by_address(table.constant);
    std::sort(table.shared.begin(), table.shared.end(),
              [](const shared_symbol& a, const shared_symbol& b) { return a.what.begin < b.what.begin; });
    for (const shared_symbol& symbol : table.shared) {
        table.shared_names.push_back(symbol.what);
    }
    return table;
}

const symbol_table& symbols() {
    // Never destroyed: used until the very end.
    static const symbol_table& table = *new symbol_table(read_symbols());
    return table;
}

const function_symbol* function_at(uintptr_t address) {
    const auto& functions = symbols().functions;
    const auto after =
        std::upper_bound(functions.begin(), functions.end(), address,
                         [](uintptr_t value, const function_symbol& f) { return value < f.begin; });
    if (after == functions.begin()) return nullptr;
    const function_symbol& found = *std::prev(after);
    return address < found.end ? &found : nullptr;
}

const variable* variable_at(const std::vector<variable>& sorted, uintptr_t address) {
    const auto after = std::upper_bound(sorted.begin(), sorted.end(), address,
                                        [](uintptr_t value, const variable& v) { return value < v.begin; });
    if (after == sorted.begin()) return nullptr;
    const variable& found = *std::prev(after);
    return address - found.begin < found.bytes ? &found : nullptr;
}

const variable* variable_near(const std::vector<variable>& sorted, uintptr_t address) {
    if (sorted.empty()) return nullptr;
    const auto distance = [&](const variable& v) {
        return address < v.begin ? v.begin - address : address - std::min(address, v.begin + v.bytes - 1);
    };
    return &*std::min_element(sorted.begin(), sorted.end(), [&](const variable& a, const variable& b) {
        return distance(a) < distance(b);
    });
}

/// What the names of a function's static variables begin with; empty for a null or unknown function.
std::string statics_prefix(const void* kernel) {
    const function_symbol* function = kernel ? function_at(reinterpret_cast<uintptr_t>(kernel)) : nullptr;
    if (!function) return "";
    if (function->mangled.starts_with("_Z")) return "_ZZ" + function->mangled.substr(2) + "E";
    return "_ZZ" + std::to_string(function->mangled.size()) + function->mangled + "E";  // extern "C"
}

/// "void blur<3>(float*, int)" -> "blur<3>": without a template's return type and the parameters.
std::string without_parameters(const std::string& name) {
    int depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i < name.size(); i++) {
        const char c = name[i];
        if (c == '<') depth++;
        if (c == '>') depth--;
        if (c == ' ' && depth == 0) begin = i + 1;
        if (c == '(' && depth == 0 && !name.compare(i, 21, "(anonymous namespace)")) {
            i += 20;
        } else if (c == '(' && depth == 0) {
            return name.substr(begin, i - begin);
        }
    }
    return name.substr(begin);
}

}  // namespace

std::string demangle(const char* mangled) {
    // A variable of C may have a name that would be a type's here: f is float.
    if (std::strncmp(mangled, "_Z", 2) != 0) return mangled;
    int status = 0;
    char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    std::string result = status == 0 ? text : mangled;
    free(text);
    return result;
}

std::string_view mangled_name(const void* address) {
    const function_symbol* function = address ? function_at(reinterpret_cast<uintptr_t>(address)) : nullptr;
    return function ? std::string_view(function->mangled) : std::string_view();
}

uintptr_t function_begin(uintptr_t address) {
    const function_symbol* function = function_at(address);
    return function ? function->begin : 0;
}

std::span<const uint8_t> code_of_function(uintptr_t begin) {
    const function_symbol* function = function_at(begin);
    if (!function || function->begin != begin) return {};
    return {reinterpret_cast<const uint8_t*>(begin), function->end - begin};
}

std::string function_name(const void* address) {
    const std::string_view mangled = mangled_name(address);
    return mangled.empty() ? "" : without_parameters(demangle(mangled.data()));
}

uintptr_t load_offset() {
    uintptr_t offset = 0;
    const auto first_is_program = [](dl_phdr_info* info, size_t, void* result) {
        *static_cast<uintptr_t*>(result) = info->dlpi_addr;
        return 1;
    };
    dl_iterate_phdr(first_is_program, &offset);
    return offset;
}

static_image thread_statics() {
    static_image image;
    const auto first_is_program = [](dl_phdr_info* info, size_t, void* result) {
        auto& image = *static_cast<static_image*>(result);
        image.begin = reinterpret_cast<uintptr_t>(info->dlpi_tls_data);
        for (int i = 0; i < info->dlpi_phnum; i++) {
            if (info->dlpi_phdr[i].p_type == PT_TLS) image.end = image.begin + info->dlpi_phdr[i].p_memsz;
        }
        return 1;
    };
    dl_iterate_phdr(first_is_program, &image);
    return image;
}

const std::vector<variable>& shared_variables() {
    return symbols().shared_names;
}
const variable* device_variable_at(uintptr_t address) {
    return variable_at(symbols().device, address);
}
const variable* constant_variable_at(uintptr_t address) {
    return variable_at(symbols().constant, address);
}

const variable* device_variable_near(uintptr_t address) {
    const bool is_variable = lies_in(address, __start_simt_dev, __stop_simt_dev) ||
                             lies_in(address, __start_simt_managed, __stop_simt_managed);
    return is_variable ? variable_near(symbols().device, address) : nullptr;
}
const variable* constant_variable_near(uintptr_t address) {
    const bool is_variable = lies_in(address, __start_simt_const, __stop_simt_const);
    return is_variable ? variable_near(symbols().constant, address) : nullptr;
}

size_t static_shared_bytes(const void* kernel) {
    const std::string prefix = statics_prefix(kernel);
    size_t bytes = 0;
    if (prefix.empty()) return bytes;
    for (const shared_symbol& symbol : symbols().shared) {
        if (symbol.mangled.starts_with(prefix)) bytes += symbol.what.bytes;
    }
    return bytes;
}

std::vector<variable> shared_variables_of(const void* kernel) {
    static std::mutex& mutex = *new std::mutex;
    static std::set<std::string>& launched = *new std::set<std::string>;  // prefixes of kernels seen so far
    const std::lock_guard lock(mutex);
    const std::string own = statics_prefix(kernel);
    if (!own.empty()) launched.insert(own);
    std::vector<variable> result;
    for (const shared_symbol& symbol : symbols().shared) {
        const auto belongs_to = [&](const std::string& prefix) { return symbol.mangled.starts_with(prefix); };
        const bool is_own = !own.empty() && belongs_to(own);
        if (is_own || std::none_of(launched.begin(), launched.end(), belongs_to))
            result.push_back(symbol.what);
    }
    return result;
}

}  // namespace simt
