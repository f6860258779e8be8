// The compiler is a program: a student's file can make it run for ever, fill memory and disk, and read files.
#include "grade/program/compile.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "call/plain_text.h"
#include "grade/box.h"
#include "grade/other_user.h"
#include "grade/program/workbook.h"
#include "grade/run_program.h"

namespace grade {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t MIB = uint64_t(1) << 20;
// The largest solution takes 600 MB of g++ 12, its worker 9 MB.
constexpr uint64_t SCRATCH_BYTES = 256 * MIB;
const std::vector<std::string> LIMITS = {"--data=2147483648", "--core=0", "--fsize=134217728",
                                         "--nofile=256"};
constexpr char MOST_PROCESSES[] = "--nproc=256";  // in a box, where no others are counted

/// By the clock: some of it goes to other jobs.
double most_seconds(const grading& how) {
    constexpr double TO_START = 10;
    return 2.0 * how.compile_seconds + TO_START;
}

const char* name_of(worker_kind kind) {
    return kind == worker_kind::gpu ? "gpu" : "inspect";
}

/// What worker.sh is told by its environment.
std::vector<std::string> compilers(worker_kind kind, const grading& how) {
    std::vector<std::string> variables = {"LC_ALL=C", "CXX=" + how.compiler};
    if (kind == worker_kind::gpu)
        variables.insert(variables.end(), {"NVCC=" + how.nvcc, "NVCC_FLAGS=" + how.nvcc_flags});
    return variables;
}

std::vector<std::string> worker_command(const std::string& lab, const std::string& source, worker_kind kind,
                                        const std::string& worker, const grading& how) {
    // At the first number the compiler driver is told why its child ended, at the second it would not be.
    const unsigned first = how.compile_seconds, second = first + 5;
    std::vector<std::string> command = {"prlimit",
                                        "--cpu=" + std::to_string(first) + ":" + std::to_string(second)};
    command.insert(command.end(), LIMITS.begin(), LIMITS.end());
    if (how.boxes) command.push_back(MOST_PROCESSES);
    for (const std::string& word : {std::string("common/build/worker.sh"), std::string(name_of(kind)),
                                    "labs/" + lab, "build/glue/" + lab + ".o", source, worker})
        command.push_back(word);
    return command;
}

/// A program as it is called here, by its name or by PATH. Throws std::runtime_error if there is none.
fs::path found_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return fs::absolute(name);
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (fs::exists(fs::path(folder) / name)) return fs::absolute(fs::path(folder) / name);
    throw std::runtime_error(name + ": no such compiler");
}

/// A compiler that is none of the system's, /opt/gcc/bin/g++ say, is in the box with its folder, /opt/gcc, and with
/// that of the program for which it is another name.
void add_compiler(box_contents& what, std::string& path, const std::string& name) {
    const fs::path program = found_program(name);
    for (const fs::path& one : std::set{program, fs::canonical(program)}) {
        const fs::path folder = one.parent_path().parent_path();
        if (folder == "/" || (folder.string() + "/").starts_with("/usr/")) continue;
        what.read_only.push_back({folder, folder});
        path += ":" + one.parent_path().string();
    }
}

program_end run_in_box(const std::string& lab, const fs::path& folder, worker_kind kind, const grading& how) {
    const std::string name = "labs/" + lab + "/" + hand_in_name(lab);
    const fs::path workbook = fs::current_path(), inside = "/workbook", made = "/workbook-made";
    box_contents what;
    what.programs = true;
    for (const std::string& part : compiling_parts(lab, kind == worker_kind::gpu))
        what.read_only.push_back({workbook / part, inside / part});
    std::string path = "PATH=/usr/local/bin:/usr/bin:/bin";
    add_compiler(what, path, how.compiler);
    if (kind == worker_kind::gpu) add_compiler(what, path, how.nvcc);
    what.read_only.push_back({folder / "source" / hand_in_name(lab), inside / name});
    what.writable.push_back({folder / "made", made});
    what.environment = compilers(kind, how);
    what.environment.insert(what.environment.end(), {path, "TMPDIR=/tmp", "HOME=/tmp"});
    what.folder = inside;
    what.scratch_bytes = SCRATCH_BYTES;
    const std::string worker = made / made_worker("", kind).filename();
    return run_program(boxed(what, worker_command(lab, name, kind, worker, how)), most_seconds(how));
}

