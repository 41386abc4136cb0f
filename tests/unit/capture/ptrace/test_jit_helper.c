/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/jit_helper.h"

#include <sys/socket.h>

#include "base/helper.h"
#include "base/pass_fd.h"
#include "chroot_fixture.h"
#include "unit_test.h"

/* GDB's JIT interface: only in the symbol table of this program's file. */
struct descriptor {
    uint32_t version, action;
    void *relevant, *first;
};
static volatile struct descriptor __jit_debug_descriptor __attribute__((used)) = {.version = 1};

/* Returns how many descriptors the helper finds in the process's files. */
static uint32_t watched_in(pid_t pid)
{
    const struct helper_tie tie = {.parent_end = SIGKILL};
    const struct jit_question question = {.pid = pid, .tid = pid, .program = 1, .kind = JIT_BEGIN};
    struct jit_answer answer;
    struct helper helper;
    char path[32];
    int memory, fd;

    snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
    memory = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(memory >= 0);
    assert_int_equal(helper_start(&helper, SOCK_SEQPACKET, &tie, jit_helper_run, NULL), STATUS_OK);
    assert_true(pass_send(helper.fd, &question, sizeof(question), memory, 0));
    close(memory);
    assert_int_equal(pass_receive(helper.fd, &answer, sizeof(answer), 0, &fd), sizeof(answer));
    assert_true(answer.is_done);
    close(helper.fd);
    waitpid(helper.pid, NULL, 0);
    return answer.watched;
}

TEST_OF(jit_helper_follows_absolute_links_in_the_process_s_root, chroot_process, p)
{
    if (!p->is_there)
        skip();
    assert_int_equal(watched_in(p->pid), 1);
}
