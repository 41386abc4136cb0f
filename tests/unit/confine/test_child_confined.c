/* SPDX-License-Identifier: MIT */
/* What a process that reads in our place cannot do: confine/child.c */
#include "unit_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared_fixture.h"
#include "base/clock.h"
#include "confine/sanitizer.h"
#include "confine/child.h"

static const struct child_limits limits = {.memory = UINT64_C(64) << 20, .seconds = 10};

#if !SANITIZED /* there is no filter of system calls */
/* The errno, or 0 where it was done. */
static int32_t tried(long result)
{
    return result >= 0 ? 0 : errno;
}

/* What somebody would try who has taken the process over. */
static size_t misbehave(int in, int32_t *results)
{
    static char *const arguments[] = {"/bin/true", NULL};
    const size_t page = 4096;
    size_t n = 0;
    char byte = 0;

    results[n++] = tried(open("/etc/passwd", O_RDONLY));
    results[n++] = tried(syscall(SYS_openat, AT_FDCWD, "/tmp/x", O_CREAT | O_WRONLY, 0600));
    results[n++] = tried(socket(AF_INET, SOCK_STREAM, 0));
    results[n++] = tried(fork());
    results[n++] = tried(execv(arguments[0], arguments));
    results[n++] = tried(kill(getppid(), 0));
    results[n++] = tried(kill(1, 0));
    results[n++] = tried(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    results[n++] = tried(dup(in));
    results[n++] = tried(pipe((int[2]){0}));
    results[n++] = tried(write(2, &byte, 1));
    results[n++] = tried(write(in, &byte, 1));
    results[n++] = tried(
        mmap(NULL, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
            ? -1
            : 0);
    results[n++] = tried(mmap(NULL, page, PROT_READ, MAP_PRIVATE, in, 0) == MAP_FAILED ? -1 : 0);
    results[n++] = tried(mprotect((void *)((uintptr_t)&limits & ~(page - 1)), page,
                                  PROT_READ | PROT_WRITE | PROT_EXEC));
    results[n++] = tried(setrlimit(RLIMIT_AS, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}));
    results[n++] = tried(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
    results[n++] = tried(syscall(SYS_prctl, 1, 0, 0, 0, 0));
    return n;
}

#define TRIED 18

static void serve_misbehaving(void *context, const struct child *parent, int in, int out)
{
    int32_t results[TRIED + 1] = {0};

    (void)context;
    (void)parent;
    results[TRIED] = (int32_t)misbehave(in, results);
    _exit(write(out, results, sizeof(results)) != sizeof(results));
}

TEST(child_that_tries_what_it_may_not_cannot)
{
    int32_t results[TRIED + 1];
    struct child child = {0};

    assert_int_equal(child_start(&child, &limits, serve_misbehaving, NULL), STATUS_OK);
    assert_int_equal(child_receive(&child, results, sizeof(results), child_wait_begin(10)),
                     STATUS_OK);
    child_end(&child);
    assert_int_equal(results[TRIED], TRIED);
    for (size_t i = 0; i < TRIED; i++)
        assert_int_equal(results[i], EPERM);
}
#endif

static void serve_memory(void *context, const struct child *parent, int in, int out)
{
    size_t size = 0;

    (void)context;
    (void)parent;
    (void)in;
    for (; size < (size_t)1 << 30; size += 1 << 20) {
        void *memory =
            mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (memory == MAP_FAILED)
            break;
    }
    _exit(write(out, &size, sizeof(size)) != sizeof(size));
}

TEST(child_has_about_the_memory_it_is_given)
{
    struct child child = {0};
    size_t size;

    assert_int_equal(child_start(&child, &limits, serve_memory, NULL), STATUS_OK);
    assert_int_equal(child_receive(&child, &size, sizeof(size), child_wait_begin(10)), STATUS_OK);
    child_end(&child);
    assert_in_range(size, 56 << 20, 66 << 20);
}

static void serve_nothing(void *context, const struct child *parent, int in, int out)
{
    volatile bool forever = true;

    (void)context;
    (void)in;
    (void)out;
    *(volatile char *)parent->notes = 7;
    while (forever)
        ;
}

TEST(child_that_never_answers_is_given_up_and_ended)
{
    struct child child = {0};
    const int64_t began = clock_now_ms();
    char byte;

    assert_int_equal(child_start(&child, &limits, serve_nothing, NULL), STATUS_OK);
    assert_int_equal(child_receive(&child, &byte, 1, child_wait_begin(1)), STATUS_END);
    assert_in_range(clock_now_ms() - began, 900, 8000);
    child_kill(&child);
    assert_int_equal(*(char *)child.notes, 7);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
    assert_int_equal(errno, ECHILD);
    child_end(&child);
}

static void serve_end(void *context, const struct child *parent, int in, int out)
{
    (void)context;
    (void)parent;
    (void)in;
    (void)out;
    abort();
}

TEST(child_that_died_is_no_reason_to_be_killed)
{
    static const char much[1 << 20];
    struct child child = {0};
    char byte;

    assert_int_equal(child_start(&child, &limits, serve_end, NULL), STATUS_OK);
    assert_int_equal(child_receive(&child, &byte, 1, child_wait_begin(10)), STATUS_END);
    assert_int_equal(child_send(&child, much, sizeof(much), child_wait_begin(10)), STATUS_END);
    child_end(&child);
}

static void serve_text(void *context, const struct child *parent, int in, int out)
{
    (void)parent;
    (void)in;
    child_return(out, STATUS_UNSUPPORTED, context, strlen(context));
}

TEST(child_shares_its_notes_with_no_later_child)
{
    const int before = shared_count();
    struct child child = {0};

    for (int start = 0; start < 2; start++) {
        assert_int_equal(child_start(&child, &limits, serve_nothing, NULL), STATUS_OK);
        assert_int_equal(shared_count(), before + 1);
        assert_int_equal(shared_count_of_child(), before);
        child_kill(&child);
    }
    child_end(&child);
    assert_int_equal(shared_count(), before);
}

TEST(child_that_computes_gives_its_status_and_bytes)
{
    uint8_t *bytes;
    size_t size;

    assert_int_equal(child_compute(&limits, child_wait_begin(10), serve_text, (char *)"a result", 8,
                                   &bytes, &size),
                     STATUS_UNSUPPORTED);
    assert_int_equal(size, 8);
    assert_memory_equal(bytes, "a result", 8);
    free(bytes);
    assert_int_equal(child_compute(&limits, child_wait_begin(10), serve_text, (char *)"too long", 7,
                                   &bytes, &size),
                     STATUS_BAD_DATA);
    assert_int_equal(size, 0);
    free(bytes);
}

/* end_fd is readable from the beginning: the other end of its pipe is closed. */
TEST(child_that_hangs_is_ended_by_a_descriptor)
{
    struct child_wait wait = child_wait_begin(600);
    uint8_t *bytes;
    size_t size;
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    close(ends[1]);
    wait.end_fd = ends[0];
    assert_int_equal(child_compute(&limits, wait, serve_nothing, NULL, 8, &bytes, &size),
                     STATUS_BAD_DATA);
    assert_null(bytes);
    close(ends[0]);
    assert_in_range(clock_now_ms(), 0, wait.deadline_ms - 590000);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
}

TEST(child_that_dies_computes_nothing)
{
    uint8_t *bytes;
    size_t size;

    assert_int_equal(child_compute(&limits, child_wait_begin(10), serve_end, NULL, 8, &bytes,
                                   &size),
                     STATUS_BAD_DATA);
    assert_int_equal(size, 0);
    free(bytes);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
}
