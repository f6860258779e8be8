// One way out of the box for each value of `factor`; prints what succeeded. Harmless where it does.
#include "student.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

const std::string OURS = "build/tests/call/students/";
const std::string OTHERS = OURS + "right.worker";

void say_if(bool succeeded, const std::string& what) {
    if (succeeded) std::printf("%s\n", what.c_str());
}

/// Where this asks for what the file is not, another error than the filter's tells that it was asked.
void say_unless_refused(long result, const char* what) {
    if (result >= 0 || errno != EPERM) std::printf("%s: %s\n", what, std::strerror(errno));
}

void type_into_terminal() {
    char letter = 'x';
    int line = 0;
    say_if(getsid(0) != getpid(), "in the session of the judge");
    say_if(open("/dev/tty", O_RDONLY) >= 0, "the terminal is open");
    say_unless_refused(ioctl(1, TIOCSTI, &letter), "TIOCSTI");
    say_unless_refused(ioctl(1, TIOCLINUX, &letter), "TIOCLINUX");
    say_unless_refused(ioctl(1, TIOCSCTTY, 1), "TIOCSCTTY");
    say_unless_refused(ioctl(1, TIOCSETD, &line), "TIOCSETD");
}

void read_files() {
    const std::string judge = "/proc/" + std::to_string(getppid());
    for (const std::string& file :
         {std::string("solutions/01_conv1d_basic/conv1d_basic.cu"), std::string("tests/call/confined.cpp"),
          std::string("Makefile"), std::string("/etc/passwd"), OTHERS, judge + "/cmdline", judge + "/maps"})
        say_if(open(file.c_str(), O_RDONLY) >= 0, file + " is open");
    for (const char* folder : {".", "..", "tests", "/tmp", "/proc", "/home"})
        say_if(opendir(folder) != nullptr, std::string(folder) + " is listed");
}

void write_files() {
    const std::string mine = OURS + "escaped";
    say_if(open(mine.c_str(), O_WRONLY | O_CREAT, 0600) >= 0, "a file is made");
    say_if(open("/tmp", O_TMPFILE | O_RDWR, 0600) >= 0, "a file without a name is made");
    say_if(open(OTHERS.c_str(), O_WRONLY) >= 0, "another worker is open");
    say_if(mkdir(mine.c_str(), 0700) == 0, "a folder is made");
    say_if(symlink("right.worker", (mine + ".link").c_str()) == 0, "a link is made");
    say_if(rename(OTHERS.c_str(), OTHERS.c_str()) == 0, "a file is renamed");
    say_if(unlink((mine + ".link").c_str()) == 0, "a file is removed");
    rmdir(mine.c_str());
}

void change_files() {
    struct stat status = {};
    if (stat(OTHERS.c_str(), &status) != 0) return;
    say_if(chmod(OTHERS.c_str(), status.st_mode & 07777) == 0, "a mode is set");
    say_if(chown(OTHERS.c_str(), status.st_uid, status.st_gid) == 0, "an owner is set");
    const timespec times[] = {status.st_atim, status.st_mtim};
    say_if(utimensat(AT_FDCWD, OTHERS.c_str(), times, 0) == 0, "times are set");
    say_if(truncate(OTHERS.c_str(), status.st_size) == 0, "a size is set");
    constexpr int FCHMODAT2 = 452;
    say_if(syscall(FCHMODAT2, AT_FDCWD, OTHERS.c_str(), status.st_mode & 07777, 0) == 0,
           "a mode is set anew");
}

