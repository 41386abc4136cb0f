/* SPDX-License-Identifier: MIT */
/*
 * Which pages of a process can be read without waiting for anything: /proc/PID/pagemap
 * (proc_pid_pagemap(5)). Agents have no room for it.
 */
#ifndef CAPTURE_PTRACE_PAGE_TABLE_H
#define CAPTURE_PTRACE_PAGE_TABLE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"
#include "capture/target/backend.h"

/*
 * As capture_backend's own_pages: present, and neither a file's page nor shared, also where
 * something else is mapped by now than was when the mappings were read.
 */
MUST_CHECK enum status page_table_own(void *state, pid_t tid, struct target_page *pages,
                                      size_t count);

#endif
