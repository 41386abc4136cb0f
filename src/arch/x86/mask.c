/* SPDX-License-Identifier: MIT */
/*
 * Decodes instructions by mask, because Capstone does not know them, its versions name them
 * differently, or for speed: Capstone takes longer than all the rest of the analysis. One
 * instruction in five is a direct jump or call. Of those others that occur once only, so that
 * remembering decoded ones does not help, half move to or from memory, take an address, compare, or
 * are PLT stubs. Long nops are larger than what is remembered.
 */
#include <string.h>

#include "arch/x86/insn.h"
#include "arch/x86/ops.h"

static bool direct_jump(const struct x86_mode *mode, const uint8_t *b, uint64_t size,
                        struct insn *out)
{
    bool two = size > 1 && b[0] == 0x0f;
    bool condition = two ? (b[1] & 0xf0) == 0x80 : size > 1 && (b[0] & 0xf0) == 0x70;
    bool narrow = !two && (condition || b[0] == 0xeb);
    unsigned length = narrow ? 2 : two ? 6 : 5;
    int32_t distance;

    if ((!condition && !narrow && b[0] != 0xe8 && b[0] != 0xe9) || (two && !condition) ||
        size < length || x86_is_trampoline(mode, b, size))
        return false;
    distance = (int8_t)b[1];
    if (!narrow)
        memcpy(&distance, b + length - 4, sizeof(distance));
    out->size = (uint8_t)length;
    out->has_target = true;
    out->target_vaddr = out->vaddr + length + (uint64_t)(int64_t)distance;
    if (mode->word == 4)
        out->target_vaddr = (uint32_t)out->target_vaddr;
    out->far = !narrow && b[0] != 0xe8 && distance == (int8_t)distance;
    if (condition) {
        unsigned code = b[two ? 1 : 0] & 0xf;

        out->flow = FLOW_BRANCH;
        out->equal = code == 4 ? EQUAL_TAKEN : code == 5 ? EQUAL_FALLS : EQUAL_NEVER;
    } else {
        out->flow = b[0] == 0xe8 ? FLOW_CALL : FLOW_JUMP;
        if (b[0] == 0xe8)
            op_clobber(out, mode->call_clobbered);
    }
    return true;
}

/* The operands of a ModR/M byte, without an index register. */
struct operands {
    unsigned rex, at;  /* REX prefix, 0: none; index of the opcode */
    unsigned length;   /* bytes up to here */
    uint8_t reg, base; /* base REG_NONE: disp counts from the instruction's end */
    bool is_register;  /* the operand is the register `base` itself */
    bool is_sp;        /* [rsp] or [r12], without disp */
    int32_t disp;
};

static bool read_operands(const struct x86_mode *mode, const uint8_t *b, struct operands *out)
{
    const unsigned rex = mode->word == 8 && (b[0] & 0xf0) == 0x40 ? b[0] : 0, at = rex ? 1 : 0;
    const uint8_t modrm = b[at + 1], mod = modrm >> 6;
    const bool has_sib = mod != 3 && (modrm & 7) == 4, relative = mod == 0 && (modrm & 7) == 5;

    if (has_sib && (b[at + 2] != 0x24 || rex & REX_X))
        return false;
    *out = (struct operands){.rex = rex,
                             .at = at,
                             .length = at + 2 + has_sib,
                             .reg = mode->numbers[(modrm >> 3 & 7) | (rex & REX_R ? 8 : 0)],
                             .base = relative ? REG_NONE
                                              : mode->numbers[(modrm & 7) | (rex & REX_B ? 8 : 0)],
                             .is_register = mod == 3,
                             .is_sp = has_sib && mod == 0};
    if (mod == 1) {
        out->disp = (int8_t)b[out->length++];
    } else if (mod == 2 || relative) {
        memcpy(&out->disp, b + out->length, sizeof(out->disp));
        out->length += 4;
    }
    return true;
}

/* mov r, r */
static void move_register(struct insn *out, uint8_t dst, uint8_t src, bool full)
{
    if (!full)
        op_clobber(out, UINT64_C(1) << dst);
    else if (dst == src)
        out->padding = true;
    else
        op_add(out, dst, src, 0);
}

