/* SPDX-License-Identifier: MIT */
/* See kernel.h. */
#include "kernel.h"

#include <stddef.h>

struct sk_task *volatile sk_current;
struct sk_list sk_ready[SK_PRIORITIES], sk_delayed, sk_suspended;
volatile uint32_t sk_ticks;

static struct sk_task idle;

#define REGISTER(addr) (*(volatile uint32_t *)(addr))
#define ICSR           REGISTER(0xe000ed04)
#define SHPR3          REGISTER(0xe000ed20)
#define CPACR          REGISTER(0xe000ed88)
#define SYST_CSR       REGISTER(0xe000e010)
#define SYST_RVR       REGISTER(0xe000e014)
#define PENDSVSET      (1u << 28)

static uint32_t lock(void)
{
    uint32_t mask;

    __asm volatile("mrs %0, primask\n cpsid i" : "=r"(mask)::"memory");
    return mask;
}

static void unlock(uint32_t mask)
{
    __asm volatile("msr primask, %0\n isb" ::"r"(mask) : "memory");
}

static void list_init(struct sk_list *list)
{
    list->count = 0;
    list->end.next = list->end.previous = &list->end;
    list->end.value = UINT32_MAX;
}

/* In front of the first item of a greater value. */
static void list_insert(struct sk_list *list, struct sk_item *item)
{
    struct sk_item *at = list->end.next;

    while (at != &list->end && at->value <= item->value)
        at = at->next;
    item->next = at;
    item->previous = at->previous;
    at->previous->next = item;
    at->previous = item;
    item->list = list;
    list->count++;
}

static void list_remove(struct sk_item *item)
{
    if (!item->list)
        return;
    item->next->previous = item->previous;
    item->previous->next = item->next;
    item->list->count--;
    item->list = NULL;
}

static void make_ready(struct sk_task *task)
{
    list_remove(&task->state_item);
    list_remove(&task->event_item);
    task->state_item.value = 0;
    list_insert(&sk_ready[task->priority], &task->state_item);
    ICSR = PENDSVSET;
}

/* Called by PendSV. */
__attribute__((used)) void sk_switch(void)
{
    for (uint32_t priority = SK_PRIORITIES; priority-- > 0;) {
        struct sk_list *list = &sk_ready[priority];

        if (list->count == 0)
            continue;
        if (sk_current->state_item.list == list) { /* the next one of this priority */
            struct sk_item *next = sk_current->state_item.next;

            sk_current = (next == &list->end ? next->next : next)->owner;
        } else {
            sk_current = list->end.next->owner;
        }
        return;
    }
}

void SysTick_Handler(void)
{
    sk_ticks++;
    while (sk_delayed.count && sk_delayed.end.next->value <= sk_ticks)
        make_ready(sk_delayed.end.next->owner);
    ICSR = PENDSVSET;
}

/* The current task goes on at a tick, or never; and when it is taken out of `on`. */
static void block(struct sk_list *on, uint32_t ticks)
{
    struct sk_task *task = sk_current;

    list_remove(&task->state_item);
    task->state_item.value = ticks == SK_FOREVER ? 0 : sk_ticks + ticks;
    list_insert(ticks == SK_FOREVER ? &sk_suspended : &sk_delayed, &task->state_item);
    if (on) {
        task->event_item.value = SK_PRIORITIES - task->priority;
        list_insert(on, &task->event_item);
    }
    ICSR = PENDSVSET;
}

static void wake_first(struct sk_list *list)
{
    if (list->count)
        make_ready(list->end.next->owner);
}

static void set_priority(struct sk_task *task, uint32_t priority)
{
    task->priority = priority;
    if (task->state_item.list && task->state_item.list != &sk_delayed &&
        task->state_item.list != &sk_suspended)
        make_ready(task);
}

void sk_delay(uint32_t ticks)
{
    const uint32_t mask = lock();

    block(NULL, ticks);
    unlock(mask);
}

void sk_init(struct sk_object *object, enum sk_kind kind, uint32_t count, uint32_t capacity,
             uint32_t *slots)
{
    object->kind = kind;
    object->count = count;
    object->capacity = capacity;
    object->slots = slots;
    list_init(&object->senders);
    list_init(&object->receivers);
}

static bool receive_now(struct sk_object *object, uint32_t *value)
{
    if (object->count == 0)
        return false;
    if (object->kind == SK_QUEUE) {
        *value = object->slots[0];
        for (uint32_t i = 1; i < object->count; i++)
            object->slots[i - 1] = object->slots[i];
    }
    object->count--;
    if (object->kind == SK_MUTEX)
        object->holder = sk_current;
    wake_first(&object->senders);
    return true;
}

