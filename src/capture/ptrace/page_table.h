/* SPDX-License-Identifier: MIT */
/* Finds pages that can be read without waiting, by /proc/PID/pagemap (proc_pid_pagemap(5)). */
#ifndef CAPTURE_PTRACE_PAGE_TABLE_H
#define CAPTURE_PTRACE_PAGE_TABLE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"
#include "capture/target/backend.h"

/*
 * Implements the backend's own_pages: sets is_own of `count` pages, in ascending order, to whether
 * the page is present, and neither shared nor a file's, in the address space that `tid` has now.
 * IO: that cannot be read.
 */
MUST_CHECK enum status page_table_own(void *state, pid_t tid, struct target_page *pages,
                                      size_t count);

#endif
