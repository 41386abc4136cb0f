/* SPDX-License-Identifier: MIT */
#include "base/procfs.h"

#include <string.h>

#include <grp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit_test.h"

static bool parse_stat(const char *text, struct proc_stat *out)
{
    return proc_parse_stat(text, strlen(text), out);
}

#define STAT_TAIL " 17 18 19 20 21 4194560 22 23 24 25 26 27 28 29 30 31 32 33 123456 34 35"

TEST(stat_ordinary_line_is_parsed)
{
    struct proc_stat stat;

    assert_true(parse_stat("77 (cat) S" STAT_TAIL, &stat));
    assert_string_equal(stat.name, "cat");
    assert_int_equal(stat.state, 'S');
    assert_int_equal(stat.parent_pid, 17);
    assert_int_equal(stat.flags, 4194560);
    assert_int_equal(stat.start_ticks, 123456);
    assert_int_equal(stat.cpu_ticks, 26 + 27);
    assert_int_equal(stat.cpu, -1); /* as Linux 2.2 wrote it */
}

TEST(stat_tells_the_cpu)
{
    struct proc_stat stat;

    assert_true(
        parse_stat("77 (cat) S" STAT_TAIL " 36 37 38 39 40 41 42 43 44 45 46 47 48 -1 3 0", &stat));
    assert_int_equal(stat.cpu, 3);
}

TEST(stat_name_with_parentheses_ends_at_the_last)
{
    struct proc_stat stat;

    assert_true(parse_stat("77 (a) R 1 (b) D" STAT_TAIL, &stat));
    assert_string_equal(stat.name, "a) R 1 (b");
    assert_int_equal(stat.state, 'D');
    assert_int_equal(stat.parent_pid, 17);
}

TEST(stat_long_name_is_cut)
{
    struct proc_stat stat;

    assert_true(parse_stat("77 (0123456789abcdefXYZ) D" STAT_TAIL, &stat));
    assert_string_equal(stat.name, "0123456789abcde");
}

TEST(stat_every_cut_of_a_line_is_refused)
{
    static const char line[] = "77 (cat) S 17 18 19 20 21 22 22 23 24 25 26 27 28 29 30 31 32 33 ";
    struct proc_stat stat = {.state = '?'};

    for (size_t size = 0; size < sizeof(line); size++)
        assert_false(proc_parse_stat(line, size, &stat));
    assert_int_equal(stat.state, '?');
}

TEST(idle_time_is_idle_and_iowait)
{
    static const char line[] = "cpu  4705 356 584 3699176 23060 277 0\ncpu0 1393 280 32966 57\n";
    uint64_t ticks = 7;

    for (size_t size = 0; size <= strlen("cpu  4705 356 584 3699176 "); size++)
        assert_false(proc_parse_idle(line, size, &ticks));
    assert_false(proc_parse_idle("cpu 1 2 3 -4 5", 14, &ticks));
    assert_int_equal(ticks, 7);
    assert_true(proc_parse_idle(line, sizeof(line) - 1, &ticks));
    assert_int_equal(ticks, 3699176 + 23060);
}

TEST(schedstat_is_parsed)
{
    struct proc_schedstat stat;

    assert_true(proc_parse_schedstat("1168008 324744 27\n", 18, &stat));
    assert_int_equal(stat.run_ns, 1168008);
    assert_int_equal(stat.delay_ns, 324744);
    assert_int_equal(stat.switches, 27);
    assert_false(proc_parse_schedstat("1168008 324744 ", 15, &stat));
    assert_false(proc_parse_schedstat("", 0, &stat));
}

