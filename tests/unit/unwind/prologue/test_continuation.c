/* SPDX-License-Identifier: MIT */
/* Code that only a made return address leads to. */
#include <string.h>

#include "code_fixture.h"
#include "unwind/prologue/continuation.h"

#define EXIT (CODE_START + 0x2000) /* the function that never returns */

static void callee_at(void *context, uint64_t vaddr, enum code_mode mode, struct callee *out)
{
    (void)context;
    (void)mode;
    *out = (struct callee){.never_returns = vaddr == EXIT, .pc_reg = REG_NONE};
}

/* Is one found `off` bytes from the beginning of the code, which is one function? */
static bool is_found_at(enum arch_id arch, enum code_mode mode, const char *bytes, size_t size,
                        uint64_t off)
{
    const struct code_file file = {bytes, size};
    const struct continuation_place place = {CODE_START + off, CODE_START, CODE_START + size, mode};
    struct code *code = code_file_open(arch, &file);
    bool found = continuation_at(code, callee_at, NULL, &place);

    code_destroy(code);
    return found;
}

static bool is_found(enum arch_id arch, enum code_mode mode, const char *bytes, size_t size)
{
    return is_found_at(arch, mode, bytes, size, 0);
}

#define X86(bytes)  is_found(ARCH_X86_64, CODE_DEFAULT, bytes, sizeof(bytes) - 1)
#define I386(bytes) is_found(ARCH_I386, CODE_DEFAULT, bytes, sizeof(bytes) - 1)
#define A32(bytes)  is_found(ARCH_ARM, CODE_DEFAULT, bytes, sizeof(bytes) - 1)
#define T32(bytes)  is_found(ARCH_ARM, CODE_T32, bytes, sizeof(bytes) - 1)
#define A64(bytes)  is_found(ARCH_AARCH64, CODE_DEFAULT, bytes, sizeof(bytes) - 1)

TEST(continuation_of_each_makecontext_is_found)
{
    assert_true(X86("\x48\x89\xdc"          /* mov rsp, rbx */
                    "\x48\x8b\x3c\x24"      /* mov rdi, [rsp] */
                    "\x48\x85\xff\x74\x05"  /* test rdi, rdi; je */
                    "\xe8\x00\x10\x00\x00"  /* call setcontext */
                    "\xe8\x00\x20\x00\x00"  /* call */
                    "\xf4"));               /* hlt */
    assert_true(I386("\x8d\x24\x9c"         /* lea esp, [esp + ebx * 4] */
                     "\x83\x3c\x24\x00"     /* cmp dword [esp], 0 */
                     "\x74\x05"             /* je */
                     "\xe8\x00\x10\x00\x00" /* call setcontext */
                     "\x50"                 /* push eax */
                     "\xe8\x00\x20\x00\x00" /* call */
                     "\xf4"));              /* hlt */
    assert_true(A32("\x04\x00\xb0\xe1"      /* movs r0, r4 */
                    "\xe1\xff\xff\x1a"      /* bne setcontext */
                    "\xfc\x07\x00\xea"));   /* b exit */
    assert_true(A64("\x1f\x20\x03\xd5"      /* nop */
                    "\xe0\x03\x13\xaa"      /* mov x0, x19 */
                    "\x00\xe0\xff\xb5"      /* cbnz x0, setcontext */
                    "\xfd\x07\x00\x14"));   /* b exit */
    assert_true(is_found(ARCH_RISCV64, CODE_DEFAULT,
                         "\x4a\x85"          /* mv a0, s2 */
                         "\x63\x04\x09\x00"  /* beqz s2, the jump */
                         "\xef\xf0\x5f\xf4"  /* jal setcontext */
                         "\x6f\x10\x70\x7f", /* j exit */
                         14));
}

TEST(continuation_ends_with_a_call_that_never_returns)
{
    assert_true(X86("\x48\x89\xdc"          /* mov rsp, rbx */
                    "\xe8\xf8\x1f\x00\x00"  /* call exit */
                    "\xc3"));               /* ret, of the next function */
    assert_false(X86("\x48\x89\xdc"         /* mov rsp, rbx */
                     "\xe8\xf0\x1f\x00\x00" /* call of another function */
                     "\xc3"));              /* ret */
    assert_true(X86("\x48\x89\xdc"          /* mov rsp, rbx */
                    "\xe9\xf8\x1f\x00\x00"  /* jmp exit */
                    "\xc3"));
}

