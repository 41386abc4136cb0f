/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "unwind/functions/callees.h"

#define START UINT64_C(0x401000)
#define STUB  UINT64_C(0x510000) /* known to do what the function at START does */
#define ABORT UINT64_C(0x500000) /* known by its name not to return */
#define EBX   3

/*
 * The functions of a file: x86 code is put together at offsets, calls and jumps with their
 * distance.
 */
struct program {
    uint8_t bytes[4096];
    uint64_t size;
    unsigned asked;
    struct code *code;
    struct callees *callees;
};

static struct program p;

static const uint8_t *bytes_at(const void *context, uint64_t vaddr, uint64_t *avail)
{
    (void)context;
    p.asked++;
    if (vaddr < START || vaddr - START >= p.size)
        return NULL;
    *avail = p.size - (vaddr - START);
    return p.bytes + (vaddr - START);
}

static enum callee_knowledge known(void *context, uint64_t vaddr, struct callee *out,
                                   uint64_t *same_vaddr, enum code_mode *same_mode)
{
    (void)context;
    if (vaddr == STUB) {
        *same_vaddr = START;
        *same_mode = CODE_DEFAULT;
        return CALLEE_SAME;
    }
    if (vaddr != ABORT)
        return CALLEE_UNKNOWN;
    *out = (struct callee){.never_returns = true, .pc_reg = REG_NONE};
    return CALLEE_KNOWN;
}

static void begin_with(enum arch_id arch, uint64_t steps_max)
{
    p = (struct program){.size = 0};
    assert_int_equal(code_create(arch_get(arch), bytes_at, bytes_at, NULL, &p.code), STATUS_OK);
    assert_int_equal(callees_create(p.code, known, NULL, steps_max, &p.callees), STATUS_OK);
}

static void begin(enum arch_id arch)
{
    begin_with(arch, UINT64_MAX);
}

static void end(void)
{
    callees_destroy(p.callees);
    code_destroy(p.code);
}

static void add(const char *bytes, size_t size)
{
    memcpy(p.bytes + p.size, bytes, size);
    p.size += size;
}

static void ret(void)
{
    add("\xc3", 1);
}

static void hlt(void)
{
    add("\xf4", 1);
}

/* e8: call, e9: jmp */
static void branch(uint8_t opcode, uint64_t target_vaddr)
{
    uint64_t distance = target_vaddr - (START + p.size + 5);
    char bytes[5] = {(char)opcode, (char)distance, (char)(distance >> 8), (char)(distance >> 16),
                     (char)(distance >> 24)};

    add(bytes, 5);
}

static void call(uint64_t target_vaddr)
{
    branch(0xe8, target_vaddr);
}

static void jmp(uint64_t target_vaddr)
{
    branch(0xe9, target_vaddr);
}

/* The next function is at START + off. */
static uint64_t at(uint64_t off)
{
    assert_true(off >= p.size && off < sizeof(p.bytes));
    while (p.size < off)
        hlt();
    return START + off;
}

static struct callee find(uint64_t vaddr, enum code_mode mode)
{
    struct callee callee;

    callees_find(p.callees, vaddr, mode, &callee);
    return callee;
}

static bool returns(uint64_t vaddr)
{
    return !find(vaddr, CODE_DEFAULT).never_returns;
}

TEST(callees_ret_returns)
{
    struct callee callee;

    begin(ARCH_X86_64);
    add("\x53\x5b", 2);
    ret();
    callee = find(START, CODE_DEFAULT);
    assert_false(callee.never_returns);
    assert_int_equal(callee.pops, 0);
    assert_int_equal(callee.pc_reg, REG_NONE);
    end();
}

TEST(callees_trap_never_returns)
{
    begin(ARCH_X86_64);
    hlt();
    ret();
    assert_false(returns(START));
    end();
}

TEST(callees_endless_loop_never_returns)
{
    begin(ARCH_X86_64);
    add("\x53\x90\xeb\xfd", 4); /* push rbx; 1: nop; jmp 1b */
    ret();
    assert_false(returns(START));
    end();
}

TEST(callees_one_path_that_returns_is_enough)
{
    begin(ARCH_X86_64);
    add("\x85\xff\x74\x01\xf4\xc3", 6); /* test edi, edi; je 1f; hlt; 1: ret */
    assert_true(returns(START));
    end();
}

TEST(callees_known_ones_are_asked_first)
{
    begin(ARCH_X86_64);
    ret();
    assert_false(returns(ABORT));
    assert_int_equal(p.asked, 0);
    end();
}

TEST(callees_never_returns_through_a_callee)
{
    begin(ARCH_X86_64);
    call(ABORT);
    ret();
    at(16);
    call(START); /* which calls abort */
    ret();
    assert_false(returns(START + 16));
    assert_false(returns(START));
    end();
}

