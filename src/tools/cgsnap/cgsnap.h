/* SPDX-License-Identifier: MIT */
/* The command line of cgsnap: options.c parses it, main.c captures. */
#ifndef TOOLS_CGSNAP_CGSNAP_H
#define TOOLS_CGSNAP_CGSNAP_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/capture.h"

#define TIDS_MAX     1024u
#define PIDS_MAX     1024u /* more than the first */
#define FIRMWARE_MAX 64u

struct settings {
    struct capture_options capture; /* points into this struct */
    pid_t tids[TIDS_MAX];
    pid_t more_pids[PIDS_MAX];
#if CAPTURE_BOARDS
    struct capture_firmware firmware[FIRMWARE_MAX];
#endif
    const char *output; /* borrowed from the command line */
    bool force;         /* overwrite the output, whatever it is */
    bool quiet, verbose;
};

/* Says whether the target is behind a stub for gdb. */
static inline bool has_stub(const struct settings *set)
{
#if CAPTURE_BOARDS
    return set->capture.gdb != NULL;
#else
    return (void)set, false;
#endif
}

/* Parses the command line. -1: go on; else the exit status: all messages have been printed. */
int options_parse(struct settings *set, int argc, char **argv);

#endif
