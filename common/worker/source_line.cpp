// Reads the worker's own debug information with libdw.
#include "worker/source_line.h"

#ifndef NO_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace worker {
namespace {

/// Not for debug files elsewhere: a search may go to the network.
int find_no_debug_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word,
                       char**) {
    return -1;
}

Dwfl* open_own_debug_information() {
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_linux_proc_find_elf,
        .find_debuginfo = find_no_debug_file,
        .section_address = nullptr,
        .debuginfo_path = nullptr,
    };
    Dwfl* session = dwfl_begin(&callbacks);
    if (session == nullptr) return nullptr;
    dwfl_report_begin(session);
    dwfl_linux_proc_report(session, getpid());
    dwfl_report_end(session, nullptr, nullptr);
    return session;
}

Dwfl* own_debug_information() {
    static Dwfl* session = open_own_debug_information();
    return session;
}

bool is_student_file(const char* file) {
    if (std::strncmp(file, "/usr/", 5) == 0) return false;
    constexpr const char* OURS[] = {"common/worker/", "common/lab/", "common/simt/", "common/inspect/",
                                    "common/call/"};
    for (const char* ours : OURS) {
        if (std::strstr(file, ours) != nullptr) return false;
    }
    return true;
}

bool write_place(const char* file, int line, char* place, size_t place_bytes) {
    if (file == nullptr || line <= 0 || !is_student_file(file)) return false;
    const char* slash = std::strrchr(file, '/');
    std::snprintf(place, place_bytes, "%s:%d", slash == nullptr ? file : slash + 1, line);
    return true;
}

/// The line of the instruction itself.
bool find_line(Dwfl_Module* module, Dwarf_Addr address, char* place, size_t place_bytes) {
    Dwfl_Line* found = dwfl_module_getsrc(module, address);
    if (found == nullptr) return false;
    int line = 0;
    const char* file = dwfl_lineinfo(found, nullptr, &line, nullptr, nullptr, nullptr);
    return write_place(file, line, place, place_bytes);
}

/// Where an inlined function was called, as file name and line.
bool call_of(Dwarf_Die* inlined, Dwarf_Die* unit, char* place, size_t place_bytes) {
    Dwarf_Attribute attribute;
    Dwarf_Word file_index = 0, line = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file_index) != 0) return false;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0) return false;
    Dwarf_Files* files = nullptr;
    if (dwarf_getsrcfiles(unit, &files, nullptr) != 0) return false;
    return write_place(dwarf_filesrc(files, file_index, nullptr, nullptr), int(line), place, place_bytes);
}

/// The instruction may stand in a function of the standard library that was inlined into the student's.
bool find_inlined_call(Dwfl_Module* module, Dwarf_Addr address, char* place, size_t place_bytes) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias);
    if (unit == nullptr) return false;
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes(unit, address - bias, &scopes);
    bool found = false;
    for (int i = 0; i < count && !found; i++) {
        if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
            found = call_of(&scopes[i], unit, place, place_bytes);
    }
    if (count > 0) std::free(scopes);
    return found;
}

}  // namespace

void prepare_source_lines() {
    char place[16];
    find_student_line(reinterpret_cast<uintptr_t>(&prepare_source_lines), place, sizeof place);
}

bool find_student_line(uintptr_t address, char* place, size_t place_bytes) {
    Dwfl* session = own_debug_information();
    if (session == nullptr) return false;
    Dwfl_Module* module = dwfl_addrmodule(session, address);
    if (module == nullptr) return false;
    return find_line(module, address, place, place_bytes) ||
           find_inlined_call(module, address, place, place_bytes);
}

}  // namespace worker

#else

namespace worker {

void prepare_source_lines() {}

bool find_student_line(uintptr_t, char*, size_t) {
    return false;
}

}  // namespace worker

#endif
