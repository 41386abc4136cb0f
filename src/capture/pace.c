/* SPDX-License-Identifier: MIT */
#include "capture/pace.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/procfs.h"
#include "capture/target/backend.h"

/*
 * A thread that our wake-up pushed off its CPU was queued at the usual lag, within these bounds.
 * Threads queued earlier or later left their CPUs by themselves.
 */
#define PUSHED_BEFORE_NS 6000
#define PUSHED_AFTER_NS  15000
/*
 * A stop that is seen later than this plus the usual lag tells nothing: the thread may have been
 * queued that much before. If it is seen earlier, its lag is longer by the time until then.
 */
#define SEEN_NS 20000
/* Lags needed to know the usual one. */
#define LAGS_TELL 20u
/*
 * A wake-up was not on time if we waited for a CPU for longer. (The kernel counts no waiting for a
 * wake-up that pushes off what runs.)
 */
#define LATE_NS 4000u
/* If a sleep lasted longer by this, not for want of a CPU, somebody had stopped us. */
#define STILL_NS 5000000u
/* Part of other CPUs' thread time that may be missed; longest time of a request to stop. */
#define MISSED_PART 100u
#define REQUEST_NS  50000u
/* The shortest slice: who asks for little is scheduled early (Linux 6.12). */
#define SLICE_NS 100000u

/* Rounds for which the grid keeps a period, and the part by which it may differ from ours. */
#define STEADY_ROUNDS 16u
#define JITTER_PART   32u

/* As in linux/sched/types.h, which C libraries do not agree on. */
struct sched_attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};
#define RESET_ON_FORK 1u /* of `flags` */

static void ask_for_slice(void)
{
    struct sched_attributes attributes = {.size = sizeof(attributes),
                                          .policy = SCHED_OTHER,
                                          .flags = RESET_ON_FORK,
                                          .nice = getpriority(PRIO_PROCESS, 0),
                                          .runtime = SLICE_NS};

    (void)syscall(SYS_sched_setattr, 0, &attributes, 0u);
}

void pace_ask_scheduler(void)
{
    const struct sched_param lowest = {.sched_priority = 1};

    prctl(PR_SET_TIMERSLACK, 1ul, 0, 0, 0);
    setpriority(PRIO_PROCESS, 0, -20);
    if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest) != 0)
        ask_for_slice();
}

/* Returns for how many ns we have waited for CPUs; 0: not known. */
static uint64_t own_delay(const struct pace *pace)
{
    struct proc_schedstat stat;
    char text[96];
    ssize_t n = pread(pace->schedstat_fd, text, sizeof(text), 0);

    return n > 0 && proc_parse_schedstat(text, (size_t)n, &stat) ? stat.delay_ns : 0;
}

void pace_init(struct pace *pace, uint64_t period_ns)
{
    *pace =
        (struct pace){.period_ns = period_ns,
                      .due_ns = clock_now_ns(),
                      .kept_cpu = -1,
                      .schedstat_fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)};
    if (sched_getaffinity(0, sizeof(pace->cpus), &pace->cpus) != 0)
        CPU_ZERO(&pace->cpus);
    pace->single_cpu = CPU_COUNT(&pace->cpus) == 1;
    pace->random = pace->due_ns | 1;
}

void pace_deinit(struct pace *pace)
{
    if (pace->schedstat_fd >= 0)
        close(pace->schedstat_fd);
    pace->schedstat_fd = -1;
}

/* xorshift64* (Marsaglia, Vigna): no secret, and different in each capture. */
uint64_t pace_draw(struct pace *pace, uint64_t below)
{
    pace->random ^= pace->random >> 12;
    pace->random ^= pace->random << 25;
    pace->random ^= pace->random >> 27;
    return pace->random * UINT64_C(0x2545f4914f6cdd1d) % below;
}

uint64_t pace_skip(struct pace *pace, uint64_t now)
{
    uint64_t late = now > pace->due_ns ? (now - pace->due_ns) / pace->period_ns : 0;

    pace->due_ns += late * pace->period_ns;
    return late;
}

static void begin_steps(struct pace *pace)
{
    const uint64_t jitter_ns = pace->period_ns / JITTER_PART;

    pace->steps = STEADY_ROUNDS;
    pace->step_ns = pace->period_ns - jitter_ns + pace_draw(pace, 2 * jitter_ns + 1);
}

/* The due round stays where it is; offset_ns is cut to the new period's half. */
void pace_set_period(struct pace *pace, uint64_t period_ns)
{
    if (pace->period_ns == period_ns)
        return;
    pace->period_ns = period_ns;
    pace->steps = 0;
    if (pace->offset_ns > period_ns / 2)
        pace->offset_ns = period_ns / 2;
}

void pace_begin_round(struct pace *pace)
{
    const uint64_t offset_ns = pace_draw(pace, pace->period_ns / 2 + 1);

    if (!pace->steps)
        begin_steps(pace);
    pace->steps--;
    pace->due_ns += pace->step_ns + offset_ns - pace->offset_ns;
    pace->offset_ns = offset_ns;
    pace->round = (struct pace_round){.began_ns = pace->woke_ns ? pace->woke_ns : clock_now_ns(),
                                      .cpu = sched_getcpu(),
                                      .on_time = pace->woke_ns && pace->at_once};
}

