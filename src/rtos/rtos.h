/* SPDX-License-Identifier: MIT */
/*
 * The threads of an RTOS, as its kernel's memory tells of them at a moment: those that do not run,
 * and what each waits for.
 *
 *     struct rtos_system     one constant a system, in a file of its own: what its kernel's
 *                            variables, types and members are called, and how to go through them
 *     struct rtos_layout     where they are in one firmware: addresses of symbols from its symbol
 *                            table, offsets and sizes from its debug information (debug/). Nothing
 *                            of that is built in.
 *     rtos_walk              from a layout and a target's memory to its tasks
 *
 * So a new system is one file and a line in RTOS_LIST. All memory is untrusted: lists that go in
 * circles, counts without bounds and pointers to nowhere end the walk with what was found before.
 * Nothing is allocated in a walk, as a target stands still meanwhile.
 */
#ifndef RTOS_RTOS_H
#define RTOS_RTOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/status.h"
#include "snapshot/event.h"

#define RTOS_TASKS_MAX   256  /* of one target */
#define RTOS_NAME_MAX    32   /* bytes, with the NUL */
#define RTOS_FIELDS_MAX  80   /* of one system */
#define RTOS_OBJECTS_MAX 1024 /* of one firmware, that variables are or lead to */
#define RTOS_CODE_MAX    16   /* parts of a firmware that are code */

/* X(name): rtos_<name> is its description. The first whose symbols are all there is taken. */
#define RTOS_LIST(X) X(freertos) X(zephyr) X(sample)

/* Something of the firmware that a system's description needs, in the order of its own enum. */
enum rtos_field_kind {
    RTOS_SYMBOL, /* the address of a variable: "pxCurrentTCB" */
    RTOS_MEMBER, /* the offset of a member, through nested ones: "tskTaskControlBlock.pcTaskName" */
    RTOS_SIZE,   /* the size of a type or variable, or of an array's element: "List_t" */
    RTOS_COUNT,  /* the elements of an array, which a variable or member is */
    RTOS_VALUE,  /* the value of an enumerator */
    /*
     * A type of objects: its size; the variables that are such, or point to one, are objects. An
     * alternative "*QueueHandle_t" is a pointer to one that does not tell so by its type.
     */
    RTOS_OBJECT,
};

struct rtos_field {
    enum rtos_field_kind kind;
    const char *name; /* alternatives, as releases have them, are separated by '|' */
    bool is_optional; /* some configurations are without it */
};

/* What was found of a field. */
struct rtos_found {
    bool is_there;
    uint64_t value; /* address, offset, size, count, value */
    uint32_t size;  /* of the member or variable itself, in bytes; 0: not known */
    bool is_signed;
};

/* A variable, or a part of one, that is an object threads may wait for, or points to one. */
struct rtos_object {
    uint64_t addr;
    const char *name; /* "g_lock", "pool.lock" */
    uint16_t field;   /* of the kind RTOS_OBJECT: its type */
    bool is_pointer;
};

struct rtos_code {
    uint64_t start_addr, end_addr;
};

struct rtos_layout {
    const struct rtos_system *system;
    const struct arch *arch;
    struct rtos_found fields[RTOS_FIELDS_MAX]; /* by the system's enum */
    const struct rtos_object *objects;         /* by address */
    size_t object_count;
    struct rtos_code code[RTOS_CODE_MAX]; /* none: it is not known what is code */
    size_t code_count;
};

struct rtos_memory {
    /* All `size` bytes at `addr`, or false. */
    bool (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    void *context;
    /* Is the walk to end, with the tasks that it has looked at? Asked before each. NULL: never. */
    bool (*is_late)(void *context);
    /* To read is cheap: how deep stacks were ever used is looked for, which reads most of them. */
    bool is_cheap;
};

struct rtos_task {
    uint64_t handle_addr; /* unique among the tasks that there are */
    char name[RTOS_NAME_MAX];
    char object[RTOS_NAME_MAX]; /* the name of what it waits for */
    bool has_cpu;               /* its registers are those of the CPU `cpu`, not these: */
    unsigned cpu;
    struct regs regs;      /* as the kernel saved them; those that it does not save are not known */
    struct snap_task told; /* but for time_ns, holder_tid; object, system are set by the user */
    uint64_t holder_addr;  /* the control block of who has what it waits for; 0: nobody, unknown */
};

struct rtos_tasks {
    struct rtos_task tasks[RTOS_TASKS_MAX];
    size_t count;
    uint64_t tick;       /* the system's, now; 0: not known */
    bool is_cut;         /* there are more, or the kernel's lists are not whole: `problem` */
    const char *problem; /* static storage; NULL: none */
};

struct rtos_system {
    const char *name; /* "FreeRTOS" */
    const struct rtos_field *fields;
    size_t field_count;
    uint8_t paint; /* what stacks are filled with, if they are; 0: it has no such */
    /*
     * Fills in the tasks, of which *out has none. NOT_FOUND: the kernel has not started. FAULT: its
     * own variables cannot be read.
     */
    enum status (*walk)(const struct rtos_layout *layout, const struct rtos_memory *memory,
                        struct rtos_tasks *out);
};

#define RTOS_DECLARE(name) extern const struct rtos_system rtos_##name;
RTOS_LIST(RTOS_DECLARE)
#undef RTOS_DECLARE

/* As the system's walk; *out need not be initialised. */
MUST_CHECK enum status rtos_walk(const struct rtos_layout *layout, const struct rtos_memory *memory,
                                 struct rtos_tasks *out);

/* The state as samples have it (event.h); 0: not known. */
char rtos_task_letter(uint8_t state);

/* The one of the tasks whose control block is there; NULL: none. */
const struct rtos_task *rtos_tasks_find(const struct rtos_tasks *tasks, uint64_t handle_addr);

#endif
