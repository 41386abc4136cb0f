/* SPDX-License-Identifier: MIT */
/*
 * The architecture-neutral effect of one machine instruction, as far as prologue analysis follows
 * it: where control goes, what registers and the frame's memory become. And the decoders that find
 * it.
 *
 * Each instruction set has a decoder below arch/<name>/ that fills a struct insn; the analysis
 * knows no architecture. An effect that is not modelled must be an OP_CLOBBER: a result may be
 * unknown, never wrong.
 *
 * An instruction becomes a short list of operations, executed in order:
 *
 *     push rbx              OP_ADD rsp = rsp - 8;  OP_STORE [rsp + 0] = rbx
 *     leave                 OP_ADD rsp = rbp + 0;  OP_LOAD rbp = [rsp + 0];  OP_ADD rsp = rsp + 8
 *     lea r10, [rsp + 8]    OP_ADD r10 = rsp + 8
 *     and rsp, -16          OP_ALIGN rsp
 *     call f                FLOW_CALL to f; OP_CLOBBER of the registers that a callee may change,
 *                           LR too
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

/* Two registers that no machine has, for intermediate values of one instruction. */
#define REG_TEMP   ARCH_REG_MAX
#define REG_TEMP2  (ARCH_REG_MAX + 1)
#define OP_REG_MAX (ARCH_REG_MAX + 2)

enum op_kind {
    OP_CONST,   /* dst = imm */
    OP_LITERAL, /* dst = word of the file at address imm (read-only: a literal pool) */
    OP_INSERT,  /* the 16 bits of dst from bit `shift` on become imm: movt, movk */
    OP_ADD,     /* dst = src + imm */
    OP_ADD_REG, /* dst = src + (src2 << shift); `size` 1, 2, 4: src2's low bytes, sign-extended
                   (sxtb ...); with OP_UNSIGNED: zero-extended (uxtw) */
    OP_SUB_REG, /* dst = src - src2 */
    OP_SHIFT,   /* dst = src << imm, or src >> -imm, unsigned */
    OP_THUMB,   /* dst = src with bit 0 set: an address of code becomes one of T32 code */
    OP_ALIGN,   /* dst = dst rounded down by an unknown amount: still a frame address */
    OP_LOAD,    /* dst = word at src + imm; or `size` bytes, fewer than a word, if not 0: `shift` 1:
                   sign-extended */
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
    uint16_t size; /* OP_STORE: bytes written; others: see enum op_kind */
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
    FLOW_CALL,     /* calls target (or an unknown function), then the next instruction */
    FLOW_RETURN,   /* to the caller */
    FLOW_INDIRECT, /* a jump to the value of jump_reg after the operations: table or tail call */
    FLOW_STOP,     /* nowhere: a trap */
};

/* An instruction set of an architecture. */
enum code_mode {
    CODE_DEFAULT, /* the only one; on arm A32 */
    CODE_T32,
    CODE_MODE_COUNT
};

/*
 * Where a call or jump takes its target from: SLOT_AT: the word at target_vaddr (the GOT: call
 * *f@GOTPCREL(%rip)); SLOT_IN_GOT: the same, relative to _GLOBAL_OFFSET_TABLE_ (i386: call
 * *f@GOT(%ebx)).
 */
enum slot_kind { SLOT_NONE, SLOT_AT, SLOT_IN_GOT };

/*
 * For a branch behind (or with) an OP_COMPARE_REG: where both compared values are known to be
 * equal: nowhere, where the branch is taken, where it is not.
 */
enum equal { EQUAL_NEVER, EQUAL_TAKEN, EQUAL_FALLS };

#define INSN_OPS_MAX  20
#define INSN_SIZE_MAX 15 /* bytes, of any instruction set */

struct insn {
    uint64_t vaddr;
    uint8_t size;
    uint8_t flow; /* enum flow */
    bool has_target;
    bool padding; /* does nothing; found between functions: nop, int3 */
    /*
     * The condition under which it is executed: the ISA's condition code + 1; 0: always. Codes that
     * differ in the lowest bit only are opposites (ARM's eq/ne, cs/cc ...). 0 for a conditional
     * branch with a target, which is FLOW_BRANCH; a conditional return, call or indirect jump keeps
     * its flow and has a predicate.
     */
    uint8_t predicate;
    uint8_t taken_when; /* FLOW_BRANCH: its condition, as `predicate`; 0: not known */
    bool writes_flags;  /* the same predicate means something else behind it */
    /* the effect is the same at every address and before any other code; false: not known */
    bool anywhere;
    /* a call that acts as a jump: the code at its target replaces the return address */
    bool trampoline;
    bool far; /* a jump whose encoding is longer than its distance needs: filled in by the linker */
    uint8_t equal; /* enum equal, for FLOW_BRANCH */
    uint8_t slot;  /* enum slot_kind; has_target is false if it is not SLOT_NONE */
    /*
     * FLOW_INDIRECT: register with the target; REG_NONE: in memory, not modelled. FLOW_RETURN:
     * register with the return address, or REG_NONE. FLOW_CALL: link register, if it is not that of
     * ordinary calls (struct arch, outline_link); else REG_NONE.
     */
    uint8_t jump_reg;
    uint8_t target_mode; /* enum code_mode of the target: calls and jumps may change it */
    uint8_t context; /* in: state left by the instruction before (ITSTATE); 0 at a jump's target */
    uint8_t next_context; /* out */
    uint16_t pops;        /* FLOW_RETURN: bytes of arguments that it pops: ret 4 */
    uint64_t target_vaddr;
    /* Address of the data in the code section that it loads; 0: none, or an OP_LITERAL has it. */
    uint64_t literal_vaddr;
    uint8_t literal_size; /* bytes */
    uint8_t op_count;
    struct op ops[INSN_OPS_MAX];
};

