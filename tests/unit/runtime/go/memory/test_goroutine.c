/* SPDX-License-Identifier: MIT */
/* What memory that may hold anything says of a thread of a Go program. */
#include <string.h>

#include "unit_test.h"
#include "runtime/go/memory/goroutine.h"

/* Offsets into memory, in words. */
enum { G0 = 16, G = 48, GSIGNAL = 80, M = 128, SLOT = 200, WORDS = 256 };
enum { G_LOW, G_END, G_GUARD, G_M = 6, G_SP, G_PC, G_SELF, G_RET = 11, G_LR };
enum { M_G0, M_GSIGNAL = 10, M_CURG = 24 };

#define STACK_G       UINT64_C(0x100000)
#define STACK_G0      UINT64_C(0x200000)
#define STACK_GSIGNAL UINT64_C(0x300000)
#define STACK_SIZE    UINT64_C(0x8000)
#define ELSEWHERE     UINT64_C(0x400000)

struct world {
    uint64_t base; /* of memory */
    uint64_t words[WORDS];
    unsigned word_size, reads;
    uint64_t no_stack; /* where none may begin */
    struct goroutine_memory memory;
    struct goroutine_look look;
};

static bool read_world(const void *context, uint64_t addr, void *bytes, size_t size)
{
    struct world *w = (struct world *)(uintptr_t)context;
    uint64_t total = WORDS * w->word_size, off = addr - w->base;

    w->reads++;
    if (off > total || size > total - off)
        return false;
    assert_int_equal(off % w->word_size, 0);
    for (size_t i = 0; i < size / w->word_size; i++)
        memcpy((uint8_t *)bytes + i * w->word_size, &w->words[off / w->word_size + i],
               w->word_size);
    return true;
}

static bool is_stack(const void *context, const struct goroutine *g)
{
    return g->low_addr != ((const struct world *)context)->no_stack;
}

static uint64_t at(const struct world *w, unsigned index)
{
    return w->base + index * w->word_size;
}

static void put_g(struct world *w, unsigned g, uint64_t stack, bool was_left)
{
    w->words[g + G_LOW] = stack;
    w->words[g + G_END] = stack + STACK_SIZE;
    w->words[g + G_GUARD] = stack + 928;
    w->words[g + G_M] = at(w, M);
    w->words[g + G_SP] = was_left ? stack + 0x1000 : 0;
    w->words[g + G_PC] = was_left ? 0x8000 + g : 0;
    w->words[g + G_SELF] = was_left ? at(w, g) : 0;
}

/* A thread that has left its goroutine for g0's stack. */
static struct world make_world(unsigned word_size)
{
    struct world w = {.base = 0x10000, .word_size = word_size};

    put_g(&w, G0, STACK_G0, true);
    put_g(&w, G, STACK_G, true);
    put_g(&w, GSIGNAL, STACK_GSIGNAL, false);
    w.words[G + G_GUARD] = (word_size == 8 ? UINT64_MAX : UINT32_MAX) - 1313; /* stackPreempt */
    w.words[G + G_LR] = 0x9000;
    w.words[M + M_G0] = at(&w, G0);
    w.words[M + M_GSIGNAL] = at(&w, GSIGNAL);
    w.words[M + M_CURG] = at(&w, G);
    w.words[SLOT] = at(&w, G0);
    w.memory = (struct goroutine_memory){.read = read_world,
                                         .is_stack = is_stack,
                                         .addr_mask = word_size == 8 ? UINT64_MAX : UINT32_MAX,
                                         .word_size = (uint8_t)word_size,
                                         .in_register = at(&w, G0),
                                         .sp = STACK_G0 + 0x800};
    return w;
}

static bool look(struct world *w)
{
    w->memory.context = w;
    w->reads = 0;
    return goroutine_look(&w->memory, &w->look);
}

static void expect_found(struct world *w)
{
    struct snap_goroutine left;

    assert_true(look(w));
    left = goroutine_left(&w->look.thread, w->memory.sp);
    assert_int_equal(w->look.thread.scheduler.addr, at(w, G0));
    assert_int_equal(w->look.thread.current.addr, at(w, G));
    assert_int_equal(left.state, SNAP_GOROUTINE_LEFT);
    assert_int_equal(left.sp, STACK_G + 0x1000);
    assert_int_equal(left.pc, 0x8000 + G);
    assert_int_equal(left.lr, 0x9000);
}

TEST(goroutine_is_found_from_each_of_its_thread_s)
{
    static const unsigned sizes[] = {4, 8}, from[] = {G0, G, GSIGNAL};

    for (unsigned i = 0; i < 6; i++) {
        struct world w = make_world(sizes[i % 2]);

        w.memory.in_register = at(&w, from[i / 2]);
        expect_found(&w);
        assert_true(w.look.on_scheduler && w.look.knows_scheduler && !w.look.elsewhere);
        assert_int_equal(w.look.on.end_addr, STACK_G0 + STACK_SIZE);
    }
}

