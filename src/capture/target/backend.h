/* SPDX-License-Identifier: MIT */
/*
 * The seam between when to look at a target and how. Above it: the scheduler (sampler.c), the
 * answers to stops (stops.c) and the records (record.c), which know no ptrace. Below it: backends,
 * each a constant table of functions over its own state; capture/ptrace/ is the one for Linux
 * processes. docs/dev/adding-a-capture-backend.md explains how to write another.
 *
 *     check -> start -> { wait, next, ..., resume } -> destroy
 *
 * Ownership. The core owns processes and threads. A backend gets the `target` part of each, which
 * does not move, with zeroed room of its own behind `own`; it frees what it keeps there in
 * forget_process and forget_thread. What a call fills belongs to the core.
 *
 * Threads. The backend adds each thread that it finds with host.add_thread: in start those that
 * exist, later those that come. The end of a thread is an event.
 *
 * Stops. After interrupt the core waits for the event STOPPED, and may then read registers and
 * memory. The thread stays stopped until resume or detach. A backend may stop a thread for other
 * reasons (a signal, a breakpoint): this is the same event, the core takes a due sample in it, and
 * resume passes on what is the thread's. Any stop answers an interrupt that is under way, and that
 * interrupt must not cause another stop.
 *
 * A backend without BACKEND_STOPS_ONE_THREAD stops the whole target, and has no BACKEND_CREATIONS.
 * Then interrupt, resume and STOPPED have a thread of NULL, all threads are sampled in one stop,
 * and exactly one resume answers each STOPPED. It reports no CREATED and no EXEC. It reports
 * threads that came or ended before STOPPED. Such a backend starts no command: signal_command and
 * detach may be NULL.
 *
 * Blocking. wait blocks as long as it is asked to. All other calls return within the time of some
 * system calls or packets; the target stands still meanwhile. While the snapshot's reader does not
 * read, the core goes on to call wait, next and resume, and takes no samples: so no stop depends on
 * the output, and no function here may write to the output or wait for it.
 *
 * Failing. A call about a thread that is gone returns NOT_FOUND, or nothing, and does no harm: the
 * end comes as an event. Nothing is half done: after a failed start the core calls forget_thread
 * and forget_process for what was added, and destroy.
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
#include "base/procfs.h"
#include "base/status.h"
#include "capture/target/kept.h"
#include "capture/target/maps.h"
#include "capture/target/options.h"
#include "snapshot/elf_file.h"
#include "snapshot/event.h"
#include "snapshot/format.h"

/* What a backend can do. A function that is marked with one of these may be NULL without it. */
enum backend_can {
    BACKEND_STOPS_ONE_THREAD = 1, /* while others run; without it: the whole target */
    BACKEND_STATES = 2,           /* reads state and system call of a running thread */
    BACKEND_CPU_TIMES = 4,        /* tells whether a thread has run; without it: all are sampled */
    BACKEND_CREATIONS = 8,        /* a thread that makes another stops (CREATED) before both run */
};

struct target_process {
    pid_t pid;
    size_t live; /* threads that have not ended, as counted by the core */
    void *own;   /* process_size bytes for the backend */
};

struct target_thread {
    pid_t tid; /* no two live threads have the same */
    struct target_process *process;
    void *own; /* thread_size bytes for the backend */
};

/* Filled by start; common to all programs of the target. */
struct target_machine {
    const struct arch *arch;
    uint64_t page_size; /* a power of two */
    uint64_t addr_mask; /* bits of a pointer that are address; the others are a tag */
    uint64_t pac_mask;  /* bits of a signed return address that are no address */
    unsigned red_zone;  /* bytes below SP that are the function's own */
    /* CPU_TIMES: usage counts waiting for a CPU, too, and how often a thread gets one. */
    bool tells_ready;
    bool can_leave; /* leave does no harm to these programs */
#if CAPTURE_BOARDS
    bool code_stays; /* code is read once only: reading would halt the target */
#endif
    /*
     * From where a signal frame keeps the interrupted SP to where it keeps the alternate stack's
     * address; 0: there are no such frames.
     */
    int frame_stack_off;
};

/* A thread's state before it was interrupted for a sample. */
struct activity {
    char state; /* as in /proc/PID/stat; 0: not known */
    bool known; /* `call` was readable */
    struct proc_syscall call;
};

/* Result of a backend's wait, if not a signal. */
enum backend_wait {
    WAIT_EVENTS = 0,  /* there may be events */
    WAIT_PASSED = -1, /* until_ns has come */
    WAIT_STOPPED = -2 /* cgsnap itself was stopped: there may be events, old ones, too */
};

