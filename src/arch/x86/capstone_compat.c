/* SPDX-License-Identifier: MIT */
#include "arch/x86/capstone_compat.h"

#include <string.h>

#include "arch/x86/ops.h"

struct prefixes {
    unsigned length;
    uint8_t rex;                   /* 0: none */
    bool operand, address, f2, f3; /* 66, 67 are the first */
    bool misplaced;                /* a REX that is not the last, and so none */
};

static bool is_legacy_prefix(uint8_t byte)
{
    return (byte & 0xe7) == 0x26 || (byte >= 0x64 && byte <= 0x67) || byte == 0xf0 ||
           byte == 0xf2 || byte == 0xf3;
}

static struct prefixes read_prefixes(const struct x86_mode *mode, const uint8_t *b, uint64_t size)
{
    struct prefixes out = {.length = 0};

    for (; out.length < size && out.length < INSN_SIZE_MAX; out.length++) {
        uint8_t byte = b[out.length];
        bool rex = mode->word == 8 && (byte & 0xf0) == 0x40;

        if (!rex && !is_legacy_prefix(byte))
            break;
        out.misplaced = out.misplaced || out.rex;
        out.rex = rex ? byte : 0;
        out.operand = out.operand || byte == 0x66;
        out.address = out.address || byte == 0x67;
        out.f2 = out.f2 || byte == 0xf2;
        out.f3 = out.f3 || byte == 0xf3;
    }
    return out;
}

/* Says whether 0f xx is undefined with the prefix. Capstone 4 ignores the prefix then. */
static bool takes_no_prefix(const struct prefixes *prefixes, uint8_t opcode)
{
    static const uint32_t with_66[8] = {[2] = 0x000c0000, [3] = 0x03800000, [6] = 0x00000008};
    static const uint32_t with_f2[8] = {0x00f80000, 0x0000c300, 0x08fd0000, 0xc3fecfff,
                                        0x00000000, 0x30000000, 0xffbe0078, 0x7ffeffbf};
    static const uint32_t with_f3[8] = {0x00b80000, 0x0000c300, 0x00f10000, 0x03fe4fff,
                                        0x00000000, 0x00000000, 0xffbe0078, 0x7ffeffbf};
    const uint32_t *set = prefixes->f3        ? with_f3
                          : prefixes->f2      ? with_f2
                          : prefixes->operand ? with_66
                                              : NULL;

    return set && (set[opcode >> 5] >> (opcode & 31) & 1);
}

/* Says whether 66 is combined with an unusual prefix: Capstone 4 ignores 66 then. */
static bool is_odd_combination(const struct prefixes *prefixes, uint8_t opcode)
{
    bool compare = (opcode & 0xf6) == 0xa6, moves = (opcode & 0xfc) == 0x6c ||
                                                    (opcode & 0xfe) == 0xa4 ||
                                                    (opcode >= 0xaa && opcode <= 0xad);
    bool string = compare || (moves && !prefixes->f2);

    return prefixes->operand && (prefixes->f2 || prefixes->f3) && !string && opcode != 0x0f &&
           opcode != 0x90 && opcode != 0xc3;
}

/* Ends the instruction behind the operand of a ModR/M byte at b[at], and `more` bytes. */
static enum compat with_operand(const uint8_t *b, uint64_t size, unsigned at, unsigned more,
                                struct insn *out)
{
    unsigned length = size > at ? at + x86_modrm_size(b[at], size > at + 1 ? b[at + 1] : 0) + more
                                : INSN_SIZE_MAX + 1;

    if (length > size || length > INSN_SIZE_MAX)
        return COMPAT_REFUSED;
    out->size = (uint8_t)length;
    return COMPAT_DECODED;
}

/* Says whether a vector instruction has two prefixes that select different instructions. */
static bool has_two_meanings(const struct prefixes *prefixes, uint8_t opcode)
{
    if (!prefixes->operand || !(prefixes->f2 || prefixes->f3))
        return false;
    return (opcode & 0xf8) == 0x10 || (opcode & 0xf8) == 0x28 ||
           (opcode >= 0x50 && opcode < 0x80) || (opcode >= 0xc2 && opcode <= 0xc6) ||
           opcode >= 0xd0;
}

