/* SPDX-License-Identifier: MIT */
/* Which system call code makes first. */
#include "arch/analysis/insn.h"
#include "code_fixture.h"
#include "unwind/prologue/system_call_ahead.h"
#include "unwind/row/row.h"

static bool find(enum arch_id arch, enum code_mode mode, const char *bytes, size_t size,
                 struct system_call_ahead *out)
{
    const struct code_file file = {bytes, size};
    struct code *code = code_file_open(arch, &file);
    bool found;

    found = system_call_ahead_find(code, CODE_START, mode, out);
    code_destroy(code);
    return found;
}

#define FIND(arch, mode, bytes, out) find(arch, mode, bytes, sizeof(bytes) - 1, out)

/* As insn_set's sigreturn_code says. */
TEST(system_call_ahead_of_each_trampoline_is_rt_sigreturn)
{
    for (unsigned id = 0; id < ARCH_COUNT; id++) {
        const struct arch *arch = arch_get((enum arch_id)id);

        for (unsigned mode = CODE_DEFAULT; mode <= CODE_T32; mode++) {
            const struct insn_set *set = insn_set_for(arch, (enum code_mode)mode);
            struct system_call_ahead call;
            struct row row;

            if (!set || !set->sigreturn_row)
                continue;
            assert_true(find((enum arch_id)id, (enum code_mode)mode, set->sigreturn_code,
                             set->sigreturn_size, &call));
            assert_int_equal(call.number, syscall_number(arch->syscalls, CALL_RT_SIGRETURN));
            assert_int_equal(call.end_vaddr, CODE_START + set->sigreturn_size);
            assert_true(call.is_still && !call.sp_moved);
            assert_int_equal(set->sigreturn_row((const uint8_t *)set->sigreturn_code,
                                                set->sigreturn_size, CODE_START, &row),
                             STATUS_OK);
        }
    }
}

TEST(system_call_ahead_is_found_by_what_instructions_do)
{
    struct system_call_ahead call;

    assert_true(FIND(ARCH_AARCH64, CODE_DEFAULT,
                     "\x5f\x24\x03\xd5"  /* bti c */
                     "\x68\x11\x80\xd2"  /* mov x8, #139 */
                     "\x01\x00\x00\xd4", /* svc #0 */
                     &call));
    assert_int_equal(call.number, 139);
    assert_int_equal(call.end_vaddr, CODE_START + 12);
    assert_true(call.is_still);
    assert_true(FIND(ARCH_X86_64, CODE_DEFAULT,
                     "\x48\x83\xec\x10"     /* sub rsp, 16 */
                     "\x48\x83\xc4\x10"     /* add rsp, 16 */
                     "\xb8\x0f\x00\x00\x00" /* mov eax, 15 */
                     "\x0f\x05",            /* syscall */
                     &call));
    assert_int_equal(call.number, 15);
    assert_true(!call.is_still && !call.sp_moved);
    assert_true(FIND(ARCH_X86_64, CODE_DEFAULT,
                     "\x58"                 /* pop rax */
                     "\xb8\x0f\x00\x00\x00" /* mov eax, 15 */
                     "\x0f\x05",            /* syscall */
                     &call));
    assert_true(call.sp_moved);
}

TEST(system_call_ahead_is_found_behind_a_jump)
{
    struct system_call_ahead call;

    assert_true(FIND(ARCH_X86_64, CODE_DEFAULT,
                     "\xb8\x0f\x00\x00\x00"  /* mov eax, 15 */
                     "\xeb\x01\xcc\x0f\x05", /* jmp; int3; syscall */
                     &call));
    assert_int_equal(call.number, 15);
    assert_true(call.has_jumped && call.is_still);
    assert_int_equal(call.end_vaddr, CODE_START + 10);
}

TEST(system_call_ahead_number_may_be_unknown)
{
    struct system_call_ahead call;

    assert_true(FIND(ARCH_X86_64, CODE_DEFAULT, "\x8b\x07\x0f\x05", &call)); /* mov eax, [rdi] */
    assert_int_equal(call.number, -1);
}

TEST(system_call_ahead_is_none_behind_calls_and_far_away)
{
    struct system_call_ahead call;

    assert_false(FIND(ARCH_X86_64, CODE_DEFAULT,
                      "\xe8\x00\x00\x00\x00"          /* call */
                      "\xb8\x0f\x00\x00\x00\x0f\x05", /* mov eax, 15; syscall */
                      &call));
    assert_false(FIND(ARCH_X86_64, CODE_DEFAULT, "\xc3\x0f\x05", &call)); /* ret; syscall */
    assert_false(FIND(ARCH_X86_64, CODE_DEFAULT,
                      "\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90"
                      "\xb8\x0f\x00\x00\x00\x0f\x05",
                      &call));
    assert_false(FIND(ARCH_X86_64, CODE_DEFAULT,
                      "\xb8\x0f\x00\x00\x00"      /* mov eax, 15 */
                      "\xeb\x00\xeb\x00\x0f\x05", /* jmp; jmp; syscall */
                      &call));
    assert_false(FIND(ARCH_ARM, CODE_DEFAULT,
                      "\xad\x70\xa0\x13"  /* movne r7, #173 */
                      "\x00\x00\x00\xef", /* svc #0 */
                      &call));
}
