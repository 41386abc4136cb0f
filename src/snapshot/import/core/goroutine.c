/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/goroutine.h"

#include <elf.h>

#include "snapshot/goroutine.h"

/* The first m and g0 may be variables across the end of the file's data: of two segments. */
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

/* gdb leaves segments out that it has no bytes for: those of files. */
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

void core_goroutine_find(const struct core_image *image, const struct core_notes *notes,
                         const struct core_thread *thread, struct snap_goroutine *goroutine,
                         struct core_cuts *cuts)
{
    const struct arch *arch = image->arch;
    const uint64_t mask = arch->word_size == 8 ? UINT64_MAX : UINT32_MAX;
    const uint64_t off = (uint64_t)(int64_t)arch->goroutine_thread_off;
    const struct goroutine_memory memory = {
        .read = read_memory,
        .context = image,
        .addr_mask = mask,
        .word_size = arch->word_size,
        .in_register = arch->goroutine == REG_NONE ? 0 : thread->regs.value[arch->goroutine] & mask,
        .slot_addr = thread->thread_pointer ? (thread->thread_pointer + off) & mask : 0,
        .sp = thread->regs.value[arch->sp],
    };
    struct goroutine_look look;

    *cuts = (struct core_cuts){.count = 0};
    *goroutine = (struct snap_goroutine){.state = SNAP_GOROUTINE_UNKNOWN};
    if (!goroutine_look(&memory, &look))
        return;
    /* What a handler interrupted is not known here: the chain will show it. */
    *goroutine = goroutine_left(&look.thread, look.elsewhere ? 0 : memory.sp);
    if (arch->lr == REG_NONE || !is_code(image, notes, goroutine->lr))
        goroutine->lr = 0;
    add_cuts(cuts, &look.on);
    if (look.thread.current.addr != look.on.addr)
        add_cuts(cuts, &look.thread.current);
}
