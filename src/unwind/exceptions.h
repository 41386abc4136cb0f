/* SPDX-License-Identifier: MIT */
/* What a sample of a board and its chain tell of exceptions, in words. */
#ifndef UNWIND_EXCEPTIONS_H
#define UNWIND_EXCEPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "arch/arch.h"
#include "snapshot/event.h"
#include "symbol/module.h"
#include "unwind/chain.h"

#define EXCEPTION_TEXT_MAX 256 /* bytes of a text, with its NUL; longer ones are cut */

/* What interrupted the frame: "SysTick", "IRQ 3". False: nothing did, or that is not known. */
bool exceptions_name(const struct arch *arch, const struct frame *frame, char *text, size_t size);

/* Its number as the processor has it: IPSR's, or the code of mcause. */
unsigned exceptions_number(const struct frame *frame);

/*
 * The cause of a fault, "UsageFault: DIVBYZERO": of one whose handler is active in the sample, or,
 * so called, of an earlier one. False: none is known. `space` is the sample's; may be NULL.
 */
bool exceptions_fault(const struct arch *arch, const struct address_space *space,
                      const struct snap_sample *sample, const struct chain *chain, char *text,
                      size_t size);

#endif