/* lea r, [base + disp] */
static void take_address(struct insn *out, const struct operands *o)
{
    if (!(o->rex & REX_W))
        op_clobber(out, UINT64_C(1) << o->reg);
    else if (o->base == REG_NONE)
        op_const(out, o->reg, out->vaddr + out->size + (uint64_t)(int64_t)o->disp);
    else if (o->base != o->reg || o->disp != 0)
        op_add(out, o->reg, o->base, o->disp);
    else
        out->padding = true;
}

/* mov and lea, with REX or without. */
static bool move(const struct x86_mode *mode, const uint8_t *b, uint64_t size, struct insn *out)
{
    struct operands o;
    unsigned width;
    bool full;
    uint8_t opcode;

    if (mode->word != 8 || size < INSN_SIZE_MAX)
        return false;
    opcode = b[(b[0] & 0xf0) == 0x40];
    if ((opcode < 0x88 || opcode > 0x8d || opcode == 0x8a || opcode == 0x8c) &&
        (opcode | 1) != 0xc7)
        return false;
    if (!read_operands(mode, b, &o) || (o.is_register && opcode != 0x89 && opcode != 0x8b) ||
        ((opcode | 1) == 0xc7 && (b[o.at + 1] & 0x38) != 0))
        return false;
    full = o.rex & REX_W;
    width = full ? 8 : 4;
    if (!(opcode & 1))
        width = 1;
    out->size = (uint8_t)(o.length + (opcode == 0xc6 ? 1 : opcode == 0xc7 ? 4 : 0));
    if (o.is_register)
        move_register(out, opcode == 0x8b ? o.reg : o.base, opcode == 0x8b ? o.base : o.reg, full);
    else if (opcode == 0x8d)
        take_address(out, &o);
    else if (opcode == 0x8b && full && o.base != REG_NONE)
        op_load(out, o.reg, o.base, o.disp);
    else if (opcode == 0x8b)
        op_clobber(out, UINT64_C(1) << o.reg);
    else if (o.base != REG_NONE)
        op_store(out, o.base, o.disp, opcode == 0x89 && full ? o.reg : REG_NONE, width);
    /* mov [rsp], r may be a part of a return, by the code behind it. */
    out->anywhere = o.base != REG_NONE && !(opcode == 0x89 && o.is_sp);
    return true;
}

/* cmp r, r/m, cmp r/m, r and test r/m, r: modelled for two whole registers only. */
static bool compare(const struct x86_mode *mode, const uint8_t *b, uint64_t size, struct insn *out)
{
    struct operands o;
    uint8_t opcode;

    if (mode->word != 8 || size < INSN_SIZE_MAX)
        return false;
    opcode = b[(b[0] & 0xf0) == 0x40];
    if (((opcode & 0xfc) != 0x38 && (opcode & 0xfe) != 0x84) || !read_operands(mode, b, &o))
        return false;
    out->size = (uint8_t)o.length;
    out->writes_flags = true;
    out->anywhere = o.base != REG_NONE;
    if (o.is_register && o.rex & REX_W && (opcode == 0x39 || opcode == 0x3b))
        op_registers(out, OP_COMPARE_REG, REG_NONE, opcode == 0x39 ? o.base : o.reg,
                     opcode == 0x39 ? o.reg : o.base, 0);
    return true;
}

/* jmp [rip + disp] and push imm: in a PLT hardly two have the same bytes. */
static bool plt_stub(const struct x86_mode *mode, const uint8_t *b, uint64_t size, struct insn *out)
{
    int32_t disp;

    if (size >= 5 && b[0] == 0x68) {
        struct op *op = insn_push_op(out, OP_CONST);

        memcpy(&disp, b + 1, sizeof(disp));
        op->dst = REG_TEMP;
        op->imm = disp;
        op_add(out, mode->numbers[X86_SP], mode->numbers[X86_SP], -(int64_t)mode->word);
        op_store(out, mode->numbers[X86_SP], 0, REG_TEMP, mode->word);
        out->size = 5;
        return true;
    }
    if (mode->word != 8 || size < 6 || b[0] != 0xff || b[1] != 0x25)
        return false;
    memcpy(&disp, b + 2, sizeof(disp));
    out->size = 6;
    out->flow = FLOW_INDIRECT;
    out->slot = SLOT_AT;
    out->target_vaddr = out->vaddr + 6 + (uint64_t)(int64_t)disp;
    return true;
}

