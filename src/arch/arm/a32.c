/* SPDX-License-Identifier: MIT */
/* A32: instructions of four bytes. Nearly all may be conditional. */
#include "arch/arm/insn.h"
#include "arch/arm/vfp.h"
#include "base/bits.h"

#define NOP     0xe320f000u
#define MOV_NOP 0xe1a00000u /* mov r0, r0 */

#define MOV_IP_SP 0xe1a0c00du
#define MOV_LR_PC 0xe1a0e00fu

static uint64_t branch_target(uint32_t word, uint64_t vaddr)
{
    return arm_address(vaddr + 8, bits_signed(word << 2 & 0x03ffffff, 26));
}

/* Decodes bx, blx, bxj through a register; svc, bkpt, hlt, udf. */
static bool exchange_or_exception(uint32_t word, uint64_t vaddr, struct insn *out)
{
    uint8_t reg = word & 0xf;

    switch (word & 0x0ffffff0) {
    case 0x012fff10: /* bx */
        if (reg == ARM_PC)
            arm_jump(out, word >> 28, arm_address(vaddr, 8), CODE_DEFAULT);
        else
            arm_jump_register(out, reg);
        return true;
    case 0x012fff20: /* bxj */
        arm_jump_register(out, reg);
        return true;
    case 0x012fff30: /* blx */
        arm_call_register(out);
        return true;
    }
    if ((word & 0x0f000000) == 0x0f000000) { /* svc: the kernel's result */
        arm_op_clobber(out, 1u << ARM_R0);
        return true;
    }
    if ((word & 0xfff000f0) == 0xe7f000f0 || (word & 0x0ff000f0) == 0x01200070 ||
        (word & 0x0ff000f0) == 0x01000070) {
        out->flow = FLOW_STOP;
        return true;
    }
    return false;
}

/* Decodes everything that jumps, and instructions without effect. */
static bool decode_by_mask(uint32_t word, uint64_t vaddr, struct insn *out)
{
    unsigned condition = word >> 28;

    if (word == NOP || word == MOV_NOP || word == 0) {
        out->padding = true;
        out->predicate = 0;
        return true;
    }
    if ((word & 0xfe000000) == 0xfa000000) { /* blx */
        arm_call(out, arm_address(branch_target(word, vaddr), word >> 23 & 2), CODE_T32);
        return true;
    }
    if (condition == 0xf)
        return false;
    if ((word & 0x0f000000) == 0x0a000000) {
        arm_jump(out, condition, branch_target(word, vaddr), CODE_DEFAULT);
        return true;
    }
    if ((word & 0x0f000000) == 0x0b000000) {
        arm_call(out, branch_target(word, vaddr), CODE_DEFAULT);
        return true;
    }
    /* The other hints: yield, wfe, csdb ... */
    return (word & 0x0fffff00) == 0x0320f000 || exchange_or_exception(word, vaddr, out);
}

/*
 * Decodes what Capstone 4 does not know: swp, which ARMv8 has removed; SIMD arithmetic and
 * barriers, which write no core register.
 */
static bool decode_unknown(uint32_t word, struct insn *out)
{
    if (word >> 28 != 0xf) {
        uint8_t base = word >> 16 & 0xf, rt = word >> 12 & 0xf;

        if ((word & 0x0fb00ff0) != 0x01000090 || rt == ARM_PC || base == ARM_PC)
            return false;
        arm_op_store(out, base, 0, REG_NONE, word >> 22 & 1 ? 1 : ARM_WORD);
        arm_op_clobber(out, ARM_BIT(rt));
        return true;
    }
    return (word & 0xfe000000) == 0xf2000000 || (word & 0xffffff00) == 0xf57ff000 ||
           (word & 0xfffffdff) == 0xf1100000;
}

/*
 * Says whether bits that must be zero are set, and only one of Capstone 4 and 5 takes the word for
 * an instruction: mvn with a first operand, setpan; mrs of another mode's register to PC.
 */
static bool is_undefined(uint32_t word)
{
    return ((word & 0x0fe00000) == 0x01e00000 && word >> 28 != 0xf && (word & 0x90) != 0x90 &&
            (word & 0x000f0000) != 0) ||
           ((word & 0xfff00000) == 0xf1100000 && (word & 0xfffffdff) != 0xf1100000) ||
           (word & 0x0fb0feff) == 0x0100f200;
}