TEST(callees_never_returns_through_a_tail_jump)
{
    begin(ARCH_X86_64);
    jmp(ABORT);
    at(16);
    jmp(START + 32);
    at(32);
    hlt();
    at(48);
    jmp(START + 64);
    at(64);
    ret();
    assert_false(returns(START));
    assert_false(returns(START + 16));
    assert_true(returns(START + 48));
    end();
}

/*
 * As through a PLT stub; the function at START calls itself through it, and comes back nowhere
 * else.
 */
TEST(callees_what_does_the_same_as_another_never_returns_as_that)
{
    struct callee callee;

    begin(ARCH_X86_64);
    add("\xe8\xfb\xef\x10\x00", 5); /* call STUB */
    add("\xf4", 1);                 /* hlt */
    for (unsigned i = 0; i < 2; i++) {
        callees_find(p.callees, STUB, CODE_DEFAULT, &callee);
        assert_true(callee.never_returns);
        callees_find(p.callees, START, CODE_DEFAULT, &callee);
        assert_true(callee.never_returns);
    }
    end();
}

TEST(callees_tail_jump_to_what_is_already_known_is_as_a_call)
{
    begin(ARCH_X86_64);
    jmp(START + 32);
    at(16);
    jmp(START + 48);
    at(32);
    hlt();
    at(48);
    ret();
    assert_false(returns(START + 32));
    assert_true(returns(START + 48));
    assert_false(returns(START));
    assert_true(returns(START + 16));
    end();
}

TEST(callees_recursion_returns_if_it_does_elsewhere)
{
    begin(ARCH_X86_64);
    add("\x85\xff\x74\x05", 4); /* test edi, edi; je 1f */
    call(START);
    ret();
    assert_true(returns(START));
    at(16);
    call(START + 16); /* for ever deeper */
    ret();
    assert_false(returns(START + 16));
    at(32);
    add("\x90", 1);
    jmp(START + 32);
    assert_false(returns(START + 32));
    end();
}

TEST(callees_mutual_recursion_returns_if_one_does_elsewhere)
{
    begin(ARCH_X86_64);
    call(START + 16); /* for ever deeper */
    ret();
    at(16);
    call(START);
    ret();
    at(32);
    add("\x85\xff\x74\x05", 4); /* test edi, edi; je 1f */
    call(START + 48);
    ret(); /* 1: */
    at(48);
    call(START + 32);
    ret();
    at(64);
    call(START + 80);
    ret();
    at(80);
    add("\x85\xff\x74\x05", 4);
    call(START + 64);
    ret();
    assert_false(returns(START));
    assert_false(returns(START + 16));
    assert_true(returns(START + 32));
    assert_true(returns(START + 48));
    assert_true(returns(START + 64));
    assert_true(returns(START + 80));
    end();
}

/* Functions of 16 bytes that call each the next one; the last does not return. */
static void add_chain(unsigned count)
{
    begin(ARCH_X86_64);
    for (unsigned i = 0; i < count; i++) {
        call(at(16 * i) + 16);
        ret();
    }
    at(16 * count);
    hlt();
}

TEST(callees_of_callees_are_followed)
{
    add_chain(12);
    assert_false(returns(START));
    end();
}

TEST(callees_too_deep_are_taken_to_return)
{
    add_chain(40);
    assert_true(returns(START));
    /* What was given up further down is not kept: asked for itself it is known. */
    assert_false(returns(START + 16 * 30));
    end();
}

TEST(callees_answer_is_kept)
{
    unsigned asked;

    begin(ARCH_X86_64);
    call(START + 16);
    ret();
    at(16);
    ret();
    assert_true(returns(START));
    asked = p.asked;
    assert_true(returns(START));
    assert_true(returns(START + 16));
    assert_int_equal(p.asked, asked);
    end();
}

TEST(callees_in_doubt_return)
{
    begin(ARCH_X86_64);
    add("\xff\xe0", 2); /* jmp rax */
    at(16);
    add("\x06", 1); /* no instruction */
    at(32);
    jmp(START + sizeof(p.bytes) + 1000); /* out of the file */
    at(48);
    add("\xff\xd0", 2); /* call rax */
    ret();
    for (uint64_t off = 0; off <= 48; off += 16)
        assert_true(returns(START + off));
    assert_true(returns(START - 100));
    end();
}

TEST(callees_call_that_reads_the_pc_is_no_call)
{
    begin(ARCH_X86_64);
    call(START + 5);
    add("\x58", 1); /* pop rax */
    ret();
    assert_true(returns(START));
    end();
}