void rule_others() {
    const pid_t judge = getppid();
    rlimit limit = {};
    cpu_set_t processors;
    CPU_ZERO(&processors);
    say_if(prlimit(judge, RLIMIT_NOFILE, nullptr, &limit) == 0, "the judge's limits are known");
    say_if(prlimit(judge, RLIMIT_NOFILE, &limit, nullptr) == 0, "the judge's limits are set");
    say_if(prlimit(0, RLIMIT_NOFILE, nullptr, &limit) != 0, "its own limits are not known");
    if (sched_getaffinity(judge, sizeof processors, &processors) == 0)
        say_if(sched_setaffinity(judge, sizeof processors, &processors) == 0,
               "the judge's processors are set");
    const sched_param priority = {};
    say_if(sched_setscheduler(judge, SCHED_OTHER, &priority) == 0, "the judge's schedule is set");
    say_if(setpriority(PRIO_PROCESS, id_t(judge), getpriority(PRIO_PROCESS, id_t(judge))) == 0,
           "the judge is made less urgent");
    say_if(syscall(SYS_ioprio_set, 1, judge, 0) == 0, "the judge's files are made less urgent");
}

void signal_by_descriptor() {
    pid_t judge = getppid();
    constexpr unsigned long SET_OWNER = 0x8901, SET_GROUP = 0x8902;
    say_unless_refused(ioctl(1, SET_OWNER, &judge), "FIOSETOWN");
    say_unless_refused(ioctl(1, SET_GROUP, &judge), "SIOCSPGRP");
    say_unless_refused(fcntl(1, F_SETOWN, judge), "F_SETOWN");
    say_unless_refused(fcntl(1, F_NOTIFY, 0), "F_NOTIFY");
}

void outlive_the_judge() {
    say_if(prctl(PR_SET_PDEATHSIG, 0) == 0, "the judge's end is none of its own");
}

void leave_the_world() {
    char parameters[256] = {};
    constexpr long IO_URING_SETUP = 425, OPEN_TREE = 428, PIDFD_OPEN = 434;
    say_if(syscall(IO_URING_SETUP, 4, parameters) >= 0, "a ring of calls is there");
    say_if(syscall(OPEN_TREE, AT_FDCWD, "/", 0) >= 0, "a tree is open");
    say_if(syscall(PIDFD_OPEN, getppid(), 0) >= 0, "the judge is open");
    say_if(unshare(CLONE_FS) == 0, "a world of its own");
    say_if(unshare(CLONE_NEWUSER) == 0, "other users");
    say_if(syscall(SYS_keyctl, 0, -3, 0) >= 0, "keys are there");
    say_if(syscall(SYS_userfaultfd, 0) >= 0, "faults are caught");
    const int shared = shmget(IPC_PRIVATE, 4096, 0600);
    say_if(shared >= 0, "shared memory is there");
    if (shared >= 0) shmctl(shared, IPC_RMID, nullptr);
    say_if(setuid(getuid()) == 0, "a user is chosen");
}

void become_another() {
    execl("/bin/true", "true", nullptr);
    execl("/proc/self/exe", "again", nullptr);
    constexpr int CODE = PROT_READ | PROT_WRITE | PROT_EXEC;
    void* const pages = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    say_if(mmap(nullptr, 4096, CODE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED,
           "code of its own is there");
    say_if(mprotect(pages, 4096, CODE) == 0, "data becomes code");
}

void tell_environment() {
    for (char** entry = environ; *entry != nullptr; entry++)
        std::printf("%s\n", *entry);
}

void tell_descriptors() {
    for (int number = 0; number < 1024; number++) {
        // 0 to 2, the channel, the memory of the call and of the device: 5 or 6 have to be there.
        if (number > 6) say_if(fcntl(number, F_GETFD) >= 0, "descriptor " + std::to_string(number));
    }
}

using escape = void (*)();
constexpr escape ESCAPES[] = {type_into_terminal, read_files,           write_files,       change_files,
                              rule_others,        signal_by_descriptor, outlive_the_judge, leave_the_world,
                              become_another,     tell_environment,     tell_descriptors};

}  // namespace

void scale(std::span<float> out, std::span<const float> in, float factor, rounding) {
    ESCAPES[int(factor)]();
    for (size_t i = 0; i < in.size(); i++)
        out[i] = in[i];
}
