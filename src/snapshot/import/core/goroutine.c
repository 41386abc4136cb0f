/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/goroutine.h"

#include <elf.h>

#include "runtime/go/memory/go_version.h"

/* Reads across two segments: the first m and g0 may be variables at the end of the file's data. */
static bool read_memory(const void *context, uint64_t addr, void *bytes, size_t size)
{
    const struct core_image *image = context;
    const struct core_segment *segment = core_image_segment(image, addr);
    uint64_t first = segment ? segment->end_addr - addr : 0;

    if (first >= size)
        return core_image_read(image, addr, bytes, size);
    return first && core_image_read(image, addr, bytes, (size_t)first) &&
           core_image_read(image, addr + first, (uint8_t *)bytes + first, size - (size_t)first);
}

/* Returns whether the address is code. gdb omits files' segments that it has no bytes for. */
static bool is_code(const struct core_image *image, const struct core_notes *notes, uint64_t addr)
{
    const struct core_segment *segment = core_image_segment(image, addr);

    if (segment)
        return segment->flags & PF_X;
    return core_notes_file(notes, addr) != NULL;
}

static void add_cuts(struct core_cuts *cuts, const struct goroutine *g)
{
    if (!g->addr)
        return;
    cuts->addrs[cuts->count++] = g->low_addr;
    cuts->addrs[cuts->count++] = g->end_addr;
}

/* Stacks may lie anywhere in the core's memory. */
static bool is_stack(const void *context, const struct goroutine *g)
{
    (void)context, (void)g;
    return true;
}

struct goroutine_memory core_goroutine_memory(const struct core_image *image)
{
    const uint8_t word_size = image->arch->word_size;

    return (struct goroutine_memory){.read = read_memory,
                                     .is_stack = is_stack,
                                     .context = image,
                                     .addr_mask = word_size == 8 ? UINT64_MAX : UINT32_MAX,
                                     .word_size = word_size};
}

void core_goroutine_find(const struct core_image *image, const struct core_notes *notes,
                         unsigned version, const struct core_thread *thread,
                         struct snap_sample *sample, struct core_cuts *cuts)
{
    const struct arch *arch = image->arch;
    const uint64_t off = (uint64_t)(int64_t)arch->goroutine_thread_off;
    struct goroutine_memory memory = core_goroutine_memory(image);
    struct goroutine_look look;

    *cuts = (struct core_cuts){.count = 0};
    memory.sp = thread->regs.value[arch->sp];
    if (arch->goroutine != REG_NONE)
        memory.in_register = thread->regs.value[arch->goroutine] & memory.addr_mask;
    if (thread->thread_pointer)
        memory.slot_addr = (thread->thread_pointer + off) & memory.addr_mask;
    if (!goroutine_look(&memory, &look))
        return;
    /* The SP that a handler interrupted is not known here: the chain will show it. */
    sample->goroutine = goroutine_left(&look.thread, look.elsewhere ? 0 : memory.sp);
    sample->goroutine_id = go_version_goroutine_id(&memory, &look.thread.current, version);
    if (arch->lr == REG_NONE || !is_code(image, notes, sample->goroutine.lr))
        sample->goroutine.lr = 0;
    add_cuts(cuts, &look.on);
    if (look.thread.current.addr != look.on.addr)
        add_cuts(cuts, &look.thread.current);
}