TEST(goroutine_look_tells_on_whose_stack_sp_is)
{
    struct world w = make_world(8);

    w.memory.sp = STACK_G + 0x100;
    expect_found(&w);
    assert_false(w.look.on_scheduler || w.look.elsewhere);
    assert_int_equal(w.look.on.addr, at(&w, G));
    /* A handler's, as its register says; else it is not known. */
    w.memory.sp = STACK_GSIGNAL + 0x100;
    assert_true(look(&w));
    assert_true(w.look.elsewhere);
    assert_int_equal(w.look.on.addr, 0);
    w.memory.in_register = at(&w, GSIGNAL);
    assert_true(look(&w));
    assert_int_equal(w.look.on.addr, at(&w, GSIGNAL));
    /* The bounds of a stack that C made are guessed: the thread keeps its g far from the m. */
    w = make_world(8);
    w.memory.slot_addr = UINT64_C(0x7f0000000000);
    assert_true(look(&w));
    assert_true(w.look.on_scheduler && !w.look.knows_scheduler);
    assert_int_equal(w.look.on.addr, 0);
}

TEST(goroutine_is_found_where_the_thread_keeps_it)
{
    struct world w = make_world(8);

    w.memory.in_register = 0x12345;
    assert_false(look(&w));
    w.memory.slot_addr = at(&w, SLOT);
    expect_found(&w);
    w.memory.slot_addr = 1; /* no word is there */
    assert_false(look(&w));
    /* What it was before counts where the thread is on one of the stacks only. */
    w.memory.scheduler = at(&w, G0);
    expect_found(&w);
    w.memory.sp = ELSEWHERE;
    assert_false(look(&w));
}

TEST(goroutine_is_looked_for_elsewhere_if_its_stack_can_be_none)
{
    struct world w = make_world(8);

    w.memory.in_register = at(&w, GSIGNAL);
    w.memory.slot_addr = at(&w, SLOT);
    w.no_stack = STACK_GSIGNAL;
    expect_found(&w);
    w.memory.slot_addr = 0;
    assert_false(look(&w));
    w.memory.scheduler = at(&w, G0);
    expect_found(&w);
    w.no_stack = STACK_G0;
    assert_false(look(&w));
}

TEST(goroutine_is_not_what_does_not_name_itself)
{
    static const struct {
        unsigned at, to; /* words; `to` 0: the value */
        uint64_t value;
    } wrong[] = {
        {G0 + G_LOW, 0, STACK_G0 + STACK_SIZE},
        {G0 + G_LOW, 0, UINT64_MAX},
        {G0 + G_END, 0, 0},
        {G0 + G_GUARD, 0, STACK_G0 + STACK_SIZE},
        {G0 + G_GUARD, 0, STACK_G0 - 8},
        {G0 + G_SELF, G, 0},
        {G0 + G_M, G, 0},
        {G0 + G_M, 0, 0},
        {G0 + G_M, 0, UINT64_MAX - 7},
        {M + M_G0, G, 0},
        {M + M_G0, 0, 0},
        {M + M_G0, 0, UINT64_MAX - 8 * G_LR},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct world w = make_world(8);

        w.words[wrong[i].at] = wrong[i].to ? at(&w, wrong[i].to) : wrong[i].value;
        if (wrong[i].at == M + M_G0 && wrong[i].to == G)
            w.words[G + G_M] = at(&w, M + 1); /* which is not its m */
        assert_false(look(&w));
    }
}

/* The last words of the address space: what is read must not go round. */
TEST(goroutine_at_the_end_of_all_addresses_is_none)
{
    struct world w = make_world(8);

    w.memory.slot_addr = w.memory.scheduler = UINT64_MAX - 7;
    w.memory.in_register = UINT64_MAX - 15;
    assert_false(look(&w));
    w.memory.in_register = UINT64_MAX;
    assert_false(look(&w));
}

/* Each word of the m may be a g, which names that m; but none is the one that it runs. */
TEST(goroutine_look_reads_little_whatever_points_where)
{
    enum { MOST = 3 * (2 + 1 + 1 + 32) };
    struct world w = make_world(8);

    for (unsigned i = M_G0 + 1; i < 64; i++)
        w.words[M + i] = at(&w, i % 2 ? GSIGNAL : G0 + 1);
    assert_true(look(&w));
    assert_int_equal(w.look.thread.current.addr, 0);
    assert_true(w.reads > 30 && w.reads <= MOST);
    assert_int_equal(goroutine_left(&w.look.thread, 0).state, SNAP_GOROUTINE_NONE);
    /* All of them lead to nothing: each is tried once. */
    w.memory.scheduler = w.memory.in_register;
    w.memory.slot_addr = at(&w, SLOT);
    w.memory.sp = ELSEWHERE;
    w.words[M] = at(&w, M);
    assert_false(look(&w));
    assert_true(w.reads <= MOST);
    /* A g that is its own m and its own g0. */
    w = make_world(8);
    w.words[G0 + G_M] = w.words[G0] = at(&w, G0);
    w.words[G0 + G_GUARD] = at(&w, G0) + 8;
    assert_true(look(&w));
    assert_int_equal(w.look.thread.scheduler.addr, at(&w, G0));
    assert_true(w.reads <= MOST);
}

TEST(goroutine_was_left_on_its_stack_or_it_is_not_known_where)
{
    struct world w = make_world(8);

    w.words[G + G_SP] = STACK_G0 + 0x100;
    assert_true(look(&w));
    assert_int_equal(goroutine_left(&w.look.thread, w.memory.sp).state, SNAP_GOROUTINE_UNKNOWN);
    w.words[G + G_SP] = STACK_G + STACK_SIZE;
    assert_true(look(&w));
    assert_int_equal(goroutine_left(&w.look.thread, w.memory.sp).state, SNAP_GOROUTINE_UNKNOWN);
}
