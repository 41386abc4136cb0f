/* SPDX-License-Identifier: MIT */
/* Chains of Go programs by their own tables, from the runtime's stacks back to the goroutine. */
#include "scene_fixture.h"

#include "runtime/go/rows/go_rows.h"

enum { BLOCK = 16, GOROUTINE_STACK = 0x10000, GOROUTINE_SIZE = 128, TABLE_MAX = 2048 };
enum { BEHIND_INDIRECT = 7 }; /* bytes of runtime.systemstack's block */

/* One function in each block of the code, which begins with a call. */
struct go_block {
    const char *name;
    int delta; /* of SP, in words, all through it */
    uint8_t flags;
};

enum {
    EXIT,
    USER,
    SYSTEMSTACK,
    SWITCH,
    WORK,
    MCALL,
    SCHEDULE,
    MORESTACK,
    START,
    GROWS,
    CALLBACK,
    RESUME,
    PREEMPT,
    BLOCKS
};

static const struct go_block blocks[2][BLOCKS] = {
    {{"runtime.goexit", 0, GO_FUNCTION_TOP},
     {"main.user", 2, 0},
     {"runtime.systemstack", 0, GO_FUNCTION_SP_WRITE},
     {"runtime.systemstack_switch", 0, 0},
     {"main.work", 1, 0},
     {"runtime.mcall", 0, GO_FUNCTION_SP_WRITE},
     {"runtime.schedule", 1, 0},
     {"runtime.morestack", 0, GO_FUNCTION_SP_WRITE},
     {"runtime.mstart", 1, GO_FUNCTION_TOP},
     {"main.grows", 0, 0},
     {"runtime.cgocallback", 3, GO_FUNCTION_SP_WRITE},
     {"gogo", 0, GO_FUNCTION_SP_WRITE},
     {"runtime.asyncPreempt", 3, 0}},
    {{"runtime.goexit", 0, GO_FUNCTION_TOP}, /* where LR has the return address */
     {"main.user", 2, 0},
     {"runtime.systemstack", 2, GO_FUNCTION_SP_WRITE},
     {"runtime.systemstack_switch", 2, 0},
     {"main.work", 2, 0},
     {"runtime.mcall", 0, GO_FUNCTION_SP_WRITE},
     {"runtime.schedule", 2, 0},
     {"runtime.morestack", 0, GO_FUNCTION_SP_WRITE},
     {"runtime.mstart", 2, GO_FUNCTION_TOP},
     {"main.grows", 0, 0},
     {"runtime.cgocallback", 4, GO_FUNCTION_SP_WRITE},
     {"gogo", 0, GO_FUNCTION_SP_WRITE},
     {"runtime.asyncPreempt", 4, 0}}};

struct table {
    uint8_t bytes[TABLE_MAX];
    size_t size;
};

static void put(struct table *t, uint64_t value, unsigned size)
{
    assert_true(t->size + size <= TABLE_MAX);
    memcpy(t->bytes + t->size, &value, size);
    t->size += size;
}

static void patch(struct table *t, size_t off, uint64_t value, unsigned size)
{
    memcpy(t->bytes + off, &value, size);
}

/* As Go 1.20 and later write it; no files and no lines. */
static void make_table(struct table *t, const struct go_block *of, unsigned quantum)
{
    enum { NAMES = 32, FILES = 48, VALUES = 56, FUNCTIONS = 64, HEADER = 72 };
    uint32_t names[BLOCKS], values[BLOCKS];
    size_t part;

    put(t, 0xfffffff1, 4);
    put(t, 0, 2);
    put(t, quantum, 1);
    put(t, 8, 1);
    put(t, BLOCKS, 8);
    put(t, 0, 8);
    put(t, FIXTURE_FIRST, 8);
    while (t->size < HEADER)
        put(t, 0, 8);
    patch(t, NAMES, part = t->size, 8);
    for (unsigned i = 0; i < BLOCKS; i++) {
        names[i] = (uint32_t)(t->size - part);
        for (const char *c = of[i].name; *c; c++)
            put(t, (uint8_t)*c, 1);
        put(t, 0, 1);
    }
    patch(t, NAMES + 8, t->size, 8);
    patch(t, FILES, t->size, 8);
    put(t, 0, 4);
    patch(t, VALUES, part = t->size, 8);
    put(t, 0, 1);
    for (unsigned i = 0; i < BLOCKS; i++) {
        values[i] = (uint32_t)(t->size - part);
        put(t, (unsigned)(of[i].delta * 8 + 1) << 1, 1); /* from -1, zigzag */
        put(t, BLOCK / quantum, 1);
        put(t, 0, 1);
    }
    while (t->size % 8)
        put(t, 0, 1);
    patch(t, FUNCTIONS, part = t->size, 8);
    for (unsigned i = 0; i <= BLOCKS; i++) {
        put(t, i * BLOCK, 4);
        put(t, i < BLOCKS ? BLOCKS * 8 + 8 + i * 48 : 0, 4);
    }
    for (unsigned i = 0; i < BLOCKS; i++) {
        put(t, i * BLOCK, 4);
        put(t, names[i], 4);
        put(t, 0, 8);
        put(t, values[i], 4);
        while (t->size < part + BLOCKS * 8 + 8 + i * 48 + 40)
            put(t, 0, 1);
        put(t, 0, 1);
        put(t, of[i].flags, 1);
        put(t, 0, 6);
    }
}

