/* SPDX-License-Identifier: MIT */
#include <sys/syscall.h>

#include "unit_test.h"
#include "arch/capture.h"

static int form_of(const struct arch *arch, int64_t number)
{
    enum syscall call = syscall_find(arch->syscalls, number);

    return syscall_flags(call) & CALL_CAPTURED ? (int)syscall_form(call) : -1;
}

static bool returns_eintr(const struct arch *arch, int64_t number)
{
    return syscall_flags(syscall_find(arch->syscalls, number)) & CALL_EINTR;
}

TEST(syscall_numbers_are_all_set_and_distinct)
{
    for (unsigned id = 0; id < ARCH_COUNT; id++) {
        const struct syscall_numbers *numbers = arch_get((enum arch_id)id)->syscalls;

        for (unsigned i = 0; i < CALL_COUNT; i++) {
            assert_int_not_equal(numbers->of[i], 0); /* NR_NONE where there is none */
            for (unsigned k = 0; k < i; k++)
                assert_true(numbers->of[i] == NR_NONE || numbers->of[i] != numbers->of[k]);
        }
    }
}

TEST(syscall_find_is_the_inverse_of_number)
{
    for (unsigned id = 0; id < ARCH_COUNT; id++) {
        const struct syscall_numbers *numbers = arch_get((enum arch_id)id)->syscalls;

        for (unsigned i = 0; i < CALL_COUNT; i++) {
            int number = syscall_number(numbers, (enum syscall)i);

            if (number >= 0)
                assert_int_equal(syscall_find(numbers, number), i);
        }
        assert_int_equal(syscall_find(numbers, -1), CALL_COUNT);
        assert_int_equal(syscall_find(numbers, NR_NONE), CALL_COUNT);
        assert_int_equal(syscall_find(numbers, NR_NONE - 1), CALL_COUNT);
        assert_int_equal(syscall_find(numbers, INT64_MAX), CALL_COUNT);
    }
}

TEST(syscall_forms_of_calls_that_wait_are_known)
{
    static const int futexes[] = {202, 240, 240, 98, 98, 422};
    static const int polls[] = {271, 309, 336, 73, 73, 414};
    const struct arch *host = arch_capture_host()->arch;

    for (unsigned id = 0; id < ARCH_COUNT; id++) {
        const struct arch *arch = arch_get((enum arch_id)id);

        assert_int_equal(form_of(arch, futexes[id]), FORM_FUTEX);
        assert_int_equal(form_of(arch, polls[id]), FORM_POLL);
        assert_int_equal(form_of(arch, 441), FORM_FD); /* epoll_pwait2 */
    }
    assert_int_equal(form_of(host, SYS_futex), FORM_FUTEX);
    assert_int_equal(form_of(host, SYS_ppoll), FORM_POLL);
    assert_int_equal(form_of(host, SYS_pselect6), FORM_SELECT);
    assert_int_equal(form_of(host, SYS_read), FORM_FD);
    assert_int_equal(form_of(host, SYS_recvfrom), FORM_FD);
    assert_int_equal(form_of(host, SYS_accept4), FORM_FD);
    assert_int_equal(form_of(host, SYS_epoll_pwait), FORM_FD);
    assert_int_equal(form_of(host, SYS_flock), FORM_FD);
    assert_int_equal(form_of(host, SYS_pwritev2), FORM_FD);
    assert_int_equal(form_of(host, SYS_close), -1);
    assert_int_equal(form_of(host, SYS_mq_timedreceive), -1);
}

TEST(syscall_calls_that_a_stop_makes_fail_are_known)
{
    const struct arch *host = arch_capture_host()->arch;

    assert_true(returns_eintr(host, SYS_read));
    assert_true(returns_eintr(host, SYS_epoll_pwait));
    assert_true(returns_eintr(host, SYS_rt_sigtimedwait));
    assert_false(returns_eintr(host, SYS_futex));
    assert_false(returns_eintr(host, SYS_ppoll));
    assert_true(returns_eintr(&arch_i386, 102)); /* socketcall */
    assert_true(returns_eintr(&arch_i386, 117)); /* ipc */
    assert_false(returns_eintr(&arch_arm, 117));
    assert_false(returns_eintr(host, -1));
}