TEST(syscall_running_blocked_and_in_a_call)
{
    static const char call[] = "202 0x5654707f20bc 0x80 0x0 0x0 0x1 0xffffffff 0x7f7946c90dc8 "
                               "0x7f794959b829\n";
    struct proc_syscall out;

    assert_true(proc_parse_syscall("running\n", 8, &out));
    assert_true(out.running);
    assert_true(proc_parse_syscall("-1 0x7ffc0 0x401000\n", 20, &out));
    assert_false(out.running);
    assert_int_equal(out.nr, -1);
    assert_int_equal(out.sp, 0x7ffc0);
    assert_int_equal(out.pc, 0x401000);
    assert_true(proc_parse_syscall(call, strlen(call), &out));
    assert_int_equal(out.nr, 202);
    assert_int_equal(out.args[0], 0x5654707f20bc);
    assert_int_equal(out.args[5], 0xffffffff);
    assert_int_equal(out.sp, 0x7f7946c90dc8);
    assert_int_equal(out.pc, 0x7f794959b829);
    assert_false(proc_parse_syscall(call, 60, &out));
}

TEST(status_field_is_found_by_its_whole_name)
{
    static const char text[] = "Name:\tx\nNTgid:\t5\nTgid:\t4711\nPid:\t12\nUid:\t1000\t1000\n";
    uint64_t value = 0;

    assert_true(proc_parse_status(text, strlen(text), "Tgid", &value));
    assert_int_equal(value, 4711);
    assert_true(proc_parse_status(text, strlen(text), "Uid", &value));
    assert_int_equal(value, 1000);
    assert_false(proc_parse_status(text, strlen(text), "TracerPid", &value));
    assert_false(proc_parse_status(text, strlen(text), "Name", &value));
}

TEST(status_field_of_several_numbers_has_a_last)
{
    static const char text[] = "NSpid:\t4711\t12\t3\nNSpgid:\t5\nNSsid:\t\nVmPeak:\t 7 kB\n";
    uint64_t value = 0;

    assert_true(proc_parse_status_last(text, strlen(text), "NSpid", &value));
    assert_int_equal(value, 3);
    assert_true(proc_parse_status_last(text, strlen(text), "NSpgid", &value));
    assert_int_equal(value, 5);
    assert_true(proc_parse_status_last(text, strlen(text), "VmPeak", &value));
    assert_int_equal(value, 7);
    assert_false(proc_parse_status_last(text, strlen(text), "NSsid", &value));
    assert_false(proc_parse_status_last(text, strlen(text), "NStgid", &value));
}

TEST(status_mask_is_hexadecimal_without_prefix)
{
    static const char text[] = "SigIgn:\t0000000000001000\nSigCgt:\tc000000180014a03\nSigBlk:\t\n";
    uint64_t value = 7;

    assert_true(proc_parse_status_mask(text, strlen(text), "SigCgt", &value));
    assert_true(value == UINT64_C(0xc000000180014a03));
    assert_true(proc_parse_status_mask(text, strlen(text), "SigIgn", &value));
    assert_int_equal(value, 0x1000);
    assert_false(proc_parse_status_mask(text, strlen(text), "SigBlk", &value));
    assert_int_equal(proc_status_mask(getpid(), "NoSuchField", 42), 42);
}

static void on_signal(int sig)
{
    (void)sig;
}

/* SigCgt comes behind Groups. Wants root; without, the groups stay few. */
TEST(status_behind_a_long_line_is_read)
{
    static gid_t groups[20000];
    const struct sigaction action = {.sa_handler = on_signal};
    uint64_t before = proc_status_mask(getpid(), "SigCgt", 42), after, inherited;
    int status = -1;
    pid_t pid;

    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        groups[i] = 1000000 + (gid_t)i;
    pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
        if (setgroups(sizeof(groups) / sizeof(groups[0]), groups) != 0)
            _exit(2);
        inherited = proc_status_mask(getpid(), "SigCgt", 42);
        sigaction(SIGUSR2, &action, NULL);
        after = proc_status_mask(getpid(), "SigCgt", 42);
        _exit(inherited != before || after != (before | UINT64_C(1) << (SIGUSR2 - 1)) ||
              proc_status(getpid(), "Tgid", 0) != (uint64_t)getpid());
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
        skip();
    assert_int_equal(status, 0);
}

TEST(status_of_this_process_is_read)
{
    assert_int_equal(proc_status(getpid(), "Tgid", 0), getpid());
    assert_int_equal(proc_status(getpid(), "NoSuchField", 42), 42);
    assert_int_equal(proc_status(-1, "Tgid", 42), 42);
}
