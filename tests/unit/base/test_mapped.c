/* SPDX-License-Identifier: MIT */
#include "unit_test.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mapped.h"

#define PAGES 4

static size_t page; /* set by map_pages() */

static void *map_pages(int *fd)
{
    char path[] = "/tmp/cg-mapped-XXXXXX";
    void *bytes;

    page = (size_t)sysconf(_SC_PAGESIZE);
    *fd = mkstemp(path);
    assert_true(*fd >= 0);
    unlink(path);
    for (size_t i = 0; i < PAGES * page; i += 4)
        assert_int_equal(write(*fd, "full", 4), 4);
    bytes = mmap(NULL, PAGES * page, PROT_READ, MAP_PRIVATE, *fd, 0);
    assert_true(bytes != MAP_FAILED);
    return bytes;
}

/* How a child ends that touches the third page of a file cut to one; `added`: it is guarded. */
static int child_status(bool added)
{
    int fd, status;
    pid_t pid;
    volatile uint8_t *bytes = map_pages(&fd);

    pid = fork();
    if (pid == 0) {
        signal(SIGBUS, SIG_DFL); /* not the test library's */
        mapped_guard();
        if (added)
            mapped_add((const void *)bytes, PAGES * page - 100, "a file");
        mapped_remove(added ? NULL : (const void *)bytes);
        (void)!ftruncate(fd, (off_t)page);
        /* Behind the file's end, but in its last page. */
        if (bytes[4 * page - 1] != 0 || bytes[2 * page] != 0 || bytes[0] != 'f')
            _exit(1);
        if (!mapped_cut() || strcmp(mapped_cut(), "a file") != 0)
            _exit(2);
        /* Pages before the one that was touched first are gone as well. */
        _exit(bytes[page] != 0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    munmap((void *)(uintptr_t)bytes, PAGES * page);
    close(fd);
    return status;
}

TEST(zeroes_take_the_place_of_what_is_gone)
{
    assert_int_equal(child_status(true), 0);
}

TEST(other_faults_stay_what_they_are)
{
    int status = child_status(false);

    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGBUS);
}

TEST(a_signal_that_was_sent_ends_the_program)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        signal(SIGBUS, SIG_DFL);
        mapped_guard();
        kill(getpid(), SIGBUS);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGBUS);
}

TEST(a_whole_file_is_left_alone)
{
    int fd;
    const uint8_t *bytes = map_pages(&fd);

    mapped_guard();
    mapped_add(bytes, PAGES * page, "whole");
    assert_memory_equal(bytes + PAGES * page - 4, "full", 4);
    assert_null(mapped_cut());
    mapped_remove(bytes);
    munmap((void *)(uintptr_t)bytes, PAGES * page);
    close(fd);
}
