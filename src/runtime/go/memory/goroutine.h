/* SPDX-License-Identifier: MIT */
/*
 * Reads the structures that Go's runtime has in memory for a thread (its m), and for a goroutine or
 * a stack of the runtime (a g): the first words of runtime.g and runtime.m (runtime/runtime2.go),
 * which are the same in all versions and on all architectures:
 *
 *     g   stack.lo  stack.hi  stackguard0  stackguard1  _panic  _defer  m  sched
 *     sched (gobuf)  sp  pc  g  ctxt  ret (until Go 1.24)  lr  bp
 *     m   g0  morebuf (gobuf)  ...  gsignal  ...  curg  ...
 *
 * A thread runs on the stack of g0 while the runtime works for a goroutine (systemstack, mcall,
 * morestack) or C code runs (asmcgocall), and on gsignal's stack in a signal handler; curg.sched
 * says where the thread left the goroutine. Any bytes may look like these structures, so they are
 * checked: the guard lies in the stack or is one of the runtime's constants, a g's sched names this
 * g or none, and the m's g0 names this m. Reads are bounded: no list is followed.
 */
#ifndef RUNTIME_GO_MEMORY_GOROUTINE_H
#define RUNTIME_GO_MEMORY_GOROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/event.h"

struct goroutine;

struct goroutine_memory { /* access to the target's memory, and the thread that is looked at */
    /* Copies `size` bytes at `addr`; false: not all can be read, or they are not certain. */
    bool (*read)(const void *context, uint64_t addr, void *bytes, size_t size);
    /* Returns whether stacks may lie where g's does; if not, `g` is taken for no g. */
    bool (*is_stack)(const void *context, const struct goroutine *g);
    const void *context;
    uint64_t addr_mask; /* ANDed to each word that is read */
    uint8_t word_size;  /* bytes of a word of the target */
    /* The thread that is looked at: */
    uint64_t in_register; /* value of the register that holds Go's g; 0: no register does */
    uint64_t slot_addr;   /* address of the thread's copy of its g (arch.h); 0: not known */
    uint64_t scheduler;   /* address of the thread's g0, as found before; 0: not found yet */
    uint64_t sp;
};

struct goroutine {               /* a g: a goroutine, or a stack of the runtime */
    uint64_t addr;               /* address of the runtime.g */
    uint64_t low_addr, end_addr; /* bounds of the stack */
    uint64_t thread_addr;        /* address of the m that runs it; 0: none */
    uint64_t self_addr;          /* sched.g: `addr`; 0: it was never left, as gsignal */
    uint64_t sp, pc, lr;         /* registers with which it was left, from sched */
};

/* Whether the address is on g's stack. */
static inline bool goroutine_holds(const struct goroutine *g, uint64_t addr)
{
    return addr >= g->low_addr && addr < g->end_addr;
}

struct goroutine_thread {       /* an m: a thread */
    struct goroutine scheduler; /* g0 of the m, whose stack the runtime uses */
    struct goroutine current;   /* the m's curg, its goroutine; addr 0: none */
    bool holds_sp;              /* SP is on the stack of g0, curg or gsignal */
};

/*
 * Returns where the thread's goroutine was left: NONE: it has no goroutine; LEFT: with sp, pc and
 * lr; UNKNOWN: the saved SP cannot be right. `sp`: the thread's SP, or the SP that a signal handler
 * interrupted; 0: not known. On the goroutine's own stack a saved SP below `sp` is stale: UNKNOWN.
 */
struct snap_goroutine goroutine_left(const struct goroutine_thread *thread, uint64_t sp);

struct goroutine_look {
    uint64_t id; /* number of the goroutine (go_version.h); for callers, not set here */
    struct goroutine_thread thread;
    struct goroutine on;  /* the g whose stack SP is on; addr 0: not known */
    bool on_scheduler;    /* SP is on the stack of g0 */
    bool knows_scheduler; /* the bounds of g0's stack are exact: C did not make it */
    bool elsewhere;       /* SP is on neither g0's nor the goroutine's stack: in a signal handler */
};

/*
 * Fills *out, but for `id`, for a thread of a Go program; not to be called for other threads. Tries
 * the g in memory->in_register, then at slot_addr, then `scheduler`, which counts only if SP is on
 * a stack of its m. False: none of the three leads to an m with sound stacks.
 */
bool goroutine_look(const struct goroutine_memory *memory, struct goroutine_look *out);

#endif
