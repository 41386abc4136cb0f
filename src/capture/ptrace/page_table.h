/* SPDX-License-Identifier: MIT */
/*
 * Which pages of a process can be read without waiting for anything: /proc/PID/pagemap
 * (proc_pid_pagemap(5)). Agents have no room for it.
 */
#ifndef CAPTURE_PTRACE_PAGE_TABLE_H
#define CAPTURE_PTRACE_PAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "capture/target/backend.h"

/*
 * As capture_backend's own_pages: present, and neither a file's page nor shared, also where
 * something else is mapped by now than was when the mappings were read.
 */
MUST_CHECK enum status page_table_own(void *state, pid_t tid, struct target_page *pages,
                                      size_t count);

/* Are all of these bytes there, a file's or not? Of no more than some pages. */
bool page_table_has(pid_t tid, uint64_t addr, size_t size);

#endif
