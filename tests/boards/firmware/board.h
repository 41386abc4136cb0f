/* SPDX-License-Identifier: MIT */
/*
 * What the programs use of a board, the same on all: a clock that interrupts, interrupts that are
 * asked for by the program, tasks. arm.c and riscv.c have it, each for its processors.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Used by assembly, which link-time optimisation does not read. */
#define USED __attribute__((used, externally_visible))

#define TASK_COUNT 3
#ifndef TASK_STACK
#define TASK_STACK 1536
#endif

/* In the board's part; begins the clock's interrupts. */
void board_start_clock(void);
/* Asks for the interrupt that calls on_low, which is interrupted by on_high. */
void board_pend_low(void);
void board_pend_high(void);
/* A call of the system (SVC, ecall). */
unsigned board_call(unsigned value);

/* Does not return: task number 0 begins. */
void board_run_tasks(void) __attribute__((noreturn));
/* Lets the next task run. */
void board_yield(void);
void tasks_choose_next(void) USED;

/* Makes the fault of that number and is over it when it returns; how many there are. */
void board_fault(unsigned number);
unsigned board_fault_count(void);

/* In the program. */
void on_clock(void); /* in the handler of the clock */
void on_low(void);
void on_high(void);
unsigned on_call(unsigned value); /* in the handler of board_call */
bool on_clock_switches(void);     /* does the clock change tasks? */
int main(void) USED;
void task_main(unsigned number); /* does not return */

/* Of tasks: where each one's registers were saved. */
struct task {
    uintptr_t sp;
};
extern struct task *volatile current_task USED;
extern struct task task_list[TASK_COUNT];
/* Nobody clears them at the start. */
#define NOINIT __attribute__((section(".noinit"), aligned(16)))
extern uint64_t task_stacks[TASK_COUNT][TASK_STACK / 8];

#endif
