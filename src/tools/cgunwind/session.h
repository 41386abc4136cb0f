/* SPDX-License-Identifier: MIT */
/* One run of cgunwind: sandbox.c confines it, read.c reads inputs into it, main.c writes. */
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

/* Most paths through other processes (/proc/PID/exe, /proc/PID/root) that are opened early. */
#define REACHED_MAX 16u

#define SESSION_HISTORY_SINK 1

struct session {
    struct cgunwind_options *options;
    struct module_set *modules;
    struct symbolizer *symbolizer;
    struct unwinder *unwinder;
    struct told *told; /* names and lines of addresses, from profiles */
    struct names *names;
    struct variables *variables; /* NULL: none are asked for */
    struct ingest ingest;
    struct ingest_sink sinks[4]; /* if there is a history, its index is SESSION_HISTORY_SINK */
    uint64_t input_bytes;        /* bytes in all inputs; 0: not known */
    const struct arch *arch;
    struct output output;
    struct terminal terminal;
    bool is_at_terminal; /* the output goes to a terminal, but not through `terminal` */
    bool cut_short, has_profiles;
    bool arch_known; /* false: only profiles were read, all without architecture; `arch` is any */
    uint64_t symbolize_ns;  /* ns; names and lines, after reading */
    struct history history; /* filled if the output needs it */
    struct waits *waits;
    struct calltrace trace;
    struct jit_maps jit_maps; /* of --perf-map */
    /* Opened before the process is confined: */
    struct {
        int fd;
        char path[32]; /* path of `fd` in our own /proc */
    } reached[REACHED_MAX];
    size_t reached_count;
    struct opener opener;
    struct cache *cache;     /* NULL: none */
    struct fetcher *fetcher; /* the same */
    struct live *live;       /* the same */
    struct offers *offers;   /* files that inputs bring along, in `bundles` */
    struct bundle **bundles; /* owned */
    size_t bundle_count, bundle_cap;
    char text_path[PICTURE_PATH_MAX]; /* borrowed by `opener` */
    int *spools;                      /* from spool_open, one for each input that may be a stream */
    size_t spool_count, spools_used;
    int room; /* from spool_open, for files that inputs bring along */
    bool has_room;
    struct acceptor acceptor; /* for inputs that are connections, in their order */
};

/*
 * Reads one input. The first one also opens everything that depends on the architecture, as the
 * profile. After a failure the profile has what could be read. `diag` says why.
 */
enum status session_read(struct session *s, const char *path, struct diag *diag);
void session_close(struct session *s);

/*
 * sandbox.c: opens what is needed later, and starts the helper processes; then takes away what the
 * process does not need (confine.h), unless --no-sandbox is given. Fails with `diag` filled.
 */
enum status session_confine(struct session *s, struct diag *diag);

void session_close_early(struct session *s); /* closes what session_confine opened */

/*
 * bundles.c: offers the files that the input brings along (--bundle) to the modules. Takes the
 * bundle over from `source`. Fails with NO_MEMORY only.
 */
enum status session_take_bundle(struct session *s, struct snap_source *source);
void session_close_bundles(struct session *s);

/* Says whether the path stands for a TCP connection to wait for. */
bool session_is_tcp(const char *path);

/*
 * ram.c: says whether the path stands for --ram and --regs; opens these as a source (UNSUPPORTED:
 * no --elf file tells the architecture).
 */
bool session_is_ram(const struct session *s, const char *path);
enum status session_open_ram(const struct session *s, struct snap_source **out, struct diag *diag);

/* Returns the output's name, for messages. */
const char *session_output_name(const struct session *s);

#endif