void pace_keep_to(struct pace *pace, int cpu)
{
    cpu_set_t set;

    if (pace->single_cpu ||
        (cpu >= 0 && (cpu >= CPU_SETSIZE || !CPU_ISSET((size_t)cpu, &pace->cpus))))
        cpu = -1;
    if (cpu == pace->kept_cpu)
        return;
    CPU_ZERO(&set);
    if (cpu >= 0)
        CPU_SET((size_t)cpu, &set);
    if (sched_setaffinity(0, sizeof(set), cpu >= 0 ? &set : &pace->cpus) == 0)
        pace->kept_cpu = cpu;
}

void pace_sleep(struct pace *pace, uint64_t until_ns)
{
    pace->slept_ns = clock_now_ns();
    pace->until_ns = until_ns > pace->slept_ns ? until_ns : pace->slept_ns;
    pace->still_ns = 0;
    if (pace->is_wanted)
        pace->delay_ns = own_delay(pace);
}

uint64_t pace_waited(const struct pace *pace)
{
    uint64_t delay_ns = own_delay(pace);

    return (delay_ns > pace->delay_ns ? delay_ns - pace->delay_ns : 0) + pace->still_ns;
}

void pace_wake(struct pace *pace, int end)
{
    const bool passed = end == WAIT_PASSED;
    const uint64_t now = clock_now_ns();
    const uint64_t waited_ns = !passed || pace->is_wanted ? pace_waited(pace) : 0;

    pace->ready_ns = now - pace->slept_ns > waited_ns ? now - waited_ns : pace->slept_ns;
    /* We were stopped during the sleep; or, it seems, at its end. */
    if (end == WAIT_STOPPED || pace->ready_ns > pace->until_ns + STILL_NS) {
        pace->still_ns = pace->ready_ns - (end == WAIT_STOPPED ? pace->slept_ns : pace->until_ns);
        pace->ready_ns = passed ? pace->until_ns : pace->slept_ns;
    }
    pace->woke_ns = 0;
    if (!passed || pace->slept_ns >= pace->due_ns || now < pace->due_ns)
        return;
    pace->woke_ns = now;
    pace->at_once = pace->is_wanted && pace->schedstat_fd >= 0 && waited_ns <= LATE_NS;
}

/*
 * A thread on another CPU than ours ran on until the request arrived. This is fair except for what
 * it does just after it gets a CPU, or just before it leaves one: that must be little. (If it took
 * longer than a request, it was in a system call, and is where it was.) Not counted: the turn that
 * began when we let it go on, which began anywhere in the program, and those after our request.
 */
bool pace_turns_are_long(const struct pace_stop *stop)
{
    uint64_t took_ns = stop->seen_ns - stop->asked_ns;
    uint64_t ours = stop->slices + 1;
    uint64_t turns = stop->used_slices > ours ? stop->used_slices - ours : 0;

    if (took_ns > REQUEST_NS)
        took_ns = REQUEST_NS;
    return took_ns * turns * MISSED_PART <= stop->used_ns;
}

/* Returns the usual lag: the middle of the two neighbouring steps with the most; 0: not known. */
static int64_t usual_lag(const struct pace *pace)
{
    unsigned best = 0;

    if (pace->lag_count < LAGS_TELL)
        return 0;
    for (unsigned i = 1; i + 1 < PACE_LAGS; i++)
        if (pace->lags[i] + pace->lags[i + 1] > pace->lags[best] + pace->lags[best + 1])
            best = i;
    return PACE_LAG_LOWEST + (best + 1) * PACE_LAG_STEP;
}

static void note_lag(struct pace *pace, int64_t lag)
{
    int64_t step = (lag - PACE_LAG_LOWEST) / PACE_LAG_STEP;

    if (lag < PACE_LAG_LOWEST || step >= PACE_LAGS)
        return;
    if (pace->lags[step] == UINT8_MAX)
        for (unsigned i = 0; i < PACE_LAGS; i++)
            pace->lags[i] /= 2;
    pace->lags[step]++;
    pace->lag_count++;
}

/* The CPU must be ours, too: other threads may have left theirs at the same time. */
bool pace_was_pushed(struct pace *pace, const struct pace_stop *stop)
{
    const struct pace_round *round = &stop->round;
    const uint64_t before_ns = stop->before_ns > stop->asked_ns ? stop->before_ns : stop->asked_ns;
    const int64_t seen_in = (int64_t)(stop->seen_ns - before_ns);
    const int64_t lag = (int64_t)(stop->seen_ns - stop->waited_ns - round->began_ns);
    int64_t usual;

    if (stop->slices != 1 || !round->on_time || (stop->cpu >= 0 && stop->cpu != round->cpu))
        return false;
    note_lag(pace, lag);
    usual = usual_lag(pace);
    return seen_in <= SEEN_NS + (usual > 0 ? usual : 0) && lag >= usual - PUSHED_BEFORE_NS &&
           lag <= usual + PUSHED_AFTER_NS + seen_in;
}
