/* SPDX-License-Identifier: MIT */
/*
 * The decoded instructions of a module. Each is decoded when first needed and cached, because
 * prologue analysis, the search for functions and the search for calls that do not return all read
 * the same code. Two in three are copied from an equal instruction at another address instead, if
 * their meaning does not depend on the address (mov rdi, rbx).
 *
 * Literals in memory that the program cannot write become constants.
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
 * Instructions that callers of code_trim keep cached, of 64 bytes each, and their operations.
 * Analyses of single functions need few, which then stay in the processor's cache; the number must
 * exceed that of remembered ones (decode_cache.h), which code_trim keeps. The search for functions
 * looks back at all that it decoded.
 */
#define CODE_INSNS_CACHED   16384
#define CODE_INSNS_SEARCHED 2000000

#define CODE_PAGE_BYTES UINT64_C(4096)

/* Returns the file's bytes at `vaddr`, *avail of them; NULL: none. As elf_image_bytes_at. */
typedef const uint8_t *code_bytes_fn(const void *context, uint64_t vaddr, uint64_t *avail);

struct code_insn {
    uint64_t vaddr, target_vaddr;
    uint64_t literal_vaddr; /* of data among the code that it reads; 0: none */
    uint32_t first_op;
    uint32_t taken_by, taken_as; /* the last walk (code_new_walk) here, and its note; of one walk */
    uint32_t visited_by;         /* the last walk within such a walk */
    uint16_t pops;               /* this and what has no comment: see struct insn */
    uint8_t size, flow, op_count;
    uint8_t literal_size;
    uint8_t mode, context, next_context; /* contexts: T32's ITSTATE before and behind it */
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
    /* The members up to `isa` may be set after code_create; NULL, 0: not known. */
    /* Does loading change the word of data at `vaddr`? Its value then goes to *out. */
    bool (*loaded_word)(void *context, uint64_t vaddr, uint64_t *out);
    /* Is it a word of the GOT that loading fills? On i386 only these are called through by EBX. */
    bool (*is_got_word)(void *context, uint64_t vaddr);
    /* May the program write there, so that the file's bytes are no constant? */
    bool (*may_change)(void *context, uint64_t vaddr);
    /* Are gaps between functions filled with traps, not with nops? */
    bool (*pads_with_traps)(void *context);
    void *loaded_context;           /* for the four functions above */
    uint64_t got_vaddr;             /* _GLOBAL_OFFSET_TABLE_ */
    uint32_t elf_flags, isa;        /* see struct decoder */
    bool holes;                     /* only pieces of the code are there */
    const struct insn_set *sets[2]; /* by mode; NULL: none */
    struct decoder *decoders[2];    /* by mode; NULL: not needed yet */
    uint8_t unit, unit_shift;       /* bytes for each entry of a page; 1 << unit_shift */
    struct map leaves;              /* cached leaf_changes and argument_holds */
    struct map kinds;               /* cached code_far_jump, by block of code */
    struct map pages;               /* address of a page -> index into page_list */
    uint32_t **page_list;           /* a page: by address the index into insns; 0: not decoded */
    size_t page_count, page_cap;
    size_t page_kept; /* pages in the list that have memory */
    uint64_t last_page_vaddr;
    uint32_t *last_page;
    struct code_insn *insns; /* [0] is unused */
    size_t insn_count, insn_cap;
    struct op *ops;
    size_t op_count, op_cap;
    struct code_memo *memo;
    struct { /* last result of bytes_at: bytes of a segment */
        const uint8_t *bytes;
        uint64_t start_vaddr, size;
    } segment;
    uint32_t replaced;   /* instructions whose place one in another mode or context took */
    uint32_t generation; /* number of times that code_trim dropped instructions */
    uint32_t walks;      /* numbers handed out by code_new_walk */
};

/*
 * Borrows `arch`, and `context` for both functions, which outlives the code. UNSUPPORTED: no
 * instruction set for the architecture; NO_MEMORY.
 */
MUST_CHECK enum status code_create(const struct arch *arch, code_bytes_fn *bytes_at,
                                   code_bytes_fn *data_at, const void *context, struct code **out);
void code_destroy(struct code *code);

/* Returns a new number for struct code_insn's taken_by or visited_by. */
uint32_t code_new_walk(struct code *code);

/*
 * When more than `max` instructions are cached: drops all but those remembered by their bytes. All
 * indices become invalid.
 */
void code_trim(struct code *code, size_t max);

/* Returns the page at `page_vaddr` (struct code, page_list); NULL: nothing was decoded there. */
uint32_t *code_find_page(struct code *code, uint64_t page_vaddr);

/* Returns the index of the cached instruction at `vaddr`; 0: none. */
static inline uint32_t code_find(struct code *code, uint64_t vaddr)
{
    uint64_t page_vaddr = vaddr & ~(CODE_PAGE_BYTES - 1);
    const uint32_t *page =
        page_vaddr == code->last_page_vaddr ? code->last_page : code_find_page(code, page_vaddr);

    return page ? page[(vaddr - page_vaddr) >> code->unit_shift] : 0;
}

