/* SPDX-License-Identifier: MIT */
/*
 * The cause of RISC-V's last trap in machine mode (Privileged Architecture, 3.1.14 to 3.1.16).
 * mcause keeps its value until the next trap, which may be an interrupt. So its fault is the
 * present one only if a chain has a frame at the instruction that caused it, mepc. Software saves
 * what is interrupted: the analysis of code finds it.
 *
 * mtval may be 0 in place of the address (3.1.16). For a fetch the address is mepc then; for a load
 * or a store nothing tells whether 0 is the address.
 */
#include "arch/riscv/fault.h"

#include <inttypes.h>
#include <stdio.h>

enum { MEPC = 0x341, MCAUSE = 0x342, MTVAL = 0x343 };

/* The interrupt bit with 32, and with 64 bits; no cause has so large a number. */
#define INTERRUPT (UINT64_C(1) << 31 | UINT64_C(1) << 63)

static const struct {
    const char *name;
    bool has_addr; /* mtval is the address */
    bool is_epc;   /* ... and nearly mepc: it may be a later part of the instruction */
} causes[] = {
    [0] = {"instruction address misaligned", true, false}, /* mepc is the jump's */
    [1] = {"instruction access fault", true, true},
    [2] = {"illegal instruction", false, false},
    [3] = {"breakpoint", false, false},
    [4] = {"load address misaligned", true, false},
    [5] = {"load access fault", true, false},
    [6] = {"store address misaligned", true, false},
    [7] = {"store access fault", true, false},
    [12] = {"instruction page fault", true, true},
    [13] = {"load page fault", true, false},
    [15] = {"store page fault", true, false},
    [18] = {"software check", false, false},
    [19] = {"hardware error", false, false},
};

/* The code in mcause: CLICs have more above it than the interrupt bit (RISC-V CLIC). */
#define CODE_MASK 0xfffu

static bool find(const struct snap_system *system, uint32_t count, uint32_t number, uint64_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (system[i].number == number) {
            *out = system[i].value;
            return true;
        }
    return false;
}

/* Before the first trap both are 0. If only mepc is 0, code at 0 has trapped, after a jump to 0. */
static bool fault_addr(const struct snap_system *system, uint32_t count, uint64_t *addr)
{
    uint64_t cause;

    return find(system, count, MEPC, addr) && find(system, count, MCAUSE, &cause) &&
           !(cause & INTERRUPT) && (*addr || cause);
}

static bool fault(const struct snap_system *system, uint32_t count, uint64_t active, char *text,
                  size_t text_size)
{
    uint64_t addr, cause, value = 0;
    const char *when;
    bool has_value;

    text[0] = '\0';
    if (!fault_addr(system, count, &addr) || !find(system, count, MCAUSE, &cause))
        return false;
    cause &= CODE_MASK;
    if (cause >= sizeof(causes) / sizeof(causes[0]) || !causes[cause].name)
        return false;
    when = active ? "" : "earlier: ";
    has_value = causes[cause].has_addr && find(system, count, MTVAL, &value);
    if (has_value && value == 0 && causes[cause].is_epc)
        value = addr;
    if (has_value && value == 0 && !causes[cause].is_epc)
        snprintf(text, text_size, "%s%s, mtval is 0", when, causes[cause].name);
    else if (has_value)
        snprintf(text, text_size, "%s%s at 0x%08" PRIx64, when, causes[cause].name, value);
    else
        snprintf(text, text_size, "%s%s", when, causes[cause].name);
    return true;
}

static const char *const interrupts[] = {
    [1] = "supervisor software interrupt", [3] = "machine software interrupt",
    [5] = "supervisor timer interrupt",    [7] = "machine timer interrupt",
    [9] = "supervisor external interrupt", [11] = "machine external interrupt",
};

/* environment calls, from U-mode to M-mode: no faults */
static bool is_call(unsigned code)
{
    return code >= 8 && code <= 11;
}

/*
 * A handler makes an environment call return behind it. A handler that allows nested traps writes
 * mepc before it returns: for the few instructions from there on mcause may be the nested trap's.
 */
static unsigned trap(const struct snap_system *system, uint32_t count, uint64_t pc_addr)
{
    uint64_t addr, cause;
    unsigned code;

    if (!find(system, count, MEPC, &addr) || !find(system, count, MCAUSE, &cause))
        return 0;
    code = (unsigned)(cause & CODE_MASK);
    if (cause & INTERRUPT)
        return addr == pc_addr ? code | EXCEPTION_IS_INTERRUPT : 0;
    return addr == pc_addr || (is_call(code) && addr + 4 == pc_addr) ? code | EXCEPTION_IS_TRAP : 0;
}

static void name(unsigned number, char *text, size_t text_size)
{
    const unsigned code = number & EXCEPTION_NUMBER_MASK;

    if (number & EXCEPTION_IS_INTERRUPT) {
        if (code < sizeof(interrupts) / sizeof(interrupts[0]) && interrupts[code])
            snprintf(text, text_size, "%s", interrupts[code]);
        else
            snprintf(text, text_size, "interrupt %u", code);
    } else if (is_call(code)) {
        snprintf(text, text_size, "environment call");
    } else if (code < sizeof(causes) / sizeof(causes[0]) && causes[code].name) {
        snprintf(text, text_size, "%s", causes[code].name);
    } else {
        snprintf(text, text_size, "exception %u", code);
    }
}

const struct exception_arch riscv_exception = {
    .profile = SNAP_PROFILE_RISCV,
    .banked = 0,
    .is_return = NULL,
    .unwind = NULL,
    .number = NULL,
    .has_just_jumped = NULL,
    .fault_addr = fault_addr,
    .fault = fault,
    .trap = trap,
    .name = name,
};
