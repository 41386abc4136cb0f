/* SPDX-License-Identifier: MIT */
/*
 * FreeRTOS, 8 to 11, one core or several (tasks.c, queue.c, list.h of its kernel; the ports of
 * portable/GCC). Each task is in one list of its state and, if it waits for an object, in a list of
 * that as well.
 *
 *     pxReadyTasksLists[], xDelayedTaskList1 ...: List_t -> ListItem_t -> its owner: TCB_t
 *     TCB_t.xEventListItem.pvContainer -> Queue_t.xTasksWaitingToReceive or ...ToSend
 *
 * Queues, semaphores and mutexes are all Queue_t: semaphores and mutexes have items of size 0, and
 * a mutex has no memory for items (pcHead, then called uxQueueType, is 0). The address of a list is
 * that of its object plus the list's offset in it.
 */
#include "base/bits.h"
#include "boards/rtos/context.h"

enum field {
    CURRENT,
    CURRENT_COUNT,
    READY_LISTS,
    READY_COUNT,
    DELAYED_1,
    DELAYED_2,
    OVERFLOWN,
    PENDING,
    PENDING_COUNT,
    SUSPENDED,
    TERMINATED,
    RUNNING,
    TICKS,
    REGISTRY,
    REGISTRY_COUNT,
    REGISTRY_SIZE,
    REGISTRY_NAME,
    REGISTRY_HANDLE,
    TCB_STACK_TOP,
    TCB_STATE_ITEM,
    TCB_EVENT_ITEM,
    TCB_PRIORITY,
    TCB_BASE_PRIORITY,
    TCB_STACK,
    TCB_NAME,
    TCB_STACK_END,
    TCB_NOTIFY,
    LIST_SIZE,
    LIST_COUNT,
    LIST_END,
    LIST_END_VALUE,
    LIST_END_NEXT,
    ITEM_VALUE,
    ITEM_NEXT,
    ITEM_OWNER,
    ITEM_CONTAINER,
    QUEUE,
    QUEUE_HEAD,
    QUEUE_SENDERS,
    QUEUE_RECEIVERS,
    QUEUE_COUNT,
    QUEUE_LENGTH,
    QUEUE_ITEM_SIZE,
    QUEUE_HOLDER,
    EVENT_GROUP,
    EVENT_GROUP_WAITERS,
    HEAP_BLOCK_SIZE,
    HEAP_HEADER_SIZE,
    ESP_FRAME,
    FIELD_COUNT
};

#define TCB  "tskTaskControlBlock"
#define LIST "xLIST"
#define ITEM "xLIST_ITEM"
#define Q    "QueueDefinition"
/* Types that are `void *` in releases before 10.3. */
#define HANDLES                                                                                    \
    "|*QueueHandle_t|*SemaphoreHandle_t|*QueueSetHandle_t|*xQueueHandle|*xSemaphoreHandle"

