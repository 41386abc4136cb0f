/* SPDX-License-Identifier: MIT */
/*
 * The CPUs' clock, by perf events: after each period of its time each CPU writes user registers and
 * stack of the thread that it runs into a ring buffer (perf_event_open(2): PERF_COUNT_SW_CPU_CLOCK,
 * PERF_SAMPLE_REGS_USER, PERF_SAMPLE_STACK_USER). No thread is stopped, and it is certain which
 * thread was on a CPU.
 *
 * There is one event for each CPU, not for each thread: so it ticks also for threads that live
 * shorter than a period, and costs the same for a thousand threads. It takes root, CAP_PERFMON, or
 * a kernel.perf_event_paranoid of 0 or less. The core drops ticks of other programs.
 *
 * The same events tell which files programs map as code (PERF_RECORD_MMAP2).
 *
 * The functions are the backend's clock_...; see capture/target/backend.h.
 */
#ifndef CAPTURE_PTRACE_CPU_CLOCK_H
#define CAPTURE_PTRACE_CPU_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "capture/target/backend.h"

enum status cpu_clock_start(void *state, uint64_t period_ns, uint32_t stack_size,
                            struct diag *diag);
void cpu_clock_run(void *state, bool run);
void cpu_clock_set_period(void *state, uint64_t period_ns);
bool cpu_clock_next(void *state, struct cpu_tick *out);
bool cpu_clock_mapped(void *state, struct cpu_mapped *out);
uint64_t cpu_clock_lost(void *state);
void cpu_clock_stop(void *state); /* may be called without a started clock */

#endif
