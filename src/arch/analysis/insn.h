/* SPDX-License-Identifier: MIT */
/*
 * The architecture-neutral effect of one machine instruction, as far as prologue analysis follows
 * it (where control goes, what registers and the frame's memory become), and the decoders that find
 * this effect.
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

/*
 * Two registers that no machine has, for intermediate values of one instruction; OP_REG_MAX:
 * registers are below it, with these.
 */
#define REG_TEMP   ARCH_REG_MAX
#define REG_TEMP2  (ARCH_REG_MAX + 1)
#define OP_REG_MAX (ARCH_REG_MAX + 2)

enum op_kind {
    OP_CONST,   /* dst = imm */
    OP_LITERAL, /* dst = word of the file at address imm (read-only: a literal pool) */
    OP_INSERT,  /* bits `shift` to `shift` + 15 of dst become imm: movt, movk */
    OP_ADD,     /* dst = src + imm */
    OP_ADD_REG, /* dst = src + (src2 << shift). `size` 1, 2, 4: only that many low bytes of src2,
                   sign-extended (sxtb ...), or with OP_UNSIGNED zero-extended (uxtw) */
    OP_SUB_REG, /* dst = src - src2 */
    OP_SHIFT,   /* dst = src << imm; if imm < 0: src >> -imm, unsigned */
    OP_THUMB,   /* dst = src with bit 0 set: an address of code becomes one of T32 code */
    OP_ALIGN,   /* dst = dst rounded down by an unknown amount: still a frame address */
    OP_LOAD,    /* dst = word at src + imm (`size` 0), or `size` bytes, fewer than a word, `shift`
                   1: sign-extended, 0: zero-extended */
    OP_ELEMENT, /* dst = some element of `size` bytes of the table at src + imm (src REG_NONE: at
                   imm), `shift` 1: sign-extended. A load whose address has a scaled index. */
    OP_STRIDE,  /* dst = imm + some multiple of `size`: a jump into a table of branches (A32 add pc,
                   pc, r3, lsl #2) */
    OP_STORE,   /* word at dst + imm = src; src REG_NONE: `size` bytes there become unknown */
    OP_CLOBBER, /* every register in mask becomes unknown */
    OP_COMPARE, /* src (REG_NONE: something in memory) is compared with imm, or limited to at most
                   imm: perhaps the bound of a jump table. Changes no register or memory. */
    OP_COMPARE_REG, /* src is compared with src2, or limited to at most src2 + imm. Changes no
                       register or memory; for the branch behind it see enum equal */
};

#define OP_UNSIGNED 0x80u /* set in OP_ADD_REG's `size`: src2 is zero-extended */

struct op {
    uint8_t kind;
    uint8_t dst, src, src2;
    uint16_t size; /* OP_STORE: bytes written; other kinds: see enum op_kind */
    uint8_t shift;
    union {
        int64_t imm;
        uint64_t mask; /* OP_CLOBBER: the registers, by number */
    };
};

/* The way that control goes after an instruction. */
enum flow {
    FLOW_NEXT,     /* to the next instruction */
    FLOW_JUMP,     /* to target_vaddr */
    FLOW_BRANCH,   /* to target_vaddr or to the next instruction */
    FLOW_CALL,     /* to target_vaddr or an unknown function, then to the next instruction */
    FLOW_RETURN,   /* to the caller */
    FLOW_INDIRECT, /* to the value of jump_reg after the operations: table or tail call */
    FLOW_STOP,     /* nowhere: a trap */
};

/* An instruction set of an architecture. */
enum code_mode {
    CODE_DEFAULT, /* the architecture's only instruction set; on arm A32 */
    CODE_T32,
    CODE_MODE_COUNT
};

/*
 * The word in memory that holds the target of a call or jump. SLOT_NONE: there is none; SLOT_AT:
 * the word at target_vaddr (call *f@GOTPCREL(%rip)); SLOT_IN_GOT: the word at
 * _GLOBAL_OFFSET_TABLE_ + target_vaddr (i386: call *f@GOT(%ebx)).
 */
enum slot_kind { SLOT_NONE, SLOT_AT, SLOT_IN_GOT };

/*
 * Tells on which way of a branch, behind (or with) an OP_COMPARE_REG, the two compared values are
 * equal. EQUAL_NEVER: on neither for sure; EQUAL_TAKEN: where it is taken; EQUAL_FALLS: where it is
 * not.
 */
