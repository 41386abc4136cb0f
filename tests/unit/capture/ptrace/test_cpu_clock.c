/* SPDX-License-Identifier: MIT */
/* Rings as the kernel fills them (perf_event_open(2)), and what is read out of them. */
#include "capture/ptrace/cpu_clock.c"

#include <linux/perf_event.h>

#include "unit_test.h"

#ifdef __x86_64__
#include <asm/perf_regs.h>
#endif

/* What the kernel's header says of what is written here without it. */
#define SAME_FIELD(own, other)                                                                     \
    _Static_assert(offsetof(struct event_attributes, own) ==                                       \
                       offsetof(struct perf_event_attr, other),                                    \
                   "struct perf_event_attr")
SAME_FIELD(period, sample_period);
SAME_FIELD(sample_type, sample_type);
SAME_FIELD(wakeup_events, wakeup_events);
SAME_FIELD(regs_user, sample_regs_user);
SAME_FIELD(stack_user, sample_stack_user);
SAME_FIELD(clock_id, clockid);
_Static_assert(HEAD_OFF == offsetof(struct perf_event_mmap_page, data_head), "data_head");
_Static_assert(TAIL_OFF == offsetof(struct perf_event_mmap_page, data_tail), "data_tail");
_Static_assert(RECORD_LOST == PERF_RECORD_LOST && RECORD_SAMPLE == PERF_RECORD_SAMPLE, "types");
_Static_assert(SAMPLE_TID == PERF_SAMPLE_TID && SAMPLE_TIME == PERF_SAMPLE_TIME, "sample_type");
_Static_assert(SAMPLE_REGS_USER == PERF_SAMPLE_REGS_USER, "sample_type");
_Static_assert(SAMPLE_STACK_USER == PERF_SAMPLE_STACK_USER, "sample_type");
_Static_assert(IOCTL_PERIOD == PERF_EVENT_IOC_PERIOD, "ioctl");

#define PAGE      4096u
#define DATA      4096u /* of a ring */
#define RINGS     2u
#define PERIOD_NS UINT64_C(10000000)
#define PID       4711u
#define TID       4712u
#define TIME_NS   UINT64_C(123456789012)
#define STACK     64u
#define REG_BASE  UINT64_C(0x7fff00001000) /* register n of perf's has this plus n */

static struct {
    struct ptrace_state state;
    struct cpu_clock clock;
    struct ring rings[RINGS];
    _Alignas(8) uint8_t pages[RINGS][PAGE + DATA];
    uint8_t record[RECORD_MAX];
} fixture;

/* Rings without records. */
static int start(void **state)
{
    (void)state;
    memset(&fixture, 0, sizeof(fixture));
    fixture.state.clock = &fixture.clock;
    fixture.state.regs = arch_capture_host();
    fixture.clock = (struct cpu_clock){
        .rings = fixture.rings,
        .count = RINGS,
        .page_size = PAGE,
        .size = DATA,
        .regs_user = regs_mask(arch_capture_host()->arch),
        .period_ns = PERIOD_NS,
        .record = fixture.record,
    };
    for (unsigned i = 0; i < RINGS; i++)
        fixture.rings[i].base = fixture.pages[i];
    return 0;
}

static uint64_t *end_of(unsigned ring, unsigned off)
{
    return (uint64_t *)(void *)(fixture.pages[ring] + off);
}

/* As if the ring had been used before, up to `at`. */
static void used_until(unsigned ring, uint64_t at)
{
    *end_of(ring, HEAD_OFF) = *end_of(ring, TAIL_OFF) = at;
    fixture.rings[ring].head = fixture.rings[ring].tail = at;
}

/* As the kernel does, byte by byte round the end. */
static void put(unsigned ring, const void *bytes, size_t size)
{
    uint64_t *head = end_of(ring, HEAD_OFF);

    for (size_t i = 0; i < size; i++)
        fixture.pages[ring][PAGE + (*head + i) % DATA] = ((const uint8_t *)bytes)[i];
    *head += size;
}

/* What a sample may be like. */
struct script {
    uint32_t tid;
    uint64_t abi;
    uint64_t stack_size; /* room for it; 0: there is none */
    uint64_t there;      /* how much of it was there */
    int size_off;        /* the record says that it is so much longer than it is */
};
#define PLAIN                                                                                      \
    (struct script)                                                                                \
    {                                                                                              \
        .tid = TID, .abi = PERF_SAMPLE_REGS_ABI_64, .stack_size = STACK, .there = STACK            \
    }

