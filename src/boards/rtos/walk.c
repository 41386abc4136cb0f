/* SPDX-License-Identifier: MIT */
#include "boards/rtos/walk.h"

#include "base/bits.h"

#include <string.h>

void walk_init(struct walk *w, const struct rtos_layout *layout, const struct rtos_memory *memory,
               struct rtos_tasks *out)
{
    w->layout = layout;
    w->memory = memory;
    w->out = out;
    w->reads_left = WALK_READS_MAX;
    for (unsigned i = 0; i < WALK_BLOCKS; i++)
        w->blocks[i].is_there = false;
}

void walk_problem(struct walk *w, const char *what)
{
    w->out->is_cut = true;
    if (!w->out->problem)
        w->out->problem = what;
}

bool walk_is_late(struct walk *w)
{
    if (!w->memory->is_late || !w->memory->is_late(w->memory->context))
        return false;
    walk_problem(w, "its kernel's lists take too long to read by this link");
    return true;
}

static bool spend(struct walk *w)
{
    if (w->reads_left == 0) {
        walk_problem(w, "its kernel's lists lead to more memory than is looked at");
        return false;
    }
    w->reads_left--;
    return true;
}

/* Returns the cached block; NULL: not all of it is readable, or the limit is reached. */
static const struct walk_block *find_block(struct walk *w, uint64_t addr)
{
    struct walk_block *block = &w->blocks[addr / WALK_BLOCK % WALK_BLOCKS];

    if (block->is_there && block->addr == addr)
        return block;
    if (!spend(w))
        return NULL;
    block->is_there = w->memory->read(w->memory->context, addr, block->bytes, WALK_BLOCK);
    block->addr = addr;
    return block->is_there ? block : NULL;
}

bool walk_read(struct walk *w, uint64_t addr, void *buffer, size_t size)
{
    uint8_t *to = buffer;

    while (size > 0) {
        const size_t at = addr % WALK_BLOCK;
        const size_t part = size < WALK_BLOCK - at ? size : WALK_BLOCK - at;
        const struct walk_block *block = find_block(w, addr - at);

        if (block)
            memcpy(to, block->bytes + at, part);
        else if (!spend(w) || !w->memory->read(w->memory->context, addr, to, part))
            return false; /* the block may end beyond the memory's edge */
        to += part;
        addr += part;
        size -= part;
    }
    return true;
}

bool walk_uint(struct walk *w, uint64_t addr, unsigned size, uint64_t *out)
{
    uint8_t bytes[8];

    if ((size != 1 && size != 2 && size != 4 && size != 8) || !walk_read(w, addr, bytes, size))
        return false;
    *out = 0;
    for (unsigned i = 0; i < size; i++)
        *out |= (uint64_t)bytes[i] << (8 * i);
    return true;
}

bool walk_word(struct walk *w, uint64_t addr, uint64_t *out)
{
    return walk_uint(w, addr, w->layout->arch->word_size, out);
}

bool walk_member(struct walk *w, uint64_t addr, unsigned field, uint64_t *out)
{
    const struct rtos_found *found = &w->layout->fields[field];
    const unsigned size = found->size ? found->size : w->layout->arch->word_size;

    return found->is_there && walk_uint(w, walk_at(w, addr, field), size, out);
}

uint64_t walk_member_or(struct walk *w, uint64_t addr, unsigned field, uint64_t otherwise)
{
    uint64_t value;

    return walk_member(w, addr, field, &value) ? value : otherwise;
}

int64_t walk_signed_or(struct walk *w, uint64_t addr, unsigned field, int64_t otherwise)
{
    const struct rtos_found *found = &w->layout->fields[field];
    uint64_t value;

    if (!walk_member(w, addr, field, &value))
        return otherwise;
    return found->is_signed && found->size ? bits_signed(value, UINT64_C(8) * found->size)
                                           : (int64_t)value;
}

void walk_text(struct walk *w, uint64_t addr, size_t size, char out[RTOS_NAME_MAX])
{
    size_t len = 0;
    uint64_t c;

    while (len < size && len + 1 < RTOS_NAME_MAX && walk_uint(w, addr + len, 1, &c) && c != 0)
        out[len++] = (char)(c >= 0x20 && c < 0x7f ? c : '?');
    out[len] = '\0';
}

