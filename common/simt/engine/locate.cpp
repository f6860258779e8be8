// Addresses to source lines, with libdw from the program's own debugging information.
#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>

#include "simt/engine/symbols.h"

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

/// Our own headers: an access or barrier inside them belongs to the line that called them.
bool is_own_header(std::string_view file) {
    return file.find("simt/include/") != std::string_view::npos;
}

int number(Dwarf_Die* die, unsigned int name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(die, name, &attribute)) dwarf_formudata(&attribute, &value);
    return int(value);
}

/// Climbs out of inlined functions of our own headers to the line that called the outermost of them.
void leave_own_headers(Dwfl_Module* module, Dwarf_Addr address, source_location& where) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias);
    Dwarf_Files* files = nullptr;
    size_t file_count = 0;
    if (!unit || dwarf_getsrcfiles(unit, &files, &file_count) != 0) return;
    // The first list leads from the innermost inlined function to where that was declared; the second to
    // where it was inlined.
    Dwarf_Die* innermost = nullptr;
    Dwarf_Die* scopes = nullptr;
    const bool found = dwarf_getscopes(unit, address - bias, &innermost) > 0;
    const int depth = found ? dwarf_getscopes_die(&innermost[0], &scopes) : 0;
    for (int i = 0; i < depth && is_own_header(where.file); i++) {
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
        const char* file = dwarf_filesrc(files, number(&scopes[i], DW_AT_call_file), nullptr, nullptr);
        if (!file) continue;
        where.file = file;
        where.line = number(&scopes[i], DW_AT_call_line);
        where.column = number(&scopes[i], DW_AT_call_column);
    }
    free(innermost);
    free(scopes);
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
    if (is_own_header(where.file)) leave_own_headers(module, address, where);
    return where;
}

}  // namespace

source_location locate(uintptr_t return_address) {
    static std::mutex& mutex = *new std::mutex;  // libdw is not made for several threads
    static auto& known = *new std::map<uintptr_t, source_location>;
    const std::lock_guard lock(mutex);
    static Dwfl* session = open_program();
    const auto found = known.find(return_address);
    if (found != known.end()) return found->second;
    return known[return_address] = look_up(session, return_address);
}

}  // namespace simt
