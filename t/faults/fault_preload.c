/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Faults of the system for util/dev/torture, by LD_PRELOAD: calls on files
 * under one folder fail, are cut short or slow, memory runs out for the module
 * and its libraries, the clock is wrong.  What happens is read at every call
 * from the file that JUDGE_FAULTS names, which the driver maps or writes.
 *
 * gcc -shared -fPIC -O2 -o fault.so t/faults/fault_preload.c -ldl
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* RTLD_NEXT, dladdr() */
#endif

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>


#define FAULT_OPEN    0x01
#define FAULT_READ    0x02
#define FAULT_WRITE   0x04             /* and truncation */
#define FAULT_SYNC    0x08
#define FAULT_NAME    0x10             /* removing and renaming */
#define FAULT_MAP     0x20
#define FAULT_MEMORY  0x40             /* of the module, SQLite and yajl */

#define FAULT_FILES   65536

/* The same fields, in this order, as in t/lib/Judge/Torture/Faults.pm. */
typedef struct {
    _Atomic int64_t  calls;            /* FAULT_ bits: which calls */
    _Atomic int64_t  error;            /* errno; 0: only half is done */
    _Atomic int64_t  per_million;      /* how many of them fail */
    _Atomic int64_t  countdown;        /* the n-th fails, once; 0: none */
    _Atomic int64_t  delay;            /* microseconds at most, of a write */
    _Atomic int64_t  clock;            /* added to the time, milliseconds */
    _Atomic int64_t  seed;
    _Atomic int64_t  done;             /* calls that failed so far */
    char             folder[448];      /* only files under it */
} fault_t;


int open64(const char *path, int flags, ...);
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);


static fault_t           fault_none;
static fault_t          *fault = &fault_none;
static _Atomic char      fault_files[FAULT_FILES];
static _Atomic uint64_t  fault_random;

static int (*fault_open_next)(const char *, int, ...);
static int (*fault_close_next)(int);
static ssize_t (*fault_read_next)(int, void *, size_t);
static ssize_t (*fault_pread_next)(int, void *, size_t, off64_t);
static ssize_t (*fault_write_next)(int, const void *, size_t);
static ssize_t (*fault_pwrite_next)(int, const void *, size_t, off64_t);
static int (*fault_fsync_next)(int);
static int (*fault_fdatasync_next)(int);
static int (*fault_truncate_next)(int, off64_t);
static int (*fault_unlink_next)(const char *);
static int (*fault_rename_next)(const char *, const char *);
static void *(*fault_mmap_next)(void *, size_t, int, int, int, off64_t);
static int (*fault_clock_next)(clockid_t, struct timespec *);
static int (*fault_day_next)(struct timeval *, void *);


__attribute__((constructor)) static void
fault_start(void)
{
    int          fd;
    void        *p;
    const char  *path;

    /* A pointer to an object is not one to a function in C, but in POSIX. */
    *(void **) &fault_open_next = dlsym(RTLD_NEXT, "open64");
    *(void **) &fault_close_next = dlsym(RTLD_NEXT, "close");
    *(void **) &fault_read_next = dlsym(RTLD_NEXT, "read");
    *(void **) &fault_pread_next = dlsym(RTLD_NEXT, "pread64");
    *(void **) &fault_write_next = dlsym(RTLD_NEXT, "write");
    *(void **) &fault_pwrite_next = dlsym(RTLD_NEXT, "pwrite64");
    *(void **) &fault_fsync_next = dlsym(RTLD_NEXT, "fsync");
    *(void **) &fault_fdatasync_next = dlsym(RTLD_NEXT, "fdatasync");
    *(void **) &fault_truncate_next = dlsym(RTLD_NEXT, "ftruncate64");
    *(void **) &fault_unlink_next = dlsym(RTLD_NEXT, "unlink");
    *(void **) &fault_rename_next = dlsym(RTLD_NEXT, "rename");
    *(void **) &fault_mmap_next = dlsym(RTLD_NEXT, "mmap64");
    *(void **) &fault_clock_next = dlsym(RTLD_NEXT, "clock_gettime");
    *(void **) &fault_day_next = dlsym(RTLD_NEXT, "gettimeofday");

    path = getenv("JUDGE_FAULTS");
    fd = path ? fault_open_next(path, O_RDWR) : -1;

    if (fd == -1) {
        return;
    }

    p = fault_mmap_next(NULL, sizeof(fault_t), PROT_READ | PROT_WRITE,
                        MAP_SHARED, fd, 0);
    if (p != MAP_FAILED) {
        fault = p;
    }

    fault_close_next(fd);
}


