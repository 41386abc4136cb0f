/* SPDX-License-Identifier: MIT */
/* Describes the exceptions of a board that a sample and its chain show, as text. */
#ifndef BOARDS_UNWIND_EXCEPTIONS_H
#define BOARDS_UNWIND_EXCEPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "arch/arch.h"
#include "snapshot/event.h"
#include "symbol/module.h"
#include "unwind/chain.h"

#define EXCEPTION_TEXT_MAX 256 /* bytes of a text with its NUL; longer ones are cut */

/* Writes what interrupted the frame: "SysTick", "IRQ 3". False: nothing, or not known. */
bool exceptions_name(const struct arch *arch, const struct frame *frame, char *text, size_t size);

/* Returns the processor's number of what interrupted the frame: IPSR's, or the code of mcause. */
unsigned exceptions_number(const struct frame *frame);

/*
 * Writes the cause of a fault, "UsageFault: DIVBYZERO": of the one whose handler is active in the
 * sample, else of an earlier one, and says so. False: no fault is known. `space` is the sample's;
 * NULL: false.
 */
bool exceptions_fault(const struct arch *arch, const struct address_space *space,
                      const struct snap_sample *sample, const struct chain *chain, char *text,
                      size_t size);

#endif
