/*
 * The unwinder on this very program: a sample is made of the running thread's own registers and
 * stack, its own mappings are the address space, and backtrace(3) says what the chain must be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

#include <cmocka.h>

#include "symbol/module.h"
#include "unwind/unwinder.h"

#define NOINLINE     __attribute__((noinline))
#define STACK_MAX    (48u << 20)
#define ORACLE_MAX   (CHAIN_DEPTH_MAX + 8)
#define KEEP_FRAME() __asm__ volatile("" ::: "memory") /* no tail call, no folding */

/* What one moment of this program looked like. */
struct shot {
    struct snap_sample sample;
    uint8_t *bytes[2];
    void **oracle; /* return addresses by backtrace(3), innermost first */
    int oracle_count;
};

static struct shot shot;
static struct module_set *modules;
static struct address_space space;

static bool read_mapping(const char *line, uint64_t *start, uint64_t *end, uint64_t *off,
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

static void add_mapping(const char *line)
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

static void for_each_mapping(void (*visit)(const char *line))
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1024];

    assert_non_null(maps);
    while (fgets(line, sizeof(line), maps))
        visit(line);
    fclose(maps);
}

static int set_up(void **state)
{
    static const struct module_options options = {.sysroot = NULL};

    (void)state;
    if (module_set_create(&options, &modules) != STATUS_OK)
        return -1;
    address_space_init(&space);
    for_each_mapping(add_mapping);
    shot.oracle = calloc(ORACLE_MAX, sizeof(*shot.oracle));
    shot.bytes[0] = malloc(STACK_MAX);
    shot.bytes[1] = malloc(STACK_MAX);
    return shot.oracle && shot.bytes[0] && shot.bytes[1] ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    address_space_deinit(&space);
    module_set_destroy(modules);
    free(shot.oracle);
    free(shot.bytes[0]);
    free(shot.bytes[1]);
    return 0;
}

static uint64_t wanted_addr, found_end;

static void find_end(const char *line)
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
__attribute__((no_sanitize("address"))) static void copy_stack(uint64_t sp)
{
    struct snap_region *region = &shot.sample.regions[shot.sample.region_count];
    uint8_t *bytes = shot.bytes[shot.sample.region_count++];
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

    shot.sample = (struct snap_sample){.pid = 1, .tid = 1, .state = 'R'};
    getcontext(&context);
    for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        regs_set(&shot.sample.regs, i, (uint64_t)context.uc_mcontext.gregs[order[i]]);
    copy_stack(shot.sample.regs.value[7]);
    if (other_sp)
        copy_stack(other_sp);
    shot.oracle_count = backtrace(shot.oracle, ORACLE_MAX);
    KEEP_FRAME();
}

/*
 * Where in the oracle the chain's first caller is; a sanitizer's backtrace has a frame of its own
 * before it.
 */
static int oracle_start(const struct chain *chain)
{
    for (int i = 0; i < shot.oracle_count; i++)
        if ((uint64_t)(uintptr_t)shot.oracle[i] == chain->frames[1].pc_addr)
            return i;
    return -1;
}

static struct unwinder *create(const struct unwinder_options *options)
{
    struct unwinder *unwinder;

    assert_int_equal(unwinder_create(arch_get(ARCH_X86_64), modules, options, &unwinder),
                     STATUS_OK);
    return unwinder;
}

static void unwind(const struct unwinder_options *options, struct chain *chain)
{
    struct unwinder *unwinder = create(options);

    *chain = (struct chain){0};
    assert_int_equal(unwinder_chain(unwinder, &space, &shot.sample, chain), STATUS_OK);
    unwinder_destroy(unwinder);
}

/* Every caller found is the oracle's, in its order; the count of those compared. */
static size_t assert_prefix_of_oracle(const struct chain *chain)
{
    int at;

    assert_true(chain->count > 1);
    at = oracle_start(chain);
    assert_true(at >= 0);
    for (size_t i = 1; i < chain->count; i++, at++) {
        assert_true(at < shot.oracle_count);
        assert_true(chain->frames[i].pc_addr == (uint64_t)(uintptr_t)shot.oracle[at]);
    }
    return (size_t)(shot.oracle_count - at);
}