enum backend_event_kind {
    EVENT_NONE,    /* needs no answer */
    EVENT_STOPPED, /* the thread, or the whole target, has stopped: to be resumed */
    EVENT_CREATED, /* CREATIONS: stopped, as it has made `made` */
    EVENT_EXEC,    /* stopped: the process runs a new program, with this thread only */
    EVENT_ENDED,   /* the thread, or a command that was started, has ended */
};

struct backend_event {
    enum backend_event_kind kind;
    struct target_thread *thread; /* NULL: the whole target; ENDED: no known thread */
    uint64_t seen_ns;             /* when the stop was seen */
    bool by_signal;               /* STOPPED: with a signal, which may have ended a call */
    bool stays;                   /* STOPPED: by job control: resume leaves it stopped */
    pid_t made;                   /* CREATED: number of the new thread; 0: not known */
    bool other_machine;           /* EXEC: the new program is one that cannot be captured */
    bool command_ended;           /* ENDED: the command's first thread ended, as the last */
    int command_status;           /* as waitpid(2) gives it */
};

/* Functions of the core for a backend, from start to destroy. */
struct backend_host {
    void *context;
    /*
     * Returns the process `pid`, of which `tid` is a thread; adds it if it is not known and wanted
     * (found by start or find_more, or made by a followed fork). NULL: not wanted, or no memory:
     * let the thread go.
     */
    struct target_process *(*add_process)(void *context, pid_t pid, pid_t tid);
    /*
     * Adds a thread that the backend controls. `made`: it has just begun; with CREATIONS its
     * maker's event is still to come. NULL: no memory, and the capture ends.
     */
    struct target_thread *(*add_thread)(void *context, struct target_process *process, pid_t tid,
                                        bool made);
    /* The live thread with this number, or NULL. */
    struct target_thread *(*find_thread)(void *context, pid_t tid);
    /* Takes and answers the events that there are; for start, before it causes many more. */
    void (*answer_events)(void *context);
};

/* Pieces of the target's memory; at most so many are read at once. */
#define TARGET_PIECES_MAX 256u

struct target_memory {
    uint64_t addr;
    size_t size;
};

/* A page of the target's memory. */
struct target_page {
    uint64_t number; /* its address divided by the page size */
    bool is_own;     /* present, private, and no file's: reading it waits for nothing */
};

/* One tick of a CPU's clock (snapshot/FORMAT.md, TICK): what the CPU ran. */
struct cpu_tick {
    pid_t pid, tid;
    uint64_t time_ns;
    uint64_t cpu_ns;             /* CPU time that the tick stands for */
    uint64_t regs[ARCH_REG_MAX]; /* in the order of arch/arch.h, the first `reg_count` of them */
    unsigned reg_count;
    const uint8_t *stack; /* from SP on; borrowed until the next clock_next */
    uint64_t stack_size;
};

/* Contents of PROCESS; what is not known is empty. */
struct process_facts {
    uint32_t parent_pid;
    char exe[4096], host[65], kernel[65];
    uint8_t *command_line, *auxv; /* malloc'ed; the receiver frees */
    size_t command_line_size, auxv_size;
};

/* Contents of MAP besides struct exec_map. */
struct map_facts {
    enum snap_map_kind kind;
    bool deleted;
    bool is_unanswered; /* its file did not answer in time */
    char path[4096];
    struct build_id id;
};

/* A part of the file in which a process names code that it makes (snapshot/FORMAT.md, NAMES). */
#define NAMES_PART_MAX 32768u

struct names_part {
    uint32_t number, is_there; /* for the backend */
    uint64_t changed_ns;       /* when the file last changed; only compared */
    uint8_t bytes[NAMES_PART_MAX];
};

/* The reasons to ask for a process's symbol files. */
enum symbol_files_question {
    SYMBOL_FILES_FIRST, /* first question since it was found or called exec */
    SYMBOL_FILES_MAPS,  /* its mappings have changed */
    SYMBOL_FILES_AGAIN,
};

/* A copied symbol file that a process registered (snapshot/FORMAT.md, SYMBOL_FILE). */
struct symbol_file {
    pid_t pid;
    uint32_t program; /* `program` of the question */
    uint64_t time_ns; /* when it was copied */
    uint64_t addr, size;
    int fd; /* the copy, at its offset 0; the receiver closes it */
};

/* What a process runs, compared with before. */
enum target_program {
    PROGRAM_SAME,
    PROGRAM_OTHER, /* called exec */
    PROGRAM_ENDED,
};

