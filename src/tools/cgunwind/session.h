/*
 * One run of cgunwind: read.c reads the inputs to what is here, cgunwind.c writes from it.
 */
#ifndef TOOLS_CGUNWIND_SESSION_H
#define TOOLS_CGUNWIND_SESSION_H

#include "graph/ingest.h"
#include "output/chains.h"
#include "output/json.h"
#include "output/perf_script.h"
#include "tools/cgunwind/cgunwind.h"

struct session {
    struct cgunwind_options *options;
    struct module_set *modules;
    struct symbolizer *symbolizer;
    struct unwinder *unwinder;
    struct names *names;
    struct ingest ingest;
    const struct arch *arch;
    FILE *out;
    enum source_kind kind, base_kind; /* of what was read last; base_kind: for --diff-base */
    bool cut_short, shown;            /* shown: some sample passed the filters */
    bool left_out;                    /* of a format that streams: a sample did not pass */
    bool weighs;                      /* of a format that streams: one of them has a weight */
    uint64_t symbolize_ns;
    struct chains_out chains;
    struct json_out json;
    struct perf_script perf_script;
    struct history history; /* of a format that tells of threads */
    struct waits *waits;
    uint64_t clock_offset;
    bool is_trace;
    struct calltrace trace;
};

/*
 * Reads one input. The first opens what depends on the architecture; from then on there is a
 * profile, and what fails leaves there what was readable.
 */
enum status session_read(struct session *s, const char *path, struct diag *diag);
void session_close(struct session *s);

/* For messages. */
const char *session_output_name(const struct session *s);

#endif