/* The chain by `options` is the oracle's, whole, and ends where the thread began. */
static void assert_whole(const struct unwinder_options *options, enum trust trust)
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

static NOINLINE void outer(int depth)
{
    middle(depth);
    KEEP_FRAME();
}

static void assert_function(const struct frame *frame, const char *name)
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

static void unwinder_own_chain_is_that_of_backtrace(void **state)
{
    struct chain chain;

    (void)state;
    outer(3);
    assert_whole(&DESIGNED, TRUST_EH_FRAME);
    assert_whole(&EH_FRAME, TRUST_EH_FRAME);

    unwind(&DESIGNED, &chain);
    assert_function(&chain.frames[0], "take");
    for (int i = 1; i <= 4; i++) {
        assert_function(&chain.frames[i], "inner");
        assert_true(chain.frames[i].is_call);
    }
    assert_function(&chain.frames[5], "middle");
    assert_function(&chain.frames[6], "outer");
    assert_function(&chain.frames[7], "unwinder_own_chain_is_that_of_backtrace");
    assert_function(&chain.frames[chain.count - 1], "_start");
    chain_deinit(&chain);
}

static void unwinder_chain_of_a_sample_can_be_reused(void **state)
{
    struct unwinder *unwinder = create(&DESIGNED);
    struct chain chain = {0};
    size_t count;

    (void)state;
    outer(100);
    assert_int_equal(unwinder_chain(unwinder, &space, &shot.sample, &chain), STATUS_OK);
    count = chain.count;
    outer(3);
    assert_int_equal(unwinder_chain(unwinder, &space, &shot.sample, &chain), STATUS_OK);
    assert_int_equal(chain.count, count - 97);
    assert_prefix_of_oracle(&chain);
    chain_deinit(&chain);
    unwinder_destroy(unwinder);
}

/*
 * Prologue analysis alone may give up; what it finds is right, and it gets through this file's
 * functions.
 */
static void unwinder_prologue_analysis_is_never_wrong(void **state)
{
    struct chain chain;

    (void)state;
    outer(3);
    unwind(&PROLOGUE, &chain);
    assert_prefix_of_oracle(&chain);
    assert_true(chain.count >= 8);
    for (size_t i = 1; i < chain.count; i++)
        assert_int_equal(chain.frames[i].trust, TRUST_PROLOGUE);
    chain_deinit(&chain);
}

/*
 * Without frame pointers the convention finds little or skips frames, but nothing that is no
 * caller.
 */
static void unwinder_frame_pointers_find_callers_only(void **state)
{
    struct chain chain;
    int at = 0;

    (void)state;
    outer(3);
    unwind(&FP, &chain);
    for (size_t i = 1; i < chain.count; i++) {
        assert_int_equal(chain.frames[i].trust, TRUST_FP);
        while (at < shot.oracle_count &&
               (uint64_t)(uintptr_t)shot.oracle[at] != chain.frames[i].pc_addr)
            at++;
        assert_true(at < shot.oracle_count);
    }
    chain_deinit(&chain);
}

static void unwinder_scan_finds_every_caller_among_others(void **state)
{
    struct chain chain;
    size_t at = 1;

    (void)state;
    outer(3);
    unwind(&DESIGNED, &chain);
    {
        struct chain scanned;
        size_t found = 0;

        unwind(&SCAN, &scanned);
        for (size_t i = 1; i < scanned.count; i++)
            if (at < chain.count && scanned.frames[i].pc_addr == chain.frames[at].pc_addr) {
                at++;
                found++;
            }
        assert_true(found >= 7);
        chain_deinit(&scanned);
    }
    chain_deinit(&chain);
}

static jmp_buf back;

static NOINLINE __attribute__((noreturn)) void never_returns(void)
{
    take(0);
    longjmp(back, 1);
}

/* The call is its last instruction: the return address lies in whatever was put behind it. */
static NOINLINE __attribute__((noreturn)) void ends_with_a_call(void)
{
    volatile char locals[200] = {0};

    locals[0]++;
    never_returns();
}

