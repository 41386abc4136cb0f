/* SPDX-License-Identifier: MIT */
/*
 * Chains through code that was made at run time, of this very program: it calls back from code that
 * it has written to anonymous memory. Who called that is known before it is called.
 */
#include "unwinder_fixture.h"

#include <sys/mman.h>

#include "runtime/jit/jit_map.h"

#define CODE_SIZE 0x1000u

/*
 * 00  push %rbp
 * 01  xor %ebp,%ebp
 * 03  sub $0x80,%rsp
 * 0a  call *%rdi
 * 0c  add $0x80,%rsp
 * 13  pop %rbp
 * 14  ret
 */
static const uint8_t plain[] = {0x55, 0x31, 0xed, 0x48, 0x81, 0xec, 0x80, 0x00, 0x00, 0x00, 0xff,
                                0xd7, 0x48, 0x81, 0xc4, 0x80, 0x00, 0x00, 0x00, 0x5d, 0xc3};
/*
 * It leaves the frame pointer alone.
 *
 * 00  sub $0x88,%rsp
 * 07  call *%rdi
 * 09  add $0x88,%rsp
 * 10  ret
 */
static const uint8_t without_record[] = {0x48, 0x81, 0xec, 0x88, 0x00, 0x00, 0x00, 0xff, 0xd7,
                                         0x48, 0x81, 0xc4, 0x88, 0x00, 0x00, 0x00, 0xc3};
/*
 * As HotSpot's interpreter, called by compiled code: it makes room for what it takes over of its
 * arguments, and keeps where they were.
 *
 * 00  pop %rax
 * 01  mov %rsp,%rcx
 * 04  sub $0x28,%rsp
 * 08  push %rax
 * 09  push %rbp
 * 0a  mov %rsp,%rbp
 * 0d  push %rcx
 * 0e  call *%rdi
 * 10  mov -0x8(%rbp),%rsp
 * 14  mov 0x8(%rbp),%rax
 * 18  mov (%rbp),%rbp
 * 1c  jmp *%rax
 */
static const uint8_t interpreter[] = {0x58, 0x48, 0x89, 0xe1, 0x48, 0x83, 0xec, 0x28, 0x50, 0x55,
                                      0x48, 0x89, 0xe5, 0x51, 0xff, 0xd7, 0x48, 0x8b, 0x65, 0xf8,
                                      0x48, 0x8b, 0x45, 0x08, 0x48, 0x8b, 0x6d, 0x00, 0xff, 0xe0};
/*
 * As a process of Erlang's: what its first function returns to never called it.
 *
 * 00  lea 0x29(%rip),%rax        # 30
 * 07  push %rax
 * 08  jmp 10
 * 0a  nop …
 * 10  sub $0x10,%rsp
 * 14  call *%rdi
 * 16  add $0x10,%rsp
 * 1a  pop %rax
 * 1b  ret
 */
static const uint8_t ending[] = {0x48, 0x8d, 0x05, 0x29, 0x00, 0x00, 0x00, 0x50, 0xeb, 0x06,
                                 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x48, 0x83, 0xec, 0x10,
                                 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x10, 0x58, 0xc3};

static uint8_t *made; /* CODE_SIZE bytes */
static struct jit_map *jit;
static void *callers[ORACLE_MAX];
static int caller_count;

static int set_up_made(void **state)
{
    struct module *module;

    made = mmap(NULL, CODE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
                -1, 0);
    if (made == MAP_FAILED || set_up(state) != 0 ||
        module_set_get(modules, MODULE_ANON, "[anon]", NULL, 0, false, &module) != STATUS_OK)
        return -1;
    jit = NULL;
    return address_space_add(&space, (uintptr_t)made, (uintptr_t)made + CODE_SIZE, 0, module) ==
                   STATUS_OK
               ? 0
               : -1;
}

static int tear_down_made(void **state)
{
    jit_map_destroy(jit);
    munmap(made, CODE_SIZE);
    return tear_down(state);
}

static NOINLINE void called_back(void)
{
    take(0);
    KEEP_FRAME();
}

/* What calls have left behind on the stack might be taken for calls that go on. */
static NOINLINE void scrub(void)
{
    volatile char left[4096];

    for (unsigned i = 0; i < sizeof(left); i++)
        left[i] = 0;
}

/* callers[1] is to be where `enter` returns to: a sanitizer's backtrace() has frames of its own. */
static void note_callers(const void *returns_to)
{
    int own = 0;

    caller_count = backtrace(callers, ORACLE_MAX);
    while (own < caller_count && callers[own] != returns_to)
        own++;
    assert_true(own > 0 && own < caller_count);
    caller_count -= own - 1;
    memmove(callers, callers + own - 1, (size_t)caller_count * sizeof(*callers));
}

