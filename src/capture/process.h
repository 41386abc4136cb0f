/* SPDX-License-Identifier: MIT */
/*
 * A process of the target, as the core knows it: its threads, and what it maps. Internal to
 * capture/.
 */
#ifndef CAPTURE_PROCESS_H
#define CAPTURE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/target/backend.h"
#include "capture/target/code.h"
#include "capture/target/maps.h"
#include "capture/names.h"
#include "capture/symbol_files.h"
#include "capture/target/modules.h"
#include "capture/usage.h"

struct capture;
struct thread;

struct process {
    struct target_process target; /* the first member: process_of */
    struct thread **threads;      /* owned, in the order they were found */
    size_t thread_len, thread_cap;
    bool announced;    /* its PROCESS record is written and still true */
    bool made;         /* during the capture: by a fork that was followed */
    uint64_t since_ns; /* when it was found, or has called exec */
    struct process_usage usage;

    struct maps maps;
    struct modules modules;
    struct captured_code code; /* what was written of it */
    struct made_names names;   /* the same of names */
    bool maps_unwritten;       /* MAP records for what was read are to be written */
    bool maps_stale;           /* something was found not to fit them */
    bool is_go;                /* it is a Go program */
    unsigned go_version;       /* snapshot/go_version.h; 0: it is not known */
    uint64_t maps_read_ns;     /* when */
    uint64_t maps_cost_ns;     /* the CPU time that took */
    uint64_t maps_changed_ns;  /* when code was last found to have come or gone */
    int64_t maps_credit_ns;    /* what may be spent on reading them; as of maps_read_ns */
    uint64_t maps_size;        /* the backend's maps_size then */
    uint64_t unknown_pc_page;  /* the last PC that re-reading did not explain */

    bool rest_known;    /* no dormant thread had run when `rest_ns` was taken: */
    uint64_t rest_ns;   /* the process's CPU time less that of its other threads */
    uint64_t chosen_ns; /* when it was last looked which threads are dormant */

    uint64_t round_ns;     /* when its part of the last round began */
    pid_t ran;             /* a thread that has run, or may have, since the round before; or 0 */
    uint64_t locks_due_ns; /* when locks may be read again */
    uint64_t sleepers_ns;  /* when those of threads that have slept for long were */

    struct process_symbols symbols;
#if CAPTURE_BOARDS
    uint64_t board_ns; /* of the BOARD that was written; 0: none was */
#endif
};

static inline struct process *process_of(struct target_process *target)
{
    return (struct process *)target;
}

/* NULL: out of memory, and the session has failed. */
struct process *process_add(struct capture *cap, pid_t pid);
struct process *process_find(const struct capture *cap, pid_t pid);

/* Frees it, and what the backend keeps of it. Its threads were freed. */
void process_free(struct capture *cap, struct process *process);

#endif
