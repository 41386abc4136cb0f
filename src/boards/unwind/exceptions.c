/* SPDX-License-Identifier: MIT */
#include "boards/unwind/exceptions.h"

#include "arch/analysis/analysis.h"

bool exceptions_name(const struct arch *arch, const struct frame *frame, char *text, size_t size)
{
    const struct exception_arch *exceptions = arch ? arch_analysis(arch)->exception : NULL;

    if (!exceptions || !exceptions->name || frame->exception == 0)
        return false;
    exceptions->name(frame->exception, text, size);
    return text[0] != '\0';
}

unsigned exceptions_number(const struct frame *frame)
{
    return frame->exception & EXCEPTION_NUMBER_MASK;
}

/*
 * Returns the exceptions known to be active in the sample, bit n for exception n; all bits if the
 * fault's address is an interrupted PC, or the PC itself where no code is: the handler is nowhere,
 * too, or the jump is to be made again.
 */
static uint64_t find_active(const struct exception_arch *exceptions,
                            const struct address_space *space, const struct snap_sample *sample,
                            const struct chain *chain)
{
    unsigned number = exceptions->number ? exceptions->number(&sample->regs) : 0;
    uint64_t active = number && number < 64 ? UINT64_C(1) << number : 0, addr;

    if (exceptions->fault_addr &&
        exceptions->fault_addr(sample->system, sample->system_count, &addr))
        for (size_t i = 0; i < chain->count; i++)
            if (!chain->frames[i].is_call && chain->frames[i].pc_addr == addr &&
                (i > 0 || !address_space_find(space, addr)))
                return UINT64_MAX;
    for (size_t i = 0; i < chain->count; i++) {
        number = chain->frames[i].exception;
        if (number && number < 64)
            active |= UINT64_C(1) << number;
    }
    return active;
}

bool exceptions_fault(const struct arch *arch, const struct address_space *space,
                      const struct snap_sample *sample, const struct chain *chain, char *text,
                      size_t size)
{
    const struct exception_arch *exceptions = arch ? arch_analysis(arch)->exception : NULL;

    return exceptions && exceptions->fault && space && space->board.is_board &&
           space->board.profile == exceptions->profile &&
           exceptions->fault(sample->system, sample->system_count,
                             find_active(exceptions, space, sample, chain), text, size);
}