enum equal { EQUAL_NEVER, EQUAL_TAKEN, EQUAL_FALLS };

#define INSN_OPS_MAX  20
#define INSN_SIZE_MAX 15 /* bytes, of any instruction set */

struct insn {
    uint64_t vaddr;
    uint8_t size;
    uint8_t flow;    /* enum flow */
    bool has_target; /* target_vaddr is the address that control goes to */
    bool padding;    /* the instruction is one that fills gaps between functions: nop, int3 */
    /*
     * The condition under which the instruction is executed: the ISA's condition code + 1; 0:
     * always. Codes that differ in the lowest bit only are opposites (ARM's eq/ne, cs/cc ...). 0
     * for a conditional branch with a target, which is FLOW_BRANCH; a conditional return, call or
     * indirect jump keeps its flow and has a predicate.
     */
    uint8_t predicate;
    uint8_t taken_when; /* FLOW_BRANCH: the branch's condition code + 1; 0: not known */
    bool writes_flags;  /* may change the flags, which predicates depend on */
    /* the effect is the same at every address and before any other code; false: not known */
    bool anywhere;
    /* a call that acts as a jump: the code at its target replaces the return address */
    bool trampoline;
    bool far; /* a jump in a longer encoding than its distance needs, as the linker fills one in */
    uint8_t equal; /* enum equal, for FLOW_BRANCH */
    uint8_t slot;  /* enum slot_kind; has_target is false if it is not SLOT_NONE */
    /*
     * FLOW_INDIRECT: register with the target; REG_NONE: the target is in memory, not modelled.
     * FLOW_RETURN: register with the return address; REG_NONE: the ABI's place of it. FLOW_CALL:
     * link register, if it is another than ordinary calls' (struct arch's outline_link); else
     * REG_NONE.
     */
    uint8_t jump_reg;
    uint8_t target_mode; /* enum code_mode of the target: calls and jumps may change it */
    /* input of decode: the instruction before's next_context; 0 at a jump's target */
    uint8_t context;
    uint8_t next_context; /* decoding state for the next instruction (ITSTATE) */
    uint16_t pops;        /* FLOW_RETURN: bytes of arguments that the return pops: ret 4 */
    uint64_t target_vaddr;
    /* address of the data between code that is loaded; 0: none, or an OP_LITERAL has the address */
    uint64_t literal_vaddr;
    uint8_t literal_size; /* bytes at literal_vaddr */
    uint8_t op_count;
    struct op ops[INSN_OPS_MAX];
};

struct insn_set;
struct row;

/* A decoder of one instruction set; only one thread at a time may use it. */
struct decoder {
    const struct insn_set *set;
    uint32_t elf_flags; /* e_flags of the file with the code; 0: not known */
    uint32_t isa;       /* isa_attribute.read's result for the file; 0: not known */
    void *state;        /* owned by the decoder_kind */
};

#define INSN_TEXT_MAX 224

/* The disassembly of one instruction. */
struct insn_text {
    char text[INSN_TEXT_MAX]; /* "": the decoder knows no instruction there */
    bool by_mask; /* decoder_decode finds the effect without the disassembling library */
};

/*
 * A way to decode: with a library (capstone_decoder.h), which is loaded when the first decoder of
 * this kind is made, or with code of this program (riscv/insn.c).
 */
struct decoder_kind {
    /* Sets decoder->state for decoder->set. NO_MEMORY; UNSUPPORTED: `problem` says why. */
    enum status (*open)(struct decoder *decoder);
    void (*close)(struct decoder *decoder);
    /* Returns why the library could not be loaded; NULL: it could, was not needed, or none is. */
    const char *(*problem)(void);
    /* Does decoder_text's work for this kind; *out is zeroed before. */
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
    uint32_t (*read)(const char *text); /* the text as struct decoder's isa; 0: not known */
};

