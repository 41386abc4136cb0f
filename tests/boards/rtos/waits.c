/* SPDX-License-Identifier: MIT */
/* A task blocked in each kind of wait that the kernel has. */
#include "kernel.h"

#include <stddef.h>

static struct sk_task owner, locker, taker, receiver, sender, sleeper;
static struct sk_object mutex, semaphore, empty, full;
static uint32_t empty_slots[1], full_slots[2];

static void run_owner(void *argument)
{
    (void)argument;
    sk_receive(&mutex, NULL);
    for (;;)
        sk_delay(1000000);
}

static void run_receive(void *argument)
{
    uint32_t value;

    for (;;)
        sk_receive(argument, &value);
}

static void run_send(void *argument)
{
    for (;;)
        sk_send(argument, 1);
}

static void run_sleeper(void *argument)
{
    (void)argument;
    for (;;)
        sk_delay(2000000);
}

int main(void)
{
    sk_init(&mutex, SK_MUTEX, 1, 1, NULL);
    sk_init(&semaphore, SK_SEMAPHORE, 0, 3, NULL);
    sk_init(&empty, SK_QUEUE, 0, 1, empty_slots);
    sk_init(&full, SK_QUEUE, 0, 2, full_slots);
    SK_TASK(owner, 4, run_owner, NULL);
    SK_TASK(locker, 3, run_receive, &mutex);
    SK_TASK(taker, 2, run_receive, &semaphore);
    SK_TASK(receiver, 1, run_receive, &empty);
    SK_TASK(sender, 1, run_send, &full);
    SK_TASK(sleeper, 1, run_sleeper, NULL);
    sk_start();
}
