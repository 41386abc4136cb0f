#include "snapshot/import/core/layout.h"

#include <string.h>

/*
 * The kernel's struct user_regs_struct of x86-64: r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx
 * rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base ds es fs gs.
 */
static const uint8_t x86_64_order[] = {10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16};
/* i386: ebx ecx edx esi edi ebp eax ds es fs gs orig_eax eip cs eflags esp ss. */
static const uint8_t i386_order[] = {6, 1, 2, 0, 15, 5, 3, 4, 12};
/* arm: r0 to r15, cpsr, orig_r0 (struct pt_regs). aarch64: x0 to x30, sp, pc, pstate. */
static const uint8_t same_order[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                     11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                     22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

#define STATUS_64 .signal_off = 12, .tid_off = 32, .regs_off = 112
#define STATUS_32 .signal_off = 12, .tid_off = 24, .regs_off = 72
#define INFO_64   .state_off = 1, .pid_off = 24, .parent_off = 28, .name_off = 40, .args_off = 56
/* with 16 bits for each of pr_uid and pr_gid, as i386 and arm have it */
#define INFO_32 .state_off = 1, .pid_off = 12, .parent_off = 16, .name_off = 28, .args_off = 44

static const struct core_layout layouts[ARCH_COUNT] = {
    [ARCH_X86_64] = {.arch = ARCH_X86_64,
                     STATUS_64,
                     INFO_64,
                     .words = 27,
                     .orig_word = 15,
                     .order = x86_64_order,
                     .special_addr = UINT64_C(0xffffffffff600000),
                     .special_name = "[vsyscall]"},
    [ARCH_I386] =
        {.arch = ARCH_I386, STATUS_32, INFO_32, .words = 17, .orig_word = 11, .order = i386_order},
    [ARCH_ARM] = {.arch = ARCH_ARM,
                  STATUS_32,
                  INFO_32,
                  .words = 18,
                  .orig_word = 17,
                  .order = same_order,
                  .special_addr = 0xffff0000,
                  .special_name = "[vectors]"},
    [ARCH_AARCH64] = {.arch = ARCH_AARCH64,
                      STATUS_64,
                      INFO_64,
                      .words = 34,
                      .orig_word = 34,
                      .order = same_order},
};

const struct core_layout *core_layout_get(const struct arch *arch)
{
    return &layouts[arch->id];
}

static uint64_t word_at(const struct core_layout *layout, const uint8_t *desc, unsigned index)
{
    size_t size = arch_get(layout->arch)->word_size;
    uint64_t value = 0;

    memcpy(&value, desc + layout->regs_off + index * size, size);
    return value;
}

uint64_t core_layout_orig(const struct core_layout *layout, const uint8_t *desc)
{
    return layout->orig_word < layout->words ? word_at(layout, desc, layout->orig_word) : 0;
}

void core_layout_regs(const struct core_layout *layout, const uint8_t *desc, struct regs *out)
{
    *out = (struct regs){0};
    for (unsigned i = 0; i < arch_get(layout->arch)->reg_count; i++)
        regs_set(out, i, word_at(layout, desc, layout->order[i]));
}
