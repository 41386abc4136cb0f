/* SPDX-License-Identifier: MIT */
/*
 * Finds which part of memory is a stopped thread's stack, and copies it.
 *
 *      guard | ............ SP=====frames=====[TLS,TP..]| next mapping
 *                           ^ start                      ^ end
 *
 * Normally this is from SP, less the ABI's red zone, where leaf functions keep data, to the end of
 * the mapping, in one reading. The kernel merges adjacent anonymous mappings, so that a thread's
 * stack can end inside a mapping: then the thread pointer marks the end, which glibc and musl put
 * at the stack's top.
 *
 * While a signal handler runs on an alternate stack, SP is elsewhere. The signal frame on that
 * stack holds the interrupted SP, from which the thread's ordinary stack is copied as a second
 * region.
 *
 * In Go programs the stack that SP is on ends where the runtime says so; the goroutine's own is
 * copied, too, when SP is on another of the runtime's stacks.
 */
#ifndef CAPTURE_TARGET_STACK_H
#define CAPTURE_TARGET_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "capture/target/backend.h"
#include "capture/target/maps.h"
#include "snapshot/event.h"

/*
 * Bytes that are copied of a stack whose end is not known: in the heap (Go's goroutines,
 * coroutines, Erlang's processes), or below a thread pointer inside a larger mapping. First FIRST
 * bytes, if a chain of frame records ends within them; else MAX bytes; then twice as many each
 * time, up to the limit, while the last half has addresses of code: frames have return addresses.
 */
#define STACK_FOREIGN_FIRST (4u << 10)
#define STACK_FOREIGN_MAX   (64u << 10)
/* The limit, if the mapping is no larger than this and so may be a stack and nothing else. */
#define STACK_FOREIGN_ALONE_MAX (256u << 10)
/* Frame records of a chain that prove its end; room for the outermost function's arguments. */
#define STACK_RECORDS_SURE 3u
#define STACK_RECORDS_ROOM 1024u

/*
 * Memory for stacks of samples that are not written yet: address space that is filled from its
 * start, then emptied as a whole (`used` = 0).
 */
struct stack_arena {
    uint8_t *base; /* owned */
    size_t size, used;
    size_t high; /* most used since the last stack_arena_trim */
};
MUST_CHECK enum status stack_arena_init(struct stack_arena *arena, size_t size);
void stack_arena_deinit(struct stack_arena *arena);
/* Marks the next `size` bytes as used, rounded up to 16; at most what is left. */
void stack_arena_take(struct stack_arena *arena, size_t size);
/* Returns memory to the kernel beyond what was used since the last call. */
void stack_arena_trim(struct stack_arena *arena);

struct stack_request {
    const struct target *target; /* machine and memory */
    pid_t tid;
    bool is_main; /* the first thread, whose stack is [stack] */
    const struct maps *maps;
    uint64_t sp, fp, thread_pointer;
    uint64_t goroutine; /* value of the register that holds Go's g; 0: none does */
    uint64_t scheduler; /* the thread's g0, as found before; 0: not known */
    /* all registers, which may point into a stack that was left; NULL: none */
    const uint64_t *regs;
    bool is_go;          /* the process is a Go program */
    unsigned go_version; /* runtime/go/memory/go_version.h; 0: not known */
    uint64_t limit;      /* bytes of a region, at most SNAP_STACK_MAX */
    bool limit_given;    /* by the user: holds for stacks whose end is not known, too */
};

struct stack_copy {
    struct snap_region regions[3]; /* bytes: in the arena */
    unsigned count;
    struct snap_goroutine goroutine; /* the goroutine that was left */
    uint64_t goroutine_id;           /* id of the thread's goroutine; 0: not known */
    uint64_t scheduler_addr;         /* address of the thread's g0; 0: no Go program's */
    /* Start of the first region's mapping, if it is the thread's own stack; else 0. */
    uint64_t map_start_addr;
    bool maps_stale; /* the mappings are out of date: read them again soon */
};

/* Returns where the stack that SP is on ends, as far as the mappings tell; 0: SP is in none. */
uint64_t stack_end(const struct stack_request *request);

/*
 * Copies the thread's stacks into the arena and describes them in *out. Extra regions that cannot
 * be copied are left out. FAULT: nothing could be read at SP. NO_MEMORY: the arena is full.
 */
MUST_CHECK enum status stack_copy(const struct stack_request *request, struct stack_arena *arena,
                                  struct stack_copy *out);

#endif
