/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "sandbox.h"


#define JUDGE_SANDBOX_NOBODY  65534

#if defined(__x86_64__)
#define JUDGE_SANDBOX_ARCH  AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define JUDGE_SANDBOX_ARCH  AUDIT_ARCH_AARCH64
#else
#error "the numbers of this machine's system calls are not known"
#endif

#if defined(__SANITIZE_ADDRESS__)
#define JUDGE_SANDBOX_ASAN  1
#else
#define JUDGE_SANDBOX_ASAN  0
#endif


static bool judge_sandbox_descriptors(int keep, int keep_too);
static bool judge_sandbox_limits(int seconds, int memory);
static bool judge_sandbox_user(void);
static bool judge_sandbox_orphan(void);
static bool judge_sandbox_calls(void);


/* What memory, threads, reading and writing what is open need. */
static const int  judge_sandbox_allowed[] = {
    SYS_read, SYS_pread64, SYS_readv, SYS_write, SYS_writev, SYS_lseek,
    SYS_close, SYS_fstat, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect,
    SYS_madvise, SYS_brk, SYS_futex, SYS_exit, SYS_exit_group,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    SYS_getpid, SYS_gettid, SYS_sched_yield, SYS_sched_getaffinity,
    SYS_set_robust_list, SYS_set_tid_address, SYS_restart_syscall,
    SYS_getrandom, SYS_rseq, SYS_tgkill,
};

#define JUDGE_SANDBOX_CALLS                                                   \
    (sizeof(judge_sandbox_allowed) / sizeof(*judge_sandbox_allowed))


bool
judge_sandbox_enter(int keep, int keep_too, int seconds, int memory)
{
    return judge_sandbox_descriptors(keep, keep_too)
           && judge_sandbox_user()
           && judge_sandbox_orphan()
           && judge_sandbox_limits(seconds, memory)
           && judge_sandbox_calls();
}


static bool
judge_sandbox_descriptors(int keep, int keep_too)
{
    int  low, high, null;

    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0
        || dup2(null, STDOUT_FILENO) < 0)
    {
        return false;
    }

    low = keep < keep_too ? keep : keep_too;
    high = keep < keep_too ? keep_too : keep;

    return low > STDERR_FILENO
           && (low == STDERR_FILENO + 1
               || syscall(SYS_close_range, STDERR_FILENO + 1, low - 1, 0)
                  == 0)
           && (high == low + 1
               || syscall(SYS_close_range, low + 1, high - 1, 0) == 0)
           && syscall(SYS_close_range, high + 1, ~0U, 0) == 0;
}


/* Root becomes nobody; others stay who they are. */

static bool
judge_sandbox_user(void)
{
    if (geteuid() == 0
        && (setgroups(0, NULL) != 0
            || setresgid(JUDGE_SANDBOX_NOBODY, JUDGE_SANDBOX_NOBODY,
                         JUDGE_SANDBOX_NOBODY) != 0
            || setresuid(JUDGE_SANDBOX_NOBODY, JUDGE_SANDBOX_NOBODY,
                         JUDGE_SANDBOX_NOBODY) != 0))
    {
        return false;
    }

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
           && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}


/* Ends with its parent.  A change of the user takes this back, so it comes
 * behind.  The parent may have died before it took effect: then the pipe is
 * closed, and the first write ends it. */

static bool
judge_sandbox_orphan(void)
{
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
}


/* AddressSanitizer maps terabytes. */

static bool
judge_sandbox_limits(int seconds, int memory)
{
    struct rlimit  limit;

    limit.rlim_cur = (rlim_t) seconds;
    limit.rlim_max = (rlim_t) seconds + 1;
    if (setrlimit(RLIMIT_CPU, &limit) != 0) {
        return false;
    }

    limit.rlim_cur = limit.rlim_max = 0;
    if (setrlimit(RLIMIT_CORE, &limit) != 0
        || setrlimit(RLIMIT_FSIZE, &limit) != 0)
    {
        return false;
    }

    limit.rlim_cur = limit.rlim_max = (rlim_t) memory * 1024 * 1024;

    return memory == 0 || JUDGE_SANDBOX_ASAN
           || setrlimit(RLIMIT_AS, &limit) == 0;
}


/*
 * Load, compare, allow; for each call.  A new thread is allowed, a new
 * process is not; clone3(), whose flags can't be seen, is said not to be
 * there, and then clone() is used.  All else is refused.
 */

static bool
judge_sandbox_calls(void)
{
    size_t              i, n;
    struct sock_fprog   program;
    struct sock_filter  code[2 * JUDGE_SANDBOX_CALLS + 16];

    const struct sock_filter  head[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, JUDGE_SANDBOX_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };

    /* The flags are the first argument; its lower half comes first on both
     * machines. */
    const struct sock_filter  tail[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };

    for (n = 0; n < sizeof(head) / sizeof(*head); n++) {
        code[n] = head[n];
    }

    for (i = 0; i < JUDGE_SANDBOX_CALLS; i++) {
        code[n++] = (struct sock_filter)
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                     (uint32_t) judge_sandbox_allowed[i], 0, 1);
        code[n++] = (struct sock_filter)
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }

    for (i = 0; i < sizeof(tail) / sizeof(*tail); i++) {
        code[n++] = tail[i];
    }

    program.len = (unsigned short) n;
    program.filter = code;

    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
