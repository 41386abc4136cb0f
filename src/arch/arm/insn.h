/* SPDX-License-Identifier: MIT */
/* Code shared by the decoders of A32 and T32. Private to arch/arm. */
#ifndef ARCH_ARM_INSN_H
#define ARCH_ARM_INSN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "arch/analysis/capstone_decoder.h"
#include "arch/analysis/ops.h"

enum { ARM_R0 = 0, ARM_IP = 12, ARM_SP = 13, ARM_LR = 14, ARM_PC = 15, ARM_CPSR = 16 };

#define ARM_BIT(reg) (UINT64_C(1) << (reg))

#define ARM_WORD 4

#define ARM_EPILOGUE_WITHIN 2048 /* bytes behind a call of nothing; bounds its cost */
/* The lowest condition code that means "always"; 15 does, too. */
#define ARM_CONDITION_ALWAYS 14

/* Mask of the registers that change in a call: the callee's (AAPCS32, 6.1.1), and LR. */
#define ARM_CALL_CLOBBERED (0xfu | 1u << ARM_IP | 1u << ARM_LR)

static inline uint16_t arm_read16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t arm_read32(const uint8_t *bytes)
{
    return arm_read16(bytes) | (uint32_t)arm_read16(bytes + 2) << 16;
}

/* Returns base + offset, wrapped to 32 bits. */
static inline uint64_t arm_address(uint64_t base, int64_t offset)
{
    return (uint32_t)(base + (uint64_t)offset);
}

void arm_op_add(struct insn *insn, uint8_t dst, uint8_t src, int64_t imm);
void arm_op_add_reg(struct insn *insn, uint8_t dst, uint8_t src, uint8_t src2, unsigned shift);
void arm_op_const(struct insn *insn, uint8_t dst, uint64_t value);
/* Appends a store of `src` (REG_NONE: of an unknown value), `size` bytes at base + offset. */
void arm_op_store(struct insn *insn, uint8_t base, int64_t offset, uint8_t src, unsigned size);
void arm_op_clobber(struct insn *insn, uint64_t mask);

/* Makes `out` a direct jump to target_vaddr, taken under `condition` (the ISA's condition code). */
void arm_jump(struct insn *out, unsigned condition, uint64_t target_vaddr, enum code_mode mode);
void arm_call(struct insn *out, uint64_t target_vaddr, enum code_mode mode);
/* Sets the flow of bx or mov pc: FLOW_RETURN if `reg` is LR, else FLOW_INDIRECT. */
void arm_jump_register(struct insn *out, uint8_t reg);
void arm_call_register(struct insn *out);

/* An instruction that Capstone has decoded. */
struct arm_decoded {
    unsigned id;
    const cs_arm *arm;
    uint64_t pc; /* the value of PC that the instruction reads: its address + 8, T32: + 4 */
    bool t32;    /* false: A32 */
};

/*
 * Return the number (0 to 15) of the core register that is Capstone's `reg`, or operand `index` of
 * the instruction; REG_NONE: it is no core register.
 */
uint8_t arm_core_register(unsigned reg);
uint8_t arm_operand_register(const struct arm_decoded *in, unsigned index);
/* Sets *shift to the constant of the operand's left shift (0: not shifted). False: other shifts. */
bool arm_plain_shift(const cs_arm_op *operand, unsigned *shift);

/*
 * Direction of ldm and stm: the addresses go up or down from the base; ..._AFTER: the base is the
 * first address, ..._BEFORE: the first address is one word further.
 */
enum arm_direction { ARM_UP_AFTER, ARM_UP_BEFORE, ARM_DOWN_AFTER, ARM_DOWN_BEFORE };

/*
 * Append the effect of a load or store of `count` registers of `size` bytes each. False: not
 * modelled; some operations may have been appended.
 */
bool arm_load(const struct arm_decoded *in, unsigned count, unsigned size, bool is_signed,
              struct insn *out);
bool arm_store(const struct arm_decoded *in, unsigned count, unsigned size, struct insn *out);
/*
 * Append the effect of a load or store multiple. `on_stack`: it is push or pop, whose base SP is no
 * operand. False: not modelled; some operations may have been appended.
 */
bool arm_load_multiple(const struct arm_decoded *in, bool on_stack, enum arm_direction direction,
                       struct insn *out);
bool arm_store_multiple(const struct arm_decoded *in, bool on_stack, enum arm_direction direction,
                        struct insn *out);

/*
 * Fills `out` with the effect of the instruction that Capstone has decoded, except direct branches.
 * `pc`: the value of PC that the instruction reads. Where an effect is not modelled, operations
 * that make registers and memory unknown are appended instead.
 */
void arm_effect(const struct decoder *decoder, uint64_t pc, struct insn *out);

/*
 * Returns the mask of registers that the instruction in capstone_insn reads, except to save them in
 * the frame, to compare them or to make 0 of them.
 */
uint64_t arm_reads(const struct decoder *decoder);

/*
 * Disassembles an instruction of `size` bytes at `vaddr` with Capstone; the result is in
 * capstone_insn. False: the bytes are no instruction that Capstone knows.
 */
bool arm_disassemble(const struct decoder *decoder, const uint8_t *bytes, unsigned size,
                     uint64_t vaddr);

/*
 * Fills *out with the row of the signal trampoline that makes the system call `number`, sigreturn
 * or rt_sigreturn, over [vaddr, vaddr + size). Frame layout: the kernel's arch/arm/kernel/signal.c.
 * NOT_FOUND: another system call.
 */
enum status arm_sigreturn_row(unsigned number, uint64_t vaddr, unsigned size, struct row *out);

extern const struct insn_set insn_set_a32, insn_set_t32;

#endif
