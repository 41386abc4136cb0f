/* SPDX-License-Identifier: MIT */
/*
 * What happened to the captured processes, as events in the order of time: the one form in which
 * samples reach the unwinder, whatever file they come from (source.h).
 */
#ifndef SNAPSHOT_EVENT_H
#define SNAPSHOT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "arch/arch.h"
#include "snapshot/format.h"

struct snap_process {
    uint32_t pid, parent_pid;
    uint64_t time_ns;
    uint32_t page_size, word_size;
    uint64_t pac_mask;
    const char *exe, *host, *kernel; /* NUL-terminated */
    const uint8_t *command_line, *auxv;
    uint32_t command_line_size, auxv_size;
    bool exec;        /* the pid was known: forget its maps */
    bool whole;       /* all its threads are captured; false: not known, or some */
    bool tells_ready; /* its samples' states tell SNAP_STATE_READY from 'R' */
    bool has_ticks;   /* TICKs tell where its CPU time went, not its samples */
};

/*
 * States of samples are the letters of /proc/PID/stat, and one more: runnable, and not known to
 * have had a CPU. 'R' is on a CPU then, or runnable where nothing tells.
 */
#define SNAP_STATE_READY 'Q'

static inline bool snap_state_is_runnable(char state)
{
    return state == 'R' || state == SNAP_STATE_READY;
}

/* A kind of map that importers make: the kernel, of all processes. Its path is a name. */
#define SNAP_MAP_KERNEL 5

/* What tells which kernel it was, besides its build-id, and where it was in memory. */
struct snap_kernel {
    const char *symbol;   /* one of its symbols, or NULL */
    uint64_t symbol_addr; /* where that was */
    bool is_this;         /* host and release are those of this machine */
};

/*
 * How a map lies to its file's addresses, where an importer does not know the file's offsets: then
 * file_off stands for them only, and vaddr is
 *   SNAP_ANCHOR_BIAS   the address less anchor_addr
 *   SNAP_ANCHOR_ENTRY  such that the file's entry point is at anchor_addr
 */
enum snap_anchor { SNAP_ANCHOR_OFFSET, SNAP_ANCHOR_BIAS, SNAP_ANCHOR_ENTRY };

struct snap_map {
    uint32_t pid;
    uint8_t kind; /* enum snap_map_kind, or SNAP_MAP_KERNEL */
    uint8_t prot, flags, build_id_size;
    const uint8_t *build_id;
    uint64_t start_addr, end_addr, file_off, dev, inode;
    const char *path;
    const struct snap_kernel *kernel; /* of SNAP_MAP_KERNEL; may be NULL */
    enum snap_anchor anchor;          /* OFFSET in all snapshots */
    uint64_t anchor_addr;
    bool is_executable; /* of the process's executable, as an importer has found; else not known */
};

struct snap_range { /* UNMAP; CODE with bytes */
    uint32_t pid;
    uint64_t start_addr, end_addr;
    const uint8_t *bytes; /* CODE: end - start of them */
};

/* Names of code that was made at run time: a part of a file; FORMAT.md, type 16. */
struct snap_names {
    uint32_t pid, size;
    uint64_t time_ns;
    uint64_t off; /* of the part in the file */
    const uint8_t *bytes;
    bool is_ahead; /* it comes earlier than it was told, and will come again then */
};

/* A part of an ELF file that tells of code that was made at run time; FORMAT.md, type 18. */
struct snap_symbol_file {
    uint32_t pid, size;
    uint64_t time_ns;
    uint64_t addr, file_size; /* of the whole file, in the process's memory */
    uint64_t off;             /* of the part in the file */
    const uint8_t *bytes;
    bool is_ahead; /* as of snap_names */
};

struct snap_thread {
    uint32_t pid, tid;
    uint64_t time_ns, start_ticks;
    const char *name;   /* THREAD_END: NULL */
    uint32_t inner_tid; /* in the process's own pid namespace; 0: not known */
};

struct snap_region {
    uint64_t start_addr, end_addr, map_end_addr;
    const uint8_t *bytes; /* end - start of them; NULL: they are read by the sample's memory */
};

