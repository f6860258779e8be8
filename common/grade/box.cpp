// The command line of bubblewrap (bwrap(1)); older ones than 0.8 know all of its options.
#include "grade/box.h"

#include <cctype>

#include "call/landlock.h"
#include "grade/run_program.h"

namespace grade {

namespace fs = std::filesystem;

namespace {

/// A folder of the system as it is here: since /usr was merged most of them are links into it.
void add_system_folder(std::vector<std::string>& line, const std::string& folder) {
    if (!fs::exists(folder)) return;
    if (fs::is_symlink(folder))
        line.insert(line.end(), {"--symlink", fs::read_symlink(folder).string(), folder});
    else
        line.insert(line.end(), {"--ro-bind", folder, folder});
}

void add_system(std::vector<std::string>& line, bool programs) {
    if (programs) {
        line.insert(line.end(), {"--ro-bind", "/usr", "/usr"});
    } else {
        for (const char* folder : {"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32"})
            add_system_folder(line, folder);
    }
    for (const char* folder : {"/lib", "/lib32", "/lib64", "/libx32"})
        add_system_folder(line, folder);
    if (programs) {
        for (const char* folder : {"/bin", "/sbin"})
            add_system_folder(line, folder);
        line.insert(line.end(), {"--ro-bind-try", "/etc/alternatives", "/etc/alternatives"});
    }
    line.insert(line.end(), {"--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"});
}

/// What in /proc is no process's: entries that are no number, nor a link to something of one's own.
std::vector<fs::path> facts_of_kernel() {
    std::vector<fs::path> facts;
    for (const fs::directory_entry& one : fs::directory_iterator("/proc"))
        if (!one.is_symlink() && !std::isdigit(one.path().filename().string().front()))
            facts.push_back(one.path());
    return facts;
}

/// /proc/sys belongs to root, who is root in the box as well where the grader is. A GPU's driver names its threads in
/// /proc and fails where it may not: beside one, all but the processes is made read-only, and bubblewrap's own hidden.
void protect_proc(std::vector<std::string>& line, bool has_driver) {
    if (!has_driver) {
        line.insert(line.end(), {"--remount-ro", "/proc"});
        return;
    }
    for (const fs::path& fact : facts_of_kernel())
        line.insert(line.end(), {"--ro-bind", fact.string(), fact.string()});
    line.insert(line.end(), {"--tmpfs", "/proc/1", "--remount-ro", "/proc/1"});
}

/// Where the loader is told to look: a compiler of a cluster's has its libraries there.
void add_libraries(std::vector<std::string>& line, std::vector<fs::path> folders) {
    const std::vector<fs::path> named = check::named_library_folders();
    folders.insert(folders.end(), named.begin(), named.end());
    std::string path;
    for (const fs::path& folder : folders) {
        line.insert(line.end(), {"--ro-bind", folder.string(), folder.string()});
        path += folder.string() + ":";
    }
    if (!path.empty()) line.insert(line.end(), {"--setenv", "LD_LIBRARY_PATH", path});
}

std::string bwrap() {
    const fs::path packages = check::packages_folder(), own = packages / "bin/bwrap";
    return !packages.empty() && fs::exists(own) ? own.string() : "bwrap";
}

}  // namespace

std::vector<std::string> boxed(const box_contents& what, const std::vector<std::string>& command) {
    std::vector<std::string> line = {bwrap(), "--unshare-all", "--die-with-parent", "--new-session",
                                     "--clearenv"};
    // To root bwrap would leave capabilities, with which what is read-only below could be made writable.
    line.insert(line.end(), {"--cap-drop", "ALL"});
    add_system(line, what.programs);
    line.insert(line.end(), {"--proc", "/proc", "--dev", "/dev"});
    for (const fs::path& node : what.devices)
        line.insert(line.end(), {"--dev-bind", node.string(), node.string()});
    line.insert(line.end(), {"--size", std::to_string(what.scratch_bytes), "--tmpfs", "/tmp"});
    if (const std::string packages = check::packages_folder(); !packages.empty())
        line.insert(line.end(), {"--ro-bind", packages, packages, "--setenv", "DEPS", packages});
    add_libraries(line, what.libraries);
    for (const auto& one : what.read_only)
        line.insert(line.end(), {"--ro-bind", one.host.string(), one.inside.string()});
    for (const auto& one : what.writable)
        line.insert(line.end(), {"--bind", one.host.string(), one.inside.string()});
    protect_proc(line, !what.devices.empty());
    for (const char* folder : {"/dev", "/"})  // memory that nobody counts
        line.insert(line.end(), {"--remount-ro", folder});
    for (const std::string& variable : what.environment) {
        const size_t equals = variable.find('=');
        line.insert(line.end(), {"--setenv", variable.substr(0, equals), variable.substr(equals + 1)});
    }
    line.insert(line.end(), {"--chdir", what.folder.string(), "--"});
    line.insert(line.end(), command.begin(), command.end());
    return line;
}

std::string why_no_box() {
    constexpr char REMEDY[] =
        "; allow user namespaces (as root: sysctl kernel.unprivileged_userns_clone=1 "
        "kernel.apparmor_restrict_unprivileged_userns=0; in a container: a looser seccomp profile), or grade "
        "without a box: UNSAFE=1";
    constexpr double SECONDS = 20;
    box_contents nothing;
    nothing.programs = true;
    const program_end end = run_program(boxed(nothing, {"/usr/bin/true"}), SECONDS);
    if (end.succeeded()) return "";
    if (end.how == program_end::why::not_started)
        return "no box: bubblewrap is missing; run: make setup, or grade without a box: UNSAFE=1";
    std::string said = end.output.substr(0, end.output.find('\n'));
    if (said.empty()) said = end.text();
    if (said.ends_with('.')) said.pop_back();
    return "no box: " + said + REMEDY;
}

}  // namespace grade
