/* SPDX-License-Identifier: MIT */
/* Ticks of the CPUs' clocks in a capture, on a board whose CPUs have such clocks. */
#include "board_fixture.h"

#include "base/clock.h"

#define TICKS_MAX   8
#define TICK_BYTES  4096
#define TICK_CPU_NS (3 * MS)
#define PERIOD_NS   (10 * MS) /* of rounds */

/* The clock, which a test may give a script. */
static struct {
    struct cpu_tick ticks[TICKS_MAX]; /* of time 0: when they are asked for */
    unsigned count, given, at;        /* `at`: after so many stops */
    uint64_t lost;
    bool broken; /* it does not start */

    bool started, runs;
    unsigned begins, settings, stops; /* how often it was let run, its period set, it ended */
    uint64_t period_ns;               /* that it began with */
    uint32_t stack_size;
} board_clock;

static uint8_t tick_stack[TICK_BYTES];

static enum status clock_start(void *state, uint64_t period_ns, uint32_t stack_size,
                               struct diag *diag)
{
    assert_ptr_equal(state, &board);
    assert_false(board_clock.started);
    if (board_clock.broken) {
        diag_set(diag, NULL, "the battery is empty");
        return STATUS_UNSUPPORTED;
    }
    board_clock.started = true;
    board_clock.period_ns = period_ns;
    board_clock.stack_size = stack_size;
    return STATUS_OK;
}

static void clock_run(void *state, bool on)
{
    assert_ptr_equal(state, &board);
    assert_true(board_clock.started);
    board_clock.runs = on;
    board_clock.begins += on;
}

static void clock_set_period(void *state, uint64_t period_ns)
{
    assert_ptr_equal(state, &board);
    assert_true(board_clock.started);
    assert_in_range(period_ns, PERIOD_NS - PERIOD_NS / 8, PERIOD_NS + PERIOD_NS / 8);
    board_clock.settings++;
}

static void clock_stop(void *state)
{
    assert_ptr_equal(state, &board);
    assert_false(board_clock.runs);
    board_clock.stops++;
}

static bool clock_next(void *state, struct cpu_tick *out)
{
    assert_ptr_equal(state, &board);
    assert_true(board_clock.started);
    if (board.stops < board_clock.at || board_clock.given == board_clock.count)
        return false;
    *out = board_clock.ticks[board_clock.given++];
    if (!out->time_ns)
        out->time_ns = clock_now_ns();
    return true;
}

static uint64_t clock_lost(void *state)
{
    uint64_t lost = board_clock.lost;

    assert_ptr_equal(state, &board);
    assert_true(board_clock.started);
    board_clock.lost = 0;
    return lost;
}

static void begin_clock(unsigned at)
{
    begin_board();
    memset(&board_clock, 0, sizeof(board_clock));
    board_clock.at = at;
    board.has_ticks = true;
    for (unsigned i = 0; i < TICK_BYTES; i++)
        tick_stack[i] = (uint8_t)(0x80 + i % 61);
}

/* Of a thread: as its samples, but for register 1 and what is on the stack. */
static struct cpu_tick *add_tick(pid_t pid, pid_t tid)
{
    const struct arch *arch = arch_get(ARCH_ARM);
    struct cpu_tick *tick = &board_clock.ticks[board_clock.count++];

    assert_true(board_clock.count <= TICKS_MAX);
    *tick = (struct cpu_tick){.pid = pid,
                              .tid = tid,
                              .cpu_ns = TICK_CPU_NS,
                              .reg_count = arch->pc + 1u, /* all but cpsr */
                              .stack = tick_stack,
                              .stack_size = USED};
    tick->regs[0] = (uint64_t)tid;
    tick->regs[1] = 777;
    tick->regs[arch->pc] = FLASH + 0x100 * (uint64_t)tid;
    tick->regs[arch->sp] = RAM + (uint64_t)tid * STACK_SIZE - USED;
    return tick;
}

static struct capture_options clock_options(struct capture_backend *clocked, uint64_t rounds)
{
    struct capture_options options = board_options(rounds);

