/* SPDX-License-Identifier: MIT */
/*
 * What a stopped thread's registers and the innermost part of its stack point to, copied in the
 * stop (--pointees): the beginnings of strings and objects, by which values can be told later.
 *
 *     registers, red zone, first KiB from SP on       a word that is an address in the
 *                 |                                   process's own memory
 *                 v
 *         |=======----|     |=====|       what is copied: `size` bytes at most, as far as the
 *         ^ address         ^             mapping and what is in memory go; the stack itself not
 *
 * Nothing is read that the kernel would have to bring: the thread stands still, and so would all
 * that need its address space, for as long as a disk, a file server or who handles its page faults
 * (userfaultfd(2)) takes. Agents have no room for it.
 */
#ifndef CAPTURE_TARGET_POINTEES_H
#define CAPTURE_TARGET_POINTEES_H

#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "capture/target/backend.h"
#include "capture/target/maps.h"
#include "capture/target/stack.h"

/*
 * So much of the stack from SP on is looked at: about ten frames, of which the innermost are asked
 * for most; what lies beyond would take the budget from them.
 */
#define POINTEES_STACK 1024u

#define POINTEES_SIZE_MAX       4096u /* bytes at one address */
#define POINTEES_BUDGET_DEFAULT 4096u /* bytes of a sample */

struct pointee_request {
    const struct target *target; /* its machine and its memory */
    pid_t tid;
    const struct maps *maps;
    const uint64_t *regs; /* all of them */
    uint64_t sp;
    const struct stack_copy
        *stack;      /* of the same stop; its first region is the one that SP is in */
    uint32_t size;   /* bytes at each address, at most POINTEES_SIZE_MAX */
    uint32_t budget; /* bytes in all, at most SNAP_POINTEES_MAX */
};

struct pointees {
    const struct target_memory *pieces; /* ascending, apart from each other; in the arena */
    const uint8_t *bytes;               /* of all, one behind the other; there, too */
    unsigned count;
};

/*
 * Registers come first, then words of the stack from the innermost on, as long as the budget lasts;
 * pieces that overlap or touch become one. What cannot be read is left out, and so is what finds no
 * room in the arena. IO: what is in memory cannot be told, so that nothing was read.
 */
MUST_CHECK enum status pointees_copy(const struct pointee_request *request,
                                     struct stack_arena *arena, struct pointees *out);

#endif
