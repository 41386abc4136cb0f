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
 * Values for `max` of code_trim: how many instructions, of 64 bytes each, stay cached with their
 * operations. CACHED: for analyses of single functions, which need few, so that these stay in the
 * processor's cache; must exceed the number of instructions that code_trim keeps (decode_cache.h).
 * SEARCHED: for the search for functions, which looks back at all that it decoded.
 */
#define CODE_INSNS_CACHED   16384
#define CODE_INSNS_SEARCHED 2000000

#define CODE_PAGE_BYTES UINT64_C(4096)

/*
 * Returns the file's bytes at `vaddr` (borrowed), and sets *avail to how many there are; NULL:
 * none. As elf_image_bytes_at.
 */
typedef const uint8_t *code_bytes_fn(const void *context, uint64_t vaddr, uint64_t *avail);

struct code_insn {
    uint64_t vaddr, target_vaddr;
    uint64_t literal_vaddr; /* address of the data among the code that it reads; 0: none */
    uint32_t first_op;
    /* the walk (code_new_walk) that took it last, and what that walk noted */
    uint32_t taken_by, taken_as;
    uint32_t visited_by; /* the last walk within a walk that visited it */
    uint16_t pops;       /* this and members without a comment: as in struct insn */
    uint8_t size, flow, op_count;
    uint8_t literal_size;
    uint8_t mode, context, next_context; /* contexts: T32's ITSTATE before and after it */
    uint8_t predicate, taken_when, jump_reg, equal, target_mode;
    uint8_t slot; /* enum slot_kind: NONE or AT */
    bool has_target, padding, writes_flags, far, trampoline;
};

struct code_memo;

struct code {
    const struct arch *arch;
    code_bytes_fn *bytes_at; /* reads bytes of executable code */
    code_bytes_fn *data_at;  /* reads bytes of any kind: also literals and jump tables */
    const void *context;
    /* The caller may set the members up to `isa` after code_create; NULL, 0: not known. */
    /*
     * Whether loading changes the word of data at `vaddr`; if so, sets *out to its value when
     * loaded.
     */
    bool (*loaded_word)(void *context, uint64_t vaddr, uint64_t *out);
    /*
     * Whether `vaddr` is a word of the GOT that loading fills: i386 code calls by EBX only through
     * these.
     */
    bool (*is_got_word)(void *context, uint64_t vaddr);
    /* Whether the program may write at `vaddr`, so that the file's bytes are no constant. */
    bool (*may_change)(void *context, uint64_t vaddr);
    /* Whether gaps between functions are filled with traps, not with nops. */
    bool (*pads_with_traps)(void *context);
    void *loaded_context;           /* first argument of the four functions above */
    uint64_t got_vaddr;             /* address of the symbol _GLOBAL_OFFSET_TABLE_; 0: not known */
    uint32_t elf_flags, isa;        /* as the members of struct decoder with these names */
    bool holes;                     /* only pieces of the module's code are at hand */
    const struct insn_set *sets[2]; /* instruction sets by mode; NULL: there is none for the mode */
    struct decoder *decoders[2];    /* decoders by mode; NULL: none was needed yet */
    uint8_t unit, unit_shift; /* unit: bytes of code for each entry of a page, 1 << unit_shift */
    struct map leaves;        /* cached results of leaf_changes and argument_holds */
    struct map kinds;         /* cached results of code_far_jump, by block of code */
    struct map pages;         /* address of a page -> index into page_list */
    /* for each page, by address / unit in it: index into insns; 0: not decoded */
    uint32_t **page_list;
    size_t page_count, page_cap;
    size_t page_kept; /* number of pages in the list that have memory */
    uint64_t last_page_vaddr;
    uint32_t *last_page;
    struct code_insn *insns; /* decoded instructions; owned; element 0 is unused */
    size_t insn_count, insn_cap;
    struct op *ops;
    size_t op_count, op_cap;
    struct code_memo *memo;
    struct { /* last result of bytes_at: bytes of a segment */
        const uint8_t *bytes;
        uint64_t start_vaddr, size;
    } segment;
    /* instructions that were replaced by one at the same address in another mode or context */
    uint32_t replaced;
    uint32_t generation; /* number of times that code_trim dropped instructions */
    uint32_t walks;      /* how many numbers code_new_walk has given out */
};

/*
 * Creates an empty cache of instructions; *out is the caller's. `arch` is borrowed, and so is
 * `context`, which is passed to both functions. UNSUPPORTED: the architecture has no instruction
 * set here; NO_MEMORY.
 */
MUST_CHECK enum status code_create(const struct arch *arch, code_bytes_fn *bytes_at,
                                   code_bytes_fn *data_at, const void *context, struct code **out);
void code_destroy(struct code *code);

/* Returns a new number for struct code_insn's taken_by or visited_by. */
uint32_t code_new_walk(struct code *code);

/*
 * If more than `max` instructions are cached, drops all except those that decode_cache.h remembers
 * by their bytes; all indices of instructions become invalid then.
 */
void code_trim(struct code *code, size_t max);

/*
 * Returns the entry of page_list (struct code) for the page at `page_vaddr`; NULL: nothing was
 * decoded there.
 */
uint32_t *code_find_page(struct code *code, uint64_t page_vaddr);