static void unwinder_call_at_a_functions_end_belongs_to_it(void **state)
{
    struct chain chain;

    (void)state;
    if (setjmp(back) == 0)
        ends_with_a_call();
    assert_whole(&DESIGNED, TRUST_EH_FRAME);
    unwind(&DESIGNED, &chain);
    assert_function(&chain.frames[1], "never_returns");
    assert_function(&chain.frames[2], "ends_with_a_call");
    assert_function(&chain.frames[3], "unwinder_call_at_a_functions_end_belongs_to_it");
    chain_deinit(&chain);
}

static void *thread_main(void *unused)
{
    (void)unused;
    outer(2);
    return NULL;
}

static void unwinder_thread_ends_where_it_began(void **state)
{
    pthread_t thread;
    struct chain chain;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, thread_main, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_whole(&DESIGNED, TRUST_EH_FRAME);
    unwind(&DESIGNED, &chain);
    assert_function(&chain.frames[6], "thread_main");
    chain_deinit(&chain);
}

static int compare_and_take(const void *a, const void *b)
{
    static int calls;

    if (calls++ == 0)
        take(0);
    KEEP_FRAME();
    return *(const int *)a - *(const int *)b;
}

static void unwinder_callback_through_libc_is_whole(void **state)
{
    int numbers[] = {3, 1, 2, 5, 4, 9, 8};

    (void)state;
    qsort(numbers, 7, sizeof(numbers[0]), compare_and_take);
    assert_int_equal(numbers[6], 9);
    assert_whole(&DESIGNED, TRUST_EH_FRAME);
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    const ucontext_t *interrupted = context;
    uint64_t other = (uint64_t)interrupted->uc_mcontext.gregs[REG_RSP];
    char here;

    (void)signal;
    (void)info;
    /* On the same stack the interrupted frames are in the first region already. */
    take(other - (uint64_t)(uintptr_t)&here < 65536 ? 0 : other);
    KEEP_FRAME();
}

static NOINLINE void be_interrupted(void)
{
    /* The signal comes from this instruction: the frame below was not calling. */
    __asm__ volatile("ud2" ::: "memory");
    KEEP_FRAME();
}

static void on_illegal(int signal, siginfo_t *info, void *context)
{
    on_signal(signal, info, context);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2; /* over the ud2 */
}

static void check_interrupted(bool alternate)
{
    struct sigaction action = {.sa_sigaction = on_illegal,
                               .sa_flags = SA_SIGINFO | (alternate ? SA_ONSTACK : 0)};
    struct sigaction old;
    struct chain chain;
    size_t signal_frames = 0, interrupted = 0;

    assert_int_equal(sigaction(SIGILL, &action, &old), 0);
    be_interrupted();
    assert_int_equal(sigaction(SIGILL, &old, NULL), 0);
    assert_int_equal(shot.sample.region_count, alternate ? 2 : 1);
    assert_whole(&DESIGNED, TRUST_EH_FRAME);
    unwind(&DESIGNED, &chain);
    for (size_t i = 0; i < chain.count; i++)
        if (chain.frames[i].signal_frame) {
            signal_frames++;
            interrupted = i + 1;
        }
    assert_int_equal(signal_frames, 1);
    assert_false(
        chain.frames[interrupted - 1].is_call); /* the trampoline was returned to, not called */
    assert_false(chain.frames[interrupted].is_call);
    assert_function(&chain.frames[interrupted], "be_interrupted");
    assert_true(chain.frames[interrupted + 1].is_call);
    chain_deinit(&chain);
}

static void unwinder_signal_handler_leads_to_what_it_interrupted(void **state)
{
    (void)state;
    check_interrupted(false);
}

static void unwinder_alternate_signal_stack_leads_back_to_the_ordinary_one(void **state)
{
    stack_t stack = {.ss_size = 1 << 20}, old;

    (void)state;
    stack.ss_sp = malloc(stack.ss_size);
    assert_non_null(stack.ss_sp);
    assert_int_equal(sigaltstack(&stack, &old), 0);
    check_interrupted(true);
    assert_int_equal(sigaltstack(&old, NULL), 0);
    free(stack.ss_sp);
}

/*
 * The stack cut at every eighth byte: what is left is right, and the reader is told that it was
 * cut.
 */
