/* SPDX-License-Identifier: MIT */
/*
 * What frames.c and frames_flow.c share: functions of many shapes, for comparing prologue analysis
 * with the call frame information that compilers write. tests/system/cross_built.py builds them for
 * each instruction set with many options; they are linked, never run.
 *
 * Each function is kept apart (KEEP) and as it is, so that every build has every shape. `use`,
 * `get` and `sink` are where values go to and come from that a compiler must not see through.
 */
#ifndef FRAMES_H
#define FRAMES_H

#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noinline, noclone))
#endif
#define NORETURN __attribute__((noreturn))

typedef long (*callback)(long);

extern volatile long sink;
extern callback hooks[4];
extern long table[64];

void use(void *memory);
long get(long value);

long leaf(long a, long b);
long one_save(long a);
long two_saves(long a, long b);
long deep_saves(long a, long b, long c, long d);
long frame_small(void);
long many_arguments(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j);
NORETURN void fail(const char *text, long value);

#endif
