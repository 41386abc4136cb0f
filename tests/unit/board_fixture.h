/* SPDX-License-Identifier: MIT */
/*
 * A backend that knows no ptrace and no Linux: a board as a stub for gdb would show it. The whole
 * target stops, nothing is known of states and CPU times, and there are registers, memory, and
 * threads that come and end. What it plays is a script:
 *
 *     begin_board();
 *     board.end_at = 5;
 *     result = capture_with(fd, &options);
 *     stream = read_back(fd);
 *     open_stream(&r, &stream);
 *     expect_beginning(&r);
 *     expect_stop(&r, 1, 1, 2);
 */
#ifndef TESTS_BOARD_FIXTURE_H
#define TESTS_BOARD_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/target/backend.h"
#include "capture/budget.h"
#include "capture/capture.h"
#include "snapshot/pump.h"
#include "reader_fixture.h"

#define PROCESS    1
#define THREADS    3 /* numbers 1 to 3; the third comes later */
#define FLASH      UINT64_C(0x08000000)
#define FLASH_SIZE 0x10000u
#define RAM        UINT64_C(0x20000000)
#define MADE       UINT64_C(0x40000000) /* code made at run time, where there are names */
#define STACK_SIZE 0x10000u             /* of each thread, one behind the other */
#define USED       0x40u                /* of that */

#define MS UINT64_C(1000000)

/* The board. A stop counts from 1. */
struct board {
    const struct backend_host *host;
    struct target_thread *threads[THREADS];
    uint8_t ram[THREADS * STACK_SIZE];
    uint32_t used;           /* bytes below a stack's end, where SP is */
    unsigned stops, resumed; /* how many there were */
    bool interrupted;        /* it is to stop */
    bool stopped, reported;
    uint64_t stop_delay_ns, stop_due_ns;
    unsigned come_at, end_at; /* the stops before which the third thread comes, the second ends */
    bool has_ticks;           /* the snapshot is to say so */
    const char *names;        /* of code made at run time, as told now; NULL: there are none */
    const char *new_names;    /* what `names` becomes at the third stop; NULL: it stays */
    /* Of a symbol file that is registered, where there are names; 0: none is. */
    size_t symbol_file_size;
    unsigned symbol_program; /* that it was last asked for; 0: it was not */
    bool symbol_file_given, symbol_file_is_old;

    /* The snapshot goes to a pipe that is read only after a stop of the board's own: */
    int pipe;
    unsigned waits; /* since the last interrupt */
    bool stopped_itself;
    struct stream *stream;
};

static struct board board;

static inline void add_thread(pid_t tid, bool made)
{
    struct target_process *process = board.host->add_process(board.host->context, PROCESS, tid);

    assert_non_null(process);
    board.threads[tid - 1] = board.host->add_thread(board.host->context, process, tid, made);
    assert_non_null(board.threads[tid - 1]);
}

static inline enum status start(const struct capture_options *options,
                                const struct backend_host *host, struct target_machine *machine,
                                void **state, struct diag *diag)
{
    (void)options;
    (void)diag;
    *state = &board;
    board.host = host;
    *machine = (struct target_machine){.arch = arch_get(ARCH_ARM),
                                       .page_size = 4096,
                                       .addr_mask = UINT32_MAX};
    add_thread(1, false);
    add_thread(2, false);
    return STATUS_OK;
}

static inline void destroy(void *state)
{
    assert_ptr_equal(state, &board);
    board.stopped = false;
}

/* What a thread writes on its stack while the target runs. */
static inline void run(void)
{
    for (unsigned i = 0; i < THREADS; i++)
        if (i != 1) /* the second one waits for something */
            board.ram[(i + 1) * STACK_SIZE - USED] = (uint8_t)(board.stops + 1);
}

