/* SPDX-License-Identifier: MIT */
/*
 * The interface between the core, which decides when a target is looked at, and backends, which
 * look at it. The core is the scheduler (sampler.c), the answers to stops (stops.c) and the records
 * (record.c); it knows no ptrace. A backend is a constant table of functions over its own state;
 * capture/ptrace/ is that for Linux processes. docs/dev/adding-a-capture-backend.md explains how to
 * write another.
 *
 *     check -> start -> { wait, next, ..., resume } -> destroy
 *
 * Ownership. The core owns processes and threads. A backend gets the `target` part of each, which
 * does not move, with zeroed room for the backend's data behind `own`; the backend frees what it
 * keeps there in forget_process and forget_thread. Results of a call belong to the core.
 *
 * Threads. The backend adds each thread that it finds with host.add_thread: in start those that
 * exist, later those that come. The end of a thread is an event.
 *
 * Stops. After interrupt the core waits for the event STOPPED, and may then read registers and
 * memory. The thread stays stopped until resume or detach. A backend may stop a thread for other
 * reasons (a signal, a breakpoint): this is the same event, the core takes a due sample in this
 * stop, and resume passes the signal on to the thread. Any stop answers an interrupt that is under
 * way, and that interrupt must not cause another stop.
 *
 * A backend without BACKEND_STOPS_ONE_THREAD stops the whole target, and has no BACKEND_CREATIONS.
 * Then interrupt, resume and STOPPED have a thread of NULL, all threads are sampled in one stop,
 * and exactly one resume answers each STOPPED. Such a backend reports no CREATED and no EXEC, and
 * reports threads that came or ended before STOPPED. It starts no command: signal_command and
 * detach may be NULL.
 *
 * Blocking. wait blocks until its time has come. All other calls return within the time of some
 * system calls or packets; the target stands still meanwhile. While the snapshot's reader does not
 * read, the core goes on to call wait, next and resume, and takes no samples: so no stop depends on
 * the output, and no function here may write to the output or wait for it.
 *
 * Failing. A call about a thread that is gone returns NOT_FOUND, or nothing, and does no harm: the
 * thread's end comes as an event. After a failed start the core calls forget_thread and
 * forget_process for the threads and processes that were added, and then destroy.
 *
 * The end. Once destroy was called and the process has exited, the target runs, whatever happened
 * before. A backend does what it can to have the target run on also if cgsnap dies without destroy.
 */
#ifndef CAPTURE_TARGET_BACKEND_H
#define CAPTURE_TARGET_BACKEND_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/arch.h"
#include "arch/capture.h"
#include "base/diag.h"
#include "base/file_pieces.h"
#include "base/procfs.h"
#include "base/status.h"
#include "capture/target/kept.h"
#include "capture/target/maps.h"
#include "capture/target/options.h"
#include "snapshot/elf_file.h"
#include "snapshot/event.h"
#include "snapshot/format.h"

/*
 * Abilities of a backend, as bits. A function of struct capture_backend whose comment begins with a
 * name below, without BACKEND_, may be NULL if the backend lacks that ability.
 */
enum backend_can {
    BACKEND_STOPS_ONE_THREAD = 1, /* stops a thread while others run; else the whole target */
    BACKEND_STATES = 2,           /* reads state and system call of a thread that is not stopped */
    BACKEND_CPU_TIMES = 4, /* tells whether a thread has run; else each round samples all threads */
    BACKEND_CREATIONS = 8, /* stops a thread that makes another (CREATED) before both run */
};

struct target_process {
    pid_t pid;
    size_t live; /* number of threads that have not ended, as counted by the core */
    void *own;   /* for the backend's use, process_size bytes */
};

struct target_thread {
    pid_t tid; /* no two live threads have the same */
    struct target_process *process;
    void *own; /* for the backend's use, thread_size bytes */
};

/* Properties common to all programs of the target; filled by start. */
struct target_machine {
    const struct arch *arch;
    uint64_t page_size; /* bytes, a power of two */
    uint64_t addr_mask; /* bits of a pointer that are address; the others are a tag */
    uint64_t pac_mask;  /* bits of a signed return address that are no address */
    unsigned red_zone;  /* bytes below SP that belong to the running function */
    /* `usage` also tells how long a thread waited for a CPU, and how often it got one */
    bool tells_ready;
    bool can_leave; /* `leave` does no harm to these programs */
#if CAPTURE_BOARDS
    bool code_stays; /* code is read only once, as reading halts the target */
#endif
    /*
     * Bytes in a signal frame from the word with the interrupted SP to the word with the alternate
     * stack's address, negative; 0: there are no such frames.
     */
    int frame_stack_off;
};

