/* SPDX-License-Identifier: MIT */
/*
 * Which system calls are permitted, with which arguments, and why: two tables, of call_filter.c's
 * two filters. A call is permitted when all tests of one of its rules pass; all others are denied.
 *
 * They are what the C libraries (glibc, musl), libelf, zlib, zstd, liblzma, Capstone, and Graphviz
 * with Pango and fontconfig make on x86-64, i386, ARM and AArch64.
 */
#ifndef CONFINE_CALL_RULES_H
#define CONFINE_CALL_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALL_TESTS_MAX 2

/* Of an argument's lower half, as flags and numbers are int; but of a pointer, all of it. */
enum call_test_kind {
    TEST_NONE,    /* passes */
    TEST_WITHOUT, /* none of `bits` is set */
    TEST_ONLY,    /* none but of `bits` is */
    TEST_HAS,     /* one of `bits` is */
    TEST_ONE_OF,  /* it is one of `values` */
    TEST_NULL,    /* the pointer is NULL */
    TEST_SELF,    /* it is 0 or this process's number */
    TEST_IN,      /* the descriptors that the helper was given */
    TEST_OUT,
};

struct call_test {
    enum call_test_kind kind;
    unsigned argument; /* from 0 on */
    uint32_t bits;
    const uint32_t *values;
    unsigned count;
};

struct call_rule {
    short call;     /* its number; negative: this architecture has no such call */
    uint8_t groups; /* of enum call_group: with any of them; 0: always */
    bool unknown;   /* not permitted: it fails with ENOSYS, upon which callers use another */
    struct call_test tests[CALL_TESTS_MAX];
};

/* The usual ones first, which have no tests. */
extern const struct call_rule call_rules[];
extern const size_t call_rule_count;

/* Of the process that computes and answers. */
extern const struct call_rule call_helper_rules[];
extern const size_t call_helper_rule_count;

#endif
