/*
 * Reading a snapshot as a stream of events; see FORMAT.md.
 *
 * The reader restores each sample's stack from what was written for the thread before, so that a
 * consumer sees whole samples. It holds one stack image per live thread and nothing that grows with
 * the length of the stream. It does not unwind and knows no ELF.
 *
 * Importers of other formats (ELF core, perf.data) yield the same events.
 */
#ifndef SNAPSHOT_READER_H
#define SNAPSHOT_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arch.h"
#include "base/diag.h"
#include "base/status.h"
#include "snapshot/format.h"

struct snap_process {
    uint32_t pid, parent_pid;
    uint64_t time_ns;
    uint32_t page_size, word_size;
    uint64_t pac_mask;
    const char *exe, *host, *kernel; /* NUL-terminated */
    const uint8_t *command_line, *auxv;
    uint32_t command_line_size, auxv_size;
    bool exec; /* the pid was known: forget its maps */
};

struct snap_map {
    uint32_t pid;
    uint8_t kind; /* enum snap_map_kind */
    uint8_t prot, flags, build_id_size;
    const uint8_t *build_id;
    uint64_t start_addr, end_addr, file_off, dev, inode;
    const char *path;
};

struct snap_range { /* UNMAP; CODE with bytes */
    uint32_t pid;
    uint64_t start_addr, end_addr;
    const uint8_t *bytes; /* CODE: end - start of them */
};

struct snap_thread {
    uint32_t pid, tid;
    uint64_t time_ns, start_ticks;
    const char *name; /* THREAD_END: NULL */
};

struct snap_region {
    uint64_t start_addr, end_addr, map_end_addr;
    const uint8_t *bytes; /* end - start of them */
};

struct snap_sample {
    uint32_t pid, tid;
    uint64_t time_ns, cpu_ns;
    uint64_t wall_ns; /* since the thread's previous sample or its repeat; 0 for its first */
    char state;
    bool repeat; /* same as the thread's previous sample in all but times */
    bool has_syscall;
    uint8_t flags;
    int64_t syscall;
    uint64_t syscall_args[6];
    struct regs regs;
    uint32_t region_count;
    struct snap_region regions[SNAP_REGION_MAX];
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
    enum snap_type type; /* IDLE never appears: it is delivered as one repeated SAMPLE a thread */
    union {
        struct snap_process process;
        struct snap_map map;
        struct snap_range range;
        struct snap_thread thread;
        struct snap_sample sample;
        struct snap_loss_info loss;
        struct snap_summary summary;
    };
};

struct snap_reader;

/* Reads up to `size` bytes to `buffer`: the count, 0 at the end, negative errno on failure. */
typedef int64_t snap_read_fn(void *context, void *buffer, uint64_t size);

/*
 * Opens a stream and checks its header. `name` is for messages and copied. BAD_DATA, UNSUPPORTED
 * (version, byte order, architecture), IO with `diag` filled. The creator closes what is behind
 * `context`.
 */
MUST_CHECK enum status snap_reader_create(snap_read_fn *read, void *context, const char *name,
                                          struct snap_reader **out, struct diag *diag);
void snap_reader_destroy(struct snap_reader *reader);

const struct arch *snap_reader_arch(const struct snap_reader *reader);
/* CLOCK_REALTIME minus CLOCK_MONOTONIC on the target. */
uint64_t snap_reader_clock_offset(const struct snap_reader *reader);

/*
 * The next event; what it points to is valid until the next call. END after the last record (also
 * when the stream was cut short: ask snap_reader_cut_short). BAD_DATA, IO: `diag` filled, and what
 * was delivered before stays valid; further calls repeat the error.
 */
MUST_CHECK enum status snap_reader_next(struct snap_reader *reader, struct snap_event *event,
                                        struct diag *diag);

/* After END: the stream ended without SUMMARY; *off is where its last whole record ends. */
bool snap_reader_cut_short(const struct snap_reader *reader, uint64_t *off);

#endif
