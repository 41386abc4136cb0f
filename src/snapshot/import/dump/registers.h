/* SPDX-License-Identifier: MIT */
/*
 * Registers as a text, one a line: what gdb's `info registers` prints, or OpenOCD's `reg`, or
 * somebody has typed. The first word that is a register's name, and the first number behind it:
 *
 *     sp             0x20003f90          0x20003f90
 *     (15) pc (/32): 0x0000012a
 *     r0 = 5
 *
 * Numbers are hexadecimal with 0x, and where they have as many digits as the register, or letters
 * among them; else decimal. Lines without either are left out: there are other registers, and
 * other things in logs. Registers of the system are those of arch/analysis/board.h.
 */
#ifndef SNAPSHOT_IMPORT_DUMP_REGISTERS_H
#define SNAPSHOT_IMPORT_DUMP_REGISTERS_H

#include <stddef.h>

#include "arch/analysis/board.h"
#include "base/diag.h"
#include "base/status.h"
#include "snapshot/event.h"

#define REGISTERS_TEXT_MAX (1u << 20) /* bytes */

struct dump_system { /* registers of the system */
    struct snap_system list[BOARD_SYSTEM_MAX];
    uint32_t count;
};

/*
 * Reads `size` bytes. A register that comes twice has its first value. BAD_DATA with `diag` filled:
 * PC or SP is not among them, or a number is too large for its register.
 */
MUST_CHECK enum status registers_read(const char *text, size_t size, const struct arch *arch,
                                      const char *name, struct regs *out,
                                      struct dump_system *system, struct diag *diag);

#endif
