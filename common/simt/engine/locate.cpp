// Addresses to source lines, with libdw from the program's own debugging information.
#include "simt/engine/symbols.h"

#ifndef NO_LIBDW

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>

namespace simt {

namespace {

Dwfl* open_program() {
    static char* no_path = nullptr;
    static const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                             dwfl_offline_section_address, &no_path};
    Dwfl* session = dwfl_begin(&callbacks);
    if (!session) return nullptr;
    dwfl_report_begin(session);
    dwfl_report_elf(session, "program", "/proc/self/exe", -1, load_offset(), false);
    dwfl_report_end(session, nullptr, nullptr);
    return session;
}

/// Our own headers, those of labs too: an access, barrier or copy inside them belongs to the line that called them.
bool is_own_header(std::string_view file) {
    return file.find("simt/include/") != std::string_view::npos ||
           file.find("common/lab/") != std::string_view::npos;
}

int number(Dwarf_Die* die, unsigned int name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(die, name, &attribute)) dwarf_formudata(&attribute, &value);
    return int(value);
}

/// The scopes that an instruction is in, from the inside out: functions that were inlined, each in the one
/// that calls it.
class scope_list {
public:
    scope_list(Dwfl_Module* module, Dwarf_Addr address) {
        Dwarf_Addr bias = 0;
        unit = dwfl_module_addrdie(module, address, &bias);
        if (!unit) return;
        // The first list leads from the innermost inlined function to where that was declared; the second
        // to where it was inlined.
        Dwarf_Die* innermost = nullptr;
        if (dwarf_getscopes(unit, address - bias, &innermost) > 0)
            count = dwarf_getscopes_die(&innermost[0], &scopes);
        free(innermost);
    }
    ~scope_list() { free(scopes); }
    scope_list(const scope_list&) = delete;
    scope_list& operator=(const scope_list&) = delete;

    Dwarf_Die* begin() { return scopes; }
    Dwarf_Die* end() { return scopes + std::max(count, 0); }
    Dwarf_Die* unit = nullptr;

private:
    Dwarf_Die* scopes = nullptr;
    int count = 0;
};

/// A function that nobody wrote: the compiler's copy of an aggregate, which has the line of the type.
bool is_made_by_compiler(Dwarf_Die* function) {
    Dwarf_Attribute attribute;
    bool is_artificial = false;
    if (!dwarf_attr_integrate(function, DW_AT_artificial, &attribute) ||
        dwarf_formflag(&attribute, &is_artificial) != 0 || !is_artificial)
        return false;
    const char* name = dwarf_formstring(dwarf_attr_integrate(function, DW_AT_name, &attribute));
    const std::string_view words = name ? name : "";
    return words != "operator()" && words != "_FUN";  // of lambdas
}

/// Climbs out of inlined functions of our own headers, and of the compiler, to the line that called the
/// outermost of them.
void leave_own_code(Dwfl_Module* module, Dwarf_Addr address, source_location& where) {
    scope_list scopes(module, address);
    Dwarf_Files* files = nullptr;
    size_t file_count = 0;
    if (!scopes.unit || dwarf_getsrcfiles(scopes.unit, &files, &file_count) != 0) return;
    for (Dwarf_Die& scope : scopes) {
        if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine) continue;
        if (!is_own_header(where.file) && !is_made_by_compiler(&scope)) break;
        const char* file = dwarf_filesrc(files, number(&scope, DW_AT_call_file), nullptr, nullptr);
        if (!file) continue;
        where.file = file;
        where.line = number(&scope, DW_AT_call_line);
        where.column = number(&scope, DW_AT_call_column);
    }
}

source_location look_up(Dwfl* session, uintptr_t return_address) {
    source_location where;
    // The call itself, which may be the last instruction of its line.
    const Dwarf_Addr address = return_address - 1;
    where.function = function_name(reinterpret_cast<const void*>(address));
    Dwfl_Module* module = session ? dwfl_addrmodule(session, address) : nullptr;
    Dwfl_Line* line = module ? dwfl_module_getsrc(module, address) : nullptr;
    const char* file =
        line ? dwfl_lineinfo(line, nullptr, &where.line, &where.column, nullptr, nullptr) : nullptr;
    if (!file) return where;
    where.file = file;
    leave_own_code(module, address, where);
    return where;
}

/// The type of a variable, member or array element without names and qualifiers.
bool type_of(Dwarf_Die* what, Dwarf_Die* type) {
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(what, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type) &&
           dwarf_peel_type(type, type) == 0;
}

