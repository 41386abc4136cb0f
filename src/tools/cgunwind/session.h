/* SPDX-License-Identifier: MIT */
/*
 * One run of cgunwind: sandbox.c confines it, read.c reads the inputs to what is here, main.c has
 * it written.
 */
#ifndef TOOLS_CGUNWIND_SESSION_H
#define TOOLS_CGUNWIND_SESSION_H

#include "cache/cache.h"
#include "fetch/fetcher.h"
#include "fetch/live.h"
#include "graph/ingest.h"
#include "graph/told.h"
#include "output/format.h"
#include "output/picture.h"
#include "tools/cgunwind/acceptor.h"
#include "tools/cgunwind/cgunwind.h"
#include "tools/cgunwind/terminal.h"

/* Paths that lead through other processes, as /proc/PID/exe and /proc/PID/root. */
#define REACHED_MAX 16u

#define SESSION_HISTORY_SINK 1

struct session {
    struct cgunwind_options *options;
    struct module_set *modules;
    struct symbolizer *symbolizer;
    struct unwinder *unwinder;
    struct told *told; /* by profiles, of addresses */
    struct names *names;
    struct variables *variables; /* NULL: none are asked for */
    struct ingest ingest;
    struct ingest_sink sinks[4]; /* with a history that is SESSION_HISTORY_SINK */
    uint64_t input_bytes;        /* of all inputs; 0: not known */
    const struct arch *arch;
    struct output output;
    struct terminal terminal;
    bool is_at_terminal; /* what is written goes there without `terminal` */
    bool cut_short, has_profiles;
    bool arch_known;       /* else only profiles were read, none of which tells it: `arch` is any */
    uint64_t symbolize_ns; /* after reading */
    struct history history; /* filled where the output needs it */
    struct waits *waits;
    struct calltrace trace;
    struct jit_maps jit_maps; /* of --perf-map */
    /* Opened before it is confined: */
    struct {
        int fd;
        char path[32]; /* that leads there */
    } reached[REACHED_MAX];
    size_t reached_count;
    struct opener opener;
    struct cache *cache;     /* NULL: none */
    struct fetcher *fetcher; /* the same */
    struct live *live;       /* the same */
    struct offers *offers;   /* of the inputs' own files, which `bundles` have */
    struct bundle **bundles; /* owned */
    size_t bundle_count, bundle_cap;
    char text_path[PICTURE_PATH_MAX]; /* of opener */
    int *spools; /* as of spool_open, one for each input that may be a stream */
    size_t spool_count, spools_used;
    int room; /* the same, for files that inputs bring along */
    bool has_room;
    struct acceptor acceptor; /* of inputs that are connections, in their order */
};

/*
 * Reads one input. The first opens what depends on the architecture; from then on there is a
 * profile, and what fails leaves there what was readable.
 */
enum status session_read(struct session *s, const char *path, struct diag *diag);
void session_close(struct session *s);

/*
 * sandbox.c: opens what is needed later and cannot be opened any more, and takes from the process
 * what it does not need (confine.h), unless --no-sandbox is given.
 */
enum status session_confine(struct session *s, struct diag *diag);

void session_close_early(struct session *s); /* what that opened */

/*
 * bundles.c: offers the files that the input brings along to the modules. The source gives them
 * away. NO_MEMORY.
 */
enum status session_take_bundle(struct session *s, struct snap_source *source);
void session_close_bundles(struct session *s);

/* Whether the path stands for a connection that is waited for. */
bool session_is_tcp(const char *path);

/* ram.c: whether the path stands for what --ram and --regs give; opens that. */
bool session_is_ram(const struct session *s, const char *path);
enum status session_open_ram(const struct session *s, struct snap_source **out, struct diag *diag);

/* For messages. */
const char *session_output_name(const struct session *s);

#endif
