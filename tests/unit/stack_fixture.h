/* SPDX-License-Identifier: MIT */
/* A stopped thread whose memory is a piece of our own, for tests of capture/target/stack.h. */
#ifndef TESTS_STACK_FIXTURE_H
#define TESTS_STACK_FIXTURE_H

#include "capture/target/stack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/ptrace/backend.h"

#define PAGE 4096u
#define CODE UINT64_C(0x401000)

/*
 * Memory of this process, which plays the target:
 *
 *     0       16      32      40      48 pages
 *     | first | gap   | other | gap   |
 */
struct world {
    uint8_t *memory;
    uint64_t addr; /* of memory */
    struct map_range ranges[2];
    struct exec_map code;
    struct maps maps;
    struct stack_arena arena;
    struct target target;
    struct stack_request request;
    struct stack_copy copy;
};

static inline struct world *world_create(void)
{
    struct world *w = calloc(1, sizeof(*w));

    assert_non_null(w);
    w->memory = mmap(NULL, 48 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(w->memory, MAP_FAILED);
    for (size_t i = 0; i < 48 * PAGE; i++)
        w->memory[i] = (uint8_t)(i % 251);
    mprotect(w->memory + 16 * PAGE, 16 * PAGE, PROT_NONE);
    mprotect(w->memory + 40 * PAGE, 8 * PAGE, PROT_NONE);
    w->addr = (uint64_t)(uintptr_t)w->memory;
    w->ranges[0] = (struct map_range){.start_addr = w->addr, .end_addr = w->addr + 16 * PAGE};
    w->ranges[1] =
        (struct map_range){.start_addr = w->addr + 32 * PAGE, .end_addr = w->addr + 40 * PAGE};
    w->code = (struct exec_map){.start_addr = CODE, .end_addr = CODE + PAGE};
    w->maps = (struct maps){.ranges = w->ranges, .range_len = 2, .execs = &w->code, .exec_len = 1};
    w->target = (struct target){.backend = &ptrace_backend,
                                .machine = {.arch = arch_get(ARCH_X86_64),
                                            .page_size = PAGE,
                                            .frame_stack_off = -144,
                                            .addr_mask = UINT64_MAX}};
    assert_int_equal(stack_arena_init(&w->arena, 1 << 20), STATUS_OK);
    w->request = (struct stack_request){.tid = getpid(),
                                        .maps = &w->maps,
                                        .target = &w->target,
                                        .limit = SNAP_STACK_MAX};
    return w;
}

static inline void world_destroy(struct world *w)
{
    munmap(w->memory, 48 * PAGE);
    stack_arena_deinit(&w->arena);
    free(w);
}

static inline enum status copy(struct world *w, uint64_t sp_off, uint64_t thread_pointer_off)
{
    w->request.sp = w->addr + sp_off;
    w->request.thread_pointer = thread_pointer_off ? w->addr + thread_pointer_off : 0;
    w->arena.used = 0;
    return stack_copy(&w->request, &w->arena, &w->copy);
}

static inline void expect_region(const struct world *w, unsigned i, uint64_t start, uint64_t end,
                                 uint64_t map_end)
{
    const struct snap_region *r = &w->copy.regions[i];

    assert_true(i < w->copy.count);
    assert_int_equal(r->start_addr - w->addr, start);
    assert_int_equal(r->end_addr - w->addr, end);
    assert_int_equal(r->map_end_addr - w->addr, map_end);
    assert_memory_equal(r->bytes, w->memory + start, end - start);
}

static inline void put_word(struct world *w, uint64_t off, uint64_t value)
{
    memcpy(w->memory + off, &value, sizeof(value));
}

#endif
