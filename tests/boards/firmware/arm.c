/* SPDX-License-Identifier: MIT */
/*
 * Cortex-M: start, handlers, and a small preemptive switcher. Handlers run on the main stack (MSP),
 * tasks on stacks of their own (PSP). Of ARMv6-M (M0) to ARMv8-M (M33).
 *
 * Priorities, of which ARMv6-M has four: faults and HIGH before the clock, that before LOW and
 * calls, those before PendSV, in which tasks are changed.
 */
#include "board.h"

#include <string.h>

#define WORD(address) (*(volatile uint32_t *)(address))
#define SYST_CSR      WORD(0xe000e010)
#define SYST_RVR      WORD(0xe000e014)
#define NVIC_ISER     WORD(0xe000e100)
#define NVIC_ISPR     WORD(0xe000e200)
#define NVIC_IPR(n)   WORD(0xe000e400 + 4 * (n))
#define SCB_ICSR      WORD(0xe000ed04)
#define SCB_CCR       WORD(0xe000ed14)
#define SCB_SHPR2     WORD(0xe000ed1c)
#define SCB_SHPR3     WORD(0xe000ed20)
#define SCB_SHCSR     WORD(0xe000ed24)
#define SCB_CFSR      WORD(0xe000ed28)
#define SCB_CPACR     WORD(0xe000ed88)

#define IRQ_LOW  20
#define IRQ_HIGH 21
#define UNMAPPED 0xa0000000u
#define NO_CODE  0xe1000000u

extern const uint32_t code_start[], code_end[];
extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];
void board_init(void) USED;

#if __ARM_ARCH_PROFILE != 'M'
#error of the M profile only
#endif
#if __ARM_FEATURE_SIMD32 || defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_8M_MAIN__)
#define HAS_MAINLINE 1
#else
#define HAS_MAINLINE 0
#endif

static void memory_init(void)
{
    const uint32_t *from = data_load;
    for (uint32_t *to = data_start; to < data_end;)
        *to++ = *from++;
    for (uint32_t *to = bss_start; to < bss_end;)
        *to++ = 0;
}

void board_init(void)
{
    memory_init();
    SCB_SHPR2 = 0x80000000;            /* SVC */
    SCB_SHPR3 = 0x40000000 | 0xc00000; /* SysTick, PendSV */
    NVIC_IPR(IRQ_LOW / 4) = 0x80u << 8 * (IRQ_LOW % 4);
    NVIC_ISER = 1u << IRQ_LOW | 1u << IRQ_HIGH;
#if HAS_MAINLINE
    NVIC_IPR(IRQ_HIGH / 4) |= 0x20u << 8 * (IRQ_HIGH % 4);
    SCB_SHCSR |= 7u << 16; /* MemManage, BusFault, UsageFault have handlers of their own */
    SCB_CCR |= 1u << 4;    /* divisions by zero are faults */
#endif
}

#if __ARM_FP
__attribute__((noreturn)) void Reset_Handler(void)
{
    SCB_CPACR |= 0xfu << 20;
    __asm__ volatile("dsb\n isb" ::: "memory");
    board_init();
    main();
    for (;;)
        ;
}
#else
__attribute__((naked, noreturn)) void Reset_Handler(void)
{
    __asm__("ldr r0, =stack_top\n mov sp, r0\n bl board_init\n bl main\n1: b 1b\n .ltorg");
}
#endif

void board_start_clock(void)
{
    SYST_RVR = CLOCK_CYCLES;
    WORD(0xe000e018) = 0;
    SYST_CSR = 7;
}

static void barrier(void)
{
    __asm__ volatile("dsb\n isb" ::: "memory");
}

void board_pend_low(void)
{
    NVIC_ISPR = 1u << IRQ_LOW;
    barrier();
}

void board_pend_high(void)
{
    NVIC_ISPR = 1u << IRQ_HIGH;
    barrier();
}

void SysTick_Handler(void)
{
    on_clock();
    if (current_task && on_clock_switches())
        SCB_ICSR = 1u << 28;
}

void Low_Handler(void)
{
    on_low();
}

