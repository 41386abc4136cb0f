/* SPDX-License-Identifier: MIT */
/* What samples weigh, by their states and times, and which of them count: --from and --to. */
#include "snapshot_fixture.h"

#include "graph/ingest.h"
#include "snapshot/board_writer.h"
#include "symbol/module_set.h"

#define S(seconds) ((uint64_t)((seconds)*1e9))

#define TICK  'T'
#define USAGE 'U' /* what its process has used in all, as cpu_ns */
#define NEXT  'N' /* another process has its number */
/* In a halt: of the thread, and of another. */
#define HELD_RUNNING  'h'
#define OTHER_RUNNING 'o'
#define OTHER_ASLEEP  'p'

struct moment {
    uint64_t time_ns, cpu_ns;
    char state; /* 0: the thread's last sample again; TICK: of a CPU's clock, elsewhere in code */
    uint64_t delay_ns;
};

/* SP is at the stack's begin. */
static void put_registers_and_stack(struct snap_writer *w, uint64_t pc)
{
    for (unsigned i = 0; i < 16; i++)
        snap_writer_u64(w, STACK);
    snap_writer_u64(w, pc);
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 8, STACK + 4096, 1);
    put_run(w, 0, "12345678", 8);
}

static void put_tick_moment(struct snap_writer *w, const struct moment *moment)
{
    snap_writer_begin(w, SNAP_TICK, false);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, moment->time_ns);
    snap_writer_u64(w, moment->cpu_ns);
    snap_writer_u16(w, 17);
    put_registers_and_stack(w, STACK + 64);
    put_end(w);
}

/* Of the thread itself, or of the other. */
static void put_sample_moment(struct snap_writer *w, const struct moment *moment)
{
    const bool is_other = moment->state == OTHER_RUNNING || moment->state == OTHER_ASLEEP;
    const bool is_held = is_other || moment->state == HELD_RUNNING;
    const bool is_ready = moment->state == SNAP_STATE_READY;
    const char state = moment->state == OTHER_ASLEEP ? 'S' : moment->state;

    snap_writer_begin(w, SNAP_SAMPLE, true);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, is_other ? PID + 1 : PID);
    snap_writer_u64(w, moment->time_ns);
    snap_writer_u8(w, is_ready || (is_held && state != 'S') ? 'R' : (uint8_t)state);
    snap_writer_u8(w, (is_ready ? SNAP_SAMPLE_READY : 0) | (is_held ? SNAP_SAMPLE_HELD : 0));
    snap_writer_u16(w, 17);
    snap_writer_u64(w, moment->cpu_ns);
    put_registers_and_stack(w, STACK);
    snap_writer_u64(w, 0);
    snap_writer_u64(w, moment->delay_ns);
    put_end(w);
}

static void put_end_at(struct snap_writer *w, uint64_t time_ns)
{
    snap_writer_begin(w, SNAP_THREAD_END, true);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, time_ns);
    put_end(w);
}

static void put_next_process(struct snap_writer *w, uint64_t time_ns)
{
    put_end_at(w, time_ns);
    begin_process_record(w, PID);
    snap_writer_u8(w, SNAP_PROCESS_READY | SNAP_PROCESS_WHOLE);
    put_end(w);
    put_thread(w, PID, PID, "prog");
}

static void put_moment(struct snap_writer *w, const struct moment *moment)
{
    if (moment->state == NEXT) {
        put_next_process(w, moment->time_ns);
        return;
    }
    if (!moment->state) {
        put_repeat(w, PID, moment->time_ns);
        return;
    }
    if (moment->state == USAGE) {
        snap_writer_begin(w, SNAP_USAGE, false);
        snap_writer_u32(w, PID);
        snap_writer_u64(w, moment->time_ns);
        snap_writer_u64(w, moment->cpu_ns);
        snap_writer_u64(w, 0);
        put_end(w);
        return;
    }
    if (moment->state == TICK) {
        put_tick_moment(w, moment);
        return;
    }
    put_sample_moment(w, moment);
}