    *clocked = backend;
    clocked->clock_start = clock_start;
    clocked->clock_run = clock_run;
    clocked->clock_set_period = clock_set_period;
    clocked->clock_next = clock_next;
    clocked->clock_lost = clock_lost;
    clocked->clock_stop = clock_stop;
    options.backend = clocked;
    return options;
}

/* A capture of so many rounds with the clock, and its snapshot, opened. */
static struct capture_result capture_ticking(uint64_t rounds, struct reading *r)
{
    struct capture_backend clocked;
    const struct capture_options options = clock_options(&clocked, rounds);
    int fd = memfd_create("snapshot", 0);
    struct capture_result result = capture_with(fd, &options);

    assert_int_equal(result.has_clock, board.has_ticks);
    assert_int_equal(board_clock.given, board_clock.count);
    r->stream = read_back(fd);
    open_stream(r, &r->stream);
    return result;
}

/*
 * One of add_tick's, with its part of the time that passed when periods were set. Its stack of
 * `size` bytes is in a mapping that ends at `map_end_addr`.
 */
static const struct snap_sample *expect_tick(struct reading *r, uint32_t tid, uint64_t size,
                                             uint64_t map_end_addr)
{
    const struct arch *arch = arch_get(ARCH_ARM);
    const struct snap_sample *tick = &next_kept(r, SNAP_TICK)->sample;
    const struct snap_region *region = &tick->regions[0];

    assert_int_equal(tick->pid, PROCESS);
    assert_int_equal(tick->tid, tid);
    assert_int_equal(tick->state, 'R');
    assert_in_range(tick->cpu_ns, TICK_CPU_NS, TICK_CPU_NS + TICK_CPU_NS / 16);
    assert_int_equal(tick->wall_ns, 0);
    assert_int_equal(tick->regs.known, (1 << 16) - 1);
    assert_int_equal(tick->regs.value[0], tid);
    assert_int_equal(tick->regs.value[1], 777);
    assert_int_equal(tick->regs.value[arch->pc], FLASH + 0x100 * tid);
    assert_int_equal(tick->region_count, 1);
    assert_int_equal(region->start_addr, tick->regs.value[arch->sp]);
    assert_int_equal(region->end_addr - region->start_addr, size);
    assert_int_equal(region->map_end_addr, map_end_addr);
    assert_memory_equal(region->bytes, tick_stack, size);
    return tick;
}

static void expect_no_more_ticks(struct reading *r, enum snap_loss loss)
{
    while (r->event.type != SNAP_SUMMARY) {
        assert_int_equal(snap_reader_next(r->reader, &r->event, &r->diag), STATUS_OK);
        assert_int_not_equal(r->event.type, SNAP_TICK);
        if (r->event.type == SNAP_LOSS && r->event.loss.reason != SNAP_LOSS_ROUND)
            assert_int_equal(r->event.loss.reason, loss);
    }
}

TEST_OF(capture_ticks_of_its_threads_are_in_the_snapshot, reading, r)
{
    struct capture_result result;

    begin_clock(2);
    add_tick(PROCESS, 1);
    add_tick(PROCESS, 2);
    add_tick(PROCESS, 1);
    result = capture_ticking(3, r);
    assert_int_equal(result.ticks, 3);
    assert_int_equal(result.samples, 6);
    assert_int_equal(result.no_clock.what[0], 0);
    expect_beginning(r);
    expect_stop(r, 1, 1, 2);
    expect_stop(r, 2, 1, 2);
    expect_tick(r, 1, USED, RAM + STACK_SIZE);
    expect_tick(r, 2, USED, RAM + 2 * STACK_SIZE);
    expect_tick(r, 1, USED, RAM + STACK_SIZE);
    expect_stop(r, 3, 1, 2); /* their stacks are what they were */
    assert_int_equal(next_kept(r, SNAP_SUMMARY)->summary.samples, 6);
    expect_end(r, false, r->stream.size);
}

