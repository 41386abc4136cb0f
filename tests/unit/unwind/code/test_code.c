/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "unwind/code/code.h"

#define START UINT64_C(0x40fff8) /* 8 bytes before a page of the index ends */

/* A file of these bytes at START; data is read from the same. */
struct file {
    const char *bytes;
    uint64_t size;
    unsigned asked;
};

static struct file file;

static const uint8_t *bytes_at(const void *context, uint64_t vaddr, uint64_t *avail)
{
    (void)context;
    file.asked++;
    if (vaddr < START || vaddr - START >= file.size)
        return NULL;
    *avail = file.size - (vaddr - START);
    return (const uint8_t *)file.bytes + (vaddr - START);
}

static struct code *open_code(enum arch_id arch, const char *bytes, size_t size)
{
    struct code *code;

    file = (struct file){.bytes = bytes, .size = size};
    assert_int_equal(code_create(arch_get(arch), bytes_at, bytes_at, NULL, &code), STATUS_OK);
    return code;
}

static uint32_t get(struct code *code, uint64_t vaddr, enum code_mode mode, uint8_t context)
{
    uint32_t index;

    assert_int_equal(code_get(code, vaddr, mode, context, &index), STATUS_OK);
    assert_int_equal(code_insn(code, index)->vaddr, vaddr);
    return index;
}

static void assert_none(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    uint32_t index;

    assert_int_equal(code_get(code, vaddr, mode, 0, &index), STATUS_NOT_FOUND);
    assert_int_equal(code_find(code, vaddr), 0);
}

TEST(code_instruction_is_decoded_once)
{
    struct code *code = open_code(ARCH_X86_64, "\x55\x48\x89\xe5", 4); /* push rbp; mov rbp, rsp */
    uint32_t push, move;
    unsigned asked;

    assert_int_equal(code_find(code, START), 0);
    push = get(code, START, CODE_DEFAULT, 0);
    move = get(code, START + 1, CODE_DEFAULT, 0);
    asked = file.asked;
    assert_int_not_equal(push, 0);
    assert_int_not_equal(push, move);
    assert_int_equal(get(code, START, CODE_DEFAULT, 0), push);
    assert_int_equal(code_find(code, START), push);
    assert_int_equal(code_find(code, START + 1), move);
    assert_int_equal(code_find(code, START + 2), 0);
    assert_int_equal(file.asked, asked);
    assert_int_equal(code_insn(code, move)->size, 3);
    code_destroy(code);
}

TEST(code_operations_are_kept_with_their_instruction)
{
    struct code *code = open_code(ARCH_X86_64, "\x55\x90\x53", 3); /* push rbp; nop; push rbx */
    const struct arch *arch = arch_get(ARCH_X86_64);
    uint32_t rbp = get(code, START, CODE_DEFAULT, 0), nop = get(code, START + 1, CODE_DEFAULT, 0),
             rbx = get(code, START + 2, CODE_DEFAULT, 0);
    const struct op *ops = code_ops(code, code_insn(code, rbp));

    assert_int_equal(code_insn(code, rbp)->op_count, 2);
    assert_int_equal(ops[0].dst, arch->sp);
    assert_int_equal(ops[1].src, arch->fp);
    assert_int_equal(code_insn(code, nop)->op_count, 0);
    assert_int_equal(code_ops(code, code_insn(code, rbx))[1].src, 3);
    code_destroy(code);
}

TEST(code_without_operations_has_an_address_for_them)
{
    struct code *code = open_code(ARCH_X86_64, "\x90", 1);

    assert_non_null(code_ops(code, code_insn(code, get(code, START, CODE_DEFAULT, 0))));
    code_destroy(code);
}

TEST(code_pages_of_the_index_are_independent)
{
    struct code *code = open_code(ARCH_X86_64, "\x90\x90\x90\x90\x90\x90\x90\x90\x55\xc3", 10);
    uint32_t before = get(code, START + 7, CODE_DEFAULT, 0),
             after = get(code, START + 8, CODE_DEFAULT, 0);

    assert_int_equal(code_find(code, START + 7), before);
    assert_int_equal(code_find(code, START + 8), after);
    assert_int_equal(code_find(code, START + 7 - CODE_PAGE_BYTES), 0);
    assert_int_equal(code_find(code, START + 8 + CODE_PAGE_BYTES), 0);
    code_destroy(code);
}