/* By splitmix64; the processes that share a seed are told apart by pid. */

static uint64_t
fault_number(void)
{
    uint64_t  x;

    x = atomic_fetch_add(&fault_random, 0x9e3779b97f4a7c15)
        + (uint64_t) fault->seed * 0xd1342543de82ef95 + (uint64_t) getpid();
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;

    return x ^ (x >> 31);
}


/* Whether this call is to fail. */

static int
fault_hits(int call)
{
    int64_t  n;

    if (!(fault->calls & call)) {
        return 0;
    }

    n = fault->countdown;
    while (n > 0 && !atomic_compare_exchange_weak(&fault->countdown, &n,
                                                  n - 1))
    {
        /* void */
    }

    if (n == 1 || (fault->per_million
                   && (int64_t) (fault_number() % 1000000)
                      < fault->per_million))
    {
        fault->done++;
        return 1;
    }

    return 0;
}


/* The same where the outcome is the number of bytes, of which half is done. */

static int
fault_cuts(int call, int fd, size_t *size)
{
    if (fd < 0 || fd >= FAULT_FILES || !fault_files[fd]) {
        return 0;
    }

    if (fault->delay && call == FAULT_WRITE) {
        usleep(fault_number() % (uint64_t) fault->delay);
    }

    if (!fault_hits(call)) {
        return 0;
    }

    if (fault->error == 0) {
        *size = *size > 1 ? *size / 2 : *size;
        return 0;
    }

    errno = (int) fault->error;

    return 1;
}


static int
fault_fails(int call, int fd)
{
    size_t  size = 0;

    if (fault->delay && call == FAULT_SYNC && fd >= 0 && fd < FAULT_FILES
        && fault_files[fd])
    {
        usleep(fault_number() % (uint64_t) fault->delay);
    }

    return fault_cuts(call, fd, &size);
}


static int
fault_under(const char *path)
{
    return fault->folder[0]
           && strncmp(path, fault->folder, strlen(fault->folder)) == 0;
}


static int
fault_named(int call, const char *path)
{
    if (!fault_under(path) || fault->error == 0 || !fault_hits(call)) {
        return 0;
    }

    errno = (int) fault->error;

    return 1;
}


int
open64(const char *path, int flags, ...)
{
    int      fd;
    mode_t   mode;
    va_list  args;

    va_start(args, flags);
    mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(args, mode_t) : 0;
    va_end(args);

    if (fault_named(FAULT_OPEN, path)) {
        return -1;
    }

    fd = fault_open_next(path, flags, mode);

    if (fd >= 0 && fd < FAULT_FILES) {
        fault_files[fd] = fault_under(path) != 0;
    }

    return fd;
}


int
open(const char *path, int flags, ...)
{
    mode_t   mode;
    va_list  args;

    va_start(args, flags);
    mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(args, mode_t) : 0;
    va_end(args);

    return open64(path, flags, mode);
}


int
close(int fd)
{
    if (fd >= 0 && fd < FAULT_FILES) {
        fault_files[fd] = 0;
    }

    return fault_close_next(fd);
}


ssize_t
read(int fd, void *data, size_t size)
{
    return fault_cuts(FAULT_READ, fd, &size) ? -1
           : fault_read_next(fd, data, size);
}