/* A Go program in which a thread has two stacks. */
struct go_scene {
    struct scene s;
    struct snap_region regions[2];
    uint8_t goroutine_stack[GOROUTINE_SIZE];
    unsigned after_call; /* bytes from a block's begin to behind its call */
};

static void go_open(struct go_scene *go, enum arch_id id)
{
    static const char x86_64[] = "\xe8\x0b\x00\x00\x00\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\xc3";
    static const char a64[] = "\x04\x00\x00\x94\x1f\x20\x03\xd5\x1f\x20\x03\xd5\xc0\x03\x5f\xd6";
    const bool has_lr = id == ARCH_AARCH64;
    char code[BLOCKS * BLOCK];
    struct table table = {.size = 0};
    struct elf_fixture *elf;

    for (unsigned i = 0; i < BLOCKS; i++)
        memcpy(code + (size_t)i * BLOCK, has_lr ? a64 : x86_64, BLOCK);
    if (!has_lr)
        memcpy(code + SYSTEMSTACK * BLOCK + BEHIND_INDIRECT - 2, "\xff\xd2", 2); /* call *%rdx */
    make_table(&table, blocks[has_lr], has_lr ? 4 : 1);
    elf = scene_begin(has_lr ? EM_AARCH64 : EM_X86_64, code, sizeof(code));
    fixture_section(elf, ".gopclntab", SHT_PROGBITS, SHF_ALLOC, (const char *)table.bytes,
                    table.size);
    memset(go, 0, sizeof(*go));
    scene_open(&go->s, elf, id);
    go->after_call = has_lr ? 4 : 5;
    go->regions[0] = go->s.region;
    go->regions[0].bytes = go->s.stack;
    go->regions[1] = (struct snap_region){.start_addr = GOROUTINE_STACK,
                                          .end_addr = GOROUTINE_STACK + GOROUTINE_SIZE,
                                          .map_end_addr = GOROUTINE_STACK + GOROUTINE_SIZE,
                                          .bytes = go->goroutine_stack};
    go->s.sample.regions = go->regions;
    go->s.sample.region_count = 2;
}

static uint64_t behind(const struct go_scene *go, unsigned block)
{
    return FIXTURE_FIRST + (uint64_t)block * BLOCK + go->after_call;
}

/* The return address of the frame at `sp` of `block`, in which frames are as its row says. */
static void put_return(struct go_scene *go, uint8_t *stack, unsigned *at, unsigned block,
                       uint64_t ra)
{
    const bool has_lr = go->s.arch->lr != REG_NONE;
    const unsigned words = (unsigned)blocks[has_lr][block].delta;

    memcpy(stack + (*at + (has_lr ? 0 : words)) * 8, &ra, 8);
    *at += words + !has_lr;
}

/* main.work, which `by` called, at which the goroutine of main.user was left. */
static void put_chain(struct go_scene *go, unsigned by)
{
    const bool has_lr = go->s.arch->lr != REG_NONE;
    const unsigned mark = by == SYSTEMSTACK ? SWITCH : USER;
    unsigned at = 0;

    scene_at(&go->s, WORK * BLOCK + (has_lr ? 4 : 5));
    put_return(go, go->s.stack, &at, WORK, behind(go, by));
    at = 0;
    if (by == SYSTEMSTACK)
        put_return(go, go->goroutine_stack, &at, SWITCH, behind(go, USER));
    put_return(go, go->goroutine_stack, &at, USER, behind(go, EXIT));
    go->s.sample.goroutine =
        (struct snap_goroutine){.state = SNAP_GOROUTINE_LEFT,
                                .sp = GOROUTINE_STACK,
                                .pc = by == SYSTEMSTACK ? FIXTURE_FIRST + mark * BLOCK
                                                        : behind(go, USER)};
}

