/* SPDX-License-Identifier: MIT */
/*
 * Code that no path is known to reach, in functions that have no frame anywhere: it is entered as
 * the function is. The bytes are GNU as's; see prologue_fixture.h.
 */
#include "prologue_fixture.h"

static const struct line X86_64_WITHOUT_FRAME[] = {
    FUNCTION(X86_64_LEAF),
    {"\x89\xf8", 2, "rsp+8"}, /* mov eax, edi */
    {"\xc3", 1, "rsp+8"},     /* ret */
    {"\x89\xf0", 2, "rsp+8"}, /* mov eax, esi: nothing leads here */
    {"\xc3", 1, "rsp+8"},     /* ret */
    /* As glibc's memcpy-ssse3: there is code for each of so many distances, of 16 bytes. */
    FUNCTION(X86_64_JUMP_BY_A_MULTIPLE),
    {"\x48\x89\xf8", 3, "rsp+8"},                 /* mov rax, rdi */
    {"\x83\xe1\x0f", 3, "rsp+8"},                 /* and ecx, 15 */
    {"\xc1\xe1\x04", 3, "rsp+8"},                 /* shl ecx, 4 */
    {"\x4c\x8d\x05\x10\x00\x00\x00", 7, "rsp+8"}, /* lea r8, [rip + 16] */
    {"\x49\x01\xc8", 3, "rsp+8"},                 /* add r8, rcx */
    {"\x41\xff\xe0", 3, "rsp+8"},                 /* jmp r8 */
    {"\x0f\x1f\x80\x00\x00\x00\x00", 7, NULL},    /* nop */
    {"\x66\x90\x90", 3, NULL},                    /* nop; nop */
    {"\x0f\x10\x06", 3, "rsp+8"},                 /* movups xmm0, [rsi] */
    {"\x0f\x11\x07", 3, "rsp+8"},                 /* movups [rdi], xmm0 */
    {"\xc3", 1, "rsp+8"},                         /* ret */
    {"\x0f\x1f\x80\x00\x00\x00\x00", 7, NULL},    /* nop */
    {"\x66\x90", 2, NULL},                        /* nop */
    {"\x0f\x10\x46\x10", 4, "rsp+8"},             /* movups xmm0, [rsi + 16] */
    {"\x0f\x11\x47\x10", 4, "rsp+8"},             /* movups [rdi + 16], xmm0 */
    {"\xc3", 1, "rsp+8"},                         /* ret */
    /* A register that some instruction changes may be lost, though it is kept for the caller. */
    FUNCTION(X86_64_LEAF_THAT_CHANGES_A_REGISTER),
    {"\x48\x89\xd8", 3, "rsp+8"},         /* mov rax, rbx */
    {"\x48\x89\xfb", 3, "rsp+8"},         /* mov rbx, rdi */
    {"\x48\x89\xc3", 3, "rsp+8 rbx=rax"}, /* mov rbx, rax */
    {"\xc3", 1, "rsp+8"},                 /* ret */
    {"\x89\xf0", 2, "rsp+8 rbx=u"},       /* mov eax, esi */
    {"\xc3", 1, "rsp+8 rbx=u"},           /* ret */
};

TEST(guess_x86_64_without_frame_is_the_entrys_state)
{
    CHECK_FUNCTIONS(ARCH_X86_64, CODE_DEFAULT, X86_64_WITHOUT_FRAME);
}

