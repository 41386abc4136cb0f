/* SPDX-License-Identifier: MIT */
/*
 * Variables as FreeRTOS 10 and 11 have them, of the names and shapes that its public headers give:
 * nine tasks, of which three wait for one another's mutexes. PORT says how it keeps registers.
 */
#include "image.h"

#include <stddef.h>

typedef uintptr_t TickType_t, UBaseType_t;
typedef uintptr_t StackType_t;

struct xLIST;
typedef struct xLIST_ITEM {
    TickType_t xItemValue;
    struct xLIST_ITEM *pxNext, *pxPrevious;
    void *pvOwner;
    struct xLIST *pxContainer;
} ListItem_t;
typedef struct xMINI_LIST_ITEM {
    TickType_t xItemValue;
    struct xLIST_ITEM *pxNext, *pxPrevious;
} MiniListItem_t;
typedef struct xLIST {
    volatile UBaseType_t uxNumberOfItems;
    ListItem_t *pxIndex;
    MiniListItem_t xListEnd;
} List_t;

typedef struct tskTaskControlBlock {
    volatile StackType_t *pxTopOfStack;
    ListItem_t xStateListItem, xEventListItem;
    UBaseType_t uxPriority;
    StackType_t *pxStack;
    char pcTaskName[16];
    StackType_t *pxEndOfStack;
    UBaseType_t uxBasePriority, uxMutexesHeld;
    volatile uint32_t ulNotifiedValue[2];
    volatile uint8_t ucNotifyState[2];
} tskTCB;
typedef tskTCB TCB_t;

typedef struct QueueDefinition {
    int8_t *pcHead, *pcWriteTo;
    union {
        struct {
            int8_t *pcTail, *pcReadFrom;
        } xQueue;
        struct {
            TCB_t *xMutexHolder;
            UBaseType_t uxRecursiveCallCount;
        } xSemaphore;
    } u;
    List_t xTasksWaitingToSend, xTasksWaitingToReceive;
    volatile UBaseType_t uxMessagesWaiting;
    UBaseType_t uxLength, uxItemSize;
    volatile int8_t cRxLock, cTxLock;
} xQUEUE;
typedef xQUEUE Queue_t;
#ifdef VOID_HANDLES /* before 10.3 */
typedef void *QueueHandle_t;
#else
typedef struct QueueDefinition *QueueHandle_t;
#endif
typedef QueueHandle_t SemaphoreHandle_t;

typedef struct QUEUE_REGISTRY_ITEM {
    const char *pcQueueName;
    QueueHandle_t xHandle;
} xQueueRegistryItem;

typedef struct EventGroupDef_t {
    TickType_t uxEventBits;
    List_t xTasksWaitingForBits;
} EventGroup_t;

#define END(list) ((ListItem_t *)&(list).xListEnd)
#define EMPTY(list)                                                                                \
    {                                                                                              \
        0, END(list),                                                                              \
        {                                                                                          \
            (TickType_t) - 1, END(list), END(list)                                                 \
        }                                                                                          \
    }
#define ONE(list, item)                                                                            \
    {                                                                                              \
        1, END(list),                                                                              \
        {                                                                                          \
            (TickType_t) - 1, &(item), &(item)                                                     \
        }                                                                                          \
    }
#define TWO(list, one, two)                                                                        \
    {                                                                                              \
        2, END(list),                                                                              \
        {                                                                                          \
            (TickType_t) - 1, &(one), &(two)                                                       \
        }                                                                                          \
    }
#define ALONE(list, tcb, v)                                                                        \
    {                                                                                              \
        v, END(list), END(list), &(tcb), &(list)                                                   \
    }
#define FIRST(list, tcb, next, v)                                                                  \
    {                                                                                              \
        v, &(next), END(list), &(tcb), &(list)                                                     \
    }
#define LAST(list, tcb, before, v)                                                                 \
    {                                                                                              \
        v, END(list), &(before), &(tcb), &(list)                                                   \
    }
#define NOWHERE(tcb)                                                                               \
    {                                                                                              \
        0, NULL, NULL, &(tcb), NULL                                                                \
    }

