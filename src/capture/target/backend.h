/* SPDX-License-Identifier: MIT */
/*
 * The seam between when to look at a target and how. Above it: the scheduler (sampler.c), the
 * answers to stops (stops.c), and what is written (record.c), which know no ptrace. Below it:
 * backends, each a constant table of functions over a state of its own. capture/ptrace/ is the one
 * for Linux processes. docs/dev/adding-a-capture-backend.md goes through the writing of another.
 *
 *     check -> start -> { wait, next, …, resume } -> destroy
 *
 * Who owns what. The core owns processes and threads. Of each a backend gets the `target` part,
 * which does not move, with zeroed room of its own behind `own`, and releases what it keeps there
 * in forget_process and forget_thread. What a call fills belongs to the core.
 *
 * Threads. The backend adds each thread that it finds with host.add_thread: in start those that are
 * there, later those that come. That a thread has ended is an event.
 *
 * Stops. After interrupt the core waits for the event STOPPED, in which it may read registers and
 * memory. The thread stays stopped until resume or detach. A backend may stop a thread for reasons
 * of its own (a signal, a breakpoint): that is the same event, a sample that is due is taken in it,
 * and resume passes on what is the thread's. Any stop answers an interrupt that is under way, which
 * must not cause a second one; so does an interrupt before another's stop.
 *
 * A backend without BACKEND_STOPS_ONE_THREAD stops the whole target, and has no BACKEND_CREATIONS.
 * Then interrupt, resume and STOPPED have a thread of NULL, all threads are sampled in one stop,
 * and each STOPPED is answered by exactly one resume. It reports no CREATED and no EXEC. Threads
 * that came or ended are reported before it. Such a backend starts no command: signal_command and
 * detach, which are for what a command does after the capture, may be NULL.
 *
 * Blocking. wait blocks, for as long as it is asked to. All other calls return within the time of
 * some system calls or packets; the target stands still meanwhile. While the snapshot's reader does
 * not read, the core goes on to call wait, next and resume, and takes no samples: so a stop is
 * answered whatever happens to the output, and no function here may write or wait for the output.
 *
 * Failing. A call about a thread that is gone returns NOT_FOUND, or nothing, and does no harm: its
 * end comes as an event. Nothing is half done: a failed start is followed by forget_thread and
 * forget_process of what was added before, and by destroy.
 *
 * The end. Once destroy was called and the process has exited, the target runs, whatever happened
 * before; a process that dies without destroy must leave the target running as well, as far as that
 * is in the backend's power.
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

/* What a backend can do; a function that is marked with one of them may be NULL without it. */
enum backend_can {
    BACKEND_STOPS_ONE_THREAD = 1, /* while the others run; otherwise the whole target */
    BACKEND_STATES = 2,           /* a thread's state and system call before it is stopped */
    BACKEND_CPU_TIMES = 4,        /* whether a thread has run; otherwise all are sampled always */
    BACKEND_CREATIONS = 8, /* a thread that makes another stops (CREATED) before both go on */
};

struct target_process {
    pid_t pid;
    size_t live; /* its threads that have not ended, as the core counts them */
    void *own;   /* process_size bytes of the backend's */
};

struct target_thread {
    pid_t tid; /* no two live threads have the same */
    struct target_process *process;
    void *own; /* thread_size bytes of the backend's */
};

/* What all programs of the target have in common; start fills it. */
struct target_machine {
    const struct arch *arch;
    uint64_t page_size; /* a power of two */
    uint64_t addr_mask; /* of a pointer, what is address; the rest is a tag */
    uint64_t pac_mask;  /* bits of a signed return address that are no address */
    unsigned red_zone;  /* bytes below SP that are the function's own */
    /* CPU_TIMES: usage counts what waits for a CPU, too, and each time that a thread gets one. */
    bool tells_ready;
    bool can_leave; /* with the backend's leave: it does no harm to these programs */
#if CAPTURE_BOARDS
    bool code_stays; /* what was read of code once is not read again: that would halt the target */
#endif
    /*
     * Where a signal frame keeps the alternate stack's address, relative to where it keeps the
     * interrupted SP; 0: there are no such frames.
     */
    int frame_stack_off;
};

/* What a thread was doing when a sample was due, read before it was interrupted. */
struct activity {
    char state; /* as in /proc/PID/stat */
    bool known; /* `call` was readable */
    struct proc_syscall call;
};

/* How a backend's wait ended, if not by a signal. */
enum backend_wait {
    WAIT_EVENTS = 0,  /* there may be some */
    WAIT_PASSED = -1, /* the time has passed */
    WAIT_STOPPED = -2 /* somebody had stopped us: there may be events, old ones, too */
};