struct insn_set;
struct row;

/* A decoder of one instruction set. For one thread at a time. */
struct decoder {
    const struct insn_set *set;
    uint32_t elf_flags; /* e_flags of the file with the code; 0: not known */
    uint32_t isa;       /* isa_attribute.read's result for the file; 0: not known */
    void *state;        /* owned by the decoder_kind */
};

#define INSN_TEXT_MAX 224

/* The text of an instruction. */
struct insn_text {
    char text[INSN_TEXT_MAX]; /* "": the decoder knows no instruction there */
    bool by_mask; /* decoder_decode finds its effect without the disassembling library */
};

/*
 * A way to decode: with a library (capstone_decoder.h), which is loaded when the first decoder of
 * the kind is made, or with our own code (riscv/insn.c).
 */
struct decoder_kind {
    /* Sets decoder->state for decoder->set. NO_MEMORY; UNSUPPORTED: `problem` says why. */
    enum status (*open)(struct decoder *decoder);
    void (*close)(struct decoder *decoder);
    /* Returns why the library could not be loaded; NULL: it could, was not needed, or is none. */
    const char *(*problem)(void);
    /* Implements decoder_text; *out is empty before. */
    enum status (*text)(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                        uint64_t vaddr, uint8_t context, struct insn_text *out);
};

/*
 * The attribute by which an ELF file says which extensions of the instruction set its code uses:
 * its section, vendor and tag.
 */
struct isa_attribute {
    const char *section, *vendor;
    uint64_t tag;
    uint32_t (*read)(const char *text); /* value for struct decoder's isa; 0: nothing known */
};