static const struct rtos_field fields[FIELD_COUNT] = {
    [CURRENT] = {RTOS_SYMBOL, "pxCurrentTCB|pxCurrentTCBs", false},
    [CURRENT_COUNT] = {RTOS_COUNT, "pxCurrentTCBs|pxCurrentTCB", true},
    [READY_LISTS] = {RTOS_SYMBOL, "pxReadyTasksLists", false},
    [READY_COUNT] = {RTOS_COUNT, "pxReadyTasksLists", false},
    [DELAYED_1] = {RTOS_SYMBOL, "xDelayedTaskList1", false},
    [DELAYED_2] = {RTOS_SYMBOL, "xDelayedTaskList2", false},
    [OVERFLOWN] = {RTOS_SYMBOL, "pxOverflowDelayedTaskList", true},
    [PENDING] = {RTOS_SYMBOL, "xPendingReadyList", true},
    [PENDING_COUNT] = {RTOS_COUNT, "xPendingReadyList", true}, /* ESP-IDF: one a core */
    [SUSPENDED] = {RTOS_SYMBOL, "xSuspendedTaskList", true},   /* INCLUDE_vTaskSuspend */
    [TERMINATED] = {RTOS_SYMBOL, "xTasksWaitingTermination", true},
    [RUNNING] = {RTOS_SYMBOL, "xSchedulerRunning", true},
    [TICKS] = {RTOS_SYMBOL, "xTickCount", true},
    [REGISTRY] = {RTOS_SYMBOL, "xQueueRegistry", true},
    [REGISTRY_COUNT] = {RTOS_COUNT, "xQueueRegistry", true},
    [REGISTRY_SIZE] = {RTOS_SIZE, "xQueueRegistry", true},
    [REGISTRY_NAME] = {RTOS_MEMBER, "QUEUE_REGISTRY_ITEM.pcQueueName", true},
    [REGISTRY_HANDLE] = {RTOS_MEMBER, "QUEUE_REGISTRY_ITEM.xHandle", true},
    [TCB_STACK_TOP] = {RTOS_MEMBER, TCB ".pxTopOfStack", false},
    [TCB_STATE_ITEM] = {RTOS_MEMBER, TCB ".xStateListItem|" TCB ".xGenericListItem", false},
    [TCB_EVENT_ITEM] = {RTOS_MEMBER, TCB ".xEventListItem", false},
    [TCB_PRIORITY] = {RTOS_MEMBER, TCB ".uxPriority", false},
    [TCB_BASE_PRIORITY] = {RTOS_MEMBER, TCB ".uxBasePriority", true}, /* configUSE_MUTEXES */
    [TCB_STACK] = {RTOS_MEMBER, TCB ".pxStack", false},
    [TCB_NAME] = {RTOS_MEMBER, TCB ".pcTaskName", false},
    [TCB_STACK_END] = {RTOS_MEMBER, TCB ".pxEndOfStack",
                       true}, /* configRECORD_STACK_HIGH_ADDRESS */
    [TCB_NOTIFY] = {RTOS_MEMBER, TCB ".ucNotifyState|" TCB ".eNotifyState", true},
    [LIST_SIZE] = {RTOS_SIZE, LIST, false},
    [LIST_COUNT] = {RTOS_MEMBER, LIST ".uxNumberOfItems", false},
    [LIST_END] = {RTOS_MEMBER, LIST ".xListEnd", false},
    [LIST_END_VALUE] = {RTOS_MEMBER, LIST ".xListEnd.xItemValue", false},
    [LIST_END_NEXT] = {RTOS_MEMBER, LIST ".xListEnd.pxNext", false},
    [ITEM_VALUE] = {RTOS_MEMBER, ITEM ".xItemValue", false},
    [ITEM_NEXT] = {RTOS_MEMBER, ITEM ".pxNext", false},
    [ITEM_OWNER] = {RTOS_MEMBER, ITEM ".pvOwner", false},
    [ITEM_CONTAINER] = {RTOS_MEMBER, ITEM ".pxContainer|" ITEM ".pvContainer", false},
    [QUEUE] = {RTOS_OBJECT, Q HANDLES, true},
    [QUEUE_HEAD] = {RTOS_MEMBER, Q ".pcHead", true},
    [QUEUE_SENDERS] = {RTOS_MEMBER, Q ".xTasksWaitingToSend", true},
    [QUEUE_RECEIVERS] = {RTOS_MEMBER, Q ".xTasksWaitingToReceive", true},
    [QUEUE_COUNT] = {RTOS_MEMBER, Q ".uxMessagesWaiting", true},
    [QUEUE_LENGTH] = {RTOS_MEMBER, Q ".uxLength", true},
    [QUEUE_ITEM_SIZE] = {RTOS_MEMBER, Q ".uxItemSize", true},
    /* Before 10.2 it was in a queue's end of memory. */
    [QUEUE_HOLDER] = {RTOS_MEMBER, Q ".u.xSemaphore.xMutexHolder|" Q ".pcTail", true},
    [EVENT_GROUP] = {RTOS_OBJECT,
                     "EventGroupDef_t|xEventGroupDefinition|EventGroupDefinition|"
                     "*EventGroupHandle_t|*xEventGroupHandle",
                     true},
    [EVENT_GROUP_WAITERS] = {RTOS_MEMBER,
                             "EventGroupDef_t.xTasksWaitingForBits|"
                             "xEventGroupDefinition.xTasksWaitingForBits|"
                             "EventGroupDefinition.xTasksWaitingForBits",
                             true},
    [HEAP_BLOCK_SIZE] = {RTOS_MEMBER, "A_BLOCK_LINK.xBlockSize", true},
    [HEAP_HEADER_SIZE] = {RTOS_SIZE, "A_BLOCK_LINK", true},
    [ESP_FRAME] = {RTOS_SIZE, "RvExcFrame", true}, /* ESP-IDF's own port */
};