#if CAPTURE_BOARDS
struct stack_arena; /* stack.h */
struct stack_copy;

/* Halts of a target that must not be halted for long. */
struct target_halts {
    uint64_t next_ns;                   /* earliest next halt (CLOCK_MONOTONIC) */
    uint64_t period_ns;                 /* average distance of halts; 0: no limit */
    uint64_t count, total_ns, worst_ns; /* all halts, also the backend's own */
    /* Halts that missed threads of an RTOS; most threads missed; why (static storage). */
    uint64_t cut, unreached;
    const char *cut_problem;
    /* ARM's M-profile: samples of handlers over a stack whose SP the stub does not give */
    uint64_t without_psp;
};
#endif

struct capture_backend {
    unsigned can; /* enum backend_can */
    size_t process_size, thread_size;

    /* Returns OK unless start would fail for certain; `diag` and errors are those of start. */
    enum status (*check)(const struct capture_options *options, struct diag *diag);
    /*
     * Attaches to the target and adds its processes and threads; or starts the command, which stays
     * stopped before its first instruction until its only thread is resumed. `options` and `host`
     * are borrowed until destroy. *state is set before the first call of the host's. On failure
     * *state may be NULL, and `diag` says why; on success `diag` may hold a warning.
     */
    enum status (*start)(const struct capture_options *options, const struct backend_host *host,
                         struct target_machine *machine, void **state, struct diag *diag);
    /*
     * After all threads were detached: attaches to the process again. NOT_FOUND: it has ended, or
     * another process, begun after `before_ns` (CLOCK_BOOTTIME), has its number. May be NULL.
     */
    enum status (*attach_again)(void *state, pid_t pid, uint64_t before_ns, struct diag *diag);
    /*
     * Attaches to new processes that belong to what was asked for (descendants, a cgroup). Returns
     * how many could not be attached to so far; `refusal`: why the first could not. May be NULL.
     */
    size_t (*find_more)(void *state, struct diag *refusal);
    /* With attach_again: is any thread of the process still attached to, whether added or not? */
    bool (*holds)(void *state, pid_t pid);
    /* Frees `state`; kills a command that was never resumed, and so has run no own instruction. */
    void (*destroy)(void *state);
    /* Sends the signal to the command. */
    void (*signal_command)(void *state, int signal);

    /*
     * Waits until `until_ns` (CLOCK_MONOTONIC, may be past) for events or one of `signals`, which
     * are blocked. Returns the signal, taken, or an enum backend_wait.
     */
    int (*wait)(void *state, const sigset_t *signals, uint64_t until_ns);
    /*
     * Takes the next event, without waiting. False: there is none. Each stop is returned once and
     * must be answered; more events may be taken before.
     */
    bool (*next)(void *state, struct backend_event *event);

    /* Asks the thread to stop. NOT_FOUND: it is gone, and no event will tell. */
    enum status (*interrupt)(void *state, struct target_thread *thread);
    /* Is a thread gone that has not stopped for long, with no event to tell? May be NULL. */
    bool (*is_gone)(void *state, const struct target_thread *thread);
    /* Lets a stopped thread go on, with the signal it was stopped by. */
    void (*resume)(void *state, struct target_thread *thread);
    /* Lets a stopped thread go for good. NOT_FOUND: killed, and the end comes as an event. */
    enum status (*detach)(void *state, struct target_thread *thread);
    /*
     * Lets a stopped thread go until reattach, as its own signals stop it too often. No event tells
     * anything of a left thread: no stop, no creation, no end. Not OK: it is still stopped. NULL,
     * as the next three: threads cannot be left.
     */
    enum status (*leave)(void *state, struct target_thread *thread);
    /*
     * Attaches to a left thread, which runs on. NOT_FOUND: it has ended. IO: refused, as when
     * another debugger has it. BUSY, after some milliseconds: no thread of its process can be
     * attached to now. If its process has called exec meanwhile, the first thread's next stop is
     * EXEC.
     */
    enum status (*reattach)(void *state, struct target_thread *thread);
    /*
     * Adds (host.add_thread) the process's threads that are not known, as left ones; after an exec
     * only the first thread, unless that has ended. Returns how many threads it has.
     */
    size_t (*list_threads)(void *state, struct target_process *process);
    /* Returns what has become of a process with left threads, if no event has told yet. */
    enum target_program (*program)(void *state, const struct target_process *process);
    /*
     * CREATIONS: for a thread that a CREATED event named and that host.add_thread was not called
     * for: returns its process's number if it is under control, else 0.
     */
    pid_t (*find_made)(void *state, pid_t tid);

