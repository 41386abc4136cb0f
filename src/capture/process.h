/* SPDX-License-Identifier: MIT */
/* A process of the target, as the core knows it. Internal to capture/. */
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
    bool made;         /* made during the capture, by a fork that was followed */
    uint64_t since_ns; /* when it was found, or last called exec */
    struct process_usage usage;

    struct maps maps;
    struct modules modules;
    struct captured_code code; /* code that was written */
    struct made_names names;   /* names of code that were written */
    bool maps_unwritten;       /* MAP records for what was read are to be written */
    bool maps_stale;           /* something did not fit them: read again when affordable */
    bool is_go;
    unsigned go_version;      /* runtime/go/memory/go_version.h; 0: not known */
    uint64_t maps_read_ns;    /* last reading: when, */
    uint64_t maps_cost_ns;    /* CPU time that it took */
    uint64_t maps_changed_ns; /* when executable mappings were last found to have changed */
    int64_t maps_credit_ns;   /* CPU time that readings may cost; as of maps_read_ns */
    uint64_t maps_size;       /* the backend's maps_size at maps_read_ns */
    uint64_t unknown_pc_page; /* page of the last PC that a reading did not explain */

    bool rest_known;    /* rest_ns holds: dormant threads have run if it changes */
    uint64_t rest_ns;   /* the process's CPU time less its non-dormant threads' */
    uint64_t chosen_ns; /* when dormant threads were last chosen */

    uint64_t round_ns; /* when the last round came to this process */
    pid_t ran;         /* tid of a thread that ran, or may have, before the last round; 0: none */
    uint64_t locks_due_ns; /* when locks may be read again */
    uint64_t sleepers_ns;  /* when locks of long sleepers were last read */

    struct process_symbols symbols;
#if CAPTURE_BOARDS
    uint64_t board_ns; /* time of the BOARD written last; 0: none was */
#endif
};

static inline struct process *process_of(struct target_process *target)
{
    return (struct process *)target;
}

/* Adds a process and has the backend begin it. NULL: out of memory, and the session has failed. */
struct process *process_add(struct capture *cap, pid_t pid);
struct process *process_find(const struct capture *cap, pid_t pid);

/* Frees the process, and what the backend keeps of it. Its threads must be freed before. */
void process_free(struct capture *cap, struct process *process);

#endif
