/* SPDX-License-Identifier: MIT */
/* States of an x86-64 function, made by single operations. */
#ifndef TESTS_VALUE_FIXTURE_H
#define TESTS_VALUE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unwind/prologue/value.h"

enum { RAX = 0, RBX = 3, RBP = 6, RSP = 7, RIP = 16 };

#define ADD(to, from, k) ((struct op){.kind = OP_ADD, .dst = to, .src = from, .imm = k})
#define STORE(base, k, from)                                                                       \
    ((struct op){.kind = OP_STORE, .dst = base, .imm = k, .src = from, .size = 8})
#define LOAD(to, base, k)       ((struct op){.kind = OP_LOAD, .dst = to, .src = base, .imm = k})
#define CONST(to, k)            ((struct op){.kind = OP_CONST, .dst = to, .imm = k})
#define ALIGN(to)               ((struct op){.kind = OP_ALIGN, .dst = to})
#define CLOBBER(registers)      ((struct op){.kind = OP_CLOBBER, .mask = registers})
#define COMBINE(what, to, a, b) ((struct op){.kind = what, .dst = to, .src = a, .src2 = b})
#define ELEMENT(to, base, k, bytes, is_signed)                                                     \
    ((struct op){                                                                                  \
        .kind = OP_ELEMENT, .dst = to, .src = base, .imm = k, .size = bytes, .shift = is_signed})

static inline const struct arch *arch(void)
{
    return arch_get(ARCH_X86_64);
}

static inline struct state entry(void)
{
    struct state state;

    state_init_entry(&state, arch());
    return state;
}

static inline void run(struct state *state, struct op op)
{
    state_execute(state, arch(), &op, 1, 100);
}

static inline void push(struct state *state, uint8_t reg)
{
    run(state, ADD(RSP, RSP, -8));
    run(state, STORE(RSP, 0, reg));
}

static inline void assert_unknown(const struct value *value)
{
    assert_int_equal(value->kind, VALUE_UNKNOWN);
}

/* The value is what `reg` was at entry, plus k. */
static inline void assert_entry(const struct value *value, unsigned reg, int64_t k)
{
    assert_non_null(value);
    assert_int_equal(value->kind, VALUE_ENTRY);
    assert_int_equal(value->reg, reg);
    assert_true(value->k == k);
}

static inline const struct value *stack_word(const struct state *state, int64_t k)
{
    struct value addr = {.kind = VALUE_ENTRY, .reg = RSP, .k = k};

    return state_load(state, &addr);
}

static inline struct op add_scaled(uint8_t dst, uint8_t a, uint8_t b, uint8_t shift, uint16_t size)
{
    return (struct op){
        .kind = OP_ADD_REG, .dst = dst, .src = a, .src2 = b, .shift = shift, .size = size};
}

static inline void assert_const(const struct value *value, uint64_t k)
{
    assert_int_equal(value->kind, VALUE_CONST);
    assert_true((uint64_t)value->k == k);
}

#endif
