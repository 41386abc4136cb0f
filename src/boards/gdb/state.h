/* SPDX-License-Identifier: MIT */
/*
 * The state that the parts of this backend share: the conversation with the stub, what it has told
 * of its target, and what was found in the present halt. Internal to this folder; the interface is
 * backend.h.
 */
#ifndef BOARDS_GDB_STATE_H
#define BOARDS_GDB_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "boards/gdb/client.h"
#include "boards/gdb/control.h"
#include "boards/gdb/features.h"
#include "boards/gdb/memory_map.h"
#include "capture/target/backend.h"
#include "boards/rtos/rtos.h"

/* A stub's threads: CPUs, or a program's threads. Further ones are not sampled. */
#define GDB_THREADS_MAX 256u
/* Tasks of an RTOS that have numbers. */
#define GDB_TASKS_MAX RTOS_TASKS_MAX
/* Number of the first task; CPUs have lower ones. */
#define GDB_TASK_FIRST 1001

/* What the stub can do. */
struct gdb_offers {
    bool features, memory_map, auxv, exec_file, libraries, no_ack, binary_memory, multiprocess;
};

/* Where a register is: in the `g` reply or, behind its end, by its number. */
struct gdb_place {
    bool is_there;
    uint32_t number, off, size;
};

struct gdb_layout {
    struct gdb_place regs[ARCH_REG_MAX];                             /* by the arch's numbers */
    struct gdb_place control, primask, basepri, faultmask, psp, msp; /* ARM's M-profile */
    struct gdb_place mstatus, mcause, mepc, mtval;                   /* RISC-V */
};

/* One thread's registers in this halt. */
struct gdb_registers {
    uint64_t values[ARCH_REG_MAX];
    uint64_t known; /* a mask */
};

/* A stack as of the last sample, of which only changes may be read. */
#define GDB_SHADOW_MAX ((size_t)16 << 10)

struct gdb_shadow {
    uint64_t start_addr;
    size_t size;
    unsigned reused; /* samples in a row that reused a part of it */
    uint8_t *bytes;  /* owned; GDB_SHADOW_MAX; NULL: there was no memory */
};

/* A task's stack, looked through for paint (paint.h). */
struct gdb_paint {
    uint64_t stack_addr, at_addr; /* this pass has found paint up to at_addr */
    uint64_t used_addr;           /* used from there on, by the last pass; 0: not known */
    uint64_t done_ns;             /* when the last pass ended; 0: none has */
};

/* Behind a target_thread's `own`. */
struct gdb_thread {
    struct gdb_thread_id id; /* the stub's; tid 0: none */
    /* address of a task's control block, or a served task's number; 0: no task */
    uint64_t handle_addr;
    bool is_served; /* the server lists it as a task in this halt (served.h) */
    char served_name[PROC_NAME_SIZE];
    const struct rtos_task *task; /* in this halt; NULL: no task of an RTOS */
    bool is_cpu;                  /* has a CPU: its registers are that CPU's */
    char state;                   /* as of the last halt */
    uint64_t unknown;             /* mask of registers that are not known in this halt */
    struct gdb_registers regs;    /* in this halt */
    struct gdb_shadow shadows[2];
    struct gdb_paint paint;
};

/* A piece of code: a segment of a file, or memory that may be code. */
struct gdb_module {
    struct exec_map map;
    struct build_id id;
    enum snap_map_kind kind;
    bool may_change; /* its segment is writable: it has variables, too */
    char *path;      /* owned */
};

struct gdb_modules {
    struct gdb_module *items; /* owned; ascending */
    size_t count, cap;
};

/* Cache of memory that was read in this halt, for walking an RTOS's lists. */
#define GDB_LINE  256u
#define GDB_LINES 128u

struct gdb_cache {
    uint64_t addrs[GDB_LINES]; /* addresses of lines, by a hash */
    uint32_t halts[GDB_LINES]; /* halts in which they were read */
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
    bool is_linux; /* a Linux program; else a board */
    pid_t pid;     /* number of its process, for the core */
    int signal_fd;
    uint32_t halt;               /* number of this halt, from 1 */
    bool is_looked, is_reported; /* this stop: its threads are known; it is reported */
    uint64_t held_until_ns; /* the first halt is kept until then, as nobody has asked yet; 0: no */

    struct target_thread *threads[GDB_THREADS_MAX]; /* the stub's; NULL: ended */
    size_t thread_count;
    struct gdb_thread_id cpu_ids[GDB_THREADS_MAX]; /* boards: the CPUs' ids, by the same index */
    struct gdb_thread_id selected;                 /* by Hg; tid 0: none */

    struct rtos_tasks *tasks; /* owned; NULL: no RTOS is known */
    struct target_thread *task_threads[GDB_TASKS_MAX];
    size_t paint_next;       /* index in task_threads: whose stack is looked at for paint */
    uint64_t walk_until_ns;  /* deadline of this halt's walk */
    uint64_t walks_cut;      /* walks that were cut short; reason of the last: */
    const char *cut_problem; /* static storage */
    uint64_t unreached;      /* most known tasks missed in one halt */
    uint64_t without_psp;    /* samples of handlers over a stack whose SP is not told */
    bool saw_all_tasks;      /* in this halt; else a missing task has not ended */
    const char *adding;      /* name of the task that is being added; else NULL */
    bool serves_tasks;       /* the stub's threads are tasks; no layout of ours is used */
    bool is_ending;          /* all threads are to be reported as ended */

    struct gdb_modules modules;
    uint64_t generation;               /* of the modules; counts changes */
    uint64_t refreshed_ns, changed_ns; /* when modules were last looked for, and last changed */
    uint64_t code_waited_ns; /* time waited since the last sample for halts to read code in */
    char *exe;               /* owned; NULL: not known */
    uint8_t *auxv;
    size_t auxv_size;
    uint64_t stack_top_addr; /* end of a program's first stack; 0: not known */

    struct snap_board board;
    uint64_t board_ns;   /* when the board was last looked at */
    uint64_t unreadable; /* pieces of memory that the stub answered by E */
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
