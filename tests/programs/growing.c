/* SPDX-License-Identifier: MIT */
/*
 * Calls code that it has written (x86-64), while its mappings grow ten times a second, and keeps
 * addresses of a mapping of 16 TiB on its stack.
 */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static volatile unsigned long sink;

int main(void)
{
    /* mov $100000, %ecx; 1: dec %ecx; jnz 1b; ret */
    static const unsigned char code[] = {0xb9, 0xa0, 0x86, 1, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
    const size_t huge = (size_t)16 << 40;
    volatile uintptr_t words[4] = {0};
    char *jit = mmap(0, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *wide =
        mmap(0, huge, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct timespec now;

    if (jit == MAP_FAILED || wide == MAP_FAILED)
        return 3;
    mprotect(jit, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    memcpy(jit, code, sizeof(code));
    for (uintptr_t n = 0;; n++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        mprotect(jit,
                 ((size_t)now.tv_sec * 10 + (size_t)now.tv_nsec / 100000000) % 200 * 4096 + 4096,
                 PROT_READ | PROT_WRITE | PROT_EXEC);
        words[n % 4] = (uintptr_t)wide + n * 7919 * 4096 % huge;
        ((void (*)(void))jit)();
        sink += words[n % 4];
    }
}