struct told { /* to a sink */
    uint64_t began_ns, ended_ns;
    unsigned begins, samples, ticks;
};

static enum status note_begin(void *context, uint64_t time_ns)
{
    struct told *told = context;

    told->began_ns = time_ns;
    told->begins++;
    return STATUS_OK;
}

static enum status note_end(void *context, const struct snap_thread *thread)
{
    struct told *told = context;

    told->ended_ns = thread->time_ns;
    return STATUS_OK;
}

static enum status note_sample(void *context, const struct ingest_sample *given)
{
    struct told *told = context;

    assert_int_equal(given->sample->regs.value[16], STACK);
    told->samples++;
    return STATUS_OK;
}

static enum status note_tick(void *context, const struct ingest_sample *given)
{
    struct told *told = context;

    assert_int_equal(given->sample->regs.value[16], STACK + 64);
    assert_string_equal(given->thread_name, "prog");
    assert_true(given->chain->count > 0);
    told->ticks++;
    return STATUS_OK;
}

struct sums {
    struct weights running, ready, blocked, ticked; /* the last: of chains that have no samples */
    uint64_t rest_ns;                               /* CPU time without a sample */
    struct cpu_account cpu;
    uint64_t samples, outside, span_ns, duration_ns, unwound;
    struct told told;
};

/*
 * A snapshot of one thread, which ends a second after its last moment; they end with one of time 0.
 * `flags` are its process's.
 */
struct part {
    uint8_t flags;
    const struct moment *moments;
    bool is_board; /* which has another thread */
};

static struct stream make_snapshot(const struct part *part)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    const struct moment *moment;

    begin_process_record(w, PID);
    snap_writer_u8(w, part->flags);
    put_end(w);
    if (part->is_board)
        assert_int_equal(board_write(w, &(struct snap_board){.pid = PID}), STATUS_OK);
    put_thread(w, PID, PID, "prog");
    if (part->is_board)
        put_thread(w, PID, PID + 1, "other");
    for (moment = part->moments; moment->time_ns; moment++)
        put_moment(w, moment);
    put_end_at(w, moment[-1].time_ns + S(1));
    return stream_end(w, fd);
}

static void ingest_snapshot(struct ingest *ingest, const struct part *part)
{
    struct stream stream = make_snapshot(part);
    struct snap_source *source;
    struct diag diag;

    assert_int_equal(snapshot_source_open_read(stream_read, &stream, "memory", &source, &diag),
                     STATUS_OK);
    assert_int_equal(ingest_run(ingest, source, &diag), STATUS_OK);
    snap_source_close(source);
    free(stream.bytes);
}

static void add(struct weights *sum, const struct weights *weights)
{
    for (unsigned kind = 0; kind < WEIGHT_COUNT; kind++)
        sum->value[kind] += weights->value[kind];
}

static bool is_rest(const struct profile *profile, const struct profile_cell *cell)
{
    const uint32_t leaf = profile->chains[cell->chain].leaf;
    const struct module *module = profile->frames[profile->trie.nodes[leaf].key].module;

    return module && module->kind == MODULE_NOTE;
}

static void add_cells(struct sums *sums, const struct profile *profile)
{
    for (size_t i = 0; i < profile->cell_count; i++) {
        const struct profile_cell *cell = &profile->cells[i];

        if (is_rest(profile, cell))
            sums->rest_ns += cell->weights.value[WEIGHT_CPU];
        else if (!cell->weights.value[WEIGHT_SAMPLES])
            add(&sums->ticked, &cell->weights);
        else if (cell->state == SNAP_STATE_READY)
            add(&sums->ready, &cell->weights);
        else
            add(cell->state == 'R' ? &sums->running : &sums->blocked, &cell->weights);
    }
}

