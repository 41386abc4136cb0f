/* SPDX-License-Identifier: MIT */
/*
 * One run of cgunwind: read.c reads the inputs to what is here, main.c has it written.
 */
#ifndef TOOLS_CGUNWIND_SESSION_H
#define TOOLS_CGUNWIND_SESSION_H

#include "graph/ingest.h"
#include "output/format.h"
#include "tools/cgunwind/cgunwind.h"

struct session {
    struct cgunwind_options *options;
    struct module_set *modules;
    struct symbolizer *symbolizer;
    struct unwinder *unwinder;
    struct names *names;
    struct ingest ingest;
    struct ingest_sink sinks[3];
    const struct arch *arch;
    struct output output;
    bool cut_short;
    uint64_t symbolize_ns;  /* after reading */
    struct history history; /* filled where the output needs it */
    struct waits *waits;
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
