/* SPDX-License-Identifier: MIT */
/*
 * Sources of samples: a snapshot, an ELF core file, a perf.data or a Zephyr dump, recognized by its
 * first bytes, or a board's memory and registers (dump/raw.h). All yield the same events (event.h),
 * so that their readers need to know no format.
 *
 *     file, pipe ─► gunzip, if it is gzip ─► source_read, head ─► importer
 *
 * An importer makes a struct that begins with a snap_source. It opens no file but the input, not
 * those of modules.
 */
#ifndef SNAPSHOT_IMPORT_SOURCE_H
#define SNAPSHOT_IMPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/status.h"
#include "snapshot/reader.h"

struct bundle; /* see bundle.h */
struct gunzip; /* see gunzip.h */

#define SOURCE_NOTE_MAX 16 /* most messages of a source */
#define SOURCE_HEAD_MAX 64 /* bytes of an input's beginning by which formats are recognized */

/*
 * Kinds of inputs. Dumps of boards are SOURCE_CORE. SOURCE_PROFILE (pprof) yields no events:
 * graph/pprof/load.h reads its sums.
 */
enum source_kind { SOURCE_SNAPSHOT, SOURCE_CORE, SOURCE_PERF, SOURCE_PROFILE };

struct snap_source { /* public to read; only the importer changes it */
    enum source_kind kind;
    const char *format; /* name of the format, "dump of Zephyr"; NULL: as the kind says */
    const struct arch *arch;
    uint64_t clock_offset; /* CLOCK_REALTIME minus the clock of time_ns; 0: not known */
    bool cut_short;        /* valid at END: the file was cut; all whole records were used */
    uint64_t cut_off;      /* with cut_short: offset at which the last whole record ends */
    uint64_t used_off;     /* offset behind the records of the events so far; 0: not known */
    /* Messages for the user besides errors: things that were left out, and why. */
    struct diag notes[SOURCE_NOTE_MAX];
    size_t note_count;
    const struct source_ops *ops;
    struct source_input *input; /* private; owned; NULL: none */
    /*
     * Files that the input contains; NULL: none. Owned; a caller that needs them after
     * snap_source_close sets this to NULL and closes the bundle itself.
     */
    struct bundle *bundle;
    bool has_files; /* `bundle` was set by opening; stays true after a caller has taken it */
};

/* The functions of a kind of source. */
struct source_ops {
    /* Implements snap_source_next. */
    enum status (*next)(struct snap_source *source, struct snap_event *event, struct diag *diag);
    /*
     * Copies `size` bytes of the process's memory at `addr`; false: not all are there. NULL: the
     * source has no memory.
     */
    bool (*read)(const struct snap_source *source, uint64_t addr, void *buffer, size_t size);
    void (*destroy)(struct snap_source *source);
};

/* An input as an importer gets it: a file, or a stream (pipe, socket, what gzip compressed). */
struct source_input {
    int fd;                        /* borrowed, unless owns_fd */
    bool owns_fd;                  /* fd is owned: a copy of a stream */
    const char *name;              /* for messages; owned if from source_input_open */
    uint8_t head[SOURCE_HEAD_MAX]; /* the input's first head_len bytes */
    size_t head_len;
    bool is_seekable; /* false: `head` has been consumed from fd and precedes its further bytes */
    size_t head_read; /* bytes of `head` that source_read has returned */
    bool has_spool;   /* spool_fd is set: the (borrowed) result of spool_open */
    int spool_fd;
    struct gunzip *gunzip; /* owned; the input is its decompressed bytes; NULL: it is no gzip */
};

/* A snap_read_fn, whose context is the source_input; reads the input from its beginning on. */
int64_t source_read(void *context, void *buffer, uint64_t size);

/*
 * snap_source_open in two steps, for callers that read other formats, too. source_input_open reads
 * the beginning of `fd` (borrowed): IO, BAD_DATA (gzip that is damaged there), NO_MEMORY, all with
 * `diag` filled. snap_source_open_input takes ownership of `input` in any case, and fails like
 * snap_source_open.
 */