static void expect_twice(struct go_scene *go, const char *x86_64, const char *a64)
{
    for (unsigned i = 0; i < 2; i++) /* the second time by kept steps */
        scene_expect(&go->s, go->s.arch->lr == REG_NONE ? x86_64 : a64);
}

TEST(chain_goes_on_where_the_goroutine_was_left)
{
    struct go_scene go;

    for (unsigned i = 0; i < 2; i++) {
        go_open(&go, i ? ARCH_AARCH64 : ARCH_X86_64);
        put_chain(&go, SYSTEMSTACK);
        expect_twice(&go, "45 25 15 5 thread-start", "44 24 14 4 thread-start");
        put_chain(&go, MCALL);
        expect_twice(&go, "45 55 15 5 thread-start", "44 54 14 4 thread-start");
        scene_deinit(&go.s);
    }
}

/*
 * Go's runtime has called code that was made at run time, which called Go. What lies behind that
 * code is tried, and whether the runtime works for the goroutine there is a question about inner
 * frames, of which a trial knows one.
 */
TEST(chain_goes_on_behind_made_code)
{
    enum { MADE = 0x100000, MADE_SIZE = 0x1000 };
    struct module *anonymous;
    struct go_scene go;

    go_open(&go, ARCH_X86_64);
    put_chain(&go, SYSTEMSTACK);
    assert_int_equal(module_set_get(go.s.modules, MODULE_ANON, "[anon]", NULL, 0, false,
                                    &anonymous),
                     STATUS_OK);
    assert_int_equal(address_space_add(&go.s.space, FIXTURE_FIRST + MADE,
                                       FIXTURE_FIRST + MADE + MADE_SIZE, 0, anonymous),
                     STATUS_OK);
    scene_push(&go.s, 1, FIXTURE_FIRST + MADE + 0x10);
    scene_push(&go.s, 2, FIXTURE_FIRST + SYSTEMSTACK * BLOCK + BEHIND_INDIRECT);
    scene_expect(&go.s, "45 100010 27 15 5 thread-start");
    scene_deinit(&go.s);
}

/* Where it called morestack it has no frame yet, and calls again what it was called for. */
TEST(chain_goes_on_behind_a_stack_that_grows)
{
    struct go_scene go;

    go_open(&go, ARCH_AARCH64);
    put_chain(&go, MORESTACK);
    go.s.sample.goroutine.pc = behind(&go, GROWS);
    go.s.sample.goroutine.lr = behind(&go, USER);
    expect_twice(&go, NULL, "44 74 94 14 4 thread-start");
    scene_deinit(&go.s);
}

/* All on the goroutine's stack; what it was left for has called back from C code. */
TEST(chain_goes_on_behind_a_callback)
{
    struct go_scene go;
    unsigned at = 0;

    for (unsigned i = 0; i < 2; i++) {
        go_open(&go, i ? ARCH_AARCH64 : ARCH_X86_64);
        scene_at(&go.s, WORK * BLOCK + go.after_call);
        scene_set(&go.s, go.s.arch->sp, GOROUTINE_STACK);
        at = 0;
        put_return(&go, go.goroutine_stack, &at, WORK, behind(&go, CALLBACK));
        put_return(&go, go.goroutine_stack, &at, CALLBACK, FIXTURE_FIRST + SWITCH * BLOCK);
        put_return(&go, go.goroutine_stack, &at, SWITCH, behind(&go, USER));
        put_return(&go, go.goroutine_stack, &at, USER, behind(&go, EXIT));
        expect_twice(&go, "45 a5 15 5 thread-start", "44 a4 14 4 thread-start");
        /* Of a thread that C made nothing lies behind. */
        at = 0;
        put_return(&go, go.goroutine_stack, &at, WORK, behind(&go, CALLBACK));
        put_return(&go, go.goroutine_stack, &at, CALLBACK, behind(&go, EXIT));
        expect_twice(&go, "45 a5 5 thread-start", "44 a4 4 thread-start");
        scene_deinit(&go.s);
    }
}

