/* SPDX-License-Identifier: MIT */
/*
 * The backend for stubs, on one that is played by a thread at a socket: a board with an RTOS of two
 * tasks, one of which has the CPU. What the snapshot says of threads, tasks, registers that are not
 * known, and the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "unit_test.h"
#include <expat.h>

#include "capture/budget.h"
#include "capture/capture.h"
#include "boards/gdb/backend.h"
#include "boards/gdb/packet.h"
#include "boards/rtos/rtos.h"
#include "snapshot/pump.h"
#include "denied.h"
#include "reader_fixture.h"

#define RAM      UINT64_C(0x20000000)
#define SP_CPU   (RAM + 0x1000 - 64)
#define SP_TASK  (RAM + 0x2000 - 64)
#define TCBS     (RAM + 0x100)
#define STARTED  (RAM + 0x200) /* a byte: the kernel has started */
#define START_AT 3             /* the halt that finds it so */

static const char target_xml[] =
    "<target><architecture>arm</architecture><feature name=\"org.gnu.gdb.arm.m-profile\">"
    "<reg name=\"r0\" bitsize=\"32\"/><reg name=\"sp\" bitsize=\"32\" regnum=\"13\"/>"
    "<reg name=\"lr\" bitsize=\"32\"/><reg name=\"pc\" bitsize=\"32\"/>"
    "<reg name=\"xpsr\" bitsize=\"32\" regnum=\"25\"/></feature></target>";

enum XML_Status __real_XML_Parse(XML_Parser parser, const char *text, int size, int is_final);
enum XML_Status __wrap_XML_Parse(XML_Parser parser, const char *text, int size, int is_final);

enum XML_Status __wrap_XML_Parse(XML_Parser parser, const char *text, int size, int is_final)
{
    denied_try();
    return __real_XML_Parse(parser, text, size, is_final);
}

/* The stub. */
struct stub {
    char directory[32], path[64];
    int listener, fd;
    pthread_t thread;
    unsigned halts;
    bool is_halted;
    uint8_t ram[0x3000];
};

static struct stub stub;

static void send_packet(const char *payload)
{
    static uint8_t frame[GDB_FRAME_MAX(8192)];
    const size_t size = gdb_encode(payload, strlen(payload), frame);

    (void)!write(stub.fd, "+", 1);
    (void)!write(stub.fd, frame, size);
}

