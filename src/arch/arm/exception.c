/* SPDX-License-Identifier: MIT */
/*
 * Exceptions of ARM's M-profile, ARMv6-M to v8.1-M. Sources: ARMv7-M Architecture Reference Manual
 * B1.5.6 to B1.5.8 (entry and return), ARMv8-M B3.18 to B3.22 (stack frames, EXC_RETURN, integrity
 * signature).
 *
 * The processor pushes, on the stack that was in use (so that a handler may be a C function),
 *
 *        │ what was in use         │ ◄── SP of what was interrupted; 4 lower if xPSR bit 9 is set,
 *        ├─────────────────────────┤     which tells of a word that aligns the frame
 *   0x68 │ (S16 to S31)            │     only if the FPU's registers are secure: FPCCR.TS
 *   0x20 │ (S0 to S15, FPSCR, 0)   │     if EXC_RETURN.FType is 0; the room is there also while
 *        ├─────────────────────────┤     the registers are not written yet (lazy stacking)
 *   0x1c │ xPSR                    │
 *   0x18 │ return address          │
 *   0x14 │ LR                      │
 *   0x10 │ R12                     │
 *   0x00 │ R0, R1, R2, R3          │ ◄── frame
 *        ├─────────────────────────┤
 *  -0x20 │ (R4 to R11)             │     only of secure code, for a handler that is not, or was not
 *  -0x28 │ (signature, reserved)   │     at first (EXC_RETURN.DCRS is 0)
 *        └─────────────────────────┘
 *
 * and sets LR to EXC_RETURN, which tells what is where:
 *
 *    31     24 23                7   6   5     4      3     2    1  0
 *    │  0xff  │        ones       │ S │DCRS│FType│Mode│SPSEL│ 0 │ES│
 *
 * Before v8-M, S, DCRS and ES are ones.
 */
#include "arch/arm/exception.h"

#define BIT(n) (UINT64_C(1) << (n))

enum { R4 = 4, R11 = 11, R12 = 12, SP = 13, LR = 14, PC = 15, XPSR = 16, MSP = 17, PSP = 18 };

#define RETURN_ONES  UINT64_C(0xffffff80)
#define RETURN_S     0x40u
#define RETURN_DCRS  0x20u
#define RETURN_FTYPE 0x10u
#define RETURN_MODE  0x08u
#define RETURN_SPSEL 0x04u
#define RETURN_ZERO  0x02u
#define RETURN_ES    0x01u

/* LR's value when secure code calls code that is not; bit 0 has no meaning. */
#define FUNCTION_RETURN UINT64_C(0xfefffffe)

#define XPSR_NUMBER   0x1ffu
#define XPSR_ALIGNED  0x200u
#define XPSR_T        0x01000000u
#define XPSR_RESERVED 0x00c00000u /* must be 0 in a saved xPSR; bit 20 is SFPA, bit 21 B */
#define NUMBER_MAX    (16 + 480)

#define FRAME_SIZE      0x20u
#define FPU_SIZE        0x48u
#define FPU_TS_SIZE     0x40u
#define CALLEE_SIZE     0x28u
#define FPU_CALLEE_SIZE 0x40u
#define CALLEE_WORDS    0x20u
#define SIGNATURE       UINT64_C(0xfefa125a) /* bit 0 is as FType */
#define FPCCR           0xe000ef34u
#define FPCCR_TS        0x04000000u
#define EXCEPTION_T0                                                                               \
    (BIT(ARM_HARD_FAULT) | BIT(ARM_MEM_MANAGE) | BIT(ARM_BUS_FAULT) | BIT(ARM_USAGE_FAULT) |       \
     BIT(ARM_SECURE_FAULT))

static bool is_function_return(uint64_t value)
{
    return (value & ~UINT64_C(1)) == FUNCTION_RETURN;
}

/* No handler runs on the process stack. */
static bool is_return(uint64_t value)
{
    if (is_function_return(value))
        return true;
    return (value & ~UINT64_C(0x7f)) == RETURN_ONES && !(value & RETURN_ZERO) &&
           ((value & RETURN_MODE) || !(value & RETURN_SPSEL));
}

static unsigned number(const struct regs *regs)
{
    return regs_has(regs, XPSR) ? (unsigned)(regs->value[XPSR] & XPSR_NUMBER) : 0;
}

/* A jump to an address without T32's bit is a fault at once. */
static bool has_just_jumped(const struct regs *regs)
{
    return regs_has(regs, XPSR) && !(regs->value[XPSR] & XPSR_T);
}

/* Returns the size of the FPU's part of the frame. */
static uint64_t fpu_size(const struct exception_entry *entry)
{
    uint64_t size = FPU_SIZE;

    if (entry->value & RETURN_FTYPE)
        return 0;
    for (uint32_t i = 0; i < entry->system_count; i++)
        if (entry->system[i].number == FPCCR && entry->value & RETURN_S &&
            entry->system[i].value & FPCCR_TS)
            size += FPU_TS_SIZE;
    return size;
}

static bool is_xpsr(const struct exception_entry *entry, uint64_t xpsr)
{
    const unsigned interrupted = (unsigned)(xpsr & XPSR_NUMBER), handler = number(entry->handler);

    if (xpsr & XPSR_RESERVED || interrupted == 1 || interrupted >= NUMBER_MAX ||
        (interrupted == 0) != ((entry->value & RETURN_MODE) != 0))
        return false;
    /* A jump to an even address clears T, and is a fault. */
    return xpsr & XPSR_T || (handler < 64 && EXCEPTION_T0 >> handler & 1);
}