static const struct walk_list lists = {.end = LIST_END,
                                       .end_next = LIST_END_NEXT,
                                       .next = ITEM_NEXT,
                                       .owner = ITEM_OWNER};

#define NOTIFY_WAITS 1    /* taskWAITING_NOTIFICATION of tasks.c, which is a macro */
#define STACK_PAINT  0xa5 /* tskSTACK_FILL_BYTE of tasks.c */
#define CORES_MAX    8
#define LISTS_MAX    256 /* configMAX_PRIORITIES */
#define REGISTRY_MAX 256 /* configQUEUE_REGISTRY_SIZE */

#define R4_TO_R11  4, 5, 6, 7, 8, 9, 10, 11
#define X5_TO_X15  5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define X16_TO_X31 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define PC_RISCV   32

/* The most specific ones first. */
static const struct saved_context contexts[] = {
    /* ARM_CM33, _CM23, ...: xSecureContext, PSPLIM, EXC_RETURN, r4-r11 [s16-s31] */
    {CONTEXT_ARM, 11, true, {CONTEXT_SKIP, CONTEXT_SKIP, CONTEXT_EXC, R4_TO_R11}},
    /* the same without TrustZone (_NTZ): PSPLIM, EXC_RETURN, r4-r11 [s16-s31] */
    {CONTEXT_ARM, 10, true, {CONTEXT_SKIP, CONTEXT_EXC, R4_TO_R11}},
    /* ARM_CM4F, ARM_CM7: r4-r11, EXC_RETURN [s16-s31] */
    {CONTEXT_ARM, 9, true, {R4_TO_R11, CONTEXT_EXC}},
    /* ARM_CM0 of 11: EXC_RETURN, r4-r11 */
    {CONTEXT_ARM, 9, true, {CONTEXT_EXC, R4_TO_R11}},
    /* ARM_CM3; ARM_CM0 before 11, which pushes r8-r11 first */
    {CONTEXT_ARM, 8, true, {R4_TO_R11}},
    /* RISC-V: mepc, x1, x5-x31, the critical nesting, mstatus (since 10.5); for RV32E to x15 */
    {CONTEXT_RISCV,
     31,
     false,
     {PC_RISCV, 1, X5_TO_X15, X16_TO_X31, CONTEXT_SMALL, CONTEXT_MSTATUS}},
    {CONTEXT_RISCV, 30, false, {PC_RISCV, 1, X5_TO_X15, X16_TO_X31, CONTEXT_MSTATUS}},
    {CONTEXT_RISCV, 15, false, {PC_RISCV, 1, X5_TO_X15, CONTEXT_SMALL, CONTEXT_MSTATUS}},
    {CONTEXT_RISCV, 14, false, {PC_RISCV, 1, X5_TO_X15, CONTEXT_MSTATUS}},
};

/* ESP-IDF: mepc, x1 to x31, mstatus (RvExcFrame) */
static const struct saved_context esp_context = {
    CONTEXT_RISCV, 33, false, {PC_RISCV, 1, 2, 3, 4, X5_TO_X15, X16_TO_X31, CONTEXT_MSTATUS}};

/* Which list a task was found in. */
struct found_in {
    enum snap_task_state state;
    bool is_delayed; /* its item's value is the tick at which it goes on */
    uint64_t more;   /* to be added to that value, if the tick count overflows before */
};

/* Returns the end of the heap's block that the stack is in (heap_4.c); 0: not known. */
static uint64_t heap_end(struct walk *w, uint64_t stack_addr)
{
    const struct rtos_layout *layout = w->layout;
    const uint64_t header = layout->fields[HEAP_HEADER_SIZE].value;
    const unsigned bits = 8u * layout->arch->word_size;
    uint64_t size;

    if (!walk_has(w, HEAP_BLOCK_SIZE) || !walk_has(w, HEAP_HEADER_SIZE) || header > stack_addr ||
        !walk_member(w, stack_addr - header, HEAP_BLOCK_SIZE, &size) || !(size >> (bits - 1)))
        return 0;
    size &= ~(UINT64_C(1) << (bits - 1)); /* this bit says that it is allocated */
    return size > header && size < UINT64_C(1) << 24 ? stack_addr - header + size : 0;
}

