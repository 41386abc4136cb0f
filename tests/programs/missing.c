/* SPDX-License-Identifier: MIT */
/*
 * missing: runs code that it made in a page, before and behind which its memory is not there, and
 * never comes: nobody serves its userfaultfd(2). Says "ready"; SIGTERM ends it with status 42, and
 * what it cannot do with 77 and a line.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGES 16u

static void on_term(int sig)
{
    (void)sig;
    _exit(42);
}

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(77);
}

/* Memory that may run, none of which is there. */
static uint8_t *reserve(int faults, size_t size)
{
    uint8_t *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};

    if (memory == MAP_FAILED)
        give_up("mmap");
    range.range.start = (uintptr_t)memory;
    range.range.len = size;
    if (ioctl(faults, UFFDIO_REGISTER, &range) != 0)
        give_up("UFFDIO_REGISTER");
    return memory;
}

/* A branch to itself, in a page of its own. */
static void *place_code(int faults, uint8_t *at, size_t page)
{
#if defined(__x86_64__) || defined(__i386__)
    static const uint8_t code[] = {0xeb, 0xfe};
#elif defined(__aarch64__)
    static const uint8_t code[] = {0, 0, 0, 0x14};
#elif defined(__arm__)
    static const uint8_t code[] = {0xfe, 0xff, 0xff, 0xea};
#else /* RISC-V */
    static const uint8_t code[] = {0x6f, 0, 0, 0};
#endif
    uint8_t *bytes = aligned_alloc(page, page);
    struct uffdio_copy copy = {.dst = (uintptr_t)at, .src = (uintptr_t)bytes, .len = page};

    memset(bytes, 0, page);
    memcpy(bytes, code, sizeof(code));
    if (ioctl(faults, UFFDIO_COPY, &copy) != 0)
        give_up("UFFDIO_COPY");
    return at;
}

int main(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const int faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    struct uffdio_api api = {.api = UFFD_API};
    void *code;

    if (faults < 0 || ioctl(faults, UFFDIO_API, &api) != 0)
        give_up("userfaultfd");
    code = place_code(faults, reserve(faults, PAGES * page) + PAGES / 2 * page, page);
    signal(SIGTERM, on_term);
    puts("ready");
    fflush(stdout);
    ((void (*)(void))(uintptr_t)code)();
}
