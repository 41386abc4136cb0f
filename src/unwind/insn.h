/*
 * The architecture-neutral effect of one machine instruction on what prologue analysis follows: where control
 * goes, and what becomes of registers and of the frame's memory.
 *
 * One file insn_<arch>.c per instruction set fills a struct insn; prologue.c knows no architecture. What is not
 * modelled must be said as OP_CLOBBER: an answer may be unknown, never wrong.
 *
 * Each instruction becomes a short list of operations, executed in order:
 *
 *     push rbx              OP_ADD rsp = rsp - 8;  OP_STORE [rsp + 0] = rbx
 *     leave                 OP_ADD rsp = rbp + 0;  OP_LOAD rbp = [rsp + 0];  OP_ADD rsp = rsp + 8
 *     lea r10, [rsp + 8]    OP_ADD r10 = rsp + 8
 *     and rsp, -16          OP_ALIGN rsp
 *     call f                FLOW_CALL to f; OP_CLOBBER of what the ABI lets a callee change
 */
#ifndef UNWIND_INSN_H
#define UNWIND_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arch.h"
#include "base/status.h"

enum op_kind {
    OP_CONST,   /* dst = imm */
    OP_ADD,     /* dst = src + imm */
    OP_ADD_REG, /* dst = src + src2 */
    OP_SUB_REG, /* dst = src - src2 */
    OP_ALIGN,   /* dst = dst rounded down by an unknown amount: still a frame address */
    OP_LOAD,    /* dst = word at src + imm */
    OP_STORE,   /* word at dst + imm = src (REG_NONE: unknown, size bytes) */
    OP_CLOBBER, /* every register in mask becomes unknown */
};

struct op {
    uint8_t kind;
    uint8_t dst, src, src2;
    uint16_t size; /* OP_STORE: bytes written */
    int64_t imm;
    uint64_t mask; /* OP_CLOBBER */
};

enum flow {
    FLOW_NEXT,     /* to the next instruction */
    FLOW_JUMP,     /* to target */
    FLOW_BRANCH,   /* to target or to the next */
    FLOW_CALL,     /* calls target (or an unknown one), then the next */
    FLOW_RETURN,   /* to the caller */
    FLOW_INDIRECT, /* a jump to a computed place: jump table or tail call */
    FLOW_STOP,     /* nowhere: a trap */
};

#define INSN_OPS_MAX 20

struct insn {
    uint64_t vaddr;
    uint8_t size;
    uint8_t flow; /* enum flow */
    bool has_target;
    bool padding; /* does nothing and stands between functions: nop, int3 */
    uint64_t target_vaddr;
    uint8_t op_count;
    struct op ops[INSN_OPS_MAX];
};

struct decoder;
struct row;

/* How one instruction set is decoded; one static instance an insn_<arch>.c. */
struct insn_set {
    enum arch_id arch;
    int capstone_arch, capstone_mode; /* cs_arch, cs_mode */
    /*
     * Decodes the instruction at `vaddr` from `bytes`. NOT_FOUND: no instruction of this set begins there (or it is cut).
     * The instruction is then one that everything is unknown after.
     */
    enum status (*decode)(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out);
    /*
     * Where the jump that may begin at `bytes` leads, 0: none does. A pattern match over any bytes, for finding who jumps to
     * a place: what it says must be confirmed by decoding.
     */
    uint64_t (*jump_target)(const uint8_t *bytes, uint64_t size, uint64_t vaddr);
    uint8_t alignment; /* of instructions, in bytes */
    /*
     * Does a call instruction end at the end of these bytes (up to 16 before a return address)? A pattern match: false
     * positives are possible, false negatives are not.
     */
    bool (*ends_with_call)(const uint8_t *bytes, uint64_t size);
    /*
     * The row of a signal trampoline (sigreturn) that begins at `bytes`. NOT_FOUND: it is none.
     */
    enum status (*sigreturn_row)(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                 struct row *out);
};

/* NULL when the architecture has none yet. */
const struct insn_set *insn_set_for(const struct arch *arch);

/* A Capstone handle and its one reused instruction, made for the set's architecture. */
MUST_CHECK enum status decoder_create(const struct insn_set *set, struct decoder **out);
void decoder_destroy(struct decoder *decoder);

MUST_CHECK enum status decoder_decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                                      uint64_t vaddr, struct insn *out);

#endif
