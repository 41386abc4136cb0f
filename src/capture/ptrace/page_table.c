/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/page_table.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Bits of a word of /proc/PID/pagemap. A swapped-out page is not present. */
#define PAGE_PRESENT (UINT64_C(1) << 63)
#define PAGE_SHARED  (UINT64_C(1) << 61) /* of a file, or of shared memory */

/*
 * Pages at most this far apart are asked for together: a word costs the kernel a look at the page,
 * a call as much as some twenty words.
 */
#define GAP_MAX   16u
#define WORDS_MAX 64u

/* Returns how many pages, from the first on, to ask for together. */
static size_t together(const struct target_page *pages, size_t count)
{
    size_t n = 1;

    while (n < count && pages[n].number - pages[n - 1].number <= GAP_MAX &&
           pages[n].number - pages[0].number < WORDS_MAX)
        n++;
    return n;
}

/* Reads the pages' words; beyond all memory there are none. */
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

/* Opened each time: an open file stays that of the address space before an exec. */
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
