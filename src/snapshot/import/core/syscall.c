/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/syscall.h"

#include "snapshot/import/core/layout.h"

/* Results of a system call that will be restarted, or was given up for a signal. */
enum {
    RESULT_INTR = -4,
    RESULT_RESTART_SYS = -512,
    RESULT_RESTART_NO_INTR = -513,
    RESULT_RESTART_NO_HAND = -514,
    RESULT_RESTART_BLOCK = -516,
};

static int64_t signed_word(const struct arch *arch, uint64_t value)
{
    return arch->word_size == 4 ? (int32_t)value : (int64_t)value;
}

static bool is_given_up(int64_t result)
{
    return result == RESULT_INTR || result == RESULT_RESTART_SYS ||
           result == RESULT_RESTART_NO_INTR || result == RESULT_RESTART_NO_HAND ||
           result == RESULT_RESTART_BLOCK;
}

/* Returns whether the instruction at `addr` makes a system call; all such have one size. */
static bool makes_call(const struct core_image *image, uint64_t addr)
{
    uint8_t bytes[4];

    return core_image_read(image, addr, bytes, sizeof(bytes)) &&
           syscall_insn_at(image->arch, bytes, sizeof(bytes));
}

static void fill(const struct arch *arch, int64_t number, uint64_t first,
                 struct snap_sample *sample)
{
    sample->has_syscall = true;
    sample->syscall = number;
    for (unsigned i = 0; i < 6; i++)
        sample->syscall_args[i] = sample->regs.value[arch->syscall_args[i]];
    sample->syscall_args[0] = first;
}

void core_syscall_find(const struct core_image *image, uint64_t orig, struct snap_sample *sample)
{
    const struct arch *arch = image->arch;
    const uint64_t *values = sample->regs.value;
    uint64_t number = arch->syscall_number == REG_NONE ? 0 : values[arch->syscall_number];
    uint64_t first = values[arch->syscall_args[0]], pc = values[arch->pc];
    int64_t result = signed_word(arch, values[arch->syscall_result]);
    int64_t was = signed_word(arch, orig);

    switch (core_layout_get(arch)->syscall) {
    case CORE_SYSCALL_ORIG_NUMBER:
        if (was >= 0 && is_given_up(result))
            fill(arch, was, first, sample);
        break;
    case CORE_SYSCALL_ORIG_ARGUMENT:
        if (was != -1 && (result == was || is_given_up(result)))
            fill(arch, (int64_t)number, orig, sample);
        break;
    case CORE_SYSCALL_INSN:
        if (makes_call(image, pc))
            fill(arch, (int64_t)number, first, sample);
        else if (is_given_up(result) && makes_call(image, pc - arch->syscall_size))
            fill(arch, (int64_t)number, UINT64_MAX, sample); /* the result is in its place */
        break;
    }
}
