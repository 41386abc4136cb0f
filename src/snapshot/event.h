/* SPDX-License-Identifier: MIT */
/*
 * Events: the history of the captured processes, in the order of time. All inputs (snapshots,
 * cores, perf.data, dumps: source.h) are read as these events, and the unwinder takes samples in no
 * other form. Times (time_ns) are on the input's clock; all pointers are borrowed from whoever made
 * the event.
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
    /* path of the executable, host's name, kernel's version; NUL-terminated */
    const char *exe, *host, *kernel;
    const uint8_t *command_line, *auxv;
    uint32_t command_line_size, auxv_size;
    bool exec;        /* the known pid runs another program: its maps are gone */
    bool whole;       /* all threads of the process are captured; false: only some, or not known */
    bool tells_ready; /* the process's samples distinguish SNAP_STATE_READY from 'R' */
    bool has_ticks;   /* the process's CPU time is in TICKs, not in samples */
};

/*
 * A sample's state is a letter of /proc/PID/stat or SNAP_STATE_READY: runnable, and not known to
 * have had a CPU. 'R' means on a CPU where snap_process.tells_ready is set, else on a CPU or
 * runnable.
 */
#define SNAP_STATE_READY 'Q'

static inline bool snap_state_is_runnable(char state)
{
    return state == 'R' || state == SNAP_STATE_READY;
}

/*
 * snap_map.kind of the kernel's mapping, made by importers only, for all processes; path is a name.
 */
#define SNAP_MAP_KERNEL 5

/* Identifies the kernel besides its build-id, and places it in memory. */
struct snap_kernel {
    const char *symbol;   /* symbol by which the kernel is placed; NULL or "": none */
    uint64_t symbol_addr; /* run-time address of `symbol` */
    bool is_this;         /* host and release equal those of this machine */
};

/*
 * Relation between a map's run-time addresses and its file. SNAP_ANCHOR_OFFSET: file_off is
 * mapped at start_addr. With BIAS and ENTRY the importer does not know file offsets: file_off is
 * only a placeholder, and
 *
 *     SNAP_ANCHOR_BIAS    vaddr = address - anchor_addr
 *     SNAP_ANCHOR_ENTRY   the file's entry point lies at anchor_addr
 */
enum snap_anchor { SNAP_ANCHOR_OFFSET, SNAP_ANCHOR_BIAS, SNAP_ANCHOR_ENTRY };

struct snap_map {
    uint32_t pid;
    uint8_t kind; /* enum snap_map_kind, or SNAP_MAP_KERNEL */
    uint8_t prot, flags, build_id_size;
    const uint8_t *build_id;
    uint64_t start_addr, end_addr, file_off, dev, inode;
    const char *path;
    const struct snap_kernel *kernel; /* only with SNAP_MAP_KERNEL; NULL: not known */
    enum snap_anchor anchor; /* SNAP_ANCHOR_OFFSET in all snapshots; importers set others */
    uint64_t anchor_addr;    /* an address whose meaning depends on `anchor` */
    bool is_executable;      /* an importer found that this maps the process's executable */
};

struct snap_range { /* UNMAP, or CODE (then with bytes) */
    uint32_t pid;
    uint64_t start_addr, end_addr;
    const uint8_t *bytes; /* CODE: end_addr - start_addr bytes; UNMAP: NULL */
};

/* A part of a file with names of code made at run time (FORMAT.md, type 16). */
struct snap_names {
    uint32_t pid, size;
    uint64_t time_ns;
    uint64_t off; /* offset of this part in the file */
    const uint8_t *bytes;
    bool is_ahead; /* delivered before its turn; comes again at its place in the stream */
};

/* A part of an ELF file that describes code made at run time (FORMAT.md, type 18). */
struct snap_symbol_file {
    uint32_t pid, size;
    uint64_t time_ns;
    uint64_t addr, file_size; /* address and size of the whole file in the process's memory */
    uint64_t off;             /* offset of this part in the file */
    const uint8_t *bytes;
    bool is_ahead; /* delivered before its turn, as in struct snap_names */
};