/*
 * Returns the index of the instruction at `vaddr`, decodes it if need be. NOT_FOUND: no code there,
 * or it cannot be decoded; NO_MEMORY. Pointers to instructions are valid until the next code_get.
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

/* Has the architecture T32, so that the low bit of a pointer to code is the mode? */
static inline bool code_has_two_modes(const struct code *code)
{
    return code->sets[CODE_T32] != NULL;
}

/* Copies elf_flags and isa to a decoder that was made for one of the code's sets. */
void code_prepare(const struct code *code, struct decoder *decoder);

const struct insn_set *code_set(const struct code *code, enum code_mode mode);

/*
 * Returns the function that `insn` calls, if it is a call that counts as an indirect jump since
 * that function jumps through the table behind the call (struct insn_set, table_call); 0: it is no
 * such call.
 */
uint64_t code_table_helper(const struct code *code, const struct code_insn *insn);

/* Returns a mask of the registers that the instruction may change. */
uint64_t code_writes(const struct code *code, const struct code_insn *insn);

/* Return struct insn_set's reads and strong_start for the code at `vaddr`; 0, false: no code. */
uint64_t code_reads(struct code *code, uint64_t vaddr, enum code_mode mode);
bool code_strong_start(const struct code *code, uint64_t vaddr, enum code_mode mode);

/*
 * Returns the least distance, in bytes, over which the code around `vaddr` may use a call
 * instruction as a jump inside of a function (struct insn_set, jumps_by_calls); 0: a call is a
 * call.
 */
uint16_t code_far_jump(struct code *code, uint64_t vaddr, enum code_mode mode);

/*
 * Does the straight code at `vaddr` read a register that has no meaning at a function's entry: a
 * callee-saved one, or one with a result of an earlier call? Then it continues other code.
 */
bool code_continues(struct code *code, uint64_t vaddr, enum code_mode mode);

/*
 * Returns the number of zero bytes from `vaddr` up to the next multiple of 4, with which assemblers
 * for Arm fill words; 0: they are not all zero, or the architecture has no T32.
 */
unsigned code_filler(const struct code *code, uint64_t vaddr);

/*
 * Does code that begins like a function (strong_start) follow at `vaddr`, or behind padding and
 * fillers there? Then a call that ends at `vaddr` does not return, since LR would have been saved
 * before it. False where calls push the return address.
 */
bool code_start_is_behind(struct code *code, uint64_t vaddr, enum code_mode mode);

/*
 * Does the function that begins at `start_vaddr` end with the call that ends at `vaddr`? True if
 * padding follows up to a multiple of 16 and the code behind does not jump back into the function,
 * so that the aligned address is the next function's start and no loop's head. False in files with
 * traps between functions, whose nops align loops, and in A32 code, whose functions are not
 * aligned. Adds the number of instructions that it looked at to *looked_at.
 */
bool code_ends_function(struct code *code, uint64_t start_vaddr, uint64_t vaddr,
                        enum code_mode mode, uint64_t *looked_at);

/*
 * Does the instruction call the next instruction to read the PC (call 1f; 1: pop)? False where
 * calls do not push the return address, or where a function begins there.
 */
bool code_reads_pc(const struct code *code, const struct code_insn *insn);

/*
 * Have at least 3 of the 4 words at `vaddr` A32's condition "always", 2 of them as plain data
 * processing? T32 code has few such words, branches and wide instructions; floating point code may
 * have more.
 */
bool code_looks_like_a32(const struct code *code, uint64_t vaddr);

/*
 * Has at most one of the 8 words at `vaddr` A32's condition "always" or A32's code of a vector
 * instruction? False where fewer words are left.
 */
bool code_looks_like_t32(const struct code *code, uint64_t vaddr);

/*
 * May `call` be the last instruction of its function, since its callee never returns? Asked of
 * calls to code that is not there (a hole, or through a PLT). True if a multiple of 16 follows,
 * perhaps behind padding, and the code there does not continue other code (code_continues). False
 * for other calls, and unless code->holes.
 */
bool code_call_is_last(struct code *code, const struct code_insn *call);

/*
 * Does the instruction call a trampoline (see struct insn) that lies closely before it? Then the
 * trampoline is part of the caller (gcc's thunk-inline) and no function.
 */
bool code_calls_trampoline(const struct code *code, const struct code_insn *insn);

/*
 * Reads `size` (1, 2, 4, 8) bytes of data at `vaddr`, zero-extended; a word that is 0 in the file
 * as it is when loaded (loaded_word). False: not in the file.
 */
bool code_read_data(const struct code *code, uint64_t vaddr, unsigned size, uint64_t *out);

#endif
