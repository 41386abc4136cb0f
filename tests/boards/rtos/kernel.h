/* SPDX-License-Identifier: MIT */
/*
 * A small preemptive kernel for the tests of RTOS threads, written for them: priorities, delays,
 * queues, semaphores, mutexes with or without inheritance. Its lists and control blocks have the
 * shape of FreeRTOS': each task is in a list of its state, and one that waits for an object in a
 * list of that, too. src/boards/rtos/sample.c describes it.
 *
 * Larger numbers are higher priorities. Cortex-M3 and up.
 */
#ifndef TESTS_BOARDS_RTOS_KERNEL_H
#define TESTS_BOARDS_RTOS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#define SK_PRIORITIES 5
#define SK_FOREVER    UINT32_MAX
#define SK_STACK      0xa5a5a5a5u /* paint */

struct sk_list;

struct sk_item {
    struct sk_item *next, *previous;
    struct sk_task *owner;
    struct sk_list *list; /* that it is in; NULL: none */
    uint32_t value;       /* by which lists are ordered */
};

struct sk_list {
    uint32_t count;
    struct sk_item end;
};

struct sk_task {
    uint32_t *top; /* of what was saved when it was stopped; first, for the port's sake */
    struct sk_item state_item, event_item;
    uint32_t priority, own_priority;
    uint32_t *stack, *stack_end;
    char name[12];
};

enum sk_kind { SK_QUEUE = 11, SK_SEMAPHORE = 12, SK_MUTEX = 13 };

struct sk_object {
    enum sk_kind kind;
    bool inherits;
    uint32_t count, capacity;
    uint32_t *slots;
    struct sk_task *holder; /* of a mutex */
    struct sk_list senders, receivers;
};

void sk_create(struct sk_task *task, const char *name, void (*entry)(void *argument),
               void *argument, uint32_t priority, uint32_t *stack, uint32_t words);
void sk_start(void) __attribute__((noreturn));
void sk_delay(uint32_t ticks);

void sk_init(struct sk_object *object, enum sk_kind kind, uint32_t count, uint32_t capacity,
             uint32_t *slots);
/* Of a semaphore and a mutex there is no value. */
void sk_receive(struct sk_object *object, uint32_t *value);
void sk_send(struct sk_object *object, uint32_t value);

#define SK_TASK(task, priority, entry, argument)                                                   \
    do {                                                                                           \
        static uint32_t task##_stack[96];                                                          \
                                                                                                   \
        sk_create(&task, #task, entry, argument, priority, task##_stack, 96);                      \
    } while (0)

#endif
