/*
 * What the programs of the corpus share. Each is a set of functions that run for ever and call each other on known ways only:
 * the lines `chain:` in the head of a program list them, from the innermost function to the outermost. Wherever a
 * thread is interrupted, its chain is the tail of one of these lines:
 *
 *     a < b*3 < (c < d)*2 < .. < main
 *
 * is a, called by b, 3 deep, called by c, d, c, d, called by frames outside the program (`..`: libc, the kernel's trampoline,
 * the linker's veneers, the start), called by main. A chain that ends with `?` is lost there: nobody can tell how it goes on. A line `chain arm,!-O0:` holds for builds of which all is
 * true; the words are those of cases.txt, arm, a64 and rv64.
 */
#ifndef CORPUS_COMMON_H
#define CORPUS_COMMON_H

/* A function that stays a function, whatever the options. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noinline, noclone, noipa))
#endif

/* A store to it after a call keeps that call from becoming a jump, and the function from being without effect. */
extern volatile unsigned sink;

/* True for ever, which no compiler knows: a function that does not return need not save its return address. */
extern volatile unsigned running;

/* Some instructions that no compiler leaves out; never a call. */
__attribute__((always_inline)) static inline unsigned spin(unsigned rounds)
{
    unsigned value = rounds;

    for (unsigned i = 0; i < rounds; i++) {
        value = value * 5 + i;
        __asm__ volatile("" : "+r"(value));
    }
    return value;
}

#ifdef __cplusplus
extern "C"
#endif
    /* Says that the program is where its chains begin to hold. */
    void
    ready(void);

#endif
