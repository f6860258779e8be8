// The rules of the system call filter.
#include "call/refused_calls.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace check {
namespace {

/// Calls that a rule of Landlock does not reach (modes, owners, times, attributes), and those that it does:
/// not every kernel has it.
constexpr long CHANGES_FILES[] = {
#ifdef __x86_64__  // on others these came as their ...at() alone
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_creat,
    SYS_mkdir,
    SYS_rmdir,
    SYS_unlink,
    SYS_rename,
    SYS_link,
    SYS_symlink,
    SYS_mknod,
#endif
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_truncate,
    SYS_mkdirat,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mknodat,
#ifdef SYS_renameat
    SYS_renameat,
#endif
    SYS_open_by_handle_at,
    SYS_fanotify_init,
};

/// Memory and queues that other processes of the user may hold, and that outlive the process.
constexpr long SHARES_MEMORY[] = {SYS_shmget, SYS_shmat,  SYS_shmctl,  SYS_msgget,   SYS_msgctl,
                                  SYS_semget, SYS_semctl, SYS_mq_open, SYS_mq_unlink};

/// What another user or a container of its own would be asked of; where the judge is root, the machine too.
constexpr long RULES_THE_MACHINE[] = {
    SYS_unshare,     SYS_setns,         SYS_mount,           SYS_umount2,       SYS_pivot_root,
    SYS_chroot,      SYS_bpf,           SYS_perf_event_open, SYS_userfaultfd,   SYS_keyctl,
    SYS_add_key,     SYS_request_key,   SYS_setuid,          SYS_setgid,        SYS_setreuid,
    SYS_setregid,    SYS_setresuid,     SYS_setresgid,       SYS_setfsuid,      SYS_setfsgid,
    SYS_setgroups,   SYS_acct,          SYS_reboot,          SYS_kexec_load,    SYS_kexec_file_load,
    SYS_init_module, SYS_finit_module,  SYS_delete_module,   SYS_swapon,        SYS_swapoff,
    SYS_sethostname, SYS_setdomainname, SYS_settimeofday,    SYS_clock_settime, SYS_clock_adjtime,
    SYS_adjtimex,    SYS_quotactl,      SYS_syslog,          SYS_vhangup,
#ifdef __x86_64__
    SYS_iopl,        SYS_ioperm,
#endif
};

/// Since these came, calls have the same numbers on all processors.
constexpr long FIRST_NEWER = 424;
constexpr uint32_t CLOSE_RANGE = 436, FACCESSAT2 = 439, EPOLL_PWAIT2 = 441, FUTEX_WAITV = 449;
constexpr uint32_t LANDLOCK[] = {444, 445, 446};  // by which a process can only give up more

/// Of other processes: not of itself, by either of its names.
void refuse_scheduling(call_filter& filter, uint32_t self) {
    for (const long number :
         {SYS_sched_setaffinity, SYS_sched_setparam, SYS_sched_setscheduler, SYS_sched_setattr})
        filter.refuse_unless(number, 0, {0, self});
    filter.refuse(SYS_setpriority, EPERM);
    filter.refuse(SYS_ioprio_set, EPERM);
    filter.refuse(SYS_migrate_pages, EPERM);
    filter.refuse(SYS_move_pages, EPERM);
    filter.refuse(SYS_kcmp, EPERM);
}

}  // namespace

void refuse_reaching_others(call_filter& filter) {
    const auto self = uint32_t(getpid());
    // Signals reach only the worker itself, and nobody is traced.
    filter.refuse_unless(SYS_kill, 0, {self, 0, uint32_t(-getpid())});
    filter.refuse_unless(SYS_tgkill, 0, {self});
    filter.refuse_unless(SYS_rt_tgsigqueueinfo, 0, {self});
    filter.refuse_unless(SYS_rt_sigqueueinfo, 0, {self});
    for (const long number : {SYS_tkill, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev})
        filter.refuse(number, EPERM);
#ifdef SYS_pidfd_getfd
    filter.refuse(SYS_pidfd_send_signal, EPERM);
    filter.refuse(SYS_pidfd_getfd, EPERM);
#endif
    filter.refuse_unless(SYS_prlimit64, 0, {0, self});
    // All that it starts stays in its group and ends with the judge.
    filter.refuse(SYS_setsid, EPERM);
    filter.refuse(SYS_setpgid, EPERM);
    filter.refuse_if(SYS_prctl, 0, {PR_SET_PDEATHSIG});
    // A descriptor can be told to send a signal to any process of the user.
    filter.refuse_if(SYS_fcntl, 1, {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_NOTIFY});
    constexpr uint32_t SET_OWNER = 0x8901, SET_GROUP = 0x8902;  // FIOSETOWN, SIOCSPGRP
    // A terminal can be told what its user types (TIOCSTI, and TIOCLINUX on the console).
    filter.refuse_if(SYS_ioctl, 1,
                     {SET_OWNER, SET_GROUP, TIOCSTI, TIOCLINUX, TIOCSCTTY, TIOCSPGRP, TIOCSETD, TIOCCONS,
                      TIOCNOTTY, TIOCVHANGUP});
}

void refuse_all_but_computing(call_filter& filter) {
    // As if the kernel were older: every libc can do without. Among them are pidfds, io_uring, mounts in
    // parts, clone3 and openat2 (their flags are in memory, out of a filter's reach), and all yet to come.
    filter.refuse_from(
        FIRST_NEWER,
        {CLOSE_RANGE, FACCESSAT2, EPOLL_PWAIT2, LANDLOCK[0], LANDLOCK[1], LANDLOCK[2], FUTEX_WAITV}, ENOSYS);
    filter.refuse(SYS_socket, EPERM);
    // Memory files need no open(): the CPU backend makes one for device memory (memfd_create).
    constexpr uint32_t WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
#ifdef SYS_open
    filter.refuse_with_bits(SYS_open, 1, WRITING);
#endif
    filter.refuse_with_bits(SYS_openat, 2, WRITING);
    for (const long number : CHANGES_FILES)
        filter.refuse(number, EPERM);
    for (const long number : SHARES_MEMORY)
        filter.refuse(number, EPERM);
    for (const long number : RULES_THE_MACHINE)
        filter.refuse(number, EPERM);
}

void refuse_processes(call_filter& filter) {
    // Threads yes; no processes, and no thread in a world of its own.
    constexpr uint32_t OWN_WORLD = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                   CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
#ifdef SYS_fork
    filter.refuse(SYS_fork, EPERM);
    filter.refuse(SYS_vfork, EPERM);
#endif
    filter.refuse_without_bit(SYS_clone, 0, CLONE_THREAD);
    filter.refuse_with_bits(SYS_clone, 0, OWN_WORLD);
    refuse_scheduling(filter, uint32_t(getpid()));
}

void refuse_other_programs(call_filter& filter) {
    filter.refuse(SYS_execve, EPERM);
    filter.refuse(SYS_execveat, EPERM);
    filter.refuse_with_bits(SYS_mmap, 2, PROT_EXEC);
    filter.refuse_with_bits(SYS_mprotect, 2, PROT_EXEC);
    filter.refuse_with_bits(SYS_pkey_mprotect, 2, PROT_EXEC);
    filter.refuse(SYS_personality, EPERM);  // of whose kinds one makes all memory code
}

}  // namespace check