enum backend_event_kind {
    EVENT_NONE,    /* what happened needs no answer */
    EVENT_STOPPED, /* the thread, or the whole target, has stopped: it is to be resumed */
    EVENT_CREATED, /* the same in a thread that has made `made`; CREATIONS */
    EVENT_EXEC,    /* the same in a thread that is its process's only one now, of a new program */
    EVENT_ENDED,   /* the thread, or a command that was started, has ended */
};

struct backend_event {
    enum backend_event_kind kind;
    struct target_thread *thread; /* NULL: the whole target, or of ENDED none that is known */
    uint64_t seen_ns;             /* when a stop was seen */
    bool by_signal;               /* STOPPED: about to handle a signal, so a call may have ended */
    bool stays;                   /* STOPPED: resume leaves it stopped, which is job control's */
    pid_t made;                   /* CREATED: its number; 0: not to be known */
    bool other_machine;           /* EXEC: of the new program, which cannot be captured */
    bool command_ended;           /* ENDED: it was the command's first thread, and all are gone */
    int command_status;           /* as waitpid(2) gives it */
};

/* What the core does for a backend, from start to destroy. */
struct backend_host {
    void *context;
    /*
     * The process with this number, which is added if it is not known and wanted (those that start
     * and find_more find, and those of forks that are followed); `tid` is a thread of it. NULL: it
     * is not wanted, or there is no memory: then let the thread go.
     */
    struct target_process *(*add_process)(void *context, pid_t pid, pid_t tid);
    /*
     * Adds a thread that the backend has under control. `made`: it has just begun, and if there are
     * CREATIONS its maker's event is yet to come. NULL: no memory, and the capture ends.
     */
    struct target_thread *(*add_thread)(void *context, struct target_process *process, pid_t tid,
                                        bool made);
    /* The live thread with this number, or NULL. */
    struct target_thread *(*find_thread)(void *context, pid_t tid);
    /* Takes and answers the events that there are. For start, which may be about to cause many. */
    void (*answer_events)(void *context);
};

/* A piece of the target's memory, of which so many at most are read at once. */
#define TARGET_PIECES_MAX 256u

struct target_memory {
    uint64_t addr;
    size_t size;
};

/* A page of the target's memory. */
struct target_page {
    uint64_t number; /* its address in pages */
    bool is_own; /* it is in memory, and the process's alone, no file's: nothing has to bring it */
};

/* What a CPU ran when its clock ticked (snapshot/FORMAT.md, TICK). */
struct cpu_tick {
    pid_t pid, tid;
    uint64_t time_ns;            /* when */
    uint64_t cpu_ns;             /* CPU time that it stands for */
    uint64_t regs[ARCH_REG_MAX]; /* in the order of arch/arch.h, the first `reg_count` of them */
    unsigned reg_count;
    const uint8_t *stack; /* from SP on; valid until the next is asked for */
    uint64_t stack_size;
};

/* What PROCESS records tell. Parts that are not known are empty. */
struct process_facts {
    uint32_t parent_pid;
    char exe[4096], host[65], kernel[65];
    uint8_t *command_line, *auxv; /* owned: by malloc */
    size_t command_line_size, auxv_size;
};

/* What a MAP record tells besides what struct exec_map holds. */
struct map_facts {
    enum snap_map_kind kind;
    bool deleted;
    bool is_unanswered; /* its file could not be looked at in time */
    char path[4096];    /* as the target sees it */
    struct build_id id;
};

/* A part of the file in which a process names code that it has made (snapshot/FORMAT.md, NAMES). */
#define NAMES_PART_MAX 32768u

struct names_part {
    uint32_t number, is_there; /* the backend's */
    uint64_t changed_ns;       /* when the file last changed, by any clock */
    uint8_t bytes[NAMES_PART_MAX];
};

/* What is asked of a process's symbol files. */
enum symbol_files_question {
    SYMBOL_FILES_FIRST, /* for the first time since it was found, or has called exec */
    SYMBOL_FILES_MAPS,  /* what it maps has changed */
    SYMBOL_FILES_AGAIN,
};

/* One that a process has registered (snapshot/FORMAT.md, SYMBOL_FILE), copied. */
struct symbol_file {
    pid_t pid;
    uint32_t program; /* as it was asked for */
    uint64_t time_ns; /* when it was copied */
    uint64_t addr, size;
    int fd; /* the copy, from its offset 0 on; the receiver's */
};

