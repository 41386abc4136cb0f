#include "snapshot/import/core/syscall.h"

/* Results of a system call that is to be made again, or was given up for a signal. */
enum {
    RESULT_INTR = -4,
    RESULT_RESTART_SYS = -512,
    RESULT_RESTART_NO_INTR = -513,
    RESULT_RESTART_NO_HAND = -514,
    RESULT_RESTART_BLOCK = -516,
};

#define SVC_A64 0xd4000001u /* svc #0 */

/*
 * By number of arch/arch.h: the register of the call's number (of arm's), of its result and of each
 * argument.
 */
static const struct {
    uint8_t number, result, args[6];
} registers[ARCH_COUNT] = {
    [ARCH_X86_64] = {0, 0, {5, 4, 1, 10, 8, 9}},
    [ARCH_I386] = {0, 0, {3, 1, 2, 6, 7, 5}},
    [ARCH_ARM] = {7, 0, {0, 1, 2, 3, 4, 5}},
    [ARCH_AARCH64] = {8, 0, {0, 1, 2, 3, 4, 5}},
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

static bool is_svc(const struct core_image *image, uint64_t addr)
{
    uint32_t insn;

    return core_image_read(image, addr, &insn, sizeof(insn)) && insn == SVC_A64;
}

static void fill(const struct arch *arch, int64_t number, uint64_t first,
                 struct snap_sample *sample)
{
    sample->has_syscall = true;
    sample->syscall = number;
    for (unsigned i = 0; i < 6; i++)
        sample->syscall_args[i] = sample->regs.value[registers[arch->id].args[i]];
    sample->syscall_args[0] = first;
}

void core_syscall_find(const struct core_image *image, uint64_t orig, struct snap_sample *sample)
{
    const struct arch *arch = image->arch;
    const uint64_t *values = sample->regs.value;
    uint64_t number = values[registers[arch->id].number];
    uint64_t first = values[registers[arch->id].args[0]], pc = values[arch->pc];
    int64_t result = signed_word(arch, values[registers[arch->id].result]);
    int64_t was = signed_word(arch, orig);

    switch (arch->id) {
    case ARCH_X86_64:
    case ARCH_I386:
        if (was >= 0 && is_given_up(result))
            fill(arch, was, first, sample);
        break;
    case ARCH_ARM:
        if (was != -1 && (result == was || is_given_up(result)))
            fill(arch, (int64_t)number, orig, sample);
        break;
    case ARCH_AARCH64:
        if (is_svc(image, pc))
            fill(arch, (int64_t)number, first, sample);
        else if (result == RESULT_INTR && is_svc(image, pc - 4))
            fill(arch, (int64_t)number, UINT64_MAX, sample); /* the result is in its place */
        break;
    }
}