/* What each port pushes, and its words before the exception's frame. */
#define R4_TO_R11 4, 5, 6, 7, 8, 9, 10, 11
#define FRAME     0, 1, 2, 3, 12, THUMB(called_pc), WORD(work_pc), 0x01000000
#if PORT == 3
#define CONTEXT R4_TO_R11, FRAME
#elif PORT == 0
#define CONTEXT 0xfffffffd, R4_TO_R11, FRAME
#elif PORT == 4 /* with the FPU's registers */
#define SIXTEEN 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define CONTEXT R4_TO_R11, 0xffffffed, SIXTEEN, FRAME, SIXTEEN, 0, 0
#elif PORT == 33
#define CONTEXT 0x20000000, 0xffffffbc, R4_TO_R11, FRAME
#elif PORT == 34 /* with a secure context */
#define CONTEXT 0, 0x20000000, 0xffffffbc, R4_TO_R11, FRAME
#elif PORT == 5 /* RISC-V */
#define TEN     0, 1, 2, 3, 4, 5, 6, 7, 8, 9
#define CONTEXT WORD(work_pc), WORD(called_pc), TEN, TEN, 0, 1, 2, 3, 4, 5, 6, 0, 0x1880
#endif
#if PORT == 5
#define OUTER 0, 0, 0, 0 /* the frame of task_entry: ra is 0, where a task begins */
#else
#define OUTER 4, 0 /* r4, lr */
#endif

#define PAINT 0xa5a5a5a5
#define STACK(name)                                                                                \
    static struct {                                                                                \
        StackType_t painted[20],                                                                   \
            context[sizeof((StackType_t[]){CONTEXT, OUTER}) / sizeof(StackType_t)];                \
    } name##_area = {.painted = {[0 ... 19] = PAINT}, .context = {CONTEXT, OUTER}}

#define TASK(name, priority, base, state, event, notify)                                           \
    STACK(name);                                                                                   \
    TCB_t name = {name##_area.context,                                                             \
                  state,                                                                           \
                  event,                                                                           \
                  priority,                                                                        \
                  name##_area.painted,                                                             \
                  #name,                                                                           \
                  &name##_area.context[sizeof(name##_area.context) / sizeof(StackType_t) - 1],     \
                  base,                                                                            \
                  0,                                                                               \
                  {0},                                                                             \
                  {0, notify}}

extern TCB_t running, ready, one, two, three, sleeper, reader, writer, notified, flagged, asleep,
    ended;

#define PRIORITIES 5
List_t pxReadyTasksLists[PRIORITIES];
List_t xDelayedTaskList1, xDelayedTaskList2, xPendingReadyList, xSuspendedTaskList,
    xTasksWaitingTermination;
List_t *volatile pxDelayedTaskList = &xDelayedTaskList1;
List_t *volatile pxOverflowDelayedTaskList = &xDelayedTaskList2;
volatile TickType_t xTickCount = 1000;
volatile UBaseType_t uxTopReadyPriority = 1;
volatile int32_t xSchedulerRunning = 1;
TCB_t *volatile pxCurrentTCB = &running;

static Queue_t mutexes[3], messages, full;
static EventGroup_t flags;
extern Queue_t semaphore;
QueueHandle_t the_queue = &messages;
SemaphoreHandle_t the_semaphore = &semaphore;
xQueueRegistryItem xQueueRegistry[2] = {{"outgoing", &full}, {NULL, NULL}};

#define MUTEX(mutex, waiter, holder)                                                               \
    {                                                                                              \
        NULL, NULL, {.xSemaphore = {&(holder), 0}}, EMPTY((mutex).xTasksWaitingToSend),            \
            ONE((mutex).xTasksWaitingToReceive, (waiter).xEventListItem), 0, 1, 0, -1, -1          \
    }
static int8_t storage[8];
static Queue_t mutexes[3] = {MUTEX(mutexes[0], three, one), MUTEX(mutexes[1], one, two),
                             MUTEX(mutexes[2], two, three)};
#if PORT == 5
#define PLAIN "%0"
#else
#define PLAIN "%c0" /* without '#' */
#endif