/* A thread's state before it was interrupted for a sample. */
struct activity {
    char state; /* as in /proc/PID/stat; 0: not known */
    bool known; /* `call` is known */
    struct proc_syscall call;
};

/* Result of a backend's `wait`, if no signal came. */
enum backend_wait {
    WAIT_EVENTS = 0,  /* there may be events */
    WAIT_PASSED = -1, /* until_ns has come */
    WAIT_STOPPED = -2 /* cgsnap itself was stopped, and goes on: there may be (old) events */
};

enum backend_event_kind {
    EVENT_NONE,    /* nothing for the core: needs no answer */
    EVENT_STOPPED, /* the thread, or the whole target, has stopped: to be resumed */
    EVENT_CREATED, /* the thread has stopped, as it made the thread `made`: to be resumed */
    EVENT_EXEC,  /* the thread has stopped: its process runs a new program, with this thread only */
    EVENT_ENDED, /* the thread, or the command that was started, has ended */
};

struct backend_event {
    enum backend_event_kind kind;
    struct target_thread *thread; /* NULL: the whole target; EVENT_ENDED: no known thread */
    uint64_t seen_ns;             /* when the stop was seen (CLOCK_MONOTONIC) */
    bool by_signal;               /* STOPPED: with a signal, which may have ended a system call */
    bool stays;                   /* STOPPED: by job control: resume leaves the thread stopped */
    pid_t made;                   /* CREATED: number of the new thread; 0: not known */
    bool other_machine;           /* EXEC: the new program cannot be captured */
    bool command_ended;           /* ENDED: the command has ended, with all its threads */
    int command_status;           /* command_ended: as waitpid(2) gives it */
};

/* Functions of the core that a backend calls, from start to destroy. */
struct backend_host {
    void *context; /* first argument of the functions */
    /*
     * Returns the process `pid`, of which `tid` is a thread; adds the process if it is wanted
     * (found by start or find_more, or made by a followed fork) and not known. NULL: it is not
     * wanted, or there is no memory: the backend lets the thread go.
     */
    struct target_process *(*add_process)(void *context, pid_t pid, pid_t tid);
    /*
     * Adds a thread that the backend controls. `made`: the thread has just begun; with CREATIONS
     * the event of the thread that made it is still to come. NULL: no memory, and the capture ends.
     */
    struct target_thread *(*add_thread)(void *context, struct target_process *process, pid_t tid,
                                        bool made);
    /* Returns the live thread with this number; NULL: there is none. */
    struct target_thread *(*find_thread)(void *context, pid_t tid);
    /* Takes and answers the events that there are; start calls it before it causes many more. */
    void (*answer_events)(void *context);
};

/* Most pieces of the target's memory in one call of `memory`. */
#define TARGET_PIECES_MAX 256u

struct target_memory {
    uint64_t addr;
    size_t size;
};

/* A page of the target's memory. */
struct target_page {
    uint64_t number; /* the page's address divided by the page size */
    bool is_own;     /* present, private, and of no file: reading the page waits for nothing */
};

/* One tick of a CPU's clock (snapshot/FORMAT.md, TICK): the code that the CPU ran. */
struct cpu_tick {
    pid_t pid, tid;              /* the thread that the CPU ran */
    uint64_t time_ns;            /* CLOCK_MONOTONIC */
    uint64_t cpu_ns;             /* CPU time that the tick stands for */
    uint64_t regs[ARCH_REG_MAX]; /* by the numbers of arch/arch.h, the first `reg_count` of them */
    unsigned reg_count;
    const uint8_t *stack; /* from SP on; borrowed until the next clock_next */
    uint64_t stack_size;  /* number of bytes at `stack` */
};

/* A file that a program has mapped as code. */
struct cpu_mapped {
    pid_t pid;        /* 0: such reports were lost, of any program */
    uint64_t time_ns; /* CLOCK_MONOTONIC */
    uint64_t start_addr, end_addr, file_off, inode;
};

/* Contents of a PROCESS record; a member that is not known is 0 or empty. */
struct process_facts {
    uint32_t parent_pid;
    char exe[4096], host[65], kernel[65]; /* path of the program; names of host and kernel */
    uint8_t *command_line, *auxv;         /* malloc'ed; the receiver frees */
    size_t command_line_size, auxv_size;
};