static uint8_t stack_byte(size_t off)
{
    return (uint8_t)(off * 7 + 3);
}

static void put_sample(unsigned ring, const struct script *script)
{
    uint64_t words[64 + STACK / 8];
    size_t count = 1;
    struct perf_event_header head = {.type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER};
    uint32_t ids[2] = {PID, script->tid};

    memcpy(&words[count++], ids, sizeof(ids));
    words[count++] = TIME_NS;
    words[count++] = script->abi;
    for (unsigned bit = 0; script->abi != PERF_SAMPLE_REGS_ABI_NONE && bit < 64; bit++)
        if (fixture.clock.regs_user >> bit & 1)
            words[count++] = REG_BASE + bit;
    words[count++] = script->stack_size;
    if (script->stack_size) {
        for (size_t i = 0; i < STACK; i++)
            ((uint8_t *)&words[count])[i] = stack_byte(i);
        count += STACK / 8;
        words[count++] = script->there;
    }
    head.size = (uint16_t)(8 * count + (size_t)script->size_off);
    memcpy(words, &head, sizeof(head));
    put(ring, words, 8 * count);
}

static void put_lost(unsigned ring, uint64_t lost)
{
    struct {
        struct perf_event_header head;
        uint64_t id, lost;
    } record = {{PERF_RECORD_LOST, 0, sizeof(record)}, 1, lost};

    put(ring, &record, sizeof(record));
}

static void expect_tick(uint32_t tid)
{
    struct cpu_tick tick = {0};

    assert_true(cpu_clock_next(&fixture.state, &tick));
    assert_int_equal(tick.pid, PID);
    assert_int_equal(tick.tid, tid);
    assert_int_equal(tick.time_ns, TIME_NS);
    assert_int_equal(tick.cpu_ns, PERIOD_NS);
    assert_int_equal(tick.stack_size, STACK);
    for (size_t i = 0; i < STACK; i++)
        assert_int_equal(tick.stack[i], stack_byte(i));
}

static void expect_none(void)
{
    struct cpu_tick tick = {0};

    assert_false(cpu_clock_next(&fixture.state, &tick));
    /* All was given back. */
    for (unsigned i = 0; i < RINGS; i++)
        assert_int_equal(*end_of(i, TAIL_OFF), *end_of(i, HEAD_OFF));
}

TEST_WITH(clock_gives_ticks_of_all_rings, start, NULL)
{
    struct script script = PLAIN;

    expect_none();
    put_sample(1, &script);
    script.tid = 1;
    put_sample(0, &script);
    script.tid = 2;
    put_sample(0, &script);
    expect_tick(1);
    /* The kernel may not write over it yet. */
    assert_int_equal(*end_of(0, TAIL_OFF), 0);
    expect_tick(2);
    assert_int_equal(*end_of(0, TAIL_OFF), *end_of(0, HEAD_OFF) / 2);
    expect_tick(TID);
    expect_none();
    put_sample(0, &script);
    expect_tick(2);
    expect_none();
}

/* Wherever the ring's end falls in it. */
TEST_WITH(clock_reads_records_over_the_end, start, NULL)
{
    const struct script script = PLAIN;

    for (uint64_t at = 0; at <= DATA; at += 8) {
        start(state);
        used_until(0, UINT64_MAX - DATA + 1 + at); /* and of its numbers */
        put_sample(0, &script);
        put_sample(0, &script);
        expect_tick(TID);
        expect_tick(TID);
        expect_none();
    }
}

TEST_WITH(clock_gives_registers_their_numbers, start, NULL)
{
    const struct script script = PLAIN;
    struct cpu_tick tick = {0};

    put_sample(0, &script);
    assert_true(cpu_clock_next(&fixture.state, &tick));
#ifdef __x86_64__ /* System V ABI, AMD64 supplement, figure 3.36 */
    assert_int_equal(tick.reg_count, 17);
    assert_int_equal(tick.regs[0], REG_BASE + PERF_REG_X86_AX);
    assert_int_equal(tick.regs[1], REG_BASE + PERF_REG_X86_DX);
    assert_int_equal(tick.regs[2], REG_BASE + PERF_REG_X86_CX);
    assert_int_equal(tick.regs[3], REG_BASE + PERF_REG_X86_BX);
    assert_int_equal(tick.regs[4], REG_BASE + PERF_REG_X86_SI);
    assert_int_equal(tick.regs[5], REG_BASE + PERF_REG_X86_DI);
    assert_int_equal(tick.regs[6], REG_BASE + PERF_REG_X86_BP);
    assert_int_equal(tick.regs[7], REG_BASE + PERF_REG_X86_SP);
    assert_int_equal(tick.regs[8], REG_BASE + PERF_REG_X86_R8);
    assert_int_equal(tick.regs[15], REG_BASE + PERF_REG_X86_R15);
    assert_int_equal(tick.regs[16], REG_BASE + PERF_REG_X86_IP);
#else
    assert_true(tick.reg_count > fixture.state.regs->arch->pc);
#endif
}

