/* SPDX-License-Identifier: MIT */
/*
 * RISC-V in machine mode: the clock (mtimer), interrupts asked for by software, calls, faults, and
 * a small preemptive switcher. The entry of traps is in riscv_start.S.
 */
#include "board.h"

#include "work.h"

#define CLINT    0x02000000ul
#define MSIP     (*(volatile uint32_t *)CLINT)
#define MTIMECMP (*(volatile uint64_t *)(CLINT + 0x4000))
#define MTIME    (*(volatile uint64_t *)(CLINT + 0xbff8))

#define NO_CODE 0x05000000ul

#define csr_read(name)                                                                             \
    ({                                                                                             \
        uintptr_t value_;                                                                          \
        __asm__ volatile("csrr %0, " #name : "=r"(value_));                                        \
        value_;                                                                                    \
    })
#define csr_write(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"(value) : "memory")
#define csr_set(name, bits)    __asm__ volatile("csrs " #name ", %0" ::"r"(bits) : "memory")
#define csr_clear(name, bits)  __asm__ volatile("csrc " #name ", %0" ::"r"(bits) : "memory")

#define MSTATUS_MIE 8u
#define MIE_SOFT    8u
#define MIE_TIMER   128u

/* Slots of the frame that the entry of traps makes. */
enum { SLOT_PC = 0, SLOT_RA = 1, SLOT_STATUS = 2, SLOT_A0 = 10, SLOT_A7 = 17 };
#if __riscv_flen
#define FRAME_SLOTS 64
#else
#define FRAME_SLOTS 32
#endif
enum { CALL_WORK, CALL_YIELD, CALL_FIRST, CALL_HIGH };

#ifdef TRAP_STACK
USED uint64_t trap_stack[TRAP_STACK / 8] NOINIT;
#endif

extern const char code_start[], code_end[];

static void clock_rearm(void)
{
    MTIMECMP = MTIME + CLOCK_CYCLES;
}

void board_start_clock(void)
{
    clock_rearm();
    csr_set(mie, MIE_SOFT | MIE_TIMER);
    csr_set(mstatus, MSTATUS_MIE);
}

void board_pend_low(void)
{
    MSIP = 1;
}

static unsigned system_call(unsigned kind, unsigned value)
{
    register uintptr_t a0 __asm__("a0") = value;
    register uintptr_t a7 __asm__("a7") = kind;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
    return (unsigned)a0;
}

/* No second source of interrupts has a lower number: a call in a handler. */
void board_pend_high(void)
{
    system_call(CALL_HIGH, 0);
}

__attribute__((noinline)) unsigned board_call(unsigned value)
{
    return system_call(CALL_WORK, value);
}

/* What it interrupts may be a handler, and what it calls may trap. */
__attribute__((interrupt)) USED void soft_handler(void)
{
    uintptr_t pc = csr_read(mepc), status = csr_read(mstatus);
    MSIP = 0;
    on_low();
    csr_write(mepc, pc);
    csr_write(mstatus, status);
}

static uintptr_t *change_tasks(uintptr_t *frame)
{
    current_task->sp = (uintptr_t)frame;
    tasks_choose_next();
    return (uintptr_t *)current_task->sp;
}

static bool is_task(const uintptr_t *frame)
{
    uintptr_t addr = (uintptr_t)frame;
    return addr - (uintptr_t)task_stacks < sizeof task_stacks;
}

static uintptr_t *clock_trap(uintptr_t *frame)
{
    csr_clear(mie, MIE_TIMER);
    csr_set(mstatus, MSTATUS_MIE);
    on_clock();
    csr_clear(mstatus, MSTATUS_MIE);
    csr_set(mie, MIE_TIMER);
    clock_rearm();
    return current_task && is_task(frame) && on_clock_switches() ? change_tasks(frame) : frame;
}

static uintptr_t *call_trap(uintptr_t *frame)
{
    frame[SLOT_PC] += 4;
    switch (frame[SLOT_A7]) {
    case CALL_WORK:
        frame[SLOT_A0] = on_call((unsigned)frame[SLOT_A0]);
        break;
    case CALL_YIELD:
        return change_tasks(frame);
    case CALL_FIRST:
        return (uintptr_t *)current_task->sp;
    case CALL_HIGH:
        on_high();
        break;
    }
    return frame;
}

static NOINLINE void fault_trap(uintptr_t *frame)
{
    uintptr_t pc = frame[SLOT_PC];
    if (pc - (uintptr_t)code_start >= (uintptr_t)(code_end - code_start))
        frame[SLOT_PC] = frame[SLOT_RA];
    else
        frame[SLOT_PC] += (*(const uint16_t *)pc & 3) == 3 ? 4 : 2;
}

USED uintptr_t *trap_handler(intptr_t cause, uintptr_t *frame)
{
    if (cause < 0)
        return clock_trap(frame);
    if (cause == 11)
        return call_trap(frame);
    fault_trap(frame);
    return frame;
}

/* Tasks. */

void board_yield(void)
{
    system_call(CALL_YIELD, 0);
}

static NOINLINE void task_start(unsigned number)
{
    task_main(number);
}

void board_run_tasks(void)
{
    csr_clear(mstatus, MSTATUS_MIE);
    for (unsigned i = 0; i < TASK_COUNT; i++) {
        uintptr_t *frame = (uintptr_t *)task_stacks[i + 1] - FRAME_SLOTS;
        for (unsigned slot = 0; slot < FRAME_SLOTS; slot++)
            *(volatile uintptr_t *)&frame[slot] = 0; /* memset is slow at this */
        frame[SLOT_PC] = (uintptr_t)task_start;
        frame[SLOT_STATUS] = csr_read(mstatus) | 0x1880; /* machine mode, with interrupts */
        frame[SLOT_A0] = i;
        task_list[i].sp = (uintptr_t)frame;
    }
    current_task = &task_list[0];
    system_call(CALL_FIRST, 0);
    for (;;)
        ;
}

/* Faults. */

static void (*volatile nowhere)(void) = (void (*)(void))NO_CODE;
static volatile uint32_t words[2];

static NOINLINE void jump_nowhere(void)
{
    nowhere();
    words[0]++;
}

static NOINLINE void read_unmapped(void)
{
    words[1] = *(volatile uint32_t *)NO_CODE;
}

static NOINLINE void undefined(void)
{
    __asm__ volatile("unimp");
    words[1]++;
}

static NOINLINE void breakpoint(void)
{
    __asm__ volatile("ebreak");
    words[1]++;
}

static void (*const faults[])(void) = {jump_nowhere, read_unmapped, undefined, breakpoint};

unsigned board_fault_count(void)
{
    return sizeof faults / sizeof *faults;
}

void board_fault(unsigned number)
{
    faults[number % board_fault_count()]();
}
