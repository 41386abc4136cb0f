/* SPDX-License-Identifier: MIT */
/* The core's data of a process of the target. Internal to capture/. */
#ifndef CAPTURE_PROCESS_H
#define CAPTURE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/code_stamps.h"
#include "capture/target/backend.h"
#include "capture/target/code.h"
#include "capture/target/maps.h"
#include "capture/names.h"
#include "capture/symbol_files.h"
#include "capture/target/modules.h"
#include "capture/usage.h"

struct capture;
struct thread;

#define PROCESS_REMAPPED_MAX 32u

struct process {
    struct target_process target; /* must be the first member: process_of */
    struct thread **threads;      /* owned, in the order in which they were found */
    size_t thread_len, thread_cap;
    bool announced;    /* a PROCESS record was written, and no exec since */
    bool made;         /* made during the capture, by a fork that was followed */
    uint64_t since_ns; /* when the process was found, or last called exec */
    struct process_usage usage;

    struct maps maps;
    struct modules modules;
    struct captured_code code; /* code that was written to the snapshot */
    struct made_names names;   /* names of code that were written to the snapshot */
    struct code_stamps stamps;
    bool maps_unwritten;    /* mappings were read for which no MAP records were written yet */
    bool maps_stale;        /* mappings seem to have changed: read them when credit permits */
    bool is_go;             /* runs Go code */
    unsigned go_version;    /* Go's minor version: 22 of 1.22.5; 0: not known */
    uint64_t maps_read_ns;  /* when the mappings were last read, */
    uint64_t maps_known_ns; /* and when that succeeded */
    uint64_t maps_cost_ns;  /* CPU time that this reading took */
    uint64_t replaced_ns;   /* when code was last found to be replaced (code_stamps.h); 0: never */
    uint64_t maps_changed_ns; /* when executable mappings were last found to have changed */
    int64_t maps_credit_ns;   /* CPU time that readings may cost, at maps_read_ns (mappings.h) */
    uint64_t maps_size;       /* result of the backend's maps_size at maps_read_ns */
    uint64_t unknown_pc_page; /* page of a PC in no mapping even after a reading; 0: none */
    /* Code that was mapped, the last of it (remapped.h). */
    struct cpu_mapped remapped[PROCESS_REMAPPED_MAX];
    unsigned remapped_len;
    bool is_remapped;   /* and the mappings were not read since */
    bool is_untold;     /* so it may be: reports were lost */
    bool is_code_stale; /* `code` is of a file that was replaced: to be dropped with its MAP */

    /* dormant threads (not run for long) are not looked at one by one while rest_ns stays */
    bool rest_known;    /* rest_ns is known */
    uint64_t rest_ns;   /* CPU time of the process less that of its threads that are not dormant */
    uint64_t chosen_ns; /* when dormant threads were last chosen */

    uint64_t round_ns; /* when the last round came to this process */
    pid_t ran;         /* tid of a thread that ran, or may have, before the last round; 0: none */
    uint64_t locks_due_ns; /* earliest time at which locks are read again (waits.h) */
    uint64_t sleepers_ns;  /* when the locks of long sleepers were last read */

    struct process_symbols symbols;
#if CAPTURE_BOARDS
    uint64_t board_ns; /* time_ns of the last BOARD record; 0: none was written */
#endif
};

static inline struct process *process_of(struct target_process *target)
{
    return (struct process *)target;
}

/*
 * Adds a process to `cap`, which owns it, and calls the backend's begin_process. NULL: out of
 * memory.
 */
struct process *process_add(struct capture *cap, pid_t pid);
/* Returns the process with this number; NULL: `cap` has none. */
struct process *process_find(const struct capture *cap, pid_t pid);

/*
 * Returns the newest thread that has not ended, through which memory and mappings can be read: the
 * first one may have ended before the others. The process's pid, if there is none.
 */
pid_t process_live_tid(const struct process *process);

/*
 * Frees the process, and its data in the backend. The caller has freed its threads, and takes the
 * process out of cap->processes itself.
 */
void process_free(struct capture *cap, struct process *process);

#endif