/* Decodes mrs, msr of another mode's register; Capstone 4 and 5 know different ones. */
static bool decode_banked(uint32_t word, struct insn *out)
{
    uint8_t rd = word >> 12 & 0xf;

    if (word >> 28 == 0xf)
        return false;
    if ((word & 0x0fb00eff) == 0x01000200 && rd != ARM_PC) {
        arm_op_clobber(out, ARM_BIT(rd));
        return true;
    }
    return (word & 0x0fb0fef0) == 0x0120f200;
}

/* Decodes ldr rt, [sp], #-4, which Capstone 5 takes for pop. */
static bool decode_load_downwards(uint32_t word, struct insn *out)
{
    uint8_t rt = word >> 12 & 0xf;
    struct op *op;

    if (word >> 28 == 0xf || (word & 0x0fff0fff) != 0x041d0004 || rt == ARM_SP)
        return false;
    if (rt == ARM_PC) {
        out->flow = FLOW_RETURN;
    } else {
        op = insn_push_op(out, OP_LOAD);
        op->dst = rt;
        op->src = ARM_SP;
    }
    arm_op_add(out, ARM_SP, ARM_SP, -ARM_WORD);
    return true;
}

static bool is_vector_memory(uint32_t word)
{
    return (word & 0xff100000) == 0xf4000000;
}

/*
 * Says whether the bytes are rather T32's: an instruction of 16 bits, then push.w {r4-r8, .., lr},
 * which look like an A32 push. A compiler's A32 push has the last ones of r0-r3 and the first ones
 * of r4-r10; other lists are taken for T32.
 */
static bool is_push_of_t32(const uint8_t *bytes, uint64_t size)
{
    const uint32_t list = arm_read32(bytes);
    const uint32_t arguments = ~list & 0xf, kept = list >> 4 & 0x7f;

    return size >= 2 * ARM_WORD && (arm_read32(bytes + ARM_WORD) & 0xe1f0) == 0x41f0 &&
           ((arguments & (arguments + 1)) != 0 || (kept & (kept + 1)) != 0);
}

static bool strong_start(const uint8_t *bytes, uint64_t size)
{
    uint32_t word = size >= ARM_WORD ? arm_read32(bytes) : 0;

    if (word == MOV_IP_SP) { /* push {.., fp, ip, lr, pc} */
        word = size >= 2 * ARM_WORD ? arm_read32(bytes + ARM_WORD) : 0;
        return (word & 0xfffff800) == 0xe92dd800;
    }
    if ((word & 0xffffc000) == 0xe92d4000) /* push {.., lr} */
        return !is_push_of_t32(bytes, size);
    return (word & 0xfffff000) == 0xe52de000; /* str lr, [sp, #-n]! */
}

/* pop or ldmdb fp with lr or pc; ldr of them from [sp, #n] or [sp], #n */
static bool restores_link(uint32_t word)
{
    word &= 0x0fffffff;
    return ((word & 0x0fff0000) == 0x08bd0000 && word & 0xc000) ||
           ((word & 0x0fdf0000) == 0x091b0000 && word & 0xc000) ||
           (word & 0x0fffefff) == 0x049de004 || (word & 0x0fffe000) == 0x059de000;
}

/* The first of what begins a function, and what restores LR, tells. */
static bool calls_nothing(const uint8_t *bytes, uint64_t size)
{
    uint32_t word = size >= ARM_WORD ? arm_read32(bytes) : 0;

    if ((word & 0x0fffffff) != 0x0bffffff || word >> 28 == 0xf)
        return false;
    for (uint64_t at = ARM_WORD; at + ARM_WORD <= size && at < ARM_EPILOGUE_WITHIN;
         at += ARM_WORD) {
        if (strong_start(bytes + at, size - at))
            return false;
        if (restores_link(arm_read32(bytes + at)))
            return true;
    }
    return false;
}

static enum status decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out)
{
    uint32_t word;