static void unwinder_cut_stack_gives_the_inner_part_and_says_so(void **state)
{
    struct unwinder *unwinder = create(&DESIGNED);
    struct snap_region *region = &shot.sample.regions[0];
    struct chain chain = {0};
    size_t whole, last = 0;
    uint64_t end;

    (void)state;
    outer(3);
    assert_int_equal(unwinder_chain(unwinder, &space, &shot.sample, &chain), STATUS_OK);
    whole = chain.count;
    end = region->end_addr;
    for (uint64_t cut = region->start_addr + 8; cut < end && last < whole; cut += 8) {
        region->end_addr = cut;
        assert_int_equal(unwinder_chain(unwinder, &space, &shot.sample, &chain), STATUS_OK);
        assert_true(chain.count >= last);
        last = chain.count;
        if (chain.count > 1)
            assert_prefix_of_oracle(&chain);
        assert_int_equal(chain.stop, last < whole ? STOP_TRUNCATED : STOP_THREAD_START);
    }
    assert_int_equal(last, whole);
    chain_deinit(&chain);
    unwinder_destroy(unwinder);
}

static void unwinder_stack_that_ends_there_is_not_called_cut(void **state)
{
    struct snap_region *region = &shot.sample.regions[0];
    struct chain chain;

    (void)state;
    outer(3);
    region->end_addr = region->map_end_addr = region->start_addr + 8;
    unwind(&DESIGNED, &chain);
    assert_int_equal(chain.count, 1);
    assert_int_equal(chain.stop, STOP_STACK_END);
    chain_deinit(&chain);
}

static void unwinder_unknown_code_has_no_rule(void **state)
{
    struct chain chain;

    (void)state;
    outer(3);
    regs_set(&shot.sample.regs, 16, 0x1234);
    unwind(&EH_FRAME, &chain);
    assert_int_equal(chain.count, 1);
    assert_null(chain.frames[0].module);
    assert_int_equal(chain.frames[0].lookup_vaddr, 0x1234);
    assert_int_equal(chain.stop, STOP_NO_RULE);
    chain_deinit(&chain);
}

/* The offset in the stack of the word that is `value`; the innermost. */
static uint64_t find_word(const struct snap_region *region, uint64_t value)
{
    for (uint64_t off = 0; off + 8 <= region->end_addr - region->start_addr; off += 8) {
        uint64_t word;

        memcpy(&word, region->bytes + off, sizeof(word));
        if (word == value)
            return off;
    }
    fail_msg("no such word on the stack");
    return 0;
}

/* A call through a null pointer: the return address is on top of the stack, the PC in no code. */
static void unwinder_call_to_nowhere_leads_back_to_the_caller(void **state)
{
    struct snap_region *region = &shot.sample.regions[0];
    struct chain chain;
    uint64_t return_addr;

    (void)state;
    outer(3);
    unwind(&DESIGNED, &chain);
    return_addr = chain.frames[1].pc_addr;
    chain_deinit(&chain);
    regs_set(&shot.sample.regs, 7, region->start_addr + find_word(region, return_addr));
    regs_set(&shot.sample.regs, 16, 0);
    regs_set(&shot.sample.regs, 6, 1); /* no frame pointer */
    unwind(&DESIGNED, &chain);
    assert_true(chain.count >= 2);
    assert_int_equal(chain.frames[1].trust, TRUST_LR);
    assert_true(chain.frames[1].pc_addr == return_addr);
    chain_deinit(&chain);
}

/*
 * Call frame information that gives 0 for the return address ends the chain; it is not where a
 * thread begins.
 */
static void unwinder_return_address_of_zero_ends_the_chain(void **state)
{
    static const uint64_t zero;
    struct snap_region *region = &shot.sample.regions[0];
    struct chain chain;
    uint64_t return_addr;

    (void)state;
    outer(3);
    unwind(&EH_FRAME, &chain);
    return_addr = chain.frames[6].pc_addr;
    chain_deinit(&chain);
    memcpy(shot.bytes[0] + find_word(region, return_addr), &zero, sizeof(zero));
    unwind(&EH_FRAME, &chain);
    assert_int_equal(chain.count, 6);
    assert_int_equal(chain.stop, STOP_UNDEFINED_RA);
    chain_deinit(&chain);
}