#ifdef __x86_64__
/* Of 32-bit programs: eax ecx edx ebx esp ebp esi edi eip, cut to 32 bits. */
TEST_WITH(clock_gives_registers_of_32_bit_programs, start, NULL)
{
    struct script script = PLAIN;
    struct cpu_tick tick = {0};

    script.abi = PERF_SAMPLE_REGS_ABI_32;
    fixture.state.regs = arch_capture_of_size(4);
    assert_non_null(fixture.state.regs);
    put_sample(0, &script);
    assert_true(cpu_clock_next(&fixture.state, &tick));
    assert_int_equal(tick.reg_count, 9);
    assert_int_equal(tick.regs[0], (uint32_t)REG_BASE + PERF_REG_X86_AX);
    assert_int_equal(tick.regs[1], (uint32_t)REG_BASE + PERF_REG_X86_CX);
    assert_int_equal(tick.regs[3], (uint32_t)REG_BASE + PERF_REG_X86_BX);
    assert_int_equal(tick.regs[4], (uint32_t)REG_BASE + PERF_REG_X86_SP);
    assert_int_equal(tick.regs[5], (uint32_t)REG_BASE + PERF_REG_X86_BP);
    assert_int_equal(tick.regs[8], (uint32_t)REG_BASE + PERF_REG_X86_IP);
}
#endif

TEST_WITH(clock_leaves_out_what_is_no_thread_of_a_program, start, NULL)
{
    struct script kernel = PLAIN, unreadable = PLAIN, good = PLAIN;

    kernel.abi = PERF_SAMPLE_REGS_ABI_NONE;
    kernel.stack_size = 0;
    unreadable.stack_size = 0;
    put_sample(0, &kernel);
    put_sample(0, &unreadable);
    put_sample(0, &good);
    expect_tick(TID);
    expect_none();
}

TEST_WITH(clock_counts_what_was_lost, start, NULL)
{
    const struct script script = PLAIN;

    put_lost(0, 5);
    put_sample(0, &script);
    put_lost(1, 2);
    expect_tick(TID);
    assert_int_equal(cpu_clock_lost(&fixture.state), 5);
    expect_none();
    assert_int_equal(cpu_clock_lost(&fixture.state), 2);
    assert_int_equal(cpu_clock_lost(&fixture.state), 0);
}

/* Sizes that do not fit are believed by nobody. */
TEST_WITH(clock_checks_sizes, start, NULL)
{
    struct script more_there = PLAIN, long_stack = PLAIN, longest_stack = PLAIN, good = PLAIN;

    more_there.there = STACK + 1;
    long_stack.stack_size = STACK + 8;
    longest_stack.stack_size = UINT64_MAX - 7;
    put_sample(0, &more_there);
    put_sample(0, &long_stack);
    put_sample(0, &longest_stack);
    put_sample(0, &good);
    expect_tick(TID);
    expect_none();
}

/*
 * A record that is longer than what there is, or shorter than its head: the rest is left out, and
 * given back at the next look.
 */
TEST_WITH(clock_leaves_a_ring_that_makes_no_sense, start, NULL)
{
    struct script longer = PLAIN, good = PLAIN;
    const uint64_t nothing[4] = {0};
    struct cpu_tick tick = {0};

    longer.size_off = 8;
    put_sample(0, &longer);
    put_sample(1, &good);
    expect_tick(TID);
    assert_false(cpu_clock_next(&fixture.state, &tick));
    expect_none();
    put(0, nothing, sizeof(nothing));
    put_sample(0, &good);
    assert_false(cpu_clock_next(&fixture.state, &tick));
    expect_none();
    put_sample(0, &good);
    expect_tick(TID);
    expect_none();
}
