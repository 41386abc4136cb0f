/* SPDX-License-Identifier: MIT */
/* Finds the process that -p NAME names. */
#ifndef TOOLS_PROCESS_NAME_H
#define TOOLS_PROCESS_NAME_H

#include <sys/types.h>

#include "tools/options.h"

/*
 * Sets *pid to the only other process whose name (/proc/PID/comm), or the base name of whose
 * command, is the option's argument; for an argument with '/': to the only one that runs this file
 * (/proc/PID/exe). Returns -1; else the exit status: there is no such process, or there are
 * several, and a message (with a list of them) was printed on standard error.
 */
int process_by_name(const struct option_use *use, pid_t *pid);

#endif
