/* SPDX-License-Identifier: MIT */
/*
 * How the processors of boards without Linux interrupt code, where the processor itself saves what
 * it interrupts (ARM's M-profile). Where software does that (RISC-V) the analysis of code sees it,
 * and only what registers of the system tell is there.
 */
#ifndef ARCH_ANALYSIS_EXCEPTION_H
#define ARCH_ANALYSIS_EXCEPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "unwind/row/memory.h" /* and snapshot/event.h, which that is about */

/* A handler that was entered: what there is to find what it interrupted. */
struct exception_entry {
    uint64_t value; /* that it found in place of a return address */
    /* as they were then; SP and the other stack pointers among them where they are known */
    const struct regs *handler;
    const struct memory *memory;
    const struct snap_system *system; /* registers of the system; may be none */
    uint32_t system_count;
};

/*
 * Numbers of exceptions in struct frame: of ARM's M-profile as IPSR has them; of RISC-V the code of
 * mcause, with a bit above it, so that none is 0.
 */
#define EXCEPTION_NUMBER_MASK  0x3fffu
#define EXCEPTION_IS_TRAP      0x4000u
#define EXCEPTION_IS_INTERRUPT 0x8000u

struct exception_arch {
    uint8_t profile; /* enum snap_profile, of the boards that this holds for */
    /*
     * Registers that exceptions change and calls do not, or not as calls change others: a mask by
     * number. What is known of them holds from a frame to its callers, up to the next exception.
     */
    uint64_t banked;
    /* Is it what a handler finds in place of a return address (EXC_RETURN)? NULL: none does. */
    bool (*is_return)(uint64_t value);
    /*
     * What was interrupted, to *out: all registers that are known of it, stack pointers as it had
     * them. FAULT: what the processor saved was not captured, or it is not known which stack it is
     * on; BAD_DATA: what is there cannot have been saved by the processor. NULL as is_return is.
     */
    enum status (*unwind)(const struct exception_entry *entry, struct regs *out);
    /*
     * The stack pointer that handlers write to go on with another thread than the one that they
     * have interrupted, as a mask; 0: none.
     */
    uint64_t thread_sp;
    /*
     * Of a handler that is about to write it: what it has stored of the thread that it has
     * interrupted. `entry` tells of the handler as it is, with what it has for a return address;
     * *value gets what it found in place of one, *out the registers besides. False: that is not
     * where it mostly is.
     */
    bool (*stored)(const struct exception_entry *entry, uint64_t *value, struct regs *out);
    /* The number of the exception that is active by these registers; 0: none, or not known. */
    unsigned (*number)(const struct regs *regs);
    /*
     * Was that what was interrupted a jump, by the registers with which it was: nothing of what is
     * at its PC was executed? NULL as is_return is.
     */
    bool (*has_just_jumped)(const struct regs *regs);
    /*
     * By the registers of the system: the address of the instruction that made the last trap, if
     * that was no interrupt. Where a chain has come to it the fault is at hand. NULL: `number` and
     * what interrupted the frames of the chain tell.
     */
    bool (*fault_addr)(const struct snap_system *system, uint32_t count, uint64_t *addr);
    /*
     * Of the registers of the system, in words: what kind of fault, and its cause, as "UsageFault:
     * DIVBYZERO"; with the address where there is one. `active`: bit n for the exception n, of
     * those that are known to be active. False: they tell of no fault.
     */
    bool (*fault)(const struct snap_system *system, uint32_t count, uint64_t active, char *text,
                  size_t text_size);
    /*
     * By the registers of the system: what interrupted the code at `pc_addr`, where that was the
     * last trap; as struct frame has it. 0: it was another, or that is not known. NULL: `number`
     * tells.
     */
    unsigned (*trap)(const struct snap_system *system, uint32_t count, uint64_t pc_addr);
    /* The name of an exception by its number: "SysTick", "IRQ 3"; "" of none. */
    void (*name)(unsigned number, char *text, size_t text_size);
};

#endif
