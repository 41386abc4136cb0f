/* SPDX-License-Identifier: MIT */
/*
 * Location expressions (DWARF 5, sections 2.5 and 2.6), decoded: what an object's place or value is
 * computed by, and the computation, on a frame's registers and memory.
 *
 * What is computed is where the object is: in memory, in registers, in pieces here and there, or
 * nowhere but in the expression. Whatever the frame does not have makes the object, or a piece of
 * it, unknown, for a reason: nothing is ever taken for zero.
 */
#ifndef VARIABLES_MODEL_LOCATION_H
#define VARIABLES_MODEL_LOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "variables/model/known.h"

/*
 * A DIE of a module's debug information: its offset in .debug_info, and in which of the module's
 * files (the upper 16 bits: 0 the debug file itself, 1 what dwz shared, from 2 on split files; the
 * uppermost one is set where the offset is one in .debug_types).
 * 0: none (of a type: void), as no DIE begins at offset 0.
 */
typedef uint64_t die_ref;

#define LOCATION_OPS_MAX    4096  /* of an expression; more is not decoded */
#define LOCATION_STEPS_MAX  16384 /* of an evaluation, branches taken included */
#define LOCATION_STACK_MAX  256
#define LOCATION_PIECES_MAX 64
#define LOCATION_NEST_MAX   8 /* of entry values, parameter references, in one another */
/*
 * Of these in an evaluation; half as many, and half the steps, in each that is nested: what hostile
 * expressions cost in all is bounded.
 */
#define LOCATION_ENTRIES_MAX 16
#define LOCATION_BLOCK_MAX   65536

/* The type of a typed operation (DWARF 5, 2.5.1): size 0 is the generic type, of an address. */
struct location_type {
    uint8_t encoding; /* DW_ATE_… */
    uint8_t size;     /* bytes */
};

struct location;

/*
 * Operations of GNU's that DWARF 5 has under another number are given under DWARF 5's; indices into
 * .debug_addr are resolved (DW_OP_addrx is DW_OP_addr, constx is const8u).
 */
struct location_op {
    uint8_t atom; /* DW_OP_… */
    uint32_t off; /* in the expression's bytes: branches go to it */
    /*
     * As DWARF has them, sign-extended where they are signed. bra, skip: where to, as an offset in
     * the expression. implicit_pointer, GNU_parameter_ref, GNU_variable_value: a die_ref first.
     */
    uint64_t operand[2];
    struct location_type type;    /* const_type, regval_type, deref_type, convert, reinterpret */
    const uint8_t *block;         /* implicit_value, const_type; borrowed */
    uint32_t block_size;          /* bytes */
    const struct location *inner; /* entry_value */
};

struct location { /* an expression, or why there is none */
    const struct location_op *ops;
    uint32_t count; /* 0 of what is there: it is optimized out */
    uint32_t size;  /* bytes of the expression: a branch there ends it */
};

/* Is it a register's value of a base type, and nothing else? */
bool location_is_typed(const struct location *location);

/* What an evaluation asks of the frame. Each says itself why something is not known. */
struct location_frame {
    const struct arch *arch;
    uint64_t bias; /* run-time address minus the module's */
    /* By DWARF's number. */
    struct known_how (*reg)(void *context, uint64_t reg, uint64_t *value);
    struct known_how (*cfa)(void *context, uint64_t *value);
    struct known_how (*frame_base)(void *context, uint64_t *value);
    struct known_how (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    /* The address of the thread's copy of what is at `off` of the module's initial TLS data. */
    struct known_how (*tls)(void *context, uint64_t off, uint64_t *value);
    /*
     * What `inner` gave when the function was entered (DW_OP_entry_value); of DW_OP_regval_type
     * the bits of its type.
     */
    struct known_how (*entry_value)(void *context, const struct location *inner, unsigned nest,
                                    uint64_t *value);
    /* The same of a parameter that was passed nowhere (DW_OP_GNU_parameter_ref). */
    struct known_how (*parameter)(void *context, die_ref parameter, unsigned nest, uint64_t *value);
    void *context;
};

enum piece_kind {
    PIECE_UNKNOWN,  /* `known` says why */
    PIECE_MEMORY,   /* at `addr` */
    PIECE_REGISTER, /* DWARF's number `reg`; of its low-order end */
    PIECE_BYTES,    /* is `bytes`, little-endian, `size` of them */
    PIECE_POINTER,  /* a pointer to `off` within what `die` describes, which is nowhere itself */
};

struct object_piece {
    enum piece_kind kind;
    uint64_t bit_off;  /* DW_OP_bit_piece: where in the place it begins */
    uint64_t bit_size; /* of the object; 0: all of it, of an object that is one piece */
    struct known_how known;
    uint64_t addr, reg;
    const uint8_t *bytes; /* the operation's; NULL: they are in `word`, as this may be copied */
    uint32_t size;
    uint8_t word[16];
    die_ref die;
    int64_t off;
};

struct place_of_object {
    struct object_piece pieces[LOCATION_PIECES_MAX];
    uint32_t count; /* 0: it is optimized out */
};

/*
 * Where the object is. `nest`: 0, or what entry_value and parameter were called with, plus 1.
 * Not known: nothing of it is, for that reason; malformed expressions among them, and without
 * operations it is OPTIMIZED_OUT. Of several pieces those that are not known are PIECE_UNKNOWN.
 */
MUST_CHECK struct known_how location_place(const struct location *location,
                                           const struct location_frame *frame, unsigned nest,
                                           struct place_of_object *place);

/*
 * The bits of a value that is of that type, of at most 8 bytes: a register operation alone is the
 * low-order end of that register. Not known: it has another size.
 */
MUST_CHECK struct known_how location_bits(const struct location *location,
                                          const struct location_frame *frame, unsigned nest,
                                          struct location_type type, uint64_t *bits);

/*
 * The value that an expression computes which describes no place: a frame base, what a call site
 * passes, a call's target. A register operation alone (DW_OP_reg5) is that register's value.
 */
MUST_CHECK struct known_how location_value(const struct location *location,
                                           const struct location_frame *frame, unsigned nest,
                                           uint64_t *value);

/*
 * The same of an expression that describes a part of an object by where that is: `object`, which
 * is on the stack first, and which DW_OP_push_object_address pushes.
 */
MUST_CHECK struct known_how location_within(const struct location *location,
                                            const struct location_frame *frame, unsigned nest,
                                            uint64_t object, uint64_t *value);

#endif
