/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/page_table.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* A word of /proc/PID/pagemap. One that is swapped out is not present. */
#define PAGE_PRESENT (UINT64_C(1) << 63)
#define PAGE_SHARED  (UINT64_C(1) << 61) /* of a file, or of shared memory */

/*
 * Pages that lie so close to each other are asked for together: a word costs the kernel a look at
 * what it knows of the page, a call as much as some twenty words.
 */
#define GAP_MAX   16u
#define WORDS_MAX 64u

/* How many of the pages, from the first on, are asked for together. */
static size_t together(const struct target_page *pages, size_t count)
{
    size_t n = 1;

    while (n < count && pages[n].number - pages[n - 1].number <= GAP_MAX &&
           pages[n].number - pages[0].number < WORDS_MAX)
        n++;
    return n;
}

/* Of what lies beyond all memory nothing is read. */
static bool look(int fd, struct target_page *pages, size_t count)
{
    uint64_t words[WORDS_MAX] = {0};
    const size_t size = (size_t)(pages[count - 1].number - pages[0].number + 1) * sizeof(*words);

    if (pread(fd, words, size, (off_t)(pages[0].number * sizeof(*words))) < 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = words[pages[i].number - pages[0].number];

        pages[i].is_own = word & PAGE_PRESENT && !(word & PAGE_SHARED);
    }
    return true;
}

/*
 * Opened each time: an open file is of the address space that the process had then, which an exec
 * replaces.
 */
static int open_table(pid_t tid)
{
    char path[32];

    snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)tid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

bool page_table_has(pid_t tid, uint64_t addr, size_t size)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), first = addr / page;
    const size_t count = (size_t)((addr + size - 1) / page - first + 1);
    const int fd = count <= WORDS_MAX ? open_table(tid) : -1;
    uint64_t words[WORDS_MAX], all = PAGE_PRESENT;
    ssize_t n;

    if (fd < 0)
        return false;
    n = pread(fd, words, count * sizeof(*words), (off_t)(first * sizeof(*words)));
    close(fd);
    for (size_t i = 0; i < count; i++)
        all &= n == (ssize_t)(count * sizeof(*words)) ? words[i] : 0;
    return all;
}

enum status page_table_own(void *state, pid_t tid, struct target_page *pages, size_t count)
{
    const int fd = open_table(tid);
    bool done = true;

    (void)state;
    if (fd < 0)
        return STATUS_IO;
    for (size_t next = 0; next < count && done;) {
        const size_t n = together(&pages[next], count - next);

        done = look(fd, &pages[next], n);
        next += n;
    }
    close(fd);
    return done ? STATUS_OK : STATUS_IO;
}
