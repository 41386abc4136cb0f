/* SPDX-License-Identifier: MIT */
/*
 * Work for the programs of the boards: calls of many shapes, so that a halt at any instruction
 * finds another kind of frame. Nothing is computed that matters; results go to `sink`.
 */
#ifndef WORK_H
#define WORK_H

#define NOINLINE __attribute__((noinline, noclone))

extern volatile unsigned sink;

/* Each does some hundred to some thousand instructions, in at most 500 bytes of stack at -O0. */
unsigned work_recursion(unsigned seed);
unsigned work_tables(unsigned seed);
unsigned work_tails(unsigned seed);
unsigned work_switch(unsigned seed);
unsigned work_variadic(unsigned seed);
unsigned work_arrays(unsigned seed); /* of variable size, alloca */
unsigned work_wide(unsigned seed);   /* structs by value, arguments on the stack, 64-bit division */
unsigned work_floats(unsigned seed); /* float and double: an FPU, or the compiler's library */

/* These call into the C library, which calls back. */
unsigned work_sort(unsigned seed);
unsigned work_search(unsigned seed);
unsigned work_print(unsigned seed);

/* A frame of more than 2 KiB, which no short form of an instruction reaches. */
unsigned work_large(unsigned seed);

/* What interrupt handlers do: shallow. */
unsigned work_short(unsigned seed);
float work_float(float x);

/* One after the other, by a number that grows; none that needs the C library or much stack. */
unsigned work_some(unsigned number);

#endif
