/* SPDX-License-Identifier: MIT */
/*
 * The tables of permitted system calls and arguments, one for each of call_filter.c's two filters.
 * A system call is permitted if it has a rule whose tests all pass; all others are denied.
 *
 * The calls are those that the C libraries (glibc, musl), libelf, zlib, zstd, liblzma, Capstone,
 * and Graphviz with Pango and fontconfig make on x86-64, i386, ARM and AArch64.
 */
#ifndef CONFINE_CALL_RULES_H
#define CONFINE_CALL_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALL_TESTS_MAX 2

/*
 * Tests of a system call's argument: of its lower 32 bits, as flags and numbers are int; TEST_NULL:
 * of all bits. Each says when the test passes.
 */
enum call_test_kind {
    TEST_NONE,    /* always */
    TEST_WITHOUT, /* none of `bits` is set */
    TEST_ONLY,    /* no other bit than those of `bits` is set */
    TEST_HAS,     /* one of `bits` is set */
    TEST_ONE_OF,  /* the argument equals one of `values` */
    TEST_NULL,    /* the pointer is NULL */
    TEST_SELF,    /* the argument equals 0 or this process's number */
    TEST_IN,      /* the argument equals call_filter_install_helper's `in` */
    TEST_OUT,     /* the argument equals call_filter_install_helper's `out` */
};

struct call_test {
    enum call_test_kind kind;
    unsigned argument; /* number of the argument, from 0 on */
    uint32_t bits;
    const uint32_t *values; /* TEST_ONE_OF: `count` of them */
    unsigned count;
};

struct call_rule {
    short call;     /* SYS_...; negative: this architecture has no such call */
    uint8_t groups; /* bits of enum call_group, any of which enables the rule; 0: always enabled */
    bool unknown;   /* the call fails with ENOSYS, so that callers use another instead */
    struct call_test tests[CALL_TESTS_MAX]; /* all must pass */
};

/* The rules of call_filter_install; those that are needed most come first. */
extern const struct call_rule call_rules[];
extern const size_t call_rule_count;

/* The rules of call_filter_install_helper. */
extern const struct call_rule call_helper_rules[];
extern const size_t call_helper_rule_count;

#endif