static NOINLINE void enter(const uint8_t *code, size_t size)
{
    void (*call)(void (*)(void));
    volatile char pad[72] = {0};

    memcpy(made, code, size);
    memcpy(&call, &made, sizeof(call));
    note_callers(__builtin_return_address(0));
    scrub();
    call(called_back);
    pad[0]++;
    KEEP_FRAME();
}

static NOINLINE void enter_deeper(const uint8_t *code, size_t size)
{
    volatile char pad[136] = {0};

    enter(code, size);
    pad[0]++;
    KEEP_FRAME();
}

static void name(const char *lines)
{
    struct module *module;
    bool changed = false;

    assert_int_equal(module_set_jit(modules, &module), STATUS_OK);
    assert_int_equal(jit_map_create(&module->jit_names, &jit), STATUS_OK);
    assert_int_equal(jit_map_add(jit, 0, (const uint8_t *)lines, strlen(lines), &changed),
                     STATUS_OK);
    space.jit = jit;
}

static void name_at(unsigned off, unsigned size, const char *function, char lines[256])
{
    snprintf(lines + strlen(lines), 256 - strlen(lines), "%jx %x %s\n",
             (uintmax_t)(uintptr_t)made + off, size, function);
}

static void give_code(struct unwinder *unwinder)
{
    assert_int_equal(unwinder_code(unwinder, address_space_find(&space, (uintptr_t)made),
                                   (uintptr_t)made, made, CODE_SIZE),
                     STATUS_OK);
}

static struct chain unwind_made(const struct unwinder_options *options, bool with_code)
{
    struct unwinder *unwinder = create(options);
    struct chain chain = {0};

    address_space_find(&space, (uintptr_t)made)->code_id = 0; /* another unwinder's */
    if (with_code)
        give_code(unwinder);
    assert_int_equal(unwinder_chain(unwinder, &space, &taken.sample, &chain), STATUS_OK);
    unwinder_destroy(unwinder);
    return chain;
}

static size_t find_made(const struct chain *chain)
{
    for (size_t i = 0; i < chain->count; i++)
        if (chain->frames[i].pc_addr - (uintptr_t)made < CODE_SIZE)
            return i;
    fail_msg("no frame is in the code that was made");
    return 0;
}

/* From the one that entered it on, all are who was known to call; the first is in enter itself. */
static void assert_callers(const struct chain *chain, enum trust trust)
{
    const size_t at = find_made(chain) + 1;

    assert_int_equal(chain->stop, STOP_THREAD_START);
    assert_int_equal(chain->count - at, caller_count);
    assert_int_equal(chain->frames[at].trust, trust);
    for (int i = 1; i < caller_count; i++)
        assert_true(chain->frames[at + (size_t)i].pc_addr == (uint64_t)(uintptr_t)callers[i]);
}

TEST_WITH(made_code_is_passed_to_who_entered_it, set_up_made, tear_down_made)
{
    struct chain chain;

    enter_deeper(plain, sizeof(plain));
    chain = unwind_made(&DESIGNED, false);
    assert_callers(&chain, TRUST_SCAN);
    chain_deinit(&chain);
}

/* Its record is that of who entered it. */
TEST_WITH(made_code_without_record_does_not_hide_who_entered_it, set_up_made, tear_down_made)
{
    struct chain chain;

    enter_deeper(without_record, sizeof(without_record));
    chain = unwind_made(&DESIGNED, false);
    assert_callers(&chain, TRUST_SCAN);
    chain_deinit(&chain);
}

TEST_WITH(made_code_is_unwound_by_analysis_where_it_is_known, set_up_made, tear_down_made)
{
    struct chain chain;

    enter_deeper(plain, sizeof(plain));
    chain = unwind_made(&DESIGNED, true);
    assert_callers(&chain, TRUST_PROLOGUE);
    chain_deinit(&chain);
}

/* What it has left behind in its frame leads nowhere. */
TEST_WITH(made_code_is_not_passed_to_a_stale_return_address, set_up_made, tear_down_made)
{
    uint64_t *words;
    struct chain chain;
    size_t at;

    enter_deeper(plain, sizeof(plain));
    chain = unwind_made(&DESIGNED, true);
    at = find_made(&chain);
    chain_deinit(&chain);
    assert_true(at > 0);
    /* Its frame is found by its own return address, which the callback's frame ends with. */
    words = (uint64_t *)(void *)taken.bytes[0];
    while (*words - (uintptr_t)made >= CODE_SIZE)
        words++;
    for (unsigned i = 1; i <= 16; i++)
        words[i] = (uint64_t)(uintptr_t)callers[1 + i % (unsigned)(caller_count - 3)];
    chain = unwind_made(&DESIGNED, false);
    assert_callers(&chain, TRUST_SCAN);
    chain_deinit(&chain);
}