bool is_struct(Dwarf_Die* type) {
    const int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/// Calls what(part, type of the part) for every member and base of a struct.
template <class function>
void for_each_part(Dwarf_Die* type, function what) {
    Dwarf_Die part, part_type;
    for (int end = dwarf_child(type, &part); end == 0; end = dwarf_siblingof(&part, &part)) {
        const bool is_part = dwarf_tag(&part) == DW_TAG_member || dwarf_tag(&part) == DW_TAG_inheritance;
        if (is_part && !dwarf_hasattr(&part, DW_AT_external) && type_of(&part, &part_type))
            what(&part, &part_type);
    }
}

size_t size_of(Dwarf_Die* type) {
    Dwarf_Word bytes = 0;
    return dwarf_aggregate_size(type, &bytes) == 0 ? bytes : 1;
}

/// Bytes of an object up to the end of its last member.
size_t used_bytes(Dwarf_Die* type) {
    if (!is_struct(type)) return size_of(type);
    size_t used = 0;
    for_each_part(type, [&](Dwarf_Die* part, Dwarf_Die* part_type) {
        const bool is_bit_field = dwarf_hasattr(part, DW_AT_bit_size);
        used =
            std::max(used, is_bit_field ? size_of(type)
                                        : number(part, DW_AT_data_member_location) + used_bytes(part_type));
    });
    return used;
}

size_t alignment_of(Dwarf_Die* type) {
    if (dwarf_tag(type) == DW_TAG_array_type) {
        Dwarf_Die element;
        return type_of(type, &element) ? alignment_of(&element) : 1;
    }
    if (!is_struct(type)) return std::max(dwarf_bytesize(type), 1);
    size_t alignment = std::max(number(type, DW_AT_alignment), 1);
    for_each_part(type, [&](Dwarf_Die* part, Dwarf_Die* part_type) {
        const size_t own = std::max(number(part, DW_AT_alignment), 1);
        alignment = std::max({alignment, own, alignment_of(part_type)});
    });
    const bool is_packed = dwarf_bytesize(type) % alignment != 0;
    return is_packed ? 1 : alignment;
}

copied_type look_up_type(Dwfl* session, uintptr_t return_address) {
    const Dwarf_Addr address = return_address - 1;
    Dwfl_Module* module = session ? dwfl_addrmodule(session, address) : nullptr;
    if (!module) return {};
    for (Dwarf_Die& scope : scope_list(module, address)) {
        const int tag = dwarf_tag(&scope);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
        Dwarf_Die first, pointer, type;
        // The first parameter is `this`.
        const bool is_copy = is_made_by_compiler(&scope) && dwarf_child(&scope, &first) == 0 &&
                             dwarf_tag(&first) == DW_TAG_formal_parameter && type_of(&first, &pointer) &&
                             type_of(&pointer, &type);
        if (!is_copy) return {};
        const size_t alignment = alignment_of(&type);
        const bool is_declared = size_t(number(&type, DW_AT_alignment)) == alignment;
        const size_t bytes = size_of(&type);
        return {alignment, is_declared, bytes, is_declared ? bytes : used_bytes(&type)};
    }
    return {};
}

/// The program's debugging information; libdw is not made for several threads, so one at a time may ask.
class program_information {
public:
    program_information() : lock(mutex) {
        static Dwfl* const opened = open_program();
        session = opened;
    }
    Dwfl* session;

private:
    static inline std::mutex& mutex = *new std::mutex;
    const std::lock_guard<std::mutex> lock;
};

}  // namespace

source_location locate(uintptr_t return_address) {
    const program_information program;
    static auto& known = *new std::map<uintptr_t, source_location>;
    const auto found = known.find(return_address);
    if (found != known.end()) return found->second;
    return known[return_address] = look_up(program.session, return_address);
}

copied_type type_of_copy(uintptr_t return_address) {
    const program_information program;
    static auto& known = *new std::map<uintptr_t, copied_type>;
    const auto [place, is_new] = known.try_emplace(return_address);
    if (is_new) place->second = look_up_type(program.session, return_address);
    return place->second;
}

}  // namespace simt

#else

namespace simt {

source_location locate(uintptr_t return_address) {
    source_location where;
    where.function = function_name(reinterpret_cast<const void*>(return_address - 1));
    return where;
}

copied_type type_of_copy(uintptr_t) {
    return {};
}

}  // namespace simt

#endif