void High_Handler(void)
{
    on_high();
}

/* Calls of the system. */

__attribute__((noinline)) unsigned board_call(unsigned value)
{
    register unsigned r0 __asm__("r0") = value;
    __asm__ volatile("svc 1" : "+r"(r0)::"memory");
    return r0;
}

USED void svc_call(uint32_t *frame)
{
    frame[0] = on_call(frame[0]);
}

/* r0: where the processor has saved what is interrupted. */
#if HAS_MAINLINE
#define FRAME_TO_R0 "tst lr, #4\n ite eq\n mrseq r0, msp\n mrsne r0, psp\n"
#else
#define FRAME_TO_R0                                                                                \
    "mov r0, lr\n movs r1, #4\n tst r0, r1\n bne 1f\n mrs r0, msp\n b 2f\n"                        \
    "1: mrs r0, psp\n2:\n"
#endif

__attribute__((naked)) void SVC_Handler(void)
{
    __asm__(FRAME_TO_R0 "ldr r1, [r0, #24]\n subs r1, #2\n ldrb r1, [r1]\n cmp r1, #0\n beq 3f\n"
                        "ldr r1, =svc_call\n bx r1\n"
                        "3: ldr r3, =start_first\n bx r3\n .ltorg");
}

/* Tasks. */

static void yield_now(void)
{
    SCB_ICSR = 1u << 28;
    barrier();
}

void board_yield(void)
{
    yield_now();
}

__attribute__((used, noinline)) static void task_ended(void)
{
    for (;;)
        ;
}

__attribute__((noinline)) static void task_start(unsigned number)
{
    task_main(number);
}

void board_run_tasks(void)
{
    for (unsigned i = 0; i < TASK_COUNT; i++) {
        uint32_t *sp = (uint32_t *)task_stacks[i + 1];
        *--sp = 0x01000000;                 /* xPSR */
        *--sp = (uint32_t)task_start & ~1u; /* PC */
        *--sp = TASK_RETURNS_TO;            /* LR */
        sp -= 5;                            /* r12, r3-r0 */
        memset(sp, 0, 5 * sizeof *sp);
        sp[0] = i;
#if HAS_MAINLINE
        *--sp = 0xfffffffd; /* to a task, without registers of the FPU */
#endif
        sp -= 8; /* r4-r11 */
        memset(sp, 0, 8 * sizeof *sp);
        task_list[i].sp = (uintptr_t)sp;
    }
    current_task = &task_list[0];
    __asm__ volatile("svc 0");
    for (;;)
        ;
}

#if HAS_MAINLINE
#if __ARM_FP
#define SAVE_FLOATS "tst lr, #16\n it eq\n vstmdbeq r0!, {s16-s31}\n"
#define LOAD_FLOATS "tst lr, #16\n it eq\n vldmiaeq r0!, {s16-s31}\n"
#else
#define SAVE_FLOATS
#define LOAD_FLOATS
#endif

__attribute__((naked, used)) static void start_first(void)
{
    __asm__("ldr r3, =current_task\n ldr r2, [r3]\n ldr r0, [r2]\n"
            "ldmia r0!, {r4-r11, lr}\n msr psp, r0\n bx lr\n .ltorg");
}

__attribute__((naked)) void PendSV_Handler(void)
{
    __asm__("mrs r0, psp\n" SAVE_FLOATS "stmdb r0!, {r4-r11, lr}\n"
            "ldr r3, =current_task\n ldr r2, [r3]\n str r0, [r2]\n"
            "push {r3, lr}\n bl tasks_choose_next\n pop {r3, lr}\n"
            "ldr r2, [r3]\n ldr r0, [r2]\n"
            "ldmia r0!, {r4-r11, lr}\n" LOAD_FLOATS "msr psp, r0\n bx lr\n .ltorg");
}
#else
__attribute__((naked, used)) static void start_first(void)
{
    __asm__("ldr r3, =current_task\n ldr r2, [r3]\n ldr r0, [r2]\n adds r0, #32\n msr psp, r0\n"
            "ldr r0, =0xfffffffd\n bx r0\n .ltorg");
}

