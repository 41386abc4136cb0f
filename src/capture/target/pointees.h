/* SPDX-License-Identifier: MIT */
/*
 * Copies what a stopped thread's registers and the innermost part of its stack point to
 * (--pointees): the beginnings of strings and objects, by which values can be told later.
 *
 *     registers, red zone, first KiB from SP on       a word that is an address in the
 *                 |                                   process's own memory
 *                 v
 *         |=======----|     |=====|       copied: at most `size` bytes, as far as the mapping
 *         ^ address         ^             and what is in memory go; not the stack itself
 *
 * Only pages are read that the kernel need not bring: the thread, and all that need its address
 * space, would wait for a disk, a file server or a handler of page faults (userfaultfd(2)).
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
 * Bytes of the stack, from SP on, whose words are followed: about ten frames. Inner frames are
 * asked for most; further ones would take the budget from them.
 */
#define POINTEES_STACK 1024u

#define POINTEES_SIZE_MAX       4096u /* bytes at one address */
#define POINTEES_BUDGET_DEFAULT 4096u /* bytes in a sample */

struct pointee_request {
    const struct target *target; /* machine and memory */
    pid_t tid;
    const struct maps *maps;
    const uint64_t *regs; /* all of them */
    uint64_t sp;
    const struct stack_copy *stack; /* of the same stop; SP is in its first region */
    uint32_t size;                  /* bytes at each address, at most POINTEES_SIZE_MAX */
    uint32_t budget;                /* bytes in all, at most SNAP_POINTEES_MAX */
};

struct pointees {
    const struct target_memory *pieces; /* ascending, not touching; in the arena */
    const uint8_t *bytes;               /* of all pieces, one behind the other; in the arena */
    unsigned count;
};

/*
 * Copies into the arena, for the registers first, then for words of the stack from the innermost
 * on, as long as the budget lasts; joins pieces that overlap or touch. Leaves out what cannot be
 * read; copies nothing where the arena has no room. IO: it is not known what is in memory, so
 * nothing was read.
 */
MUST_CHECK enum status pointees_copy(const struct pointee_request *request,
                                     struct stack_arena *arena, struct pointees *out);

#endif
