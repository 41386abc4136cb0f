/* SPDX-License-Identifier: MIT */
/* -p NAME: the process that is called so. */
#ifndef TOOLS_PROCESS_NAME_H
#define TOOLS_PROCESS_NAME_H

#include <sys/types.h>

#include "tools/options.h"

/*
 * The process whose name (/proc/PID/comm), or whose command's last part, is the option's argument;
 * of a path, the process that runs this file (/proc/PID/exe).
 * -1: *pid is set; else the exit status, with everything said: there is none, or there are several,
 * which are listed.
 */
int process_by_name(const struct option_use *use, pid_t *pid);

#endif