static inline void drain_pipe(void)
{
    struct stream *stream = board.stream;
    uint8_t bytes[4096];
    ssize_t n;

    while ((n = read(board.pipe, bytes, sizeof(bytes))) > 0) {
        stream->bytes = realloc(stream->bytes, stream->size + (size_t)n);
        assert_non_null(stream->bytes);
        memcpy(stream->bytes + stream->size, bytes, (size_t)n);
        stream->size += (size_t)n;
    }
}

static inline int wait_for(void *state, const sigset_t *signals, uint64_t until_ns)
{
    struct timespec until;

    (void)state;
    (void)signals;
    board.waits++;
    if (board.pipe >= 0 && board.stopped_itself && !board.stopped)
        drain_pipe();
    /* Nothing can be interrupted while the output is blocked: it stops by itself. */
    if (board.pipe >= 0 && !board.stopped_itself && !board.interrupted && board.waits > 5)
        board.interrupted = board.stopped_itself = true;
    if (board.interrupted && board.stop_due_ns < until_ns)
        until_ns = board.stop_due_ns;
    until.tv_sec = (time_t)(until_ns / 1000000000u);
    until.tv_nsec = (long)(until_ns % 1000000000u);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    return board.interrupted && capture_now() >= board.stop_due_ns ? 0 : -1;
}

static inline bool next_event(void *state, struct backend_event *event)
{
    (void)state;
    if (board.interrupted && !board.stopped && capture_now() >= board.stop_due_ns) {
        board.stopped = true;
        board.interrupted = false;
        board.reported = false;
        board.stops++;
        if (board.stops == board.come_at)
            add_thread(3, true);
        if (board.stops == 3 && board.new_names)
            board.names = board.new_names;
        if (board.stops == board.end_at) {
            *event = (struct backend_event){.kind = EVENT_ENDED, .thread = board.threads[1]};
            board.threads[1] = NULL;
            return true;
        }
    }
    if (!board.stopped || board.reported)
        return false;
    *event = (struct backend_event){.kind = EVENT_STOPPED, .seen_ns = capture_now()};
    board.reported = true;
    return true;
}

static inline enum status interrupt(void *state, struct target_thread *thread)
{
    (void)state;
    assert_null(thread);
    assert_false(board.stopped);
    if (!board.interrupted)
        board.stop_due_ns = capture_now() + board.stop_delay_ns;
    board.interrupted = true;
    board.waits = 0;
    return STATUS_OK;
}

static inline void resume(void *state, struct target_thread *thread)
{
    (void)state;
    assert_null(thread);
    assert_true(board.stopped && board.reported);
    board.stopped = false;
    board.resumed++;
    run();
}

static inline enum status registers(void *state, struct target_thread *thread, uint64_t *values,
                                    uint64_t *thread_pointer)
{
    const struct arch *arch = arch_get(ARCH_ARM);

    (void)state;
    assert_true(board.stopped);
    assert_ptr_equal(thread, board.threads[thread->tid - 1]);
    memset(values, 0, arch->reg_count * sizeof(*values));
    values[0] = (uint64_t)thread->tid;
    values[1] = board.stops;
    values[arch->pc] = FLASH + 0x100 * (uint64_t)thread->tid;
    values[arch->sp] = RAM + (uint64_t)thread->tid * STACK_SIZE - board.used;
    *thread_pointer = 0;
    return STATUS_OK;
}

static inline enum status memory(void *state, pid_t tid, const struct target_memory *pieces,
                                 size_t count, void *buffer, size_t *done)
{
    (void)state;
    (void)tid;
    assert_true(board.stopped);
    assert_int_equal(count, 1);
    *done = 0;
    if (pieces->addr < RAM || pieces->addr - RAM > sizeof(board.ram) ||
        pieces->size > sizeof(board.ram) - (pieces->addr - RAM))
        return STATUS_FAULT;
    memcpy(buffer, board.ram + (pieces->addr - RAM), pieces->size);
    *done = pieces->size;
    return STATUS_OK;
}

