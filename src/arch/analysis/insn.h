/* SPDX-License-Identifier: MIT */
/*
 * The architecture-neutral effect of one machine instruction on what prologue analysis follows:
 * where control goes, and what becomes of registers and of the frame's memory.
 *
 * A file below arch/<name>/ for each instruction set fills a struct insn; prologue.c knows no
 * architecture.
 * What is not modelled must be said as OP_CLOBBER: an answer may be unknown, never wrong.
 *
 * Each instruction becomes a short list of operations, executed in order:
 *
 *     push rbx              OP_ADD rsp = rsp - 8;  OP_STORE [rsp + 0] = rbx
 *     leave                 OP_ADD rsp = rbp + 0;  OP_LOAD rbp = [rsp + 0];  OP_ADD rsp = rsp + 8
 *     lea r10, [rsp + 8]    OP_ADD r10 = rsp + 8
 *     and rsp, -16          OP_ALIGN rsp
 *     call f                FLOW_CALL to f; OP_CLOBBER of what the ABI lets a callee change, LR too
 *     movsxd rax, [rdx + rax*4]   OP_ELEMENT rax = 4 bytes, signed, of the table at rdx
 *     ldr r3, [pc, #8]      OP_LITERAL r3 = word at a known address of the file
 *     tbb [pc, r0]          OP_CONST temp2 = pc;  OP_ELEMENT temp = bytes of the table at temp2;
 *                           OP_ADD_REG pc = temp2 + temp << 1;  FLOW_INDIRECT through pc
 */
#ifndef ARCH_ANALYSIS_INSN_H
#define ARCH_ANALYSIS_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"

/* Two registers that no machine has, for what an instruction computes on its way. */
#define REG_TEMP   ARCH_REG_MAX
#define REG_TEMP2  (ARCH_REG_MAX + 1)
#define OP_REG_MAX (ARCH_REG_MAX + 2)

enum op_kind {
    OP_CONST,   /* dst = imm */
    OP_LITERAL, /* dst = word of the file at address imm (read-only: a literal pool) */
    OP_INSERT,  /* the 16 bits of dst from bit `shift` on become imm: movt, movk */
    OP_ADD,     /* dst = src + imm */
    OP_ADD_REG, /* dst = src + (src2 << shift); `size` 1, 2, 4: src2's low bytes, sign-extended
                   (sxtb …); with OP_UNSIGNED: zero-extended (uxtw) */
    OP_SUB_REG, /* dst = src - src2 */
    OP_SHIFT,   /* dst = src << imm, or src >> -imm, unsigned */
    OP_THUMB,   /* dst = src with bit 0 set: an address of code becomes one of T32 code */
    OP_ALIGN,   /* dst = dst rounded down by an unknown amount: still a frame address */
    OP_LOAD,    /* dst = word at src + imm; `size` not 0: so many bytes, fewer than a word, `shift`
                   1: sign-extended */
    OP_ELEMENT, /* dst = some element of `size` bytes of the table at src + imm (REG_NONE: at imm);
                   `shift` 1: sign-extended. A load whose address has a scaled index register. */
    OP_STRIDE,  /* dst = imm + some multiple of `size`: a jump into a table of branches (A32 add pc,
                   pc, r3, lsl #2) */
    OP_STORE,   /* word at dst + imm = src (REG_NONE: unknown, size bytes) */
    OP_CLOBBER, /* every register in mask becomes unknown */
    OP_COMPARE, /* src (REG_NONE: something in memory) is compared with, or limited to at most, imm:
                   the bound of a jump table. No effect. */
    OP_COMPARE_REG, /* src is compared with src2, or limited to at most src2 + imm. No effect; see
                       struct insn, equal */
};

#define OP_UNSIGNED 0x80u /* in OP_ADD_REG's size */

struct op {
    uint8_t kind;
    uint8_t dst, src, src2;
    uint16_t size; /* OP_STORE: bytes written; others: see the kind */
    uint8_t shift;
    union {
        int64_t imm;
        uint64_t mask; /* OP_CLOBBER */
    };
};