/* Of a process. */
enum target_program {
    PROGRAM_SAME,
    PROGRAM_OTHER, /* it has called exec */
    PROGRAM_ENDED,
};

#if CAPTURE_BOARDS
struct stack_arena; /* stack.h */
struct stack_copy;

/* Of a target that must not be halted for long. */
struct target_halts {
    uint64_t next_ns;   /* it may be halted again from then on (CLOCK_MONOTONIC); */
    uint64_t period_ns; /* and so far apart, on average; 0: as often as is asked for */
    uint64_t count, total_ns, worst_ns; /* all halts so far, those of the backend's own, too */
    /* At so many not all threads of an RTOS were reached, of those known so many at most, as: */
    uint64_t cut, unreached;
    const char *cut_problem; /* static storage */
    /* ARM's M-profile: samples of handlers that interrupted a stack whose SP the stub keeps back */
    uint64_t without_psp;
};
#endif

struct capture_backend {
    unsigned can; /* enum backend_can */
    size_t process_size, thread_size;

    /* Is it certain that start would fail? `diag` and errors are as those of start. */
    enum status (*check)(const struct capture_options *options, struct diag *diag);
    /*
     * Gets hold of the target, or starts the command, which stays stopped before its first
     * instruction until its only thread is resumed. Adds its processes and threads. `options` and
     * `host` are borrowed until destroy. *state is set before the first call of the host's; on
     * failure it may be NULL, and `diag` says why; on success it may have a warning.
     */
    enum status (*start)(const struct capture_options *options, const struct backend_host *host,
                         struct target_machine *machine, void **state, struct diag *diag);
    /*
     * After all threads were detached: gets hold of the process again. NOT_FOUND: it has ended, or
     * its number is another's, which began after `before_ns` (CLOCK_BOOTTIME). May be NULL.
     */
    enum status (*attach_again)(void *state, pid_t pid, uint64_t before_ns, struct diag *diag);
    /*
     * Gets hold of more processes that were asked for by what they have in common, if there are any
     * by now. How many could not be had so far, and why the first could not. May be NULL.
     */
    size_t (*find_more)(void *state, struct diag *refusal);
    /* With attach_again: is any thread of the process still attached to, known or not? */
    bool (*holds)(void *state, pid_t pid);
    /* Kills a command that was never resumed, as it has not run an instruction of its own. */
    void (*destroy)(void *state);
    /* Passes a signal to the command. */
    void (*signal_command)(void *state, int signal);

    /*
     * Waits until `until_ns` (CLOCK_MONOTONIC; it may have passed) for events or one of `signals`,
     * which are blocked. Returns that signal, or an enum backend_wait.
     */
    int (*wait)(void *state, const sigset_t *signals, uint64_t until_ns);
    /*
     * The next event; does not wait. False: there is none. One that was returned is not returned
     * again, so that its stop must be answered. More may be asked for before that.
     */
    bool (*next)(void *state, struct backend_event *event);

    /* Asks it to stop. NOT_FOUND: it is not the backend's any more, and no event will say so. */
    enum status (*interrupt)(void *state, struct target_thread *thread);
    /* The same question about a thread that has not stopped for long. May be NULL. */
    bool (*is_gone)(void *state, const struct target_thread *thread);
    /* Lets a stopped one go on, with what it was stopped by. */
    void (*resume)(void *state, struct target_thread *thread);
    /* Lets a stopped one go for good. NOT_FOUND: it was killed, and its end comes as an event. */
    enum status (*detach)(void *state, struct target_thread *thread);
    /*
     * The same until reattach, for a thread that is stopped too often for reasons of its own. Of
     * one that was left no event tells anything: no stop, no creation, no end. Any other status:
     * it is still stopped. NULL, as the other three: none can be left.
     */
    enum status (*leave)(void *state, struct target_thread *thread);
    /*
     * Gets hold of one that was left; it runs on. NOT_FOUND: it has ended; IO: it cannot be had, as
     * when another debugger has it; BUSY, after some milliseconds: no thread of its process can. If
     * its process has called exec meanwhile the first thread's next stop tells EXEC.
     */
    enum status (*reattach)(void *state, struct target_thread *thread);
    /*
     * Adds (host.add_thread) the threads of the process that are not known, as ones that were left;
     * of another program the first one only, unless that has ended. How many threads it has.
     */
    size_t (*list_threads)(void *state, struct target_process *process);
    /* What has become of a process of which a thread was left, untold yet. */
    enum target_program (*program)(void *state, const struct target_process *process);
    /*
     * CREATIONS: what a CREATED event has named and host.add_thread has not: the number of its
     * process if it is under control, or 0.
     */
    pid_t (*find_made)(void *state, pid_t tid);