static inline bool identify(void *state, const struct target_thread *thread,
                            char name[PROC_NAME_SIZE], uint64_t *start_ticks)
{
    (void)state;
    snprintf(name, PROC_NAME_SIZE, "task %d", (int)thread->tid);
    if (start_ticks)
        *start_ticks = 0;
    return true;
}

static inline void describe(void *state, const struct target_process *process,
                            struct process_facts *out)
{
    (void)state;
    assert_int_equal(process->pid, PROCESS);
    strcpy(out->exe, "firmware.elf");
}

static inline enum status read_maps(void *state, const struct target_process *process, pid_t tid,
                                    struct maps *out)
{
    const struct exec_map flash = {.start_addr = FLASH,
                                   .end_addr = FLASH + FLASH_SIZE,
                                   .prot = MAP_PROT_READ | MAP_PROT_EXEC};
    struct map_range range = {.start_addr = FLASH,
                              .end_addr = FLASH + FLASH_SIZE,
                              .prot = flash.prot};

    (void)state;
    (void)process;
    (void)tid;
    assert_int_equal(maps_add_exec(out, &flash, "flash", 5), STATUS_OK);
    assert_int_equal(maps_add_range(out, &range), STATUS_OK);
    for (unsigned i = 0; i < THREADS; i++) {
        range = (struct map_range){.start_addr = RAM + i * STACK_SIZE,
                                   .end_addr = RAM + (i + 1) * STACK_SIZE,
                                   .prot = MAP_PROT_READ | MAP_PROT_WRITE};
        assert_int_equal(maps_add_range(out, &range), STATUS_OK);
    }
    if (board.names) {
        range = (struct map_range){.start_addr = MADE,
                                   .end_addr = MADE + FLASH_SIZE,
                                   .prot = MAP_PROT_READ | MAP_PROT_EXEC};
        assert_int_equal(maps_add_exec(out,
                                       &(struct exec_map){.start_addr = range.start_addr,
                                                          .end_addr = range.end_addr,
                                                          .prot = range.prot},
                                       "", 0),
                         STATUS_OK);
        assert_int_equal(maps_add_range(out, &range), STATUS_OK);
    }
    return STATUS_OK;
}

static inline uint64_t maps_size(void *state, struct target_process *process, pid_t tid,
                                 uint64_t last)
{
    (void)state;
    (void)process;
    (void)tid;
    return last;
}

static inline void describe_map(void *state, pid_t tid, const struct exec_map *map,
                                const char *path, struct map_facts *out)
{
    (void)state;
    (void)tid;
    assert_true(map->start_addr == FLASH || map->start_addr == MADE);
    *out = (struct map_facts){.kind = map->start_addr == FLASH ? SNAP_MAP_FILE : SNAP_MAP_ANON};
    strcpy(out->path, path);
}

static inline ssize_t read_names(void *state, const struct target_process *process, pid_t tid,
                                 uint64_t off, struct names_part *out)
{
    const size_t size = board.names ? strlen(board.names) : 0;
    size_t n = off < size ? size - (size_t)off : 0;

    (void)state;
    assert_int_equal(process->pid, PROCESS);
    assert_int_equal(tid, 1);
    if (n > sizeof(out->bytes))
        n = sizeof(out->bytes);
    out->changed_ns = (uintptr_t)board.names;
    if (n)
        memcpy(out->bytes, board.names + off, n);
    return board.names ? (ssize_t)n : -1;
}

static inline void ask_symbol_files(void *state, struct target_process *process, pid_t tid,
                                    uint32_t program, enum symbol_files_question question)
{
    (void)state;
    assert_int_equal(process->pid, PROCESS);
    assert_int_equal(tid, 1);
    assert_true((question == SYMBOL_FILES_FIRST) == !board.symbol_program);
    board.symbol_program = program;
}

static inline uint8_t symbol_file_byte(size_t i)
{
    return (uint8_t)(i % 251);
}

