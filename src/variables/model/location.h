/* SPDX-License-Identifier: MIT */
/*
 * Evaluates location expressions (DWARF 5, sections 2.5 and 2.6), which are decoded already, on a
 * frame's registers and memory.
 *
 * The result is where an object is: in memory, in registers, in pieces, or nowhere but in the
 * expression. Where the frame lacks something, the object or a piece of it is unknown for a reason;
 * nothing is taken for zero.
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
 * Identifies a DIE of a module's debug information: the DIE's offset in .debug_info, and in the
 * upper 16 bits the number of the file: 0 the debug file, 1 the file that dwz moved common parts
 * to, from 2 on split files; the uppermost bit is set for an offset in .debug_types. 0: no DIE (as
 * a type: void), since none begins at offset 0.
 */
typedef uint64_t die_ref;

/* the most operations of an expression; a longer one is not decoded */
#define LOCATION_OPS_MAX    4096
#define LOCATION_STEPS_MAX  16384 /* the most operations that an evaluation executes */
#define LOCATION_STACK_MAX  256
#define LOCATION_PIECES_MAX 64
#define LOCATION_NEST_MAX   8 /* the deepest nesting of entry values and parameter references */
/*
 * The most entry values and parameter references of an evaluation. Each level of nesting may have
 * half as many as the level around it, and half the steps, to bound the cost of hostile
 * expressions.
 */
#define LOCATION_ENTRIES_MAX 16
/* Most bytes of an implicit value or constant: longer ones are not decoded, longer texts cut. */
#define LOCATION_BLOCK_MAX 65536

/*
 * Type of a typed operation (DWARF 5, 2.5.1). Size 0: the generic type, which has an address's
 * size.
 */
struct location_type {
    uint8_t encoding; /* DW_ATE_…: how the bits are a value */
    uint8_t size;     /* bytes of a value of this type */
};

struct location;

/*
 * One operation of an expression. GNU operations that DWARF 5 has under another number have DWARF
 * 5's number; indices into .debug_addr are resolved (DW_OP_addrx becomes DW_OP_addr, constx
 * const8u).
 */
struct location_op {
    uint8_t atom; /* DW_OP_…: the operation's code */
    uint32_t off; /* offset in the expression's bytes, by which branches name it */
    /*
     * The operands as DWARF has them, sign-extended where signed; but for bra and skip the target's
     * offset in the expression, and for implicit_pointer, GNU_parameter_ref and GNU_variable_value
     * operand[0] is a die_ref.
     */
    uint64_t operand[2];
    struct location_type type; /* for const_type, regval_type, deref_type, convert, reinterpret */
    const uint8_t *block;      /* for implicit_value, const_type; borrowed */
    uint32_t block_size;       /* of `block`, in bytes */
    const struct location *inner; /* for entry_value: the expression inside; borrowed */
};

struct location { /* a location expression; its pointers are borrowed */
    const struct location_op *ops;
    uint32_t count; /* number of operations; 0: the object is optimized out */
    uint32_t size;  /* bytes of the expression; a branch to this offset ends it */
};

/* Whether the expression is DW_OP_regval_type alone: a register's value in a base type. */
bool location_is_typed(const struct location *location);

/*
 * How an evaluation reads its frame. Each function sets *value (`read`: the buffer) and returns
 * KNOWN, or returns why it cannot.
 */
struct location_frame {
    const struct arch *arch;
    uint64_t bias; /* load bias of the frame's module */
    /* Reads the register that has number `reg` in DWARF. */
    struct known_how (*reg)(void *context, uint64_t reg, uint64_t *value);
    struct known_how (*cfa)(void *context, uint64_t *value);
    struct known_how (*frame_base)(void *context, uint64_t *value);
    struct known_how (*read)(void *context, uint64_t addr, void *buffer, size_t size);
    /*
     * Computes the run-time address of what is at offset `off` of the module's TLS data, for the
     * frame's thread.
     */
    struct known_how (*tls)(void *context, uint64_t off, uint64_t *value);
    /*
     * Computes the value that `inner` had when the function was entered (DW_OP_entry_value); for
     * DW_OP_regval_type the bits of its type. `nest`: as for location_place.
     */
    struct known_how (*entry_value)(void *context, const struct location *inner, unsigned nest,
                                    uint64_t *value);
    /*
     * Computes the value that `parameter`, which was passed nowhere, had then
     * (DW_OP_GNU_parameter_ref).
     */
    struct known_how (*parameter)(void *context, die_ref parameter, unsigned nest, uint64_t *value);
    void *context;
};

enum piece_kind {
    PIECE_UNKNOWN,  /* not known; the member `known` says why */
    PIECE_MEMORY,   /* in memory at `addr` */
    PIECE_REGISTER, /* in the low-order bits of the register with number `reg` in DWARF */
    PIECE_BYTES,    /* it is `size` bytes, little-endian, in the expression itself */
    /* it is a pointer to offset `off` in the object of `die`, which is in no memory */
    PIECE_POINTER,
};

struct object_piece {
    enum piece_kind kind;
    uint64_t bit_off;  /* DW_OP_bit_piece: bit offset of the piece in its place */
    uint64_t bit_size; /* bits of the piece; 0: the object is this one piece */
    struct known_how known;
    uint64_t addr, reg;
    /* PIECE_BYTES: borrowed from the operation; NULL: the bytes are in `word` */
    const uint8_t *bytes;
    uint32_t size;
    uint8_t word[16];
    die_ref die;
    int64_t off;
};

struct place_of_object {
    struct object_piece pieces[LOCATION_PIECES_MAX];
    uint32_t count; /* number of pieces; 0: the object is optimized out */
};

/*
 * Sets *place to where the object is. `nest`: 0; in an evaluation for entry_value or parameter one
 * more than these were given. If the result is not KNOWN, nothing of the object is known, also
 * because the expression is malformed; OPTIMIZED_OUT: it has no operations. Single pieces that are
 * not known are PIECE_UNKNOWN.
 */
MUST_CHECK struct known_how location_place(const struct location *location,
                                           const struct location_frame *frame, unsigned nest,
                                           struct place_of_object *place);

/*
 * Computes the bits of a value of `type`, which has at most 8 bytes. A register operation alone
 * (DW_OP_reg5) gives the low-order bits of that register. Not known also if the value has another
 * size than `type`.
 */
MUST_CHECK struct known_how location_bits(const struct location *location,
                                          const struct location_frame *frame, unsigned nest,
                                          struct location_type type, uint64_t *bits);

/*
 * Computes the number that an expression gives, where that is not the place of an object: a frame
 * base, what a call site passes, the target of a call. A register operation alone (DW_OP_reg5)
 * gives that register's value. `nest`: as for location_place.
 */
MUST_CHECK struct known_how location_value(const struct location *location,
                                           const struct location_frame *frame, unsigned nest,
                                           uint64_t *value);

/*
 * Computes a part's address or offset from its object's address `object`, which is on the stack
 * first, and which DW_OP_push_object_address pushes.
 */
MUST_CHECK struct known_how location_within(const struct location *location,
                                            const struct location_frame *frame, unsigned nest,
                                            uint64_t object, uint64_t *value);

#endif
