/* SPDX-License-Identifier: MIT */
/* Finds which pages can be read without waiting: /proc/PID/pagemap (proc_pid_pagemap(5)). */
#ifndef CAPTURE_PTRACE_PAGE_TABLE_H
#define CAPTURE_PTRACE_PAGE_TABLE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"
#include "capture/target/backend.h"

/* The backend's own_pages: present, not a file's, not shared; as mapped now. */
MUST_CHECK enum status page_table_own(void *state, pid_t tid, struct target_page *pages,
                                      size_t count);

#endif
