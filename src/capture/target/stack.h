/* SPDX-License-Identifier: MIT */
/*
 * Finds which part of memory is a stopped thread's stack, and copies it.
 *
 *      guard | ............ SP=====frames=====[TLS,TP..]| next mapping
 *                           ^ start                      ^ end
 *
 * Normally the stack is from SP, less the ABI's red zone, where leaf functions keep data, to the
 * end of the mapping, and is read at once. The kernel merges adjacent anonymous mappings, so that a
 * thread's stack can end inside a mapping: then the thread pointer, which glibc and musl put at the
 * stack's top, marks the end.
 *
 * While a signal handler runs on an alternate stack, SP is elsewhere. The signal frame on that
 * stack holds the interrupted SP, from which the thread's ordinary stack is copied as a second
 * region.
 *
 * In Go programs the runtime's data tell where the stack that SP is on ends; the goroutine's own
 * stack is copied, too, when SP is on another stack of the runtime.
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
 * coroutines, Erlang's processes), or below a thread pointer inside a larger mapping:
 * STACK_FOREIGN_FIRST, if a chain of frame records ends within them; else STACK_FOREIGN_MAX; then
 * twice as many each time, up to the limit, while the last half has addresses of code, as frames
 * have return addresses.
 */
#define STACK_FOREIGN_FIRST (4u << 10)
#define STACK_FOREIGN_MAX   (64u << 10)
/* The limit in bytes, if the mapping is not larger and so may be a stack and nothing else. */
#define STACK_FOREIGN_ALONE_MAX (256u << 10)
/* Least number of frame records of a chain whose end is trusted to be the stack's. */
#define STACK_RECORDS_SURE 3u
/* Bytes copied behind that end, for the outermost function's arguments. */
#define STACK_RECORDS_ROOM 1024u

/*
 * Memory for stacks of samples that are not written yet: address space that is filled from its
 * start, then emptied as a whole by setting `used` to 0.
 */
struct stack_arena {
    uint8_t *base;     /* owned */
    size_t size, used; /* bytes */
    size_t high;       /* most bytes used since the last stack_arena_trim */
};
MUST_CHECK enum status stack_arena_init(struct stack_arena *arena, size_t size);
void stack_arena_deinit(struct stack_arena *arena);
/* Marks the next `size` bytes as used, rounded up to 16; at most what is left. */
void stack_arena_take(struct stack_arena *arena, size_t size);
/* Gives memory that was not used since the last call back to the kernel. */
void stack_arena_trim(struct stack_arena *arena);

struct stack_request {
    const struct target *target;
    pid_t tid;    /* the stopped thread */
    bool is_main; /* it is the first thread, whose stack is [stack] */
    const struct maps *maps;
    uint64_t sp, fp, thread_pointer;
    uint64_t goroutine; /* value of the register that has Go's g; 0: no register has it */
    uint64_t scheduler; /* address of the thread's g0, as found before; 0: not known */
    /* all registers, which may point into a stack that was switched from; NULL: not given */
    const uint64_t *regs;
    bool is_go;          /* the process runs Go code */
    unsigned go_version; /* runtime/go/memory/go_version.h; 0: not known */
    uint64_t limit;      /* most bytes of a region, at most SNAP_STACK_MAX */
    bool limit_given;    /* the user gave `limit`: holds also where no end is known */
};

struct stack_copy {
    struct snap_region regions[3]; /* the first is SP's stack; their bytes are in the arena */
    unsigned count;
    struct snap_goroutine goroutine; /* Go: the goroutine whose stack was switched from */
    uint64_t goroutine_id;           /* id of the thread's goroutine; 0: not known */
    uint64_t scheduler_addr;         /* address of the thread's g0; 0: no Go code */
    /* start of the first region's mapping, if this is the thread's own stack; else 0 */
    uint64_t map_start_addr;
    bool maps_stale; /* SP was in no known mapping: the mappings are to be read again */
};

/*
 * Returns the end address of the stack that request->sp is on, by the mappings and the thread
 * pointer; 0: SP is in no mapping.
 */
uint64_t stack_end(const struct stack_request *request);

/*
 * Copies the stopped thread's stacks into the arena and describes them in *out. Further regions
 * than the first that cannot be copied are left out. FAULT: nothing could be read at SP. NO_MEMORY:
 * the arena is full.
 */
MUST_CHECK enum status stack_copy(const struct stack_request *request, struct stack_arena *arena,
                                  struct stack_copy *out);

#endif