static void send_memory(uint64_t addr, uint64_t size)
{
    static char text[2 * sizeof(stub.ram) + 1];

    if (addr < RAM || addr - RAM > sizeof(stub.ram) || size > sizeof(stub.ram) - (addr - RAM)) {
        send_packet("E01");
        return;
    }
    text[0] = '\0';
    for (uint64_t i = 0; i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", stub.ram[addr - RAM + i]);
    send_packet(text);
}

static void answer(const char *request)
{
    char text[600];
    uint64_t addr, size;

    if (strncmp(request, "qSupported", 10) == 0) {
        send_packet("PacketSize=2000;qXfer:features:read+");
    } else if (strcmp(request, "?") == 0) {
        send_packet("T05thread:1;");
    } else if (strncmp(request, "qXfer:features:read:target.xml", 30) == 0) {
        snprintf(text, sizeof(text), "l%s", target_xml);
        send_packet(text);
    } else if (strcmp(request, "g") == 0) {
        snprintf(text, sizeof(text), "%02x000000%02x%02x%02x%02xffffffff0001000000000001",
                 stub.halts, (unsigned)(SP_CPU & 255), (unsigned)(SP_CPU >> 8 & 255),
                 (unsigned)(SP_CPU >> 16 & 255), (unsigned)(SP_CPU >> 24 & 255));
        send_packet(text);
    } else if (request[0] == 'm') {
        request++;
        if (gdb_number(&request, &addr) && *request++ == ',' && gdb_number(&request, &size))
            send_memory(addr, size);
    } else if (strcmp(request, "c") == 0) {
        (void)!write(stub.fd, "+", 1);
        stub.is_halted = false;
    } else {
        send_packet("");
    }
}

static void halt(void)
{
    uint8_t frame[64];

    if (stub.is_halted)
        return;
    stub.halts++;
    stub.is_halted = true;
    stub.ram[STARTED - RAM] = stub.halts >= START_AT;
    (void)!write(stub.fd, frame, gdb_encode("T02thread:1;", 12, frame));
}

static void *serve(void *context)
{
    static char payload[GDB_PACKET_MAX + 1];
    struct gdb_decoder decoder;
    uint8_t byte;

    (void)context;
    stub.fd = accept(stub.listener, NULL, NULL);
    gdb_decoder_init(&decoder, payload);
    while (read(stub.fd, &byte, 1) == 1) {
        enum gdb_item item;

        if (byte == 3 && decoder.state == GDB_OUTSIDE)
            halt();
        else if (gdb_decode(&decoder, &byte, 1, &item) && item == GDB_ITEM_PACKET)
            answer(payload);
    }
    close(stub.fd);
    return NULL;
}

static void begin_stub(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    signal(SIGIO, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    memset(&stub, 0, sizeof(stub));
    stub.is_halted = true;
    strcpy(stub.directory, "/tmp/gdb-stub-XXXXXX");
    assert_non_null(mkdtemp(stub.directory));
    snprintf(stub.path, sizeof(stub.path), "%s/socket", stub.directory);
    strcpy(address.sun_path, stub.path);
    stub.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(stub.listener, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(listen(stub.listener, 1), 0);
    assert_int_equal(pthread_create(&stub.thread, NULL, serve, NULL), 0);
}

static void end_stub(void)
{
    pthread_join(stub.thread, NULL);
    close(stub.listener);
    unlink(stub.path);
    rmdir(stub.directory);
}

/* An RTOS whose kernel is one byte: tasks of fixed places, the second of which waits. */
static enum status walk(const struct rtos_layout *layout, const struct rtos_memory *memory,
                        struct rtos_tasks *out)
{
    uint8_t has_started;

    (void)layout;
    if (!memory->read(memory->context, STARTED, &has_started, 1))
        return STATUS_FAULT;
    if (!has_started)
        return STATUS_NOT_FOUND;
    out->tasks[0] = (struct rtos_task){.handle_addr = TCBS, .name = "blink", .has_cpu = true};
    out->tasks[0].told.state = SNAP_TASK_RUNNING;
    out->tasks[1] = (struct rtos_task){.handle_addr = TCBS + 0x40,
                                       .name = "net",
                                       .object = "rx",
                                       .holder_addr = TCBS,
                                       .told = {.state = SNAP_TASK_BLOCKED,
                                                .wait_kind = SNAP_TASK_WAIT_MUTEX,
                                                .stack_start_addr = RAM + 0x1800,
                                                .stack_end_addr = RAM + 0x2000,
                                                .object_addr = RAM + 0x300}};
    regs_set(&out->tasks[1].regs, 15, 0x140);
    regs_set(&out->tasks[1].regs, 13, SP_TASK);
    regs_set(&out->tasks[1].regs, 4, 44);
    out->count = 2;
    return STATUS_OK;
}

static const struct rtos_system rtos_played = {.name = "played", .walk = walk};

/*
 * At each halt but every fifth as many tasks as there may be, other ones each time; the first is
 * said to run on a CPU that the stub does not tell of, the second on the stub's, with another stack
 * than that is on.
 */
static enum status walk_many(const struct rtos_layout *layout, const struct rtos_memory *memory,
                             struct rtos_tasks *out)
{
    (void)layout, (void)memory;
    out->count = stub.halts % 5 ? RTOS_TASKS_MAX : 2;
    for (size_t i = 0; i < out->count; i++) {
        struct rtos_task *task = &out->tasks[i];

        *task = (struct rtos_task){.handle_addr = TCBS + 8 * (i + (stub.halts % 3) * (i > 1)),
                                   .has_cpu = i < 2,
                                   .cpu = i == 0,
                                   .told = {.state = i < 2 ? SNAP_TASK_RUNNING : SNAP_TASK_BLOCKED,
                                            .stack_start_addr = i ? RAM + 0x1800 : 0,
                                            .stack_end_addr = i ? RAM + 0x2000 : 0}};
        snprintf(task->name, sizeof(task->name), "task %zu", i);
        regs_set(&task->regs, 15, 0x140);
        regs_set(&task->regs, 13, SP_TASK);
    }
    return STATUS_OK;
}

static const struct rtos_system rtos_many = {.name = "many", .walk = walk_many, .paint = 0xa5};

/* Stacks that are painted: all of it, up to a byte, and up to where memory ends. */
static const uint64_t painted[][3] = {{RAM + 0x800, RAM + 0xc00, 0},
                                      {RAM + 0x1800, RAM + 0x2000, RAM + 0x1a34},
                                      {RAM + 0x2c00, RAM + 0x3400, 0}};

static enum status walk_painted_stacks(const struct rtos_layout *layout,
                                       const struct rtos_memory *memory, struct rtos_tasks *out)
{
    (void)layout, (void)memory;
    memset(stub.ram + 0x800, 0xa5, 0x400);
    memset(stub.ram + 0x1800, 0xa5, 0x237);
    memset(stub.ram + 0x2c00, 0xa5, 0x400);
    for (out->count = 0; out->count < 3; out->count++) {
        const uint64_t *stack = painted[out->count];
        struct rtos_task *task = &out->tasks[out->count];

        *task = (struct rtos_task){.handle_addr = TCBS + 0x40 * out->count,
                                   .name = "task",
                                   .told = {.state = SNAP_TASK_BLOCKED,
                                            .stack_start_addr = stack[0],
                                            .stack_end_addr = stack[1]}};
        regs_set(&task->regs, 15, 0x140);
        regs_set(&task->regs, 13, stack[0] + 0x380);
    }
    return STATUS_OK;
}

static const struct rtos_system rtos_painted = {.name = "painted",
                                                .walk = walk_painted_stacks,
                                                .paint = 0xa5};

static struct stream read_back(int fd)
{
    struct stream stream = {.chunk = SIZE_MAX, .size = (size_t)lseek(fd, 0, SEEK_END)};

    stream.bytes = malloc(stream.size);
    assert_non_null(stream.bytes);
    assert_int_equal(pread(fd, stream.bytes, stream.size, 0), stream.size);
    close(fd);
    return stream;
}

static struct capture_result capture_to(int fd, const struct rtos_layout *layout, uint64_t rounds)
{
    const struct capture_options options = {.backend = &gdb_backend,
                                            .gdb = stub.path,
                                            .rate_mhz = 100000,
                                            .round_count = rounds,
                                            .stack_size = 1 << 20,
                                            .overhead = BUDGET_ALL,
                                            .halt_budget = BUDGET_ALL,
                                            .no_jit = true,
                                            .rtos = layout};
    struct capture_result result = {0};
    struct capture *cap = NULL;
    struct pump *pump = NULL;
    struct diag diag = {0};

    assert_int_equal(pump_start(fd, "memory", NULL, NULL, &pump, &diag), STATUS_OK);
    assert_int_equal(capture_start(&options, &cap, &diag), STATUS_OK);
    assert_int_equal(capture_run(cap, pump, "memory", &result, &diag), STATUS_OK);
    capture_destroy(cap);
    pump_destroy(pump);
    return result;
}

/* The snapshot of twelve rounds with the system, after which the target runs. */
static void open_captured(const struct rtos_system *system, struct stream *stream,
                          struct reading *r)
{
    const struct rtos_layout layout = {.system = system};
    int fd = memfd_create("snapshot", 0);

    denied_begin();
    begin_stub();
    (void)capture_to(fd, &layout, 12);
    end_stub();
    denied_check(1); /* the description was read where nothing else can be done */
    assert_false(stub.is_halted);
    *stream = read_back(fd);
    open_stream(r, stream);
}

TEST(tasks_of_an_rtos_are_threads_once_its_kernel_has_started)
{
    bool has_cpu = false, cpu_ended = false, has_blink = false, has_net = false;
    struct stream stream;
    struct reading r;

    open_captured(&rtos_played, &stream, &r);
    while (snap_reader_next(r.reader, &r.event, &r.diag) == STATUS_OK) {
        const struct snap_sample *s = &r.event.sample;

        if (r.event.type == SNAP_BOARD)
            assert_int_equal(r.event.board.profile, SNAP_PROFILE_ARM_M);
        cpu_ended |= r.event.type == SNAP_THREAD_END && r.event.thread.tid == 1;
        if (r.event.type != SNAP_SAMPLE || s->repeat)
            continue;
        if (s->tid == 1) {
            has_cpu = true;
            assert_null(s->task);
            assert_false(cpu_ended);
            assert_false(regs_has(&s->regs, 4));
        } else if (s->task && s->task->handle_addr == TCBS) {
            has_blink = true;
            assert_int_equal(s->state, 'R');
            assert_int_equal(s->regs.value[13], SP_CPU);
            assert_string_equal(s->task->system, "played");
        } else {
            has_net = true;
            assert_non_null(s->task);
            assert_int_equal(s->state, 'S');
            assert_int_equal(s->regs.value[4], 44);
            assert_false(regs_has(&s->regs, 5));
            assert_int_equal(s->task->holder_tid, 1001);
            assert_string_equal(s->task->object, "rx");
            assert_int_equal(s->region_count, 1);
            assert_int_equal(s->regions[0].end_addr, RAM + 0x2000);
        }
    }
    assert_true(has_cpu && cpu_ended && has_blink && has_net);
    close_stream(&r, &stream);
}

TEST(tasks_that_come_and_go_at_each_halt_have_no_registers_of_another)
{
    size_t ends = 0, samples = 0;
    struct stream stream;
    struct reading r;

    open_captured(&rtos_many, &stream, &r);
    while (snap_reader_next(r.reader, &r.event, &r.diag) == STATUS_OK) {
        ends += r.event.type == SNAP_THREAD_END;
        if (r.event.type != SNAP_SAMPLE || r.event.sample.tid == 1)
            continue;
        samples++;
        assert_int_equal(r.event.sample.regs.value[13], SP_TASK);
    }
    assert_true(samples > 1000 && ends > 300);
    close_stream(&r, &stream);
}

TEST(how_far_a_stack_was_used_is_told_where_the_paint_ends_alone)
{
    uint64_t used[3] = {0};
    struct stream stream;
    struct reading r;

    open_captured(&rtos_painted, &stream, &r);
    while (snap_reader_next(r.reader, &r.event, &r.diag) == STATUS_OK)
        if (r.event.type == SNAP_SAMPLE && r.event.sample.task)
            used[(r.event.sample.task->handle_addr - TCBS) / 0x40] =
                r.event.sample.task->stack_used_addr;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(used[i], painted[i][2]);
    close_stream(&r, &stream);
}