    /*
     * In a stop: the values of the arch's registers, in the order of arch/arch.h, and the thread
     * pointer (0: there is none). NOT_FOUND; UNSUPPORTED: it runs a program of another machine.
     */
    enum status (*registers)(void *state, struct target_thread *thread, uint64_t *values,
                             uint64_t *thread_pointer);
    /*
     * Maps and code are read while the thread runs, too; a backend that cannot do that may stop the
     * target for it, or return IO, and what was to be read is missing from the snapshot.
     *
     * Reads the pieces, one behind the other, to `buffer`, by way of the thread `tid`, stopped or
     * not. Stops at the first byte that cannot be read: *done is how many were. FAULT: `done` is
     * less than all; NOT_FOUND: the thread has ended; IO: it must not be read; BUSY: not now.
     */
    enum status (*memory)(void *state, pid_t tid, const struct target_memory *pieces, size_t count,
                          void *buffer, size_t *done);

    /*
     * options.pointees. Fills in is_own of each, which ascend, by way of the stopped thread `tid`.
     * IO: it cannot be told. NULL: nothing is read of what is pointed to.
     */
    enum status (*own_pages)(void *state, pid_t tid, struct target_page *pages, size_t count);

#if CAPTURE_BOARDS
    /*
     * In a stop, after `registers`: copies the thread's stacks to the arena, as stack_copy does
     * (stack.h), which asks for them by the mappings. NULL: by that.
     */
    enum status (*copy_stacks)(void *state, struct target_thread *thread, struct stack_arena *arena,
                               struct stack_copy *out);
    /*
     * Before the first round: the capture ends at `end_ns` (CLOCK_MONOTONIC; UINT64_MAX: nothing
     * but signals tells). For a target that may not answer: calls return soon after that. NULL.
     */
    void (*set_end)(void *state, uint64_t end_ns);
    /* When the target may be halted, and for how long it was. NULL: at any time. */
    void (*halts)(void *state, struct target_halts *out);
    /* Has the capture ended because the target cannot be reached any more? `diag`. May be NULL. */
    bool (*failed)(void *state, struct diag *diag);
    /*
     * Of a target without Linux: what BOARD records tell; its time is another one after a reset.
     * False: it is none. May be NULL.
     */
    bool (*board)(void *state, const struct target_process *process, struct snap_board *out);
    /* In a stop, after `registers`: a mask of those whose values are not known. NULL: all are. */
    uint64_t (*unknown_registers)(void *state, const struct target_thread *thread);
    /* In a stop: registers of the system, SNAP_SYSTEM_MAX at most; how many. May be NULL. */
    uint32_t (*system_registers)(void *state, const struct target_thread *thread,
                                 struct snap_system *out);
    /* In a stop: what an RTOS says of the thread; valid until the next. False: nothing. NULL. */
    bool (*task)(void *state, const struct target_thread *thread, struct snap_task *out);
#endif

    /* STATES. State and system call of a thread that is to be interrupted. False: it has ended. */
    bool (*activity)(void *state, struct target_thread *thread, struct activity *out);
    /*
     * STATES. In the stop that followed, after `registers`: `activity` stands only if the stop
     * found the thread where it was; otherwise it becomes running. A state that nothing tells is 0.
     */
    void (*settle_activity)(void *state, struct target_thread *thread, const uint64_t *values,
                            struct activity *activity);
    /* STATES. In the same stop: will the thread make its system call again, not woken from it? */
    bool (*is_in_call)(void *state, const struct target_thread *thread,
                       const struct activity *activity, const uint64_t *values);

    /* CPU_TIMES. False: it has ended. */
    bool (*usage)(void *state, struct target_thread *thread, struct proc_schedstat *out);
    /* CPU_TIMES. The same in a stop, from which on it has run if the usage changes. */
    bool (*usage_stopped)(void *state, struct target_thread *thread, struct proc_schedstat *out);
    /*
     * CPU_TIMES. Has the thread run since it was last sampled, with `last` (or, if `last` is NULL,
     * before it is), given the usage of now?
     */
    bool (*has_run)(void *state, struct target_thread *thread, const struct proc_schedstat *now,
                    const struct activity *last);
    /* CPU_TIMES. Which CPU of this machine it has, or had last; -1: not known. May be NULL. */
    int (*last_cpu)(void *state, const struct target_thread *thread);
    /* CPU_TIMES. Of all threads of the process, in nanoseconds. */
    uint64_t (*process_usage)(void *state, const struct target_process *process);