/* Contents of a MAP record besides struct exec_map's addresses and protection. */
struct map_facts {
    enum snap_map_kind kind;
    bool deleted;       /* the path leads to another file than the mapped one, or to none */
    bool is_unanswered; /* the file did not answer in time */
    /* Those of the mapping; of a copy of a file's text (moved_text.h) those that the text had. */
    uint64_t file_off, dev, inode;
    char path[4096];
    struct build_id id;
    struct file_pieces pieces; /* none, if it has a build-id */
};

/* Most bytes of a struct names_part. */
#define NAMES_PART_MAX 32768u

/* A part of the file in which a process names code that it makes (snapshot/FORMAT.md, NAMES). */
struct names_part {
    uint32_t number, is_there; /* for the backend's use */
    uint64_t changed_ns;       /* when the file last changed; to be compared only */
    uint8_t bytes[NAMES_PART_MAX];
};

/* The reasons to ask for a process's symbol files. */
enum symbol_files_question {
    SYMBOL_FILES_FIRST, /* the first question since the process was found or called exec */
    SYMBOL_FILES_MAPS,  /* the process's mappings have changed */
    SYMBOL_FILES_AGAIN, /* time has passed: new files may have been registered */
};

/* A copied symbol file that a process registered (snapshot/FORMAT.md, SYMBOL_FILE). */
struct symbol_file {
    pid_t pid;
    uint32_t program;    /* ask_symbol_files' argument of this name */
    uint64_t time_ns;    /* when the file was copied */
    uint64_t addr, size; /* place in the process's memory */
    int fd;              /* the copy, at its offset 0; the receiver closes it */
};

/* Tells whether a process still runs the same program. */
enum target_program {
    PROGRAM_SAME,
    PROGRAM_OTHER, /* the process has called exec */
    PROGRAM_ENDED, /* the process has ended */
};

#if CAPTURE_BOARDS
struct stack_arena; /* defined in capture/target/stack.h, with struct stack_copy */
struct stack_copy;

/* Halts of a target that must not be halted for long. */
struct target_halts {
    uint64_t next_ns;                   /* earliest time of the next halt (CLOCK_MONOTONIC) */
    uint64_t period_ns;                 /* least average distance of halts; 0: no limit */
    uint64_t count, total_ns, worst_ns; /* number of halts; their sum; the longest */
    /* number of halts that missed threads of an RTOS; most threads missed in a halt */
    uint64_t cut, unreached;
    const char *cut_problem; /* reason for missed threads; static storage */
    /* ARM's M-profile: number of samples of handlers over a stack whose SP is not known */
    uint64_t without_psp;
};
#endif

struct capture_backend {
    unsigned can;                     /* bits of enum backend_can */
    size_t process_size, thread_size; /* bytes behind `own` of a process, of a thread */

    /* Returns OK, unless start would fail for certain: then start's error, with its `diag`. */
    enum status (*check)(const struct capture_options *options, struct diag *diag);
    /*
     * Attaches to the target and adds its processes and threads (host.add_...); or starts the
     * command, which stays stopped before its first instruction until its only thread is resumed.
     * Fills `machine`. `options` and `host` are borrowed until destroy. Sets *state before the
     * first call of a function of `host`. On failure *state may be NULL, and `diag` says why; on
     * success `diag` may hold a warning.
     */
    enum status (*start)(const struct capture_options *options, const struct backend_host *host,
                         struct target_machine *machine, void **state, struct diag *diag);
    /*
     * Attaches to the process `pid` again, after all its threads were detached. NOT_FOUND: it has
     * ended, or another process, begun after `before_ns` (CLOCK_BOOTTIME), has its number. May be
     * NULL: cgsnap cannot be suspended then.
     */
    enum status (*attach_again)(void *state, pid_t pid, uint64_t before_ns, struct diag *diag);
    /*
     * Whether the thread, which was asked to stop and has not ended, cannot stop now; if so, fills
     * `diag` with the reason. May be NULL.
     */
    bool (*explain_running)(void *state, const struct target_thread *thread, struct diag *diag);
    /*
     * Attaches to new processes of the descendants or the cgroup that the user asked for. Returns
     * how many could not be attached to so far; `refusal`: why the first could not. May be NULL.
     */
    size_t (*find_more)(void *state, struct diag *refusal);
    /*
     * Whether any thread of `pid` is still attached to, also one not added. NULL as attach_again.
     */
    bool (*holds)(void *state, pid_t pid);
    /* Frees `state`; kills a command that was never resumed (it has run no instruction). */
    void (*destroy)(void *state);
    /* Sends `signal` to the command that start started. */
    void (*signal_command)(void *state, int signal);

