/* SPDX-License-Identifier: MIT */
#include "unit_test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process_ref.h"

/* Of a child that waits for a signal. */
static struct process_ref refer_to_child(bool by_pidfd)
{
    pid_t pid = fork();
    struct process_ref ref;

    if (pid == 0)
        for (;;)
            pause();
    assert_true(pid > 0);
    ref = process_ref_open(pid);
    assert_int_equal(ref.pid, pid);
    if (!by_pidfd && ref.pidfd >= 0) {
        close(ref.pidfd);
        ref.pidfd = -1;
    }
    return ref;
}

TEST(process_is_signalled_until_it_has_ended)
{
    for (int by_pidfd = 0; by_pidfd < 2; by_pidfd++) {
        struct process_ref ref = refer_to_child(by_pidfd);
        int status;

        assert_true(process_ref_signal(&ref, 0));
        assert_true(process_ref_signal(&ref, SIGTERM));
        assert_int_equal(waitpid(ref.pid, &status, 0), ref.pid);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
        assert_false(process_ref_signal(&ref, 0));
        process_ref_close(&ref);
        assert_false(process_ref_signal(&ref, 0));
    }
}

/* As if the number had been given to another one: what is there began at another time. */
TEST(other_process_of_the_number_is_left_alone)
{
    struct process_ref ref = refer_to_child(false);
    struct process_ref before = ref;

    before.start_ticks--;
    assert_false(process_ref_signal(&before, SIGKILL));
    assert_true(process_ref_signal(&ref, SIGKILL));
    assert_int_equal(waitpid(ref.pid, NULL, 0), ref.pid);
}

TEST(nobody_is_signalled_by_no_number)
{
    struct process_ref ref = process_ref_open(0);

    assert_false(process_ref_signal(&ref, 0));
    process_ref_close(&ref);
}
