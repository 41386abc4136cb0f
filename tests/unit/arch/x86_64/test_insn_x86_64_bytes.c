/* SPDX-License-Identifier: MIT */
/* What else of bytes is told: that they are no instruction, what is read, where code begins. */
#include "insn_x86_64_fixture.h"

TEST(insn_set_is_there_for_x86_64)
{
    assert_non_null(set());
    assert_ptr_equal(set()->arch, &arch_x86_64);
}

TEST(insn_no_instruction_is_not_found)
{
    static const struct bytes_case codes[] = {
        {"\x06\x06\x06\x06", 4}, {"\x0f\x0f\x0f\x0f", 4}, {"\xff\xff\xff\xff", 4},
        {"\xc4\x00\x00\x00", 4}, {"\x48\x66\x89\xc3", 4}, /* REX is not the last prefix */
        {"\xf3\x0f\x60\xc1", 4},                          /* punpcklbw with another's prefix */
        {"\xf2\x0f\x54\xc1", 4},                          /* andps */
        {"\x66\x0f\x12\xf4", 4},                          /* movhlps */
        {"\x4c\x8e\xc0\x00", 4},                          /* mov to a ninth segment register */
        {"\x66\xf3\x57\x00", 4},                          /* repeated push */
        {"\xf3\xc5\xfb\x93", 4},
    };

    check_undecodable(codes, COUNT(codes));
}

/* A million prefixes: each decoding must look at 15 bytes of them, not at all. */
TEST(insn_prefixes_without_end_cost_nothing)
{
    enum { SIZE = 1 << 20 };
    uint8_t *bytes = test_malloc(SIZE);
    struct decoder *d = decoder();
    struct insn insn;

    memset(bytes, 0x66, SIZE);
    for (size_t off = 0; off < 100000; off++)
        assert_int_equal(decoder_decode(d, bytes + off, SIZE - off, VADDR, 0, &insn),
                         STATUS_NOT_FOUND);
    test_free(bytes);
    decoder_destroy(d);
}

TEST(insn_reads_are_what_it_uses)
{
    static const struct reads_case cases[] = {
        {"\x53", 1, ""},                     /* push rbx */
        {"\x48\x89\x5c\x24\x08", 5, ""},     /* mov [rsp+8], rbx */
        {"\x48\x89\x5d\xf8", 4, "rbp "},     /* mov [rbp-8], rbx */
        {"\x48\x89\x18", 3, "rax rbx "},     /* mov [rax], rbx */
        {"\x48\x89\xe5", 3, ""},             /* mov rbp, rsp */
        {"\x31\xc0", 2, ""},                 /* xor eax, eax */
        {"\x29\xc0", 2, ""},                 /* sub eax, eax */
        {"\x31\xd8", 2, "rax rbx "},         /* xor eax, ebx */
        {"\x66\x0f\xef\xc0", 4, ""},         /* pxor xmm0, xmm0 */
        {"\x85\xff", 2, "rdi "},             /* test edi, edi */
        {"\x84\x2a", 2, "rdx rcx "},         /* test [rdx], ch */
        {"\x83\xc8\xff", 3, ""},             /* or eax, -1 */
        {"\x83\xc8\x01", 3, "rax "},         /* or eax, 1 */
        {"\x83\xe0\x00", 3, ""},             /* and eax, 0 */
        {"\xff\xd0", 2, "rax "},             /* call rax */
        {"\xe8\x00\x01\x00\x00", 5, ""},     /* call */
        {"\xff\xe3", 2, "rbx "},             /* jmp rbx */
        {"\x48\x63\x04\x82", 4, "rax rdx "}, /* movsxd rax, [rdx+rax*4] */
        {"\x0f\x44\xc3", 3, "rax rbx "},     /* cmove eax, ebx */
        {"\x0f\x94\xc0", 3, ""},             /* sete al */
        {"\xf7\xfb", 2, "rax rdx rbx "},     /* idiv ebx */
        {"\x0f\x05", 2, "rax "},             /* syscall */
        {"\xc9", 1, "rbp "},                 /* leave */
        {"\x89\xff", 2, "rdi "},             /* mov edi, edi zero-extends */
        {"\x48\x89\xff", 3, ""},             /* mov rdi, rdi */
        {"\x66\x0f\x1f\x44\x00\x00", 6, ""}, /* nop [rax+rax] */
        {"\xf3\xa4", 2, "rcx rsi rdi "},     /* rep movsb */
        {"\x06", 1, ""},                     /* no instruction */
    };

    check_reads(cases, COUNT(cases));
}

