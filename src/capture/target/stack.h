/* SPDX-License-Identifier: MIT */
/*
 * Which part of memory is a stopped thread's stack, and copying it.
 *
 *      guard | ............ SP=====frames=====[TLS,TP..]| next mapping
 *                           ^ start                      ^ end
 *
 * Normally that is from SP, or the ABI's red zone below it, where leaf functions keep data, to the
 * end of the mapping, in one reading. The kernel merges
 * adjacent anonymous mappings, so that the end of a thread's stack can lie inside a mapping: the
 * thread pointer, which glibc and musl put at the stack's top, then marks it.
 *
 * While a signal handler runs on an alternate stack, SP is elsewhere. The signal frame on that
 * stack holds the interrupted SP, from which the thread's ordinary stack is copied as a second
 * region.
 *
 * Of Go programs the stack that SP is on ends where the runtime says so; the goroutine's own is
 * copied, too, when SP is on another one of the runtime's.
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
 * What is copied of a stack whose end is not known: in the heap, say, as those of Go's goroutines,
 * of coroutines, of Erlang's processes; or below a thread pointer inside a larger mapping.
 * First a little: a chain of frame records may end in it. Else so much; then, as far as the limit
 * goes, as much again, and again, while there are addresses of code in what was copied last: frames
 * have return addresses.
 */
#define STACK_FOREIGN_FIRST (4u << 10)
#define STACK_FOREIGN_MAX   (64u << 10)
/* The limit in a mapping of no more than this, which may well be a stack and nothing else. */
#define STACK_FOREIGN_ALONE_MAX (256u << 10)
/* So many frame records are no chance; behind the last are the outermost function's arguments. */
#define STACK_RECORDS_SURE 3u
#define STACK_RECORDS_ROOM 1024u

/*
 * Memory for the stacks of samples that are not written yet: address space that is filled from its
 * start, then emptied as a whole.
 */
struct stack_arena {
    uint8_t *base; /* owned */
    size_t size, used;
    size_t high; /* the most that was used since the last stack_arena_trim */
};
MUST_CHECK enum status stack_arena_init(struct stack_arena *arena, size_t size);
void stack_arena_deinit(struct stack_arena *arena);
/* The next `size` bytes, at most as many as are left, are in use. */
void stack_arena_take(struct stack_arena *arena, size_t size);
/* Gives memory back to the kernel beyond what was used since the last call. */
void stack_arena_trim(struct stack_arena *arena);

struct stack_request {
    const struct target *target; /* its machine and its memory */
    pid_t tid;
    bool is_main; /* the first thread, whose stack is [stack] */
    const struct maps *maps;
    uint64_t sp, fp, thread_pointer;
    uint64_t goroutine;   /* what the register says that has Go's; 0: none has */
    uint64_t scheduler;   /* the thread's g0, as it was found before; 0: it was not */
    const uint64_t *regs; /* all of them, which may point into a stack that was left; NULL: none */
    bool is_go;           /* the process is a Go program */
    unsigned go_version;  /* its Go's (snapshot/go_version.h); 0: it is not known */
    uint64_t limit;       /* bytes of a region, at most SNAP_STACK_MAX */
    bool limit_given;     /* by the user, so that it holds for stacks whose end is not known, too */
};

struct stack_copy {
    struct snap_region regions[3]; /* bytes: in the arena */
    unsigned count;
    struct snap_goroutine goroutine; /* that was left */
    uint64_t goroutine_id;           /* of the thread's; 0: it is not known */
    uint64_t scheduler_addr;         /* of the thread's g0; 0: it is none of a Go program's */
    /* Where the mapping of the first region begins, if it is the thread's own stack; else 0. */
    uint64_t map_start_addr;
    bool maps_stale; /* what was read does not fit the mappings: read them again soon */
};

/* Where the stack that SP is on ends, as far as the mappings tell; 0: SP is in none. */
uint64_t stack_end(const struct stack_request *request);

/* FAULT: nothing could be read at SP. NO_MEMORY: the arena is full. */
MUST_CHECK enum status stack_copy(const struct stack_request *request, struct stack_arena *arena,
                                  struct stack_copy *out);

#endif
