/* SPDX-License-Identifier: MIT */
/*
 * The tables of permitted system calls and arguments, one for each of call_filter.c's two filters.
 * A call is permitted if all tests of one of its rules pass; all others are denied.
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

/* Tests of an argument's lower 32 bits, as flags and numbers are int; of all bits for TEST_NULL. */
enum call_test_kind {
    TEST_NONE,    /* passes */
    TEST_WITHOUT, /* none of `bits` is set */
    TEST_ONLY,    /* no other bit than `bits` is set */
    TEST_HAS,     /* one of `bits` is set */
    TEST_ONE_OF,  /* equals one of `values` */
    TEST_NULL,    /* the pointer is NULL */
    TEST_SELF,    /* equals 0 or this process's number */
    TEST_IN,      /* equals the helper's `in`; or `out`: */
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
    short call;     /* SYS_*; negative: this architecture has no such call */
    uint8_t groups; /* call_groups, any of which enables it; 0: always */
    bool unknown;   /* not permitted: fails with ENOSYS, so that callers use another */
    struct call_test tests[CALL_TESTS_MAX];
};

/* For call_filter_install; the rules that are needed most come first. */
extern const struct call_rule call_rules[];
extern const size_t call_rule_count;

/* For call_filter_install_helper. */
extern const struct call_rule call_helper_rules[];
extern const size_t call_helper_rule_count;

#endif