static inline enum status next_symbol_file(void *state, struct symbol_file *out)
{
    (void)state;
    if (!board.symbol_program || board.symbol_file_given || !board.symbol_file_size)
        return STATUS_NOT_FOUND;
    board.symbol_file_given = true;
    *out = (struct symbol_file){.pid = PROCESS,
                                .program = board.symbol_program - board.symbol_file_is_old,
                                .addr = RAM,
                                .size = board.symbol_file_size,
                                .fd = memfd_create("symbol file", MFD_CLOEXEC)};
    for (size_t i = 0; i < board.symbol_file_size; i++) {
        const uint8_t byte = symbol_file_byte(i);

        assert_int_equal(write(out->fd, &byte, 1), 1);
    }
    return STATUS_OK;
}

static inline void begin_process(void *state, struct target_process *process)
{
    (void)state;
    assert_int_equal(*(uint64_t *)process->own, 0);
}

static inline void begin_thread(void *state, struct target_thread *thread)
{
    (void)state;
    assert_int_equal(*(uint64_t *)thread->own, 0);
    *(uint64_t *)thread->own = (uint64_t)thread->tid;
}

static inline void forget_thread(void *state, struct target_thread *thread)
{
    (void)state;
    assert_int_equal(*(uint64_t *)thread->own, thread->tid);
}

static inline void forget_process(void *state, struct target_process *process)
{
    (void)state;
    assert_int_equal(process->pid, PROCESS);
}

/* No BACKEND_…, so everything that a stub for gdb has not is NULL. */
static const struct capture_backend backend = {
    .process_size = sizeof(uint64_t),
    .thread_size = sizeof(uint64_t),
    .start = start,
    .destroy = destroy,
    .wait = wait_for,
    .next = next_event,
    .interrupt = interrupt,
    .resume = resume,
    .registers = registers,
    .memory = memory,
    .identify = identify,
    .describe = describe,
    .read_maps = read_maps,
    .maps_size = maps_size,
    .describe_map = describe_map,
    .read_names = read_names,
    .ask_symbol_files = ask_symbol_files,
    .next_symbol_file = next_symbol_file,
    .begin_process = begin_process,
    .begin_thread = begin_thread,
    .forget_thread = forget_thread,
    .forget_process = forget_process,
};

static inline void begin_board(void)
{
    /* A failure behind a capture unblocks it (cmocka's longjmp), and is not to be the end. */
    signal(SIGIO, SIG_IGN);
    memset(&board, 0, sizeof(board));
    board.pipe = -1;
    board.used = USED;
    for (unsigned i = 0; i < THREADS; i++)
        for (unsigned k = 0; k < STACK_SIZE; k++)
            board.ram[i * STACK_SIZE + k] = (uint8_t)(k % 251 ^ i);
    for (unsigned at = 0x800; at < sizeof(board.ram); at += 0x1000) { /* return addresses */
        const uint32_t flash = FLASH + 0x80;
        memcpy(board.ram + at, &flash, sizeof(flash));
    }
    run();
}

static inline struct capture_options board_options(uint64_t rounds)
{
    return (struct capture_options){.backend = &backend,
                                    .rate_mhz = 100000,
                                    .round_count = rounds,
                                    .stack_size = STACK_SIZE,
                                    .overhead = BUDGET_ALL};
}

static inline struct capture_result capture_with(int fd, const struct capture_options *options)
{
    struct capture_result result = {0};
    struct capture *cap = NULL;
    struct pump *pump = NULL;
    struct diag diag = {0};

    assert_int_equal(pump_start(fd, "memory", NULL, NULL, &pump, &diag), STATUS_OK);
    assert_int_equal(capture_start(options, &cap, &diag), STATUS_OK);
    assert_int_equal(capture_run(cap, pump, "memory", &result, &diag), STATUS_OK);
    capture_destroy(cap);
    pump_destroy(pump);
    assert_false(board.stopped);
    assert_int_equal(board.resumed, board.stops);
    return result;
}