    /*
     * In a stop: fills `values` with the registers, in the order of arch/arch.h, and sets the
     * thread pointer (0: none). NOT_FOUND; UNSUPPORTED: the thread runs a program of another
     * machine.
     */
    enum status (*registers)(void *state, struct target_thread *thread, uint64_t *values,
                             uint64_t *thread_pointer);
    /*
     * Reads the pieces, one behind the other, into `buffer`, through the thread `tid`, stopped or
     * not. Stops at the first byte that cannot be read: *done is how many were. FAULT: not all
     * were; NOT_FOUND: the thread has ended; IO: must not be read; BUSY: not now.
     *
     * Maps and code are read while the thread runs, too; a backend that cannot do so may stop the
     * target for it, or return IO: then this is missing in the snapshot.
     */
    enum status (*memory)(void *state, pid_t tid, const struct target_memory *pieces, size_t count,
                          void *buffer, size_t *done);

    /*
     * options.pointees. Sets is_own of the pages, which ascend, through the stopped thread `tid`.
     * IO: not known. NULL: no pointees are read.
     */
    enum status (*own_pages)(void *state, pid_t tid, struct target_page *pages, size_t count);

#if CAPTURE_BOARDS
    /*
     * In a stop, after `registers`: copies the thread's stacks into the arena and *out, as
     * stack_copy does (stack.h). NULL: stack_copy does it, by the mappings.
     */
    enum status (*copy_stacks)(void *state, struct target_thread *thread, struct stack_arena *arena,
                               struct stack_copy *out);
    /*
     * Before the first round: tells that the capture ends at `end_ns` (CLOCK_MONOTONIC; UINT64_MAX:
     * open). For targets that may not answer: calls return soon after that. May be NULL.
     */
    void (*set_end)(void *state, uint64_t end_ns);
    /* When the target may be halted, and how long it was. NULL: at any time. */
    void (*halts)(void *state, struct target_halts *out);
    /* Was the target lost? `diag` says how. May be NULL. */
    bool (*failed)(void *state, struct diag *diag);
    /* Fills the contents of BOARD; time_ns changes at a reset. False: no board. May be NULL. */
    bool (*board)(void *state, const struct target_process *process, struct snap_board *out);
    /* In a stop, after `registers`: returns a mask of registers that are not known. NULL: none. */
    uint64_t (*unknown_registers)(void *state, const struct target_thread *thread);
    /* In a stop: fills in up to SNAP_SYSTEM_MAX system registers; returns how many. May be NULL. */
    uint32_t (*system_registers)(void *state, const struct target_thread *thread,
                                 struct snap_system *out);
    /*
     * In a stop: fills what the RTOS says of the thread; its strings are borrowed until the next
     * call. False: nothing. May be NULL.
     */
    bool (*task)(void *state, const struct target_thread *thread, struct snap_task *out);
#endif

    /* STATES. Reads state and system call before the thread is interrupted. False: it has ended. */
    bool (*activity)(void *state, struct target_thread *thread, struct activity *out);
    /*
     * STATES. In the stop that followed, after `registers`: keeps `activity` only if the stop found
     * the thread where it was; otherwise it becomes running. Clears a state that nothing tells.
     */
    void (*settle_activity)(void *state, struct target_thread *thread, const uint64_t *values,
                            struct activity *activity);
    /* STATES. In that stop: will the thread make its system call again, not woken from it? */
    bool (*is_in_call)(void *state, const struct target_thread *thread,
                       const struct activity *activity, const uint64_t *values);

    /* CPU_TIMES. Reads the thread's usage. False: it has ended. */
    bool (*usage)(void *state, struct target_thread *thread, struct proc_schedstat *out);
    /* CPU_TIMES. Reads the usage in a stop, and keeps it for has_run. */
    bool (*usage_stopped)(void *state, struct target_thread *thread, struct proc_schedstat *out);
    /*
     * CPU_TIMES. Has the thread run since its last sample, before which its activity was `last`?
     * NULL: it has no sample: has it since the last such call, or at the first does it run? `now`:
     * its usage.
     */
    bool (*has_run)(void *state, struct target_thread *thread, const struct proc_schedstat *now,
                    const struct activity *last);
    /* CPU_TIMES. Returns the CPU that it has, or had last; -1: not known. May be NULL. */
    int (*last_cpu)(void *state, const struct target_thread *thread);
    /* CPU_TIMES. Returns the CPU time of all threads of the process, in ns. */
    uint64_t (*process_usage)(void *state, const struct target_process *process);

