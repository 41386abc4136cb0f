/* SPDX-License-Identifier: MIT */
/*
 * Finds the threads of an RTOS in its kernel's memory at one moment: those that do not run, and
 * what each waits for.
 *
 *     struct rtos_system     a constant for each system, in a file of its own: the names of the
 *                            kernel's variables, types and members, and the walk through them
 *     struct rtos_layout     addresses, offsets and sizes of these in one firmware, from its symbol
 *                            table and debug information (debug/); none of them is built in
 *     rtos_walk              makes the tasks from a layout and a target's memory
 *
 * So a new system is one file and a line in RTOS_LIST. All memory is untrusted: circular lists,
 * unbounded counts and wild pointers end the walk with what was found before. A walk allocates
 * nothing, as the target stands still meanwhile.
 */
#ifndef BOARDS_RTOS_RTOS_H
#define BOARDS_RTOS_RTOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/status.h"
#include "snapshot/event.h"

#define RTOS_TASKS_MAX   256  /* most tasks found in one target */
#define RTOS_NAME_MAX    32   /* bytes of a name, with the NUL */
#define RTOS_FIELDS_MAX  80   /* most fields of one system */
#define RTOS_OBJECTS_MAX 1024 /* most objects of one firmware */
#define RTOS_CODE_MAX    16   /* most parts of one firmware that are code */

/*
 * X(name) for each system rtos_<name>. The first one all of whose symbols a firmware has is used.
 */
#define RTOS_LIST(X) X(freertos) X(zephyr) X(sample)

/* The kind of a field: a fact of the firmware that a system's walk needs. */
enum rtos_field_kind {
    RTOS_SYMBOL, /* the address of a variable: "pxCurrentTCB" */
    RTOS_MEMBER, /* the offset of a member, through nested ones: "tskTaskControlBlock.pcTaskName" */
    RTOS_SIZE,   /* the size of a type or variable, or of an array's element: "List_t" */
    RTOS_COUNT,  /* the count of elements of an array, which is a variable or member */
    RTOS_VALUE,  /* the value of an enumerator */
    /*
     * The size of a type of objects, which threads wait for: variables of this type, and pointers
     * to it, are listed as rtos_object. An alternative "*QueueHandle_t" names a type of pointers
     * to such objects, as a pointer to `void`.
     */
    RTOS_OBJECT,
};

struct rtos_field {
    enum rtos_field_kind kind;
    const char *name; /* names in different releases, separated by '|' */
    bool is_optional; /* may be missing; without other fields the layout cannot be used */
};

/* A field's value in one firmware. */
struct rtos_found {
    bool is_there;  /* the firmware has the field */
    uint64_t value; /* the address, offset, size, count or value, by the field's kind */
    uint32_t size;  /* bytes of the member or variable itself; 0: not known */
    bool is_signed; /* the member or variable is a signed integer */
};

/* A variable, or part of one, that threads may wait for, or that points to such an object. */
struct rtos_object {
    uint64_t addr;
    const char *name; /* "g_lock", "pool.lock"; owned by the layout */
    uint16_t field;   /* index of the RTOS_OBJECT field for the object's type */
    bool is_pointer;  /* points to the object; false: is the object */
};

struct rtos_code {
    uint64_t start_addr, end_addr;
};

struct rtos_layout {
    const struct rtos_system *system;
    const struct arch *arch;
    struct rtos_found fields[RTOS_FIELDS_MAX]; /* by index in the system's `fields` */
    const struct rtos_object *objects;         /* owned by the layout; ascending by address */
    size_t object_count;
    struct rtos_code code[RTOS_CODE_MAX]; /* parts that are code */
    size_t code_count;                    /* 0: not known what is code */
};

struct rtos_memory {
    /* Reads `size` bytes at `addr`; false: not all of them can be read. */
    bool (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    void *context;
    /*
     * Whether the walk must end, with the tasks found so far; asked before each task. NULL: never.
     */
    bool (*is_late)(void *context);
    /* Reading is cheap: the walk also reads most of the stacks, to find how deep they were used. */
    bool is_cheap;
};

struct rtos_task {
    uint64_t handle_addr; /* address of the control block; unique */
    char name[RTOS_NAME_MAX];
    char object[RTOS_NAME_MAX]; /* name of the object that the task waits for; "": none */
    bool has_cpu;               /* the task runs on CPU `cpu`: `regs` are not its registers */
    unsigned cpu;
    struct regs regs;      /* the registers that the kernel saved; others are not known */
    struct snap_task told; /* all but time_ns, tick, holder_tid, object, system: the caller's */
    uint64_t holder_addr;  /* control block of the task that holds the object; 0: none, not known */
};

struct rtos_tasks {
    struct rtos_task tasks[RTOS_TASKS_MAX];
    size_t count;
    uint64_t tick;       /* the system's tick at the time of the walk; 0: not known */
    bool is_cut;         /* not all tasks were found, as `problem` says */
    const char *problem; /* why tasks are missing; static storage; NULL: nothing is */
};

struct rtos_system {
    const char *name;                /* name for people, "FreeRTOS" */
    const struct rtos_field *fields; /* indexed by an enum of the system's file */
    size_t field_count;
    uint8_t paint; /* byte that the kernel fills new stacks with; 0: none */
    /*
     * Adds the tasks to `out`, which is empty. NOT_FOUND: the kernel has not started. FAULT: the
     * kernel's variables cannot be read.
     */
    enum status (*walk)(const struct rtos_layout *layout, const struct rtos_memory *memory,
                        struct rtos_tasks *out);
};

#define RTOS_DECLARE(name) extern const struct rtos_system rtos_##name;
RTOS_LIST(RTOS_DECLARE)
#undef RTOS_DECLARE

/* Empties `out` and calls the walk of layout->system, whose status is returned. */
MUST_CHECK enum status rtos_walk(const struct rtos_layout *layout, const struct rtos_memory *memory,
                                 struct rtos_tasks *out);

/* Returns the letter of snap_sample.state for an enum snap_task_state; 0: not known. */
char rtos_task_letter(uint8_t state);

/* Returns the task with this control block; NULL: none. */
const struct rtos_task *rtos_tasks_find(const struct rtos_tasks *tasks, uint64_t handle_addr);

#endif
