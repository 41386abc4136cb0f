/* SPDX-License-Identifier: MIT */
/*
 * What Go's runtime keeps in memory of a thread (its m) and of the goroutine or stack of its own
 * that the thread is on (a g): the first words of runtime.g and runtime.m (runtime/runtime2.go),
 * which are the same in all versions and on all architectures:
 *
 *     g   stack.lo  stack.hi  stackguard0  stackguard1  _panic  _defer  m  sched
 *     sched (gobuf)  sp  pc  g  ctxt  ret (until Go 1.24)  lr  bp
 *     m   g0  morebuf (gobuf)  …  gsignal  …  curg  …
 *
 * A thread runs on the stack of g0 where the runtime works for a goroutine (systemstack, mcall,
 * morestack) or C code does (asmcgocall), and on that of gsignal in a signal handler; where it left
 * the goroutine is in curg.sched. What is read may be something else: the guard must be in the
 * stack (or one of the runtime's constants), each g name itself in its sched, and its m, which must
 * name its g0. How much is read is bounded, whatever it says: no list is followed.
 */
#ifndef SNAPSHOT_GOROUTINE_H
#define SNAPSHOT_GOROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/event.h"

struct goroutine;

struct goroutine_memory { /* of the target */
    /* Reads `size` bytes at `addr`; false: not all are there, or not for certain. */
    bool (*read)(const void *context, uint64_t addr, void *bytes, size_t size);
    /* Is the g's stack where stacks may be? Else it is none. Of who calls goroutine_look. */
    bool (*is_stack)(const void *context, const struct goroutine *g);
    const void *context;
    uint64_t addr_mask; /* of addresses as they are stored */
    uint8_t word_size;
    /* Of the thread that is looked at: */
    uint64_t in_register; /* what the register says that has Go's; 0: none has */
    uint64_t slot_addr;   /* where it is kept of each thread (arch.h); 0: that is not known */
    uint64_t scheduler;   /* its g0, as it was found before; 0: it was not */
    uint64_t sp;
};

struct goroutine { /* a g */
    uint64_t addr;
    uint64_t low_addr, end_addr; /* its stack */
    uint64_t thread_addr;        /* its m; 0: it is on none */
    uint64_t self_addr;          /* of its sched; 0: it was never left (gsignal) */
    uint64_t sp, pc, lr;         /* where it was left */
};

static inline bool goroutine_holds(const struct goroutine *g, uint64_t addr)
{
    return addr >= g->low_addr && addr < g->end_addr;
}

struct goroutine_thread {       /* an m */
    struct goroutine scheduler; /* its g0 */
    struct goroutine current;   /* its curg; addr 0: it has none */
    bool holds_sp;              /* SP is on the stack of one of its gs, be it gsignal's */
};

/*
 * What the sample says of a thread whose SP is, or was when a handler interrupted it, `sp`; 0: that
 * is not known. What lies below SP on the goroutine's own stack is not where that was left.
 */
struct snap_goroutine goroutine_left(const struct goroutine_thread *thread, uint64_t sp);

struct goroutine_look {
    uint64_t id; /* of its curg (go_version.h): for who asks for that; else it is left alone */
    struct goroutine_thread thread;
    struct goroutine on;  /* whose stack SP is on; addr 0: that is not known */
    bool on_scheduler;    /* SP is on the stack of g0 */
    bool knows_scheduler; /* where that ends is sure: it is none that C made */
    bool elsewhere; /* SP is not on the goroutine's either: in a signal handler, on gsignal's */
};

/*
 * Of a thread of a Go program's, which alone is to be looked at. False: it does not show its m, or
 * none whose stacks are where stacks may be.
 */
bool goroutine_look(const struct goroutine_memory *memory, struct goroutine_look *out);

#endif
