/* SPDX-License-Identifier: MIT */
/*
 * Where samples come from: a snapshot of cgsnap's, an ELF core file, a perf.data or a dump of
 * Zephyr, told apart by how they begin; or a board's memory and registers (dump/raw.h). All give
 * the same events (event.h); what reads events knows no format.
 *
 * An importer makes a struct that begins with a snap_source. It looks at no file but its own, so
 * modules come without contents, but for what the file itself has of them.
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

struct bundle; /* bundle.h */

#define SOURCE_NOTE_MAX 16
#define SOURCE_HEAD_MAX 64 /* bytes by which formats are told apart */

/*
 * Dumps of boards are cores. The last is no source of events: it has sums, and is read by
 * graph/pprof/load.h.
 */
enum source_kind { SOURCE_SNAPSHOT, SOURCE_CORE, SOURCE_PERF, SOURCE_PROFILE };

struct snap_source { /* to be read by everybody, changed by the importer only */
    enum source_kind kind;
    const char *format; /* what else it is called: "dump of Zephyr"; NULL: by its kind */
    const struct arch *arch;
    uint64_t clock_offset; /* CLOCK_REALTIME minus the clock of time_ns; 0: not known */
    bool cut_short;        /* at the end: the file was cut, all whole records before were used */
    uint64_t cut_off;      /* where the last whole record ends */
    uint64_t used_off;     /* bytes that the events so far took; 0: not told */
    /* What the user should know besides errors: parts that were left out, and why. */
    struct diag notes[SOURCE_NOTE_MAX];
    size_t note_count;
    const struct source_ops *ops;
    struct source_input *input; /* private; owned; NULL: none */
    /* The files that it brings along; NULL: none. Who uses them when the source is closed takes
     * them: sets this to NULL, and closes them. */
    struct bundle *bundle;
    bool has_files; /* it brings some, taken or not */
};

struct source_ops {
    /* As snap_reader_next: END after the last event. */
    enum status (*next)(struct snap_source *source, struct snap_event *event, struct diag *diag);
    /* `size` bytes of the process's memory at `addr`; false: not all are there. NULL: never. */
    bool (*read)(const struct snap_source *source, uint64_t addr, void *buffer, size_t size);
    void (*destroy)(struct snap_source *source);
};

/* A file as an importer gets it. Of source_input_open: fd is borrowed, `name` owned. */
struct source_input {
    int fd;                        /* borrowed, */
    bool owns_fd;                  /* or owned, as a stream was kept */
    const char *name;              /* for messages */
    uint8_t head[SOURCE_HEAD_MAX]; /* its first bytes */
    size_t head_len;
    bool is_seekable; /* else `head` has been read, and goes before what fd still gives */
    size_t head_read; /* of the head, by source_read */
    bool has_spool;   /* spool_fd is where a stream is kept, or why not: spool_open, borrowed */
    int spool_fd;
};

/* Reads on, the head first where it has been read: as snap_read_fn. `context`: the input. */
int64_t source_read(void *context, void *buffer, uint64_t size);

/*
 * What snap_source_open begins with, for who reads formats that are no source of samples, too:
 * looks at the beginning. IO with `diag` filled; NO_MEMORY. snap_source_open_input takes the input
 * over, whatever it returns.
 */
MUST_CHECK enum status source_input_open(int fd, const char *name, struct source_input **out,
                                         struct diag *diag);
void source_input_close(struct source_input *input);
MUST_CHECK enum status snap_source_open_input(struct source_input *input, struct snap_source **out,
                                              struct diag *diag);

/*
 * Opens what `fd` gives, from its beginning where it can be sought. fd is borrowed and stays open
 * as long as the source. `name` is for messages and copied. BAD_DATA (no format that is known),
 * UNSUPPORTED, IO with `diag` filled; NO_MEMORY.
 */
MUST_CHECK enum status snap_source_open(int fd, const char *name, struct snap_source **out,
                                        struct diag *diag);
void snap_source_close(struct snap_source *source);

/*
 * The next event; what it points to is valid until the next call. END after the last; BAD_DATA, IO
 * with `diag` filled: what was delivered before stays valid.
 */
MUST_CHECK static inline enum status snap_source_next(struct snap_source *source,
                                                      struct snap_event *event, struct diag *diag)
{
    return source->ops->next(source, event, diag);
}

/*
 * Memory of the process as it was when all of it was written down, of a core: `size` bytes at
 * `addr`. False: not all of them are there, as in sources that have samples of different times.
 */
static inline bool snap_source_memory(const struct snap_source *source, uint64_t addr, void *buffer,
                                      size_t size)
{
    return source->ops->read && source->ops->read(source, addr, buffer, size);
}

/* For importers: one more note to fill; the last one again when there are too many. */
struct diag *source_note(struct snap_source *source);

/* A snapshot that is read by a function; `context` is borrowed. As snap_source_open. */
MUST_CHECK enum status snapshot_source_open_read(snap_read_fn *read, void *context,
                                                 const char *name, struct snap_source **out,
                                                 struct diag *diag);

/* One importer each; `input` is borrowed as long as the source. */
MUST_CHECK enum status snapshot_source_open(struct source_input *input, struct snap_source **out,
                                            struct diag *diag);
MUST_CHECK enum status core_source_open(struct source_input *input, struct snap_source **out,
                                        struct diag *diag);
MUST_CHECK enum status perf_source_open(struct source_input *input, struct snap_source **out,
                                        struct diag *diag);
/* Does a file that begins so have such a dump? Of a text, which may be a log: it may. */
bool zephyr_begins(const uint8_t *head, size_t size);
MUST_CHECK enum status zephyr_source_open(struct source_input *input, struct snap_source **out,
                                          struct diag *diag);

#endif