TEST(callees_i386_arguments_taken_off_are_known)
{
    struct callee callee;

    begin(ARCH_I386);
    add("\x53\x5b\xc2\x08\x00", 5); /* push ebx; pop ebx; ret 8 */
    callee = find(START, CODE_DEFAULT);
    assert_false(callee.never_returns);
    assert_int_equal(callee.pops, 8);
    assert_int_equal(callee.pc_reg, REG_NONE);
    end();
}

/* Whichever of both is asked for first. */
TEST(callees_i386_arguments_taken_off_behind_a_tail_jump_are_known)
{
    for (unsigned first = 0; first < 2; first++) {
        begin(ARCH_I386);
        add("\xc2\x08\x00", 3); /* ret 8 */
        at(16);
        jmp(START);
        if (first)
            assert_int_equal(find(START, CODE_DEFAULT).pops, 8);
        assert_int_equal(find(START + 16, CODE_DEFAULT).pops, 8);
        end();
    }
}

TEST(callees_i386_pc_thunk_is_known)
{
    struct callee callee;

    begin(ARCH_I386);
    add("\x8b\x1c\x24\xc3", 4); /* mov ebx, [esp]; ret */
    callee = find(START, CODE_DEFAULT);
    assert_int_equal(callee.pc_reg, EBX);
    assert_false(callee.never_returns);
    assert_int_equal(callee.pops, 0);
    end();
}

TEST(callees_a32_conditional_return_returns)
{
    begin(ARCH_ARM);
    add("\x1e\xff\x2f\x01", 4); /* bxeq lr */
    add("\xfe\xff\xff\xea", 4); /* b . */
    add("\xfe\xff\xff\xea", 4); /* b . */
    assert_true(returns(START));
    assert_false(returns(START + 8));
    end();
}

TEST(callees_a32_conditional_call_may_not_happen)
{
    begin(ARCH_ARM);
    add("\x00\x00\x00\x1b", 4); /* blne 1f */
    add("\x1e\xff\x2f\xe1", 4); /* bx lr */
    add("\xfe\xff\xff\xea", 4); /* 1: b . */
    add("\xfd\xff\xff\xeb", 4); /* bl 1b */
    add("\x1e\xff\x2f\xe1", 4); /* bx lr */
    assert_true(returns(START));
    assert_false(returns(START + 12));
    end();
}

TEST(callees_t32_it_block_is_followed)
{
    begin(ARCH_ARM);
    add("\x00\x28\x08\xbf\x70\x47\xfe\xe7", 8); /* cmp r0, #0; it eq; bxeq lr; b . */
    add("\x00\x28\x00\xbf\xfe\xe7", 6);         /* cmp r0, #0; nop; b . */
    assert_false(find(START, CODE_T32).never_returns);
    assert_true(find(START + 8, CODE_T32).never_returns);
    end();
}

/*
 * A T32 function that loads a literal as `load` does and calls one that returns, with `behind` it
 * at 8.
 */
static bool returns_behind_call(const char *load, const char *behind, size_t size)
{
    static const char nop[] = "\x00\xbf";
    bool answer;

    begin(ARCH_ARM);
    add(load, 2);
    add("\x00\xb5", 2);         /* 02 push {lr} */
    add("\x00\xf0\x0c\xf8", 4); /* 04 bl 20 */
    add(behind, size);
    while (p.size < 0x20)
        add(nop, 2);
    add("\x70\x47", 2); /* 20 bx lr */
    answer = !find(START, CODE_T32).never_returns;
    end();
    return answer;
}

#define RETURNS_BEHIND_CALL(load, behind) returns_behind_call(load, behind, sizeof(behind) - 1)
#define LDR_8                             "\x01\x48" /* 00 ldr r0, [pc, #4] */
#define LDR_C                             "\x02\x48"
#define LDR_10                            "\x03\x48"
#define POP_PC                            "\x00\xbd"
#define PUSH_LR                           "\x10\xb5"

TEST(callees_call_before_a_literal_of_the_function_is_the_last)
{
    assert_true(RETURNS_BEHIND_CALL(LDR_C, POP_PC));
    assert_false(RETURNS_BEHIND_CALL(LDR_8, POP_PC));
}

/* A nop, or a zero, fills up to a word. */
TEST(callees_call_before_another_function_is_the_last)
{
    assert_false(RETURNS_BEHIND_CALL(LDR_10, PUSH_LR POP_PC));
    assert_false(RETURNS_BEHIND_CALL(LDR_10, "\x00\xbf" PUSH_LR POP_PC));
    assert_false(RETURNS_BEHIND_CALL(LDR_10, "\x00\x00\x00\x00" PUSH_LR POP_PC));
    /* movs r0, #1; push {r4, lr}: of use only where the function has just been called */
    assert_false(RETURNS_BEHIND_CALL(LDR_10, "\x01\x20" PUSH_LR POP_PC));
    /* mov lr, r0; push {r4, lr} */
    assert_true(RETURNS_BEHIND_CALL(LDR_10, "\x86\x46" PUSH_LR POP_PC));
    /* cbz r0, 0e; push {r4, lr} */
    assert_true(RETURNS_BEHIND_CALL(LDR_10, "\x08\xb1" PUSH_LR POP_PC));
}

