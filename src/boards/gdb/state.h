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

/* Most threads of a stub (CPUs, or a program's threads) that are sampled. */
#define GDB_THREADS_MAX 256u
/* Most tasks of an RTOS that are sampled. */
#define GDB_TASKS_MAX RTOS_TASKS_MAX
/* Thread number of the first task; CPUs have lower numbers. */
#define GDB_TASK_FIRST 1001

/* Packets and objects that the stub offers in its reply to qSupported. */
struct gdb_offers {
    bool features, memory_map, auxv, exec_file, libraries, no_ack, binary_memory, multiprocess;
};

/* Place of a register: in the `g` reply or, if that ends before, by the register's number. */
struct gdb_place {
    bool is_there; /* the stub has this register */
    /* number: the stub's, for `p`; off, size: bytes in the `g` reply */
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
    uint64_t known; /* mask by register number */
};

/* A copy of a stack as of the thread's last sample: unchanged parts need not be read again. */
#define GDB_SHADOW_MAX ((size_t)16 << 10)

struct gdb_shadow {
    uint64_t start_addr;
    size_t size;
    unsigned reused; /* samples in a row that took a part of their stack from here */
    uint8_t *bytes;  /* owned, GDB_SHADOW_MAX of them; NULL: there was no memory */
};

/* Progress of reading a task's stack for paint (paint.h), from its lowest address on. */
struct gdb_paint {
    uint64_t stack_addr, at_addr; /* the stack's start; this pass has found paint up to at_addr */
    uint64_t used_addr;           /* by the last pass, the stack is used from here; 0: not known */
    uint64_t done_ns;             /* end of the last pass (CLOCK_MONOTONIC); 0: none has ended */
};

/* The data of a CPU, a task or a program's thread: struct target_thread's `own`. */
struct gdb_thread {
    struct gdb_thread_id id; /* the stub's id of the thread; tid 0: none */
    /* address of the task's control block, or a served task's number; 0: the thread is no task */
    uint64_t handle_addr;
    bool is_served; /* the debug server lists the thread as a task in this halt (served.h) */
    char served_name[PROC_NAME_SIZE]; /* the debug server's name of the thread */
    const struct rtos_task *task; /* as found in this halt, borrowed; NULL: no task of an RTOS */
    bool is_cpu;                  /* the thread is a CPU, or has one: CPU registers are its own */
    char state;                   /* SNAP_STATE_READY or proc(5)'s letter, in the last halt */
    uint64_t unknown;             /* mask of registers that are not known in this halt */
    struct gdb_registers regs;    /* in this halt */
    struct gdb_shadow shadows[2];
    struct gdb_paint paint;
};

/* A piece of code: a segment of a file, or memory that may have code. */
struct gdb_module {
    struct exec_map map;
    struct build_id id;
    enum snap_map_kind kind;
    bool may_change; /* the segment is writable, as it has variables, too */
    char *path;      /* owned; "": no file */
};

struct gdb_modules {
    struct gdb_module *items; /* owned; in ascending order of addresses */
    size_t count, cap;
};

/* Cache of memory that was read in this halt, for walking an RTOS's lists. */
#define GDB_LINE  256u
#define GDB_LINES 128u

struct gdb_cache {
    uint64_t addrs[GDB_LINES]; /* run-time addresses of the lines; an address's slot is its hash */
    uint32_t halts[GDB_LINES]; /* numbers of the halts in which the lines were read; 0: none */
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
    bool is_linux; /* the target is a Linux program; false: a board */
    pid_t pid;     /* number of the target's process in the snapshot */
    int signal_fd; /* signalfd(2) of the signals that `wait` takes; owned; -1: none yet */
    uint32_t halt; /* number of this halt, from 1 */
    bool is_looked, is_reported; /* this halt's threads are known; it was reported to the core */
    uint64_t held_until_ns;      /* the first halt lasts until then, for the core to ask; 0: no */

    struct target_thread *threads[GDB_THREADS_MAX]; /* the stub's threads; NULL: it has ended */
    size_t thread_count;
    struct gdb_thread_id cpu_ids[GDB_THREADS_MAX]; /* boards: ids of CPUs, as in `threads` */
    struct gdb_thread_id selected; /* thread whose registers the stub gives (Hg); tid 0: none */

    struct rtos_tasks *tasks; /* owned; NULL: no RTOS is known */
    struct target_thread *task_threads[GDB_TASKS_MAX];
    size_t paint_next;       /* index in task_threads: whose stack is read next for paint */
    uint64_t walk_until_ns;  /* time at which this halt's walk over the RTOS's lists is cut */
    uint64_t walks_cut;      /* number of walks that were cut short */
    const char *cut_problem; /* reason of the last of these; static storage */
    uint64_t unreached;      /* most known tasks that the walk of one halt missed */
    uint64_t without_psp;    /* samples of handlers over a stack whose SP is not known */
    bool saw_all_tasks;      /* in this halt, so that a missing task has ended */
    const char *adding;      /* name of the task that is being added; NULL: none is */
    bool serves_tasks;       /* the stub's threads are tasks, as listed by the debug server */
    bool is_ending;          /* the target has ended: all threads are to be reported as ended */

    struct gdb_modules modules;
    uint64_t generation;     /* number of changes of `modules` */
    uint64_t refreshed_ns;   /* time of the last look for modules */
    uint64_t refresh_ns;     /* the next one is due so long after it: see gdb_modules_refresh */
    uint64_t code_waited_ns; /* time waited since the last halt for further halts to read code */
    char *exe;               /* path of the program's file; owned; NULL: not known */
    uint8_t *auxv;           /* a program's auxiliary vector, owned; NULL: not known */
    size_t auxv_size;
    uint64_t stack_top_addr; /* end of a program's first stack; 0: not known */
    int64_t first_tid;       /* a program's thread on that stack */

    struct snap_board board;
    uint64_t board_ns;   /* time of the last gdb_board_look */
    uint64_t unreadable; /* requests for memory that the stub answered with an error */
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