enum flow {
    FLOW_NEXT,     /* to the next instruction */
    FLOW_JUMP,     /* to target */
    FLOW_BRANCH,   /* to target or to the next */
    FLOW_CALL,     /* calls target (or an unknown one), then the next */
    FLOW_RETURN,   /* to the caller */
    FLOW_INDIRECT, /* a jump to the value of jump_reg after the operations: table or tail call */
    FLOW_STOP,     /* nowhere: a trap */
};

/* Which of an architecture's instruction sets. */
enum code_mode {
    CODE_DEFAULT, /* the only one; on arm A32 */
    CODE_T32,
    CODE_MODE_COUNT
};

/*
 * A call or jump to what a word of memory holds, whose address is target_vaddr (the GOT: call
 * *f@GOTPCREL(%rip)). SLOT_IN_GOT: that is relative to _GLOBAL_OFFSET_TABLE_ (i386: call
 * *f@GOT(%ebx)).
 */
enum slot_kind { SLOT_NONE, SLOT_AT, SLOT_IN_GOT };

/* What is known where a branch that follows OP_COMPARE_REG, or has it, is, or is not, taken. */
enum equal { EQUAL_NEVER, EQUAL_TAKEN, EQUAL_FALLS };

#define INSN_OPS_MAX  20
#define INSN_SIZE_MAX 15 /* bytes, of any instruction set */

struct insn {
    uint64_t vaddr;
    uint8_t size;
    uint8_t flow; /* enum flow */
    bool has_target;
    bool padding; /* does nothing and stands between functions: nop, int3 */
    /*
     * Executed only under a condition: the ISA's condition code + 1, 0: always. Codes whose lowest
     * bit alone differs are each other's opposite (ARM's eq/ne, cs/cc …). Not set for a conditional
     * branch with a target: that is FLOW_BRANCH. A conditional return, call or indirect jump keeps
     * its flow and has a predicate.
     */
    uint8_t predicate;
    uint8_t taken_when; /* of FLOW_BRANCH, as `predicate`; 0: not known */
    bool writes_flags;  /* predicates before and after it do not mean the same */
    /*
     * the same bytes have the same effect at every address and before any others; false: not known
     */
    bool anywhere;
    /* a call that is a jump: nothing returns behind it, and the return address is replaced */
    bool trampoline;
    bool far; /* a jump in an encoding longer than its distance needs: the linker filled it in */
    uint8_t equal; /* enum equal, of FLOW_BRANCH */
    uint8_t slot;  /* enum slot_kind; has_target is not set then */
    /*
     * FLOW_INDIRECT: where the target is; REG_NONE: in memory, not modelled. FLOW_RETURN: where the
     * return address is taken to be, or REG_NONE. FLOW_CALL: where it is put, if not where calls of
     * functions have it: see struct arch, outline_link; else REG_NONE.
     */
    uint8_t jump_reg;
    uint8_t target_mode; /* enum code_mode at the target (of an interworking call or jump) */
    uint8_t context; /* in: what the instruction before left (T32: ITSTATE), 0 at a jump's target */
    uint8_t next_context; /* out */
    uint16_t pops;        /* FLOW_RETURN: argument bytes it takes off the stack: ret 4 */
    uint64_t target_vaddr;
    /* of data among the code that it loads; 0: none, or that of an OP_LITERAL */
    uint64_t literal_vaddr;
    uint8_t literal_size; /* bytes */
    uint8_t op_count;
    struct op ops[INSN_OPS_MAX];
};

struct insn_set;
struct row;

/* What decodes, for a while: made for an instruction set, used by one thread at a time. */
struct decoder {
    const struct insn_set *set;
    uint32_t elf_flags; /* e_flags of the file that the code is of, as far as is known; else 0 */
    uint32_t isa;       /* what the set's isa_attribute reads in the file; 0: nothing */
    void *state;        /* of the kind's own */
};

#define INSN_TEXT_MAX 224

