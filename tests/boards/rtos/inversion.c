/* SPDX-License-Identifier: MIT */
/*
 * A task of high priority waits for a mutex whose holder does not get to run, as a task of a
 * priority between them does. With INHERITS the holder's priority is raised, and it waits for what
 * only that one would give: it would run otherwise.
 */
#include "kernel.h"

#include <stddef.h>

static struct sk_task low, middle, high;
static struct sk_object bus, data;
static uint32_t slots[2];
static volatile uint32_t work;

static __attribute__((noinline)) void use_bus(void)
{
    uint32_t value;

    sk_receive(&bus, NULL);
#ifdef INHERITS
    sk_receive(&data, &value);
#else
    for (value = 0;; value++)
        work = value;
#endif
    sk_send(&bus, 0);
}

static void run_low(void *argument)
{
    (void)argument;
    for (;;)
        use_bus();
}

__attribute__((noinline)) void calculate(void)
{
    work++;
}

static void run_middle(void *argument)
{
    (void)argument;
    sk_delay(6);
    for (;;)
        calculate();
}

static void run_high(void *argument)
{
    (void)argument;
    sk_delay(3);
    sk_receive(&bus, NULL);
    for (;;)
        sk_delay(1);
}

int main(void)
{
    sk_init(&bus, SK_MUTEX, 1, 1, NULL);
    sk_init(&data, SK_QUEUE, 0, 2, slots);
#ifdef INHERITS
    bus.inherits = true;
#endif
    SK_TASK(low, 1, run_low, NULL);
    SK_TASK(middle, 2, run_middle, NULL);
    SK_TASK(high, 3, run_high, NULL);
    sk_start();
}
