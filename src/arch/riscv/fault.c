/* SPDX-License-Identifier: MIT */
/*
 * The cause of the last trap of RISC-V in machine mode (Privileged Architecture, 3.1.14 to 3.1.16):
 * mcause stays as it is until the next trap, be that an interrupt. So a fault that it tells of is
 * at hand only where a chain has come to the instruction that made it, which mepc says. What is
 * interrupted software saves: the analysis of code sees that.
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
} causes[] = {
    [0] = {"instruction address misaligned", true},
    [1] = {"instruction access fault", true},
    [2] = {"illegal instruction", false},
    [3] = {"breakpoint", false},
    [4] = {"load address misaligned", true},
    [5] = {"load access fault", true},
    [6] = {"store address misaligned", true},
    [7] = {"store access fault", true},
    [12] = {"instruction page fault", true},
    [13] = {"load page fault", true},
    [15] = {"store page fault", true},
    [18] = {"software check", false},
    [19] = {"hardware error", false},
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

    text[0] = '\0';
    if (!fault_addr(system, count, &addr) || !find(system, count, MCAUSE, &cause) ||
        cause >= sizeof(causes) / sizeof(causes[0]) || !causes[cause].name)
        return false;
    if (causes[cause].has_addr && find(system, count, MTVAL, &value))
        snprintf(text, text_size, "%s%s at 0x%08" PRIx64,
                 active ? "" : "earlier: ", causes[cause].name, value);
    else
        snprintf(text, text_size, "%s%s", active ? "" : "earlier: ", causes[cause].name);
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
