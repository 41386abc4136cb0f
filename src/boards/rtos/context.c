/* SPDX-License-Identifier: MIT */
#include "boards/rtos/context.h"

/* Words of an exception frame (ARMv7-M, B1.5.6), and of an extended one. */
enum { FRAME_LR = 5, FRAME_PC = 6, FRAME_XPSR = 7, FRAME_WORDS = 8, EXTENDED_WORDS = 26 };

#define XPSR_THUMB     (1u << 24)
#define XPSR_ALIGNED   (1u << 9) /* a word was skipped to align the stack */
#define XPSR_EXCEPTION 0x1ffu

#define EXC_BASIC  0x10u /* without the FPU's registers */
#define EXC_SECURE 0x40u /* ARMv8-M: the secure stack was used */
#define EXC_TASK   0x0cu /* returns to a thread, on the process stack */

#define MSTATUS_MPP   0x1800u
#define SMALL_MAX     0xffffu
#define STACK_ALIGNED 4

static bool is_machine(const struct walk *w, uint8_t pc, uint8_t sp)
{
    return w->layout->arch->pc == pc && w->layout->arch->sp == sp;
}

bool context_frame(struct walk *w, uint64_t addr, uint64_t end_addr, bool is_extended,
                   struct regs *regs)
{
    static const uint8_t order[FRAME_WORDS] = {0, 1, 2, 3, 12, 14, 15, 16};
    const unsigned words = is_extended ? EXTENDED_WORDS : FRAME_WORDS;
    uint64_t value[FRAME_WORDS], sp = addr + 4u * words;

    if (!is_machine(w, CONTEXT_ARM))
        return false;
    for (unsigned i = 0; i < FRAME_WORDS; i++)
        if (!walk_uint(w, addr + 4 * i, 4, &value[i]))
            return false;
    if (!(value[FRAME_XPSR] & XPSR_THUMB) || value[FRAME_XPSR] & XPSR_EXCEPTION ||
        value[FRAME_PC] & 1 || !walk_is_code(w, value[FRAME_PC]))
        return false;
    sp += value[FRAME_XPSR] & XPSR_ALIGNED ? 4 : 0;
    if (end_addr && sp > end_addr)
        return false;
    for (unsigned i = 0; i < FRAME_WORDS; i++)
        regs_set(regs, order[i], value[i]);
    regs_set(regs, w->layout->arch->sp, sp);
    return true;
}

/* Takes a word; *exc is EXC_RETURN if this is it. False: implausible. */
static bool take_word(uint8_t reg, uint64_t value, struct regs *regs, uint64_t *exc)
{
    switch (reg) {
    case CONTEXT_SKIP:
        return true;
    case CONTEXT_EXC:
        *exc = value;
        return value >> 8 == 0xffffff && (value & EXC_TASK) == EXC_TASK;
    case CONTEXT_MSTATUS:
        return (value & MSTATUS_MPP) == MSTATUS_MPP;
    case CONTEXT_SMALL:
        return value <= SMALL_MAX;
    default:
        regs_set(regs, reg, value);
        return true;
    }
}

static bool try_context(struct walk *w, const struct saved_context *c, uint64_t addr,
                        uint64_t end_addr, struct regs *regs)
{
    const struct arch *arch = w->layout->arch;
    const uint64_t behind_addr = addr + (uint64_t)c->words * arch->word_size;
    uint64_t value, exc = EXC_BASIC;

    *regs = (struct regs){0};
    for (unsigned i = 0; i < c->words; i++)
        if (!walk_word(w, addr + (uint64_t)i * arch->word_size, &value) ||
            !take_word(c->regs[i], value, regs, &exc))
            return false;
    if (c->has_frame) {
        const bool is_extended = !(exc & EXC_BASIC);

        /* s16 to s31 lie between */
        return context_frame(w, behind_addr + (is_extended ? 64 : 0), end_addr, is_extended, regs);
    }
    if (!regs_has(regs, arch->sp))
        regs_set(regs, arch->sp, behind_addr);
    return regs_has(regs, arch->pc) && walk_is_code(w, regs->value[arch->pc]) &&
           regs->value[arch->sp] >= behind_addr - arch->word_size &&
           (!end_addr || regs->value[arch->sp] <= end_addr);
}

void context_find(struct walk *w, const struct saved_context *list, size_t count, uint64_t addr,
                  uint64_t end_addr, struct regs *regs)
{
    for (size_t i = 0; i < count && addr % STACK_ALIGNED == 0; i++)
        if (is_machine(w, list[i].pc, list[i].sp) && try_context(w, &list[i], addr, end_addr, regs))
            return;
    *regs = (struct regs){0};
}
