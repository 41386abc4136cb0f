/* SPDX-License-Identifier: MIT */
/* A helper has only what it is given, and ends with its parent. */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
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

/* Then the helper cannot see its parent, whose PID is 0 there. */
TEST(helper_start_serves_in_another_pid_namespace)
{
    const struct helper_tie tie = {.parent_end = SIGKILL};
    struct helper helper;
    int status;
    char byte = 0;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        if (unshare(CLONE_NEWPID) != 0)
            _exit(2); /* not permitted */
        if (helper_start(&helper, SOCK_SEQPACKET, &tie, tell_byte, NULL) != STATUS_OK)
            _exit(1);
        _exit(recv(helper.fd, &byte, 1, 0) == 1 && byte == 'x' ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 2)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}