static const struct line X86_64_WITH_A_FRAME[] = {
    FUNCTION(X86_64_THAT_MOVES_SP),
    {"\x53", 1, "rsp+8"},  /* push rbx */
    {"\x5b", 1, "rsp+16"}, /* pop rbx */
    {"\xc3", 1, "rsp+8"},  /* ret */
    {"\x89\xf0", 2, "u"},  /* mov eax, esi */
    {"\xc3", 1, "u"},      /* ret */
    /* Where the part that nothing leads to does so. */
    FUNCTION(X86_64_THAT_MOVES_SP_THERE),
    {"\x89\xf8", 2, "rsp+8"}, /* mov eax, edi */
    {"\xc3", 1, "rsp+8"},     /* ret */
    {"\x53", 1, "u"},         /* push rbx */
    {"\x5b", 1, "u"},         /* pop rbx */
    {"\xc3", 1, "u"},         /* ret */
    FUNCTION(X86_64_THAT_CALLS),
    {"\x89\xf8", 2, "rsp+8"},         /* mov eax, edi */
    {"\xc3", 1, "rsp+8"},             /* ret */
    {"\xe8\xf8\xef\x1f\x00", 5, "u"}, /* call OTHER */
    {"\xc3", 1, "u"},                 /* ret */
    /* An endless loop may have any frame elsewhere. */
    FUNCTION(X86_64_THAT_NEVER_RETURNS),
    {"\x89\xf8", 2, "rsp+8"}, /* mov eax, edi */
    {"\xeb\xfc", 2, "rsp+8"}, /* jmp -4 */
    {"\x89\xf0", 2, "u"},     /* mov eax, esi */
    {"\xeb\xfc", 2, "u"},     /* jmp -4 */
};

TEST(guess_x86_64_with_a_frame_is_none)
{
    CHECK_FUNCTIONS(ARCH_X86_64, CODE_DEFAULT, X86_64_WITH_A_FRAME);
}

static const struct line A64_FUNCTIONS[] = {
    FUNCTION(A64_LEAF),
    {"\xe2\x03\x00\x2a", 4, "sp+0"}, /* mov w2, w0 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"}, /* ret */
    {"\x20\x04\x00\x11", 4, "sp+0"}, /* add w0, w1, #1: nothing leads here */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"}, /* ret */
    /* The return address is in LR still: the jump leaves it alone. */
    FUNCTION(A64_JUMP_BY_A_MULTIPLE),
    {"\x03\x0c\x40\x92", 4, "sp+0"}, /* and x3, x0, #15 */
    {"\xa4\x00\x00\x10", 4, "sp+0"}, /* adr x4, +24 */
    {"\x84\x0c\x03\x8b", 4, "sp+0"}, /* add x4, x4, x3, lsl #3 */
    {"\x80\x00\x1f\xd6", 4, "sp+0"}, /* br x4 */
    {"\x1f\x20\x03\xd5", 4, NULL},   /* nop */
    {"\x1f\x20\x03\xd5", 4, NULL},   /* nop */
    {"\x20\x04\x00\x11", 4, "sp+0"}, /* add w0, w1, #1 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"}, /* ret */
    {"\x20\x08\x00\x11", 4, "sp+0"}, /* add w0, w1, #2 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"}, /* ret */
    FUNCTION(A64_THAT_MOVES_SP),
    {"\xf3\x0f\x1f\xf8", 4, "sp+0"},  /* str x19, [sp, #-16]! */
    {"\xf3\x07\x41\xf8", 4, "sp+16"}, /* ldr x19, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},  /* ret */
    {"\x20\x04\x00\x11", 4, "u"},     /* add w0, w1, #1 */
    {"\xc0\x03\x5f\xd6", 4, "u"},     /* ret */
    FUNCTION(A64_THAT_CALLS),
    {"\xe2\x03\x00\x2a", 4, "sp+0"}, /* mov w2, w0 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"}, /* ret */
    {"\xfe\xfb\x07\x94", 4, "u"},    /* bl OTHER */
    {"\xc0\x03\x5f\xd6", 4, "u"},    /* ret */
};

TEST(guess_a64_without_frame_is_the_entrys_state)
{
    CHECK_FUNCTIONS(ARCH_AARCH64, CODE_DEFAULT, A64_FUNCTIONS);
}

