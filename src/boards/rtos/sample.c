/* SPDX-License-Identifier: MIT */
/*
 * The small kernel of this project's test firmware (tests/boards/rtos/kernel.h), which keeps tasks
 * as FreeRTOS does: each in a list of its state, and in one of what it waits for.
 *
 * It is the shortest complete description, and so the one to start another from: see
 * docs/dev/adding-an-rtos.md.
 */
#include "boards/rtos/context.h"

enum field {
    CURRENT,
    READY_LISTS,
    READY_COUNT,
    DELAYED,
    SUSPENDED,
    TICKS,
    TASK_TOP,
    TASK_EVENT_ITEM,
    TASK_PRIORITY,
    TASK_OWN_PRIORITY,
    TASK_STACK,
    TASK_STACK_END,
    TASK_NAME,
    LIST_SIZE,
    LIST_END,
    LIST_END_NEXT,
    ITEM_NEXT,
    ITEM_OWNER,
    ITEM_LIST,
    ITEM_VALUE,
    OBJECT,
    OBJECT_KIND,
    OBJECT_HOLDER,
    OBJECT_SENDERS,
    OBJECT_RECEIVERS,
    KIND_QUEUE,
    KIND_SEMAPHORE,
    KIND_MUTEX,
    FIELD_COUNT
};

static const struct rtos_field fields[FIELD_COUNT] = {
    [CURRENT] = {RTOS_SYMBOL, "sk_current", false},
    [READY_LISTS] = {RTOS_SYMBOL, "sk_ready", false},
    [READY_COUNT] = {RTOS_COUNT, "sk_ready", false},
    [DELAYED] = {RTOS_SYMBOL, "sk_delayed", false},
    [SUSPENDED] = {RTOS_SYMBOL, "sk_suspended", false},
    [TICKS] = {RTOS_SYMBOL, "sk_ticks", false},
    [TASK_TOP] = {RTOS_MEMBER, "sk_task.top", false},
    [TASK_EVENT_ITEM] = {RTOS_MEMBER, "sk_task.event_item", false},
    [TASK_PRIORITY] = {RTOS_MEMBER, "sk_task.priority", false},
    [TASK_OWN_PRIORITY] = {RTOS_MEMBER, "sk_task.own_priority", false},
    [TASK_STACK] = {RTOS_MEMBER, "sk_task.stack", false},
    [TASK_STACK_END] = {RTOS_MEMBER, "sk_task.stack_end", false},
    [TASK_NAME] = {RTOS_MEMBER, "sk_task.name", false},
    [LIST_SIZE] = {RTOS_SIZE, "sk_list", false},
    [LIST_END] = {RTOS_MEMBER, "sk_list.end", false},
    [LIST_END_NEXT] = {RTOS_MEMBER, "sk_list.end.next", false},
    [ITEM_NEXT] = {RTOS_MEMBER, "sk_item.next", false},
    [ITEM_OWNER] = {RTOS_MEMBER, "sk_item.owner", false},
    [ITEM_LIST] = {RTOS_MEMBER, "sk_item.list", false},
    [ITEM_VALUE] = {RTOS_MEMBER, "sk_item.value", false},
    [OBJECT] = {RTOS_OBJECT, "sk_object", false},
    [OBJECT_KIND] = {RTOS_MEMBER, "sk_object.kind", false},
    [OBJECT_HOLDER] = {RTOS_MEMBER, "sk_object.holder", false},
    [OBJECT_SENDERS] = {RTOS_MEMBER, "sk_object.senders", false},
    [OBJECT_RECEIVERS] = {RTOS_MEMBER, "sk_object.receivers", false},
    [KIND_QUEUE] = {RTOS_VALUE, "SK_QUEUE", false},
    [KIND_SEMAPHORE] = {RTOS_VALUE, "SK_SEMAPHORE", false},
    [KIND_MUTEX] = {RTOS_VALUE, "SK_MUTEX", false},
};

static const struct walk_list lists = {.end = LIST_END,
                                       .end_next = LIST_END_NEXT,
                                       .next = ITEM_NEXT,
                                       .owner = ITEM_OWNER};

#define STACK_PAINT 0xa5
#define LISTS_MAX   64

static const struct saved_context contexts[] = {
    /* with the FPU: r4-r11, EXC_RETURN [s16-s31] */
    {CONTEXT_ARM, 9, true, {4, 5, 6, 7, 8, 9, 10, 11, CONTEXT_EXC}},
    /* without: r4-r11 */
    {CONTEXT_ARM, 8, true, {4, 5, 6, 7, 8, 9, 10, 11}},
};

static struct rtos_task *take_task(struct walk *w, uint64_t addr)
{
    struct rtos_task *task = walk_task(w, addr);
    uint64_t top;