    /*
     * Waits until `until_ns` (CLOCK_MONOTONIC, may be past) for events or one of `signals`, which
     * are blocked. Returns the number of a signal, which is pending no more, or an enum
     * backend_wait.
     */
    int (*wait)(void *state, const sigset_t *signals, uint64_t until_ns);
    /*
     * Takes the next event, without waiting. False: there is none. Each stop is returned once and
     * must be answered (by resume, detach or leave); more events may be taken before.
     */
    bool (*next)(void *state, struct backend_event *event);

    /* Asks the thread to stop. NOT_FOUND: the thread is gone, and no event will tell. */
    enum status (*interrupt)(void *state, struct target_thread *thread);
    /* Whether a thread that has not stopped for long is gone without an event. May be NULL. */
    bool (*is_gone)(void *state, const struct target_thread *thread);
    /* Lets a stopped thread go on, with the signal by which it was stopped. */
    void (*resume)(void *state, struct target_thread *thread);
    /* Lets a stopped thread go for good. NOT_FOUND: it was killed; its end comes as an event. */
    enum status (*detach)(void *state, struct target_thread *thread);
    /*
     * Detaches a stopped thread until reattach, as its own signals stop it too often. No event
     * tells anything of such a left thread: no stop, no creation, no end. After a failure it is
     * still stopped. NULL, as the next three functions: threads cannot be left.
     */
    enum status (*leave)(void *state, struct target_thread *thread);
    /*
     * Attaches to a left thread, which runs on. NOT_FOUND: it has ended. IO: refused, for instance
     * because another debugger has attached to it. BUSY, after some milliseconds: no thread of its
     * process can be attached to now, as one is in exec. If the process has called exec meanwhile,
     * the first thread's next stop is EVENT_EXEC.
     */
    enum status (*reattach)(void *state, struct target_thread *thread);
    /*
     * Adds (host.add_thread) the process's threads that are not known, as left ones; after an exec
     * only the first thread, unless that has ended. Returns the number of threads of the process.
     */
    size_t (*list_threads)(void *state, struct target_process *process);
    /*
     * Returns whether a process with left threads has ended or called exec; PROGRAM_SAME also if an
     * event has told of it.
     */
    enum target_program (*program)(void *state, const struct target_process *process);
    /*
     * CREATIONS. Returns the number of the process of thread `tid`, which a CREATED event named and
     * for which host.add_thread was not called; 0: the backend does not control the thread.
     */
    pid_t (*find_made)(void *state, pid_t tid);

    /*
     * Fills `values` with a stopped thread's registers, by the numbers of arch/arch.h, and sets the
     * thread pointer (0: none). NOT_FOUND: it is gone; UNSUPPORTED: it runs a program of another
     * machine.
     */
    enum status (*registers)(void *state, struct target_thread *thread, uint64_t *values,
                             uint64_t *thread_pointer);
    /*
     * Reads `count` pieces of memory, one behind the other, into `buffer`, through the thread
     * `tid`, stopped or not. Ends at the first byte that cannot be read, and sets *done to the
     * number of bytes read. FAULT: not all were read; NOT_FOUND: the thread has ended; IO: memory
     * must not be read now; BUSY: it can be read later.
     *
     * Code and Go's data are also read while the thread runs; a backend that cannot do so may stop
     * the target for this, or return IO: then they are missing in the snapshot.
     */
    enum status (*memory)(void *state, pid_t tid, const struct target_memory *pieces, size_t count,
                          void *buffer, size_t *done);

