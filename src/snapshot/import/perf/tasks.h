/* SPDX-License-Identifier: MIT */
/*
 * Processes, threads and processes' mappings, from the records of a perf.data.
 *
 * A child shares its parent's list of mappings until parent or child maps more, and no event is
 * made for a process before its first sample: a shell that starts ten thousand programs costs
 * little. Memory grows with the number of tasks that live at one time, and with the number of
 * files.
 */
#ifndef SNAPSHOT_IMPORT_PERF_TASKS_H
#define SNAPSHOT_IMPORT_PERF_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "snapshot/import/perf/format.h"

#define PERF_MAPS_MAX 65536 /* mappings of a process; at the limit the older half is forgotten */
/* Most entries for which all processes' lists have room; mappings beyond are forgotten. */
#define PERF_MAPS_TOTAL_MAX (UINT32_C(1) << 20)
/* Most entries copied when lists stop being shared: _COPIED, and _EACH per mapping added. */
#define PERF_MAPS_COPIED      (UINT64_C(1) << 24)
#define PERF_MAPS_COPIED_EACH 256
#define PERF_NAME_MAX         32  /* bytes of a thread's name, NUL included; longer ones are cut */
#define PERF_EXITED_MAX       256 /* ended threads that stay known: samples of them may follow */
#define PERF_NO_MODULE        UINT32_MAX

struct perf_module { /* a mapped file */
    char *path;
    uint8_t kind, flags; /* kind and flags of struct snap_map */
    uint8_t build_id_size;
    uint8_t build_id[PERF_BUILD_ID_MAX];
    uint64_t dev, inode;
    size_t next; /* private */
};

struct perf_map {
    uint64_t start_addr, end_addr, file_off;
    uint32_t module; /* index in perf_tasks.modules */
    uint8_t prot;
};

struct perf_maps {    /* in the order in which they were mapped */
    uint32_t refs;    /* processes that share the list */
    uint32_t program; /* module of the first mapped file; PERF_NO_MODULE: none */
    size_t count, cap;
    struct perf_map *list;
};

struct perf_process {
    uint32_t pid, parent_pid;
    uint32_t threads; /* number of known threads; 0: the slot is free */
    uint32_t epoch;   /* number of PROCESS events made for the process */
    bool is_reported; /* a PROCESS was delivered since the last exec */
    bool was_reported;
    bool exec;
    size_t maps_reported;   /* how many of the mappings, from the first on, were delivered */
    struct perf_maps *maps; /* NULL: none */
};

struct perf_thread {
    uint32_t tid;
    uint32_t process; /* index in perf_tasks.processes */
    uint32_t
        epoch_told; /* the process's epoch at the thread's last THREAD event; 0: no event yet */
    bool exited;
    char name[PERF_NAME_MAX];
};

/* A thread, and a process, whose ends are still to be delivered: `thread`, `process` say which. */
struct perf_ended {
    bool thread, process;
    uint32_t tid, pid;
};

struct perf_tasks { /* zero it */
    struct perf_module *modules;
    size_t module_count, module_cap;
    struct map by_module;
    struct perf_process *processes;
    size_t process_count, process_cap;
    struct map by_pid;
    struct perf_thread *threads;
    size_t thread_count, thread_cap;
    struct map by_tid;
    /*
     * Indexes of free slots; `exited`: a ring of ended threads' tids, the oldest at exited_first.
     */
    uint32_t *free_processes, *free_threads;
    size_t free_process_count, free_process_cap, free_thread_count, free_thread_cap;
    uint32_t exited[PERF_EXITED_MAX];
    size_t exited_count, exited_first;
    struct perf_ended ended; /* set by the last call; its flags are cleared on delivery */
    size_t map_total;        /* sum of the caps of all lists of mappings */
    uint64_t maps_added, maps_copied;
    uint64_t maps_forgotten; /* mappings forgotten because of the limits */
};

void perf_tasks_deinit(struct perf_tasks *tasks);

/*
 * Sets *out to the index of thread `tid` of process `pid`, which are added if absent. If the tid
 * belonged to another process, the thread is new, and that process ends if it was its last thread
 * (tasks->ended). NO_MEMORY.
 */
MUST_CHECK enum status perf_tasks_thread(struct perf_tasks *tasks, uint32_t pid, uint32_t tid,
                                         uint32_t *out);

/*
 * Names a thread: `name` has `size` bytes, with or without a NUL. `exec`: the process runs another
 * program now and loses its mappings. NO_MEMORY.
 */
MUST_CHECK enum status perf_tasks_comm(struct perf_tasks *tasks, uint32_t pid, uint32_t tid,
                                       const char *name, size_t size, bool exec);
/*
 * Adds a thread, named like its parent. `maps`: if its process is new, the process gets the
 * parent's mappings. NO_MEMORY.
 */
MUST_CHECK enum status perf_tasks_fork(struct perf_tasks *tasks, uint32_t pid, uint32_t tid,
                                       uint32_t parent_pid, uint32_t parent_tid, bool maps);
/*
 * Notes a thread's end. The thread stays known until PERF_EXITED_MAX later ones have ended;
 * tasks->ended is set for the oldest ended thread, which is removed then. NO_MEMORY.
 */
MUST_CHECK enum status perf_tasks_exit(struct perf_tasks *tasks, uint32_t pid, uint32_t tid);

/*
 * Sets *out to the index of an equal module; if absent a copy of `module` and its path is added.
 * NO_MEMORY.
 */
MUST_CHECK enum status perf_tasks_module(struct perf_tasks *tasks, const struct perf_module *module,
                                         uint32_t *out);
/* Adds a mapping to the process `pid`, which is added with thread `tid` if absent. NO_MEMORY. */
MUST_CHECK enum status perf_tasks_map(struct perf_tasks *tasks, uint32_t pid, uint32_t tid,
                                      const struct perf_map *map);

#endif