/* As on a heap: no debug information says what it is, but that of a variable that leads to it. */
__attribute__((used)) static void make_semaphore(void)
{
    __asm__(".pushsection .data\n.balign 4\n.globl semaphore\n"
            "semaphore: .word semaphore, 0, 0, 0\n"
            ".word 0, semaphore+24, -1, semaphore+24, semaphore+24\n"
            ".word 1, semaphore+44, -1, " PLAIN ", " PLAIN "\n"
            ".word 0, 3, 0\n.byte -1, -1, 0, 0\n.popsection"
            :
            : "i"(&asleep.xEventListItem));
}
static Queue_t messages = {storage,
                           storage,
                           {{storage + 8, storage}},
                           EMPTY(messages.xTasksWaitingToSend),
                           ONE(messages.xTasksWaitingToReceive, reader.xEventListItem),
                           0,
                           2,
                           4,
                           -1,
                           -1};
static Queue_t full = {storage,
                       storage,
                       {{storage + 8, storage}},
                       ONE(full.xTasksWaitingToSend, writer.xEventListItem),
                       EMPTY(full.xTasksWaitingToReceive),
                       2,
                       2,
                       4,
                       -1,
                       -1};
static EventGroup_t flags = {0, ONE(flags.xTasksWaitingForBits, flagged.xEventListItem)};

List_t pxReadyTasksLists[PRIORITIES] = {EMPTY(pxReadyTasksLists[0]),
                                        TWO(pxReadyTasksLists[1], running.xStateListItem,
                                            ready.xStateListItem),
                                        EMPTY(pxReadyTasksLists[2]), EMPTY(pxReadyTasksLists[3]),
                                        EMPTY(pxReadyTasksLists[4])};
List_t xDelayedTaskList1 = TWO(xDelayedTaskList1, sleeper.xStateListItem, reader.xStateListItem);
List_t xDelayedTaskList2 = EMPTY(xDelayedTaskList2);
List_t xPendingReadyList = EMPTY(xPendingReadyList);
List_t xTasksWaitingTermination = ONE(xTasksWaitingTermination, ended.xStateListItem);

/* Those that wait for ever: eight of them, one behind the other. */
#define IN_SUSPENDED(before, after, tcb)                                                           \
    {                                                                                              \
        0, after, before, &(tcb), &xSuspendedTaskList                                              \
    }
#define S(task) (&(task).xStateListItem)
List_t xSuspendedTaskList = {7, END(xSuspendedTaskList), {(TickType_t)-1, S(one), S(asleep)}};

TASK(running, 1, 1, FIRST(pxReadyTasksLists[1], running, ready.xStateListItem, 0), NOWHERE(running),
     0);
TASK(ready, 1, 1, LAST(pxReadyTasksLists[1], ready, running.xStateListItem, 0), NOWHERE(ready), 0);
TASK(one, 3, 3, IN_SUSPENDED(END(xSuspendedTaskList), S(two), one),
     ALONE(mutexes[1].xTasksWaitingToReceive, one, 2), 0);
TASK(two, 3, 2, IN_SUSPENDED(S(one), S(three), two),
     ALONE(mutexes[2].xTasksWaitingToReceive, two, 2), 0);
TASK(three, 3, 1, IN_SUSPENDED(S(two), S(writer), three),
     ALONE(mutexes[0].xTasksWaitingToReceive, three, 2), 0);
TASK(writer, 2, 2, IN_SUSPENDED(S(three), S(notified), writer),
     ALONE(full.xTasksWaitingToSend, writer, 3), 0);
TASK(notified, 2, 2, IN_SUSPENDED(S(writer), S(flagged), notified), NOWHERE(notified), 1);
TASK(flagged, 2, 2, IN_SUSPENDED(S(notified), S(asleep), flagged),
     ALONE(flags.xTasksWaitingForBits, flagged, 3), 0);
TASK(asleep, 2, 2, IN_SUSPENDED(S(flagged), END(xSuspendedTaskList), asleep),
     ALONE(semaphore.xTasksWaitingToReceive, asleep, 3), 0);
TASK(sleeper, 4, 4, FIRST(xDelayedTaskList1, sleeper, reader.xStateListItem, 1250),
     NOWHERE(sleeper), 0);
TASK(reader, 4, 4, LAST(xDelayedTaskList1, reader, sleeper.xStateListItem, 1500),
     ALONE(messages.xTasksWaitingToReceive, reader, 1), 0);
TASK(ended, 1, 1, ALONE(xTasksWaitingTermination, ended, 0), NOWHERE(ended), 0);
