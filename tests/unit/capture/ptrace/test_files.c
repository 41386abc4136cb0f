/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/files.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

#include "chroot_fixture.h"
#include "unit_test.h"

static bool is_replaced(const struct chroot_process *p, const char *path)
{
    const struct exec_map map = {.inode = p->st.st_ino, .dev = p->st.st_dev};
    struct files *files = files_start();
    struct file_facts facts;

    assert_non_null(files);
    assert_true(files_ask(files, p->pid, &map, path, FILE_WANTS_PLACE, &facts));
    files_destroy(files);
    return facts.is_replaced;
}

TEST_OF(files_follows_absolute_links_in_the_process_s_root, chroot_process, p)
{
    char path[96];

    if (!p->is_there)
        skip();
    assert_int_equal(symlinkat("/inside", AT_FDCWD, chroot_below(p, "root/link")), 0);
    snprintf(path, sizeof(path), "/link%s/real/file", p->top);
    assert_false(is_replaced(p, path));
}

TEST_OF(files_follows_no_link_out_of_the_process_s_root, chroot_process, p)
{
    if (!p->is_there)
        skip();
    assert_true(is_replaced(p, "/out/file"));
}

/* Reads the first child's PID of `pid`; 0: the kernel does not tell. */
static pid_t child_of(pid_t pid)
{
    char path[64];
    FILE *file;
    int child = 0;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
    file = fopen(path, "re");
    if (file && fscanf(file, "%d", &child) != 1)
        child = 0;
    if (file)
        fclose(file);
    return child;
}

/* A process in between starts the helper and ends; this one inherits the helper. */
static pid_t start_apart(int *go)
{
    int ready[2], ends[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[1]);
        byte = files_start() != NULL;
        (void)!write(ready[1], &byte, 1);
        (void)!read(ends[0], &byte, 1);
        _exit(0);
    }
    close(ends[0]);
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    assert_true(byte);
    *go = ends[1];
    return pid;
}

/* As one that a file system holds: it sees no end of its socket. */
TEST(files_helper_that_is_stuck_ends_with_its_parent)
{
    const struct timespec most = {.tv_sec = 20};
    sigset_t ends;
    pid_t parent, helper;
    int go, status = 0;

    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    parent = start_apart(&go);
    helper = child_of(parent);
    if (!helper)
        skip();
    assert_int_equal(kill(helper, SIGSTOP), 0);
    close(go);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    while (waitpid(helper, &status, WNOHANG) == 0 && sigtimedwait(&ends, NULL, &most) > 0)
        ;
    kill(helper, SIGKILL); /* if it was not */
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}