TEST(code_unreadable_bytes_are_not_found)
{
    struct code *code = open_code(ARCH_X86_64, "\x90\x48\x89", 3); /* nop; mov, cut */

    assert_none(code, START - 1, CODE_DEFAULT);
    assert_none(code, START + 1, CODE_DEFAULT);
    assert_none(code, START + 3, CODE_DEFAULT);
    assert_none(code, UINT64_MAX, CODE_DEFAULT);
    assert_int_equal(code_reads(code, START + 3, CODE_DEFAULT), 0);
    assert_false(code_strong_start(code, START + 3, CODE_DEFAULT));
    get(code, START, CODE_DEFAULT, 0);
    code_destroy(code);
}

TEST(code_mode_that_the_architecture_has_not_is_not_found)
{
    struct code *code = open_code(ARCH_X86_64, "\x90\x90\x90\x90", 4);

    assert_none(code, START, CODE_T32);
    assert_false(code_has_two_modes(code));
    code_destroy(code);
}

TEST(code_misaligned_instruction_is_not_found)
{
    struct code *code = open_code(ARCH_ARM, "\x10\x40\x2d\xe9\x10\x40\x2d\xe9", 8);

    assert_none(code, START + 2, CODE_DEFAULT);
    assert_none(code, START + 1, CODE_T32);
    assert_true(code_has_two_modes(code));
    code_destroy(code);
}

/* ldr r0, [pc]; bx lr; .word 0xfffffff0 */
static const char literal_code[] = "\x00\x00\x9f\xe5\x1e\xff\x2f\xe1\xf0\xff\xff\xff";

TEST(code_literal_becomes_a_constant)
{
    struct code *code = open_code(ARCH_ARM, literal_code, 12);
    const struct code_insn *insn = code_insn(code, get(code, START, CODE_DEFAULT, 0));
    const struct op *op = code_ops(code, insn);

    assert_int_equal(insn->literal_vaddr, START + 8);
    assert_int_equal(insn->op_count, 1);
    assert_int_equal(op->kind, OP_CONST);
    assert_int_equal(op->dst, 0);
    assert_true(op->imm == 0xfffffff0); /* not extended: the words of a 32-bit machine */
    assert_int_equal(code_insn(code, get(code, START + 4, CODE_DEFAULT, 0))->literal_vaddr, 0);
    code_destroy(code);
}

TEST(code_literal_that_cannot_be_read_stays_unknown)
{
    struct code *code = open_code(ARCH_ARM, literal_code, 11);
    const struct code_insn *insn = code_insn(code, get(code, START, CODE_DEFAULT, 0));

    assert_int_equal(code_ops(code, insn)->kind, OP_LITERAL);
    assert_int_equal(code_ops(code, insn)->dst, 0);
    code_destroy(code);
}

TEST(code_other_mode_replaces_the_instruction)
{
    /* A32: push {r4, lr}; T32: eors, cut of a bl */
    struct code *code = open_code(ARCH_ARM, "\x10\x40\x2d\xe9", 4);
    uint32_t a32 = get(code, START, CODE_DEFAULT, 0), t32 = get(code, START, CODE_T32, 0);

    assert_int_not_equal(a32, t32);
    assert_int_equal(code_find(code, START), t32);
    assert_int_equal(code_insn(code, t32)->size, 2);
    /* What was decoded before is still there for who has its index. */
    assert_int_equal(code_insn(code, a32)->size, 4);
    assert_int_equal(code_insn(code, a32)->mode, CODE_DEFAULT);
    assert_int_equal(code_insn(code, get(code, START, CODE_DEFAULT, 0))->size, 4);
    code_destroy(code);
}

TEST(code_other_context_replaces_the_instruction)
{
    struct code *code = open_code(ARCH_ARM, "\x08\xbf\x70\x47", 4); /* it eq; bxeq lr */
    const struct code_insn *it = code_insn(code, get(code, START, CODE_T32, 0));
    uint8_t context = it->next_context;
    uint32_t inside, alone;

    assert_int_not_equal(context, 0);
    inside = get(code, START + 2, CODE_T32, context);
    assert_int_not_equal(code_insn(code, inside)->predicate, 0);
    assert_int_equal(code_insn(code, inside)->next_context, 0);
    alone = get(code, START + 2, CODE_T32, 0);
    assert_int_equal(code_insn(code, alone)->predicate, 0);
    assert_int_equal(code_find(code, START + 2), alone);
    code_destroy(code);
}