    /*
     * A clock of the CPUs, which ticks after each `period_ns` of a CPU's time for what it runs
     * then, and needs no stop. At most `stack_size` bytes of a stack are copied. It stands still
     * until clock_run. UNSUPPORTED: `diag` says why there is none. NULL, as the other five: there
     * never is, and they are not called before it has started.
     */
    enum status (*clock_start)(void *state, uint64_t period_ns, uint32_t stack_size,
                               struct diag *diag);
    void (*clock_run)(void *state, bool run);
    void (*clock_set_period)(void *state, uint64_t period_ns);
    /*
     * A tick that is to be had now, of any program of the machine; of a CPU they come in order of
     * time. False: there is none.
     */
    bool (*clock_next)(void *state, struct cpu_tick *out);
    /* How many there was no room for, of any program, since this was last asked. */
    uint64_t (*clock_lost)(void *state);
    /* Ends it. Destroy does, too. */
    void (*clock_stop)(void *state);

    /* The thread's name, and when it began (may be NULL: then only its name may have changed). */
    bool (*identify)(void *state, const struct target_thread *thread, char name[PROC_NAME_SIZE],
                     uint64_t *start_ticks);
    /* Its number in the process's own numbering; 0: not known. May be NULL: it is `tid`. */
    uint32_t (*inner_tid)(void *state, const struct target_thread *thread);
    /* `out` is zeroed. */
    void (*describe)(void *state, const struct target_process *process, struct process_facts *out);
    /* What is mapped, to `out`, which is empty, by way of the live thread `tid`. */
    enum status (*read_maps)(void *state, const struct target_process *process, pid_t tid,
                             struct maps *out);
    /* A number that has changed if what is mapped may have; `last` where it cannot be told. */
    uint64_t (*maps_size)(void *state, struct target_process *process, pid_t tid, uint64_t last);
    /* `path` is as read_maps gave it. */
    void (*describe_map)(void *state, pid_t tid, const struct exec_map *map, const char *path,
                         struct map_facts *out);
    /*
     * A part of the file in which the process names code that it has made, from `off` on, by way of
     * its thread `tid`, which may have ended: how many bytes; 0: it ends there or before; -1: there
     * is none, or it could not be looked at now. May be NULL.
     */
    ssize_t (*read_names)(void *state, const struct target_process *process, pid_t tid,
                          uint64_t off, struct names_part *out);
    /*
     * options.bundle. Keeps the file of a mapping, as described, until the end. NULL, as the other:
     * none can be kept.
     */
    void (*keep_file)(void *state, pid_t tid, const struct exec_map *map,
                      const struct map_facts *facts);
    /*
     * options.bundle. When all threads have been let go: what comes next of the files that were
     * kept; valid until the next call. BUSY: nothing within so many milliseconds; IO: it cannot be
     * had.
     */
    enum status (*next_kept)(void *state, int wait_ms, const struct kept **out);
    /*
     * Asks for the symbol files that the process has registered and that were not copied yet, by
     * way of its live thread `tid`. `program` is another number after each exec, which begins with
     * FIRST. Does not wait; a question about a process that is being looked at is left out, and so
     * is AGAIN of one in which nobody registers any. May be NULL, as the other.
     */
    void (*ask_symbol_files)(void *state, struct target_process *process, pid_t tid,
                             uint32_t program, enum symbol_files_question question);
    /* The next one. BUSY: some are being looked for; NOT_FOUND: none are. Does not wait. */
    enum status (*next_symbol_file)(void *state, struct symbol_file *out);
    /* STATES. What the descriptor is, to `link`, with a NUL. False: it is closed. */
    bool (*read_fd)(void *state, const struct target_thread *thread, uint32_t fd, char *link,
                    size_t size);

    /*
     * The core has added it, and `own` is zeroed; or it forgets it. After an exec the thread is
     * forgotten, then begins again, with `own` as it was left.
     */
    void (*begin_process)(void *state, struct target_process *process);
    void (*begin_thread)(void *state, struct target_thread *thread);
    void (*forget_thread)(void *state, struct target_thread *thread);
    void (*forget_process)(void *state, struct target_process *process);
};

/* CLOCK_MONOTONIC in nanoseconds, as all times of a capture. */
uint64_t capture_now(void);

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

/* Reads one piece of memory; how much of it was read. */
size_t target_read(const struct target *target, pid_t tid, uint64_t addr, void *buffer,
                   size_t size);

#endif