TEST(insn_flags_are_written_by_arithmetic_and_comparisons)
{
    assert_true(writes_flags("\x48\x39\xd8", 3));  /* cmp rax, rbx */
    assert_true(writes_flags("\x48\x01\xd8", 3));  /* add rax, rbx */
    assert_true(writes_flags("\x85\xff", 2));      /* test edi, edi */
    assert_true(writes_flags("\xff\xc0", 2));      /* inc eax */
    assert_true(writes_flags("\x84\x2a", 2));      /* test [rdx], ch */
    assert_true(writes_flags("\x9d", 1));          /* popf */
    assert_false(writes_flags("\x48\x89\xd8", 3)); /* mov rax, rbx */
    assert_false(writes_flags("\x48\x8d\x03", 3)); /* lea rax, [rbx] */
    assert_false(writes_flags("\x75\x1e", 2));     /* jne */
    assert_false(writes_flags("\x0f\x44\xc3", 3)); /* cmove eax, ebx */
}

TEST(insn_starts_of_functions_are_recognized)
{
    static const struct bytes_case starts[] = {
        {"\xf3\x0f\x1e\xfa\x55\x48\x89\xe5\x53\x48\x83\xec\x08\x90\x90\x90", 4}, /* endbr64 */
        {"\x55\x48\x89\xe5\x53\x48\x83\xec\x08\x90\x90\x90\x90\x90\x90\x90",
         4}, /* push rbp; mov rbp, rsp */
        {"\x55\x48\x8b\xec\x53\x48\x83\xec\x08\x90\x90\x90\x90\x90\x90\x90", 4},
        {"\x41\x57\x41\x56\x41\x55\x41\x54\x55\x53\x90\x90\x90\x90\x90\x90",
         4}, /* push r15; push r14 */
    };
    static const struct bytes_case others[] = {
        {"", 0},
        {"\x48\x83\xec\x08", 4}, /* sub rsp, 8 */
        {"\x55\x53", 2},         /* push rbp; push rbx */
        {"\x48\x89\xe5\x90", 4}, /* mov rbp, rsp */
        {"\xf3\x0f\x1e\xfb", 4}, /* endbr32 */
    };

    check_starts(starts, COUNT(starts));
    check_all_told(set()->strong_start, others, COUNT(others), false);
}

/*
 * mov $15, %rax; syscall: its frame is a struct ucontext at RSP (asm/ucontext.h, asm/sigcontext.h).
 */
TEST(insn_sigreturn_restores_every_register)
{
    static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    /* struct sigcontext_64 at +40: r8 … r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip */
    static const uint8_t order[] = {8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16};
    struct row row;

    check_sigreturn(code, sizeof(code), sizeof(code), 5, order, sizeof(order));
    assert_int_equal(set()->sigreturn_row(code + 1, sizeof(code) - 1, VADDR, &row),
                     STATUS_NOT_FOUND);
}

TEST(insn_sigreturn_is_what_the_code_does)
{
    static const struct {
        const char *bytes;
        uint8_t size, still;
    } codes[] = {
        {"\xb8\x0f\0\0\0\x0f\x05", 7, 7},                           /* mov $15, %eax; syscall */
        {"\xf3\x0f\x1e\xfa\xb8\x0f\0\0\0\x0f\x05", 11, 11},         /* endbr64 before */
        {"\x90\x66\x90\x48\xb8\x0f\0\0\0\0\0\0\0\x0f\x05", 15, 15}, /* nop; movabs */
        {"\x31\xc0\xb0\x0f\x0f\x05", 6, 6}, /* xor %eax, %eax; mov $15, %al */
        {"\x6a\x0f\x58\x0f\x05", 5, 2},     /* push $15; pop %rax */
        {"\x68\x0f\0\0\0\x58\x0f\x05", 8, 5},
    };
    static const struct bytes_case others[] = {
        {"\xb8\x0e\0\0\0\x0f\x05", 7},              /* another system call */
        {"\xb0\x0f\x0f\x05", 4},                    /* the rest of RAX is not known */
        {"\x6a\x0f\x0f\x05", 4},                    /* pushed only */
        {"\xb8\x0f\0\0\0\xcd\x80", 7},              /* int $0x80: i386's number */
        {"\xb8\x0f\0\0\0\xc3\x0f\x05", 8},          /* ret between */
        {"\x48\xb8\x0f\0\0\0\1\0\0\0\x0f\x05", 12}, /* RAX is larger */
        {"\xb8\x0f\0\0\0\x0f", 6},                  /* cut */
        {"\x6a\x0f\x6a\x0f\x58\x0f\x05", 7},        /* SP is elsewhere */
    };
    struct row row;

    for (size_t i = 0; i < COUNT(codes); i++) {
        assert_int_equal(set()->sigreturn_row((const uint8_t *)codes[i].bytes, codes[i].size, VADDR,
                                              &row),
                         STATUS_OK);
        assert_true(row.signal_frame);
        assert_int_equal(row.start_vaddr, VADDR);
        assert_int_equal(row.end_vaddr, VADDR + codes[i].still);
    }
    for (size_t i = 0; i < COUNT(others); i++)
        assert_int_equal(set()->sigreturn_row((const uint8_t *)others[i].bytes, others[i].size,
                                              VADDR, &row),
                         STATUS_NOT_FOUND);
}