static void read_stack(struct walk *w, struct rtos_task *task)
{
    const uint64_t tcb = task->handle_addr, word = w->layout->arch->word_size;
    uint64_t end = walk_member_or(w, tcb, TCB_STACK_END, 0);

    task->told.stack_start_addr = walk_member_or(w, tcb, TCB_STACK, 0);
    if (end) /* it is the last word's address */
        end = (end & ~(word - 1)) + word;
    else
        end = heap_end(w, task->told.stack_start_addr);
    if (end <= task->told.stack_start_addr)
        end = 0;
    task->told.stack_end_addr = end;
    task->told.stack_used_addr = walk_painted(w, task->told.stack_start_addr, end);
    if (!end) /* a stack is reported with both ends, or not at all */
        task->told.stack_start_addr = 0;
}

static void read_registers(struct walk *w, struct rtos_task *task)
{
    uint64_t top;

    if (!walk_member(w, task->handle_addr, TCB_STACK_TOP, &top))
        return;
    if (walk_has(w, ESP_FRAME))
        context_find(w, &esp_context, 1, top, task->told.stack_end_addr, &task->regs);
    else
        context_find(w, contexts, sizeof(contexts) / sizeof(contexts[0]), top,
                     task->told.stack_end_addr, &task->regs);
}

/* Returns the task of a TCB, filled in when new; NULL: no task. */
static struct rtos_task *take_task(struct walk *w, uint64_t tcb)
{
    const size_t count = w->out->count;
    struct rtos_task *task = walk_task(w, tcb);
    uint64_t priority;

    if (!task || w->out->count == count)
        return task;
    if (!walk_member(w, tcb, TCB_PRIORITY, &priority)) {
        w->out->count = count;
        walk_problem(w, "a list of its kernel has something that is no task");
        return NULL;
    }
    task->told.priority = (int32_t)priority;
    task->told.base_priority = (int32_t)walk_member_or(w, tcb, TCB_BASE_PRIORITY, priority);
    walk_text(w, walk_at(w, tcb, TCB_NAME), w->layout->fields[TCB_NAME].size, task->name);
    read_stack(w, task);
    read_registers(w, task);
    return task;
}

/* Is there an initialized list? Its end marker has the highest value of its size. */
static bool is_list(struct walk *w, uint64_t addr)
{
    const uint32_t size = w->layout->fields[LIST_END_VALUE].size;
    const uint64_t highest = bits_low(UINT64_MAX, UINT64_C(8) * (size ? size : 8));
    uint64_t value, next, count;

    return walk_member(w, addr, LIST_END_VALUE, &value) && value == highest &&
           walk_member(w, addr, LIST_COUNT, &count) && walk_member(w, addr, LIST_END_NEXT, &next) &&
           (count == 0) == (next == walk_at(w, addr, LIST_END));
}

/* Is there a queue, one of whose lists is at `list_addr`? */
static bool is_queue(struct walk *w, uint64_t list_addr, enum field which, uint64_t *queue)
{
    uint64_t count, length;

    if (!walk_has(w, which) || w->layout->fields[which].value > list_addr)
        return false;
    *queue = list_addr - w->layout->fields[which].value;
    return is_list(w, walk_at(w, *queue, QUEUE_SENDERS)) &&
           is_list(w, walk_at(w, *queue, QUEUE_RECEIVERS)) &&
           walk_member(w, *queue, QUEUE_COUNT, &count) &&
           walk_member(w, *queue, QUEUE_LENGTH, &length) && count <= length && length > 0;
}