static void unwinder_implausible_callers_are_not_believed(void **state)
{
    struct snap_region *region = &shot.sample.regions[0];
    struct chain chain;
    uint64_t address;
    unsigned changed = 0;

    (void)state;
    outer(3);
    unwind(&DESIGNED, &chain);
    /* The return address into `middle` is no longer one behind a call. */
    address = chain.frames[5].pc_addr;
    chain_deinit(&chain);
    for (uint64_t off = 0; off + 8 <= region->end_addr - region->start_addr; off += 8) {
        uint64_t word, wrong = address + 1;

        memcpy(&word, region->bytes + off, sizeof(word));
        if (word != address)
            continue;
        memcpy(shot.bytes[0] + off, &wrong, sizeof(wrong));
        changed++;
    }
    assert_true(changed > 0);
    unwind(&EH_FRAME, &chain);
    assert_int_equal(chain.count, 5);
    assert_int_equal(chain.stop, STOP_IMPLAUSIBLE);
    chain_deinit(&chain);
}

static void unwinder_corrupt_stacks_are_survived(void **state)
{
    static const struct unwinder_options all = {.methods = {TRUST_EH_FRAME, TRUST_PROLOGUE,
                                                            TRUST_FP, TRUST_LR, TRUST_SCAN},
                                                .method_count = 5};
    const struct unwinder_options *options[] = {&DESIGNED, &PROLOGUE, &FP, &all};
    struct snap_region *region = &shot.sample.regions[0];
    uint8_t *bytes = shot.bytes[0];
    uint64_t size;

    (void)state;
    outer(20);
    size = region->end_addr - region->start_addr;
    if (size > 2048)
        size = 2048;
    srand(3);
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        struct unwinder *unwinder = create(options[i]);
        struct chain chain = {0};

        for (int round = 0; round < 100; round++) {
            uint64_t at = (uint64_t)rand() % (size / 8) * 8,
                     from = (uint64_t)rand() % (size / 8) * 8;

            if (round % 2) /* another word of the stack, so that it is an address */
                memmove(bytes + at, bytes + from, 8);
            else
                bytes[at + (uint64_t)rand() % 8] ^= (uint8_t)(1 + rand() % 255);
            assert_int_equal(unwinder_chain(unwinder, &space, &shot.sample, &chain), STATUS_OK);
            assert_true(chain.count >= 1 && chain.count <= CHAIN_DEPTH_MAX);
        }
        chain_deinit(&chain);
        unwinder_destroy(unwinder);
    }
}

static void unwinder_random_registers_are_survived(void **state)
{
    struct unwinder *unwinder = create(&DESIGNED);
    struct chain chain = {0};

    (void)state;
    outer(3);
    srand(4);
    for (int round = 0; round < 200; round++) {
        struct snap_sample sample = shot.sample;

        sample.regs.known = (uint64_t)rand() & ((1 << 17) - 1);
        sample.regs.known |= 1 << 16 | 1 << 7; /* the reader promises all of them */
        for (unsigned reg = 0; reg < 16; reg++)
            if (rand() % 2)
                sample.regs.value[reg] += (uint64_t)(rand() % 4096) - 2048;
        assert_int_equal(unwinder_chain(unwinder, &space, &sample, &chain), STATUS_OK);
        assert_true(chain.count >= 1);
    }
    chain_deinit(&chain);
    unwinder_destroy(unwinder);
}

static NOINLINE void recurse(unsigned depth)
{
    if (depth > 0)
        recurse(depth - 1);
    else
        take(0);
    KEEP_FRAME();
}

static void *deep_thread(void *depth)
{
    recurse(*(unsigned *)depth);
    return NULL;
}

static void run_deep(unsigned depth)
{
    pthread_attr_t attr;
    pthread_t thread;

    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstacksize(&attr, STACK_MAX), 0);
    assert_int_equal(pthread_create(&thread, &attr, deep_thread, &depth), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attr), 0);
}

static void unwinder_deep_recursion_is_whole(void **state)
{
    (void)state;
    run_deep(20000);
    assert_true(shot.oracle_count > 20000);
    assert_whole(&DESIGNED, TRUST_EH_FRAME);
}