/* Of several snapshots, one after the other. */
static struct sums ingest_parts(const struct part *parts, size_t count, uint64_t from_ns,
                                uint64_t to_ns)
{
    const struct module_options options = {.sysroot = "/nonexistent"};
    const struct unwinder_options methods = {.methods = {TRUST_PROLOGUE}, .method_count = 1};
    struct ingest ingest = {.window = {.from_ns = from_ns, .to_ns = to_ns}};
    struct sums sums = {.samples = 0};
    const struct ingest_sink sink = {.begin = note_begin,
                                     .thread_end = note_end,
                                     .sample = note_sample,
                                     .tick = note_tick,
                                     .context = &sums.told};

    ingest_sinks_add(&ingest.sinks, sink);
    assert_int_equal(module_set_create(&options, &ingest.modules), STATUS_OK);
    assert_int_equal(unwinder_create(arch_get(ARCH_X86_64), ingest.modules, &methods,
                                     &ingest.unwinder),
                     STATUS_OK);
    assert_int_equal(profile_create(&ingest.profile), STATUS_OK);
    ingest_sinks_add(&ingest.sinks, ingest_profile_sink(ingest.profile));
    for (size_t i = 0; i < count; i++)
        ingest_snapshot(&ingest, &parts[i]);
    add_cells(&sums, ingest.profile);
    sums.cpu = ingest.account.cpu;
    sums.samples = ingest.samples;
    sums.outside = ingest.window.samples_outside;
    sums.span_ns = ingest.window.span_ns;
    sums.duration_ns = ingest.duration_ns;
    sums.unwound = ingest.profile->chains_unwound;
    ingest_deinit(&ingest);
    profile_destroy(ingest.profile);
    unwinder_destroy(ingest.unwinder);
    module_set_destroy(ingest.modules);
    return sums;
}

static struct sums ingest_flagged(uint8_t flags, const struct moment *moments, uint64_t from_ns,
                                  uint64_t to_ns)
{
    return ingest_parts(&(struct part){flags, moments, false}, 1, from_ns, to_ns);
}

static struct sums ingest_moments(const struct moment *moments, uint64_t from_ns, uint64_t to_ns)
{
    return ingest_flagged(0, moments, from_ns, to_ns);
}

static void assert_weights(struct weights weights, uint64_t samples, uint64_t wall_ns,
                           uint64_t cpu_ns, uint64_t offcpu_ns)
{
    assert_int_equal(weights.value[WEIGHT_SAMPLES], samples);
    assert_int_equal(weights.value[WEIGHT_WALL], wall_ns);
    assert_int_equal(weights.value[WEIGHT_CPU], cpu_ns);
    assert_int_equal(weights.value[WEIGHT_OFFCPU], offcpu_ns);
}

/* Ten seconds in; it runs, sleeps with some CPU time on the way, sleeps on, runs. */
static const struct moment DAY[] = {{S(10), 0, 'R', 0},       {S(11), S(0.75), 'R', 0},
                                    {S(13), S(0.5), 'S', 0},  {S(16), 0, 0, 0},
                                    {S(17), S(0.25), 'R', 0}, {0}};

TEST(ingest_offcpu_is_what_blocked_samples_did_not_run)
{
    struct sums sums = ingest_moments(DAY, 0, 0);

    assert_weights(sums.running, 3, S(2), S(1.5), 0);
    assert_weights(sums.blocked, 2, S(5), 0, S(4.5));
    assert_int_equal(sums.samples, 5);
    assert_int_equal(sums.outside, 0);
    assert_int_equal(sums.span_ns, S(7));
}

TEST(ingest_offcpu_is_never_less_than_nothing)
{
    static const struct moment MOMENTS[] = {{S(1), 0, 'S', 0}, {S(2), S(3), 'S', 0}, {0}};
    struct sums sums = ingest_moments(MOMENTS, 0, 0);

    assert_weights(sums.blocked, 2, S(1), 0, 0);
}

TEST(ingest_samples_outside_the_time_do_not_count)
{
    struct sums sums = ingest_moments(DAY, S(1), S(6));

    /*
     * The first one's second lies before; it is at the border, the repeat at 6 outside. It alone
     * says where the half second went that was used on the way to sleep.
     */
    assert_weights(sums.running, 1, 0, S(0.5), 0);
    assert_weights(sums.blocked, 1, S(2), 0, S(1.5));
    assert_int_equal(sums.samples, 2);
    assert_int_equal(sums.outside, 3);
    assert_int_equal(sums.span_ns, S(7));
    assert_int_equal(sums.duration_ns, S(2));
}