TEST(thread_without_goroutine_begins_there)
{
    struct go_scene go;
    unsigned at = 0;

    for (unsigned i = 0; i < 2; i++) {
        go_open(&go, i ? ARCH_AARCH64 : ARCH_X86_64);
        put_chain(&go, MCALL);
        go.s.sample.goroutine = (struct snap_goroutine){.state = SNAP_GOROUTINE_NONE};
        expect_twice(&go, "45 55 thread-start", "44 54 thread-start");
        /* It has one again, and has not gone there. */
        put_chain(&go, MCALL);
        at = 0;
        put_return(&go, go.s.stack, &at, WORK, behind(&go, SCHEDULE));
        put_return(&go, go.s.stack, &at, SCHEDULE, behind(&go, MCALL));
        expect_twice(&go, "45 65 55 thread-start", "44 64 54 thread-start");
        at = 0;
        put_return(&go, go.s.stack, &at, WORK, behind(&go, START));
        expect_twice(&go, "45 85 thread-start", "44 84 thread-start");
        scene_deinit(&go.s);
    }
}

/* The goroutine's stack is left, or not yet, in the middle of a function; gogo has no row there. */
TEST(chain_goes_on_in_the_midst_of_a_switch)
{
    struct go_scene go;
    unsigned at = 0;

    for (unsigned i = 0; i < 2; i++) {
        go_open(&go, i ? ARCH_AARCH64 : ARCH_X86_64);
        put_chain(&go, MCALL);
        scene_at(&go.s, RESUME * BLOCK + go.after_call);
        expect_twice(&go, "b5 15 5 thread-start", "b4 14 4 thread-start");
        scene_set(&go.s, go.s.arch->sp, GOROUTINE_STACK);
        expect_twice(&go, "b5 15 5 thread-start", "b4 14 4 thread-start");
        /* Where it was left before is no caller of what runs on its stack. */
        scene_set(&go.s, go.s.arch->sp, GOROUTINE_STACK + 8);
        expect_twice(&go, "b5 implausible", "b4 no-rule");
        /* What is on its stack has rows, however it was left before. */
        scene_set(&go.s, go.s.arch->sp, GOROUTINE_STACK);
        scene_at(&go.s, WORK * BLOCK + go.after_call);
        at = 0;
        put_return(&go, go.goroutine_stack, &at, WORK, behind(&go, USER));
        put_return(&go, go.goroutine_stack, &at, USER, behind(&go, EXIT));
        expect_twice(&go, "45 15 5 thread-start", "44 14 4 thread-start");
        scene_deinit(&go.s);
    }
}

/* main.user, before its frame is there, at a place behind no call. */
TEST(chain_goes_on_where_a_goroutine_was_preempted)
{
    struct go_scene go;
    unsigned at = 0;

    for (unsigned i = 0; i < 2; i++) {
        go_open(&go, i ? ARCH_AARCH64 : ARCH_X86_64);
        scene_at(&go.s, PREEMPT * BLOCK + 8);
        at = 0;
        put_return(&go, go.s.stack, &at, PREEMPT, FIXTURE_FIRST + GROWS * BLOCK);
        memcpy(go.s.stack + (size_t)at * 8, &(uint64_t){behind(&go, EXIT)}, 8); /* LR, or RA */
        expect_twice(&go, "c8 90 5 thread-start", "c8 90 4 thread-start");
        scene_deinit(&go.s);
    }
}

/* Nothing is told of it, it is not there, or it leads nowhere. */
TEST(chain_ends_where_the_goroutine_is_not_known)
{
    struct go_scene go;

    for (unsigned i = 0; i < 2; i++) {
        go_open(&go, i ? ARCH_AARCH64 : ARCH_X86_64);
        put_chain(&go, SYSTEMSTACK);
        go.s.sample.goroutine.state = SNAP_GOROUTINE_UNKNOWN;
        expect_twice(&go, "45 25 truncated", "44 24 truncated");
        go.s.sample.goroutine.state = SNAP_GOROUTINE_LEFT;
        go.s.sample.goroutine.sp = 0x500000;
        expect_twice(&go, "45 25 truncated", "44 24 truncated");
        go.s.sample.goroutine.sp = GOROUTINE_STACK;
        go.s.sample.goroutine.pc = 0x500000;
        expect_twice(&go, "45 25 truncated", "44 24 truncated");
        /* One that was left in what leaves goroutines is not left again. */
        go.s.sample.goroutine.pc = behind(&go, SYSTEMSTACK);
        expect_twice(&go, "45 25 25 15 5 thread-start", "44 24 24 truncated");
        scene_deinit(&go.s);
    }
}
