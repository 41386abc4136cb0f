/* SPDX-License-Identifier: MIT */
/*
 * Faults of the M-profile by its status registers (ARMv7-M ARM B3.2.15 to B3.2.18, ARMv8-M ARM
 * D1.2). They have a bit for each cause, which stays set until software clears it. So a bit may be
 * of an earlier fault; it is not if the fault's handler is active.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arch/arm/exception.h"

enum {
    SHCSR = 0xe000ed24,
    CFSR = 0xe000ed28,
    HFSR = 0xe000ed2c,
    DFSR = 0xe000ed30,
    MMFAR = 0xe000ed34,
    BFAR = 0xe000ed38,
    SFSR = 0xe000ede4,
    SFAR = 0xe000ede8
};

#define HFSR_VECTTBL  UINT32_C(0x00000002)
#define HFSR_FORCED   UINT32_C(0x40000000)
#define HFSR_DEBUGEVT UINT32_C(0x80000000)

struct cause {
    uint8_t bit;
    const char *name;
};

/* A kind of fault: an exception of its own, with its bits in a status register. */
struct kind {
    uint8_t number, active_bit; /* active_bit in SHCSR */
    uint32_t status, address;   /* status and address registers; address 0: none */
    uint8_t valid_bit;          /* bit in status: the address is of this fault */
    const char *name;
    struct cause causes[8];
};

static const struct kind kinds[] = {
    {ARM_MEM_MANAGE,
     0,
     CFSR,
     MMFAR,
     7,
     "MemManage",
     {{0, "IACCVIOL"}, {1, "DACCVIOL"}, {3, "MUNSTKERR"}, {4, "MSTKERR"}, {5, "MLSPERR"}}},
    {ARM_BUS_FAULT,
     1,
     CFSR,
     BFAR,
     15,
     "BusFault",
     {{8, "IBUSERR"},
      {9, "PRECISERR"},
      {10, "IMPRECISERR"},
      {11, "UNSTKERR"},
      {12, "STKERR"},
      {13, "LSPERR"}}},
    {ARM_USAGE_FAULT,
     3,
     CFSR,
     0,
     0,
     "UsageFault",
     {{16, "UNDEFINSTR"},
      {17, "INVSTATE"},
      {18, "INVPC"},
      {19, "NOCP"},
      {20, "STKOF"},
      {24, "UNALIGNED"},
      {25, "DIVBYZERO"}}},
    {ARM_SECURE_FAULT,
     4,
     SFSR,
     SFAR,
     6,
     "SecureFault",
     {{0, "INVEP"},
      {1, "INVIS"},
      {2, "INVER"},
      {3, "AUVIOL"},
      {4, "INVTRAN"},
      {5, "LSPERR"},
      {7, "LSERR"}}},
};

#define KINDS        (sizeof(kinds) / sizeof(kinds[0]))
#define HARD_ACT_BIT 2 /* of SHCSR, in v8-M */

struct fault_text {
    char *at;
    size_t size, len;
};

static void put(struct fault_text *text, const char *format, ...)
{
    va_list arguments;
    int len;

    va_start(arguments, format);
    len = vsnprintf(text->at + text->len, text->size - text->len, format, arguments);
    va_end(arguments);
    text->len += len < 0 ? 0 : (size_t)len;
    if (text->len >= text->size)
        text->len = text->size - 1;
}

/* Returns a system register's value; 0: it was not captured. */
static uint32_t value_of(const struct snap_system *system, uint32_t count, uint32_t number)
{
    for (uint32_t i = 0; i < count; i++)
        if (system[i].number == number)
            return (uint32_t)system[i].value;
    return 0;
}

static bool has_cause(const struct kind *kind, uint32_t status)
{
    for (size_t i = 0; i < sizeof(kind->causes) / sizeof(kind->causes[0]); i++)
        if (kind->causes[i].name && status >> kind->causes[i].bit & 1)
            return true;
    return false;
}

/* Writes "BusFault: PRECISERR at 0x40000000". */
static void put_kind(struct fault_text *text, const struct kind *kind, uint32_t status,
                     uint32_t address)
{
    const char *between = ": ";

    put(text, "%s", kind->name);
    for (size_t i = 0; i < sizeof(kind->causes) / sizeof(kind->causes[0]); i++) {
        if (!kind->causes[i].name || !(status >> kind->causes[i].bit & 1))
            continue;
        put(text, "%s%s", between, kind->causes[i].name);
        between = ", ";
    }
    if (kind->address && status >> kind->valid_bit & 1)
        put(text, " at 0x%08" PRIx32, address);
}

static uint64_t add_active(uint64_t active, uint32_t shcsr)
{
    for (size_t i = 0; i < KINDS; i++)
        active |= (uint64_t)(shcsr >> kinds[i].active_bit & 1) << kinds[i].number;
    return active | (uint64_t)(shcsr >> HARD_ACT_BIT & 1) << ARM_HARD_FAULT;
}

static void put_hard_fault(struct fault_text *text, uint32_t hfsr)
{
    put(text, "HardFault");
    if (hfsr & HFSR_VECTTBL)
        put(text, ": VECTTBL");
    else if (hfsr & HFSR_FORCED)
        put(text, " (escalated)");
    else if (hfsr & HFSR_DEBUGEVT)
        put(text, ": DEBUGEVT");
}

/*
 * Writes the kinds of faults that are in `now`, or the others that have a cause, as earlier. A
 * fault whose handler cannot run becomes a HardFault: then all causes may be of that.
 */
static void put_kinds(struct fault_text *text, const struct snap_system *system, uint32_t count,
                      uint64_t now, bool is_now)
{
    const char *before = text->len && is_now ? ": " : text->len ? "; earlier: " : "earlier: ";

    for (size_t i = 0; i < KINDS; i++) {
        const struct kind *kind = &kinds[i];
        const uint32_t status = value_of(system, count, kind->status);

        if ((now >> kind->number & 1) != is_now || (!is_now && !has_cause(kind, status)))
            continue;
        put(text, "%s", text->len || !is_now ? before : "");
        put_kind(text, kind, status, value_of(system, count, kind->address));
        before = "; ";
    }
}

bool arm_fault(const struct snap_system *system, uint32_t count, uint64_t active, char *text,
               size_t text_size)
{
    const uint32_t hfsr = value_of(system, count, HFSR);
    struct fault_text out = {.at = text, .size = text_size};
    uint64_t now;

    text[0] = '\0';
    active = add_active(active, value_of(system, count, SHCSR));
    now = active;
    for (size_t i = 0; i < KINDS; i++)
        if (active >> ARM_HARD_FAULT & 1 && hfsr & HFSR_FORCED &&
            has_cause(&kinds[i], value_of(system, count, kinds[i].status)))
            now |= UINT64_C(1) << kinds[i].number;
    if (active >> ARM_HARD_FAULT & 1)
        put_hard_fault(&out, hfsr);
    put_kinds(&out, system, count, now, true);
    put_kinds(&out, system, count, now, false);
    return out.len > 0;
}

void arm_exception_name(unsigned number, char *text, size_t text_size)
{
    static const char *const names[16] = {
        [1] = "Reset",         [2] = "NMI",        [3] = "HardFault",   [4] = "MemManage",
        [5] = "BusFault",      [6] = "UsageFault", [7] = "SecureFault", [11] = "SVCall",
        [12] = "DebugMonitor", [14] = "PendSV",    [15] = "SysTick",
    };

    if (number >= 16)
        snprintf(text, text_size, "IRQ %u", number - 16);
    else
        snprintf(text, text_size, "%s", names[number] ? names[number] : "");
}