TEST(ingest_times_are_cut_where_the_time_begins)
{
    /* Half a second after the border; what ran before it goes to no sample. */
    struct sums sums = ingest_moments(DAY, S(2.5), 0);

    assert_weights(sums.blocked, 2, S(3.5), 0, S(3));
    assert_weights(sums.running, 1, S(1), S(0.75), 0);
    /* Of a repeat that comes first there is the chain, and a second of its three. */
    sums = ingest_moments(DAY, S(5), 0);
    assert_weights(sums.blocked, 1, S(1), 0, S(1));
    assert_weights(sums.running, 1, S(1), S(0.25), 0);
}

/* Who is found on a CPU stands for the time since its sample before: nothing counts CPU time. */
TEST(ingest_times_of_boards_are_guessed)
{
    static const struct moment MOMENTS[] = {{S(10), 0, 'R', 0}, {S(11), 0, 'R', 0},
                                            {S(13), 0, 'S', 0}, {S(14), 0, SNAP_STATE_READY, 0},
                                            {S(15), 0, 'R', 0}, {0}};
    const struct part parts[] = {{SNAP_PROCESS_READY, MOMENTS, true},
                                 {SNAP_PROCESS_READY, MOMENTS, false}};
    struct sums sums = ingest_parts(&parts[0], 1, 0, 0);

    assert_weights(sums.running, 3, S(2), S(2), 0);
    assert_weights(sums.blocked, 1, S(2), 0, S(2));
    assert_weights(sums.ready, 1, S(1), 0, 0);
    assert_int_equal(sums.cpu.used_ns, S(2));
    assert_int_equal(sums.cpu.placed_ns, S(2));
    sums = ingest_parts(&parts[1], 1, 0, 0);
    assert_weights(sums.running, 3, S(2), 0, 0);
}

/* A halt that finds one of them on a CPU says of the other that it has none, seen or not. */
TEST(ingest_time_of_boards_is_that_since_the_halt_before)
{
    static const struct moment MOMENTS[] = {
        {S(10), 0, HELD_RUNNING, 0}, {S(10), 0, OTHER_ASLEEP, 0}, {S(12), 0, OTHER_RUNNING, 0},
        {S(13), 0, HELD_RUNNING, 0}, {S(13), 0, OTHER_ASLEEP, 0}, {0}};
    static const struct moment EARLIER[] = {{S(4), 0, HELD_RUNNING, 0},  {S(4), 0, OTHER_ASLEEP, 0},
                                            {S(6), 0, OTHER_RUNNING, 0}, {S(7), 0, HELD_RUNNING, 0},
                                            {S(7), 0, OTHER_ASLEEP, 0},  {0}};
    const struct part parts[] = {{0, MOMENTS, true}, {0, EARLIER, true}};
    struct sums sums = ingest_parts(parts, 2, 0, 0);

    assert_int_equal(sums.running.value[WEIGHT_CPU], 2 * S(3));
    assert_int_equal(sums.running.value[WEIGHT_WALL], 2 * S(5));
}

/* Or what the thread does when the time is over would last until then. */
TEST(ingest_ends_outside_the_time_are_not_reported)
{
    assert_int_equal(ingest_moments(DAY, 0, 0).told.ended_ns, S(18));
    assert_int_equal(ingest_moments(DAY, S(1), S(8.5)).told.ended_ns, S(18));
    assert_int_equal(ingest_moments(DAY, 0, S(8)).told.ended_ns, 0);
    assert_int_equal(ingest_moments(DAY, S(1), S(2)).told.ended_ns, 0);
}

TEST(ingest_begin_is_that_of_the_snapshot_whatever_counts)
{
    for (unsigned i = 0; i < 3; i++) {
        struct told told = ingest_moments(DAY, i == 1 ? S(2.5) : S(i * 20), 0).told;

        assert_int_equal(told.begins, 1);
        assert_int_equal(told.began_ns, S(10));
    }
}

