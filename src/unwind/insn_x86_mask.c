/*
 * Instructions decoded by mask, for speed: one in five is a direct jump or call, one in ten reads or takes an address relative to the
 * instruction pointer. Hardly two of them have the same bytes, and Capstone takes longer than all the rest of the analysis. Of the
 * others that are not alike, two in five move to or from memory at a register and a distance, or take its address.
 */
#include <string.h>

#include "unwind/insn_x86.h"
#include "unwind/insn_x86_ops.h"

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

/* mov r, [rip + disp] and lea r, [rip + disp], with REX or without. */
static bool relative_operand(const struct x86_mode *mode, const uint8_t *b, uint64_t size,
                             struct insn *out)
{
    unsigned rex = (b[0] & 0xf0) == 0x40 ? b[0] : 0, at = rex ? 1 : 0, reg;
    int32_t disp;

    if (mode->word != 8 || size < at + 6 || (b[at] != 0x8b && b[at] != 0x8d) ||
        (b[at + 1] & 0xc7) != 5)
        return false;
    reg = (b[at + 1] >> 3 & 7) | (rex & REX_R ? 8 : 0);
    memcpy(&disp, b + at + 2, sizeof(disp));
    out->size = (uint8_t)(at + 6);
    if (b[at] == 0x8d && (rex & REX_W))
        op_const(out, mode->numbers[reg], out->vaddr + out->size + (uint64_t)(int64_t)disp);
    else
        op_clobber(out, x86_bit(mode, reg));
    return true;
}

/* mov r, [base + disp], mov [base + disp], r and lea r, [base + disp], with REX or without. */
static bool based_operand(const struct x86_mode *mode, const uint8_t *b, uint64_t size,
                          struct insn *out)
{
    const unsigned rex = (b[0] & 0xf0) == 0x40 ? b[0] : 0, at = rex ? 1 : 0;
    const bool full = rex & REX_W;
    unsigned length = at + 2, mod;
    uint8_t modrm, reg, base;
    int32_t disp = 0;

    if (mode->word != 8 || size < INSN_SIZE_MAX ||
        (b[at] != 0x8b && b[at] != 0x89 && b[at] != 0x8d))
        return false;
    modrm = b[at + 1];
    mod = modrm >> 6;
    if (mod == 3 || (mod == 0 && (modrm & 7) == 5) ||
        ((modrm & 7) == 4 && (b[length++] != 0x24 || rex & REX_X)))
        return false; /* a register, relative to the instruction pointer, or indexed */
    if (mod == 1)
        disp = (int8_t)b[length];
    else if (mod == 2)
        memcpy(&disp, b + length, sizeof(disp));
    reg = mode->numbers[(modrm >> 3 & 7) | (rex & REX_R ? 8 : 0)];
    base = mode->numbers[(modrm & 7) | (rex & REX_B ? 8 : 0)];
    out->size = (uint8_t)(length + (mod == 1 ? 1 : mod == 2 ? 4 : 0));
    if (b[at] == 0x89)
        op_store(out, base, disp, full ? reg : REG_NONE, full ? 8 : 4);
    else if (!full)
        op_clobber(out, UINT64_C(1) << reg);
    else if (b[at] == 0x8b)
        op_load(out, reg, base, disp);
    else if (base != reg || disp != 0)
        op_add(out, reg, base, disp);
    else
        out->padding = true;
    /* mov [rsp], r is a part of a return where that follows. */
    out->anywhere = b[at] != 0x89 || mod != 0 || (modrm & 7) != 4;
    return true;
}

bool x86_decode_frequent(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                         struct insn *out)
{
    return size > 0 &&
           (direct_jump(mode, bytes, size, out) || relative_operand(mode, bytes, size, out) ||
            based_operand(mode, bytes, size, out));
}
