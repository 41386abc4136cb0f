/* SPDX-License-Identifier: MIT */
/*
 * A library to be preloaded (ld.so(8), LD_PRELOAD): one allocation of a program fails, and which it
 * is says the environment. For failures.py.
 *
 *   FAIL_AT=N     the N-th, from 1 on, since the program's start (a child's numbers go on from
 *                 those of its parent): NULL or MAP_FAILED with ENOMEM
 *   FAIL_ALL=1    and all later ones
 *   FAIL_LOG=F    appends to the file F a line for each: the process, its number and a hash of who
 *                 called whom, which is the same in each run
 *
 * What the C library allocates for its own functions (strdup, asprintf, open_memstream) counts,
 * since it calls malloc and the others by name. Allocations of the dynamic linker's before it has
 * loaded the program do not.
 */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEPTH_MAX 48

/* glibc's own names of what is replaced here */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static uint64_t fail_at;
static bool fail_all;
static int log_fd = -1;
static bool armed;
static uint64_t count; /* threads count together */
static _Thread_local bool inside;

/* Where the library or program that holds `addr` has it: the same in each run. */
static uint64_t relative(uintptr_t addr)
{
    struct dl_find_object object;

    if (_dl_find_object((void *)addr, &object) != 0)
        return 0;
    return addr - (uintptr_t)object.dlfo_map_start;
}

static uint64_t hash_callers(void)
{
    void *stack[DEPTH_MAX];
    int depth = backtrace(stack, DEPTH_MAX);
    uint64_t hash = 14695981039346656037u;

    for (int i = 0; i < depth; i++)
        hash = (hash ^ relative((uintptr_t)stack[i])) * 1099511628211u;
    return hash;
}

static void write_line(uint64_t number)
{
    char line[64];
    int size = snprintf(line, sizeof(line), "%d %" PRIu64 " %016" PRIx64 "\n", (int)getpid(),
                        number, hash_callers());

    if (write(log_fd, line, (size_t)size) != size)
        abort();
}

/* Counts one allocation: is it to fail? */
static bool fails(void)
{
    const int saved_errno = errno;
    uint64_t number;

    if (!armed || inside)
        return false;
    inside = true; /* what is called here allocates, too */
    number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    if (log_fd >= 0)
        write_line(number);
    inside = false;
    errno = saved_errno;
    if (!fail_at || number < fail_at || (number > fail_at && !fail_all))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t items, size_t size)
{
    return fails() ? NULL : __libc_calloc(items, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t items, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(items, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *memory = memalign(alignment, size);

    if (memory)
        *out = memory;
    return memory ? 0 : ENOMEM;
}

void *mmap(void *addr, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (fails())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, addr, size, protection, flags, fd, offset);
}

void *mmap64(void *addr, size_t size, int protection, int flags, int fd, off_t offset)
    __attribute__((alias("mmap")));

__attribute__((constructor)) static void arm(void)
{
    const char *at = getenv("FAIL_AT"), *all = getenv("FAIL_ALL"), *path = getenv("FAIL_LOG");

    if (path) {
        void *stack[1];

        backtrace(stack, 1); /* it loads a library, once */
        log_fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        if (log_fd < 0)
            abort();
    }
    fail_at = at ? strtoull(at, NULL, 10) : 0;
    fail_all = all != NULL;
    armed = true;
}