TEST(callees_a64_call_and_tail_jump_are_followed)
{
    begin(ARCH_AARCH64);
    add("\xfd\x7b\xbf\xa9", 4); /* stp x29, x30, [sp, #-16]! */
    add("\x03\x00\x00\x94", 4); /* bl 1f */
    add("\xfd\x7b\xc1\xa8", 4); /* ldp x29, x30, [sp], #16 */
    add("\xc0\x03\x5f\xd6", 4); /* ret */
    add("\x01\x00\x00\x14", 4); /* 1: b 2f */
    add("\x00\x00\x20\xd4", 4); /* 2: brk #0 */
    assert_false(returns(START));
    assert_true(returns(START + 8));
    end();
}

TEST(callees_call_with_a_replaced_return_address_is_a_jump)
{
    begin(ARCH_X86_64);
    add("\xe8\x07\0\0\0\xf3\x90\x0f\xae\xe8\xeb\xf9", 12); /* call 1f; 2: pause; lfence; jmp 2b */
    add("\x48\x89\x04\x24\xc3", 5);                        /* 1: mov [rsp], rax; ret */
    assert_true(returns(START));
    end();
    begin(ARCH_I386);
    add("\xe8\x07\0\0\0\xf3\x90\x0f\xae\xe8\xeb\xf9", 12); /* call 1f; 2: pause; lfence; jmp 2b */
    add("\x8d\x64\x24\x04\xc3", 5);                        /* 1: lea esp, [esp+4]; ret */
    assert_true(returns(START));
    end();
}

/* ff 15: call *word(%rip), ff 25: jmp *word(%rip) */
static void through(const char *opcode, uint64_t word_vaddr)
{
    uint64_t distance = word_vaddr - (START + p.size + 6);
    char bytes[4] = {(char)distance, (char)(distance >> 8), (char)(distance >> 16),
                     (char)(distance >> 24)};

    add(opcode, 2);
    add(bytes, 4);
}

TEST(callees_call_through_a_word_that_is_known_does_what_that_does)
{
    begin(ARCH_X86_64);
    through("\xff\x15", ABORT);
    ret();
    assert_false(returns(START));
    end();
}

TEST(callees_call_through_another_word_returns)
{
    begin(ARCH_X86_64);
    through("\xff\x15", ABORT + 8);
    ret();
    assert_true(returns(START));
    end();
}

TEST(callees_jump_through_a_word_that_is_known_does_what_that_does)
{
    begin(ARCH_X86_64);
    through("\xff\x25", ABORT);
    at(16);
    through("\xff\x25", ABORT + 8);
    assert_false(returns(START));
    assert_true(returns(START + 16));
    end();
}

static bool is_abort_word(void *context, uint64_t vaddr)
{
    (void)context;
    return vaddr == ABORT;
}

TEST(callees_i386_word_of_the_got_is_relative_to_it)
{
    begin(ARCH_I386);
    p.code->got_vaddr = ABORT + 0x14;
    p.code->is_got_word = is_abort_word;
    add("\xff\x93\xec\xff\xff\xff", 6); /* call *-0x14(%ebx) */
    ret();
    assert_false(returns(START));
    end();
    begin(ARCH_I386);
    p.code->got_vaddr = ABORT + 0x14; /* EBX leads to something else */
    add("\xff\x93\xec\xff\xff\xff", 6);
    ret();
    assert_true(returns(START));
    end();
    begin(ARCH_I386);
    p.code->is_got_word = is_abort_word;
    add("\xff\x93\x00\x00\x00\x00", 6); /* where the GOT is not known */
    ret();
    assert_true(returns(START));
    end();
}

/* All questions share what may be looked at: two traps, and no more. */
TEST(callees_answer_by_what_is_known_when_their_steps_are_used_up)
{
    begin_with(ARCH_X86_64, 2);
    hlt();
    hlt();
    hlt();
    assert_false(returns(START));
    assert_false(returns(START + 1));
    assert_false(callees_are_cut(p.callees));
    assert_true(returns(START + 2)); /* a guess */
    assert_true(callees_are_cut(p.callees));
    assert_false(returns(ABORT));
    assert_false(returns(START));
    end();
}
