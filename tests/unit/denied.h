/* SPDX-License-Identifier: MIT */
/*
 * Where hostile bytes are read, what could be done there besides: a test has the function that
 * reads them wrapped by the linker, which tries it in that process, and notes what came of it.
 */
#ifndef TESTS_UNIT_DENIED_H
#define TESTS_UNIT_DENIED_H

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine/sanitizer.h"

/* Of this process and its children. */
static struct denied {
    unsigned readings, done;
} * denied;

static void denied_begin(void)
{
    denied = mmap(NULL, sizeof(*denied), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(denied != MAP_FAILED);
}

/* In the wrapped function. */
static void denied_try(void)
{
    const int fd = open("/dev/null", O_RDONLY), peer = socket(AF_UNIX, SOCK_STREAM, 0);
    const pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    denied->readings++;
    denied->done += (unsigned)((fd >= 0) + (peer >= 0) + (pid > 0) + (kill(1, 0) == 0));
    if (fd >= 0)
        close(fd);
    if (peer >= 0)
        close(peer);
}

/* In a build with sanitizers, and by an emulator without seccomp, system calls are not filtered. */
static void denied_check(unsigned readings)
{
    assert_int_equal(denied->readings, readings);
    if (!SANITIZED && prctl(PR_GET_SECCOMP) >= 0)
        assert_int_equal(denied->done, 0);
    munmap(denied, sizeof(*denied));
}

#endif