/* nopw 0(%rax, %rax), with more operand size prefixes and CS: padding of assemblers. */
static bool long_nop(const uint8_t *b, uint64_t size, struct insn *out)
{
    static const uint8_t nop[] = {0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0};
    unsigned prefixes = 0;

    if (b[0] != 0x66 || size < INSN_SIZE_MAX)
        return false;
    while (prefixes < INSN_SIZE_MAX - sizeof(nop) - 1 && b[prefixes] == 0x66)
        prefixes++;
    if (b[prefixes] == 0x2e)
        prefixes++;
    if (memcmp(b + prefixes, nop, sizeof(nop)) != 0)
        return false;
    out->size = (uint8_t)(prefixes + sizeof(nop));
    out->padding = true;
    return true;
}

static bool decode_frequent(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                            struct insn *out)
{
    return size > 0 && (direct_jump(mode, bytes, size, out) || move(mode, bytes, size, out) ||
                        compare(mode, bytes, size, out) || plt_stub(mode, bytes, size, out) ||
                        long_nop(bytes, size, out));
}

/*
 * ud2 (0f 0b); ud1, ud0 (0f b9, 0f ff), which have operands: clang's traps are ud1l code(%eax),
 * %eax (67 0f b9 40 code).
 */
static bool decode_trap(const uint8_t *b, uint64_t size, struct insn *out)
{
    unsigned prefix = size > 2 && b[0] == 0x67, length;

    if (size < prefix + 2 || b[prefix] != 0x0f ||
        (b[prefix + 1] != 0x0b && b[prefix + 1] != 0xb9 && b[prefix + 1] != 0xff))
        return false;
    length = prefix + 2;
    if (b[prefix + 1] != 0x0b) {
        if (size < prefix + 3)
            return false;
        length += x86_modrm_size(b[prefix + 2], size > prefix + 3 ? b[prefix + 3] : 0);
    }
    if (length > size)
        return false;
    out->flow = FLOW_STOP;
    out->size = (uint8_t)length;
    return true;
}

static bool decode_return_to_register(const struct x86_mode *mode, const uint8_t *b, uint64_t size,
                                      struct insn *out)
{
    uint8_t reg;
    unsigned length = x86_return_to_register(mode, b, size, &reg);

    if (!length)
        return false;
    op_add(out, mode->numbers[X86_SP], mode->numbers[X86_SP], mode->word);
    out->flow = FLOW_INDIRECT;
    out->jump_reg = reg;
    out->size = (uint8_t)length;
    return true;
}

/*
 * Capstone 4.0.2 does not know rdsspq/rdsspd (f3 [48] 0f 1e /1), which writes its register, and
 * incsspq/incsspd (f3 [48] 0f ae /5), which writes none; endbr64 is f3 0f 1e fa. Capstone 4 and 5
 * name ud2, ud1, ud0 differently.
 */
bool x86_decode_by_mask(const struct x86_mode *mode, const uint8_t *b, uint64_t size,
                        struct insn *out)
{
    unsigned rex = mode->word == 8 && size > 1 && (b[1] & 0xf0) == 0x40;
    uint8_t modrm;

    if (decode_trap(b, size, out) || decode_return_to_register(mode, b, size, out) ||
        decode_frequent(mode, b, size, out))
        return true;
    if (size < 4 + rex || b[0] != 0xf3 || b[1 + rex] != 0x0f)
        return false;
    modrm = b[3 + rex];
    if (modrm < 0xc0)
        return false;
    if (b[2 + rex] == 0x1e && (modrm & 0x38) == 0x08)
        op_clobber(out, x86_bit(mode, (modrm & 7u) + (rex && b[1] & 1 ? 8 : 0)));
    else if (!(b[2 + rex] == 0xae && (modrm & 0x38) == 0x28))
        return false;
    out->size = (uint8_t)(4 + rex);
    return true;
}
