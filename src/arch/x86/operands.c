/* SPDX-License-Identifier: MIT */
#include "arch/x86/operands.h"

/* By Capstone's id: the encoding's number and the size in bytes; 0: no general register. */
static const struct {
    uint8_t encoding, size;
} registers[X86_REG_ENDING] = {
    [X86_REG_RAX] = {0, 8},   [X86_REG_EAX] = {0, 4},   [X86_REG_AX] = {0, 2},
    [X86_REG_AL] = {0, 1},    [X86_REG_AH] = {0, 1},    [X86_REG_RCX] = {1, 8},
    [X86_REG_ECX] = {1, 4},   [X86_REG_CX] = {1, 2},    [X86_REG_CL] = {1, 1},
    [X86_REG_CH] = {1, 1},    [X86_REG_RDX] = {2, 8},   [X86_REG_EDX] = {2, 4},
    [X86_REG_DX] = {2, 2},    [X86_REG_DL] = {2, 1},    [X86_REG_DH] = {2, 1},
    [X86_REG_RBX] = {3, 8},   [X86_REG_EBX] = {3, 4},   [X86_REG_BX] = {3, 2},
    [X86_REG_BL] = {3, 1},    [X86_REG_BH] = {3, 1},    [X86_REG_RSP] = {4, 8},
    [X86_REG_ESP] = {4, 4},   [X86_REG_SP] = {4, 2},    [X86_REG_SPL] = {4, 1},
    [X86_REG_RBP] = {5, 8},   [X86_REG_EBP] = {5, 4},   [X86_REG_BP] = {5, 2},
    [X86_REG_BPL] = {5, 1},   [X86_REG_RSI] = {6, 8},   [X86_REG_ESI] = {6, 4},
    [X86_REG_SI] = {6, 2},    [X86_REG_SIL] = {6, 1},   [X86_REG_RDI] = {7, 8},
    [X86_REG_EDI] = {7, 4},   [X86_REG_DI] = {7, 2},    [X86_REG_DIL] = {7, 1},
    [X86_REG_R8] = {8, 8},    [X86_REG_R8D] = {8, 4},   [X86_REG_R8W] = {8, 2},
    [X86_REG_R8B] = {8, 1},   [X86_REG_R9] = {9, 8},    [X86_REG_R9D] = {9, 4},
    [X86_REG_R9W] = {9, 2},   [X86_REG_R9B] = {9, 1},   [X86_REG_R10] = {10, 8},
    [X86_REG_R10D] = {10, 4}, [X86_REG_R10W] = {10, 2}, [X86_REG_R10B] = {10, 1},
    [X86_REG_R11] = {11, 8},  [X86_REG_R11D] = {11, 4}, [X86_REG_R11W] = {11, 2},
    [X86_REG_R11B] = {11, 1}, [X86_REG_R12] = {12, 8},  [X86_REG_R12D] = {12, 4},
    [X86_REG_R12W] = {12, 2}, [X86_REG_R12B] = {12, 1}, [X86_REG_R13] = {13, 8},
    [X86_REG_R13D] = {13, 4}, [X86_REG_R13W] = {13, 2}, [X86_REG_R13B] = {13, 1},
    [X86_REG_R14] = {14, 8},  [X86_REG_R14D] = {14, 4}, [X86_REG_R14W] = {14, 2},
    [X86_REG_R14B] = {14, 1}, [X86_REG_R15] = {15, 8},  [X86_REG_R15D] = {15, 4},
    [X86_REG_R15W] = {15, 2}, [X86_REG_R15B] = {15, 1},
};

struct x86_register x86_register(const struct x86_mode *mode, unsigned reg)
{
    if (reg >= X86_REG_ENDING || registers[reg].size == 0)
        return (struct x86_register){REG_NONE, 0};
    return (struct x86_register){mode->numbers[registers[reg].encoding], registers[reg].size};
}

uint8_t x86_full_register(const struct x86_mode *mode, const cs_x86_op *operand)
{
    struct x86_register reg;

    if (operand->type != X86_OP_REG)
        return REG_NONE;
    reg = x86_register(mode, operand->reg);
    return reg.size == mode->word ? reg.number : REG_NONE;
}

static bool no_register(unsigned reg)
{
    return reg == X86_REG_INVALID || reg == X86_REG_EIZ || reg == X86_REG_RIZ;
}

/* Sets *out to the register of an address; false: a part of a register. */
static bool address_register(const struct x86_mode *mode, unsigned reg, uint8_t *out)
{
    struct x86_register found = x86_register(mode, reg);

    *out = found.number;
    return no_register(reg) || found.size == mode->word;
}

bool x86_address(const struct x86_mode *mode, const cs_insn *insn, const cs_x86_op *operand,
                 struct x86_address *out)
{
    const x86_op_mem *mem = &operand->mem;
    unsigned base = mem->base;

    if (operand->type != X86_OP_MEM || mem->segment == X86_REG_FS || mem->segment == X86_REG_GS ||
        insn->detail->x86.addr_size != mode->word)
        return false;
    out->disp = mem->disp;
    if (base == X86_REG_RIP) {
        out->disp = (int64_t)((uint64_t)mem->disp + insn->address + insn->size);
        base = X86_REG_INVALID;
    }
    if (!address_register(mode, base, &out->base) ||
        !address_register(mode, mem->index, &out->index))
        return false;
    out->shift = (uint8_t)(mem->scale == 8 ? 3 : mem->scale == 4 ? 2 : mem->scale == 2 ? 1 : 0);
    if (out->base == REG_NONE && out->shift == 0) {
        out->base = out->index;
        out->index = REG_NONE;
    }
    return true;
}

bool x86_simple_address(const struct x86_mode *mode, const cs_insn *insn, const cs_x86_op *operand,
                        struct x86_address *out)
{
    return x86_address(mode, insn, operand, out) && out->base != REG_NONE && out->index == REG_NONE;
}
