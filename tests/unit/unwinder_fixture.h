/* SPDX-License-Identifier: MIT */
/*
 * The unwinder on this very program: a sample is made of the running thread's own registers and
 * stack, its own mappings are the address space, and backtrace(3) says what the chain must be.
 *
 *     outer(3);                              takes the sample, below known functions
 *     assert_whole(&DESIGNED, TRUST_EH_FRAME);
 */
#ifndef TESTS_UNWINDER_FIXTURE_H
#define TESTS_UNWINDER_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <execinfo.h>
#include <ucontext.h>

#include <cmocka.h>

#include "symbol/module.h"
#include "unwind/unwinder.h"

#define NOINLINE     __attribute__((noinline))
#define STACK_MAX    (48u << 20)
#define ORACLE_MAX   (CHAIN_DEPTH_MAX + 8)
#define KEEP_FRAME() __asm__ volatile("" ::: "memory") /* no tail call, no folding */

/* What one moment of this program looked like. */
struct test_sample {
    struct snap_sample sample; /* of `regions` */
    struct snap_region regions[2];
    uint8_t *bytes[2];
    void **oracle; /* return addresses by backtrace(3), innermost first */
    int oracle_count;
};

static struct test_sample taken;
static struct module_set *modules;
static struct address_space space;

static inline bool read_mapping(const char *line, uint64_t *start, uint64_t *end, uint64_t *off,
                                char prot[8], char path[512])
{
    unsigned long long s, e, o;

    path[0] = '\0';
    if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %511s", &s, &e, prot, &o, path) < 4)
        return false;
    *start = s;
    *end = e;
    *off = o;
    return true;
}

static inline void add_mapping(const char *line)
{
    uint64_t start, end, off;
    char prot[8], path[512];
    bool vdso;
    struct module *module;

    if (!read_mapping(line, &start, &end, &off, prot, path) || prot[2] != 'x')
        return;
    vdso = strcmp(path, "[vdso]") == 0;
    if (path[0] != '/' && !vdso)
        return;
    assert_int_equal(module_set_get(modules, vdso ? MODULE_VDSO : MODULE_FILE, path, NULL, 0, false,
                                    &module),
                     STATUS_OK);
    if (vdso)
        assert_int_equal(module_set_code(module, (const void *)(uintptr_t)start, end - start),
                         STATUS_OK);
    assert_int_equal(address_space_add(&space, start, end, off, module), STATUS_OK);
}

static inline void for_each_mapping(void (*visit)(const char *line))
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1024];

    assert_non_null(maps);
    while (fgets(line, sizeof(line), maps))
        visit(line);
    fclose(maps);
}

static inline int set_up(void **state)
{
    static const struct module_options options = {.sysroot = NULL};

    (void)state;
    if (module_set_create(&options, &modules) != STATUS_OK)
        return -1;
    address_space_init(&space);
    for_each_mapping(add_mapping);
    taken.oracle = calloc(ORACLE_MAX, sizeof(*taken.oracle));
    taken.bytes[0] = malloc(STACK_MAX);
    taken.bytes[1] = malloc(STACK_MAX);
    return taken.oracle && taken.bytes[0] && taken.bytes[1] ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    address_space_deinit(&space);
    module_set_destroy(modules);
    free(taken.oracle);
    free(taken.bytes[0]);
    free(taken.bytes[1]);
    return 0;
}

static uint64_t wanted_addr, found_end;

static inline void find_end(const char *line)
{
    uint64_t start, end, off;
    char prot[8], path[512];

    if (read_mapping(line, &start, &end, &off, prot, path) && wanted_addr >= start &&
        wanted_addr < end)
        found_end = end;
}

/*
 * Copies the stack from `sp` to the end of its mapping; word by word, past what a sanitizer keeps
 * poisoned.
 */
__attribute__((no_sanitize("address"))) static inline void copy_stack(uint64_t sp)
{
    struct snap_region *region = &taken.regions[taken.sample.region_count];
    uint8_t *bytes = taken.bytes[taken.sample.region_count++];
    uint64_t size;

    wanted_addr = sp;
    for_each_mapping(find_end);
    size = found_end - sp;
    if (size > STACK_MAX)
        size = STACK_MAX;
    for (uint64_t i = 0; i < size / 8; i++)
        ((volatile uint64_t *)bytes)[i] = ((const volatile uint64_t *)(uintptr_t)sp)[i];
    *region = (struct snap_region){.start_addr = sp,
                                   .end_addr = sp + size / 8 * 8,
                                   .map_end_addr = found_end,
                                   .bytes = bytes};
}

