/* SPDX-License-Identifier: MIT */
#include "unit_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/write_all.h"

enum { SIZE = 1 << 20 }; /* more than a pipe has room for */

/* Reads to the end of the pipe; status 0 if `SIZE` bytes of 7 came. */
static pid_t start_reader(const int pipe_fd[2])
{
    const pid_t pid = fork();
    size_t count = 0;
    char byte;

    if (pid != 0)
        return pid;
    close(pipe_fd[1]);
    usleep(20000); /* so that the pipe is full for a while */
    while (read(pipe_fd[0], &byte, 1) == 1 && byte == 7)
        count++;
    _exit(count != SIZE);
}

static void check_all_arrives(int flags)
{
    static char bytes[SIZE];
    int pipe_fd[2], status;
    pid_t reader;

    memset(bytes, 7, sizeof(bytes));
    assert_int_equal(pipe(pipe_fd), 0);
    assert_int_equal(fcntl(pipe_fd[1], F_SETFL, flags), 0);
    reader = start_reader(pipe_fd);
    assert_true(reader > 0);
    close(pipe_fd[0]);
    assert_true(write_all(pipe_fd[1], bytes, sizeof(bytes)));
    close(pipe_fd[1]);
    assert_int_equal(waitpid(reader, &status, 0), reader);
    assert_int_equal(status, 0);
}

TEST(write_all_writes_what_a_pipe_takes_in_pieces)
{
    check_all_arrives(0);
}

TEST(write_all_waits_where_the_descriptor_does_not_block)
{
    check_all_arrives(O_NONBLOCK);
}

TEST(write_all_says_why_it_could_not)
{
    int pipe_fd[2];

    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(pipe_fd), 0);
    close(pipe_fd[0]);
    assert_false(write_all(pipe_fd[1], "x", 1));
    assert_int_equal(errno, EPIPE);
    close(pipe_fd[1]);
}