static void unwinder_deeper_than_the_cap_is_cut_there(void **state)
{
    struct chain chain;

    (void)state;
    run_deep(CHAIN_DEPTH_MAX + 100);
    unwind(&DESIGNED, &chain);
    assert_int_equal(chain.count, CHAIN_DEPTH_MAX);
    assert_int_equal(chain.stop, STOP_DEPTH);
    chain_deinit(&chain);
}

static void unwinder_function_is_the_range_around_an_address(void **state)
{
    struct unwinder *unwinder = create(&DESIGNED);
    struct chain chain = {0};
    uint64_t start_vaddr, end_vaddr;
    const struct frame *frame;
    void (*volatile function)(int) = outer; /* itself, not a clone of it */

    (void)state;
    function(3);
    assert_int_equal(unwinder_chain(unwinder, &space, &shot.sample, &chain), STATUS_OK);
    frame = &chain.frames[6];
    assert_int_equal(unwinder_function(unwinder, frame->module, frame->lookup_vaddr, &start_vaddr,
                                       &end_vaddr),
                     STATUS_OK);
    assert_true(start_vaddr < frame->lookup_vaddr && frame->lookup_vaddr < end_vaddr);
    assert_int_equal(frame->pc_addr - (frame->lookup_vaddr + 1 - start_vaddr),
                     (uint64_t)(uintptr_t)outer);
    assert_int_equal(unwinder_function(unwinder, frame->module, 1, &start_vaddr, &end_vaddr),
                     STATUS_NOT_FOUND);
    chain_deinit(&chain);
    unwinder_destroy(unwinder);
}

static void chain_names_are_the_contracts(void **state)
{
    static const char *const trusts[TRUST_COUNT] = {"context",  "debug_frame", "eh_frame", "exidx",
                                                    "prologue", "fp",          "lr",       "scan"};
    static const char *const stops[STOP_COUNT] = {"thread-start", "undefined-ra", "stack-end",
                                                  "truncated",    "no-rule",      "implausible",
                                                  "depth"};

    (void)state;
    for (int i = 0; i < TRUST_COUNT; i++)
        assert_string_equal(trust_name((enum trust)i), trusts[i]);
    for (int i = 0; i < STOP_COUNT; i++)
        assert_string_equal(stop_reason_name((enum stop_reason)i), stops[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unwinder_own_chain_is_that_of_backtrace),
        cmocka_unit_test(unwinder_chain_of_a_sample_can_be_reused),
        cmocka_unit_test(unwinder_prologue_analysis_is_never_wrong),
        cmocka_unit_test(unwinder_frame_pointers_find_callers_only),
        cmocka_unit_test(unwinder_scan_finds_every_caller_among_others),
        cmocka_unit_test(unwinder_call_at_a_functions_end_belongs_to_it),
        cmocka_unit_test(unwinder_thread_ends_where_it_began),
        cmocka_unit_test(unwinder_callback_through_libc_is_whole),
        cmocka_unit_test(unwinder_signal_handler_leads_to_what_it_interrupted),
        cmocka_unit_test(unwinder_alternate_signal_stack_leads_back_to_the_ordinary_one),
        cmocka_unit_test(unwinder_cut_stack_gives_the_inner_part_and_says_so),
        cmocka_unit_test(unwinder_stack_that_ends_there_is_not_called_cut),
        cmocka_unit_test(unwinder_unknown_code_has_no_rule),
        cmocka_unit_test(unwinder_call_to_nowhere_leads_back_to_the_caller),
        cmocka_unit_test(unwinder_return_address_of_zero_ends_the_chain),
        cmocka_unit_test(unwinder_implausible_callers_are_not_believed),
        cmocka_unit_test(unwinder_corrupt_stacks_are_survived),
        cmocka_unit_test(unwinder_random_registers_are_survived),
        cmocka_unit_test(unwinder_deep_recursion_is_whole),
        cmocka_unit_test(unwinder_deeper_than_the_cap_is_cut_there),
        cmocka_unit_test(unwinder_function_is_the_range_around_an_address),
        cmocka_unit_test(chain_names_are_the_contracts),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
