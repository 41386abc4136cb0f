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
enum status page_table_own(void *state, pid_t tid, struct target_page *pages, size_t count)
{
    bool done = true;
    char path[32];
    int fd;

    (void)state;
    snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)tid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
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
