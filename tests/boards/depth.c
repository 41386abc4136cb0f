/* SPDX-License-Identifier: MIT */
/*
 * A firmware for a Cortex-M3 (mps2-an385) whose main stack is 8 KiB deep and more, most of the
 * time, with no interrupts: every chain ends at main and reset_handler. For gdb_capture.py.
 */
#include <stdint.h>

extern uint32_t initial_sp[], bss_start[], bss_end[]; /* depth.ld */

static volatile uint32_t counter;

void reset_handler(void);

static void fault_handler(void)
{
    for (;;)
        ;
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    initial_sp,    reset_handler, fault_handler, fault_handler,
    fault_handler, fault_handler, fault_handler,
};

__attribute__((noinline)) static uint32_t leaf(uint32_t n)
{
    for (uint32_t i = 0; i < 50; i++)
        counter += i ^ n;
    return counter;
}

/* 256 bytes of stack each. */
__attribute__((noinline)) static uint32_t descend(uint32_t depth)
{
    volatile uint32_t room[58];

    room[0] = depth;
    room[57] = leaf(depth);
    room[1] = depth ? descend(depth - 1) : 0;
    return room[1] + room[57] + leaf(room[0]);
}

__attribute__((noinline)) static void rise(void)
{
    for (unsigned i = 0; i < 2000; i++)
        leaf(i);
}

/* Stays at the bottom for most of the time. */
__attribute__((noinline)) static uint32_t dive(uint32_t depth)
{
    volatile uint32_t room[58];

    room[0] = depth;
    if (depth)
        room[1] = dive(depth - 1);
    else
        rise();
    return room[0] + room[1];
}

__attribute__((noinline)) static int firmware_main(void)
{
    for (;;) {
        dive(33);
        descend(4);
    }
}

__attribute__((noreturn)) void reset_handler(void)
{
    for (uint32_t *to = bss_start; to < bss_end;)
        *to++ = 0;
    firmware_main();
    for (;;)
        ;
}