    /*
     * Starts, halted until clock_run, a clock of the CPUs that ticks after each `period_ns` of a
     * CPU's time, for what the CPU runs then, without a stop. Copies at most `stack_size` bytes of
     * stack a tick. UNSUPPORTED: `diag` says why there is none. NULL, as the next five: there never
     * is. The others are called only after it has started.
     */
    enum status (*clock_start)(void *state, uint64_t period_ns, uint32_t stack_size,
                               struct diag *diag);
    void (*clock_run)(void *state, bool run);
    void (*clock_set_period)(void *state, uint64_t period_ns);
    /* Takes a tick, of any program; ticks of one CPU ascend in time. False: none now. */
    bool (*clock_next)(void *state, struct cpu_tick *out);
    /* Returns how many ticks, of any program, found no room since the last call. */
    uint64_t (*clock_lost)(void *state);
    /* Ends the clock; so does destroy. */
    void (*clock_stop)(void *state);

    /* Reads the thread's name and start time (NULL: the name only). False: not readable. */
    bool (*identify)(void *state, const struct target_thread *thread, char name[PROC_NAME_SIZE],
                     uint64_t *start_ticks);
    /* Returns its number in the process's own pid namespace; 0: not known. NULL: it is `tid`. */
    uint32_t (*inner_tid)(void *state, const struct target_thread *thread);
    /* Fills `out`, which is zeroed. */
    void (*describe)(void *state, const struct target_process *process, struct process_facts *out);
    /* Reads the mappings into `out`, which is empty, through the live thread `tid`. */
    enum status (*read_maps)(void *state, const struct target_process *process, pid_t tid,
                             struct maps *out);
    /* Returns a number that changes when the mappings may have; `last` where it is not known. */
    uint64_t (*maps_size)(void *state, struct target_process *process, pid_t tid, uint64_t last);
    /* Fills `out` for a mapping; `path` is as read_maps gave it. */
    void (*describe_map)(void *state, pid_t tid, const struct exec_map *map, const char *path,
                         struct map_facts *out);
    /*
     * Reads a part, from `off` on, of the file in which the process names code that it makes,
     * through its thread `tid`, which may have ended. Returns how many bytes; 0: the file ends
     * there or before; -1: no file, or not readable now. May be NULL.
     */
    ssize_t (*read_names)(void *state, const struct target_process *process, pid_t tid,
                          uint64_t off, struct names_part *out);
    /* options.bundle. Keeps a described mapping's file for next_kept. NULL, with next_kept. */
    void (*keep_file)(void *state, pid_t tid, const struct exec_map *map,
                      const struct map_facts *facts);
    /*
     * options.bundle. After all threads were let go: sets *out to the next piece of the kept files,
     * borrowed until the next call. BUSY: nothing came within `wait_ms`; IO: it cannot be had.
     */
    enum status (*next_kept)(void *state, int wait_ms, const struct kept **out);
    /*
     * Asks for the process's registered symbol files that were not copied yet, through its live
     * thread `tid`. `program` is another number after each exec, which begins with FIRST. Does not
     * wait. Drops the question if the process is being looked at, and AGAIN if nobody registers
     * files there. May be NULL, as next_symbol_file.
     */
    void (*ask_symbol_files)(void *state, struct target_process *process, pid_t tid,
                             uint32_t program, enum symbol_files_question question);
    /*
     * Takes the next symbol file; does not wait. BUSY: a search is under way; NOT_FOUND: none is.
     */
    enum status (*next_symbol_file)(void *state, struct symbol_file *out);
    /* STATES. Fills `link` with what the descriptor is (/proc/PID/fd), a string. False: closed. */
    bool (*read_fd)(void *state, const struct target_thread *thread, uint32_t fd, char *link,
                    size_t size);

    /*
     * The core has added the process or thread, and `own` is zeroed; or forgets it. After an exec
     * the core forgets the thread and begins it again, with `own` as the backend left it.
     */
    void (*begin_process)(void *state, struct target_process *process);
    void (*begin_thread)(void *state, struct target_thread *thread);
    void (*forget_thread)(void *state, struct target_thread *thread);
    void (*forget_process)(void *state, struct target_process *process);
};

/* A backend and its state, and the machine. */
struct target {
    const struct capture_backend *backend;
    void *state;
    struct target_machine machine;
    bool keeps_files; /* options.bundle */
};

static inline bool target_can(const struct target *target, enum backend_can what)
{
    return target->backend->can & what;
}

/* Reads memory through the thread `tid`; returns how many bytes were readable. */
size_t target_read(const struct target *target, pid_t tid, uint64_t addr, void *buffer,
                   size_t size);

#endif
