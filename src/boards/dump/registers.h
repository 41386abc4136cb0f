/* SPDX-License-Identifier: MIT */
/*
 * Reads registers from a text, one a line, as gdb's `info registers` or OpenOCD's `reg` prints them
 * or a person types them. A line gives a value if it has a register's name and a number behind the
 * name; the first name and the first number of a line count:
 *
 *     sp             0x20003f90          0x20003f90
 *     (15) pc (/32): 0x0000012a
 *     r0 = 5
 *
 * A number is hexadecimal with 0x, with as many digits as the register has, or with letters among
 * its digits; else decimal. Other lines are ignored. Names of system registers are in
 * arch/analysis/board.h.
 */
#ifndef BOARDS_DUMP_REGISTERS_H
#define BOARDS_DUMP_REGISTERS_H

#include <stddef.h>

#include "arch/analysis/board.h"
#include "base/diag.h"
#include "base/status.h"
#include "snapshot/event.h"

#define REGISTERS_TEXT_MAX (1u << 20) /* most bytes of a text */

struct dump_system { /* system registers */
    struct snap_system list[BOARD_SYSTEM_MAX];
    uint32_t count;
};

/*
 * Sets *out and *system to the registers in `text`, `size` bytes. If a register has several lines
 * the first counts. `name` is for messages. BAD_DATA with `diag` filled: no PC or SP, or a value
 * too large for its register.
 */
MUST_CHECK enum status registers_read(const char *text, size_t size, const struct arch *arch,
                                      const char *name, struct regs *out,
                                      struct dump_system *system, struct diag *diag);

#endif