static bool is_3dnow(uint8_t opcode)
{
    static const uint8_t opcodes[] = {0x0c, 0x0d, 0x1c, 0x1d, 0x8a, 0x8e, 0x90, 0x94,
                                      0x96, 0x97, 0x9a, 0x9e, 0xa0, 0xa4, 0xa6, 0xa7,
                                      0xaa, 0xae, 0xb0, 0xb4, 0xb6, 0xb7, 0xbb, 0xbf};

    for (unsigned i = 0; i < sizeof(opcodes); i++)
        if (opcode == opcodes[i])
            return true;
    return false;
}

/* 0f 38 xx and 0f 3a xx; `at` is where 38 or 3a is. */
static enum compat three_bytes(const struct prefixes *prefixes, const uint8_t *b, uint64_t size,
                               unsigned at, struct insn *out)
{
    bool repeat = prefixes->f2 || prefixes->f3, immediate = b[at] == 0x3a;
    uint8_t opcode = size > at + 2 ? b[at + 1] : 0;

    if (repeat && opcode < 0xf0)
        return COMPAT_REFUSED;
    if (prefixes->operand && (immediate ? (opcode & 0xfe) == 0xce : opcode == 0xcf)) /* GFNI */
        return with_operand(b, size, at + 2, immediate, out);
    if (immediate || (opcode != 0xf9 && opcode != 0xf5 && opcode != 0xf6))
        return COMPAT_NOT;
    if (opcode != 0xf6) /* movdiri, wruss */
        return COMPAT_REFUSED;
    if (repeat || prefixes->operand || b[at + 2] >= 0xc0)
        return COMPAT_NOT;
    return with_operand(b, size, at + 2, 0, out); /* wrss: to the shadow stack */
}

/* 0f ae with a prefix: umwait, ptwrite, of the shadow stack ... */
static enum compat state_group(const struct prefixes *prefixes, const uint8_t *b, uint64_t size,
                               unsigned at, struct insn *out)
{
    unsigned reg = b[at] >> 3 & 7;
    bool memory = b[at] < 0xc0;

    if (!memory && reg == 6 && (prefixes->operand || prefixes->f2 || prefixes->f3)) {
        out->writes_flags = true; /* tpause, umwait; umonitor does not */
        return with_operand(b, size, at, 0, out);
    }
    if (prefixes->f3 && (reg == 4 || (memory && reg == 6))) /* ptwrite; clrssbsy */
        return with_operand(b, size, at, 0, out);
    if (prefixes->f2 || (prefixes->f3 && (memory ? reg >= 4 : reg == 7)) ||
        (prefixes->operand && (memory ? reg == 4 || reg == 5 : reg == 5 || reg == 7)))
        return COMPAT_REFUSED;
    return COMPAT_NOT;
}

/* 0f c7 with a prefix: rdpid. */
static enum compat random_group(const struct x86_mode *mode, const struct prefixes *prefixes,
                                const uint8_t *b, uint64_t size, unsigned at, struct insn *out)
{
    unsigned reg = b[at] >> 3 & 7;
    bool memory = b[at] < 0xc0;

    if (prefixes->f3 && !memory && reg == 7) {
        op_clobber(out, x86_bit(mode, (b[at] & 7u) + (prefixes->rex & REX_B ? 8 : 0)));
        return with_operand(b, size, at, 0, out);
    }
    if (reg >= 6 && (prefixes->f2 || (prefixes->f3 && (!memory || reg == 7)) ||
                     (prefixes->operand && memory && reg == 7)))
        return COMPAT_REFUSED;
    return COMPAT_NOT;
}

