/* SPDX-License-Identifier: MIT */
/* Finds the process that -p NAME names. */
#ifndef TOOLS_PROCESS_NAME_H
#define TOOLS_PROCESS_NAME_H

#include <sys/types.h>

#include "tools/options.h"

/*
 * Sets *pid to the only process whose name (/proc/PID/comm), or the last part of whose command, is
 * the option's argument. An argument with '/' is a file: the process that runs it (/proc/PID/exe)
 * is taken. Returns -1; else the exit status: there is none, or there are several, which are listed
 * on standard error.
 */
int process_by_name(const struct option_use *use, pid_t *pid);

#endif