/*
 * Sample and oracle of the caller; `other_sp` is the interrupted stack while on an alternate one,
 * or 0.
 */
static NOINLINE void take(uint64_t other_sp)
{
    /* In DWARF's order; the context does not hold rax, r10 and r11, nor does anybody miss them. */
    static const int order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    ucontext_t context;

    taken.sample = (struct snap_sample){.pid = 1, .tid = 1, .state = 'R', .regions = taken.regions};
    getcontext(&context);
    for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        regs_set(&taken.sample.regs, i, (uint64_t)context.uc_mcontext.gregs[order[i]]);
    copy_stack(taken.sample.regs.value[7]);
    if (other_sp)
        copy_stack(other_sp);
    taken.oracle_count = backtrace(taken.oracle, ORACLE_MAX);
    KEEP_FRAME();
}

/*
 * Where in the oracle the chain's first caller is; a sanitizer's backtrace has a frame of its own
 * before it.
 */
static inline int oracle_start(const struct chain *chain)
{
    for (int i = 0; i < taken.oracle_count; i++)
        if ((uint64_t)(uintptr_t)taken.oracle[i] == chain->frames[1].pc_addr)
            return i;
    return -1;
}

static inline struct unwinder *create(const struct unwinder_options *options)
{
    struct unwinder *unwinder;

    assert_int_equal(unwinder_create(arch_get(ARCH_X86_64), modules, options, &unwinder),
                     STATUS_OK);
    return unwinder;
}

static inline void unwind(const struct unwinder_options *options, struct chain *chain)
{
    struct unwinder *unwinder = create(options);

    *chain = (struct chain){0};
    assert_int_equal(unwinder_chain(unwinder, &space, &taken.sample, chain), STATUS_OK);
    unwinder_destroy(unwinder);
}

/* Every caller found is the oracle's, in its order; the count of those compared. */
static inline size_t assert_prefix_of_oracle(const struct chain *chain)
{
    int at;

    assert_true(chain->count > 1);
    at = oracle_start(chain);
    assert_true(at >= 0);
    for (size_t i = 1; i < chain->count; i++, at++) {
        assert_true(at < taken.oracle_count);
        assert_true(chain->frames[i].pc_addr == (uint64_t)(uintptr_t)taken.oracle[at]);
    }
    return (size_t)(taken.oracle_count - at);
}

/* The chain by `options` is the oracle's, whole, and ends where the thread began. */
static inline void assert_whole(const struct unwinder_options *options, enum trust trust)
{
    struct chain chain;

    unwind(options, &chain);
    assert_int_equal(assert_prefix_of_oracle(&chain), 0);
    assert_int_equal(chain.stop, STOP_THREAD_START);
    assert_int_equal(chain.frames[0].trust, TRUST_CONTEXT);
    assert_false(chain.frames[0].is_call);
    for (size_t i = 1; i < chain.count; i++)
        assert_int_equal(chain.frames[i].trust, trust);
    chain_deinit(&chain);
}

static const struct unwinder_options DESIGNED = {.method_count = 0};
static const struct unwinder_options EH_FRAME = {.methods = {TRUST_EH_FRAME}, .method_count = 1};
static const struct unwinder_options PROLOGUE = {.methods = {TRUST_PROLOGUE}, .method_count = 1};
static const struct unwinder_options FP = {.methods = {TRUST_FP}, .method_count = 1};
static const struct unwinder_options SCAN = {.methods = {TRUST_SCAN}, .method_count = 1};

/* The functions of the chain that every test has. */
static NOINLINE void inner(int depth)
{
    if (depth > 0)
        inner(depth - 1);
    else
        take(0);
    KEEP_FRAME();
}

static NOINLINE void middle(int depth)
{
    volatile char locals[40] = {0};

    inner(depth);
    locals[0]++;
}

static NOINLINE __attribute__((unused)) void outer(int depth)
{
    middle(depth);
    KEEP_FRAME();
}

static inline void assert_function(const struct frame *frame, const char *name)
{
    struct symbol symbol;
    const struct symtab *symtab;

    assert_non_null(frame->module);
    assert_true(frame->vaddr_known);
    symtab = module_symtab(modules, frame->module);
    assert_non_null(symtab);
    assert_int_equal(symtab_find(symtab, frame->lookup_vaddr, &symbol), STATUS_OK);
    /* A compiler may add .constprop or the like. */
    assert_int_equal(strncmp(symbol.name, name, strlen(name)), 0);
}

#endif