MUST_CHECK enum status source_input_open(int fd, const char *name, struct source_input **out,
                                         struct diag *diag);
void source_input_close(struct source_input *input);
/* Whether snap_source_open_input knows the input's format. */
bool source_input_is_known(const struct source_input *input);
MUST_CHECK enum status snap_source_open_input(struct source_input *input, struct snap_source **out,
                                              struct diag *diag);

/*
 * Reads `input` to its end, for formats that are parsed as a whole, and sets *bytes to its *size
 * bytes, malloc'ed, for the caller to free; NULL if there are none. BAD_DATA (more than `max`
 * bytes, or gzip that is damaged or cut short), IO, NO_MEMORY, all with `diag` filled.
 */
MUST_CHECK enum status source_read_all(struct source_input *input, size_t max, uint8_t **bytes,
                                       size_t *size, struct diag *diag);

/*
 * Opens the input `fd` as a source, from the beginning if `fd` is seekable. `fd` is borrowed and
 * has to stay open as long as the source. `name` is for messages and copied. BAD_DATA (no known
 * format), UNSUPPORTED, IO, NO_MEMORY, all with `diag` filled.
 */
MUST_CHECK enum status snap_source_open(int fd, const char *name, struct snap_source **out,
                                        struct diag *diag);
void snap_source_close(struct snap_source *source);

/* Sets *diag to what was wrong with the compressed bytes of an input, if that made a read fail. */
enum status source_failed(const struct source_input *input, enum status status, struct diag *diag);

/*
 * Sets *event to the next event, whose pointers are valid until the next call. END: there are no
 * more; BAD_DATA, IO with `diag` filled: the events before can be used; NO_MEMORY.
 */
MUST_CHECK static inline enum status snap_source_next(struct snap_source *source,
                                                      struct snap_event *event, struct diag *diag)
{
    const enum status status = source->ops->next(source, event, diag);

    return status == STATUS_IO || status == STATUS_END ? source_failed(source->input, status, diag)
                                                       : status;
}

/*
 * Copies `size` bytes at `addr` of a core's or dump's memory. False: not all of them are there, or
 * the source is of another kind, with samples of different times.
 */
static inline bool snap_source_memory(const struct snap_source *source, uint64_t addr, void *buffer,
                                      size_t size)
{
    return source->ops->read && source->ops->read(source, addr, buffer, size);
}

/*
 * For importers: returns `told`, the mask of the bits that sign code addresses; where the input
 * tells none (0), as cores of qemu-user and servers for gdb, that of most kernels.
 */
uint64_t source_pac_mask(const struct arch *arch, uint64_t told);

/* For importers: returns a free element of `notes` to fill; the last one when all are used. */
struct diag *source_note(struct snap_source *source);

/*
 * Opens a snapshot whose bytes `read` returns; `context` is borrowed. Fails like
 * snap_reader_create.
 */
MUST_CHECK enum status snapshot_source_open_read(snap_read_fn *read, void *context,
                                                 const char *name, struct snap_source **out,
                                                 struct diag *diag);

/* Each opens a source of one format; the source borrows `input`. Fail like snap_source_open. */
MUST_CHECK enum status snapshot_source_open(struct source_input *input, struct snap_source **out,
                                            struct diag *diag);
MUST_CHECK enum status core_source_open(struct source_input *input, struct snap_source **out,
                                        struct diag *diag);
MUST_CHECK enum status perf_source_open(struct source_input *input, struct snap_source **out,
                                        struct diag *diag);
/* Whether an input with this head is a Zephyr dump, or a text, which may be a log with a dump. */
bool zephyr_begins(const uint8_t *head, size_t size);
MUST_CHECK enum status zephyr_source_open(struct source_input *input, struct snap_source **out,
                                          struct diag *diag);

#endif