    /*
     * Sets is_own of `count` pages, which are in ascending order, through the stopped thread `tid`,
     * for options.pointees. IO: not known. NULL: no pointees are read.
     */
    enum status (*own_pages)(void *state, pid_t tid, struct target_page *pages, size_t count);

#if CAPTURE_BOARDS
    /*
     * Copies the thread's stacks into the arena and *out, as stack_copy does (stack.h); called in a
     * stop, after `registers`. NULL: the core calls stack_copy, which finds stacks by the mappings.
     */
    enum status (*copy_stacks)(void *state, struct target_thread *thread, struct stack_arena *arena,
                               struct stack_copy *out);
    /*
     * Tells the backend, before the first round, that the capture ends at `end_ns`
     * (CLOCK_MONOTONIC; UINT64_MAX: no limit), so that calls for a target that does not answer
     * return soon after that. May be NULL.
     */
    void (*set_end)(void *state, uint64_t end_ns);
    /* Tells when the target may be halted, and how long it was. NULL: it may be at any time. */
    void (*halts)(void *state, struct target_halts *out);
    /* Whether the connection to the target was lost; if so, `diag` says how. May be NULL. */
    bool (*failed)(void *state, struct diag *diag);
    /*
     * Fills the contents of a BOARD record; time_ns changes at a reset. False: the process is no
     * board. May be NULL.
     */
    bool (*board)(void *state, const struct target_process *process, struct snap_board *out);
    /*
     * Returns a mask of the registers that are not known of a stopped thread, after `registers`.
     * NULL: all registers are always known.
     */
    uint64_t (*unknown_registers)(void *state, const struct target_thread *thread);
    /*
     * Reads up to SNAP_SYSTEM_MAX system registers of a stopped thread into `out`; returns their
     * number. May be NULL.
     */
    uint32_t (*system_registers)(void *state, const struct target_thread *thread,
                                 struct snap_system *out);
    /*
     * Fills `out` with the RTOS's data of a stopped thread; the strings are borrowed until the next
     * call. False: the thread is no task of a known RTOS. May be NULL.
     */
    bool (*task)(void *state, const struct target_thread *thread, struct snap_task *out);
#endif

    /*
     * STATES. Reads state and system call of a thread that is not stopped, before it is
     * interrupted. False: the thread has ended.
     */
    bool (*activity)(void *state, struct target_thread *thread, struct activity *out);
    /*
     * STATES. Compares `activity`, read before, with the stop that followed, whose registers are
     * `values`: changes it to running if the stop did not find the thread in the same system call,
     * and clears a state that nothing tells.
     */
    void (*settle_activity)(void *state, struct target_thread *thread, const uint64_t *values,
                            struct activity *activity);
    /*
     * STATES. Whether the thread, stopped with the registers `values` in the system call
     * `activity`, will make this call again when it goes on. False: it was woken from the call.
     */
    bool (*is_in_call)(void *state, const struct target_thread *thread,
                       const struct activity *activity, const uint64_t *values);

    /* CPU_TIMES. Reads the thread's usage. False: the thread has ended. */
    bool (*usage)(void *state, struct target_thread *thread, struct proc_schedstat *out);
    /* CPU_TIMES. Reads a stopped thread's usage, and keeps it for has_run. False: it has ended. */
    bool (*usage_stopped)(void *state, struct target_thread *thread, struct proc_schedstat *out);
    /*
     * CPU_TIMES. Whether the thread, whose usage is `now`, has run since its last sample, before
     * which its activity was `last`. `last` NULL, as it has no sample: whether it has run since the
     * last such call; in the first whether it runs.
     */
    bool (*has_run)(void *state, struct target_thread *thread, const struct proc_schedstat *now,
                    const struct activity *last);
    /* CPU_TIMES. Returns the CPU that the thread has, or had last; -1: not known. May be NULL. */
    int (*last_cpu)(void *state, const struct target_thread *thread);
    /* CPU_TIMES. Returns the CPU time of all threads of the process, in ns; 0: not known. */
    uint64_t (*process_usage)(void *state, const struct target_process *process);

    /*
     * Starts clocks of the CPUs, halted until clock_run. Each ticks after each `period_ns` of its
     * CPU's time, for the thread that the CPU runs then, without stopping it; a tick has at most
     * `stack_size` bytes of stack. UNSUPPORTED: `diag` says why there are no clocks. NULL, as the
     * next five functions: there never are. Those are called only after clock_start returned OK.
     */
    enum status (*clock_start)(void *state, uint64_t period_ns, uint32_t stack_size,
                               struct diag *diag);
    void (*clock_run)(void *state, bool run);
    void (*clock_set_period)(void *state, uint64_t period_ns);
    /* Takes a tick, of any program; ticks of one CPU ascend in time. False: there is none now. */
    bool (*clock_next)(void *state, struct cpu_tick *out);
    /*
     * Takes the next file that any program has mapped as code while the clock ran; ahead of ticks
     * that clock_next has not given yet. False: there is none now. NULL: the clock does not tell.
     */
    bool (*clock_mapped)(void *state, struct cpu_mapped *out);
    /* Returns how many ticks, of any program, were lost for lack of room since the last call. */
    uint64_t (*clock_lost)(void *state);
    /* Ends the clocks; destroy does so, too. */
    void (*clock_stop)(void *state);

