/* SPDX-License-Identifier: MIT */
/*
 * Copies the memory to which a stopped thread's registers and the innermost part of its stack point
 * (--pointees): the beginnings of strings and objects, by which values can be shown later.
 *
 *     registers, red zone, first KiB from SP on       a word that is an address in the
 *                 |                                   process's own memory
 *                 v
 *         |=======----|     |=====|       copied: at most `size` bytes, as far as the mapping
 *         ^ address         ^             and the pages in memory go; not the stack itself
 *
 * Only pages that are in memory are read: else the thread, and all that need its address space,
 * would wait for a disk, a file server or a handler of page faults (userfaultfd(2)).
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

#define POINTEES_SIZE_MAX       4096u /* most bytes at one address */
#define POINTEES_BUDGET_DEFAULT 4096u /* most bytes in a sample, if the user does not say */

struct pointee_request {
    const struct target *target;
    pid_t tid; /* the stopped thread */
    const struct maps *maps;
    const uint64_t *regs; /* all registers, by number */
    uint64_t sp;
    const struct stack_copy *stack; /* copied in the same stop; SP is in its first region */
    uint32_t size;                  /* most bytes at each address, at most POINTEES_SIZE_MAX */
    uint32_t budget;                /* most bytes together, at most SNAP_POINTEES_MAX */
};

struct pointees {
    const struct target_memory *pieces; /* `count` of them, ascending, not touching; in the arena */
    const uint8_t *bytes;               /* of all pieces, one behind the other; in the arena */
    unsigned count;
};

/*
 * Copies the memory that the registers, then the words of the stack from SP on, point to into the
 * arena, as long as the budget lasts; joins pieces that overlap or touch. Leaves out memory that
 * cannot be read; copies nothing where the arena has no room. IO: nothing was copied, as the
 * backend cannot tell which pages are in memory.
 */
MUST_CHECK enum status pointees_copy(const struct pointee_request *request,
                                     struct stack_arena *arena, struct pointees *out);

#endif