static inline struct stream read_back(int fd)
{
    struct stream stream = {.chunk = SIZE_MAX, .size = (size_t)lseek(fd, 0, SEEK_END)};

    stream.bytes = malloc(stream.size);
    assert_non_null(stream.bytes);
    assert_int_equal(pread(fd, stream.bytes, stream.size, 0), stream.size);
    close(fd);
    return stream;
}

/* A sample of thread `tid` in stop `stop`: its registers and its stack as they were then. */
static inline void expect_sample(const struct snap_sample *sample, uint32_t tid, unsigned stop)
{
    const struct arch *arch = arch_get(ARCH_ARM);
    uint64_t end = RAM + tid * STACK_SIZE;
    uint8_t first = (uint8_t)(tid == 2 ? ((STACK_SIZE - USED) % 251 ^ 1) : stop);

    assert_int_equal(sample->pid, PROCESS);
    assert_int_equal(sample->tid, tid);
    assert_int_equal(sample->state, 'R');
    assert_false(sample->has_syscall);
    assert_int_equal(sample->cpu_ns, 0);
    assert_int_equal(sample->regs.value[0], tid);
    assert_int_equal(sample->regs.value[1], stop);
    assert_int_equal(sample->regs.value[arch->pc], FLASH + 0x100 * tid);
    assert_int_equal(sample->region_count, 1);
    assert_int_equal(sample->regions[0].start_addr, end - board.used);
    assert_int_equal(sample->regions[0].end_addr, end);
    assert_int_equal(sample->regions[0].map_end_addr, end);
    if (board.used == USED)
        assert_int_equal(sample->regions[0].bytes[0], first);
    assert_memory_equal(sample->regions[0].bytes + 1 + board.used - USED,
                        board.ram + tid * STACK_SIZE - USED + 1, USED - 1);
}

/* The next event but for rounds that were left out, which a busy machine may cause. */
static inline const struct snap_event *next_kept(struct reading *r, enum snap_type type)
{
    do
        assert_int_equal(snap_reader_next(r->reader, &r->event, &r->diag), STATUS_OK);
    while (r->event.type == SNAP_LOSS && r->event.loss.reason == SNAP_LOSS_ROUND);
    assert_int_equal(r->event.type, type);
    return &r->event;
}

static inline void expect_thread(const struct snap_event *event, uint32_t tid)
{
    char name[PROC_NAME_SIZE];

    snprintf(name, sizeof(name), "task %u", (unsigned)tid);
    assert_int_equal(event->thread.tid, tid);
    assert_string_equal(event->thread.name, name);
}

/* PROCESS, the two first THREADs and the MAP before the first sample. */
static inline void expect_beginning(struct reading *r)
{
    assert_string_equal(next_kept(r, SNAP_PROCESS)->process.exe, "firmware.elf");
    assert_int_equal(r->event.process.word_size, 4);
    assert_int_equal(r->event.process.has_ticks, board.has_ticks);
    expect_thread(next_kept(r, SNAP_THREAD), 1);
    expect_thread(next_kept(r, SNAP_THREAD), 2);
    assert_int_equal(next_kept(r, SNAP_MAP)->map.start_addr, FLASH);
    assert_string_equal(r->event.map.path, "flash");
}

/* The samples of one stop, of the threads that there are: all of one time. */
static inline void expect_stop(struct reading *r, unsigned stop, uint32_t first, uint32_t last)
{
    uint64_t time_ns = 0;

    for (uint32_t tid = first; tid <= last; tid++) {
        if (tid == 2 && board.end_at && stop >= board.end_at)
            continue;
        expect_sample(&next_kept(r, SNAP_SAMPLE)->sample, tid, stop);
        assert_true(r->event.sample.held);
        assert_true(!time_ns || r->event.sample.time_ns == time_ns);
        time_ns = r->event.sample.time_ns;
    }
}

#endif
