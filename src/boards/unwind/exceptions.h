/* SPDX-License-Identifier: MIT */
/* Describes the exceptions of a board that a sample and its chain show, as text. */
#ifndef BOARDS_UNWIND_EXCEPTIONS_H
#define BOARDS_UNWIND_EXCEPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "arch/arch.h"
#include "snapshot/event.h"
#include "symbol/address_space.h"
#include "unwind/chain.h"

#define EXCEPTION_TEXT_MAX 256 /* bytes of a text with its NUL; longer texts are cut */

/*
 * Writes the name of the exception that interrupted the frame, "SysTick" or "IRQ 3", to `text` of
 * `size` bytes. False: there is none, or it is not known. `arch` NULL: false.
 */
bool exceptions_name(const struct arch *arch, const struct frame *frame, char *text, size_t size);

/*
 * Returns the processor's number of the exception that interrupted the frame: IPSR's, or the code
 * of mcause; 0: none, or not known.
 */
unsigned exceptions_number(const struct frame *frame);

/*
 * Writes the cause of a fault, "UsageFault: DIVBYZERO", to `text` of `size` bytes: of the fault
 * whose handler is active in the sample, else of an earlier fault, which the text says. False: no
 * fault is known, or `arch` or `space`, the sample's address space, is NULL.
 */
bool exceptions_fault(const struct arch *arch, const struct address_space *space,
                      const struct snap_sample *sample, const struct chain *chain, char *text,
                      size_t size);

#endif