/* Reads r4 to r11 below the frame, and moves *frame up behind them. */
static enum status read_callee_saved(const struct exception_entry *entry, uint64_t *frame,
                                     struct regs *out)
{
    const uint64_t signature = SIGNATURE | ((entry->value & RETURN_FTYPE) != 0);
    uint64_t value = 0;
    enum status status = memory_read(entry->memory, *frame, 4, &value);

    if (status == STATUS_OK && value != signature)
        return STATUS_BAD_DATA;
    for (unsigned reg = R4; reg <= R11 && status == STATUS_OK; reg++) {
        status = memory_read(entry->memory, *frame + 8 + 4 * (reg - R4), 4, &value);
        regs_set(out, reg, value);
    }
    *frame += CALLEE_SIZE;
    return status;
}

static enum status read_frame(const struct exception_entry *entry, uint64_t frame, struct regs *out)
{
    static const uint8_t regs[] = {0, 1, 2, 3, R12, LR, PC, XPSR};
    enum status status = STATUS_OK;
    uint64_t value = 0, xpsr;

    for (unsigned i = 0; i < sizeof(regs) && status == STATUS_OK; i++) {
        status = memory_read(entry->memory, frame + 4 * i, 4, &value);
        regs_set(out, regs[i], value);
    }
    if (status != STATUS_OK)
        return status;
    xpsr = out->value[XPSR];
    if (out->value[PC] & 1 || !is_xpsr(entry, xpsr) || (xpsr & XPSR_ALIGNED && frame % 8 != 0))
        return STATUS_BAD_DATA;
    regs_set(out, XPSR, xpsr & ~(uint64_t)XPSR_ALIGNED);
    frame += FRAME_SIZE + fpu_size(entry);
    regs_set(out, SP, (uint32_t)(xpsr & XPSR_ALIGNED ? frame | 4 : frame));
    return STATUS_OK;
}

/*
 * Implements exception_arch.unwind. Handlers run on the main stack. Each security state has its own
 * two stacks; those of the other state are not known.
 */
static enum status unwind(const struct exception_entry *entry, struct regs *out)
{
    const struct regs *handler = entry->handler;
    const uint64_t value = entry->value;
    const bool is_process = value & RETURN_SPSEL;
    const unsigned stack = is_process ? PSP : SP;
    uint64_t frame;
    enum status status = STATUS_OK;

    if (regs_has(handler, XPSR) && number(handler) == 0)
        return STATUS_BAD_DATA; /* no exception is active */
    if (is_function_return(value) || !(value & RETURN_S) != !(value & RETURN_ES) ||
        !regs_has(handler, SP) || !regs_has(handler, stack))
        return STATUS_FAULT;
    *out = (struct regs){.known = 0};
    for (unsigned reg = R4; reg <= R11; reg++)
        if (regs_has(handler, reg))
            regs_set(out, reg, handler->value[reg]);
    frame = handler->value[stack];
    if (frame % 4 != 0)
        return STATUS_BAD_DATA;
    if (value & RETURN_S && !(value & RETURN_DCRS))
        status = read_callee_saved(entry, &frame, out);
    if (status == STATUS_OK)
        status = read_frame(entry, frame, out);
    if (status != STATUS_OK)
        return status;
    regs_set(out, MSP, handler->value[SP]);
    if (regs_has(handler, PSP))
        regs_set(out, PSP, handler->value[PSP]);
    regs_set(out, is_process ? PSP : MSP, out->value[SP]);
    return STATUS_OK;
}

/*
 * Implements exception_arch.stored. Handlers as FreeRTOS' store r4 to r11 and EXC_RETURN right
 * below what the processor has saved, or, for threads that use the FPU, below S16 to S31. Threads
 * run on the process stack: an EXC_RETURN of the main stack is still the handler's own.
 */
static bool stored(const struct exception_entry *entry, uint64_t *value, struct regs *out)
{
    if (!(entry->value & RETURN_SPSEL)) {
        *value = entry->value;
        return true;
    }
    for (unsigned fpu = 0; fpu <= FPU_CALLEE_SIZE; fpu += FPU_CALLEE_SIZE) {
        uint64_t at, word;
        unsigned reg = R4;

        if (!regs_has(entry->handler, PSP))
            return false;
        at = entry->handler->value[PSP] - fpu - 4;
        if (memory_read(entry->memory, at, 4, value) != STATUS_OK || !is_return(*value) ||
            !(*value & RETURN_SPSEL) || !(*value & RETURN_FTYPE) != (fpu != 0))
            continue;
        for (at -= CALLEE_WORDS; reg <= R11; reg++, at += 4) {
            if (memory_read(entry->memory, at, 4, &word) != STATUS_OK)
                break;
            regs_set(out, reg, word);
        }
        if (reg > R11)
            return true;
    }
    return false;
}

const struct exception_arch arm_exception = {
    .profile = SNAP_PROFILE_ARM_M,
    .banked = BIT(XPSR) | BIT(MSP) | BIT(PSP),
    .is_return = is_return,
    .unwind = unwind,
    .thread_sp = BIT(PSP),
    .stored = stored,
    .number = number,
    .has_just_jumped = has_just_jumped,
    .fault_addr = NULL,
    .fault = arm_fault,
    .trap = NULL,
    .name = arm_exception_name,
};
