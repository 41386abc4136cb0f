/* SPDX-License-Identifier: MIT */
/*
 * Code that is made at run time where other code was, and code beside what calls have left behind;
 * x86-64 machine code, busy by itself.
 *
 * usage: made_anew SECONDS anew MAP | record
 *   anew     for half of the time "made first", then "made second" at its address, told in MAP:
 *            main < enter < one of them. Their frames have different sizes.
 *   record   keeps a frame record: main < work < enter < made. Below it is what a call has left
 *            behind that had called through a pointer, as whoever enters made code does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "now.h"

#define NOINLINE __attribute__((noinline))

/* push %rbx; sub $0x100,%rsp; mov %edi,%ecx; 1: dec %ecx; jnz 1b; add $0x100,%rsp; pop %rbx; ret */
static const unsigned char first[] = {0x53, 0x48, 0x81, 0xec, 0x00, 0x01, 0x00, 0x00,
                                      0x89, 0xf9, 0xff, 0xc9, 0x75, 0xfc, 0x48, 0x81,
                                      0xc4, 0x00, 0x01, 0x00, 0x00, 0x5b, 0xc3};
/* sub $0x28,%rsp; nop …; mov %edi,%ecx; 1: dec %ecx; jnz 1b; add $0x28,%rsp; ret */
static const unsigned char second[] = {0x48, 0x83, 0xec, 0x28, 0x90, 0x90, 0x90, 0x90, 0x89, 0xf9,
                                       0xff, 0xc9, 0x75, 0xfc, 0x48, 0x83, 0xc4, 0x28, 0xc3};
/* push %rbp; mov %rsp,%rbp; sub $0x200,%rsp; mov %edi,%ecx; 1: dec %ecx; jnz 1b; leave; ret */
static const unsigned char record[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x81, 0xec, 0x00, 0x02, 0x00,
                                       0x00, 0x89, 0xf9, 0xff, 0xc9, 0x75, 0xfc, 0xc9, 0xc3};

typedef void made_fn(int n);

static unsigned char *code;
static volatile int sink;

static NOINLINE void leaf(int n)
{
    sink += n;
}

static made_fn *volatile pointer = leaf;

static NOINLINE void left_behind(int n)
{
    volatile char pad[64];

    pad[n & 63] = 2;
    pointer(n);
    sink += pad[n & 63];
}

static NOINLINE void enter(int n)
{
    made_fn *made;
    volatile char pad[16];

    pad[n & 15] = 1;
    left_behind(n);
    memcpy(&made, &code, sizeof(made));
    made(n);
    sink += pad[n & 15];
}

static NOINLINE void work(int n)
{
    enter(n);
    sink++;
}

static void make(const unsigned char *bytes, size_t size, const char *name, FILE *map)
{
    memcpy(code, bytes, size);
    if (!map)
        return;
    fprintf(map, "%zx %zx %s\n", (size_t)code, size, name);
    fflush(map);
}

int main(int argc, char **argv)
{
    FILE *map = argc > 3 ? fopen(argv[3], "w") : NULL;
    const double begin = now(), seconds = argc > 2 ? atof(argv[1]) : 0;
    int is_second = 0;

    code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED || seconds <= 0)
        return 1;
    if (strcmp(argv[2], "anew") == 0)
        make(first, sizeof(first), "made first", map);
    else
        make(record, sizeof(record), "made", map);
    puts("ready");
    fflush(stdout);
    while (now() < begin + seconds) {
        if (map && !is_second && now() > begin + seconds / 2) {
            make(second, sizeof(second), "made second", map);
            is_second = 1;
        }
        work(10000000);
    }
    return 0;
}