    /* Reads the thread's name, and its start time unless start_ticks is NULL. False: unreadable. */
    bool (*identify)(void *state, const struct target_thread *thread, char name[PROC_NAME_SIZE],
                     uint64_t *start_ticks);
    /* Returns the tid in the process's own pid namespace; 0: not known. NULL: it is `tid`. */
    uint32_t (*inner_tid)(void *state, const struct target_thread *thread);
    /* Fills `out`, which is zeroed, with the facts about the process that are known. */
    void (*describe)(void *state, const struct target_process *process, struct process_facts *out);
    /* Reads the mappings into `out`, which is empty, through the live thread `tid`. */
    enum status (*read_maps)(void *state, const struct target_process *process, pid_t tid,
                             struct maps *out);
    /* Returns a number that changes when mappings come or go; `last` where it is not known. */
    uint64_t (*maps_size)(void *state, struct target_process *process, pid_t tid, uint64_t last);
    /* Fills `out` for maps->execs[exec] of the live thread `tid`; `maps` still has its paths. */
    void (*describe_map)(void *state, pid_t tid, const struct maps *maps, size_t exec,
                         struct map_facts *out);
    /*
     * Reads a part, from the byte `off` on, of the file in which the process names code that it
     * makes, through its thread `tid`, which may have ended. Returns the number of bytes; 0: the
     * file ends there or before; -1: there is no file, or it is not readable now. May be NULL.
     */
    ssize_t (*read_names)(void *state, const struct target_process *process, pid_t tid,
                          uint64_t off, struct names_part *out);
    /* Keeps the mapped file for next_kept; for options.bundle. NULL if next_kept is NULL. */
    void (*keep_file)(void *state, pid_t tid, const struct exec_map *map,
                      const struct map_facts *facts);
    /*
     * Sets *out to the next piece of the kept files, borrowed until the next call; for
     * options.bundle, after all threads were let go. BUSY: nothing came within `wait_ms`
     * milliseconds; IO: no more can be had.
     */
    enum status (*next_kept)(void *state, int wait_ms, const struct kept **out);
    /*
     * Asks, without waiting, for the process's registered symbol files that were not copied yet,
     * through its live thread `tid`. `program` is another number after each exec, whose first
     * question is SYMBOL_FILES_FIRST. Drops the question if a search in the process is under way,
     * and SYMBOL_FILES_AGAIN if the program cannot register files. May be NULL, as
     * next_symbol_file.
     */
    void (*ask_symbol_files)(void *state, struct target_process *process, pid_t tid,
                             uint32_t program, enum symbol_files_question question);
    /*
     * Sets *out to the next symbol file, whose fd the caller closes; does not wait. BUSY: none yet,
     * a search is under way; NOT_FOUND: none, and no search. NULL if ask_symbol_files is NULL.
     */
    enum status (*next_symbol_file)(void *state, struct symbol_file *out);
    /*
     * STATES. Writes the target of /proc/PID/fd/FD ("socket:[12]", a path) to `link`, a string, for
     * the thread's descriptor `fd`. False: it is closed.
     */
    bool (*read_fd)(void *state, const struct target_thread *thread, uint32_t fd, char *link,
                    size_t size);

    /*
     * Tell the backend that the core has added the process or thread, whose `own` is zeroed, or is
     * about to free it. After an exec the core calls forget_thread and then begin_thread, with
     * `own` as the backend left it.
     */
    void (*begin_process)(void *state, struct target_process *process);
    void (*begin_thread)(void *state, struct target_thread *thread);
    void (*forget_thread)(void *state, struct target_thread *thread);
    void (*forget_process)(void *state, struct target_process *process);
};

/* The target of a capture: its backend, the backend's state, and its machine. */
struct target {
    const struct capture_backend *backend;
    void *state;
    struct target_machine machine;
    bool keeps_files; /* options.bundle: the backend's keep_file is to be called */
};

static inline bool target_can(const struct target *target, enum backend_can what)
{
    return target->backend->can & what;
}

/*
 * Reads `size` bytes of memory at `addr` through the thread `tid`; returns how many were read
 * before the first that cannot be read.
 */
size_t target_read(const struct target *target, pid_t tid, uint64_t addr, void *buffer,
                   size_t size);

#endif
