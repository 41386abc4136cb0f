/* SPDX-License-Identifier: MIT */
/*
 * Where samples come from: a snapshot, an ELF core file, a perf.data or a Zephyr dump, recognized
 * by their first bytes, or a board's memory and registers (dump/raw.h). All yield the same events
 * (event.h); readers of events know no format.
 *
 * An importer makes a struct that begins with a snap_source. It opens no file but its own: modules
 * come without contents, except those that the file itself has.
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
#define SOURCE_HEAD_MAX 64 /* bytes of the beginning by which formats are recognized */

/* Dumps of boards are CORE. PROFILE yields no events: graph/pprof/load.h reads its sums. */
enum source_kind { SOURCE_SNAPSHOT, SOURCE_CORE, SOURCE_PERF, SOURCE_PROFILE };

struct snap_source { /* public to read; only the importer changes it */
    enum source_kind kind;
    const char *format; /* its name, "dump of Zephyr"; NULL: that of its kind */
    const struct arch *arch;
    uint64_t clock_offset; /* CLOCK_REALTIME minus the clock of time_ns; 0: not known */
    bool cut_short;        /* valid at END: the file was cut; all whole records were used */
    uint64_t cut_off;      /* offset where the last whole record ends */
    uint64_t used_off;     /* offset behind the events so far; 0: not known */
    /* Messages for the user besides errors: what was left out, and why. */
    struct diag notes[SOURCE_NOTE_MAX];
    size_t note_count;
    const struct source_ops *ops;
    struct source_input *input; /* private; owned; NULL: none */
    /*
     * Files that the input brings along; NULL: none. Whoever needs them after snap_source_close
     * sets this to NULL and closes them.
     */
    struct bundle *bundle;
    bool has_files; /* it brings files along, taken or not */
};

struct source_ops {
    /* See snap_source_next. */
    enum status (*next)(struct snap_source *source, struct snap_event *event, struct diag *diag);
    /*
     * Copies `size` bytes of the process's memory at `addr`; false: not all are there. NULL: the
     * source has no memory.
     */
    bool (*read)(const struct snap_source *source, uint64_t addr, void *buffer, size_t size);
    void (*destroy)(struct snap_source *source);
};

/* An input file as an importer gets it. From source_input_open: fd borrowed, `name` owned. */
struct source_input {
    int fd;                        /* borrowed, unless owns_fd */
    bool owns_fd;                  /* fd is owned: a copy of a stream */
    const char *name;              /* for messages */
    uint8_t head[SOURCE_HEAD_MAX]; /* its first bytes */
    size_t head_len;
    bool is_seekable; /* false: `head` has been consumed from fd and precedes its further bytes */
    size_t head_read; /* bytes of `head` that source_read has returned */
    bool has_spool;   /* spool_fd is set: the (borrowed) result of spool_open */
    int spool_fd;
};

/* A snap_read_fn; `context` is the source_input. Of a stream it returns the head first. */
int64_t source_read(void *context, void *buffer, uint64_t size);

/*
 * snap_source_open in two steps, for callers that read other formats, too. The first reads the
 * beginning of `fd` (borrowed): IO, NO_MEMORY, both with `diag` filled. snap_source_open_input owns
 * `input` from its call on, also when it fails.
 */
MUST_CHECK enum status source_input_open(int fd, const char *name, struct source_input **out,
                                         struct diag *diag);
void source_input_close(struct source_input *input);
MUST_CHECK enum status snap_source_open_input(struct source_input *input, struct snap_source **out,
                                              struct diag *diag);

/*
 * Opens the source at `fd`, from its beginning if it is seekable. `fd` is borrowed and stays open
 * as long as the source. `name` is for messages and copied. BAD_DATA (no known format),
 * UNSUPPORTED, IO, NO_MEMORY, all with `diag` filled.
 */
MUST_CHECK enum status snap_source_open(int fd, const char *name, struct snap_source **out,
                                        struct diag *diag);
void snap_source_close(struct snap_source *source);

/*
 * Fills *event with the next event; its pointers are valid until the next call. END after the last;
 * BAD_DATA, IO with `diag` filled: events delivered before stay good; NO_MEMORY.
 */
MUST_CHECK static inline enum status snap_source_next(struct snap_source *source,
                                                      struct snap_event *event, struct diag *diag)
{
    return source->ops->next(source, event, diag);
}

/*
 * Copies `size` bytes at `addr` of a core's or dump's memory. False: not all of them are there;
 * always in sources with samples of different times.
 */
static inline bool snap_source_memory(const struct snap_source *source, uint64_t addr, void *buffer,
                                      size_t size)
{
    return source->ops->read && source->ops->read(source, addr, buffer, size);
}

/* For importers: returns the next note to fill; the last one again when all are used. */
struct diag *source_note(struct snap_source *source);

/* Opens a snapshot that `read` delivers; `context` is borrowed. Errors of snap_reader_create. */
MUST_CHECK enum status snapshot_source_open_read(snap_read_fn *read, void *context,
                                                 const char *name, struct snap_source **out,
                                                 struct diag *diag);

/* Open one format each; the source borrows `input`. */
MUST_CHECK enum status snapshot_source_open(struct source_input *input, struct snap_source **out,
                                            struct diag *diag);
MUST_CHECK enum status core_source_open(struct source_input *input, struct snap_source **out,
                                        struct diag *diag);
MUST_CHECK enum status perf_source_open(struct source_input *input, struct snap_source **out,
                                        struct diag *diag);
/* Returns whether `head` begins a Zephyr dump, or a text, which may be a log with one. */
bool zephyr_begins(const uint8_t *head, size_t size);
MUST_CHECK enum status zephyr_source_open(struct source_input *input, struct snap_source **out,
                                          struct diag *diag);

#endif