void walk_list(struct walk *w, uint64_t list_addr, const struct walk_list *fields, walk_item *item,
               void *context)
{
    const uint64_t end_addr = walk_at(w, list_addr, fields->end);
    uint64_t at, owner;
    bool is_there;

    if (walk_is_late(w))
        return;
    is_there = walk_member(w, list_addr, fields->end_next, &at);
    for (unsigned i = 0; is_there && at != end_addr; i++) {
        if (at == 0 && i == 0)
            return; /* the kernel has not made the list yet */
        if (i == WALK_ITEMS_MAX) {
            walk_problem(w, "a list of its kernel goes in a circle");
            return;
        }
        if (walk_is_late(w))
            return;
        if (!walk_member(w, at, fields->owner, &owner))
            break;
        if (!item(w, at, owner, context))
            return;
        is_there = walk_member(w, at, fields->next, &at);
    }
    if (!is_there || at != end_addr)
        walk_problem(w, "a list of its kernel leads to memory that cannot be read");
}

char rtos_task_letter(uint8_t state)
{
    switch ((enum snap_task_state)state) {
    case SNAP_TASK_RUNNING:
        return 'R';
    case SNAP_TASK_READY:
        return SNAP_STATE_READY;
    case SNAP_TASK_BLOCKED:
        return 'S';
    case SNAP_TASK_SUSPENDED:
        return 'T';
    case SNAP_TASK_ENDED:
        return 'Z';
    case SNAP_TASK_UNKNOWN:
        break;
    }
    return '\0';
}

const struct rtos_task *rtos_tasks_find(const struct rtos_tasks *tasks, uint64_t handle_addr)
{
    for (size_t i = 0; i < tasks->count; i++)
        if (tasks->tasks[i].handle_addr == handle_addr)
            return &tasks->tasks[i];
    return NULL;
}

struct rtos_task *walk_task(struct walk *w, uint64_t handle_addr)
{
    const struct rtos_task *known = rtos_tasks_find(w->out, handle_addr);
    struct rtos_task *task;

    if (known)
        return &w->out->tasks[known - w->out->tasks];
    if (handle_addr == 0 || handle_addr % w->layout->arch->word_size != 0) {
        walk_problem(w, "a list of its kernel has something that is no task");
        return NULL;
    }
    if (w->out->count == RTOS_TASKS_MAX) {
        walk_problem(w, "it has more tasks than are looked at");
        return NULL;
    }
    task = &w->out->tasks[w->out->count++];
    *task = (struct rtos_task){.handle_addr = handle_addr};
    task->told.handle_addr = handle_addr;
    return task;
}

uint64_t walk_painted(struct walk *w, uint64_t start_addr, uint64_t end_addr)
{
    uint64_t at = start_addr, c;

    if (!w->memory->is_cheap || start_addr == 0 || end_addr <= start_addr)
        return 0;
    if (end_addr - start_addr > WALK_PAINTED_MAX)
        end_addr = start_addr + WALK_PAINTED_MAX;
    while (at < end_addr && walk_uint(w, at, 1, &c) && c == w->layout->system->paint)
        at++;
    at -= (at - start_addr) % w->layout->arch->word_size;
    return at == start_addr || at == end_addr ? 0 : at;
}

const struct rtos_object *walk_object(struct walk *w, uint64_t addr, unsigned field)
{
    const struct rtos_layout *layout = w->layout;
    const struct rtos_object *found = NULL;
    uint64_t value;

    for (size_t i = 0; i < layout->object_count; i++)
        if (layout->objects[i].field == field && !layout->objects[i].is_pointer &&
            layout->objects[i].addr == addr)
            return &layout->objects[i];
    for (size_t i = 0; i < layout->object_count && !found; i++)
        if (layout->objects[i].field == field && layout->objects[i].is_pointer &&
            walk_word(w, layout->objects[i].addr, &value) && value == addr)
            found = &layout->objects[i];
    return found;
}

bool walk_is_code(const struct walk *w, uint64_t addr)
{
    const struct rtos_layout *layout = w->layout;

    for (size_t i = 0; i < layout->code_count; i++)
        if (addr >= layout->code[i].start_addr && addr < layout->code[i].end_addr)
            return true;
    return layout->code_count == 0;
}

enum status rtos_walk(const struct rtos_layout *layout, const struct rtos_memory *memory,
                      struct rtos_tasks *out)
{
    out->count = 0;
    out->tick = 0;
    out->is_cut = false;
    out->problem = NULL;
    return layout->system->walk(layout, memory, out);
}
