/* SPDX-License-Identifier: MIT */
/*
 * How processors of boards without Linux interrupt code. Where the processor itself saves what it
 * interrupts (ARM's M-profile), this table finds it. Where software does (RISC-V), the analysis of
 * the handler's code finds it, and this table only interprets system registers.
 */
#ifndef ARCH_ANALYSIS_EXCEPTION_H
#define ARCH_ANALYSIS_EXCEPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "unwind/row/memory.h" /* brings snapshot/event.h, too */

/* Input of exception_arch.unwind and .stored: a handler, and where to look. */
struct exception_entry {
    uint64_t value; /* the handler's value in place of a return address (EXC_RETURN) */
    /* registers at the handler's entry, as far as known, with SP and the other stack pointers */
    const struct regs *handler;
    const struct memory *memory;
    const struct snap_system *system; /* system registers; NULL when there are none */
    uint32_t system_count;
};

/*
 * Exception numbers in struct frame: on ARM's M-profile IPSR's; on RISC-V the code of mcause plus
 * one of the two bits, so that no number is 0.
 */
#define EXCEPTION_NUMBER_MASK  0x3fffu
#define EXCEPTION_IS_TRAP      0x4000u
#define EXCEPTION_IS_INTERRUPT 0x8000u

struct exception_arch {
    uint8_t profile; /* enum snap_profile: the boards that this table is for */
    /*
     * Registers (a mask by number) that exceptions change, and that calls do not change, or not in
     * the way of other registers. Their known values hold for all frames up to the next exception.
     */
    uint64_t banked;
    /* Says whether `value` is one in place of a return address (EXC_RETURN). NULL: none is. */
    bool (*is_return)(uint64_t value);
    /*
     * Fills *out with the known registers of the interrupted code, its stack pointers included.
     * FAULT: the saved registers were not captured, or the stack is not known; BAD_DATA: the
     * processor cannot have saved these. NULL if is_return is.
     */
    enum status (*unwind)(const struct exception_entry *entry, struct regs *out);
    /* The stack pointer that a handler writes to switch to another thread, as a mask; 0: none. */
    uint64_t thread_sp;
    /*
     * For a handler that is about to write thread_sp: reads the registers that it has stored for
     * the thread that it interrupted. entry->value is the handler's present value in place of a
     * return address; entry->handler has only `banked` registers. Sets *value to the one that it
     * was entered with and adds the stored registers to *out. False: they are not in the usual
     * place. NULL if thread_sp is 0.
     */
    bool (*stored)(const struct exception_entry *entry, uint64_t *value, struct regs *out);
    /*
     * Returns the number of the exception that is active by these registers; 0: none, or not known.
     * NULL: registers do not tell.
     */
    unsigned (*number)(const struct regs *regs);
    /*
     * Says by its registers whether the interrupted code had just jumped, and executed nothing at
     * its PC. NULL if is_return is.
     */
    bool (*has_just_jumped)(const struct regs *regs);
    /*
     * Sets *addr to the instruction that caused the last trap. False: that was an interrupt, or it
     * is not known. The fault matters for a chain that has a frame at this address. NULL: `number`
     * and the exceptions in the chain tell.
     */
    bool (*fault_addr)(const struct snap_system *system, uint32_t count, uint64_t *addr);
    /*
     * Describes the fault that the system registers tell of, its kind and cause ("UsageFault:
     * DIVBYZERO"), and its address if there is one. `active`: bit n is set if exception n is known
     * to be active; a fault that is not is marked as earlier. False: there is none.
     */
    bool (*fault)(const struct snap_system *system, uint32_t count, uint64_t active, char *text,
                  size_t text_size);
    /*
     * Returns the number (as in struct frame) of the exception that interrupted the code at
     * `pc_addr`, if that was the last trap. 0: it was another one, or not known. NULL: `number`
     * tells.
     */
    unsigned (*trap)(const struct snap_system *system, uint32_t count, uint64_t pc_addr);
    /* Writes the exception's name: "SysTick", "IRQ 3"; "" if the number is none. */
    void (*name)(unsigned number, char *text, size_t text_size);
};

#endif