/* On a CPU, queued, on a CPU; a stretch later queued again. */
static const struct moment CONTENDED[] = {{S(10), 0, 'R', 0},
                                          {S(10.25), S(0.125), SNAP_STATE_READY, S(0.125)},
                                          {S(10.5), S(0.25), 'R', 0},
                                          {S(12), S(0.75), SNAP_STATE_READY, S(0.75)},
                                          {0}};

TEST(ingest_cpu_time_is_shared_by_the_samples_of_a_stretch)
{
    struct sums sums = ingest_flagged(SNAP_PROCESS_READY, CONTENDED, 0, 0);

    assert_weights(sums.running, 2, S(0.25), S(1.125) / 2, 0);
    assert_weights(sums.ready, 2, S(1.75), S(1.125) / 2, 0);
    assert_int_equal(sums.cpu.used_ns, S(1.125));
    assert_int_equal(sums.cpu.waited_ns, S(0.875));
    assert_int_equal(sums.cpu.placed_ns, S(1.125));
    assert_int_equal(sums.cpu.places, 4);
    assert_int_equal(sums.rest_ns, 0);
    assert_false(sums.cpu.untold);
}

TEST(ingest_cpu_time_of_a_thread_that_is_always_found_asleep_has_no_sample)
{
    static const struct moment MOMENTS[] = {{S(1), 0, 'S', 0},
                                            {S(2), S(0.25), 'S', 0},
                                            {S(9), S(0.5), 'S', 0},
                                            {0}};
    struct sums sums = ingest_flagged(SNAP_PROCESS_READY, MOMENTS, 0, 0);

    assert_int_equal(sums.blocked.value[WEIGHT_CPU], 0);
    assert_int_equal(sums.rest_ns, S(0.75));
    assert_int_equal(sums.cpu.used_ns, S(0.75));
    assert_int_equal(sums.cpu.placed_ns, 0);
}

#define CLOCKED (SNAP_PROCESS_READY | SNAP_PROCESS_WHOLE)

static const struct moment USING[] = {
    {S(1), S(3), USAGE, 0}, {S(1), 0, 'R', 0}, {S(2), S(1), 'R', 0}, {S(2), S(5), USAGE, 0}, {0}};

/* The process's clock counts threads that were never sampled, too. */
TEST(ingest_cpu_time_of_the_process_beyond_that_of_its_samples_has_no_sample)
{
    struct sums sums = ingest_flagged(CLOCKED, USING, 0, 0);

    assert_int_equal(sums.running.value[WEIGHT_CPU], S(1));
    assert_int_equal(sums.rest_ns, S(1));
    assert_int_equal(sums.cpu.used_ns, S(2));
    assert_int_equal(sums.cpu.placed_ns, S(1));
}

/* Nobody asked for what the others use. */
TEST(ingest_the_clock_of_a_process_is_not_that_of_threads_that_were_chosen)
{
    struct sums sums = ingest_flagged(SNAP_PROCESS_READY, USING, 0, 0);

    assert_int_equal(sums.running.value[WEIGHT_CPU], S(1));
    assert_int_equal(sums.rest_ns, 0);
    assert_int_equal(sums.cpu.used_ns, S(1));
}

TEST(ingest_the_clock_of_a_process_is_not_that_of_the_next_of_its_number)
{
    static const struct moment MOMENTS[] = {{S(1), S(3), USAGE, 0},    {S(1), 0, 'R', 0},
                                            {S(2), S(1), 'R', 0},      {S(2), S(5), USAGE, 0},
                                            {S(3), 0, NEXT, 0},        {S(3), S(90), USAGE, 0},
                                            {S(3), 0, 'R', 0},         {S(4), S(1), 'R', 0},
                                            {S(4), S(90.5), USAGE, 0}, {0}};
    struct sums sums = ingest_flagged(CLOCKED, MOMENTS, 0, 0);

    assert_int_equal(sums.running.value[WEIGHT_CPU], S(2));
    assert_int_equal(sums.rest_ns, S(0.5));
    assert_int_equal(sums.cpu.used_ns, S(2.5));
}