TEST(code_trim_leaves_what_is_not_too_much)
{
    struct code *code = open_code(ARCH_X86_64, "\x55\xc3", 2);
    uint32_t push = get(code, START, CODE_DEFAULT, 0);

    code_trim(code, CODE_INSNS_CACHED);
    assert_int_equal(code_find(code, START), push);
    code_destroy(code);
}

TEST(code_trim_forgets_all_when_it_is_too_much)
{
    struct code *code = open_code(ARCH_X86_64, "\x55\xc3", 2);
    const struct code_insn *insn;

    get(code, START, CODE_DEFAULT, 0);
    code->insn_count = CODE_INSNS_CACHED + 1; /* as if so many had been decoded */
    code_trim(code, CODE_INSNS_CACHED);
    assert_int_equal(code_find(code, START), 0);
    insn = code_insn(code, get(code, START, CODE_DEFAULT, 0));
    assert_int_equal(insn->op_count, 2);
    assert_int_equal(code_ops(code, insn)[0].kind, OP_ADD);
    assert_int_equal(code_insn(code, get(code, START + 1, CODE_DEFAULT, 0))->flow, FLOW_RETURN);
    code_destroy(code);
}

/* The memory of a page of the index serves again. */
TEST(code_trimmed_index_is_empty_when_it_is_filled_again)
{
    struct code *code = open_code(ARCH_X86_64, "\x55\xc3", 2);

    get(code, START, CODE_DEFAULT, 0);
    get(code, START + 1, CODE_DEFAULT, 0);
    code->insn_count = CODE_INSNS_CACHED + 1;
    code_trim(code, CODE_INSNS_CACHED);
    get(code, START, CODE_DEFAULT, 0);
    assert_int_equal(code_find(code, START + 1), 0);
    code_destroy(code);
}

/* Behind what is to be remembered: nothing is from the end of a file. */
#define TAIL "\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90"

/* The same bytes again and again: what is remembered of them must say what decoding says. */
TEST(code_same_bytes_have_the_same_effect_elsewhere)
{
    /* push rbx; mov rbx, rdi; nop, twice */
    struct code *code = open_code(ARCH_X86_64, "\x53\x48\x89\xfb\x90\x53\x48\x89\xfb\x90" TAIL, 26);

    for (unsigned off = 0; off < 5; off += off == 1 ? 3 : 1) {
        uint32_t a = get(code, START + off, CODE_DEFAULT, 0),
                 b = get(code, START + 5 + off, CODE_DEFAULT, 0);
        const struct code_insn *first = code_insn(code, a), *second = code_insn(code, b);

        assert_int_not_equal(a, b);
        assert_int_equal(first->size, second->size);
        assert_int_equal(first->padding, second->padding);
        assert_int_equal(first->op_count, second->op_count);
        assert_int_equal(second->taken_by, 0);
        assert_memory_equal(code_ops(code, first), code_ops(code, second),
                            first->op_count * sizeof(struct op));
    }
    code_destroy(code);
}

TEST(code_same_bytes_lead_elsewhere_when_they_are_relative)
{
    /* jmp short +2; lea rax, [rip + 4]; cmp [rip + 4], al; jrcxz +2, twice */
    static const char bytes[] =
        "\xeb\x02\x48\x8d\x05\x04\x00\x00\x00\x38\x05\x04\x00\x00\x00\xe3\x02"
        "\xeb\x02\x48\x8d\x05\x04\x00\x00\x00\x38\x05\x04\x00\x00\x00\xe3\x02" TAIL;
    struct code *code = open_code(ARCH_X86_64, bytes, sizeof(bytes) - 1);

    for (unsigned again = 0; again < 2; again++) {
        uint64_t vaddr = START + 17 * again;

        assert_int_equal(code_insn(code, get(code, vaddr, CODE_DEFAULT, 0))->target_vaddr,
                         vaddr + 4);
        assert_int_equal(
            code_ops(code, code_insn(code, get(code, vaddr + 2, CODE_DEFAULT, 0)))->imm,
            vaddr + 2 + 7 + 4);
        get(code, vaddr + 9, CODE_DEFAULT, 0);
        assert_int_equal(code_insn(code, get(code, vaddr + 15, CODE_DEFAULT, 0))->target_vaddr,
                         vaddr + 19);
    }
    code_destroy(code);
}