static const struct line T32_FUNCTIONS[] = {
    FUNCTION(T32_LEAF),
    {"\x02\x46", 2, "sp+0"}, /* mov r2, r0 */
    {"\x70\x47", 2, "sp+0"}, /* bx lr */
    {"\x48\x1c", 2, "sp+0"}, /* adds r0, r1, #1: nothing leads here */
    {"\x70\x47", 2, "sp+0"}, /* bx lr */
    FUNCTION(T32_THAT_MOVES_SP),
    {"\x10\xb4", 2, "sp+0"}, /* push {r4} */
    {"\x10\xbc", 2, "sp+4"}, /* pop {r4} */
    {"\x70\x47", 2, "sp+0"}, /* bx lr */
    {"\x48\x1c", 2, "u"},    /* adds r0, r1, #1 */
    {"\x70\x47", 2, "u"},    /* bx lr */
    /* A caller's LR may be anything then. */
    FUNCTION(T32_THAT_CHANGES_LR),
    {"\xf4\x46", 2, "sp+0"},        /* mov ip, lr */
    {"\x86\x46", 2, "sp+0"},        /* mov lr, r0 */
    {"\x60\x47", 2, "sp+0 ra=r12"}, /* bx ip */
    {"\x48\x1c", 2, "u"},           /* adds r0, r1, #1 */
    {"\x70\x47", 2, "u"},           /* bx lr */
    FUNCTION(T32_THAT_CALLS),
    {"\x02\x46", 2, "sp+0"},      /* mov r2, r0 */
    {"\x70\x47", 2, "sp+0"},      /* bx lr */
    {"\xfe\xf1\xfc\xff", 4, "u"}, /* bl OTHER */
    {"\x70\x47", 2, "u"},         /* bx lr */
};

TEST(guess_t32_without_frame_is_the_entrys_state)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_T32, T32_FUNCTIONS);
}

static const struct line BEHIND_A_TRAP[] = {
    /* Nothing leads behind a trap but a handler that goes on there. */
    FUNCTION(RV64_BEHIND_A_TRAP),
    {"\x41\x11", 2, "sp+0"},         /* addi sp, sp, -16 */
    {"\x22\xe4", 2, "sp+16"},        /* sd s0, 8(sp) */
    {"\x2a\x84", 2, "sp+16"},        /* mv s0, a0 */
    {"\x00\x00", 2, "sp+16 s0=c-8"}, /* unimp */
    {"\x01\x45", 2, "sp+16 s0=c-8"}, /* li a0, 0 */
    {"\x22\x64", 2, "sp+16 s0=c-8"}, /* ld s0, 8(sp) */
    {"\x41\x01", 2, "sp+16"},        /* addi sp, sp, 16 */
    {"\x82\x80", 2, "sp+0"},         /* ret */
    FUNCTION(RV64_FUNCTION_BEHIND_A_TRAP),
    {"\x41\x11", 2, "sp+0"},          /* addi sp, sp, -16 */
    {"\x22\xe4", 2, "sp+16"},         /* sd s0, 8(sp) */
    {"\x73\x00\x10\x00", 4, "sp+16"}, /* ebreak */
    {"\x41\x11", 2, "u"},             /* addi sp, sp, -16 */
    {"\x06\xe4", 2, "u"},             /* sd ra, 8(sp) */
    {"\xa2\x60", 2, "u"},             /* ld ra, 8(sp) */
    {"\x41\x01", 2, "u"},             /* addi sp, sp, 16 */
    {"\x82\x80", 2, "u"},             /* ret */
};

TEST(guess_riscv_behind_a_trap_is_as_at_the_trap)
{
    CHECK_FUNCTIONS(ARCH_RISCV64, CODE_DEFAULT, BEHIND_A_TRAP);
}

/* What of a fragment nothing leads to is in the frame of the function that it is of. */
TEST_OF(guess_in_a_fragment_is_no_entrys_state, function, f, ARCH_AARCH64, CODE_DEFAULT)
{
    struct prologue_arrival arrival = {.vaddr = START};

    add(f, "\xe2\x03\x00\x2a", 4); /* mov w2, w0 */
    add(f, "\xc0\x03\x5f\xd6", 4); /* ret */
    add(f, "\x20\x04\x00\x11", 4); /* add w0, w1, #1 */
    add(f, "\xc0\x03\x5f\xd6", 4); /* ret */
    state_init_entry(&arrival.state, arch_get(ARCH_AARCH64));
    f->input.not_entered = true;
    f->input.arrivals = &arrival;
    f->input.arrival_count = 1;
    EXPECT_ROWS(f, {START, "sp+0"}, {START + 4, "sp+0"}, {START + 8, "u"}, {START + 12, "u"});
    f->input.not_entered = false;
    EXPECT_ROWS(f, {START, "sp+0"}, {START + 4, "sp+0"}, {START + 8, "sp+0"}, {START + 12, "sp+0"});
}