/* Returns the index of the instruction that was decoded last at `vaddr`; 0: none is cached. */
static inline uint32_t code_find(struct code *code, uint64_t vaddr)
{
    uint64_t page_vaddr = vaddr & ~(CODE_PAGE_BYTES - 1);
    const uint32_t *page =
        page_vaddr == code->last_page_vaddr ? code->last_page : code_find_page(code, page_vaddr);

    return page ? page[(vaddr - page_vaddr) >> code->unit_shift] : 0;
}

/*
 * Sets *out to the index of the instruction at `vaddr`, which it decodes unless it is cached.
 * NOT_FOUND: no code there, or it cannot be decoded; NO_MEMORY. Pointers to instructions are valid
 * until the next code_get.
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

/* Whether the architecture has T32, so that the low bit of a pointer to code is the mode. */
static inline bool code_has_two_modes(const struct code *code)
{
    return code->sets[CODE_T32] != NULL;
}

/* Copies elf_flags and isa to `decoder`, which was made for one of code->sets. */
void code_prepare(const struct code *code, struct decoder *decoder);

const struct insn_set *code_set(const struct code *code, enum code_mode mode);

/*
 * Returns the address of the function that `insn` calls, if that function jumps through a table
 * after the call, so that the call counts as an indirect jump (struct insn_set, table_call); 0:
 * `insn` is no such call.
 */
uint64_t code_table_helper(const struct code *code, const struct code_insn *insn);

/* Returns a mask of the registers that the instruction may change; bit n: register n. */
uint64_t code_writes(const struct code *code, const struct code_insn *insn);

/*
 * code_reads: returns a mask of the registers that the instruction at `vaddr` reads.
 * code_strong_start: whether the code at `vaddr` begins as only functions do. Both by the functions
 * of struct insn_set; without code 0, false.
 */
uint64_t code_reads(struct code *code, uint64_t vaddr, enum code_mode mode);
bool code_strong_start(const struct code *code, uint64_t vaddr, enum code_mode mode);

/*
 * Returns the least distance, in bytes, over which the code around `vaddr` may use a call
 * instruction as a jump inside of a function (struct insn_set, jumps_by_calls); 0: each call
 * instruction is a call.
 */
uint16_t code_far_jump(struct code *code, uint64_t vaddr, enum code_mode mode);

/*
 * Whether the code at `vaddr` continues other code: one of its first 8 instructions, before any
 * jump, call or predicated instruction, uses a register that none before it has written, and that
 * has no meaning at a function's entry: a callee-saved one, or one of undefined_at_entry, as
 * x86-64's RAX. Saving a register is no use of it (insn_set.reads).
 */
bool code_continues(struct code *code, uint64_t vaddr, enum code_mode mode);

/*
 * Returns the number of bytes (1 to 4) from `vaddr` up to the next multiple of 4, if all are zero:
 * assemblers for Arm fill words so. 0: not all are zero, or the architecture has no T32.
 */
unsigned code_filler(const struct code *code, uint64_t vaddr);

/*
 * Whether code that begins like a function (strong_start) follows at `vaddr`, or after padding and
 * fillers there. A call that ends at `vaddr` does not return then, since LR would have been saved
 * before the call. Always false where calls push the return address.
 */
bool code_start_is_behind(struct code *code, uint64_t vaddr, enum code_mode mode);

/*
 * Whether the function that begins at `start_vaddr` ends with the call that ends at `vaddr`:
 * padding follows up to a multiple of 16, and the code after that neither jumps back into the
 * function nor loads LR from the stack, so that a function starts there, and no loop. Always false
 * in files with traps between functions, whose nops align loops, and in A32 code, whose functions
 * are not aligned. Adds the number of instructions that were looked at to *looked_at.
 */
bool code_ends_function(struct code *code, uint64_t start_vaddr, uint64_t vaddr,
                        enum code_mode mode, uint64_t *looked_at);

/*
 * Whether the instruction calls the next instruction to read the PC (call 1f; 1: pop). False where
 * calls do not push the return address, or if the next instruction begins a function.
 */
bool code_reads_pc(const struct code *code, const struct code_insn *insn);

/*
 * Whether at least 3 of the 4 words at `vaddr` have A32's condition "always", and 2 are plain data
 * processing with that condition. T32 code has few words that look so: branches and wide
 * instructions; floating point code may have more.
 */
bool code_looks_like_a32(const struct code *code, uint64_t vaddr);

/*
 * Whether at most one of the 8 words at `vaddr` has A32's condition "always", or is an A32 vector
 * instruction. False if fewer than 8 words can be read.
 */
bool code_looks_like_t32(const struct code *code, uint64_t vaddr);

/*
 * Whether `call`, of code that is not at hand (in a hole, or through a PLT), may be the last
 * instruction of its function, as its callee never returns: a multiple of 16 follows, perhaps after
 * padding, and the code there does not continue other code (code_continues). False for other calls,
 * and unless code->holes.
 */
bool code_call_is_last(struct code *code, const struct code_insn *call);

/*
 * Whether the instruction calls a trampoline (struct insn) that lies closely before it, and so is a
 * part of the caller (gcc's thunk-inline) and no function.
 */
bool code_calls_trampoline(const struct code *code, const struct code_insn *insn);

/*
 * Sets *out to `size` (1, 2, 4, 8) bytes of data at `vaddr`, zero-extended. A word that is 0 in the
 * file is read as it is when loaded (loaded_word). False: the bytes are not in the file.
 */
bool code_read_data(const struct code *code, uint64_t vaddr, unsigned size, uint64_t *out);

#endif