TEST(ingest_what_has_not_run_since_it_was_found_running_waits_for_a_cpu)
{
    static const struct moment MOMENTS[] = {{S(1), 0, 'R', 0}, {S(3), 0, 0, 0}, {0}};
    struct sums sums = ingest_flagged(SNAP_PROCESS_READY, MOMENTS, 0, 0);

    assert_weights(sums.running, 1, 0, 0, 0);
    assert_weights(sums.ready, 1, S(2), 0, 0);
    /* Where nothing tells, it is what it was. */
    sums = ingest_flagged(0, MOMENTS, 0, 0);
    assert_weights(sums.running, 2, S(2), 0, 0);
    assert_weights(sums.ready, 0, 0, 0, 0);
    assert_true(sums.cpu.untold);
}

/* It runs, sleeps, waits for a CPU; beside it CPUs tick twice. */
static const struct moment TICKING[] = {{S(10), 0, 'R', 0},
                                        {S(10.5), S(0.125), TICK, 0},
                                        {S(11), S(0.75), 'R', 0},
                                        {S(13), S(0.5), 'S', 0},
                                        {S(16), 0, 0, 0},
                                        {S(17), S(0.25), SNAP_STATE_READY, S(0.5)},
                                        {S(16.5), S(0.25), TICK,
                                         0}, /* of another CPU: not in order */
                                        {S(18), S(0.5), 'R', 0},
                                        {0}};

/*
 * The first, in a stretch of its own, which used 0.75: (0.75 + 4 · 0.125) / (5 · 0.125) periods.
 * The second has four periods at most of what was used since, 1.75.
 */
#define TICKED_NS (S(0.25) + 4 * S(0.25))

TEST(ingest_cpu_time_is_that_of_ticks_where_there_are_some)
{
    struct sums sums = ingest_flagged(SNAP_PROCESS_READY | SNAP_PROCESS_TICKS, TICKING, 0, 0);

    assert_weights(sums.running, 3, S(2), 0, 0);
    assert_weights(sums.ready, 1, S(1), 0, 0);
    assert_weights(sums.blocked, 2, S(5), 0, S(4.5));
    assert_weights(sums.ticked, 0, 0, TICKED_NS, 0);
    assert_int_equal(sums.rest_ns, S(2) - TICKED_NS);
    assert_int_equal(sums.cpu.used_ns, S(2));
    assert_int_equal(sums.cpu.waited_ns, S(0.5));
    assert_int_equal(sums.cpu.placed_ns, TICKED_NS);
    assert_int_equal(sums.cpu.ticks, 2);
    assert_true(sums.cpu.by_clock);
    assert_false(sums.cpu.untold);
}

TEST(ingest_ticks_are_no_samples)
{
    struct sums sums = ingest_flagged(SNAP_PROCESS_TICKS, TICKING, 0, 0);

    assert_int_equal(sums.samples, 6);
    assert_int_equal(sums.unwound, 5); /* one is a repeat */
    assert_int_equal(sums.told.samples, 6);
    assert_int_equal(sums.told.ticks, 2);
    assert_int_equal(sums.outside, 0);
    assert_int_equal(sums.duration_ns, S(8));
    assert_false(sums.cpu.untold); /* by the samples it is, but nobody asks them */
}

/* A repeat of what slept is what it was, and one of what ran has no CPU time to give. */
TEST(ingest_repeats_beside_ticks_repeat_samples)
{
    static const struct moment MOMENTS[] = {{S(1), S(1), 'S', 0},
                                            {S(2), S(0.25), TICK, 0},
                                            {S(3), 0, 0, 0},
                                            {0}};
    struct sums sums = ingest_flagged(SNAP_PROCESS_TICKS, MOMENTS, 0, 0);

    assert_weights(sums.blocked, 2, S(2), 0, S(2));
    assert_weights(sums.running, 0, 0, 0, 0);
    assert_weights(sums.ticked, 0, 0, S(0.4), 0);
    assert_int_equal(sums.unwound, 1);
}

