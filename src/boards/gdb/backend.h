/* SPDX-License-Identifier: MIT */
/*
 * The backend for targets behind a stub that speaks the GDB Remote Serial Protocol: boards behind a
 * debug probe (OpenOCD, J-Link, pyOCD), emulated ones (QEMU), and programs under gdbserver or an
 * emulator of user mode. docs/decisions/0046-gdb-protocol.md.
 *
 *     packet.c, transport.c, client.c   bytes, packets, requests with deadlines
 *     link.c, features.c, registers.c   what the stub offers, and which registers there are
 *     control.c, halt_budget.c          lets the target run and halts it, within a share of time
 *     memory.c, stacks.c, tasks.c,
 *     board.c, modules.c                what is read while the target is halted
 *     backend.c                         the functions of struct capture_backend
 */
#ifndef BOARDS_GDB_BACKEND_H
#define BOARDS_GDB_BACKEND_H

#include "capture/target/backend.h"

extern const struct capture_backend gdb_backend;

#endif