/* Decodes and recognises an instruction set; there is one constant for each set. */
struct insn_set {
    const struct arch *arch;
    enum code_mode mode;
    const struct decoder_kind *decoder;
    int decoder_arch, decoder_mode; /* the library's numbers of this set: cs_arch, cs_mode */
    const struct isa_attribute *isa_attribute; /* tells extensions; NULL: files have none */
    uint8_t alignment;                         /* of instructions' addresses, in bytes */
    /*
     * Decodes the instruction at `vaddr`, whose code is the first of `size` bytes. NOT_FOUND: no
     * instruction of this set begins there, or it is cut off; its effect and flow are unknown.
     */
    enum status (*decode)(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out);
    /*
     * Returns the mask of registers whose values the instruction uses, except to save them in the
     * frame, to compare them or to combine one with itself (xor eax, eax). Serves to tell the begin
     * of a function from code in its middle. Slower than decode.
     */
    uint64_t (*reads)(struct decoder *decoder, const uint8_t *bytes, uint64_t size, uint64_t vaddr);
    /*
     * Returns the target address of the direct jump at `bytes`; 0: there is none. A pattern match
     * on any bytes, to find jumps to a place: a result must be confirmed by decoding.
     */
    uint64_t (*jump_target)(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
    /*
     * Returns the target address of the direct call at `bytes`; 0: there is none. A pattern match
     * on any bytes: a result must be confirmed by decoding.
     */
    uint64_t (*call_target)(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
    /* the bytes that jumps of jump_target, calls of call_target can begin with; NULL: any */
    const char *jump_bytes, *call_bytes;
    /*
     * Says whether a call instruction ends at bytes[size]; `size` is at most 16. A pattern match:
     * may be true where none ends, but is not false where one does.
     */
    bool (*ends_with_call)(const uint8_t *bytes, uint64_t size);
    uint8_t call_alignment; /* bytes; CFAs, and SP at calls, are multiples; 0: not known */
    bool tells_anywhere;    /* decode sets insn.anywhere; else decoder_decode derives it */
    bool callee_pops;       /* functions may pop their arguments: ret 4 */
    /* Mask of registers without a defined value at a function's entry, except callee-saved ones. */
    uint64_t undefined_at_entry;
    /*
     * An instruction of `alignment` bytes that stops the program, with which some compilers fill
     * gaps between functions (others use nops). NULL: none is known.
     */
    const char *filler_trap;
    /*
     * Whether `bytes` begin as functions do and hardly anything else does (endbr64; push rbp; push
     * {.., lr}; stp x29, x30, ..).
     */
    bool (*strong_start)(const uint8_t *bytes, uint64_t size);
    /*
     * Returns the register to which the subroutine at `bytes` copies its return address, if it does
     * nothing else (__x86.get_pc_thunk.bx); else REG_NONE. NULL: the set has no such subroutines.
     */
    uint8_t (*pc_thunk)(const uint8_t *bytes, uint64_t size);
    /* Whether `bytes` begin with a call that is a trampoline (struct insn). NULL: none is. */
    bool (*is_trampoline)(const uint8_t *bytes, uint64_t size);
    /*
     * Whether `bytes` begin with a call of the next instruction that only sets LR, as the code goes
     * on behind it: so lld resolves a call of a weak function that is not there. A function that
     * does not return may be next, and called. What restores LR within 2 KiB, before anything that
     * begins a function, tells: this function goes on. NULL: the set has no such calls.
     */
    bool (*calls_nothing)(const uint8_t *bytes, uint64_t size);
    /*
     * If the subroutine at `bytes`, the target of `call`, jumps to an address from a table right
     * behind the call: turns `call` into a jump through that table. Else leaves `call` as it is.
     * NULL: the set has no such subroutines.
     */
    void (*table_call)(const uint8_t *bytes, uint64_t size, struct insn *call);
    /* Fills *out with the row of the signal trampoline at `bytes`. NOT_FOUND: there is none. */
    enum status (*sigreturn_row)(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                 struct row *out);
    /* A signal trampoline for which sigreturn_row has a row, that of rt_sigreturn. */
    const char *sigreturn_code;
    uint8_t sigreturn_size;
    /* At rt_sigreturn, by the kernel: (word at SP + off & mask) == value; mask 0: none is known. */
    struct {
        uint16_t off;
        uint32_t mask, value;
    } sigreturn_marks[2];
    /*
     * Mask of registers that no code changes after its thread's start (gp, tp): rt_sigreturn
     * restores the values that the thread has, which are not 0. 0: the marks are enough.
     */
    uint64_t sigreturn_kept;
    /*
     * Whether the instruction at `bytes` returns from an exception (mret). A pattern match on any
     * bytes. NULL: the set has no such instruction.
     */
    bool (*is_trap_return)(const uint8_t *bytes, uint64_t size);
    /*
     * Whether the instruction at `bytes` returns from an outlined part of a prologue (struct arch's
     * outline_link). NULL: there are no such parts.
     */
    bool (*is_outline_return)(const uint8_t *bytes, uint64_t size);
    /*
     * Returns the number of the system call with which `bytes` begin: a move of the number to its
     * register, then the call. 0: they begin otherwise. NULL: the patterns are not known.
     */
    unsigned (*system_call)(const uint8_t *bytes, uint64_t size);
    /*
     * Whether this code is of a kind whose only long-distance jump is the call, so that compilers
     * use calls as jumps inside functions (Thumb-1). NULL: the set has no such kind.
     */
    bool (*jumps_by_calls)(const uint8_t *bytes, uint64_t size);
    /* most bytes that code of jumps_by_calls' kind jumps without a call; 0: the set has none */
    uint16_t far_jump;
    /*
     * START_CODE_SIZE bytes of code that are typical of a process's first function (_start), for
     * instance because they zero FP and LR.
     */
    const char *start_code;
};

#define START_CODE_SIZE 8
#define NR_CLONE3       435u /* number of the system call clone3, on all architectures */

/* Returns the architecture's instruction set of this mode; NULL: it has none. */
const struct insn_set *insn_set_for(const struct arch *arch, enum code_mode mode);

/* Numbers of bytes of code that insn_ends_thread needs: before bytes[at]; from there on. */
#define THREAD_CODE_BEFORE 96
#define THREAD_CODE_BEHIND 8

/*
 * Whether the return address bytes[at] is in a thread's outermost function: the system call that
 * ends a thread (exit, not exit_group) is there, and the one that makes a thread is before it in
 * `bytes`, as in the C library's clone, which calls the thread's function in between.
 */
bool insn_ends_thread(const struct arch *arch, const uint8_t *bytes, uint64_t at, uint64_t size);

/*
 * Whether a system call that makes a thread is before bytes[at]: one of two instructions where
 * their patterns are known, else one with the number as a constant of 4 bytes in the 48 before it.
 */
bool insn_clones_before(const struct arch *arch, const uint8_t *bytes, uint64_t at);

/* Whether start_code is before bytes[at]. For code whose file, which has an entry, is absent. */
bool insn_is_behind_start(const struct arch *arch, const uint8_t *bytes, uint64_t at);

/*
 * Whether the code in `bytes` ends with the system call that makes a thread (clone, clone3): the
 * move of its number, then the call.
 */
bool insn_makes_thread(const struct arch *arch, const uint8_t *bytes, uint64_t size);

/* Most and least `size` of insn_behind_call, in bytes of code. */
#define BEHIND_CALL_MAX 12
#define BEHIND_CALL_MIN 4

/*
 * Returns how many bytes before bytes[size] a system call's instruction begins, if the code between
 * there and bytes[size] only tests the call's result, as glibc's clone does on x86-64 (or if there
 * is none). 0: `bytes` end otherwise.
 */
unsigned insn_behind_call(const struct arch *arch, const uint8_t *bytes, uint64_t size);

/* Sets first[b] to whether `bytes` (a set's jump_bytes or call_bytes) has byte b; NULL: to true. */
void insn_first_bytes(const char *bytes, bool first[256]);

/* Returns why a decoder's library could not be loaded (static storage); NULL: none has failed. */
const char *insn_problem(void);

/*
 * Makes a decoder of `set`; the caller calls decoder_destroy. NO_MEMORY; UNSUPPORTED: insn_problem
 * says why.
 */
MUST_CHECK enum status decoder_create(const struct insn_set *set, struct decoder **out);
void decoder_destroy(struct decoder *decoder);

/*
 * Decodes the instruction at `vaddr`, the first of `size` bytes. `context` is the next_context of
 * the instruction before, if control falls through from there, else 0. NOT_FOUND: no instruction of
 * the decoder's set begins there, or it is cut off.
 */
MUST_CHECK enum status decoder_decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                                      uint64_t vaddr, uint8_t context, struct insn *out);

/*
 * Fills *out with the disassembly of the instruction at `vaddr`; arguments as decoder_decode's. May
 * change the decoder's state: use another decoder than the analysis does. NOT_FOUND: decoder_decode
 * finds no instruction there; out->text may be filled all the same.
 */
MUST_CHECK enum status decoder_text(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                                    uint64_t vaddr, uint8_t context, struct insn_text *out);

#endif
