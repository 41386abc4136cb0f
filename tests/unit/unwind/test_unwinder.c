/* SPDX-License-Identifier: MIT */
/* The unwinder's chains of this program: whole, with the trust of what found each caller. */
#include "unwinder_fixture.h"

#include <pthread.h>
#include <signal.h>

TEST_OF(unwinder_own_chain_is_that_of_backtrace, walk, w, &DESIGNED)
{
    outer(3);
    assert_whole(&DESIGNED, TRUST_EH_FRAME);
    assert_whole(&EH_FRAME, TRUST_EH_FRAME);

    unwind(&DESIGNED, &w->chain);
    assert_function(&w->chain.frames[0], "take");
    for (int i = 1; i <= 4; i++) {
        assert_function(&w->chain.frames[i], "inner");
        assert_true(w->chain.frames[i].is_call);
    }
    assert_function(&w->chain.frames[5], "middle");
    assert_function(&w->chain.frames[6], "outer");
    assert_function(&w->chain.frames[7], "unwinder_own_chain_is_that_of_backtrace");
    assert_function(&w->chain.frames[w->chain.count - 1], "_start");
}

TEST_OF(unwinder_chain_of_a_sample_can_be_reused, walk, w, &DESIGNED)
{
    size_t count;

    outer(100);
    assert_int_equal(unwinder_chain(w->unwinder, &space, &taken.sample, &w->chain), STATUS_OK);
    count = w->chain.count;
    outer(3);
    assert_int_equal(unwinder_chain(w->unwinder, &space, &taken.sample, &w->chain), STATUS_OK);
    assert_int_equal(w->chain.count, count - 97);
    assert_prefix_of_oracle(&w->chain);
}

/*
 * Prologue analysis alone may give up; what it finds is right, and it gets through this file's
 * functions.
 */
TEST_OF(unwinder_prologue_analysis_is_never_wrong, walk, w, &DESIGNED)
{
    outer(3);
    unwind(&PROLOGUE, &w->chain);
    assert_prefix_of_oracle(&w->chain);
    assert_true(w->chain.count >= 8);
    for (size_t i = 1; i < w->chain.count; i++)
        assert_int_equal(w->chain.frames[i].trust, TRUST_PROLOGUE);
}

/*
 * Without frame pointers the convention finds little or skips frames, but nothing that is no
 * caller.
 */
TEST_OF(unwinder_frame_pointers_find_callers_only, walk, w, &DESIGNED)
{
    int at = 0;

    outer(3);
    unwind(&FP, &w->chain);
    for (size_t i = 1; i < w->chain.count; i++) {
        assert_int_equal(w->chain.frames[i].trust, TRUST_FP);
        while (at < taken.oracle_count &&
               (uint64_t)(uintptr_t)taken.oracle[at] != w->chain.frames[i].pc_addr)
            at++;
        assert_true(at < taken.oracle_count);
    }
}

/* Frames may be left out where one keeps no frame pointer: whose CFA it gives is not known. */
TEST_WITH(unwinder_registers_are_kept_but_no_cfa_by_frame_pointer, set_up, tear_down)
{
    struct unwinder *unwinder;
    struct chain chain = {.wants_regs = true};

    outer(3);
    assert_int_equal(unwinder_create(arch_get(ARCH_X86_64), modules, &DESIGNED, &unwinder),
                     STATUS_OK);
    for (int i = 0; i < 2; i++) { /* the second time along cached steps */
        assert_int_equal(unwinder_chain(unwinder, &space, &taken.sample, &chain), STATUS_OK);
        assert_true(chain.count > 3 && chain.frames[1].trust == TRUST_EH_FRAME);
        assert_true(chain.regs[0].cfa_known && chain.regs[1].cfa_known);
        assert_true(chain.regs[0].cfa == chain.regs[1].regs.value[7]);
    }
    unwinder_destroy(unwinder);
    assert_int_equal(unwinder_create(arch_get(ARCH_X86_64), modules, &FP, &unwinder), STATUS_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(unwinder_chain(unwinder, &space, &taken.sample, &chain), STATUS_OK);
        for (size_t j = 0; j < chain.count; j++)
            assert_false(chain.regs[j].cfa_known);
    }
    unwinder_destroy(unwinder);
    chain_deinit(&chain);
}

