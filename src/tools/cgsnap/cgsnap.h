/* SPDX-License-Identifier: MIT */
/* The command line of cgsnap: options.c parses it, main.c captures. */
#ifndef TOOLS_CGSNAP_CGSNAP_H
#define TOOLS_CGSNAP_CGSNAP_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/capture.h"

#define TIDS_MAX     1024u
#define PIDS_MAX     1024u /* the most processes besides the first */
#define FIRMWARE_MAX 64u

struct settings {
    struct capture_options capture; /* its lists are the arrays of this struct */
    pid_t tids[TIDS_MAX];
    pid_t more_pids[PIDS_MAX];
#if CAPTURE_BOARDS
    struct capture_firmware firmware[FIRMWARE_MAX];
#endif
    const char *output; /* where the snapshot goes; borrowed from the command line */
    bool force;         /* replace an existing output file, whatever it holds */
    bool quiet, verbose;
};

/* Whether the target is behind a stub for gdb; false in builds without boards. */
static inline bool has_stub(const struct settings *set)
{
#if CAPTURE_BOARDS
    return set->capture.gdb != NULL;
#else
    return (void)set, false;
#endif
}

/*
 * Fills *set from the command line; texts are borrowed from `argv`. Returns -1: go on; else end
 * with this exit status, as all messages have been printed.
 */
int options_parse(struct settings *set, int argc, char **argv);

#endif
