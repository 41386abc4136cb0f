/* SPDX-License-Identifier: MIT */
/* What the threads of chains.c end in, in a file of its own so that no compiler looks through it.
 */
#ifndef PROGRAMS_PARK_H
#define PROGRAMS_PARK_H

/* A function that stays a function, whatever the options. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noinline, noclone, noipa))
#endif

/* Counts the caller as in place and blocks in read(2) on a pipe that nobody writes to. */
unsigned long park(void);

/* Counts the caller as in place. */
void in_place(void);
unsigned in_place_count(void);

/* Some function of `value`. */
unsigned long spread(unsigned long value);

/* Says what failed and exits. */
_Noreturn void give_up(const char *what);

#endif
