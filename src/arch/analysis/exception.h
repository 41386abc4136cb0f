/* SPDX-License-Identifier: MIT */
/*
 * Tells how processors of boards without Linux interrupt code. If the processor itself saves the
 * interrupted registers (ARM's M-profile), this table finds them. If software does (RISC-V), the
 * analysis of the handler's code finds them, and this table only interprets system registers.
 */
#ifndef ARCH_ANALYSIS_EXCEPTION_H
#define ARCH_ANALYSIS_EXCEPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "unwind/row/memory.h" /* brings snapshot/event.h, too */

/* Input of exception_arch.unwind and .stored: an exception handler's state, and memory to read. */
struct exception_entry {
    uint64_t value; /* the EXC_RETURN that the handler has in place of a return address */
    /* registers at the handler's entry, as far as known, with all stack pointers (SP, MSP, PSP) */
    const struct regs *handler;
    const struct memory *memory;
    const struct snap_system *system; /* system registers; NULL when there are none */
    uint32_t system_count;
};

/*
 * Exception numbers (struct frame's `exception`): on ARM's M-profile that of IPSR; on RISC-V the
 * code of mcause, with EXCEPTION_IS_TRAP or EXCEPTION_IS_INTERRUPT set, so that no number is 0.
 */
#define EXCEPTION_NUMBER_MASK  0x3fffu
#define EXCEPTION_IS_TRAP      0x4000u
#define EXCEPTION_IS_INTERRUPT 0x8000u

struct exception_arch {
    uint8_t profile; /* enum snap_profile: the boards that this table is for */
    /*
     * Mask by number of the registers that exceptions change and ordinary calls do not (stack
     * pointers, CPSR): their known values hold for all frames up to the next exception.
     */
    uint64_t banked;
    /* Whether the return address `value` is an EXC_RETURN instead. NULL: the CPU has none. */
    bool (*is_return)(uint64_t value);
    /*
     * Fills *out with the known registers of the interrupted code, its stack pointers included.
     * FAULT: the saved registers were not captured, or the stack is not known; BAD_DATA: the words
     * there are none that a processor saves. NULL if is_return is NULL.
     */
    enum status (*unwind)(const struct exception_entry *entry, struct regs *out);
    /* Mask of the stack pointer that a handler writes to switch to another thread; 0: none. */
    uint64_t thread_sp;
    /*
     * Called for a handler that is about to write thread_sp, having stored registers of the thread
     * that it interrupted: adds the stored registers to *out, and sets *value to the EXC_RETURN
     * with which the handler was entered (entry->value: its present one; entry->handler: only
     * `banked` registers). False: the registers are not in the usual place. NULL if thread_sp is 0.
     */
    bool (*stored)(const struct exception_entry *entry, uint64_t *value, struct regs *out);
    /*
     * Returns the number of the exception whose handler was running, by its registers (ARM: IPSR);
     * 0: none, or not known. NULL: registers do not tell.
     */
    unsigned (*number)(const struct regs *regs);
    /*
     * Whether, by its registers, the interrupted code had just jumped to its PC, so that nothing
     * has been executed there. NULL: registers do not tell.
     */
    bool (*has_just_jumped)(const struct regs *regs);
    /*
     * Sets *addr to the run-time address of the instruction that caused the last trap; the fault
     * belongs to the call chain with a frame there. `system`: `count` system registers. False: the
     * last trap was an interrupt, or is not known. NULL: `number` and the exceptions in a call
     * chain tell instead.
     */
    bool (*fault_addr)(const struct snap_system *system, uint32_t count, uint64_t *addr);
    /*
     * Writes to `text` the fault that `count` system registers tell of: its kind and cause
     * ("UsageFault: DIVBYZERO"), and its address if there is one. `active`: bit n is set if
     * exception n is known to be active; the text marks a fault without such an exception as an
     * earlier one. False: the registers tell of no fault.
     */
    bool (*fault)(const struct snap_system *system, uint32_t count, uint64_t active, char *text,
                  size_t text_size);
    /*
     * Returns the number (as in struct frame) of the exception that interrupted the code at
     * `pc_addr`, if that was the last trap by the `count` system registers. 0: the last trap was
     * another one, or is not known. NULL: the member `number` tells instead.
     */
    unsigned (*trap)(const struct snap_system *system, uint32_t count, uint64_t pc_addr);
    /* Writes the name of exception `number` to `text`: "SysTick", "IRQ 3"; "": no such number. */
    void (*name)(unsigned number, char *text, size_t text_size);
};

#endif