TEST(code_remembered_bytes_are_not_read_beyond_the_end)
{
    /* mov rbx, rdi; nops; the first two bytes of the mov */
    static const char bytes[] = "\x48\x89\xfb" TAIL "\x48\x89";
    struct code *code = open_code(ARCH_X86_64, bytes, sizeof(bytes) - 1);

    get(code, START, CODE_DEFAULT, 0);
    assert_none(code, START + sizeof(bytes) - 3, CODE_DEFAULT);
    code_destroy(code);
}

TEST(code_end_of_the_file_is_not_remembered)
{
    /* ud0 esi, edi, the second time cut: what is left of it is taken for another instruction */
    static const char bytes[] = TAIL "\x0f\xff\xf7" TAIL "\x0f\xff";
    struct code *code = open_code(ARCH_X86_64, bytes, sizeof(bytes) - 1);
    uint32_t index;

    (void)!code_get(code, START + sizeof(bytes) - 3, CODE_DEFAULT, 0, &index);
    assert_int_equal(code_insn(code, get(code, START + 16, CODE_DEFAULT, 0))->size, 3);
    code_destroy(code);
}

TEST(code_remembered_instruction_is_of_its_mode_and_context)
{
    /* T32: bx lr; it eq; bxeq lr; A32: strdmi r4, [r0], -r0 with the same two bytes first */
    struct code *code =
        open_code(ARCH_ARM, "\x70\x47\x00\xbf\x08\xbf\x70\x47\x70\x47\x00\x40" TAIL, 28);
    uint8_t context;

    assert_int_equal(code_insn(code, get(code, START, CODE_T32, 0))->predicate, 0);
    context = code_insn(code, get(code, START + 4, CODE_T32, 0))->next_context;
    assert_int_not_equal(code_insn(code, get(code, START + 6, CODE_T32, context))->predicate, 0);
    assert_int_equal(code_insn(code, get(code, START + 8, CODE_T32, 0))->predicate, 0);
    assert_int_equal(code_insn(code, get(code, START + 8, CODE_DEFAULT, 0))->size, 4);
    code_destroy(code);
}

TEST(code_remembered_instructions_survive_a_trim)
{
    struct code *code = open_code(ARCH_X86_64, "\x53\x48\x89\xfb\x53\x48\x89\xfb" TAIL, 24);
    const struct code_insn *insn;

    get(code, START, CODE_DEFAULT, 0);
    get(code, START + 1, CODE_DEFAULT, 0);
    code->insn_count = CODE_INSNS_CACHED + 1;
    code_trim(code, CODE_INSNS_CACHED);
    assert_int_equal(code->insn_count, 3); /* none, push, mov */
    insn = code_insn(code, get(code, START + 4, CODE_DEFAULT, 0));
    assert_int_equal(insn->op_count, 2);
    assert_int_equal(code_ops(code, insn)[1].kind, OP_STORE);
    assert_int_equal(code_ops(code, insn)[1].src, 3);
    insn = code_insn(code, get(code, START + 5, CODE_DEFAULT, 0));
    assert_int_equal(code_ops(code, insn)[0].dst, 3);
    code_destroy(code);
}

TEST(code_walks_have_numbers_of_their_own)
{
    struct code *code = open_code(ARCH_X86_64, "\xc3", 1);
    uint32_t first = code_new_walk(code);

    assert_int_not_equal(first, 0); /* what no walk has taken */
    assert_int_not_equal(code_new_walk(code), first);
    assert_int_equal(code_insn(code, get(code, START, CODE_DEFAULT, 0))->taken_by, 0);
    code_destroy(code);
}

TEST(code_data_is_read_in_little_endian)
{
    static const uint64_t expected[] = {0xf1, 0xe2f1, 0xc4d3e2f1, 0x8897a6b5c4d3e2f1};
    struct code *code = open_code(ARCH_X86_64, "\xf1\xe2\xd3\xc4\xb5\xa6\x97\x88", 8);
    uint64_t word;

    for (unsigned i = 0; i < 4; i++) {
        assert_true(code_read_data(code, START, 1u << i, &word));
        assert_true(word == expected[i]);
    }
    assert_true(code_read_data(code, START + 7, 1, &word));
    assert_false(code_read_data(code, START + 7, 2, &word));
    assert_false(code_read_data(code, START + 8, 1, &word));
    assert_false(code_read_data(code, UINT64_MAX, 8, &word));
    code_destroy(code);
}

/*
 * A call, padding up to 16, and code there that `jump` ends: with a jump back, it is the head of a
 * loop.
 */