void sk_receive(struct sk_object *object, uint32_t *value)
{
    for (;;) {
        const uint32_t mask = lock();
        const bool is_done = receive_now(object, value);

        if (!is_done) {
            if (object->inherits && object->holder->priority < sk_current->priority)
                set_priority(object->holder, sk_current->priority);
            block(&object->receivers, SK_FOREVER);
        }
        unlock(mask);
        if (is_done)
            return;
    }
}

void sk_send(struct sk_object *object, uint32_t value)
{
    for (;;) {
        const uint32_t mask = lock();
        const bool is_done = object->count < object->capacity;

        if (is_done) {
            if (object->kind == SK_QUEUE)
                object->slots[object->count] = value;
            object->count++;
            if (object->kind == SK_MUTEX) {
                object->holder = NULL;
                set_priority(sk_current, sk_current->own_priority);
            }
            wake_first(&object->receivers);
        } else {
            block(&object->senders, SK_FOREVER);
        }
        unlock(mask);
        if (is_done)
            return;
    }
}

/* A task's function returned. */
static void ended(void)
{
    for (;;)
        sk_delay(SK_FOREVER);
}

__attribute__((noinline)) void sk_rest(void)
{
    __asm volatile("wfi");
}

static void run_idle(void *argument)
{
    (void)argument;
    for (;;)
        sk_rest();
}

void sk_create(struct sk_task *task, const char *name, void (*entry)(void *argument),
               void *argument, uint32_t priority, uint32_t *stack, uint32_t words)
{
    uint32_t *top = stack + words;

    for (uint32_t i = 0; i < words; i++)
        stack[i] = SK_STACK;
    for (uint32_t i = 0; i + 1 < sizeof(task->name) && name[i]; i++)
        task->name[i] = name[i];
    task->priority = task->own_priority = priority;
    task->stack = stack;
    task->stack_end = top;
    task->state_item.owner = task->event_item.owner = task;
    *--top = 1u << 24;              /* xPSR: Thumb */
    *--top = (uint32_t)entry & ~1u; /* PC */
    *--top = (uint32_t)ended;       /* LR */
    top -= 5;                       /* r12, r3 to r0 */
    top[0] = (uint32_t)argument;
#ifdef __ARM_FP
    *--top = 0xfffffffd;
#endif
    top -= 8; /* r4 to r11 */
    task->top = top;
    if (!sk_ready[0].end.next) {
        for (uint32_t i = 0; i < SK_PRIORITIES; i++)
            list_init(&sk_ready[i]);
        list_init(&sk_delayed);
        list_init(&sk_suspended);
    }
    list_insert(&sk_ready[priority], &task->state_item);
}

/* Saves r4 to r11 (with an FPU EXC_RETURN, s16 to s31, too) below the exception's frame. */
__attribute__((naked)) void PendSV_Handler(void)
{
    __asm volatile(".syntax unified\n"
                   "    mrs r0, psp\n"
                   "    cbz r0, 1f\n" /* the first time there is nobody to save */
#ifdef __ARM_FP
                   "    tst lr, #16\n"
                   "    it eq\n"
                   "    vstmdbeq r0!, {s16-s31}\n"
                   "    stmdb r0!, {r4-r11, lr}\n"
#else
                   "    stmdb r0!, {r4-r11}\n"
#endif
                   "    ldr r1, =sk_current\n"
                   "    ldr r1, [r1]\n"
                   "    str r0, [r1]\n"
                   "1:  push {r3, lr}\n"
                   "    cpsid i\n"
                   "    bl sk_switch\n"
                   "    cpsie i\n"
                   "    pop {r3, lr}\n"
                   "    ldr r1, =sk_current\n"
                   "    ldr r1, [r1]\n"
                   "    ldr r0, [r1]\n"
#ifdef __ARM_FP
                   "    ldmia r0!, {r4-r11, lr}\n"
                   "    tst lr, #16\n"
                   "    it eq\n"
                   "    vldmiaeq r0!, {s16-s31}\n"
#else
                   "    ldmia r0!, {r4-r11}\n"
                   "    ldr lr, =0xfffffffd\n"
#endif
                   "    msr psp, r0\n"
                   "    bx lr\n"
                   "    .ltorg\n");
}

void sk_start(void)
{
    SK_TASK(idle, 0, run_idle, NULL);
#ifdef __ARM_FP
    CPACR |= 0xfu << 20;
#endif
    __asm volatile("msr psp, %0" ::"r"(0));
    sk_current = &idle;
    SHPR3 |= 0xffff0000; /* PendSV and SysTick give way to everything */
    SYST_RVR = 25000 - 1;
    SYST_CSR = 7;
    ICSR = PENDSVSET;
    for (;;)
        __asm volatile("cpsie i\n wfi");
}
