/* SPDX-License-Identifier: MIT */
/*
 * The state of one run of cgunwind: sandbox.c confines the process, read.c reads inputs into the
 * session, main.c writes the output.
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

/*
 * The most paths through other processes (/proc/PID/exe, /proc/PID/root) that are opened before the
 * process is confined.
 */
#define REACHED_MAX 16u

struct session {
    struct cgunwind_options *options;
    struct module_set *modules;
    struct symbolizer *symbolizer;
    struct unwinder *unwinder;
    struct told *told; /* names and lines that profiles as inputs give for addresses */
    struct names *names;
    struct variables *variables; /* tells variables; NULL: no option asks for variables */
    struct ingest ingest;
    uint64_t input_bytes; /* size of all inputs together; 0: not known */
    const struct arch *arch;
    struct output output;
    struct terminal terminal;
    bool is_at_terminal; /* the output is a terminal, but does not go through `terminal` */
    bool cut_short, has_profiles;
    /* false: only profiles without architecture were read; `arch` is an arbitrary one */
    bool arch_known;
    uint64_t symbolize_ns;  /* time that finding names and lines took, after reading */
    struct history history; /* the threads' history, filled if the output needs it */
    struct waits *waits;
    struct calltrace trace;
    struct jit_maps jit_maps; /* functions made at run time that --perf-map has read */
    /* The process opens the next members before it confines itself. */
    struct {
        int fd;
        char path[32]; /* path of `fd` below this process's own /proc */
    } reached[REACHED_MAX];
    size_t reached_count;
    struct opener opener;
    struct cache *cache;     /* cache of analyses and sections; NULL: none */
    struct fetcher *fetcher; /* fetches missing files; NULL: none */
    struct live *live;       /* opens files of live processes; NULL: none */
    struct offers *offers;   /* the files in `bundles`, which inputs bring along */
    struct bundle **bundles; /* bundles of the inputs (files that they bring along); owned */
    size_t bundle_count, bundle_cap;
    /* path for the text of a failed picture (picture_text_path); borrowed by `opener` */
    char text_path[PICTURE_PATH_MAX];
    int *spools; /* files of spool_open, one for each input that may be a stream */
    size_t spool_count, spools_used;
    int room; /* a file of spool_open that files in `bundles` are written to */
    bool has_room;
    struct acceptor acceptor; /* for the inputs that are connections, in the order of the inputs */
};

/*
 * Reads the input `path` into the session ("-": standard input; tcp-listen:...: waits for a
 * connection; the one of --ram). The first call also makes what depends on the architecture, such
 * as the profile. After a failure, of which `diag` says why, the profile has what was read before
 * it.
 */
enum status session_read(struct session *s, const char *path, struct diag *diag);
void session_close(struct session *s);

/*
 * sandbox.c: sets the limit of --memory, opens what is needed later, and starts the helper
 * processes; then takes rights from this process that it does not need (confine.h). --no-sandbox
 * leaves it all rights, and starts no opener (opener.h). If it fails, `diag` says why.
 */
enum status session_confine(struct session *s, struct diag *diag);

void session_close_early(struct session *s); /* closes what session_confine opened */

/*
 * bundles.c: offers the files that the input brings along (--bundle) to the modules. Takes
 * ownership of the bundle from `source`; session_close_bundles frees all that were taken. Does
 * nothing without a bundle. Fails with NO_MEMORY only.
 */
enum status session_take_bundle(struct session *s, struct snap_source *source);
void session_close_bundles(struct session *s);

/* Whether `path` is "tcp-listen:...": a TCP connection to wait for. */
bool session_is_tcp(const char *path);

/*
 * ram.c. session_is_ram: whether `path` is the input that stands for the files of --ram and --regs.
 * session_open_ram: opens these files as a source; UNSUPPORTED: no --elf file tells the
 * architecture; other statuses: a file cannot be opened or read; `diag` says why.
 */
bool session_is_ram(const struct session *s, const char *path);
enum status session_open_ram(const struct session *s, struct snap_source **out, struct diag *diag);

/* Returns the output's name for messages: "standard output", or the path of --output. Borrowed. */
const char *session_output_name(const struct session *s);

#endif
