/* SPDX-License-Identifier: MIT */
/* A helper has only what it is given, and ends with its parent. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit_test.h"
#include "base/helper.h"

struct facts {
    pid_t group;
    bool has_kept, has_other, ignores_pipe;
};

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

struct given {
    int kept, other;
};

static void tell_facts(void *context, int socket)
{
    const struct given *given = context;
    struct sigaction action;
    struct facts facts = {.group = getpgrp(),
                          .has_kept = is_open(given->kept),
                          .has_other = is_open(given->other)};

    sigaction(SIGPIPE, NULL, &action);
    facts.ignores_pipe = action.sa_handler == SIG_IGN;
    (void)!send(socket, &facts, sizeof(facts), MSG_NOSIGNAL);
}

static struct facts start_and_ask(bool keeps_all)
{
    struct given given = {.kept = dup(STDERR_FILENO), .other = dup(STDERR_FILENO)};
    const struct helper_tie tie = {.keep = &given.kept, .keep_count = 1, .keeps_all = keeps_all};
    struct facts facts = {.group = 0};
    struct helper helper;
    int status;

    assert_int_equal(helper_start(&helper, SOCK_SEQPACKET, &tie, tell_facts, &given), STATUS_OK);
    assert_int_equal(recv(helper.fd, &facts, sizeof(facts), 0), sizeof(facts));
    assert_int_equal(recv(helper.fd, &status, sizeof(status), 0), 0); /* the end */
    assert_int_equal(waitpid(helper.pid, &status, 0), helper.pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(facts.group, helper.pid);
    close(helper.fd);
    close(given.kept);
    close(given.other);
    return facts;
}

TEST(helper_start_keeps_given_descriptors_only)
{
    const struct facts facts = start_and_ask(false);

    assert_true(facts.has_kept);
    assert_false(facts.has_other);
    assert_true(facts.ignores_pipe);
}

/* Makes the kernel one before Linux 5.9 for this process. */
static bool forbid_close_range(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {.len = sizeof(code) / sizeof(code[0]), .filter = code};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 &&
           syscall(SYS_close_range, 1000, 1000, 0) < 0;
}

#define HIGH_FD 2000 /* above FD_SETSIZE */

static void tell_high_one(void *context, int socket)
{
    const char byte = is_open(HIGH_FD) ? 'o' : 'c';

    (void)context;
    (void)!send(socket, &byte, 1, MSG_NOSIGNAL);
}

enum { SKIPPED = 2 };

/* Returns the status of a process that runs `test`. */
static int status_of(int (*test)(void))
{
    const pid_t pid = fork();
    int status;

    assert_true(pid >= 0);
    if (pid == 0)
        _exit(test());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == SKIPPED)
        skip();
    return WEXITSTATUS(status);
}

static int start_without_close_range(void)
{
    const struct helper_tie tie = {.parent_end = SIGKILL};
    struct rlimit files;
    struct helper helper;
    char byte = 0;

    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    if (dup2(STDERR_FILENO, HIGH_FD) < 0 || !forbid_close_range())
        return SKIPPED;
    if (helper_start(&helper, SOCK_SEQPACKET, &tie, tell_high_one, NULL) != STATUS_OK)
        return 1;
    return recv(helper.fd, &byte, 1, 0) != 1 || byte != 'c';
}

TEST(helper_start_on_an_old_kernel_closes_high_descriptors)
{
    assert_int_equal(status_of(start_without_close_range), 0);
}

static void serve_nothing(void *unused, int socket)
{
    (void)unused, (void)socket;
}

/* Tries to start one; 0: that failed with `error`, and left nothing open. */
static int fails_with(int error)
{
    const struct helper_tie tie = {.parent_end = SIGKILL};
    struct helper helper = {.pid = -7, .fd = -7};
    const int next = dup(STDERR_FILENO);

    close(next);
    errno = 0;
    if (helper_start(&helper, SOCK_SEQPACKET, &tie, serve_nothing, NULL) != STATUS_IO ||
        errno != error || helper.pid != -7 || helper.fd != -7)
        return 1;
    return is_open(next);
}

static int start_without_descriptors(void)
{
    struct rlimit files;

    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = (rlim_t)dup(STDERR_FILENO) + 2; /* one of two is left */
    setrlimit(RLIMIT_NOFILE, &files);
    return fails_with(EMFILE);
}

TEST(helper_start_without_descriptors_fails_and_leaves_none)
{
    assert_int_equal(status_of(start_without_descriptors), 0);
}

/* The limit does not count for root, so root becomes a user who runs nothing else. */
static int start_without_processes(void)
{
    const struct rlimit none = {0};

    if (geteuid() == 0 && setuid(54321) != 0)
        return SKIPPED;
    setrlimit(RLIMIT_NPROC, &none);
    return fails_with(EAGAIN);
}

TEST(helper_start_without_processes_fails_and_leaves_nothing_open)
{
    assert_int_equal(status_of(start_without_processes), 0);
}

TEST(helper_start_keeps_all_if_asked)
{
    const struct facts facts = start_and_ask(true);

    assert_true(facts.has_kept);
    assert_true(facts.has_other);
}

/* A parent in between starts a helper that waits for ever, and ends. */
TEST(helper_fork_ends_with_parent)
{
    struct pollfd poll_fd = {.events = POLLIN};
    int ends[2];
    pid_t parent;

    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        const struct helper_tie tie = {.keep = &ends[1], .keep_count = 1, .parent_end = SIGKILL};

        if (helper_fork(&tie) == 0) {
            alarm(60); /* if the signal does not come */
            for (;;)
                pause();
        }
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    poll_fd.fd = ends[0];
    assert_int_equal(poll(&poll_fd, 1, 20000), 1); /* its end of the pipe is closed */
    assert_int_equal(read(ends[0], ends, 1), 0);
    close(ends[0]);
}

static void tell_byte(void *unused, int socket)
{
    (void)unused;
    (void)!send(socket, "x", 1, MSG_NOSIGNAL);
}

static int start_in_another_pid_namespace(void)
{
    const struct helper_tie tie = {.parent_end = SIGKILL};
    struct helper helper;
    char byte = 0;

    if (unshare(CLONE_NEWPID) != 0)
        return SKIPPED; /* not permitted */
    if (helper_start(&helper, SOCK_SEQPACKET, &tie, tell_byte, NULL) != STATUS_OK)
        return 1;
    return recv(helper.fd, &byte, 1, 0) != 1 || byte != 'x';
}

/* Then the helper cannot see its parent, whose PID is 0 there. */
TEST(helper_start_serves_in_another_pid_namespace)
{
    assert_int_equal(status_of(start_in_another_pid_namespace), 0);
}