ssize_t
pread64(int fd, void *data, size_t size, off64_t at)
{
    return fault_cuts(FAULT_READ, fd, &size) ? -1
           : fault_pread_next(fd, data, size, at);
}


ssize_t
write(int fd, const void *data, size_t size)
{
    return fault_cuts(FAULT_WRITE, fd, &size) ? -1
           : fault_write_next(fd, data, size);
}


ssize_t
pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    return fault_cuts(FAULT_WRITE, fd, &size) ? -1
           : fault_pwrite_next(fd, data, size, at);
}


int
fsync(int fd)
{
    return fault_fails(FAULT_SYNC, fd) ? -1 : fault_fsync_next(fd);
}


int
fdatasync(int fd)
{
    return fault_fails(FAULT_SYNC, fd) ? -1 : fault_fdatasync_next(fd);
}


int
ftruncate64(int fd, off64_t size)
{
    return fault_fails(FAULT_WRITE, fd) ? -1 : fault_truncate_next(fd, size);
}


int
unlink(const char *path)
{
    return fault_named(FAULT_NAME, path) ? -1 : fault_unlink_next(path);
}


int
rename(const char *from, const char *to)
{
    return fault_named(FAULT_NAME, from) ? -1 : fault_rename_next(from, to);
}


void *
mmap64(void *at, size_t size, int prot, int flags, int fd, off64_t offset)
{
    return fault_fails(FAULT_MAP, fd) ? MAP_FAILED
           : fault_mmap_next(at, size, prot, flags, fd, offset);
}


/*
 * Whether memory is to fail for the caller: only for the code that is tested
 * and its libraries.  The dice come first, because dladdr() is slow.
 */

static int
fault_memory(const void *caller)
{
    Dl_info  info;

    if (!(fault->calls & FAULT_MEMORY)
        || (int64_t) (fault_number() % 1000000) >= fault->per_million
        || dladdr(caller, &info) == 0
        || (strstr(info.dli_fname, "ngx_http_judge") == NULL
            && strstr(info.dli_fname, "libsqlite3") == NULL
            && strstr(info.dli_fname, "libyajl") == NULL))
    {
        return 0;
    }

    fault->done++;
    errno = ENOMEM;

    return 1;
}


void *
malloc(size_t size)
{
    return fault_memory(__builtin_return_address(0)) ? NULL
           : __libc_malloc(size);
}


void *
calloc(size_t n, size_t size)
{
    return fault_memory(__builtin_return_address(0)) ? NULL
           : __libc_calloc(n, size);
}


void *
realloc(void *p, size_t size)
{
    return fault_memory(__builtin_return_address(0)) ? NULL
           : __libc_realloc(p, size);
}


int
clock_gettime(clockid_t clock, struct timespec *ts)
{
    int  rc;

    rc = fault_clock_next(clock, ts);

    if (rc == 0 && fault->clock
        && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    {
        ts->tv_sec += fault->clock / 1000;
        ts->tv_nsec += fault->clock % 1000 * 1000000;

        if (ts->tv_nsec < 0) {
            ts->tv_nsec += 1000000000;
            ts->tv_sec--;

        } else if (ts->tv_nsec >= 1000000000) {
            ts->tv_nsec -= 1000000000;
            ts->tv_sec++;
        }
    }

    return rc;
}


int
gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
    struct timespec  ts;

    if (!fault->clock || zone != NULL) {
        return fault_day_next(tv, zone);
    }

    if (clock_gettime(CLOCK_REALTIME, &ts) != 0) {
        return -1;
    }

    tv->tv_sec = ts.tv_sec;
    tv->tv_usec = ts.tv_nsec / 1000;

    return 0;
}


time_t
time(time_t *out)
{
    struct timespec  ts;

    clock_gettime(CLOCK_REALTIME, &ts);

    if (out) {
        *out = ts.tv_sec;
    }

    return ts.tv_sec;
}