TEST_OF(unwinder_scan_finds_every_caller_among_others, walk, w, &DESIGNED)
{
    size_t at = 1;

    outer(3);
    unwind(&DESIGNED, &w->chain);
    {
        struct chain scanned;
        size_t found = 0;

        unwind(&SCAN, &scanned);
        for (size_t i = 1; i < scanned.count; i++)
            if (at < w->chain.count && scanned.frames[i].pc_addr == w->chain.frames[at].pc_addr) {
                at++;
                found++;
            }
        assert_true(found >= 7);
        chain_deinit(&scanned);
    }
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

TEST_OF(unwinder_call_at_a_functions_end_belongs_to_it, walk, w, &DESIGNED)
{
    if (setjmp(back) == 0)
        ends_with_a_call();
    assert_whole(&DESIGNED, TRUST_EH_FRAME);
    unwind(&DESIGNED, &w->chain);
    assert_function(&w->chain.frames[1], "never_returns");
    assert_function(&w->chain.frames[2], "ends_with_a_call");
    assert_function(&w->chain.frames[3], "unwinder_call_at_a_functions_end_belongs_to_it");
}

static void *thread_main(void *unused)
{
    (void)unused;
    outer(2);
    return NULL;
}

TEST_OF(unwinder_thread_ends_where_it_began, walk, w, &DESIGNED)
{
    pthread_t thread;

    assert_int_equal(pthread_create(&thread, NULL, thread_main, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_whole(&DESIGNED, TRUST_EH_FRAME);
    unwind(&DESIGNED, &w->chain);
    assert_function(&w->chain.frames[6], "thread_main");
}

static int compare_and_take(const void *a, const void *b)
{
    static int calls;

    if (calls++ == 0)
        take(0);
    KEEP_FRAME();
    return *(const int *)a - *(const int *)b;
}

TEST_WITH(unwinder_callback_through_libc_is_whole, set_up, tear_down)
{
    int numbers[] = {3, 1, 2, 5, 4, 9, 8};

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
    assert_int_equal(taken.sample.region_count, alternate ? 2 : 1);
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

TEST_WITH(unwinder_signal_handler_leads_to_what_it_interrupted, set_up, tear_down)
{
    check_interrupted(false);
}

TEST_WITH(unwinder_alternate_signal_stack_leads_back_to_the_ordinary_one, set_up, tear_down)
{
    stack_t stack = {.ss_size = 1 << 20}, old;

    stack.ss_sp = malloc(stack.ss_size);
    assert_non_null(stack.ss_sp);
    assert_int_equal(sigaltstack(&stack, &old), 0);
    check_interrupted(true);
    assert_int_equal(sigaltstack(&old, NULL), 0);
    free(stack.ss_sp);
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

TEST_WITH(unwinder_deep_recursion_is_whole, set_up, tear_down)
{
    run_deep(20000);
    assert_true(taken.oracle_count > 20000);
    assert_whole(&DESIGNED, TRUST_EH_FRAME);
}

TEST_OF(unwinder_deeper_than_the_cap_is_cut_there, walk, w, &DESIGNED)
{
    run_deep(CHAIN_DEPTH_MAX + 100);
    unwind(&DESIGNED, &w->chain);
    assert_int_equal(w->chain.count, CHAIN_DEPTH_MAX);
    assert_int_equal(w->chain.stop, STOP_DEPTH);
}

TEST_OF(unwinder_function_is_the_range_around_an_address, walk, w, &DESIGNED)
{
    uint64_t start_vaddr, end_vaddr;
    const struct frame *frame;
    void (*volatile function)(int) = outer; /* itself, not a clone of it */

    function(3);
    assert_int_equal(unwinder_chain(w->unwinder, &space, &taken.sample, &w->chain), STATUS_OK);
    frame = &w->chain.frames[6];
    assert_int_equal(unwinder_function(w->unwinder, frame->module, frame->lookup_vaddr,
                                       &start_vaddr, &end_vaddr),
                     STATUS_OK);
    assert_true(start_vaddr < frame->lookup_vaddr && frame->lookup_vaddr < end_vaddr);
    assert_int_equal(frame->pc_addr - (frame->lookup_vaddr + 1 - start_vaddr),
                     (uint64_t)(uintptr_t)outer);
    assert_int_equal(unwinder_function(w->unwinder, frame->module, 1, &start_vaddr, &end_vaddr),
                     STATUS_NOT_FOUND);
}

TEST_WITH(chain_names_are_the_contracts, set_up, tear_down)
{
    static const char *const trusts[TRUST_COUNT] = {"context",     "kernel",   "exception",
                                                    "debug_frame", "eh_frame", "exidx",
                                                    "gopclntab",   "prologue", "fp",
                                                    "lr",          "scan"};
    static const char *const stops[STOP_COUNT] = {"thread-start", "undefined-ra", "stack-end",
                                                  "truncated",    "no-rule",      "implausible",
                                                  "depth",        "reset"};

    for (int i = 0; i < TRUST_COUNT; i++)
        assert_string_equal(trust_name((enum trust)i), trusts[i]);
    for (int i = 0; i < STOP_COUNT; i++)
        assert_string_equal(stop_reason_name((enum stop_reason)i), stops[i]);
}
