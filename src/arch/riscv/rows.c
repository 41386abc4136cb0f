/* SPDX-License-Identifier: MIT */
#include "arch/riscv/rows.h"

#include <stdbool.h>
#include <stddef.h>

/* Masks: a 32-bit instruction's fixed bits, besides its major opcode, which chooses the table. */
#define F3     0x0000707fu /* funct3 */
#define F7     0xfe00707fu /* funct7 and funct3 */
#define F6     0xfc00707fu /* the upper 6 bits: shifts of RV64 */
#define F7_2   0xfff0707fu /* and rs2 */
#define AMO    0xf800707fu /* aq and rl aside */
#define LR     0xf9f0707fu
#define RM     0xfe00007fu /* funct7: the rounding mode is any */
#define RM_2   0xfff0007fu
#define R4     0x0600007fu /* three sources: fmadd and its like */
#define OPCODE 0x0000007fu
#define ALL    0xffffffffu

/* One row a line. */
/* clang-format off */
#define ANY(mask, match, name, operands, kind, arg)                                                \
    {mask, match, name, operands, RISCV_##kind, arg, RISCV_BOTH}
#define R64(mask, match, name, operands, kind, arg)                                                \
    {mask, match, name, operands, RISCV_##kind, arg, RISCV_ONLY_64}
#define R32(mask, match, name, operands, kind, arg)                                                \
    {mask, match, name, operands, RISCV_##kind, arg, RISCV_ONLY_32}
#define CM(mask, match, name, operands, kind, arg)                                                 \
    {mask, match, name, operands, RISCV_##kind, arg, RISCV_ONLY_ZCMP}

static const struct riscv_row load[] = {
    R64(F3, 0x00003003, "ld", "d,i(s)", LOAD, 8),
    ANY(F3, 0x00002003, "lw", "d,i(s)", LOAD, 4),
    ANY(F3, 0x00004003, "lbu", "d,i(s)", LOAD, 1 | RISCV_UNSIGNED),
    ANY(F3, 0x00000003, "lb", "d,i(s)", LOAD, 1),
    ANY(F3, 0x00001003, "lh", "d,i(s)", LOAD, 2),
    ANY(F3, 0x00005003, "lhu", "d,i(s)", LOAD, 2 | RISCV_UNSIGNED),
    R64(F3, 0x00006003, "lwu", "d,i(s)", LOAD, 4 | RISCV_UNSIGNED),
};

static const struct riscv_row load_fp[] = {
    ANY(F3, 0x00003007, "fld", "D,i(s)", LOAD, 8),
    ANY(F3, 0x00002007, "flw", "D,i(s)", LOAD, 4),
    ANY(F3, 0x00001007, "flh", "D,i(s)", LOAD, 2),
    ANY(F3, 0x00004007, "flq", "D,i(s)", LOAD, 16),
    ANY(OPCODE, 0x00000007, "", "", OTHER, 0), /* of vectors */
};

static const struct riscv_row misc_mem[] = {
    ANY(ALL, 0x8330000f, "fence.tso", "", OTHER, 0),
    ANY(ALL, 0x0100000f, "pause", "", OTHER, 0),
    ANY(F3, 0x0000000f, "fence", "P,Q", OTHER, 0),
    ANY(F3, 0x0000100f, "fence.i", "", OTHER, 0),
};

static const struct riscv_row op_imm[] = {
    ANY(F3, 0x00000013, "addi", "d,s,i", ADDI, 0),
    ANY(F3, 0x00007013, "andi", "d,s,i", ANDI, 0),
    R64(F6, 0x00001013, "slli", "d,s,>", SLLI, 0),
    R64(F6, 0x00005013, "srli", "d,s,>", SRLI, 0),
    R64(F6, 0x40005013, "srai", "d,s,>", OTHER, 0),
    R32(F7, 0x00001013, "slli", "d,s,>", SLLI, 0),
    R32(F7, 0x00005013, "srli", "d,s,>", SRLI, 0),
    R32(F7, 0x40005013, "srai", "d,s,>", OTHER, 0),
    ANY(F3, 0x00003013, "sltiu", "d,s,i", OTHER, 0),
    ANY(F3, 0x00006013, "ori", "d,s,i", OTHER, 0),
    ANY(F3, 0x00004013, "xori", "d,s,i", OTHER, 0),
    ANY(F3, 0x00002013, "slti", "d,s,i", OTHER, 0),
    ANY(F7_2, 0x60001013, "clz", "d,s", OTHER, 0),
    ANY(F7_2, 0x60101013, "ctz", "d,s", OTHER, 0),
    ANY(F7_2, 0x60201013, "cpop", "d,s", OTHER, 0),
    ANY(F7_2, 0x60401013, "sext.b", "d,s", OTHER, 0),
    ANY(F7_2, 0x60501013, "sext.h", "d,s", OTHER, 0),
    ANY(F7_2, 0x28705013, "orc.b", "d,s", OTHER, 0),
    R64(F7_2, 0x6b805013, "rev8", "d,s", OTHER, 0),
    R32(F7_2, 0x69805013, "rev8", "d,s", OTHER, 0),
    ANY(F6, 0x48001013, "bclri", "d,s,>", OTHER, 0),
    ANY(F6, 0x48005013, "bexti", "d,s,>", OTHER, 0),
    ANY(F6, 0x68001013, "binvi", "d,s,>", OTHER, 0),
    ANY(F6, 0x28001013, "bseti", "d,s,>", OTHER, 0),
    ANY(F6, 0x60005013, "rori", "d,s,>", OTHER, 0),
};

static const struct riscv_row auipc[] = {ANY(OPCODE, 0x00000017, "auipc", "d,u", AUIPC, 0)};

static const struct riscv_row op_imm_32[] = {
    R64(F3, 0x0000001b, "addiw", "d,s,i", ADDIW, 0),
    R64(F7, 0x0000101b, "slliw", "d,s,>", OTHER, 0),
    R64(F7, 0x0000501b, "srliw", "d,s,>", OTHER, 0),
    R64(F7, 0x4000501b, "sraiw", "d,s,>", OTHER, 0),
    R64(F6, 0x0800101b, "slli.uw", "d,s,>", SLLI, RISCV_UNSIGNED),
    R64(F7_2, 0x6000101b, "clzw", "d,s", OTHER, 0),
    R64(F7_2, 0x6010101b, "ctzw", "d,s", OTHER, 0),
    R64(F7_2, 0x6020101b, "cpopw", "d,s", OTHER, 0),
    R64(F7, 0x6000501b, "roriw", "d,s,>", OTHER, 0),
};

static const struct riscv_row store[] = {
    R64(F3, 0x00003023, "sd", "t,q(s)", STORE, 8),
    ANY(F3, 0x00002023, "sw", "t,q(s)", STORE, 4),
    ANY(F3, 0x00000023, "sb", "t,q(s)", STORE, 1),
    ANY(F3, 0x00001023, "sh", "t,q(s)", STORE, 2),
};

static const struct riscv_row store_fp[] = {
    ANY(F3, 0x00003027, "fsd", "T,q(s)", STORE, 8),
    ANY(F3, 0x00002027, "fsw", "T,q(s)", STORE, 4),
    ANY(F3, 0x00001027, "fsh", "T,q(s)", STORE, 2),
    ANY(F3, 0x00004027, "fsq", "T,q(s)", STORE, 16),
    ANY(OPCODE, 0x00000027, "", "s", VECTOR_STORE, 0),
};

#define AMO_ROWS(row, width, suffix, size)                                                         \
    row(LR, 0x1000002f | width, "lr." suffix, "d,(s)", OTHER, 0),                                  \
        row(AMO, 0x1800002f | width, "sc." suffix, "d,t,(s)", ATOMIC, size),                       \
        row(AMO, 0x0800002f | width, "amoswap." suffix, "d,t,(s)", ATOMIC, size),                  \
        row(AMO, 0x0000002f | width, "amoadd." suffix, "d,t,(s)", ATOMIC, size),                   \
        row(AMO, 0x2000002f | width, "amoxor." suffix, "d,t,(s)", ATOMIC, size),                   \
        row(AMO, 0x6000002f | width, "amoand." suffix, "d,t,(s)", ATOMIC, size),                   \
        row(AMO, 0x4000002f | width, "amoor." suffix, "d,t,(s)", ATOMIC, size),                    \
        row(AMO, 0x8000002f | width, "amomin." suffix, "d,t,(s)", ATOMIC, size),                   \
        row(AMO, 0xa000002f | width, "amomax." suffix, "d,t,(s)", ATOMIC, size),                   \
        row(AMO, 0xc000002f | width, "amominu." suffix, "d,t,(s)", ATOMIC, size),                  \
        row(AMO, 0xe000002f | width, "amomaxu." suffix, "d,t,(s)", ATOMIC, size)

static const struct riscv_row amo[] = {
    AMO_ROWS(ANY, 0x2000, "w", 4),
    AMO_ROWS(R64, 0x3000, "d", 8),
};

static const struct riscv_row op[] = {
    ANY(F7, 0x00000033, "add", "d,s,t", ADD, 0),
    ANY(F7, 0x40000033, "sub", "d,s,t", SUB, 0),
    ANY(F7, 0x00007033, "and", "d,s,t", OTHER, 0),
    ANY(F7, 0x00006033, "or", "d,s,t", OTHER, 0),
    ANY(F7, 0x00004033, "xor", "d,s,t", OTHER, 0),
    ANY(F7, 0x00003033, "sltu", "d,s,t", OTHER, 0),
    ANY(F7, 0x00002033, "slt", "d,s,t", OTHER, 0),
    ANY(F7, 0x00001033, "sll", "d,s,t", OTHER, 0),
    ANY(F7, 0x00005033, "srl", "d,s,t", OTHER, 0),
    ANY(F7, 0x40005033, "sra", "d,s,t", OTHER, 0),
    ANY(F7, 0x02000033, "mul", "d,s,t", OTHER, 0),
    ANY(F7, 0x02001033, "mulh", "d,s,t", OTHER, 0),
    ANY(F7, 0x02002033, "mulhsu", "d,s,t", OTHER, 0),
    ANY(F7, 0x02003033, "mulhu", "d,s,t", OTHER, 0),
    ANY(F7, 0x02004033, "div", "d,s,t", OTHER, 0),
    ANY(F7, 0x02005033, "divu", "d,s,t", OTHER, 0),
    ANY(F7, 0x02006033, "rem", "d,s,t", OTHER, 0),
    ANY(F7, 0x02007033, "remu", "d,s,t", OTHER, 0),
    ANY(F7, 0x20002033, "sh1add", "d,s,t", SHADD, 1),
    ANY(F7, 0x20004033, "sh2add", "d,s,t", SHADD, 2),
    ANY(F7, 0x20006033, "sh3add", "d,s,t", SHADD, 3),
    ANY(F7, 0x40007033, "andn", "d,s,t", OTHER, 0),
    ANY(F7, 0x40006033, "orn", "d,s,t", OTHER, 0),
    ANY(F7, 0x40004033, "xnor", "d,s,t", OTHER, 0),
    ANY(F7, 0x0a004033, "min", "d,s,t", OTHER, 0),
    ANY(F7, 0x0a005033, "minu", "d,s,t", OTHER, 0),
    ANY(F7, 0x0a006033, "max", "d,s,t", OTHER, 0),
    ANY(F7, 0x0a007033, "maxu", "d,s,t", OTHER, 0),
    ANY(F7, 0x0a001033, "clmul", "d,s,t", OTHER, 0),
    ANY(F7, 0x0a002033, "clmulr", "d,s,t", OTHER, 0),
    ANY(F7, 0x0a003033, "clmulh", "d,s,t", OTHER, 0),
    ANY(F7, 0x60001033, "rol", "d,s,t", OTHER, 0),
    ANY(F7, 0x60005033, "ror", "d,s,t", OTHER, 0),
    ANY(F7, 0x48001033, "bclr", "d,s,t", OTHER, 0),
    ANY(F7, 0x48005033, "bext", "d,s,t", OTHER, 0),
    ANY(F7, 0x68001033, "binv", "d,s,t", OTHER, 0),
    ANY(F7, 0x28001033, "bset", "d,s,t", OTHER, 0),
    ANY(F7, 0x0e005033, "czero.eqz", "d,s,t", OTHER, 0),
    ANY(F7, 0x0e007033, "czero.nez", "d,s,t", OTHER, 0),
    R32(F7_2, 0x08004033, "zext.h", "d,s", OTHER, 0),
};

static const struct riscv_row lui[] = {ANY(OPCODE, 0x00000037, "lui", "d,u", LUI, 0)};

static const struct riscv_row op_32[] = {
    R64(F7, 0x0000003b, "addw", "d,s,t", OTHER, 0),
    R64(F7, 0x4000003b, "subw", "d,s,t", OTHER, 0),
    R64(F7, 0x0000103b, "sllw", "d,s,t", OTHER, 0),
    R64(F7, 0x0000503b, "srlw", "d,s,t", OTHER, 0),
    R64(F7, 0x4000503b, "sraw", "d,s,t", OTHER, 0),
    R64(F7, 0x0200003b, "mulw", "d,s,t", OTHER, 0),
    R64(F7, 0x0200403b, "divw", "d,s,t", OTHER, 0),
    R64(F7, 0x0200503b, "divuw", "d,s,t", OTHER, 0),
    R64(F7, 0x0200603b, "remw", "d,s,t", OTHER, 0),
    R64(F7, 0x0200703b, "remuw", "d,s,t", OTHER, 0),
    R64(F7, 0x0800003b, "add.uw", "d,s,t", SHADD, 0 | RISCV_UNSIGNED),
    R64(F7, 0x2000203b, "sh1add.uw", "d,s,t", SHADD, 1 | RISCV_UNSIGNED),
    R64(F7, 0x2000403b, "sh2add.uw", "d,s,t", SHADD, 2 | RISCV_UNSIGNED),
    R64(F7, 0x2000603b, "sh3add.uw", "d,s,t", SHADD, 3 | RISCV_UNSIGNED),
    R64(F7_2, 0x0800403b, "zext.h", "d,s", OTHER, 0),
    R64(F7, 0x6000103b, "rolw", "d,s,t", OTHER, 0),
    R64(F7, 0x6000503b, "rorw", "d,s,t", OTHER, 0),
};

#define FMA_ROWS(name, opcode)                                                                     \
    ANY(R4, 0x00000000 | opcode, name ".s", "D,S,T,Rm", OTHER, 0),                                 \
        ANY(R4, 0x02000000 | opcode, name ".d", "D,S,T,Rm", OTHER, 0),                             \
        ANY(R4, 0x04000000 | opcode, name ".h", "D,S,T,Rm", OTHER, 0),                             \
        ANY(R4, 0x06000000 | opcode, name ".q", "D,S,T,Rm", OTHER, 0)

static const struct riscv_row madd[] = {FMA_ROWS("fmadd", 0x43)};
static const struct riscv_row msub[] = {FMA_ROWS("fmsub", 0x47)};
static const struct riscv_row nmsub[] = {FMA_ROWS("fnmsub", 0x4b)};
static const struct riscv_row nmadd[] = {FMA_ROWS("fnmadd", 0x4f)};

#define FP_ROWS(format, f)                                                                         \
    ANY(RM, 0x00000053 | format << 25, "fadd." f, "D,S,Tm", OTHER, 0),                             \
        ANY(RM, 0x08000053 | format << 25, "fsub." f, "D,S,Tm", OTHER, 0),                         \
        ANY(RM, 0x10000053 | format << 25, "fmul." f, "D,S,Tm", OTHER, 0),                         \
        ANY(RM, 0x18000053 | format << 25, "fdiv." f, "D,S,Tm", OTHER, 0),                         \
        ANY(RM_2, 0x58000053 | format << 25, "fsqrt." f, "D,Sm", OTHER, 0),                        \
        ANY(F7, 0x20000053 | format << 25, "fsgnj." f, "D,S,T", OTHER, 0),                         \
        ANY(F7, 0x20001053 | format << 25, "fsgnjn." f, "D,S,T", OTHER, 0),                        \
        ANY(F7, 0x20002053 | format << 25, "fsgnjx." f, "D,S,T", OTHER, 0),                        \
        ANY(F7, 0x28000053 | format << 25, "fmin." f, "D,S,T", OTHER, 0),                          \
        ANY(F7, 0x28001053 | format << 25, "fmax." f, "D,S,T", OTHER, 0),                          \
        ANY(F7, 0xa0000053 | format << 25, "fle." f, "d,S,T", OTHER, 0),                           \
        ANY(F7, 0xa0001053 | format << 25, "flt." f, "d,S,T", OTHER, 0),                           \
        ANY(F7, 0xa0002053 | format << 25, "feq." f, "d,S,T", OTHER, 0),                           \
        ANY(F7_2, 0xe0001053 | format << 25, "fclass." f, "d,S", OTHER, 0),                        \
        ANY(RM_2, 0xc0000053 | format << 25, "fcvt.w." f, "d,Sm", OTHER, 0),                       \
        ANY(RM_2, 0xc0100053 | format << 25, "fcvt.wu." f, "d,Sm", OTHER, 0),                      \
        R64(RM_2, 0xc0200053 | format << 25, "fcvt.l." f, "d,Sm", OTHER, 0),                       \
        R64(RM_2, 0xc0300053 | format << 25, "fcvt.lu." f, "d,Sm", OTHER, 0),                      \
        R64(RM_2, 0xd0200053 | format << 25, "fcvt." f ".l", "D,sm", OTHER, 0),                    \
        R64(RM_2, 0xd0300053 | format << 25, "fcvt." f ".lu", "D,sm", OTHER, 0)

static const struct riscv_row op_fp[] = {
    FP_ROWS(1, "d"),
    FP_ROWS(0, "s"),
    FP_ROWS(2, "h"),
    FP_ROWS(3, "q"),
    R64(F7_2, 0xe2000053, "fmv.x.d", "d,S", OTHER, 0),
    R64(F7_2, 0xf2000053, "fmv.d.x", "D,s", OTHER, 0),
    ANY(F7_2, 0xe0000053, "fmv.x.w", "d,S", OTHER, 0),
    ANY(F7_2, 0xf0000053, "fmv.w.x", "D,s", OTHER, 0),
    ANY(F7_2, 0xe4000053, "fmv.x.h", "d,S", OTHER, 0),
    ANY(F7_2, 0xf4000053, "fmv.h.x", "D,s", OTHER, 0),
    ANY(RM_2, 0xd2000053, "fcvt.d.w", "D,sn", OTHER, 0),
    ANY(RM_2, 0xd2100053, "fcvt.d.wu", "D,sn", OTHER, 0),
    ANY(RM_2, 0xd0000053, "fcvt.s.w", "D,sm", OTHER, 0),
    ANY(RM_2, 0xd0100053, "fcvt.s.wu", "D,sm", OTHER, 0),
    ANY(RM_2, 0xd4000053, "fcvt.h.w", "D,sm", OTHER, 0),
    ANY(RM_2, 0xd4100053, "fcvt.h.wu", "D,sm", OTHER, 0),
    ANY(RM_2, 0xd6000053, "fcvt.q.w", "D,sn", OTHER, 0),
    ANY(RM_2, 0xd6100053, "fcvt.q.wu", "D,sn", OTHER, 0),
    ANY(RM_2, 0x42000053, "fcvt.d.s", "D,Sn", OTHER, 0),
    ANY(RM_2, 0x40100053, "fcvt.s.d", "D,Sm", OTHER, 0),
    ANY(RM_2, 0x44000053, "fcvt.h.s", "D,Sm", OTHER, 0),
    ANY(RM_2, 0x40200053, "fcvt.s.h", "D,Sn", OTHER, 0),
    ANY(RM_2, 0x44100053, "fcvt.h.d", "D,Sm", OTHER, 0),
    ANY(RM_2, 0x42200053, "fcvt.d.h", "D,Sn", OTHER, 0),
    ANY(RM_2, 0x46000053, "fcvt.q.s", "D,Sn", OTHER, 0),
    ANY(RM_2, 0x46100053, "fcvt.q.d", "D,Sn", OTHER, 0),
    ANY(RM_2, 0x40300053, "fcvt.s.q", "D,Sm", OTHER, 0),
    ANY(RM_2, 0x42300053, "fcvt.d.q", "D,Sm", OTHER, 0),
};

static const struct riscv_row op_v[] = {
    ANY(F3, 0x00007057, "vset", "d", OTHER, 0),     /* vsetvli, vsetivli, vsetvl */
    ANY(0xfc00707f, 0x40002057, "", "d", OTHER, 0), /* vmv.x.s, vcpop.m, vfirst.m */
    ANY(OPCODE, 0x00000057, "", "", OTHER, 0),
};

static const struct riscv_row branch[] = {
    ANY(F3, 0x00000063, "beq", "s,t,b", BEQ, 0),
    ANY(F3, 0x00001063, "bne", "s,t,b", BNE, 0),
    ANY(F3, 0x00004063, "blt", "s,t,b", BLT, 0),
    ANY(F3, 0x00005063, "bge", "s,t,b", BLT, 0),
    ANY(F3, 0x00006063, "bltu", "s,t,b", BLTU, 0),
    ANY(F3, 0x00007063, "bgeu", "s,t,b", BGEU, 0),
};

static const struct riscv_row jalr[] = {ANY(F3, 0x00000067, "jalr", "d,i(s)", JALR, 0)};
static const struct riscv_row jal[] = {ANY(OPCODE, 0x0000006f, "jal", "d,J", JAL, 0)};

static const struct riscv_row system[] = {
    ANY(ALL, 0x00000073, "ecall", "", ECALL, 0),
    ANY(ALL, 0x00100073, "ebreak", "", STOP, 0),
    ANY(ALL, 0x30200073, "mret", "", TRAP_RETURN, 0),
    ANY(ALL, 0x10200073, "sret", "", TRAP_RETURN, 0),
    ANY(ALL, 0x00200073, "uret", "", TRAP_RETURN, 0),
    ANY(ALL, 0x70200073, "mnret", "", TRAP_RETURN, 0),
    ANY(ALL, 0x7b200073, "dret", "", TRAP_RETURN, 0),
    ANY(ALL, 0x10500073, "wfi", "", OTHER, 0),
    ANY(0xfe007fff, 0x12000073, "sfence.vma", "s,t", OTHER, 0),
    ANY(F3, 0x00001073, "csrrw", "d,E,s", CSR_READ_WRITE, 0),
    ANY(F3, 0x00002073, "csrrs", "d,E,s", CSR_SET, 0),
    ANY(F3, 0x00003073, "csrrc", "d,E,s", CSR_SET, 0),
    ANY(F3, 0x00005073, "csrrwi", "d,E,e", OTHER, 0),
    ANY(F3, 0x00006073, "csrrsi", "d,E,e", OTHER, 0),
    ANY(F3, 0x00007073, "csrrci", "d,E,e", OTHER, 0),
};

/* Masks: the fixed bits of a 16-bit instruction besides its quadrant and funct3. */
#define C3  0xe003u
#define C4  0xf003u /* and bit 12 */
#define CR  0xf07fu /* and rs2 */
#define CA  0xfc63u
#define CB2 0xec03u
#define C6  0xfc03u

/* Quadrants 0, 1 and 2, by funct3. */
static const struct riscv_row c_addi4spn[] = {
    ANY(0xffff, 0x0000, "c.unimp", "", STOP, 0),
    ANY(0xffe3, 0x0000, NULL, "", OTHER, 0), /* reserved */
    ANY(C3, 0x0000, "c.addi4spn", "y,G,2", ADDI, 0),
};
static const struct riscv_row c_fld[] = {ANY(C3, 0x2000, "c.fld", "Y,4(v)", LOAD, 8)};
static const struct riscv_row c_lw[] = {ANY(C3, 0x4000, "c.lw", "y,3(v)", LOAD, 4)};
static const struct riscv_row c_ld[] = {
    R64(C3, 0x6000, "c.ld", "y,4(v)", LOAD, 8),
    R32(C3, 0x6000, "c.flw", "Y,3(v)", LOAD, 4),
};
static const struct riscv_row c_bytes[] = {
    ANY(C6, 0x8000, "c.lbu", "y,9(v)", LOAD, 1 | RISCV_UNSIGNED),
    ANY(0xfc43, 0x8400, "c.lhu", "y,h(v)", LOAD, 2 | RISCV_UNSIGNED),
    ANY(0xfc43, 0x8440, "c.lh", "y,h(v)", LOAD, 2),
    ANY(C6, 0x8800, "c.sb", "w,9(v)", STORE, 1),
    ANY(0xfc43, 0x8c00, "c.sh", "w,h(v)", STORE, 2),
};
static const struct riscv_row c_fsd[] = {ANY(C3, 0xa000, "c.fsd", "Y,4(v)", STORE, 8)};
static const struct riscv_row c_sw[] = {ANY(C3, 0xc000, "c.sw", "w,3(v)", STORE, 4)};
static const struct riscv_row c_sd[] = {
    R64(C3, 0xe000, "c.sd", "w,4(v)", STORE, 8),
    R32(C3, 0xe000, "c.fsw", "Y,3(v)", STORE, 4),
};

static const struct riscv_row c_addi[] = {
    ANY(0xffff, 0x0001, "c.nop", "", OTHER, 0),
    ANY(0xef83, 0x0001, "c.nop", "j", OTHER, 0),
    ANY(C3, 0x0001, "c.addi", "U,j", ADDI, 0),
};
static const struct riscv_row c_jal[] = {
    R64(0xef83, 0x2001, NULL, "", OTHER, 0), /* reserved: rd is zero */
    R64(C3, 0x2001, "c.addiw", "U,j", ADDIW, 0),
    R32(C3, 0x2001, "c.jal", "ZK", JAL, 0),
};
static const struct riscv_row c_li[] = {ANY(C3, 0x4001, "c.li", "zd,j", ADDI, 0)};
static const struct riscv_row c_lui[] = {
    ANY(0xffff, 0x6101, NULL, "", OTHER, 0), /* reserved: by 0 */
    ANY(0xef83, 0x6101, "c.addi16sp", "g,1", ADDI, 0),
    ANY(0xf07f, 0x6001, NULL, "", OTHER, 0), /* reserved: of 0 */
    ANY(C3, 0x6001, "c.lui", "d,k", LUI, 0),
};
static const struct riscv_row c_alu[] = {
    ANY(CB2, 0x8801, "c.andi", "x,j", ANDI, 0),
    R64(CB2, 0x8001, "c.srli", "x,<", SRLI, 0),
    R64(CB2, 0x8401, "c.srai", "x,<", OTHER, 0),
    R32(C6, 0x8001, "c.srli", "x,<", SRLI, 0),
    R32(C6, 0x8401, "c.srai", "x,<", OTHER, 0),
    ANY(CA, 0x8c01, "c.sub", "x,w", SUB, 0),
    ANY(CA, 0x8c21, "c.xor", "x,w", OTHER, 0),
    ANY(CA, 0x8c41, "c.or", "x,w", OTHER, 0),
    ANY(CA, 0x8c61, "c.and", "x,w", OTHER, 0),
    R64(CA, 0x9c01, "c.subw", "x,w", OTHER, 0),
    R64(CA, 0x9c21, "c.addw", "x,w", OTHER, 0),
    ANY(CA, 0x9c41, "c.mul", "x,w", OTHER, 0),
    ANY(0xfc7f, 0x9c61, "c.zext.b", "x", OTHER, 0),
    ANY(0xfc7f, 0x9c65, "c.sext.b", "x", OTHER, 0),
    ANY(0xfc7f, 0x9c69, "c.zext.h", "x", OTHER, 0),
    ANY(0xfc7f, 0x9c6d, "c.sext.h", "x", OTHER, 0),
    R64(0xfc7f, 0x9c71, "c.zext.w", "x", OTHER, 0),
    ANY(0xfc7f, 0x9c75, "c.not", "x", OTHER, 0),
};
static const struct riscv_row c_j[] = {ANY(C3, 0xa001, "c.j", "K", JAL, 0)};
static const struct riscv_row c_beqz[] = {ANY(C3, 0xc001, "c.beqz", "v,c", BEQ, 0)};
static const struct riscv_row c_bnez[] = {ANY(C3, 0xe001, "c.bnez", "v,c", BNE, 0)};

static const struct riscv_row c_slli[] = {
    R64(C3, 0x0002, "c.slli", "U,<", SLLI, 0),
    R32(C4, 0x0002, "c.slli", "U,<", SLLI, 0),
};
static const struct riscv_row c_fldsp[] = {ANY(C3, 0x2002, "c.fldsp", "D,6(G)", LOAD, 8)};
static const struct riscv_row c_lwsp[] = {
    ANY(0xef83, 0x4002, NULL, "", OTHER, 0), /* reserved: to zero */
    ANY(C3, 0x4002, "c.lwsp", "d,5(G)", LOAD, 4),
};
static const struct riscv_row c_ldsp[] = {
    R64(0xef83, 0x6002, NULL, "", OTHER, 0), /* reserved: to zero */
    R64(C3, 0x6002, "c.ldsp", "d,6(G)", LOAD, 8),
    R32(C3, 0x6002, "c.flwsp", "D,5(G)", LOAD, 4),
};
static const struct riscv_row c_jr[] = {
    ANY(0xffff, 0x8002, NULL, "", OTHER, 0), /* reserved: to zero */
    ANY(CR, 0x8002, "c.jr", "f", JALR, 0),
    ANY(C4, 0x8002, "c.mv", "zd,V", ADD, 0),
    ANY(0xffff, 0x9002, "c.ebreak", "", STOP, 0),
    ANY(CR, 0x9002, "c.jalr", "Zf", JALR, 0),
    ANY(C4, 0x9002, "c.add", "U,V", ADD, 0),
};
/* Lists of registers below 4 are reserved. */
#define PUSH_ROWS(match, name, operands, kind, arg)                                                \
    CM(0xffc3, match | 0x40, name, operands, kind, arg),                                           \
    CM(0xff83, match | 0x80, name, operands, kind, arg)

static const struct riscv_row c_fsdsp[] = {
    /* Zcmp and Zcmt have these in place of c.fsdsp. */
    PUSH_ROWS(0xb802, "cm.push", "r,a", PUSH, 0),
    PUSH_ROWS(0xba02, "cm.pop", "r,A", POP, 0),
    PUSH_ROWS(0xbc02, "cm.popretz", "r,A", POPRET, 1),
    PUSH_ROWS(0xbe02, "cm.popret", "r,A", POPRET, 0),
    CM(CA, 0xac22, "cm.mvsa01", "l,o", MVSA01, 0),
    CM(CA, 0xac62, "cm.mva01s", "l,o", MVA01S, 0),
    CM(C6, 0xa002, "cm.jt", "p", TABLE_JUMP, 0),
    ANY(C3, 0xa002, "c.fsdsp", "W,8(G)", STORE, 8),
};
static const struct riscv_row c_swsp[] = {ANY(C3, 0xc002, "c.swsp", "V,7(G)", STORE, 4)};
static const struct riscv_row c_sdsp[] = {
    R64(C3, 0xe002, "c.sdsp", "V,8(G)", STORE, 8),
    R32(C3, 0xe002, "c.fswsp", "W,7(G)", STORE, 4),
};
/* clang-format on */

struct group {
    const struct riscv_row *rows;
    size_t count;
};
#define GROUP(rows)                                                                                \
    {                                                                                              \
        rows, sizeof(rows) / sizeof((rows)[0])                                                     \
    }

/* By bits 6 to 2 of a 32-bit instruction ("RISC-V base opcode map"). */
static const struct group opcodes[32] = {
    [0x00] = GROUP(load),   [0x01] = GROUP(load_fp),  [0x03] = GROUP(misc_mem),
    [0x04] = GROUP(op_imm), [0x05] = GROUP(auipc),    [0x06] = GROUP(op_imm_32),
    [0x08] = GROUP(store),  [0x09] = GROUP(store_fp), [0x0b] = GROUP(amo),
    [0x0c] = GROUP(op),     [0x0d] = GROUP(lui),      [0x0e] = GROUP(op_32),
    [0x10] = GROUP(madd),   [0x11] = GROUP(msub),     [0x12] = GROUP(nmsub),
    [0x13] = GROUP(nmadd),  [0x14] = GROUP(op_fp),    [0x15] = GROUP(op_v),
    [0x18] = GROUP(branch), [0x19] = GROUP(jalr),     [0x1b] = GROUP(jal),
    [0x1c] = GROUP(system),
};

/* By quadrant and funct3 ("RVC opcode map"). */
static const struct group compressed[3][8] = {
    {GROUP(c_addi4spn), GROUP(c_fld), GROUP(c_lw), GROUP(c_ld), GROUP(c_bytes), GROUP(c_fsd),
     GROUP(c_sw), GROUP(c_sd)},
    {GROUP(c_addi), GROUP(c_jal), GROUP(c_li), GROUP(c_lui), GROUP(c_alu), GROUP(c_j),
     GROUP(c_beqz), GROUP(c_bnez)},
    {GROUP(c_slli), GROUP(c_fldsp), GROUP(c_lwsp), GROUP(c_ldsp), GROUP(c_jr), GROUP(c_fsdsp),
     GROUP(c_swsp), GROUP(c_sdsp)},
};

const struct riscv_row *riscv_row_of(uint32_t word, unsigned isa)
{
    const unsigned other = riscv_xlen(isa) == 32 ? RISCV_ONLY_64 : RISCV_ONLY_32;
    const bool zcmp = isa & RISCV_ZCMP;
    const struct group *group =
        (word & 3) == 3 ? &opcodes[word >> 2 & 31] : &compressed[word & 3][word >> 13 & 7];

    for (size_t i = 0; i < group->count; i++) {
        const struct riscv_row *row = &group->rows[i];

        if ((word & row->mask) == row->match && row->only != other &&
            (zcmp || row->only != RISCV_ONLY_ZCMP))
            return row->name ? row : NULL;
    }
    return NULL;
}
