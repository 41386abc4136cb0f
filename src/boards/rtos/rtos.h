/* SPDX-License-Identifier: MIT */
/*
 * Finds the threads of an RTOS in its kernel's memory at one moment: those that do not run, and
 * what each waits for.
 *
 *     struct rtos_system     one constant for each system, in a file of its own: what its kernel's
 *                            variables, types and members are called, and how to go through them
 *     struct rtos_layout     where these are in one firmware: addresses from its symbol table,
 *                            offsets and sizes from its debug information (debug/); nothing of
 *                            this is built in
 *     rtos_walk              from a layout and a target's memory to its tasks
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

#define RTOS_TASKS_MAX   256  /* in one target */
#define RTOS_NAME_MAX    32   /* bytes, with the NUL */
#define RTOS_FIELDS_MAX  80   /* in one system */
#define RTOS_OBJECTS_MAX 1024 /* in one firmware */
#define RTOS_CODE_MAX    16   /* parts of one firmware that are code */

/* X(name): rtos_<name> is the description. The first is used whose symbols are all there. */
#define RTOS_LIST(X) X(freertos) X(zephyr) X(sample)

/* What a system's description needs of the firmware, in the order of its own enum. */
enum rtos_field_kind {
    RTOS_SYMBOL, /* the address of a variable: "pxCurrentTCB" */
    RTOS_MEMBER, /* the offset of a member, through nested ones: "tskTaskControlBlock.pcTaskName" */
    RTOS_SIZE,   /* the size of a type or variable, or of an array's element: "List_t" */
    RTOS_COUNT,  /* the count of elements of an array: a variable or member */
    RTOS_VALUE,  /* the value of an enumerator */
    /*
     * A type of objects: its size. Variables of this type, or pointing to it, are objects. An
     * alternative "*QueueHandle_t" is a pointer whose type does not show this.
     */
    RTOS_OBJECT,
};

struct rtos_field {
    enum rtos_field_kind kind;
    const char *name; /* alternatives of different releases, separated by '|' */
    bool is_optional; /* missing in some configurations */
};

/* A field's value in one firmware. */
struct rtos_found {
    bool is_there;
    uint64_t value; /* address, offset, size, count, value */
    uint32_t size;  /* bytes of the member or variable itself; 0: not known */
    bool is_signed;
};

/* A variable, or part of one, that threads may wait for, or that points to such an object. */
struct rtos_object {
    uint64_t addr;
    const char *name; /* "g_lock", "pool.lock" */
    uint16_t field;   /* index of the RTOS_OBJECT that is its type */
    bool is_pointer;
};

struct rtos_code {
    uint64_t start_addr, end_addr;
};

struct rtos_layout {
    const struct rtos_system *system;
    const struct arch *arch;
    struct rtos_found fields[RTOS_FIELDS_MAX]; /* indexed by the system's enum */
    const struct rtos_object *objects;         /* ascending by address */
    size_t object_count;
    struct rtos_code code[RTOS_CODE_MAX]; /* none: not known what is code */
    size_t code_count;
};

struct rtos_memory {
    /* Reads all `size` bytes at `addr`, or returns false. */
    bool (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    void *context;
    /* Must the walk end, with the tasks found so far? Asked before each task. NULL: never. */
    bool (*is_late)(void *context);
    /* Reading is cheap: the walk also reads most of the stacks, to find how deep they were used. */
    bool is_cheap;
};

struct rtos_task {
    uint64_t handle_addr; /* address of the control block; unique */
    char name[RTOS_NAME_MAX];
    char object[RTOS_NAME_MAX]; /* name of what it waits for; "": none */
    bool has_cpu;               /* runs on the CPU `cpu`: `regs` are not its registers */
    unsigned cpu;
    struct regs regs;      /* as saved by the kernel; others are not known */
    struct snap_task told; /* the user sets time_ns, tick, holder_tid, object, system */
    uint64_t holder_addr;  /* control block of the holder of what it waits for; 0: none, unknown */
};

struct rtos_tasks {
    struct rtos_task tasks[RTOS_TASKS_MAX];
    size_t count;
    uint64_t tick;       /* the system's tick now; 0: not known */
    bool is_cut;         /* not all tasks were found, as `problem` says */
    const char *problem; /* static storage; NULL: none */
};

struct rtos_system {
    const char *name; /* "FreeRTOS" */
    const struct rtos_field *fields;
    size_t field_count;
    uint8_t paint; /* byte that stacks are filled with; 0: none */
    /* Fills `out`, which is empty. NOT_FOUND: the kernel has not started. FAULT: unreadable. */
    enum status (*walk)(const struct rtos_layout *layout, const struct rtos_memory *memory,
                        struct rtos_tasks *out);
};

#define RTOS_DECLARE(name) extern const struct rtos_system rtos_##name;
RTOS_LIST(RTOS_DECLARE)
#undef RTOS_DECLARE

/* Clears `out` and calls the system's walk; errors as of that. */
MUST_CHECK enum status rtos_walk(const struct rtos_layout *layout, const struct rtos_memory *memory,
                                 struct rtos_tasks *out);

/* Returns a task's state as samples have it (event.h); 0: not known. */
char rtos_task_letter(uint8_t state);

/* Returns the task with this control block; NULL: none. */
const struct rtos_task *rtos_tasks_find(const struct rtos_tasks *tasks, uint64_t handle_addr);

#endif
