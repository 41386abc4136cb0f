/* SPDX-License-Identifier: MIT */
/*
 * The backend for Linux processes: stops by ptrace(2), memory by process_vm_readv(2), and what a
 * thread does by /proc.
 */
#ifndef CAPTURE_PTRACE_BACKEND_H
#define CAPTURE_PTRACE_BACKEND_H

#include "capture/target/backend.h"

extern const struct capture_backend ptrace_backend;

#endif
