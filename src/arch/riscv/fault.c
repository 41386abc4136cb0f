/* SPDX-License-Identifier: MIT */
/*
 * The cause of the last trap of RISC-V in machine mode (Privileged Architecture, 3.1.14 to 3.1.16):
 * mcause stays as it is until the next trap, be that an interrupt. So a fault that it tells of is
 * at hand only where a chain has come to the instruction that made it, which mepc says. What is
 * interrupted software saves: the analysis of code sees that.
 *
 * mtval may be 0 in place of the address (3.1.16): of what is fetched mepc is the address then; of
 * a load or a store nothing says whether 0 is meant.
 */
#include "arch/riscv/fault.h"

#include <inttypes.h>
#include <stdio.h>

enum { MEPC = 0x341, MCAUSE = 0x342, MTVAL = 0x343 };

/* Of 32 bits, and of 64; no cause has a number that large. */
#define INTERRUPT (UINT64_C(1) << 31 | UINT64_C(1) << 63)

static const struct {
    const char *name;
    bool has_addr; /* mtval is the address */
    bool is_epc;   /* ... and mepc, too, but for a part of the instruction behind it */
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

static bool find(const struct snap_system *system, uint32_t count, uint32_t number, uint64_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (system[i].number == number) {
            *out = system[i].value;
            return true;
        }
    return false;
}

/* Nothing is at address 0, where mepc is before the first trap. */
static bool fault_addr(const struct snap_system *system, uint32_t count, uint64_t *addr)
{
    uint64_t cause;

    return find(system, count, MEPC, addr) && *addr != 0 && find(system, count, MCAUSE, &cause) &&
           !(cause & INTERRUPT);
}

static bool fault(const struct snap_system *system, uint32_t count, uint64_t active, char *text,
                  size_t text_size)
{
    uint64_t addr, cause, value = 0;
    const char *when;
    bool has_value;

    text[0] = '\0';
    if (!fault_addr(system, count, &addr) || !find(system, count, MCAUSE, &cause) ||
        cause >= sizeof(causes) / sizeof(causes[0]) || !causes[cause].name)
        return false;
    when = active ? "" : "earlier: ";
    has_value = causes[cause].has_addr && find(system, count, MTVAL, &value);
    if (has_value && value == 0 && causes[cause].is_epc)
        value = addr;
    if (has_value && value == 0)
        snprintf(text, text_size, "%s%s, mtval is 0", when, causes[cause].name);
    else if (has_value)
        snprintf(text, text_size, "%s%s at 0x%08" PRIx64, when, causes[cause].name, value);
    else
        snprintf(text, text_size, "%s%s", when, causes[cause].name);
    return true;
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
    .name = NULL,
};