static bool ends_function(const char *call_and_padding, const char *jump)
{
    const uint64_t base = (START + 15) & ~UINT64_C(15);
    char bytes[48];
    uint64_t looked_at = 0;
    struct code *code;
    bool ends;

    memset(bytes, 0x50, sizeof(bytes)); /* push rax */
    memcpy(bytes + (base - START), call_and_padding, 16);
    memcpy(bytes + (base - START) + 18, jump, 3);
    code = open_code(ARCH_X86_64, bytes, sizeof(bytes));
    ends = code_ends_function(code, base, base + 7, CODE_DEFAULT, &looked_at);
    assert_true(!ends || looked_at > 0);
    code_destroy(code);
    return ends;
}

/* bl, a word of zeros, which is a nop in the code of some compilers, and bx lr at 16. */
static bool ends_in_a32(void)
{
    const uint64_t base = (START + 15) & ~UINT64_C(15);
    char bytes[48];
    uint64_t looked_at = 0;
    struct code *code;
    bool ends;

    memset(bytes, 0, sizeof(bytes));
    memcpy(bytes + (base - START) + 8, "\x10\x00\x00\xeb", 4);
    memcpy(bytes + (base - START) + 16, "\x1e\xff\x2f\xe1", 4);
    code = open_code(ARCH_ARM, bytes, sizeof(bytes));
    ends = code_ends_function(code, base, base + 12, CODE_DEFAULT, &looked_at);
    code_destroy(code);
    return ends;
}

/* RISC-V: jal, and a nop (gcc -O0 has one at the end of functions) up to `at_16`, and ret. */
static bool ends_in_riscv(const char *at_16)
{
    const uint64_t base = (START + 15) & ~UINT64_C(15);
    char bytes[48];
    uint64_t looked_at = 0;
    struct code *code;
    bool ends;

    memset(bytes, 0, sizeof(bytes));
    memcpy(bytes + (base - START) + 10, "\xef\x00\x00\x08\x01\x00", 6);
    memcpy(bytes + (base - START) + 16, at_16, 2);
    memcpy(bytes + (base - START) + 18, "\x82\x80", 2);
    code = open_code(ARCH_RISCV32, bytes, sizeof(bytes));
    ends = code_ends_function(code, base, base + 14, CODE_DEFAULT, &looked_at);
    code_destroy(code);
    return ends;
}

TEST(code_call_before_padding_ends_its_function_unless_a_loop_follows)
{
    static const char padded[] = "\x50\x58\xe8\x00\x10\x00\x00\x0f\x1f\x80\x00\x00\x00\x00\x66\x90";
    static const char plain[] = "\x50\x58\xe8\x00\x10\x00\x00\x50\x58\x50\x58\x50\x58\x50\x58\x90";

    assert_true(ends_function(padded, "\xc3\x90\x90"));  /* ret */
    assert_false(ends_function(padded, "\x75\xfc\xc3")); /* jne to where the padding ends; ret */
    assert_false(ends_function(padded, "\x75\xed\xc3")); /* jne further back; ret */
    assert_true(ends_function(padded, "\x75\xfd\xc3"));  /* jne behind its head */
    assert_false(ends_function(plain, "\xc3\x90\x90"));  /* no padding */
    assert_false(ends_in_a32());
    assert_true(ends_in_riscv("\x41\x11"));  /* addi sp, sp, -16 */
    assert_false(ends_in_riscv("\xb2\x40")); /* lw ra, 12(sp): the epilogue */
}

static enum flow flow_at(struct code *code, uint64_t vaddr)
{
    return (enum flow)code_insn(code, get(code, vaddr, CODE_DEFAULT, 0))->flow;
}

/* RISC-V: ebreak; srai x0, x0, 7, and ebreak alone. */
TEST(code_semihosting_call_is_not_remembered_as_what_stops)
{
    static const char bytes[] = "\x73\x00\x10\x00\x13\x50\x70\x40\x73\x00\x10\x00"
                                "\x13\0\0\0\x13\0\0\0\x13\0\0\0\x13\0\0\0\x13\0\0\0";
    struct code *code = open_code(ARCH_RISCV32, bytes, sizeof(bytes));

    assert_int_equal(flow_at(code, START), FLOW_NEXT);
    assert_int_equal(flow_at(code, START + 8), FLOW_STOP);
    code_destroy(code);
    code = open_code(ARCH_RISCV32, bytes, sizeof(bytes));
    assert_int_equal(flow_at(code, START + 8), FLOW_STOP);
    assert_int_equal(flow_at(code, START), FLOW_NEXT);
    code_destroy(code);
}