/* What reads regions that have no bytes; false: they cannot be had. */
struct snap_memory {
    bool (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    void *context;
};

/* Copies bytes that the region holds. */
static inline bool snap_region_read(const struct snap_region *region,
                                    const struct snap_memory *memory, uint64_t addr, void *buffer,
                                    size_t size)
{
    if (!region->bytes)
        return memory && memory->read(memory->context, addr, buffer, size);
    memcpy(buffer, region->bytes + (addr - region->start_addr), size);
    return true;
}

/* What a blocked thread waits for; FORMAT.md, type 13. */
struct snap_wait {
    uint8_t kind;     /* enum snap_wait_kind */
    uint64_t time_ns; /* when it was last known to be so */
    /* Memory: */
    uint64_t addr;
    const uint8_t *bytes;
    uint32_t size;
    uint8_t place; /* enum snap_place */
    uint64_t map_start_addr, map_end_addr;
    uint64_t file_addr; /* where the file's offset 0 is mapped; 0: nowhere */
    const char *path;
    /* File descriptor: */
    uint32_t fd;
    const char *link;
};

/*
 * Of a Go program: where the thread's goroutine was left (goroutine.h). While it runs on its own
 * stack that was the last time, but for a moment before and after.
 */
enum snap_goroutine_state {
    SNAP_GOROUTINE_UNKNOWN = 0,
    SNAP_GOROUTINE_NONE = 1, /* the thread has none: it looks for one */
    SNAP_GOROUTINE_LEFT = 2,
};

struct snap_goroutine {
    uint8_t state;       /* enum snap_goroutine_state */
    uint64_t sp, pc, lr; /* LEFT; lr: 0 where there is none */
};

/* A register of the system, as it was in the sample's stop; FORMAT.md, type 22. */
struct snap_system {
    uint32_t number;
    uint64_t value;
};

/* What an RTOS says of a thread; FORMAT.md, type 23. */
struct snap_task {
    uint64_t time_ns;
    uint64_t handle_addr; /* its control block */
    int32_t priority, base_priority;
    uint8_t state;     /* enum snap_task_state */
    uint8_t wait_kind; /* enum snap_task_wait */
    uint8_t flags;     /* SNAP_TASK_LOW_FIRST, SNAP_TASK_TIMED */
    /* Of its stack: where it is, and the lowest byte that was ever used; 0: not known */
    uint64_t stack_start_addr, stack_end_addr, stack_used_addr;
    uint64_t object_addr; /* what it waits for; 0: not known, or nothing */
    uint32_t holder_tid;  /* who has that; 0: nobody, or not known */
    uint64_t wake_tick;   /* by the system's ticks, when it waits no longer; 0: never, or unknown */
    uint64_t tick;        /* what that is now; 0: not known */
    const char *object;   /* the name of what it waits for, or "" */
    const char *system;   /* "FreeRTOS" */
};

struct snap_sample {
    uint32_t pid, tid;
    uint64_t time_ns;
    uint64_t cpu_ns, delay_ns; /* since the sample before: on a CPU; runnable without one */
    uint64_t wall_ns; /* since the thread's previous sample or its repeat; 0 for its first */
    char state;       /* 0: not known */
    bool repeat;      /* same as the thread's previous sample in all but times */
    /* Of a repeat: its waits are those of the sample or repeat before, but for their times. */
    bool same_waits;
    bool has_syscall;
    bool held; /* all threads that have a held sample of this time were stopped then: FORMAT.md */
    uint8_t flags;
    int64_t syscall;
    uint64_t syscall_args[6];
    uint8_t signal; /* that the thread died of or was stopped by, of a core; 0: none */
    /*
     * From here to the end of the first region the bytes are those that the thread's previous
     * sample had there, in a region of the same end; UINT64_MAX: none are; 0: nobody has looked.
     */
    uint64_t unchanged_addr;
    struct regs regs;
    /*
     * The memory that was captured, disjoint; the first holds SP where any does. Of more than
     * SNAP_REGION_MAX the others are sorted by address. They may be empty.
     */
    const struct snap_region *regions;
    uint32_t region_count;
    const struct snap_memory *memory; /* of regions without bytes; NULL: all have them */
    /*
     * Frames that whoever took the sample has found, innermost first: the kernel's part of the
     * chain, and the user's part (the first is the PC, the others return addresses) where the
     * frames were followed on the target. Importers only.
     */
    const uint64_t *kernel_chain, *user_chain;
    uint32_t kernel_count, user_count;
    uint64_t stack_map_addr; /* where the mapping of the first region begins; 0: not known */
    struct snap_goroutine goroutine;
    uint64_t goroutine_id;         /* by which Go's runtime calls it; 0: that is not known */
    const struct snap_wait *waits; /* NULL when there are none */
    uint32_t wait_count;
    /*
     * What registers and the innermost part of the stack pointed to, where that was asked for
     * (FORMAT.md, type 20): disjoint, sorted by address; map_end_addr is 0. It is no stack: nothing
     * is unwound by it. Of a repeat, as it was at the sample.
     */
    const struct snap_region *pointees;
    uint32_t pointee_count;
    /* Of a board: registers of the system, of a repeat as at the sample; what its RTOS says. */
    const struct snap_system *system;
    uint32_t system_count;
    const struct snap_task *task; /* NULL: it says nothing */
    bool no_context; /* no registers of user space: a kernel thread, or they were not recorded */
};

/*
 * `maker` is what a sample of the thread that made the new one would have been then; of its times
 * there is time_ns alone.
 */
struct snap_creation {
    struct snap_sample maker;
    uint32_t new_pid, new_tid;
};

/* That a process is a target without Linux, and how it begins; FORMAT.md, type 21. */
struct snap_board {
    uint32_t pid;
    uint64_t time_ns;
    uint8_t profile; /* enum snap_profile */
    /* The vector table, and what it says: 0 where it is not known, or there is none. */
    uint64_t vectors_addr, initial_sp, reset_addr;
    const char *machine; /* what the target calls itself, or "" */
};

/* What a process has used so far, and how far apart rounds are; FORMAT.md, type 24. */
struct snap_usage {
    uint32_t pid;
    uint64_t time_ns;
    uint64_t cpu_ns;    /* by all its threads, also those that have ended */
    uint64_t period_ns; /* between rounds, on average, from now on; 0: not known */
};

struct snap_loss_info {
    uint32_t pid, tid, count, reason;
    uint64_t time_ns;
};

struct snap_summary {
    uint64_t time_ns, samples, repeats, lost, rounds, rate_asked_mhz, rate_reached_mhz;
    uint64_t stopped_ns, stopped_max_ns, bytes_written;
    uint32_t end;
};

struct snap_event {
    /*
     * IDLE, WAIT, UNCHANGED, POINTEES, SYSTEM and TASK never appear: they are delivered with the
     * SAMPLE of each thread. A TICK is a `sample` of state 'R' that stands for its CPU time, and
     * for no wall time.
     */
    enum snap_type type;
    union {
        struct snap_process process;
        struct snap_map map;
        struct snap_range range;
        struct snap_names names;
        struct snap_symbol_file symbol_file;
        struct snap_thread thread;
        struct snap_sample sample;
        struct snap_creation creation;
        struct snap_board board;
        struct snap_usage usage;
        struct snap_loss_info loss;
        struct snap_summary summary;
    };
};

#endif