/* An instruction as people read it. */
struct insn_text {
    char text[INSN_TEXT_MAX]; /* "" where the decoder knows none */
    bool by_mask;             /* decoder_decode knows its effect without asking the library */
};

/*
 * A kind of decoder: a library that disassembles, or our own code. It is loaded when a first
 * decoder of it is made. The one there is: capstone_decoder.h.
 */
struct decoder_kind {
    /* Fills decoder->state for decoder->set. UNSUPPORTED: cannot be had, and `problem` says why. */
    enum status (*open)(struct decoder *decoder);
    void (*close)(struct decoder *decoder);
    /* What has kept it from being loaded; NULL: nothing. */
    const char *(*problem)(void);
    /* As decoder_text; *out is empty. */
    enum status (*text)(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                        uint64_t vaddr, uint8_t context, struct insn_text *out);
};

/* Where a file says which extensions of the instruction set its code is for. */
struct isa_attribute {
    const char *section, *vendor;
    uint64_t tag;
    uint32_t (*read)(const char *text); /* decoder's isa, for the set's own code; 0: nothing */
};

/* How one instruction set is decoded; one constant for each. */
struct insn_set {
    const struct arch *arch;
    enum code_mode mode;
    const struct decoder_kind *decoder;
    int decoder_arch, decoder_mode; /* what it calls the set: of Capstone's cs_arch, cs_mode */
    const struct isa_attribute *isa_attribute; /* NULL: files do not tell */
    uint8_t alignment;                         /* of instructions, in bytes */
    /*
     * Decodes the instruction at `vaddr` from `bytes`. NOT_FOUND: no instruction of this set begins
     * there (or it is cut). The instruction is then one that everything is unknown after.
     */
    enum status (*decode)(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out);
    /*
     * The registers (bit mask) whose value the instruction uses, other than to save it in the
     * frame, to compare or add it to itself (xor eax, eax). For telling code that a function begins
     * with from code in the middle of one. Slower than decode.
     */
    uint64_t (*reads)(struct decoder *decoder, const uint8_t *bytes, uint64_t size, uint64_t vaddr);
    /*
     * Where the jump that may begin at `bytes` leads, 0: none does. A pattern match over any bytes,
     * for finding who jumps to a place: what it says must be confirmed by decoding.
     */
    uint64_t (*jump_target)(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
    uint64_t (*call_target)(const uint8_t *bytes, uint64_t size,
                            uint64_t vaddr); /* the same for direct calls */
    const char *jump_bytes, *call_bytes;     /* they begin with one of these; NULL: with any */
    /*
     * Does a call instruction end at the end of these bytes (up to 16 before a return address)? A
     * pattern match: false positives are possible, false negatives are not.
     */
    bool (*ends_with_call)(const uint8_t *bytes, uint64_t size);
    uint8_t
        call_alignment;  /* the CFA is a multiple of it, and SP at calls, by the ABI; 0: not told */
    bool tells_anywhere; /* decode fills `anywhere`; else it is concluded from the operations */
    bool callee_pops;    /* functions may take their arguments off the stack: ret 4 */
    /* registers that hold nothing when a function is entered, callee-saved ones aside */
    uint64_t undefined_at_entry;
    /*
     * An instruction, of `alignment` bytes, that stops a program, with which some compilers fill up
     * between functions, others with nops; NULL: not known.
     */
    const char *filler_trap;
    /*
     * Do functions, and hardly anything else, begin like this (endbr64; push rbp; push {.., lr};
     * stp x29, x30, ..)?
     */
    bool (*strong_start)(const uint8_t *bytes, uint64_t size);
    /*
     * The register in which the subroutine at `bytes` returns the address it returns to, doing
     * nothing else (__x86.get_pc_thunk.bx); REG_NONE. NULL: the architecture needs none.
     */
    uint8_t (*pc_thunk)(const uint8_t *bytes, uint64_t size);
    /*
     * Is the instruction at `bytes` a trampoline's call (see struct insn)? NULL: the architecture
     * has none.
     */
    bool (*is_trampoline)(const uint8_t *bytes, uint64_t size);
    /*
     * Makes a jump of `call` where the subroutine at `bytes`, which it calls, jumps to what a table
     * right behind the call says. Else leaves it as it is. NULL: there is nothing of the kind.
     */
    void (*table_call)(const uint8_t *bytes, uint64_t size, struct insn *call);
    /*
     * The row of a signal trampoline (sigreturn) that begins at `bytes`. NOT_FOUND: it is none.
     */
    enum status (*sigreturn_row)(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                 struct row *out);
    /*
     * Is the instruction at `bytes` the one that ends an exception's handler? A pattern match, as
     * jump_target's. NULL: there is none.
     */
    bool (*is_trap_return)(const uint8_t *bytes, uint64_t size);
    /*
     * Is the instruction at `bytes` the return of what prologues call (struct arch, outline_link)?
     * NULL: there is none.
     */
    bool (*is_outline_return)(const uint8_t *bytes, uint64_t size);
    /*
     * The number of the system call that the code begins with, moved to its register; 0: it is
     * none. NULL: not known.
     */
    unsigned (*system_call)(const uint8_t *bytes, uint64_t size);
    /*
     * Is code with these bytes of a kind whose only jump over long distances is the call, so that
     * compilers jump with that inside of functions (Thumb-1)? NULL: there is none. Over no more
     * than `far_jump` bytes they have no need to.
     */
    bool (*jumps_by_calls)(const uint8_t *bytes, uint64_t size);
    uint16_t far_jump;
    /* Where a process starts FP and LR are zeroed, by these instructions. NULL: not known. */
    const char *start_code;
};

#define START_CODE_SIZE 8

/* NULL when the architecture has no such mode. */
const struct insn_set *insn_set_for(const struct arch *arch, enum code_mode mode);

/* Bytes of code before a place that insn_ends_thread looks at, and from there on. */
#define THREAD_CODE_BEFORE 96
#define THREAD_CODE_BEHIND 8

/*
 * Has what a call at bytes[at] returns to no caller? There begins the system call that ends a
 * thread (exit, not exit_group), shortly behind the one that makes one: so the C library's clone
 * has it, behind the call of the function that the thread runs. Or FP and LR were zeroed shortly
 * before: so _start does it.
 */
bool insn_ends_thread(const struct arch *arch, const uint8_t *bytes, uint64_t at, uint64_t size);

/* Does the code before bytes[size] end with the system call that makes a thread, number and all? */
bool insn_makes_thread(const struct arch *arch, const uint8_t *bytes, uint64_t size);

/* Bytes of code that insn_behind_call looks at, at the most and at the least. */
#define BEHIND_CALL_MAX 12
#define BEHIND_CALL_MIN 4

/*
 * How many bytes before bytes[size] the instruction begins that makes a system call, when since
 * then only its result was looked at, as glibc's clone does for x86-64; 0: it is no such place.
 */
unsigned insn_behind_call(const struct arch *arch, const uint8_t *bytes, uint64_t size);

/* Which bytes are in `bytes`, the set's jump_bytes or call_bytes. */
void insn_first_bytes(const char *bytes, bool first[256]);

/* What has kept instructions from being decoded: a decoder that cannot be loaded. NULL: nothing. */
const char *insn_problem(void);

/* A decoder of the set's kind. UNSUPPORTED: see insn_problem. */
MUST_CHECK enum status decoder_create(const struct insn_set *set, struct decoder **out);
void decoder_destroy(struct decoder *decoder);

/*
 * `context` is the next_context of the instruction before when control falls through from it, else
 * 0.
 */
MUST_CHECK enum status decoder_decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                                      uint64_t vaddr, uint8_t context, struct insn *out);

/*
 * For a decoder that nobody else uses: what it disassembles may change its state. NOT_FOUND:
 * decoder_decode has no instruction there; the text may be one all the same.
 */
MUST_CHECK enum status decoder_text(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                                    uint64_t vaddr, uint8_t context, struct insn_text *out);

#endif
