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

#define RTOS_TASKS_MAX  256 /* of one target */
#define RTOS_NAME_MAX   32  /* bytes, with the NUL */
#define RTOS_FIELDS_MAX 64  /* of one system */

/* X(name): rtos_<name> is its description. The first whose symbols are all there is taken. */
#define RTOS_LIST(X) X(freertos) X(zephyr) X(sample)

/* Something of the firmware that a system's description needs, in the order of its own enum. */
enum rtos_field_kind {
    RTOS_SYMBOL, /* the address of a variable: "pxCurrentTCB" */
    RTOS_MEMBER, /* the offset of a member, through nested ones: "tskTaskControlBlock.pcTaskName" */
    RTOS_SIZE,   /* the size of a type or variable, or of an array's element: "List_t" */
    RTOS_COUNT,  /* the elements of an array, which a variable or member is */
    RTOS_VALUE,  /* the value of an enumerator */
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

struct rtos_layout {
    const struct rtos_system *system;
    const struct arch *arch;
    struct rtos_found fields[RTOS_FIELDS_MAX]; /* by the system's enum */
};

struct rtos_memory {
    /* All `size` bytes at `addr`, or false. */
    bool (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    void *context;
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
    bool is_cut;         /* there are more, or the kernel's lists are not whole: `problem` */
    const char *problem; /* static storage; NULL: none */
};

struct rtos_system {
    const char *name; /* "FreeRTOS" */
    const struct rtos_field *fields;
    size_t field_count;
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

/* As the system's walk. */
MUST_CHECK enum status rtos_walk(const struct rtos_layout *layout, const struct rtos_memory *memory,
                                 struct rtos_tasks *out);

#endif
