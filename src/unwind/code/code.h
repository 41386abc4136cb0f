/* SPDX-License-Identifier: MIT */
/*
 * The decoded instructions of a module: each is decoded once, when first asked for, and cached,
 * because prologue analysis, the search for functions and that for calls that do not return all
 * pass over the same code. Two in three are not even decoded: the same bytes were met before (mov
 * rdi, rbx), and mean the same wherever they stand.
 *
 * Where the file is known to be read-only, literals become constants here.
 */
#ifndef UNWIND_CODE_CODE_H
#define UNWIND_CODE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "arch/analysis/insn.h"
#include "base/map.h"
#include "base/status.h"

/*
 * Instructions cached, of 64 bytes and their operations. Analyses of one function after the other
 * need few: they are faster when those stay in the processor's cache, but what is remembered by its
 * bytes stays when the others are forgotten and must leave them room. The search for functions
 * looks back at all that it decoded.
 */
#define CODE_INSNS_CACHED   16384
#define CODE_INSNS_SEARCHED 2000000

#define CODE_PAGE_BYTES UINT64_C(4096)

/* The file's bytes at `vaddr` and how many follow; NULL: none. As elf_image_bytes_at. */
typedef const uint8_t *code_bytes_fn(const void *context, uint64_t vaddr, uint64_t *avail);

struct code_insn {
    uint64_t vaddr, target_vaddr;
    uint64_t literal_vaddr; /* of data among the code that it reads; 0: none */
    uint32_t first_op;
    /* For one walk at a time: who took the instruction in last, and as what. */
    uint32_t taken_by, taken_as;
    uint32_t visited_by; /* the same for walks within walks */
    uint16_t pops;
    uint8_t size, flow, op_count;
    uint8_t literal_size;
    uint8_t mode, context, next_context; /* in which it was decoded; T32's ITSTATE */
    uint8_t predicate, taken_when, jump_reg, equal, target_mode;
    uint8_t slot; /* enum slot_kind: NONE or AT */
    bool has_target, padding, writes_flags, far, trampoline;
};

struct code_memo;

struct code {
    const struct arch *arch;
    code_bytes_fn *bytes_at; /* executable code */
    code_bytes_fn *data_at;  /* anything: literals, jump tables */
    const void *context;
    /*
     * May be set after code_create: what the word of data at `vaddr` will hold when the file is
     * loaded; false: what the file has.
     */
    bool (*loaded_word)(void *context, uint64_t vaddr, uint64_t *out);
    /*
     * The same: is it a word of the GOT that is filled when the file is loaded? Other words are not
     * called through by i386's EBX.
     */
    bool (*is_got_word)(void *context, uint64_t vaddr);
    /* The same: may the program write there, so that what the file has is no constant? */
    bool (*may_change)(void *context, uint64_t vaddr);
    /* The same: are gaps between functions filled with traps, not with nops? */
    bool (*pads_with_traps)(void *context);
    void *loaded_context;           /* of these */
    uint64_t got_vaddr;             /* _GLOBAL_OFFSET_TABLE_; 0: not known */
    uint32_t elf_flags, isa;        /* see struct decoder; may be set after code_create, too */
    bool holes;                     /* only pieces of the code are there */
    const struct insn_set *sets[2]; /* by mode; NULL: there is none */
    struct decoder *decoders[2];    /* by mode; NULL: not needed yet */
    uint8_t unit, unit_shift;       /* bytes that an index entry stands for, 1 << unit_shift */
    struct map leaves;              /* what leaf_changes and argument_holds have said */
    struct map kinds;               /* what code_far_jump has said of blocks of code */
    struct map pages;               /* vaddr / page size -> index into page_list */
    uint32_t **page_list;           /* by address: index into insns, 0: not decoded */
    size_t page_count, page_cap;
    size_t page_kept; /* so many in the list have memory */
    uint64_t last_page_vaddr;
    uint32_t *last_page;
    struct code_insn *insns; /* [0] is unused */
    size_t insn_count, insn_cap;
    struct op *ops;
    size_t op_count, op_cap;
    struct code_memo *memo;
    struct { /* what bytes_at gave last: the bytes of a segment */
        const uint8_t *bytes;
        uint64_t start_vaddr, size;
    } segment;
    /* how often an instruction took the place of one in another mode or context */
    uint32_t replaced;
    uint32_t generation; /* how often all was forgotten */
    uint32_t walks;      /* handed out by code_new_walk */
};

/*
 * UNSUPPORTED: no instruction set for the architecture. The functions and their context outlive the
 * code.
 */
MUST_CHECK enum status code_create(const struct arch *arch, code_bytes_fn *bytes_at,
                                   code_bytes_fn *data_at, const void *context, struct code **out);
void code_destroy(struct code *code);

/* A number for struct code_insn's taken_by or visited_by. */
uint32_t code_new_walk(struct code *code);

/* When more than `max` instructions are cached: forgets everything. All indices become invalid. */
void code_trim(struct code *code, size_t max);

/* The indices of instructions at the addresses of a page; NULL: none was decoded there. */
uint32_t *code_find_page(struct code *code, uint64_t page_vaddr);