__attribute__((naked)) void PendSV_Handler(void)
{
    __asm__("mrs r0, psp\n ldr r3, =current_task\n ldr r2, [r3]\n subs r0, #32\n str r0, [r2]\n"
            "stmia r0!, {r4-r7}\n mov r4, r8\n mov r5, r9\n mov r6, r10\n mov r7, r11\n"
            "stmia r0!, {r4-r7}\n"
            "push {r3, lr}\n bl tasks_choose_next\n pop {r2, r3}\n"
            "ldr r1, [r2]\n ldr r0, [r1]\n adds r0, #16\n ldmia r0!, {r4-r7}\n"
            "mov r8, r4\n mov r9, r5\n mov r10, r6\n mov r11, r7\n msr psp, r0\n"
            "subs r0, #32\n ldmia r0!, {r4-r7}\n bx r3\n .ltorg");
}
#endif

/* Faults. */

USED void fault_over(uint32_t *frame)
{
#if HAS_MAINLINE
    SCB_CFSR = 0xffffffff;
    SCB_CCR &= ~(1u << 3);
#endif
    if (frame[6] - (uint32_t)code_start >= (uint32_t)(code_end - code_start) * 4 ||
        !(frame[7] & 1u << 24)) {
        frame[6] = frame[5] & ~1u; /* after the jump that led to nowhere, or into ARM's code */
        frame[7] |= 1u << 24;
    } else {
        uint16_t first = *(const uint16_t *)frame[6];
        frame[6] += first >= 0xe800 ? 4 : 2;
    }
}

__attribute__((naked)) void Fault_Handler(void)
{
    __asm__(FRAME_TO_R0 "ldr r1, =fault_over\n bx r1\n .ltorg");
}

static void (*volatile nowhere)(void) = (void (*)(void))(NO_CODE + 1);
static volatile uint32_t words[2];

static __attribute__((noinline)) void jump_nowhere(void)
{
    nowhere();
    words[0]++;
}

static __attribute__((noinline)) void leave_thumb(void)
{
    void (*even)(void) = (void (*)(void))((uint32_t)task_ended & ~1u);
    __asm__ volatile("blx %0" ::"r"(even) : "lr", "memory");
    words[0]++;
}

static __attribute__((noinline)) void read_unmapped(void)
{
    words[1] = WORD(UNMAPPED);
}

static __attribute__((noinline)) void read_odd(void)
{
#if HAS_MAINLINE
    SCB_CCR |= 1u << 3;
    barrier();
#endif
    uint32_t value;
    __asm__ volatile("ldr %0, [%1]" : "=r"(value) : "r"((uint32_t)words + 2));
    words[1] = value;
}

static __attribute__((noinline)) void undefined(void)
{
    __asm__ volatile("udf #7");
    words[1]++;
}

#if HAS_MAINLINE
static __attribute__((noinline)) void divide(void)
{
    uint32_t value;
    __asm__ volatile("udiv %0, %1, %2" : "=r"(value) : "r"(7), "r"(0));
    words[1] = value;
}
#endif

static void (*const faults[])(void) = {
    jump_nowhere, read_unmapped, read_odd, undefined, leave_thumb,
#if HAS_MAINLINE
    divide,
#endif
};

unsigned board_fault_count(void)
{
    return sizeof faults / sizeof *faults;
}

void board_fault(unsigned number)
{
    faults[number % board_fault_count()]();
}

/* 16 exceptions of the processor, and 32 interrupts. */
__attribute__((section(".vectors"), used)) static void (*const vectors[48])(void) = {
    (void (*)(void))stack_top,    Reset_Handler,
    [2] = Fault_Handler,          [3] = Fault_Handler,
    [4] = Fault_Handler,          [5] = Fault_Handler,
    [6] = Fault_Handler,          [11] = SVC_Handler,
    [14] = PendSV_Handler,        [15] = SysTick_Handler,
    [16 + IRQ_LOW] = Low_Handler, [16 + IRQ_HIGH] = High_Handler,
};