/* 0f xx; `at` is where xx is. */
static enum compat two_bytes(const struct x86_mode *mode, const struct prefixes *prefixes,
                             const uint8_t *b, uint64_t size, unsigned at, struct insn *out)
{
    uint8_t next = size > at + 1 ? b[at + 1] : 0xff;
    bool memory = next < 0xc0;

    switch (b[at]) {
    case 0x01:
        switch (next) {
        case 0xc0: /* enclv, clzero: very rare */
        case 0xfc:
            return COMPAT_REFUSED;
        case 0xc5: /* pconfig */
            op_clobber(out, x86_bit(mode, X86_AX));
            return with_operand(b, size, at + 1, 0, out);
        case 0xfa: /* monitorx, mwaitx */
        case 0xfb:
            return with_operand(b, size, at + 1, 0, out);
        }
        /* rstorssp, saveprevssp, setssbsy; rdpkru with a prefix */
        if (prefixes->f3 ? !memory || (next >> 3 & 7) == 5 : (next & 0xfe) == 0xee)
            return COMPAT_REFUSED;
        return COMPAT_NOT;
    case 0x0d: /* prefetch */
        return memory ? with_operand(b, size, at + 1, 0, out) : COMPAT_NOT;
    case 0x0f: /* 3DNow!: the opcode is behind the operands */
        return with_operand(b, size, at + 1, 1, out) == COMPAT_DECODED && is_3dnow(b[out->size - 1])
                   ? COMPAT_DECODED
                   : COMPAT_REFUSED;
    case 0x1a: /* without effect: bounds, which no kernel enables any more */
    case 0x1b:
    case 0x1c:
    case 0x1d:
    case 0x1f:
        out->padding = true;
        return with_operand(b, size, at + 1, 0, out);
    case 0x12: /* movhlps, movlhps */
    case 0x16:
        if (!memory && prefixes->operand)
            return COMPAT_REFUSED;
        break;
    case 0xae:
        return size > at + 1 ? state_group(prefixes, b, size, at + 1, out) : COMPAT_NOT;
    case 0xc7:
        return size > at + 1 ? random_group(mode, prefixes, b, size, at + 1, out) : COMPAT_NOT;
    case 0x38:
    case 0x3a:
        return three_bytes(prefixes, b, size, at, out);
    case 0xb9: /* ud1, ud0 */
    case 0xff:
        out->flow = FLOW_STOP;
        return with_operand(b, size, at + 1, 0, out);
    }
    if (takes_no_prefix(prefixes, b[at]) || has_two_meanings(prefixes, b[at]))
        return COMPAT_REFUSED;
    return COMPAT_NOT;
}

/* The second encodings of fcom, fcomp, fxch and fstp. */
static bool is_float_alias(uint8_t opcode, uint8_t modrm)
{
    switch (opcode) {
    case 0xdc:
        return modrm >= 0xd0 && modrm <= 0xdf;
    case 0xdd:
        return modrm >= 0xc8 && modrm <= 0xcf;
    case 0xde:
        return modrm >= 0xd0 && modrm <= 0xd7;
    case 0xdf:
        return modrm >= 0xc8 && modrm <= 0xdf;
    }
    return false;
}

/* A far call or jump, through memory that also has the segment. */
static enum compat far_transfer(const struct x86_mode *mode, const uint8_t *b, uint64_t size,
                                unsigned at, struct insn *out)
{
    if (b[at] >> 3 & 4)
        out->flow = FLOW_INDIRECT;
    else
        out->flow = FLOW_CALL;
    if (out->flow == FLOW_CALL)
        op_clobber(out, mode->call_clobbered);
    return with_operand(b, size, at, 0, out);
}

/* call, jmp with a prefix; 66 66 48 e8 is how __tls_get_addr is called. */
static enum compat direct_transfer(const struct x86_mode *mode, const struct prefixes *prefixes,
                                   const uint8_t *b, uint64_t size, unsigned at, struct insn *out)
{
    bool wide = prefixes->rex & REX_W;
    int32_t distance;

    /* With 66 alone it has 16 bits on some processors. */
    if ((prefixes->operand && !wide) || (prefixes->address && prefixes->rex))
        return COMPAT_REFUSED;
    if (!prefixes->operand || size < at + 5)
        return COMPAT_NOT;
    memcpy(&distance, b + at + 1, sizeof(distance));
    out->size = (uint8_t)(at + 5);
    out->has_target = true;
    out->target_vaddr = out->vaddr + out->size + (uint64_t)(int64_t)distance;
    out->flow = b[at] == 0xe8 ? FLOW_CALL : FLOW_JUMP;
    if (b[at] == 0xe8)
        op_clobber(out, mode->call_clobbered);
    return COMPAT_DECODED;
}

