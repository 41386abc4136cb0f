/* SPDX-License-Identifier: MIT */
/*
 * Threads whose innermost frame has the addresses of strings and of other memory: on the heap, in
 * pieces of mappings, and in memory that must be left alone.
 *
 * usage: pointees SECONDS FILE [FILE-OF-A-DEAD-SERVER]
 *
 * FILE is made. A line for each address, "NAME ADDRESS TEXT" (TEXT -: none is to be captured; =:
 * other bytes all the time), and one for each thread, "TID NAME STRING"; then "ready".
 */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "now.h"

#define PAGE     65536u /* a multiple of any page size */
#define POINTERS 120u

static char *pointers[POINTERS];
static unsigned count;
static double end;
static volatile unsigned turns, *counter;

static void add(const char *name, char *addr, const char *text)
{
    if (addr != MAP_FAILED && addr) {
        printf("%s %" PRIxPTR " %s\n", name, (uintptr_t)addr, text);
        pointers[count++] = addr;
    }
}

static void add_text(const char *name, char *addr, const char *text)
{
    if (addr != MAP_FAILED) {
        memcpy(addr, text, strlen(text) + 1);
        add(name, addr, text);
    }
}

static char *map(size_t size, int flags, int fd)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
}

/* Whoever reads a page there waits for ever. */
static char *hanging(void)
{
    struct uffdio_api api = {.api = UFFD_API};
    struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};
    int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    char *memory = map(2 * PAGE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

    memory[PAGE] = 'x';
    range.range.start = (uintptr_t)memory;
    range.range.len = 2 * PAGE;
    return fd >= 0 && ioctl(fd, UFFDIO_API, &api) == 0 && ioctl(fd, UFFDIO_REGISTER, &range) == 0
               ? memory
               : NULL;
}

static void add_all(const char *file, const char *unanswered)
{
    const int anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
    int fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
    char *at;

    if (fd < 0 || ftruncate(fd, 2 * PAGE + 100) != 0)
        exit(1);
    add_text("heap", malloc(64), "a string on the heap");
    add_text("inside", (char *)malloc(64) + 3, "the middle of an object");
    counter = calloc(1, 64);
    add("changing", (char *)(uintptr_t)counter, "=");
    at = map(2 * PAGE, anonymous, -1);
    mprotect(at + PAGE, PAGE, PROT_NONE);
    add_text("last", at + PAGE - 16, "the last bytes.");
    add("behind", at + PAGE, "-");
    at = map(PAGE, anonymous, -1);
    strcpy(at, "no access");
    mprotect(at, PAGE, PROT_NONE);
    add("forbidden", at, "-");
    at = map(PAGE, anonymous, -1);
    munmap(at, PAGE);
    add("unmapped", at, "-");
    add("nowhere", (char *)UINTPTR_MAX - 100, "-");
    add("shared", strcpy(map(PAGE, MAP_SHARED | MAP_ANONYMOUS, -1), "shared"), "-");
    at = map(4 * PAGE, MAP_PRIVATE, fd);
    add_text("written", at, "of a file, and written to");
    turns += (unsigned)at[PAGE];
    add("file's", at + PAGE, "-"); /* in memory, but as it is in the file */
    add("beyond", at + 3 * PAGE, "-");
    add("shared file", map(PAGE, MAP_SHARED, fd), "-");
    add("untouched", map(PAGE, anonymous, -1), "-");
    add("hanging", hanging(), "-");
    if (unanswered)
        add("unanswered", map(PAGE, MAP_PRIVATE, open(unanswered, O_RDONLY)), "-");
    while (count < POINTERS) { /* more than the budget has room for */
        pointers[count] = malloc(200);
        memset(pointers[count++], 'm', 200);
    }
}

/* The frame has the pointers, and the thread's own string. */
__attribute__((noinline)) static void stay(const char *own, bool sleeps)
{
    char *volatile here[POINTERS];

    here[0] = (char *)(uintptr_t)own;
    for (unsigned i = 1; i < POINTERS; i++)
        here[i] = pointers[i - 1];
    while (now() < end) {
        if (sleeps)
            usleep(100000);
        else
            for (unsigned i = 0; i < 100000; i++)
                turns = ++*counter;
    }
    turns += here[POINTERS - 1] != NULL;
}

static char *string_of(const char *name)
{
    char *text = malloc(64);

    snprintf(text, 64, "the string of %s", name);
    printf("%ld %s %s\n", syscall(SYS_gettid), name, text);
    return text;
}

static pthread_barrier_t ready;

static void *work(void *name)
{
    char *own = string_of(name);

    pthread_barrier_wait(&ready);
    stay(own, strcmp(name, "sleeper") == 0);
    return NULL;
}

int main(int argc, char **argv)
{
    static char *names[] = {"runner", "sleeper"};
    pthread_t threads[2];
    char *own;

    if (argc < 3)
        return 2;
    end = now() + atof(argv[1]);
    add_all(argv[2], argc > 3 ? argv[3] : NULL);
    own = string_of("main");
    pthread_barrier_init(&ready, NULL, 3);
    for (unsigned i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, names[i]);
    pthread_barrier_wait(&ready);
    puts("ready");
    fflush(stdout);
    stay(own, false);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
