/* SPDX-License-Identifier: MIT */
#include "boards/gdb/board.h"

#include <string.h>

#include "base/clock.h"
#include "boards/gdb/memory.h"
#include "boards/gdb/registers.h"

#define SECOND_NS UINT64_C(1000000000)

#define VTOR_ADDR  UINT64_C(0xe000ed08)
#define SHCSR_ADDR UINT64_C(0xe000ed24)
/* From SHCSR on: SHCSR, CFSR, HFSR, DFSR, MMFAR, BFAR. */
#define FAULT_WORDS 6u

/* xPSR: the number of the exception whose handler runs (IPSR). */
#define IPSR_MASK        0x1ffu
#define CPSR             16u
#define MSP              17u
#define PSP              18u
#define FAULT_FIRST      2u /* NMI, HardFault, MemManage, BusFault, UsageFault, SecureFault */
#define FAULT_LAST       7u
#define CONTROL_SPSEL    2u
#define PRIMASK_NUMBER   16u
#define BASEPRI_NUMBER   17u
#define FAULTMASK_NUMBER 19u
#define CONTROL_NUMBER   20u

#define MSTATUS_NUMBER 0x300u
#define MEPC_NUMBER    0x341u
#define MCAUSE_NUMBER  0x342u
#define MTVAL_NUMBER   0x343u
#define MSTATUS_MIE    8u

static bool has(const struct gdb_registers *regs, unsigned reg)
{
    return regs->known >> reg & 1;
}

static void set(struct gdb_registers *regs, unsigned reg, uint64_t value)
{
    regs->values[reg] = value;
    regs->known |= UINT64_C(1) << reg;
}

bool gdb_board_look(struct gdb_state *st)
{
    struct snap_board now = st->board;
    uint32_t vtor, head[2];

    st->board_ns = clock_now_ns();
    if (!gdb_is_m_profile(st) || !gdb_memory_read_system(st, VTOR_ADDR, &vtor, 1) ||
        gdb_memory_read(st, vtor, head, sizeof(head)) != sizeof(head))
        return false;
    now.vectors_addr = vtor;
    now.initial_sp = head[0];
    now.reset_addr = head[1];
    if (now.vectors_addr == st->board.vectors_addr && now.initial_sp == st->board.initial_sp &&
        now.reset_addr == st->board.reset_addr)
        return false;
    now.time_ns = st->board_ns;
    st->board = now;
    return true;
}

void gdb_board_check(struct gdb_state *st, const struct gdb_registers *regs)
{
    const uint64_t pc = regs->values[st->arch->pc];

    const bool is_empty = regs->values[st->arch->sp] == st->board.initial_sp;

    if (!gdb_is_m_profile(st) || (!is_empty && clock_now_ns() - st->board_ns < SECOND_NS))
        return;
    if (!gdb_board_look(st) && is_empty && pc == (st->board.reset_addr & ~UINT64_C(1)))
        st->board.time_ns = st->board_ns; /* reset, to the same vector table */
}

bool gdb_board_in_handler(const struct gdb_state *st, const struct gdb_registers *regs)
{
    return gdb_is_m_profile(st) && has(regs, CPSR) && (regs->values[CPSR] & IPSR_MASK);
}

/* Completes ARM's MSP and PSP. In a handler SP is MSP, and the interrupted thread may use PSP. */
static void complete_m(struct gdb_state *st, struct gdb_registers *regs)
{
    const uint64_t sp = regs->values[st->arch->sp];
    uint64_t value;

    if (gdb_board_in_handler(st, regs)) {
        set(regs, MSP, sp);
        if (!has(regs, PSP) && gdb_registers_read_one(st, &st->layout.psp, &value))
            set(regs, PSP, value);
        return;
    }
    /* A thread's SP is one of the two; no frame of its stack needs the other. */
    if (has(regs, MSP) || has(regs, PSP) || !has(regs, CPSR) ||
        !gdb_registers_read_one(st, &st->layout.control, &value))
        return;
    if (st->layout.control.size == 1)
        value &= 0xff;
    set(regs, value & CONTROL_SPSEL ? PSP : MSP, sp);
}

/* Completes the arch's last registers, which only boards have. */
static void complete_riscv(struct gdb_state *st, struct gdb_registers *regs)
{
    uint64_t value;

    for (unsigned i = st->arch->reg_count; i < st->arch->all_regs; i++)
        if (!has(regs, i) && gdb_registers_read_one(st, &st->layout.regs[i], &value))
            set(regs, i, value);
}

void gdb_board_complete(struct gdb_state *st, struct gdb_registers *regs)
{
    if (gdb_is_m_profile(st))
        complete_m(st, regs);
    else if (st->layout.mstatus.is_there)
        complete_riscv(st, regs);
}

static void add_one(struct gdb_state *st, const struct gdb_place *place, uint32_t number,
                    struct snap_system *out, uint32_t *count)
{
    uint64_t value;

    if (gdb_registers_read_one(st, place, &value))
        out[(*count)++] = (struct snap_system){.number = number, .value = value};
}

static uint32_t system_of_m(struct gdb_state *st, const struct gdb_registers *regs,
                            struct snap_system *out)
{
    const uint64_t exception = regs->values[CPSR] & IPSR_MASK;
    uint32_t words[FAULT_WORDS], count = 0;

    if (!gdb_board_in_handler(st, regs) || exception < FAULT_FIRST || exception > FAULT_LAST)
        return 0;
    if (gdb_memory_read_system(st, SHCSR_ADDR, words, FAULT_WORDS))
        for (; count < FAULT_WORDS; count++)
            out[count] = (struct snap_system){.number = (uint32_t)SHCSR_ADDR + 4 * count,
                                              .value = words[count]};
    add_one(st, &st->layout.primask, PRIMASK_NUMBER, out, &count);
    add_one(st, &st->layout.basepri, BASEPRI_NUMBER, out, &count);
    add_one(st, &st->layout.faultmask, FAULTMASK_NUMBER, out, &count);
    add_one(st, &st->layout.control, CONTROL_NUMBER, out, &count);
    return count;
}

/* While interrupts are on no handler runs, except one that lets others in. */
static uint32_t system_of_riscv(struct gdb_state *st, struct snap_system *out)
{
    uint32_t count = 0;

    add_one(st, &st->layout.mstatus, MSTATUS_NUMBER, out, &count);
    if (!count || (out[0].value & MSTATUS_MIE))
        return 0;
    add_one(st, &st->layout.mepc, MEPC_NUMBER, out, &count);
    add_one(st, &st->layout.mcause, MCAUSE_NUMBER, out, &count);
    add_one(st, &st->layout.mtval, MTVAL_NUMBER, out, &count);
    return count;
}

uint32_t gdb_board_system(struct gdb_state *st, const struct gdb_registers *regs,
                          struct snap_system *out)
{
    if (gdb_is_m_profile(st))
        return system_of_m(st, regs, out);
    return st->layout.mstatus.is_there ? system_of_riscv(st, out) : 0;
}