    if (size < ARM_WORD)
        return STATUS_NOT_FOUND;
    word = arm_read32(bytes);
    out->size = ARM_WORD;
    if (word >> 28 < ARM_CONDITION_ALWAYS)
        out->predicate = (uint8_t)((word >> 28) + 1);
    if (decode_by_mask(word, vaddr, out) || decode_banked(word, out) ||
        decode_load_downwards(word, out))
        return STATUS_OK;
    if (arm_is_coprocessor(word)) {
        if (!arm_is_coprocessor_defined(word))
            return STATUS_NOT_FOUND;
        arm_coprocessor(word, out->vaddr + 8, out);
        return STATUS_OK;
    }
    if (is_undefined(word))
        return STATUS_NOT_FOUND;
    if (!arm_disassemble(decoder, bytes, ARM_WORD, vaddr))
        return decode_unknown(word, out) ? STATUS_OK : STATUS_NOT_FOUND;
    if (is_vector_memory(word))
        arm_vector_memory(word, out);
    else
        arm_effect(decoder, arm_address(vaddr, 8), out);
    return STATUS_OK;
}

static uint64_t reads(struct decoder *decoder, const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    if (size < ARM_WORD)
        return 0;
    if (arm_is_coprocessor(arm_read32(bytes)))
        return arm_coprocessor_reads(arm_read32(bytes));
    return arm_disassemble(decoder, bytes, ARM_WORD, vaddr) ? arm_reads(decoder) : 0;
}

static uint64_t jump_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    uint32_t word = size >= ARM_WORD ? arm_read32(bytes) : 0;

    if ((word & 0x0f000000) != 0x0a000000 || word >> 28 == 0xf)
        return 0;
    return branch_target(word, vaddr);
}

/* bl; blx leads to T32 code. */
static uint64_t call_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    uint32_t word = size >= ARM_WORD ? arm_read32(bytes) : 0;

    if ((word & 0x0f000000) != 0x0b000000 || word >> 28 == 0xf || calls_nothing(bytes, size))
        return 0;
    return branch_target(word, vaddr);
}

static bool is_call(uint32_t word)
{
    return (word & 0x0f000000) == 0x0b000000 || (word & 0xfe000000) == 0xfa000000 ||
           (word & 0x0ffffff0) == 0x012fff30;
}

/* bl, blx; or mov lr, pc before a jump, as ARMv4 calls. */
static bool ends_with_call(const uint8_t *bytes, uint64_t size)
{
    return size >= ARM_WORD &&
           (is_call(arm_read32(bytes + size - ARM_WORD)) ||
            (size >= 2 * ARM_WORD && arm_read32(bytes + size - 2 * ARM_WORD) == MOV_LR_PC));
}

/* Returns the number of mov r7, #number; svc. 0: other code. */
static unsigned system_call(const uint8_t *bytes, uint64_t size)
{
    uint32_t move = size >= 2 * ARM_WORD ? arm_read32(bytes) : 0;

    if ((move & 0xffffff00) != 0xe3a07000 || (arm_read32(bytes + ARM_WORD) >> 24) != 0xef)
        return 0;
    return move & 0xff;
}

static enum status sigreturn_row(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                 struct row *out)
{
    return arm_sigreturn_row(system_call(bytes, size), vaddr, 2 * ARM_WORD, out);
}

const struct insn_set insn_set_a32 = {.arch = &arch_arm,
                                      .mode = CODE_DEFAULT,
                                      .decoder = &capstone_decoder,
                                      .decoder_arch = CS_ARCH_ARM,
                                      .decoder_mode = CS_MODE_ARM + CS_MODE_V8,
                                      .alignment = ARM_WORD,
                                      .decode = decode,
                                      .reads = reads,
                                      .jump_target = jump_target,
                                      .call_target = call_target,
                                      .ends_with_call = ends_with_call,
                                      .strong_start = strong_start,
                                      .calls_nothing = calls_nothing,
                                      .sigreturn_row = sigreturn_row,
                                      .sigreturn_code = "\xad\x70\xa0\xe3\0\0\0\xef",
                                      .sigreturn_size = 8,
                                      /* VFP's magic number and size */
                                      .sigreturn_marks = {{360, UINT32_MAX, 0x56465001},
                                                          {364, UINT32_MAX, 0x120}},
                                      .system_call = system_call,
                                      /* mov fp, #0; mov lr, #0 */
                                      .start_code = "\x00\xb0\xa0\xe3\x00\xe0\xa0\xe3"};