static void name_object(struct walk *w, struct rtos_task *task, enum field type)
{
    const uint64_t size = w->layout->fields[REGISTRY_SIZE].value;
    const struct rtos_object *object;
    uint64_t handle, name;

    for (uint64_t i = 0; walk_has(w, REGISTRY) && walk_has(w, REGISTRY_COUNT) && size &&
                         i < w->layout->fields[REGISTRY_COUNT].value && i < REGISTRY_MAX;
         i++) {
        const uint64_t entry = walk_at(w, 0, REGISTRY) + i * size;

        if (walk_member(w, entry, REGISTRY_HANDLE, &handle) && handle == task->told.object_addr &&
            walk_member(w, entry, REGISTRY_NAME, &name) && name) {
            walk_text(w, name, RTOS_NAME_MAX, task->object);
            break;
        }
    }
    if (task->object[0]) /* not known from a dump without flash */
        return;
    object = walk_object(w, task->told.object_addr, type);
    for (size_t i = 0; object && object->name[i] && i + 1 < RTOS_NAME_MAX; i++) {
        task->object[i] = object->name[i];
        task->object[i + 1] = '\0';
    }
}

static void take_queue(struct walk *w, struct rtos_task *task, uint64_t queue, bool receives)
{
    uint64_t item_size = walk_member_or(w, queue, QUEUE_ITEM_SIZE, 1);

    task->told.object_addr = queue;
    if (item_size) {
        task->told.wait_kind = receives ? SNAP_TASK_WAIT_RECEIVE : SNAP_TASK_WAIT_SEND;
    } else if (walk_member_or(w, queue, QUEUE_HEAD, 1) == 0) {
        task->told.wait_kind = SNAP_TASK_WAIT_MUTEX;
        task->holder_addr = walk_member_or(w, queue, QUEUE_HOLDER, 0);
    } else {
        task->told.wait_kind = SNAP_TASK_WAIT_SEMAPHORE;
    }
    name_object(w, task, QUEUE);
}

/* Finds the object of the list that a task's event item is in. */
static void take_container(struct walk *w, struct rtos_task *task, uint64_t list_addr)
{
    uint64_t queue;

    if (is_queue(w, list_addr, QUEUE_RECEIVERS, &queue)) {
        take_queue(w, task, queue, true);
    } else if (is_queue(w, list_addr, QUEUE_SENDERS, &queue)) {
        take_queue(w, task, queue, false);
    } else if (walk_has(w, EVENT_GROUP_WAITERS) &&
               w->layout->fields[EVENT_GROUP_WAITERS].value <= list_addr && is_list(w, list_addr)) {
        task->told.wait_kind = SNAP_TASK_WAIT_EVENT;
        task->told.object_addr = list_addr - w->layout->fields[EVENT_GROUP_WAITERS].value;
        name_object(w, task, EVENT_GROUP);
    } else {
        task->told.wait_kind = SNAP_TASK_WAIT_OTHER;
        task->told.object_addr = list_addr;
    }
}

static bool waits_for_notification(struct walk *w, uint64_t tcb)
{
    const uint32_t size = w->layout->fields[TCB_NOTIFY].size;
    uint64_t state;

    if (!walk_has(w, TCB_NOTIFY))
        return false;
    if (size == 4) /* release 8: an enumeration; later an array of bytes */
        return walk_uint(w, walk_at(w, tcb, TCB_NOTIFY), 4, &state) &&
               (state & 0xff) == NOTIFY_WAITS;
    for (uint32_t i = 0; i < size && i < 32; i++)
        if (walk_uint(w, walk_at(w, tcb, TCB_NOTIFY) + i, 1, &state) && state == NOTIFY_WAITS)
            return true;
    return false;
}

/* Finds what a task that does not run waits for, which may be time only. */
static void take_wait(struct walk *w, struct rtos_task *task, const struct found_in *in)
{
    const uint64_t event_item = walk_at(w, task->handle_addr, TCB_EVENT_ITEM);
    const uint64_t container = walk_member_or(w, event_item, ITEM_CONTAINER, 0);

    if (container)
        take_container(w, task, container);
    else if (waits_for_notification(w, task->handle_addr))
        task->told.wait_kind = SNAP_TASK_WAIT_EVENT;
    else if (in->is_delayed)
        task->told.wait_kind = SNAP_TASK_WAIT_DELAY;
    if (task->told.wait_kind != SNAP_TASK_WAIT_NONE)
        task->told.state = SNAP_TASK_BLOCKED;
}

