/* SPDX-License-Identifier: MIT */
/*
 * Location expressions (DWARF 5, sections 2.5 and 2.6), decoded, and their evaluation on a frame's
 * registers and memory.
 *
 * The result is where an object is: in memory, in registers, in pieces, or nowhere but in the
 * expression. What the frame does not have makes the object, or a piece of it, unknown for a
 * reason; nothing is taken for zero.
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
 * A DIE of a module's debug information: its offset in .debug_info, and in the upper 16 bits the
 * number of the file: 0 the debug file, 1 the one that dwz shared, from 2 on split files; the
 * uppermost bit is set for an offset in .debug_types. 0: none (as a type: void), since no DIE
 * begins at offset 0.
 */
typedef uint64_t die_ref;

#define LOCATION_OPS_MAX    4096  /* of an expression; a longer one is not decoded */
#define LOCATION_STEPS_MAX  16384 /* of an evaluation, branches taken included */
#define LOCATION_STACK_MAX  256
#define LOCATION_PIECES_MAX 64
#define LOCATION_NEST_MAX   8 /* of entry values and parameter references in one another */
/*
 * Entry values and parameter references of an evaluation. Each level of nesting has half as many,
 * and half the steps, to bound the cost of hostile expressions.
 */
#define LOCATION_ENTRIES_MAX 16
#define LOCATION_BLOCK_MAX   65536

/* Type of a typed operation (DWARF 5, 2.5.1). Size 0: the generic type, of an address's size. */
struct location_type {
    uint8_t encoding; /* DW_ATE_… */
    uint8_t size;     /* bytes */
};

struct location;

/*
 * GNU operations that DWARF 5 has under another number have DWARF 5's; indices into .debug_addr are
 * resolved (DW_OP_addrx becomes DW_OP_addr, constx const8u).
 */
struct location_op {
    uint8_t atom; /* DW_OP_… */
    uint32_t off; /* in the expression's bytes; target of branches */
    /*
     * As DWARF has them, sign-extended where signed. bra, skip: the target's offset in the
     * expression. implicit_pointer, GNU_parameter_ref, GNU_variable_value: operand[0] is a die_ref.
     */
    uint64_t operand[2];
    struct location_type type;    /* const_type, regval_type, deref_type, convert, reinterpret */
    const uint8_t *block;         /* implicit_value, const_type; borrowed */
    uint32_t block_size;          /* bytes */
    const struct location *inner; /* entry_value */
};

struct location { /* an expression */
    const struct location_op *ops;
    uint32_t count; /* 0: optimized out */
    uint32_t size;  /* bytes of the expression; a branch to there ends it */
};

/* Is it DW_OP_regval_type alone: a register's value of a base type? */
bool location_is_typed(const struct location *location);

/* Access of an evaluation to its frame. Each function says why something is not known. */
struct location_frame {
    const struct arch *arch;
    uint64_t bias; /* load bias of the module */
    /* Reads the register with DWARF's number `reg`. */
    struct known_how (*reg)(void *context, uint64_t reg, uint64_t *value);
    struct known_how (*cfa)(void *context, uint64_t *value);
    struct known_how (*frame_base)(void *context, uint64_t *value);
    struct known_how (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    /* The address of the thread's copy of `off` in the module's initial TLS data. */
    struct known_how (*tls)(void *context, uint64_t off, uint64_t *value);
    /*
     * The value of `inner` when the function was entered (DW_OP_entry_value); for DW_OP_regval_type
     * the bits of its type.
     */
    struct known_how (*entry_value)(void *context, const struct location *inner, unsigned nest,
                                    uint64_t *value);
    /* The same for a parameter that was passed nowhere (DW_OP_GNU_parameter_ref). */
    struct known_how (*parameter)(void *context, die_ref parameter, unsigned nest, uint64_t *value);
    void *context;
};

enum piece_kind {
    PIECE_UNKNOWN,  /* `known` says why */
    PIECE_MEMORY,   /* at `addr` */
    PIECE_REGISTER, /* the low-order end of DWARF's register `reg` */
    PIECE_BYTES,    /* `size` bytes, little-endian */
    PIECE_POINTER,  /* a pointer to offset `off` of the object of `die`, which is nowhere */
};

struct object_piece {
    enum piece_kind kind;
    uint64_t bit_off;  /* DW_OP_bit_piece: offset in the place */
    uint64_t bit_size; /* 0: all of an object that is one piece */
    struct known_how known;
    uint64_t addr, reg;
    /* borrowed from the operation; NULL: in `word`, since pieces are copied */
    const uint8_t *bytes;
    uint32_t size;
    uint8_t word[16];
    die_ref die;
    int64_t off;
};

struct place_of_object {
    struct object_piece pieces[LOCATION_PIECES_MAX];
    uint32_t count; /* 0: optimized out */
};

/*
 * Finds where the object is. `nest`: 0, or one more than entry_value or parameter was given. Not
 * known: the whole object, also for a malformed expression; one without operations is
 * OPTIMIZED_OUT. Single pieces that are not known are PIECE_UNKNOWN.
 */
MUST_CHECK struct known_how location_place(const struct location *location,
                                           const struct location_frame *frame, unsigned nest,
                                           struct place_of_object *place);

/*
 * Computes the bits of a value of `type`, at most 8 bytes. A register operation alone is the
 * low-order end of that register. Not known: the value has another size.
 */
MUST_CHECK struct known_how location_bits(const struct location *location,
                                          const struct location_frame *frame, unsigned nest,
                                          struct location_type type, uint64_t *bits);

/*
 * Computes a value that is no place: a frame base, what a call site passes, the target of a call. A
 * register operation alone (DW_OP_reg5) is that register's value.
 */
MUST_CHECK struct known_how location_value(const struct location *location,
                                           const struct location_frame *frame, unsigned nest,
                                           uint64_t *value);

/*
 * Computes a part's place from its object's: `object` is on the stack first, and
 * DW_OP_push_object_address pushes it.
 */
MUST_CHECK struct known_how location_within(const struct location *location,
                                            const struct location_frame *frame, unsigned nest,
                                            uint64_t object, uint64_t *value);

#endif