static enum compat one_byte(const struct x86_mode *mode, const struct prefixes *prefixes,
                            const uint8_t *b, uint64_t size, unsigned at, struct insn *out)
{
    uint8_t opcode = b[at], next = size > at + 1 ? b[at + 1] : 0;
    bool wide = prefixes->rex & REX_W, long_mode = mode->word == 8;

    switch (opcode) {
    case 0x63: /* movsxd r32, r/m32 */
        if (!long_mode || wide)
            return COMPAT_NOT;
        op_clobber(out, x86_bit(mode, (next >> 3 & 7u) + (prefixes->rex & REX_R ? 8 : 0)));
        return with_operand(b, size, at + 1, 0, out);
    case 0x62: /* EVEX, VEX: only an address size prefix may precede */
    case 0xc4:
    case 0xc5:
        return (long_mode || next >= 0xc0) &&
                       (prefixes->operand || prefixes->f2 || prefixes->f3 || prefixes->rex)
                   ? COMPAT_REFUSED
                   : COMPAT_NOT;
    case 0x8c: /* mov of segment registers, of which there are eight */
    case 0x8e:
        return prefixes->rex & REX_R ? COMPAT_REFUSED : COMPAT_NOT;
    case 0x90: /* pause */
        if (!prefixes->f3)
            return prefixes->operand && prefixes->rex & REX_B ? COMPAT_REFUSED : COMPAT_NOT;
        out->size = (uint8_t)(at + 1);
        return COMPAT_DECODED;
    case 0xc2: /* ret n */
        if (!prefixes->rex || size < at + 3)
            return COMPAT_NOT;
        out->flow = FLOW_RETURN;
        out->pops = (uint16_t)(next | b[at + 2] << 8);
        out->size = (uint8_t)(at + 3);
        return COMPAT_DECODED;
    case 0xe8:
    case 0xe9:
        return direct_transfer(mode, prefixes, b, size, at, out);
    case 0xff:
        return next < 0xc0 && ((next >> 3 & 7) == 3 || (next >> 3 & 7) == 5)
                   ? far_transfer(mode, b, size, at + 1, out)
                   : COMPAT_NOT;
    }
    if (!is_float_alias(opcode, next))
        return COMPAT_NOT;
    out->size = (uint8_t)(at + 2);
    return COMPAT_DECODED;
}

static enum compat decode(const struct x86_mode *mode, const uint8_t *b, uint64_t size,
                          struct insn *out)
{
    struct prefixes prefixes = read_prefixes(mode, b, size);
    unsigned at = prefixes.length;

    if (at >= size || at >= INSN_SIZE_MAX)
        return COMPAT_NOT;
    if (prefixes.misplaced || is_odd_combination(&prefixes, b[at]))
        return COMPAT_REFUSED;
    if (b[at] != 0x0f)
        return one_byte(mode, &prefixes, b, size, at, out);
    if (size < at + 2)
        return COMPAT_NOT;
    if ((b[at + 1] & 0xf0) == 0x80 && prefixes.operand && !(prefixes.rex & REX_W))
        return COMPAT_REFUSED; /* 16 bits on some processors */
    return two_bytes(mode, &prefixes, b, size, at + 1, out);
}

enum compat x86_decode_compat(const struct x86_mode *mode, const uint8_t *b, uint64_t size,
                              struct insn *out)
{
    enum compat compat = decode(mode, b, size, out);

    if (compat == COMPAT_DECODED) {
        out->anywhere = !out->has_target; /* its target is its only address */
    } else {                              /* it may be cut; clears what has been filled in */
        out->flow = FLOW_NEXT;
        out->padding = out->writes_flags = false;
        out->op_count = 0;
    }
    return compat;
}