static bool take_item(struct walk *w, uint64_t item_addr, uint64_t owner_addr, void *context)
{
    const struct found_in *in = context;
    struct rtos_task *task = take_task(w, owner_addr);

    if (!task)
        return false;
    if (task->told.state != SNAP_TASK_UNKNOWN) /* known from an earlier list */
        return true;
    task->told.state = (uint8_t)in->state;
    if (in->is_delayed) {
        task->told.flags |= SNAP_TASK_TIMED;
        task->told.wake_tick = walk_member_or(w, item_addr, ITEM_VALUE, 0);
        task->told.wake_tick += task->told.wake_tick ? in->more : 0;
    }
    if (in->state == SNAP_TASK_BLOCKED || in->state == SNAP_TASK_SUSPENDED)
        take_wait(w, task, in);
    return true;
}

static void take_list(struct walk *w, uint64_t list_addr, struct found_in in)
{
    walk_list(w, list_addr, &lists, take_item, &in);
}

static void take_field(struct walk *w, enum field list, struct found_in in)
{
    uint64_t overflown;

    if (!walk_has(w, list))
        return;
    if (in.is_delayed && walk_has(w, OVERFLOWN) && w->layout->fields[TICKS].size < 8 &&
        walk_word(w, walk_at(w, 0, OVERFLOWN), &overflown) && overflown == walk_at(w, 0, list))
        in.more = bits_low(UINT64_MAX, 8 * w->layout->fields[TICKS].size) + 1;
    take_list(w, walk_at(w, 0, list), in);
}

/* Takes lists of ready tasks, the last first, which has the highest priority. */
static void take_lists(struct walk *w, enum field first, enum field count)
{
    const uint64_t size = w->layout->fields[LIST_SIZE].value;
    uint64_t n = walk_has(w, count) ? w->layout->fields[count].value : 1;

    if (!walk_has(w, first))
        return;
    for (n = n < LISTS_MAX ? n : LISTS_MAX; n > 0; n--)
        take_list(w, walk_at(w, 0, first) + (n - 1) * size,
                  (struct found_in){.state = SNAP_TASK_READY});
}

static bool take_current(struct walk *w, unsigned cpu)
{
    const uint64_t at = walk_at(w, 0, CURRENT) + (uint64_t)cpu * w->layout->arch->word_size;
    struct rtos_task *task;
    uint64_t tcb;

    if (!walk_word(w, at, &tcb))
        return false;
    if (tcb == 0)
        return true;
    task = take_task(w, tcb);
    if (!task)
        return true;
    task->has_cpu = true;
    task->cpu = cpu;
    task->regs = (struct regs){0};
    task->told.state = SNAP_TASK_RUNNING;
    return true;
}

static enum status walk_freertos(const struct rtos_layout *layout, const struct rtos_memory *memory,
                                 struct rtos_tasks *out)
{
    const uint64_t count =
        layout->fields[CURRENT_COUNT].is_there ? layout->fields[CURRENT_COUNT].value : 1;
    struct walk w;
    uint64_t tcb;

    walk_init(&w, layout, memory, out);
    if (!walk_word(&w, walk_at(&w, 0, CURRENT), &tcb))
        return STATUS_FAULT;
    if (tcb == 0 || (walk_has(&w, RUNNING) && walk_member_or(&w, 0, RUNNING, 1) == 0))
        return STATUS_NOT_FOUND;
    for (unsigned cpu = 0; cpu < count && cpu < CORES_MAX; cpu++)
        if (!take_current(&w, cpu))
            return STATUS_FAULT;
    out->tick = walk_member_or(&w, 0, TICKS, 0);
    /* Pending first: these tasks are about to be ready, and still in lists of their old state. */
    take_lists(&w, PENDING, PENDING_COUNT);
    take_lists(&w, READY_LISTS, READY_COUNT);
    take_field(&w, DELAYED_1, (struct found_in){.state = SNAP_TASK_BLOCKED, .is_delayed = true});
    take_field(&w, DELAYED_2, (struct found_in){.state = SNAP_TASK_BLOCKED, .is_delayed = true});
    take_field(&w, SUSPENDED, (struct found_in){.state = SNAP_TASK_SUSPENDED});
    take_field(&w, TERMINATED, (struct found_in){.state = SNAP_TASK_ENDED});
    return STATUS_OK;
}

const struct rtos_system rtos_freertos = {.name = "FreeRTOS",
                                          .fields = fields,
                                          .field_count = FIELD_COUNT,
                                          .paint = STACK_PAINT,
                                          .walk = walk_freertos};