/* The index of the instruction decoded at `vaddr`, 0: none was. */
static inline uint32_t code_find(struct code *code, uint64_t vaddr)
{
    uint64_t page_vaddr = vaddr & ~(CODE_PAGE_BYTES - 1);
    const uint32_t *page =
        page_vaddr == code->last_page_vaddr ? code->last_page : code_find_page(code, page_vaddr);

    return page ? page[(vaddr - page_vaddr) >> code->unit_shift] : 0;
}

/*
 * The index of the instruction at `vaddr`, decoded if need be. NOT_FOUND: there is none in the file
 * or it cannot be decoded; NO_MEMORY. Pointers to instructions are valid until the next call.
 */
MUST_CHECK enum status code_get(struct code *code, uint64_t vaddr, enum code_mode mode,
                                uint8_t context, uint32_t *out);

static inline struct code_insn *code_insn(const struct code *code, uint32_t index)
{
    return &code->insns[index];
}

static inline const struct op *code_ops(const struct code *code, const struct code_insn *insn)
{
    return code->ops + insn->first_op;
}

/* Has the architecture T32 too, so that the low bit of a pointer to code tells the mode? */
static inline bool code_has_two_modes(const struct code *code)
{
    return code->sets[CODE_T32] != NULL;
}

/* Tells a decoder that was made for one of the code's sets what is known of the file. */
void code_prepare(const struct code *code, struct decoder *decoder);

const struct insn_set *code_set(const struct code *code, enum code_mode mode);

/*
 * The function that a call leads to which jumps on through the table behind it, so that it counts
 * as an indirect jump (struct insn_set, table_call); 0: the instruction is none.
 */
uint64_t code_table_helper(const struct code *code, const struct code_insn *insn);

/* A mask of the registers that the instruction may change. */
uint64_t code_writes(const struct code *code, const struct code_insn *insn);

/* struct insn_set's reads and strong_start, for the code at `vaddr`. */
uint64_t code_reads(struct code *code, uint64_t vaddr, enum code_mode mode);
bool code_strong_start(const struct code *code, uint64_t vaddr, enum code_mode mode);

/*
 * In code as at `vaddr`: how many bytes a call leads over at least that may be a jump inside of its
 * function (struct insn_set, jumps_by_calls); 0: a call is a call.
 */
uint16_t code_far_jump(struct code *code, uint64_t vaddr, enum code_mode mode);

/*
 * Does the code at `vaddr` use a register that means nothing to a function that is just entered:
 * one of its caller's, or one where the callee of an earlier call left something? Then it goes on
 * with what other code began.
 */
bool code_continues(struct code *code, uint64_t vaddr, enum code_mode mode);

/* Bytes of a word of zeros, or of the rest of one, with which Arm's assemblers fill up; 0: none. */
unsigned code_filler(const struct code *code, uint64_t vaddr);

/*
 * Does a function begin like one at `vaddr`, or behind padding and fillers there? Where calls leave
 * LR, as on Arm, none is saved behind a call: that does not return, then. False elsewhere.
 */
bool code_start_is_behind(struct code *code, uint64_t vaddr, enum code_mode mode);

/*
 * Does the function that begins at `start_vaddr` end with the call that ends at `vaddr`? So it is
 * taken where padding follows up to an aligned address, and nothing behind that jumps back into the
 * function: it is no loop's head, then, but the next function's start. Not in files whose compiler
 * has nops elsewhere, and traps between functions, nor in A32 code, whose functions are not
 * aligned. Adds to *looked_at the number of instructions that this took.
 */
bool code_ends_function(struct code *code, uint64_t start_vaddr, uint64_t vaddr,
                        enum code_mode mode, uint64_t *looked_at);

/*
 * Does the instruction call what lies right behind it to read the PC (call 1f; 1: pop)? Where calls
 * do not push, and where a function begins there, it is a call like any other.
 */
bool code_reads_pc(const struct code *code, const struct code_insn *insn);

/*
 * Are the words at `vaddr` nearly all executed always, as A32 code's? T32's halfwords of that kind
 * are a few branches, and wide instructions, of which floating point code may have many.
 */
bool code_looks_like_a32(const struct code *code, uint64_t vaddr);

/* Is hardly any of them, nor a vector instruction? False also where few words are left. */
bool code_looks_like_t32(const struct code *code, uint64_t vaddr);

/*
 * Is the call the last instruction of a function, as far as is known of one that leads to where
 * the code is not there (a hole, or through a PLT whose names are not known either)? It may be one
 * that never returns. So it is taken where an aligned address follows, perhaps behind padding, and
 * what is there is not clearly code of the same function. False where all code is there.
 */
bool code_call_is_last(struct code *code, const struct code_insn *call);

/*
 * Does the instruction call a trampoline (see struct insn) that lies between itself and the jump to
 * it? It is the caller's own (gcc's thunk-inline), then, and no function.
 */
bool code_calls_trampoline(const struct code *code, const struct code_insn *insn);

/* `size` (1, 2, 4, 8) bytes of data at `vaddr`, zero-extended. False: not in the file. */
bool code_read_data(const struct code *code, uint64_t vaddr, unsigned size, uint64_t *out);

#endif
