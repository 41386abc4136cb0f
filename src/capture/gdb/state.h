/* SPDX-License-Identifier: MIT */
/*
 * What the parts of this backend share: the conversation with the stub, what it has told of its
 * target, and what was found in the halt that lasts. Internal to this folder; the interface is
 * backend.h.
 */
#ifndef CAPTURE_GDB_STATE_H
#define CAPTURE_GDB_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/gdb/client.h"
#include "capture/gdb/control.h"
#include "capture/gdb/features.h"
#include "capture/gdb/memory_map.h"
#include "capture/target/backend.h"
#include "rtos/rtos.h"

/* Threads of a stub's: CPUs, or those of a program. Further ones are not sampled. */
#define GDB_THREADS_MAX 256u
/* Of an RTOS: numbers that are in use. */
#define GDB_TASKS_MAX RTOS_TASKS_MAX
/* The number that the first task gets; CPUs have those below. */
#define GDB_TASK_FIRST 1001

/* What the stub can do. */
struct gdb_offers {
    bool features, memory_map, auxv, exec_file, libraries, no_ack, binary_memory, multiprocess;
};

/* A register that is read: in the `g` reply or, behind its end, by its number. */
struct gdb_place {
    bool is_there;
    uint32_t number, off, size;
};

struct gdb_layout {
    struct gdb_place regs[ARCH_REG_MAX];                             /* by the arch's numbers */
    struct gdb_place control, primask, basepri, faultmask, psp, msp; /* ARM's M-profile */
    struct gdb_place mstatus, mcause, mepc, mtval;                   /* RISC-V */
};

/* The registers of one thread in this halt. */
struct gdb_registers {
    uint64_t values[ARCH_REG_MAX];
    uint64_t known; /* a bit for each that is */
};

/* What the last sample had of a stack, of which only what changed may be read. */
#define GDB_SHADOW_MAX ((size_t)16 << 10)

struct gdb_shadow {
    uint64_t start_addr;
    size_t size;
    unsigned reused; /* samples in a row that took a part of it as it was */
    uint8_t *bytes;  /* owned; GDB_SHADOW_MAX; NULL: there was no memory */
};

/* How far a task's stack was looked at for the paint that it was filled with (paint.h). */
struct gdb_paint {
    uint64_t stack_addr, at_addr; /* painted up to there, in this pass */
    uint64_t used_addr;           /* by the last; 0: not known */
    uint64_t done_ns;             /* when that ended; 0: none has */
};

/* Behind a target_thread's `own`. */
struct gdb_thread {
    struct gdb_thread_id id; /* the stub's; tid 0: it has none */
    uint64_t handle_addr;    /* a task's; 0: it is none. The server's number of one of its */
    bool is_served;          /* a task that the server tells of, at this halt (served.h) */
    char served_name[PROC_NAME_SIZE];
    const struct rtos_task *task; /* in this halt; NULL: it runs on no RTOS, or that has no such */
    bool is_cpu;                  /* its registers are the CPU's */
    char state;                   /* in the last halt */
    uint64_t unknown;             /* registers in this halt */
    struct gdb_registers regs;    /* as well */
    struct gdb_shadow shadows[2];
    struct gdb_paint paint;
};

/* Code that is mapped: a segment of a file, or what is not known to be one's. */
struct gdb_module {
    struct exec_map map;
    struct build_id id;
    enum snap_map_kind kind;
    bool may_change; /* its segment may be written: there are variables in it, too */
    char *path;      /* owned */
};

struct gdb_modules {
    struct gdb_module *items; /* owned; ascending */
    size_t count, cap;
};

/* Lines of memory that were read in this halt, for the walk through an RTOS. */
#define GDB_LINE  256u
#define GDB_LINES 128u

struct gdb_cache {
    uint64_t addrs[GDB_LINES]; /* of lines; by a hash */
    uint32_t halts[GDB_LINES]; /* in which they were read */
    uint8_t bytes[GDB_LINES][GDB_LINE];
};

struct gdb_state {
    const struct capture_options *options;
    const struct backend_host *host;
    struct gdb_bound bound;
    struct gdb_client client;
    struct gdb_control control;
    struct gdb_offers offers;
    struct gdb_features features;
    struct gdb_memory_map memory_map;
    struct gdb_layout layout;
    const struct arch *arch;
    bool is_linux;               /* a program; else a board */
    pid_t pid;                   /* its process, for the core */
    int signal_fd;               /* for wait */
    uint32_t halt;               /* counts from 1 */
    bool is_looked, is_reported; /* the stop that lasts: its threads are known; the core knows */
    uint64_t held_until_ns;      /* it is that of the beginning, and nobody has asked yet; 0: no */

    struct target_thread *threads[GDB_THREADS_MAX]; /* the stub's; NULL: it ended */
    size_t thread_count;
    struct gdb_thread_id cpu_ids[GDB_THREADS_MAX]; /* of a board, by the same index */
    struct gdb_thread_id selected;                 /* by Hg; tid 0: none was */

    struct rtos_tasks *tasks; /* owned; NULL: no RTOS is known */
    struct target_thread *task_threads[GDB_TASKS_MAX];
    size_t paint_next;       /* of task_threads: whose stack is looked at for paint */
    uint64_t walk_until_ns;  /* the walk of this halt ends */
    uint64_t walks_cut;      /* of all; the last one for this reason: */
    const char *cut_problem; /* static storage */
    uint64_t unreached;      /* at most, at one halt: tasks that had been seen before */
    uint64_t without_psp;    /* samples of handlers that interrupted a stack that is not told */
    bool saw_all_tasks;      /* at this halt; else who is missing has not ended */
    const char *adding;      /* the name of the task whose thread is being added */
    bool serves_tasks;       /* the stub's threads are such; no layout of ours is used */
    bool is_ending;          /* the end of all of them is to be told */

    struct gdb_modules modules;
    uint64_t generation;               /* of the modules */
    uint64_t refreshed_ns, changed_ns; /* when they were looked for, and were others */
    uint64_t code_waited_ns;           /* since the last sample, for halts to read code in */
    char *exe;                         /* owned; NULL: not known */
    uint8_t *auxv;
    size_t auxv_size;
    uint64_t stack_top_addr; /* of a program's first thread; 0: not known */

    struct snap_board board;
    uint64_t board_ns;   /* when it was last looked at */
    uint64_t unreadable; /* pieces of memory that were answered by E */
    struct gdb_cache cache;
};

static inline struct gdb_thread *gdb_thread_of(const struct target_thread *thread)
{
    return thread->own;
}

static inline bool gdb_is_m_profile(const struct gdb_state *st)
{
    return st->features.is_m_profile;
}

#endif
