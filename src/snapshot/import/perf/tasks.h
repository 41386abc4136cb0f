/* SPDX-License-Identifier: MIT */
/*
 * Processes, threads, and what processes have mapped, as the records tell.
 *
 * A child shares its parent's maps until one of them maps more, and nobody is told of a process
 * before it has a sample: a shell that starts ten thousand programs costs little. Memory grows with
 * what lives at one time (and the files' names).
 */
#ifndef SNAPSHOT_IMPORT_PERF_TASKS_H
#define SNAPSHOT_IMPORT_PERF_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "snapshot/import/perf/format.h"

#define PERF_MAPS_MAX 65536 /* maps of a process: the older half is forgotten then */
/* entries that all processes' lists have room for: what goes beyond is forgotten */
#define PERF_MAPS_TOTAL_MAX (UINT32_C(1) << 20)
/* entries that are copied for children which map something: so many, and more for each mapping */
#define PERF_MAPS_COPIED      (UINT64_C(1) << 24)
#define PERF_MAPS_COPIED_EACH 256
#define PERF_NAME_MAX         32  /* a thread's name with its NUL: 16, or 64 of kworkers */
#define PERF_EXITED_MAX       256 /* threads known a while after their end: samples follow */
#define PERF_NO_MODULE        UINT32_MAX

struct perf_module { /* what is mapped */
    char *path;
    uint8_t kind, flags; /* as in struct snap_map */
    uint8_t build_id_size;
    uint8_t build_id[PERF_BUILD_ID_MAX];
    uint64_t dev, inode;
    size_t next; /* private */
};

struct perf_map {
    uint64_t start_addr, end_addr, file_off;
    uint32_t module; /* index in modules */
    uint8_t prot;
};

struct perf_maps { /* in the order in which they were made */
    uint32_t refs;
    uint32_t program; /* the module of the first file that was mapped; PERF_NO_MODULE */
    size_t count, cap;
    struct perf_map *list;
};

struct perf_process {
    uint32_t pid, parent_pid;
    uint32_t threads; /* that are known; 0: the slot is free */
    uint32_t epoch;   /* counts the times that it was told of */
    bool is_reported; /* as it is now: not after an exec */
    bool was_reported;
    bool exec;
    size_t maps_reported;   /* of maps->count */
    struct perf_maps *maps; /* NULL: none */
};

struct perf_thread {
    uint32_t tid;
    uint32_t process;    /* index in processes */
    uint32_t epoch_told; /* the process's when it was told of; 0: it was not */
    bool exited;
    char name[PERF_NAME_MAX];
};

/* What somebody who was told of a thread and its process should hear at their end. */
struct perf_ended {
    bool thread, process;
    uint32_t tid, pid;
};

struct perf_tasks { /* perf_tasks_init */
    struct perf_module *modules;
    size_t module_count, module_cap;
    struct map by_module;
    struct perf_process *processes;
    size_t process_count, process_cap;
    struct map by_pid;
    struct perf_thread *threads;
    size_t thread_count, thread_cap;
    struct map by_tid;
    /* Slots that are free, and threads that have ended, oldest first. */
    uint32_t *free_processes, *free_threads;
    size_t free_process_count, free_process_cap, free_thread_count, free_thread_cap;
    uint32_t exited[PERF_EXITED_MAX];
    size_t exited_count, exited_first;
    struct perf_ended ended; /* by the last record; what has been told is cleared */
    size_t map_total;        /* caps of all lists of maps */
    uint64_t maps_added, maps_copied;
    uint64_t maps_forgotten; /* because there were too many */
};

void perf_tasks_deinit(struct perf_tasks *tasks);

/*
 * Finds or makes the thread: its index. A thread of another process's before is new; the process
 * that it was the last thread of ends (tasks->ended).
 */
MUST_CHECK enum status perf_tasks_thread(struct perf_tasks *tasks, uint32_t pid, uint32_t tid,
                                         uint32_t *out);

/* `name` of `size` bytes, NUL or not; `exec`: the process is another program now. */
MUST_CHECK enum status perf_tasks_comm(struct perf_tasks *tasks, uint32_t pid, uint32_t tid,
                                       const char *name, size_t size, bool exec);
/* `maps`: a new process begins with its parent's. */
MUST_CHECK enum status perf_tasks_fork(struct perf_tasks *tasks, uint32_t pid, uint32_t tid,
                                       uint32_t parent_pid, uint32_t parent_tid, bool maps);
/* A thread's end; tasks->ended is what became of one that ended earlier. */
MUST_CHECK enum status perf_tasks_exit(struct perf_tasks *tasks, uint32_t pid, uint32_t tid);

/* Finds or adds a module; `module` is copied, with its path. */
MUST_CHECK enum status perf_tasks_module(struct perf_tasks *tasks, const struct perf_module *module,
                                         uint32_t *out);
MUST_CHECK enum status perf_tasks_map(struct perf_tasks *tasks, uint32_t pid, uint32_t tid,
                                      const struct perf_map *map);

#endif