program_end run_without_box(const std::string& lab, const fs::path& folder, worker_kind kind,
                            const grading& how) {
    const std::string source = (folder / "source" / hand_in_name(lab)).string();
    const std::string made = (folder / "made").string();
    std::vector<std::string> command =
        worker_command(lab, source, kind, made_worker(folder, kind).string(), how);
    std::vector<std::string> environment = compilers(kind, how);
    if (how.other_user) {
        if (chown(made.c_str(), OTHER_USER, OTHER_USER) != 0)
            throw std::runtime_error(made + ": " + std::strerror(errno));
        command = as_other_user(command);
        environment.insert(environment.end(), {"HOME=" + made, "TMPDIR=" + made});
    }
    return run_program(command, most_seconds(how), environment);
}

bool says_one_of(const std::string& said, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return said.find(word) != std::string::npos; });
}

/// At most so many bytes of a file that worker.sh wrote; "" if there is none.
std::string beginning_of(const fs::path& file) {
    constexpr size_t KEPT_BYTES = 2000;
    if (!fs::is_regular_file(fs::symlink_status(file))) return "";
    std::ifstream in(file, std::ios::binary);
    std::string text(KEPT_BYTES, '\0');
    in.read(text.data(), std::streamsize(text.size()));
    text.resize(size_t(in.gcount()));
    return text;
}

std::string first_line(const std::string& text) {
    return check::plain_text(text.substr(0, text.find('\n')), false);
}

bool disk_is_full(const fs::path& folder) {
    std::error_code error;
    const fs::space_info space = fs::space(folder, error);
    return error || space.available < 64 * MIB;
}

/// Why there is no worker. What stops a compiler is the file's doing, as long as the box stood and the disk
/// has room: it has seen nothing but the file.
trouble explain(const program_end& end, const fs::path& folder, worker_kind kind, const grading& how) {
    using why = program_end::why;
    if (end.how == why::too_late)
        return {"timed_out",
                "the compiler did not end within " + std::to_string(int(most_seconds(how))) + " s"};
    const bool no_box = end.output.starts_with("bwrap: ") || end.output.starts_with("prlimit: ");
    if (end.how != why::exited || no_box)
        return {"infrastructure_error", "the compiler " + end.text() + ": " + first_line(end.output)};
    const std::string said = end.output + end.ending;  // the compiler driver says last why it ended
    if (disk_is_full(folder)) return {"infrastructure_error", "no space left on this disk"};
    if (says_one_of(said, {"CPU time limit exceeded"}))
        return {"timed_out",
                "the compiler used more than " + std::to_string(how.compile_seconds) + " s of a processor"};
    if (says_one_of(said, {"out of memory", "virtual memory exhausted", "annot allocate memory", "bad_alloc",
                           "Killed signal"}))
        return {"out_of_memory", "the compiler used more than 2 GB of memory"};
    if (says_one_of(said, {"no space left", "No space left", "File size limit"}))
        return {"does_not_build", "the compiler's files took more than 128 MB"};
    const std::string refused = first_line(beginning_of(made_worker(folder, kind).string() + ".refused"));
    if (says_one_of(refused, {": error: forbidden: "})) return {"forbidden", refused};
    if (!refused.empty()) return {"does_not_build", refused};
    // What worker.sh takes for an accident of a student's machine (its fail()) is none in a box.
    if (says_one_of(said, {"signal terminated program", "terminated with signal", "Read-only file system"}))
        return {"does_not_build", first_line(end.output)};
    if (said.find_first_not_of("\n") == std::string::npos)
        return {"does_not_build", "the compiler " + end.text() + " without a word"};
    return {"infrastructure_error", "the compiler " + end.text() + ": " + first_line(end.output)};
}

}  // namespace

fs::path made_worker(const fs::path& folder, worker_kind kind) {
    return folder / "made" / (std::string("student.") + name_of(kind));
}

trouble compile(const std::string& lab, const fs::path& folder, worker_kind kind, const grading& how) {
    const program_end end =
        how.boxes ? run_in_box(lab, folder, kind, how) : run_without_box(lab, folder, kind, how);
    const bool made = fs::is_regular_file(fs::symlink_status(made_worker(folder, kind)));
    return end.succeeded() && made ? trouble{} : explain(end, folder, kind, how);
}

}  // namespace grade