TEST_OF(capture_tick_before_a_threads_first_sample_comes_with_its_mapping, reading, r)
{
    begin_clock(0);
    add_tick(PROCESS, 2);
    assert_int_equal(capture_ticking(2, r).ticks, 1);
    expect_beginning(r);
    expect_tick(r, 2, USED, RAM + 2 * STACK_SIZE);
    expect_stop(r, 1, 1, 2);
}

TEST_OF(capture_ticks_of_others_are_thrown_away, reading, r)
{
    struct capture_result result;

    begin_clock(2);
    add_tick(99, 99);
    add_tick(99, 1);       /* another process's thread has had the number since */
    add_tick(PROCESS, 42); /* it was not found */
    add_tick(PROCESS, 1)->time_ns = 1;
    add_tick(PROCESS, 1)->reg_count--; /* PC is not there */
    result = capture_ticking(3, r);
    assert_int_equal(result.ticks, 0);
    expect_beginning(r);
    expect_no_more_ticks(r, SNAP_LOSS_ROUND);
}

TEST_OF(capture_tick_of_a_thread_that_came_is_behind_its_announcement, reading, r)
{
    begin_clock(2);
    board.come_at = 2;
    add_tick(PROCESS, 3);
    add_tick(PROCESS, 3)->time_ns = 1; /* that was another's */
    assert_int_equal(capture_ticking(3, r).ticks, 1);
    expect_beginning(r);
    expect_stop(r, 1, 1, 2);
    expect_thread(next_kept(r, SNAP_THREAD), 3);
    expect_stop(r, 2, 1, 2);
    expect_tick(r, 3, USED, RAM + 3 * STACK_SIZE);
    expect_stop(r, 3, 1, 3);
    expect_no_more_ticks(r, SNAP_LOSS_ROUND);
}

/* It had the CPU before it ended, which is written down when what happened before is. */
TEST_OF(capture_tick_of_a_thread_that_ends_is_before_its_end, reading, r)
{
    begin_clock(2);
    board.end_at = 2;
    add_tick(PROCESS, 2);
    assert_int_equal(capture_ticking(3, r).ticks, 1);
    expect_beginning(r);
    expect_stop(r, 1, 1, 2);
    expect_stop(r, 2, 1, 1);
    expect_tick(r, 2, USED, RAM + 2 * STACK_SIZE);
    assert_int_equal(next_kept(r, SNAP_LOSS)->loss.reason, SNAP_LOSS_GONE); /* its sample */
    assert_int_equal(next_kept(r, SNAP_THREAD_END)->thread.tid, 2);
    close_stream(r, &r->stream);

    begin_clock(3);
    board.end_at = 2;
    add_tick(PROCESS, 2); /* after its end */
    assert_int_equal(capture_ticking(4, r).ticks, 0);
    expect_no_more_ticks(r, SNAP_LOSS_GONE);
}

TEST_OF(capture_stack_of_a_tick_ends_with_its_mapping, reading, r)
{
    begin_clock(2);
    add_tick(PROCESS, 1)->stack_size = TICK_BYTES;
    add_tick(PROCESS, 2)->stack_size = 24; /* fewer than there are: it was cut */
    assert_int_equal(capture_ticking(2, r).ticks, 2);
    expect_beginning(r);
    expect_stop(r, 1, 1, 2);
    expect_stop(r, 2, 1, 2);
    expect_tick(r, 1, USED, RAM + STACK_SIZE);
    expect_tick(r, 2, 24, RAM + 2 * STACK_SIZE);
}

TEST_OF(capture_stack_of_a_tick_in_no_mapping_counts_as_cut, reading, r)
{
    const struct arch *arch = arch_get(ARCH_ARM);

    begin_clock(2);
    add_tick(PROCESS, 1)->regs[arch->sp] = 0x50000000;
    assert_int_equal(capture_ticking(2, r).ticks, 1);
    expect_beginning(r);
    expect_stop(r, 1, 1, 2);
    expect_stop(r, 2, 1, 2);
    expect_tick(r, 1, USED, 0x50000000 + USED + 4096);
}