/* Such code goes on in callers that it knows: by longjmp, or in its own function. */
TEST(continuation_is_no_way_to_a_caller)
{
    static const char loop[] = "\xfd\x7b\xbf\xa9"  /* 00 stp x29, x30, [sp, #-16]! */
                               "\x60\x00\x3f\xd6"  /* 04 blr x3 */
                               "\x60\x00\x00\xb4"  /* 08 cbz x0, 14 */
                               "\xfd\x7b\xc1\xa8"  /* 0c ldp x29, x30, [sp], #16 */
                               "\xc0\x03\x5f\xd6"  /* 10 ret */
                               "\xe0\x03\x13\xaa"  /* 14 mov x0, x19 */
                               "\xc1\xef\xff\xb5"  /* 18 cbnz x1, setcontext */
                               "\xfa\xff\xff\x17"; /* 1c b 04 */

    assert_false(is_found_at(ARCH_AARCH64, CODE_DEFAULT, loop, sizeof(loop) - 1, 0x14));
    assert_false(A64("\xe0\x03\x13\xaa"            /* mov x0, x19 */
                     "\xff\x07\x00\x14"));         /* b longjmp */
    assert_false(X86("\x48\x89\xdf"                /* mov rdi, rbx */
                     "\xe8\xf8\x1f\x00\x00\xf4")); /* call longjmp; hlt */
}

TEST(continuation_is_no_function_that_saves_or_ignores_what_it_was_left)
{
    assert_false(X86("\x53"                     /* push rbx */
                     "\x48\x89\x5c\x24\x10"     /* mov [rsp + 16], rbx */
                     "\x48\x89\xfb"             /* mov rbx, rdi */
                     "\xe8\x00\x20\x00\x00"     /* call */
                     "\xf4"));                  /* hlt */
    assert_false(X86("\xbf\x01\x00\x00\x00"     /* mov edi, 1 */
                     "\xe8\x00\x20\x00\x00"     /* call */
                     "\xf4"));                  /* hlt */
    assert_false(X86("\x48\x83\xe4\xf0"         /* and rsp, -16 */
                     "\x48\x2b\x24\x25\0\0\0\0" /* sub rsp, [0] */
                     "\xf4"));                  /* hlt */
    assert_false(A64("\xf3\x53\xbe\xa9"         /* stp x19, x20, [sp, #-32]! */
                     "\xf3\x03\x00\xaa"         /* mov x19, x0 */
                     "\x00\xe0\xff\xb5"         /* cbnz x0 */
                     "\xfd\x07\x00\x14"));      /* b exit */
}

TEST(continuation_is_no_code_that_may_return)
{
    assert_false(X86("\x48\x89\xdc\xc3"));     /* mov rsp, rbx; ret */
    assert_false(X86("\x48\x89\xdc"            /* mov rsp, rbx */
                     "\xe9\x00\x10\x00\x00")); /* jmp: returns to the next word */
    assert_false(X86("\x48\x89\xdc\xff\xe0")); /* mov rsp, rbx; jmp rax */
    assert_false(A64("\xe0\x03\x13\xaa"        /* mov x0, x19 */
                     "\xc0\x03\x5f\xd6"));     /* ret */
    assert_false(A64("\xe0\x03\x13\xaa"        /* mov x0, x19 */
                     "\xfe\x07\x41\xf8"        /* ldr x30, [sp], #16 */
                     "\x00\xe0\xff\xb5"        /* cbnz x0: returns to x30 */
                     "\xfd\x07\x00\x14"));     /* b exit */
    assert_false(T32("\x20\x46"                /* mov r0, r4 */
                     "\x08\xbf\x70\x47"        /* it eq; bxeq lr */
                     "\xfe\xe7"));             /* b . */
}

TEST(continuation_is_not_long_nor_cut)
{
    char bytes[3 + 80 + 1];

    memset(bytes, '\x90', sizeof(bytes)); /* nop */
    memcpy(bytes, "\x48\x89\xdc", 3);     /* mov rsp, rbx */
    bytes[sizeof(bytes) - 1] = '\xf4';    /* hlt */
    assert_false(is_found(ARCH_X86_64, CODE_DEFAULT, bytes, sizeof(bytes)));
    bytes[20] = '\xf4';
    assert_true(is_found(ARCH_X86_64, CODE_DEFAULT, bytes, sizeof(bytes)));
    assert_false(is_found(ARCH_X86_64, CODE_DEFAULT, bytes, 20)); /* the file ends */
}