TEST(ingest_snapshot_without_ticks_is_weighed_by_its_samples_beside_one_with)
{
    static const struct part parts[] = {{SNAP_PROCESS_TICKS, TICKING, false},
                                        {0, DAY, false},
                                        {SNAP_PROCESS_TICKS, TICKING, false}};

    for (unsigned i = 0; i < 2; i++) { /* in both orders */
        struct sums sums = ingest_parts(parts + i, 2, 0, 0);

        assert_weights(sums.running, 6, S(4), S(1.5), 0);
        assert_weights(sums.ticked, 0, 0, TICKED_NS, 0);
        assert_int_equal(sums.cpu.placed_ns, S(1.5) + TICKED_NS);
        assert_int_equal(sums.cpu.ticks, 2);
        assert_true(sums.cpu.by_clock);
        assert_true(sums.cpu.untold);
    }
}

/*
 * A second of each two is used, in which the clock should tick four times: it does so half as
 * often, or twice as often.
 */
TEST(ingest_ticks_stand_for_what_the_thread_used)
{
    enum { SECONDS = 100 };

    for (unsigned ticks = 2; ticks <= 8; ticks *= 2) {
        struct moment moments[SECONDS * 9 + 1] = {{0}};
        unsigned count = 0;
        struct sums sums;

        for (unsigned i = 1; i <= SECONDS; i++) {
            for (unsigned k = 0; k < ticks; k++)
                moments[count++] = (struct moment){S(2) * i - S(1), S(0.25), TICK, 0};
            moments[count++] = (struct moment){S(2) * i, S(1), 'S', 0};
        }
        sums = ingest_flagged(SNAP_PROCESS_TICKS, moments, 0, 0);
        assert_in_range(sums.cpu.placed_ns, S(SECONDS) - 10, S(SECONDS));
        assert_int_equal(sums.ticked.value[WEIGHT_CPU], sums.cpu.placed_ns);
    }
}

/*
 * Threads that live for one period and a bit, and are sampled once, in the midst: what they use
 * after that no sample tells, but their ticks do.
 */
TEST(ingest_ticks_of_short_lives_stand_for_their_periods)
{
    static const struct moment BEFORE[] = {{S(1), S(0.25), TICK, 0},
                                           {S(1.5), S(0.125), 'R', 0},
                                           {0}};
    static const struct moment AFTER[] = {{S(1), S(0.125), 'R', 0},
                                          {S(1.5), S(0.25), TICK, 0},
                                          {0}};
    uint64_t before_ns = ingest_flagged(SNAP_PROCESS_TICKS, BEFORE, 0, 0).cpu.placed_ns;
    uint64_t after_ns = ingest_flagged(SNAP_PROCESS_TICKS, AFTER, 0, 0).cpu.placed_ns;

    assert_int_equal(before_ns, S(0.225));
    assert_in_range(after_ns, S(0.25), S(0.3125));
}

TEST(ingest_ticks_outside_the_time_do_not_count)
{
    struct sums sums = ingest_flagged(SNAP_PROCESS_TICKS, TICKING, S(0.75), 0);

    assert_weights(sums.ticked, 0, 0, S(0.5), 0);
    assert_int_equal(sums.cpu.ticks, 1);
    assert_int_equal(sums.cpu.placed_ns, S(0.5));
    assert_int_equal(sums.told.ticks, 1);
    sums = ingest_flagged(SNAP_PROCESS_TICKS, TICKING, 0, S(6.5)); /* the second is at its end */
    assert_weights(sums.ticked, 0, 0, S(0.25), 0);
    assert_int_equal(sums.cpu.ticks, 1);
    assert_int_equal(sums.outside, 2);
    sums = ingest_flagged(SNAP_PROCESS_TICKS, TICKING, S(2), S(5));
    assert_weights(sums.ticked, 0, 0, 0, 0);
    assert_int_equal(sums.cpu.ticks, 0);
    assert_true(sums.cpu.by_clock);
}