TEST_OF(capture_tick_without_a_stack_is_a_loss, reading, r)
{
    struct capture_result result;

    begin_clock(2);
    add_tick(PROCESS, 1)->stack_size = 0;
    result = capture_ticking(2, r);
    assert_int_equal(result.ticks, 0);
    assert_int_equal(result.lost[SNAP_LOSS_TICK], 1);
    expect_no_more_ticks(r, SNAP_LOSS_TICK);
}

TEST_OF(capture_ticks_that_the_clock_lost_are_a_loss, reading, r)
{
    struct capture_result result;

    begin_clock(0);
    board_clock.lost = 5;
    result = capture_ticking(2, r);
    assert_int_equal(result.lost[SNAP_LOSS_TICK], 5);
    expect_no_more_ticks(r, SNAP_LOSS_TICK);
}

TEST_OF(capture_clock_ticks_as_often_as_there_are_rounds_and_while_there_are, reading, r)
{
    begin_clock(0);
    capture_ticking(20, r);
    assert_int_equal(board_clock.settings, 0); /* nothing ran, so that nothing is to be done */
    close_stream(r, &r->stream);
    begin_clock(0);
    add_tick(PROCESS, 1);
    capture_ticking(20, r);
    assert_true(board_clock.started);
    assert_int_equal(board_clock.begins, 1);
    assert_int_equal(board_clock.stops, 1);
    assert_false(board_clock.runs);
    assert_int_equal(board_clock.period_ns, PERIOD_NS);
    assert_true(board_clock.settings > 0); /* each about as long */
    assert_int_equal(board_clock.stack_size, STACK_SIZE);
}

/* What is asked for, how many rounds, and whether the clock starts; each has samples only. */
TEST(capture_without_the_clock_has_samples_only)
{
    static const struct {
        enum capture_clock clock;
        unsigned rounds;
        bool broken;
        const char *why;
    } cases[] = {{CAPTURE_CLOCK_PTRACE, 2, false, ""},
                 {CAPTURE_CLOCK_AUTO, 1, false, ""}, /* one moment has no CPU time */
                 {CAPTURE_CLOCK_AUTO, 2, true, "the battery is empty"}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int fd = memfd_create("snapshot", 0);
        struct capture_backend clocked;
        struct capture_options options = clock_options(&clocked, cases[i].rounds);
        struct capture_result result;
        struct stream stream;
        struct reading r;

        options.clock = cases[i].clock;
        begin_clock(0);
        board.has_ticks = false;
        board_clock.broken = cases[i].broken;
        add_tick(PROCESS, 1);
        result = capture_with(fd, &options);
        assert_false(result.has_clock);
        assert_false(board_clock.started);
        assert_int_equal(board_clock.given, 0);
        assert_string_equal(result.no_clock.what, cases[i].why);
        stream = read_back(fd);
        open_stream(&r, &stream);
        expect_beginning(&r); /* has_ticks is not there */
        expect_stop(&r, 1, 1, 2);
        expect_no_more_ticks(&r, SNAP_LOSS_ROUND);
        close_stream(&r, &stream);
    }
}

static void expect_no_start(const struct capture_options *options, const char *what)
{
    struct capture *cap = NULL;
    struct diag diag = {0};

    assert_int_equal(capture_start(options, &cap, &diag), STATUS_UNSUPPORTED);
    assert_null(cap);
    assert_non_null(strstr(diag.what, what));
}

TEST(capture_that_must_have_a_clock_does_not_start_without)
{
    struct capture_backend clocked;
    struct capture_options options = board_options(2);

    begin_clock(0);
    options.clock = CAPTURE_CLOCK_PERF;
    expect_no_start(&options, "no clock");
    options = clock_options(&clocked, 2);
    options.clock = CAPTURE_CLOCK_PERF;
    board_clock.broken = true;
    expect_no_start(&options, "the battery is empty");
}

TEST(capture_that_must_have_a_clock_has_it_for_one_round_too)
{
    int fd = memfd_create("snapshot", 0);
    struct capture_backend clocked;
    struct capture_options options = clock_options(&clocked, 1);

    begin_clock(0);
    options.clock = CAPTURE_CLOCK_PERF;
    assert_true(capture_with(fd, &options).has_clock);
    assert_true(board_clock.started);
    close(fd);
}