TEST_WITH(made_code_is_not_passed_by_methods_that_were_asked_for, set_up_made, tear_down_made)
{
    struct chain chain;

    enter_deeper(plain, sizeof(plain));
    chain = unwind_made(&EH_FRAME, false);
    assert_int_equal(chain.stop, STOP_NO_RULE);
    assert_int_equal(find_made(&chain), chain.count - 1);
    chain_deinit(&chain);
}

/* Where nothing leads to the thread's start nothing is guessed. */
TEST_WITH(made_code_is_not_passed_to_where_a_chain_breaks, set_up_made, tear_down_made)
{
    struct chain chain;

    enter_deeper(plain, sizeof(plain));
    taken.regions[0].end_addr -= 64; /* with the outermost frames */
    for (uint64_t i = 0; i < 4000 && taken.regions[0].end_addr > taken.regions[0].start_addr; i++) {
        uint64_t word;

        taken.regions[0].end_addr -= 8;
        memcpy(&word, taken.bytes[0] + (taken.regions[0].end_addr - taken.regions[0].start_addr),
               8);
        if (word == (uint64_t)(uintptr_t)callers[2])
            break;
    }
    chain = unwind_made(&DESIGNED, false);
    assert_int_equal(find_made(&chain), chain.count - 1);
    assert_int_not_equal(chain.stop, STOP_THREAD_START);
    chain_deinit(&chain);
}

TEST_WITH(made_code_with_a_name_is_of_the_module_of_names, set_up_made, tear_down_made)
{
    char lines[256] = "";
    struct chain chain;
    const struct frame *frame;
    uint64_t start_vaddr;

    enter_deeper(plain, sizeof(plain));
    name_at(0, sizeof(plain), "made function", lines);
    name(lines);
    chain = unwind_made(&DESIGNED, true);
    assert_callers(&chain, TRUST_PROLOGUE);
    frame = &chain.frames[find_made(&chain)];
    assert_int_equal(frame->module->kind, MODULE_JIT);
    assert_string_equal(jit_name(&frame->module->jit_names, frame->lookup_vaddr, &start_vaddr),
                        "made function");
    assert_int_equal(frame->lookup_vaddr + 1 - start_vaddr, 0x0c);
    chain_deinit(&chain);
}

/* By the frame's record its caller's SP would be 0x28 bytes too low. */
TEST_WITH(made_interpreter_has_its_callers_sp_in_its_frame, set_up_made, tear_down_made)
{
    char lines[256] = "";
    struct chain chain;

    enter_deeper(interpreter, sizeof(interpreter));
    name_at(0, sizeof(interpreter), "Interpreter", lines);
    name(lines);
    chain = unwind_made(&DESIGNED, false);
    assert_callers(&chain, TRUST_FP);
    chain_deinit(&chain);
}

TEST_WITH(made_process_of_erlang_ends_where_it_returns_to, set_up_made, tear_down_made)
{
    char lines[256] = "";
    struct chain chain;
    const struct frame *last;
    uint64_t start_vaddr;

    enter_deeper(ending, sizeof(ending));
    name_at(0x10, 0x20, "$e:go/1", lines);
    name_at(0x30, 0x10, "$erts_beamasm:normal_exit/0", lines);
    name(lines);
    chain = unwind_made(&DESIGNED, true);
    assert_int_equal(chain.stop, STOP_THREAD_START);
    last = &chain.frames[chain.count - 1];
    assert_true(last->pc_addr == (uintptr_t)made + 0x30);
    assert_string_equal(jit_name(&last->module->jit_names, last->lookup_vaddr, &start_vaddr),
                        "$erts_beamasm:normal_exit/0");
    chain_deinit(&chain);
}

/* A pipe's reader may come to know names after code and samples. */
TEST_WITH(made_code_is_analysed_anew_when_more_is_told, set_up_made, tear_down_made)
{
    char lines[256] = "";
    struct unwinder *unwinder = create(&DESIGNED);
    struct chain chain = {0};

    enter_deeper(plain, sizeof(plain));
    give_code(unwinder);
    assert_int_equal(unwinder_chain(unwinder, &space, &taken.sample, &chain), STATUS_OK);
    assert_int_equal(chain.frames[find_made(&chain)].module->kind, MODULE_ANON);
    name_at(0, sizeof(plain), "made function", lines);
    name(lines);
    unwinder_names(unwinder);
    assert_int_equal(unwinder_chain(unwinder, &space, &taken.sample, &chain), STATUS_OK);
    assert_int_equal(chain.frames[find_made(&chain)].module->kind, MODULE_JIT);
    assert_callers(&chain, TRUST_PROLOGUE);
    chain_deinit(&chain);
    unwinder_destroy(unwinder);
}