/* How an instruction set is decoded and recognised; one constant for each. */
struct insn_set {
    const struct arch *arch;
    enum code_mode mode;
    const struct decoder_kind *decoder;
    int decoder_arch, decoder_mode; /* the decoder's names: Capstone's cs_arch, cs_mode */
    const struct isa_attribute *isa_attribute; /* NULL: files have none */
    uint8_t alignment;                         /* bytes; of instructions */
    /*
     * Decodes the instruction at `vaddr` from `bytes`. NOT_FOUND: no instruction of this set begins
     * there, or it is cut; everything is unknown behind it.
     */
    enum status (*decode)(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out);
    /*
     * Returns the mask of registers whose values the instruction uses, except to save them in the
     * frame, to compare them or to combine one with itself (xor eax, eax). Tells the begin of a
     * function from code in its middle. Slower than decode.
     */
    uint64_t (*reads)(struct decoder *decoder, const uint8_t *bytes, uint64_t size, uint64_t vaddr);
    /*
     * Returns the target of the direct jump at `bytes`; 0: there is none. A pattern match on any
     * bytes, to find jumps to a place: a result must be confirmed by decoding.
     */
    uint64_t (*jump_target)(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
    /* The same for direct calls. */
    uint64_t (*call_target)(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
    const char *jump_bytes, *call_bytes; /* first bytes of such jumps and calls; NULL: any */
    /*
     * Says whether a call instruction ends at bytes[size]; `size` is at most 16. A pattern match:
     * may be true where none ends, but is not false where one does.
     */
    bool (*ends_with_call)(const uint8_t *bytes, uint64_t size);
    uint8_t call_alignment; /* bytes; ABI: CFAs, and SP at calls, are multiples; 0: not known */
    bool tells_anywhere;    /* decode sets insn.anywhere; else the operations tell */
    bool callee_pops;       /* functions may pop their arguments: ret 4 */
    /* Mask of registers that hold nothing at a function's entry, besides callee-saved ones. */
    uint64_t undefined_at_entry;
    /*
     * An instruction of `alignment` bytes that stops the program. Some compilers fill gaps between
     * functions with it, others with nops. NULL: none is known.
     */
    const char *filler_trap;
    /*
     * Says whether `bytes` begin as functions do and hardly anything else does (endbr64; push rbp;
     * push {.., lr}; stp x29, x30, ..).
     */
    bool (*strong_start)(const uint8_t *bytes, uint64_t size);
    /*
     * Returns the register in which the subroutine at `bytes` returns its return address, if it
     * does nothing else (__x86.get_pc_thunk.bx); else REG_NONE. NULL: the set has no such
     * subroutines.
     */
    uint8_t (*pc_thunk)(const uint8_t *bytes, uint64_t size);
    /* Says whether `bytes` begin with a trampoline's call (struct insn). NULL: there are none. */
    bool (*is_trampoline)(const uint8_t *bytes, uint64_t size);
    /*
     * Turns `call` into a jump through a table if the subroutine at `bytes`, which it calls, jumps
     * to an address from a table right behind the call. Otherwise leaves it. NULL: there are no
     * such subroutines.
     */
    void (*table_call)(const uint8_t *bytes, uint64_t size, struct insn *call);
    /* Fills *out with the row of the signal trampoline at `bytes`. NOT_FOUND: there is none. */
    enum status (*sigreturn_row)(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                 struct row *out);
    /*
     * Says whether the instruction at `bytes` ends an exception handler. A pattern match on any
     * bytes. NULL: there is no such instruction.
     */
    bool (*is_trap_return)(const uint8_t *bytes, uint64_t size);
    /*
     * Says whether the instruction at `bytes` is the return of an outlined part of a prologue
     * (struct arch, outline_link). NULL: there are none.
     */
    bool (*is_outline_return)(const uint8_t *bytes, uint64_t size);
    /*
     * Returns the number of the system call that begins the code: a move of the number to its
     * register, then the call. 0: there is none. NULL: not known.
     */
    unsigned (*system_call)(const uint8_t *bytes, uint64_t size);
    /*
     * Says whether this code is of a kind whose only long-distance jump is the call, so that
     * compilers use calls as jumps inside functions (Thumb-1). Jumps of at most `far_jump` bytes
     * need no call. NULL: the set has no such kind.
     */
    bool (*jumps_by_calls)(const uint8_t *bytes, uint64_t size);
    uint16_t far_jump;
    /*
     * START_CODE_SIZE bytes of code that are typical of a process's first function (_start): they
     * zero FP and LR, say. NULL: not known.
     */
    const char *start_code;
};

#define START_CODE_SIZE 8

/* Returns the architecture's instruction set of this mode; NULL: it has none. */
const struct insn_set *insn_set_for(const struct arch *arch, enum code_mode mode);

/* The bytes of code before a place, and from it on, that insn_ends_thread needs. */
#define THREAD_CODE_BEFORE 96
#define THREAD_CODE_BEHIND 8

/*
 * Says whether bytes[at], a return address, is in a thread's outermost function: the system call
 * that ends a thread (exit, not exit_group) is there, and the one that makes a thread shortly
 * before, as in the C library's clone, which calls the thread's function in between; or start_code
 * is shortly before, as in _start.
 */
bool insn_ends_thread(const struct arch *arch, const uint8_t *bytes, uint64_t at, uint64_t size);

/*
 * Says whether the code before bytes[size] ends with the system call that makes a thread (clone,
 * clone3), with the move of its number.
 */
bool insn_makes_thread(const struct arch *arch, const uint8_t *bytes, uint64_t size);

/* The bytes of code that insn_behind_call looks at, at most and at least. */
#define BEHIND_CALL_MAX 12
#define BEHIND_CALL_MIN 4

/*
 * Returns how many bytes before bytes[size] a system call's instruction begins, if the code since
 * then only looks at its result, as glibc's clone does on x86-64; 0: the code is another.
 */
unsigned insn_behind_call(const struct arch *arch, const uint8_t *bytes, uint64_t size);

/* Sets first[b] for each byte b in a set's jump_bytes or call_bytes; for all if they are NULL. */
void insn_first_bytes(const char *bytes, bool first[256]);

/* Returns why a decoder could not be loaded; NULL: none has failed. */
const char *insn_problem(void);

/* Makes a decoder of the set. NO_MEMORY; UNSUPPORTED: insn_problem says why. */
MUST_CHECK enum status decoder_create(const struct insn_set *set, struct decoder **out);
void decoder_destroy(struct decoder *decoder);

/*
 * Decodes an instruction. `context` is the next_context of the instruction before, if control falls
 * through from it, else 0. NOT_FOUND as insn_set.decode.
 */
MUST_CHECK enum status decoder_decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                                      uint64_t vaddr, uint8_t context, struct insn *out);

/*
 * Fills *out with the text of an instruction. May change the decoder's state, so that it should be
 * a decoder of its own. NOT_FOUND: decoder_decode finds no instruction there; there may be text all
 * the same.
 */
MUST_CHECK enum status decoder_text(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                                    uint64_t vaddr, uint8_t context, struct insn_text *out);

#endif
