/* SPDX-License-Identifier: MIT */
/* Three tasks, each of which holds what the one before it waits for. */
#include "kernel.h"

#include <stddef.h>

static struct sk_task red, green, blue;
static struct sk_object locks[3];

/* Has one lock of its own, and wants the next one's. */
static __attribute__((noinline)) void take_second(uint32_t number)
{
    sk_receive(&locks[(number + 1) % 3], NULL);
    __asm volatile("");
}

static void run(void *argument)
{
    const uint32_t number = (uint32_t)argument;

    sk_receive(&locks[number], NULL);
    sk_delay(3);
    take_second(number);
    for (;;)
        sk_delay(1);
}

int main(void)
{
    for (uint32_t i = 0; i < 3; i++)
        sk_init(&locks[i], SK_MUTEX, 1, 1, NULL);
    SK_TASK(red, 3, run, (void *)0);
    SK_TASK(green, 2, run, (void *)1);
    SK_TASK(blue, 1, run, (void *)2);
    sk_start();
}
