/* SPDX-License-Identifier: MIT */
/*
 * How the processors of boards without Linux interrupt code, where the processor itself saves what
 * it interrupts (ARM's M-profile). Where software does that (RISC-V) the analysis of code sees it.
 */
#ifndef ARCH_ANALYSIS_EXCEPTION_H
#define ARCH_ANALYSIS_EXCEPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "unwind/row/memory.h"

struct exception_arch {
    /* Is it what a handler finds in place of a return address (EXC_RETURN)? */
    bool (*is_return)(uint64_t value);
    /*
     * `handler` are the registers as they were when the handler with this return value was entered,
     * SP and the other stack pointers among them where they are known: what was interrupted, to
     * `out`, all registers that are known of it, stack pointers as it had them. FAULT: what the
     * processor saved was not captured, or it is not known which stack it is on; BAD_DATA: what is
     * there cannot have been saved by the processor.
     */
    enum status (*unwind)(uint64_t value, const struct regs *handler, const struct memory *memory,
                          struct regs *out);
    /*
     * Of the registers of the system at a fault, in words: what kind of fault, and its cause, as
     * "UsageFault: DIVBYZERO"; with the address where there is one. False: they tell of no fault.
     */
    bool (*fault)(const uint32_t *numbers, const uint64_t *values, uint32_t count, char *text,
                  uint64_t text_size);
    /* The name of an exception by its number (IPSR): "SysTick", "IRQ 3"; "" of none. */
    void (*name)(unsigned number, char *text, uint64_t text_size);
};

#endif
