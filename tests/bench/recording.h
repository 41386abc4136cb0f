/* SPDX-License-Identifier: MIT */
/*
 * A snapshot or perf.data file in memory, so that reading it is no part of what is measured: the
 * samples of the process that has most of them, whole, and what is mapped into it.
 *
 * For the benchmark only: memory grows with the file, and whatever fails ends the program.
 */
#ifndef BENCH_RECORDING_H
#define BENCH_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/event.h"
#include "symbol/address_space.h"

struct recording {
    const struct arch *arch;
    uint32_t pid;
    struct snap_process process;
    struct snap_event *maps; /* MAP, UNMAP and CODE, in the file's order */
    size_t map_count, map_cap;
    struct recorded {
        struct snap_sample sample;
        size_t thread; /* 0 … thread_count - 1 */
    } * samples;
    size_t sample_count, sample_cap, thread_count;
};

/*
 * Left out are repeats, what a process was before its last exec, the kernel's frames, and samples
 * without registers. Exits when it cannot.
 */
void recording_read(struct recording *recording, const char *path);
void recording_free(struct recording *recording);

/* What is mapped at the end, with modules from `set`. */
void recording_space(const struct recording *recording, struct module_set *set,
                     struct address_space *space);

/*
 * Is the module of the space's mapping that of one before? The peers know a file in one place only;
 * node maps a part of itself twice.
 */
bool recording_seen(const struct address_space *space, size_t index);

/* CPU time of the calling thread: of a machine that others use, too, it tells more than a clock. */
uint64_t bench_cpu_ns(void);
/* "bench: WHAT" and exit. */
_Noreturn void bench_die(const char *format, ...) PRINTF_LIKE(1, 2);
/* Never NULL; zeroed. */
void *bench_alloc(size_t count, size_t size);

#endif