struct snap_thread {
    uint32_t pid, tid;
    uint64_t time_ns, start_ticks;
    const char *name;   /* name of the thread; NULL in THREAD_END */
    uint32_t inner_tid; /* tid in the process's own pid namespace; 0: not known */
};

struct snap_region {
    uint64_t start_addr, end_addr, map_end_addr; /* map_end_addr: end of the mapping around it */
    /* end_addr - start_addr bytes; NULL: to be read with snap_sample.memory */
    const uint8_t *bytes;
};

/* Access to the bytes of regions whose `bytes` is NULL. */
struct snap_memory {
    /* Copies `size` bytes at `addr`; false: not all of them can be read. */
    bool (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    void *context;
};

/*
 * Copies `size` bytes at `addr` to `buffer`; the region must hold them all. Returns false if the
 * region has no bytes and `memory` is NULL or cannot read them.
 */
static inline bool snap_region_read(const struct snap_region *region,
                                    const struct snap_memory *memory, uint64_t addr, void *buffer,
                                    size_t size)
{
    if (!region->bytes)
        return memory && memory->read(memory->context, addr, buffer, size);
    memcpy(buffer, region->bytes + (addr - region->start_addr), size);
    return true;
}

/* An object that a blocked thread waits for; FORMAT.md, type 13. */
struct snap_wait {
    uint8_t kind;     /* enum snap_wait_kind */
    uint64_t time_ns; /* the last time at which the thread was known to wait for the object */
    /* SNAP_WAIT_MEMORY: address of the object, `size` bytes from there on, the mapping. */
    uint64_t addr;
    const uint8_t *bytes;
    uint32_t size;
    uint8_t place; /* enum snap_place */
    uint64_t map_start_addr, map_end_addr;
    uint64_t file_addr; /* address at which the file's offset 0 is mapped; 0: none */
    const char *path;
    /* SNAP_WAIT_FD: the file descriptor, and its link in /proc/PID/fd. */
    uint32_t fd;
    const char *link;
};

/*
 * State of snap_goroutine, which says where the goroutine of a thread of a Go program was left
 * (goroutine.h). While the goroutine runs on its own stack this is where it was left the last time,
 * except for a moment around a switch.
 */
enum snap_goroutine_state {
    SNAP_GOROUTINE_UNKNOWN = 0,
    SNAP_GOROUTINE_NONE = 1, /* the thread has no goroutine: it looks for one */
    SNAP_GOROUTINE_LEFT = 2,
};

struct snap_goroutine {
    uint8_t state;       /* enum snap_goroutine_state */
    uint64_t sp, pc, lr; /* with SNAP_GOROUTINE_LEFT: where the goroutine was left; lr 0: none */
};

/* A system register of a board, as read in the sample's stop (FORMAT.md, type 22). */
struct snap_system {
    uint32_t number;
    uint64_t value;
};

/* An RTOS's description of a thread (FORMAT.md, type 23). */
struct snap_task {
    uint64_t time_ns;
    uint64_t handle_addr; /* run-time address of the task's control block */
    int32_t priority, base_priority;
    uint8_t state;     /* enum snap_task_state */
    uint8_t wait_kind; /* enum snap_task_wait */
    uint8_t flags;     /* SNAP_TASK_LOW_FIRST, SNAP_TASK_TIMED */
    /* Bounds of the task's stack, and its lowest byte that was ever used; 0: not known. */
    uint64_t stack_start_addr, stack_end_addr, stack_used_addr;
    uint64_t object_addr; /* the object that the task waits for; 0: none, or not known */
    uint32_t holder_tid;  /* holder of that object; 0: nobody, or not known */
    uint64_t wake_tick;   /* tick at which the wait times out; 0: never, or not known */
    uint64_t tick;        /* the system's tick at time_ns; 0: not known */
    const char *object;   /* name of the object that the task waits for; "": not known */
    const char *system;   /* name of the RTOS, "FreeRTOS" */
};

/* A sample of a live thread: a THREAD with this pid and tid came before. */
struct snap_sample {
    uint32_t pid, tid;
    uint32_t slot; /* the snapshot reader's slot of the thread (live_threads.h); importers: 0 */
    uint64_t time_ns;
    /* Time since the thread's previous sample: on a CPU; runnable without a CPU. */
    uint64_t cpu_ns, delay_ns;
    uint64_t wall_ns; /* time since the thread's previous sample or repeat; 0: its first */
    char state;       /* a letter of /proc/PID/stat or SNAP_STATE_READY; 0: not known */
    bool repeat;      /* equals the thread's previous sample in all but times */
    /* For a repeat: the waits equal those of the previous sample or repeat in all but times. */
    bool same_waits;
    bool has_syscall; /* the thread is in a system call: number and arguments are set */
    bool held;        /* at time_ns all threads with a held sample of this time were stopped */
    uint8_t flags;    /* bits SNAP_SAMPLE_* of format.h */
    int64_t syscall;  /* number of the system call; with has_syscall */
    uint64_t syscall_args[6]; /* arguments of the system call; with has_syscall */
    uint8_t signal;           /* cores only: the signal that ended or stopped the thread; 0: none */
    /*
     * From this address to the end of the first region the bytes equal those of the thread's
     * previous sample, whose first region had the same end; UINT64_MAX: no bytes are known to be
     * equal; 0: not compared.
     */
    uint64_t unchanged_addr;
    struct regs regs;
    /*
     * Captured memory, region_count disjoint pieces, which may be empty. The first holds SP if any
     * does. If there are more than SNAP_REGION_MAX, those behind the first are sorted by address.
     */
    const struct snap_region *regions;
    uint32_t region_count;
    const struct snap_memory *memory; /* reads regions without bytes; NULL: all have bytes */
    /*
     * Set by importers only: frames that the recording program found, innermost first.
     * kernel_chain: the kernel's part of the chain; user_chain: the user's part, first the PC, then
     * return addresses, if the recorder followed user frames, too.
     */
    const uint64_t *kernel_chain, *user_chain;
    uint32_t kernel_count, user_count;
    uint64_t stack_map_addr; /* start of the mapping that holds the first region; 0: not known */
    struct snap_goroutine goroutine;
    uint64_t goroutine_id;         /* number of the goroutine (runtime.g's goid); 0: not known */
    const struct snap_wait *waits; /* objects that the thread waits for; NULL: none */
    uint32_t wait_count;
    /*
     * Memory that registers and the innermost part of the stack pointed to, if the capture was
     * asked for it (FORMAT.md, type 20): disjoint, sorted by address, map_end_addr 0. Not used for
     * unwinding. A repeat has its sample's.
     */
    const struct snap_region *pointees;
    uint32_t pointee_count;
    /* Boards only: system registers (a repeat has its sample's), and the task by the RTOS. */
    const struct snap_system *system;
    uint32_t system_count;
    const struct snap_task *task; /* NULL: none */
    bool no_context; /* `regs` has no user registers: a kernel thread, or not recorded */
};

/*
 * A thread made another thread or process. `maker` is a sample of the making thread at that moment,
 * with time_ns but no cpu_ns, delay_ns and wall_ns.
 */
struct snap_creation {
    struct snap_sample maker;
    uint32_t new_pid, new_tid;
};

/* The process is a target without Linux (FORMAT.md, type 21). */
struct snap_board {
    uint32_t pid;
    uint64_t time_ns;
    uint8_t profile; /* enum snap_profile */
    /* Address of the vector table, and its first two entries; 0: not known, or none. */
    uint64_t vectors_addr, initial_sp, reset_addr;
    const char *machine; /* name that the target gives itself; "": not known */
};

/* CPU time that a process has used so far, and the time between rounds (FORMAT.md, type 24). */
struct snap_usage {
    uint32_t pid;
    uint64_t time_ns;
    uint64_t cpu_ns;    /* used by all threads of the process, ended ones included */
    uint64_t period_ns; /* average time between rounds from time_ns on; 0: not known */
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
     * Says which member of the union is set. IDLE, WAIT, UNCHANGED, POINTEES, SYSTEM and TASK never
     * appear: their contents come with the SAMPLE of each thread. A TICK uses `sample`, with state
     * 'R', CPU time and no wall time.
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