    if (!task || task->told.state != SNAP_TASK_UNKNOWN)
        return task;
    task->told.priority = (int32_t)walk_member_or(w, addr, TASK_PRIORITY, 0);
    task->told.base_priority = (int32_t)walk_member_or(w, addr, TASK_OWN_PRIORITY, 0);
    task->told.stack_start_addr = walk_member_or(w, addr, TASK_STACK, 0);
    task->told.stack_end_addr = walk_member_or(w, addr, TASK_STACK_END, 0);
    if (task->told.stack_end_addr < task->told.stack_start_addr)
        task->told.stack_start_addr = task->told.stack_end_addr = 0;
    task->told.stack_used_addr =
        walk_painted(w, task->told.stack_start_addr, task->told.stack_end_addr);
    walk_text(w, walk_at(w, addr, TASK_NAME), w->layout->fields[TASK_NAME].size, task->name);
    if (walk_member(w, addr, TASK_TOP, &top))
        context_find(w, contexts, sizeof(contexts) / sizeof(contexts[0]), top,
                     task->told.stack_end_addr, &task->regs);
    return task;
}

static void take_object(struct walk *w, struct rtos_task *task, uint64_t object, bool receives)
{
    const struct rtos_found *values = w->layout->fields;
    const uint64_t kind = walk_member_or(w, object, OBJECT_KIND, UINT64_MAX);
    const struct rtos_object *named = walk_object(w, object, OBJECT);

    task->told.object_addr = object;
    for (size_t i = 0; named && named->name[i] && i + 1 < RTOS_NAME_MAX; i++)
        task->object[i] = named->name[i];
    if (kind == values[KIND_QUEUE].value)
        task->told.wait_kind = receives ? SNAP_TASK_WAIT_RECEIVE : SNAP_TASK_WAIT_SEND;
    else if (kind == values[KIND_SEMAPHORE].value)
        task->told.wait_kind = SNAP_TASK_WAIT_SEMAPHORE;
    else if (kind == values[KIND_MUTEX].value) {
        task->told.wait_kind = SNAP_TASK_WAIT_MUTEX;
        task->holder_addr = walk_member_or(w, object, OBJECT_HOLDER, 0);
    } else
        task->told.wait_kind = SNAP_TASK_WAIT_OTHER;
}

/* Finds the object of the list that the task waits in: of its receivers or its senders? */
static void take_wait(struct walk *w, struct rtos_task *task)
{
    const uint64_t item = walk_at(w, task->handle_addr, TASK_EVENT_ITEM);
    const uint64_t list = walk_member_or(w, item, ITEM_LIST, 0);
    const uint64_t receives = list - w->layout->fields[OBJECT_RECEIVERS].value;
    const uint64_t sends = list - w->layout->fields[OBJECT_SENDERS].value;

    if (!list)
        task->told.wait_kind = SNAP_TASK_WAIT_DELAY;
    else if (walk_object(w, sends, OBJECT) && !walk_object(w, receives, OBJECT))
        take_object(w, task, sends, false);
    else
        take_object(w, task, receives, true);
}

static bool take_item(struct walk *w, uint64_t item_addr, uint64_t owner_addr, void *context)
{
    const enum snap_task_state *state = context;
    struct rtos_task *task = take_task(w, owner_addr);

    if (!task)
        return false;
    if (task->told.state != SNAP_TASK_UNKNOWN)
        return true;
    task->told.state = (uint8_t)*state;
    if (*state == SNAP_TASK_BLOCKED) {
        task->told.wake_tick = walk_member_or(w, item_addr, ITEM_VALUE, 0);
        take_wait(w, task);
    }
    return true;
}

static void take_list(struct walk *w, uint64_t list_addr, enum snap_task_state state)
{
    walk_list(w, list_addr, &lists, take_item, &state);
}

static enum status walk_sample(const struct rtos_layout *layout, const struct rtos_memory *memory,
                               struct rtos_tasks *out)
{
    const uint64_t count = layout->fields[READY_COUNT].value;
    struct rtos_task *task;
    struct walk w;
    uint64_t current;

    walk_init(&w, layout, memory, out);
    if (!walk_word(&w, walk_at(&w, 0, CURRENT), &current))
        return STATUS_FAULT;
    if (!current)
        return STATUS_NOT_FOUND;
    out->tick = walk_member_or(&w, 0, TICKS, 0);
    task = take_task(&w, current);
    if (task) {
        task->has_cpu = true;
        task->regs = (struct regs){0};
        task->told.state = SNAP_TASK_RUNNING;
    }
    for (uint64_t i = count < LISTS_MAX ? count : LISTS_MAX; i > 0; i--)
        take_list(&w, walk_at(&w, 0, READY_LISTS) + (i - 1) * layout->fields[LIST_SIZE].value,
                  SNAP_TASK_READY);
    take_list(&w, walk_at(&w, 0, DELAYED), SNAP_TASK_BLOCKED);
    take_list(&w, walk_at(&w, 0, SUSPENDED), SNAP_TASK_BLOCKED);
    return STATUS_OK;
}

const struct rtos_system rtos_sample = {.name = "sample kernel",
                                        .fields = fields,
                                        .field_count = FIELD_COUNT,
                                        .paint = STACK_PAINT,
                                        .walk = walk_sample};
