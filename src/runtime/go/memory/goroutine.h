/* SPDX-License-Identifier: MIT */
/*
 * Reads what Go's runtime keeps in memory for a thread (its m) and for a goroutine or a stack of
 * the runtime (a g): the first words of runtime.g and runtime.m (runtime/runtime2.go), which are
 * the same in all versions and on all architectures:
 *
 *     g   stack.lo  stack.hi  stackguard0  stackguard1  _panic  _defer  m  sched
 *     sched (gobuf)  sp  pc  g  ctxt  ret (until Go 1.24)  lr  bp
 *     m   g0  morebuf (gobuf)  ...  gsignal  ...  curg  ...
 *
 * A thread runs on the stack of g0 while the runtime works for a goroutine (systemstack, mcall,
 * morestack) or C code runs (asmcgocall), and on gsignal's stack in a signal handler; curg.sched
 * says where it left the goroutine. Any bytes may pose as these structures, so they are checked:
 * the guard lies in the stack or is one of the runtime's constants, a g's sched names this g or
 * none, and the m's g0 names this m. Reads are bounded whatever memory says: no list is followed.
 */
#ifndef RUNTIME_GO_MEMORY_GOROUTINE_H
#define RUNTIME_GO_MEMORY_GOROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/event.h"

struct goroutine;

struct goroutine_memory { /* access to the target's memory, and the thread that is looked at */
    /* Reads `size` bytes at `addr`; false: not all are there, or not for certain. */
    bool (*read)(const void *context, uint64_t addr, void *bytes, size_t size);
    /* Returns whether the g's stack lies where stacks may lie; if not, it is no g. */
    bool (*is_stack)(const void *context, const struct goroutine *g);
    const void *context;
    uint64_t addr_mask; /* applied to each word that is read */
    uint8_t word_size;
    /* Of the thread that is looked at: */
    uint64_t in_register; /* value of the register that holds Go's g; 0: no register does */
    uint64_t slot_addr;   /* address of the thread's copy of its g (arch.h); 0: not known */
    uint64_t scheduler;   /* its g0 as found before; 0: not found yet */
    uint64_t sp;
};

struct goroutine { /* a g */
    uint64_t addr;
    uint64_t low_addr, end_addr; /* its stack */
    uint64_t thread_addr;        /* its m; 0: none */
    uint64_t self_addr;          /* the g in its sched; 0: never left (gsignal) */
    uint64_t sp, pc, lr;         /* where it was left */
};

static inline bool goroutine_holds(const struct goroutine *g, uint64_t addr)
{
    return addr >= g->low_addr && addr < g->end_addr;
}

struct goroutine_thread {       /* an m */
    struct goroutine scheduler; /* its g0 */
    struct goroutine current;   /* its curg; addr 0: none */
    bool holds_sp;              /* SP is on the stack of one of its gs, gsignal included */
};

/*
 * Returns where the thread's goroutine was left: NONE if it has none; LEFT; UNKNOWN if the saved SP
 * cannot be right. `sp` is the thread's SP, or the SP that a handler interrupted; 0: not known. On
 * the goroutine's own stack a saved SP below `sp` is stale and not used.
 */
struct snap_goroutine goroutine_left(const struct goroutine_thread *thread, uint64_t sp);

struct goroutine_look {
    uint64_t id; /* number of its curg (go_version.h); not touched by goroutine_look */
    struct goroutine_thread thread;
    struct goroutine on;  /* the g whose stack SP is on; addr 0: not known */
    bool on_scheduler;    /* SP is on the stack of g0 */
    bool knows_scheduler; /* the bounds of g0's stack are exact: C did not make it */
    bool elsewhere;       /* SP is on neither g0's nor the goroutine's stack: in a signal handler */
};

/*
 * Fills *out for a thread of a Go program (call it for no other thread). Tries in_register, then
 * slot_addr, then `scheduler`, the last only if SP is on a stack of this thread. False: none of
 * them leads to an m with sound stacks.
 */
bool goroutine_look(const struct goroutine_memory *memory, struct goroutine_look *out);

#endif
