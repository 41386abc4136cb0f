/* SPDX-License-Identifier: MIT */
/* Files on which another process has a lease: opening them may wait for 45 seconds. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/in_file.h"
#include "base/root_file.h"
#include "unit_test.h"

static char path[] = "/tmp/test_in_file-XXXXXX";
static pid_t holder;
static bool has_lease;

/* The holder's process, which keeps the lease when asked to give it up. */
static void hold(int ready)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGIO, SIG_IGN);
    if (fd < 0 || fcntl(fd, F_SETLEASE, F_WRLCK) != 0)
        _exit(1);
    (void)!write(ready, "x", 1);
    for (;;)
        pause();
}

static int make_lease(void **state)
{
    char bytes[64] = "";
    int fd = mkstemp(path), ready[2];

    (void)state;
    if (fd < 0 || write(fd, bytes, sizeof(bytes)) != (ssize_t)sizeof(bytes) || close(fd) != 0 ||
        pipe(ready) != 0)
        return -1;
    holder = fork();
    if (holder == 0)
        hold(ready[1]);
    close(ready[1]);
    fd = (int)read(ready[0], bytes, 1);
    close(ready[0]);
    has_lease = fd == 1; /* the kernel or the file system may have none */
    return 0;
}

static int end_lease(void **state)
{
    (void)state;
    kill(holder, SIGKILL);
    waitpid(holder, NULL, 0);
    return unlink(path);
}

TEST_WITH(in_file_does_not_wait_for_a_lease, make_lease, end_lease)
{
    if (!has_lease)
        skip();
    alarm(20); /* the kernel waits for 45 s */
    assert_int_equal(in_file_open(path), -1);
    assert_int_equal(errno, EWOULDBLOCK);
    assert_int_equal(root_file_open(AT_FDCWD, path), -1);
    assert_int_equal(errno, EWOULDBLOCK);
    alarm(0);
}
