/* SPDX-License-Identifier: MIT */
#include "snapshot/board_facts.h"

#include <stdlib.h>
#include <string.h>

static bool make(struct board_facts **facts)
{
    if (!*facts)
        *facts = calloc(1, sizeof(**facts));
    return *facts;
}

enum status board_facts_take_system(struct board_facts **facts, struct cursor *c, const char **what)
{
    struct snap_system system[SNAP_SYSTEM_MAX];
    uint64_t time_ns;
    uint16_t count;

    *what = "system record is too short";
    if (!cursor_u64(c, &time_ns) || !cursor_u16(c, &count))
        return STATUS_BAD_DATA;
    *what = "system record has more registers than there can be";
    if (count > SNAP_SYSTEM_MAX)
        return STATUS_BAD_DATA;
    *what = "system record is too short";
    for (unsigned i = 0; i < count; i++)
        if (!cursor_u32(c, &system[i].number) || !cursor_u64(c, &system[i].value))
            return STATUS_BAD_DATA;
    if (!make(facts))
        return STATUS_NO_MEMORY;
    memcpy((*facts)->system, system, count * sizeof(system[0]));
    (*facts)->system_count = count;
    (*facts)->system_ns = time_ns;
    return STATUS_OK;
}

static bool read_text(struct cursor *c, char out[BOARD_TEXT_MAX])
{
    const uint8_t *bytes;
    uint16_t size;

    if (!cursor_u16(c, &size) || !cursor_bytes(c, size, &bytes))
        return false;
    if (size >= BOARD_TEXT_MAX)
        size = BOARD_TEXT_MAX - 1;
    memcpy(out, bytes, size);
    out[size] = '\0';
    return true;
}

enum status board_facts_take_task(struct board_facts **facts, struct cursor *c, const char **what)
{
    char object[BOARD_TEXT_MAX], name[BOARD_TEXT_MAX];
    uint32_t priority, base_priority;
    struct snap_task task = {0};

    *what = "task record is too short";
    if (!cursor_u64(c, &task.time_ns) || !cursor_u64(c, &task.handle_addr) ||
        !cursor_u32(c, &priority) || !cursor_u32(c, &base_priority) || !cursor_u8(c, &task.state) ||
        !cursor_u8(c, &task.wait_kind) || !cursor_u8(c, &task.flags) ||
        !cursor_u64(c, &task.stack_start_addr) || !cursor_u64(c, &task.stack_end_addr) ||
        !cursor_u64(c, &task.stack_used_addr) || !cursor_u64(c, &task.object_addr) ||
        !cursor_u32(c, &task.holder_tid) || !cursor_u64(c, &task.wake_tick) ||
        !read_text(c, object) || !read_text(c, name) || !cursor_u64(c, &task.tick))
        return STATUS_BAD_DATA;
    *what = "task record has a stack that ends before it begins";
    if (task.stack_end_addr < task.stack_start_addr)
        return STATUS_BAD_DATA;
    task.priority = (int32_t)priority;
    task.base_priority = (int32_t)base_priority;
    if (task.state > SNAP_TASK_ENDED)
        task.state = SNAP_TASK_UNKNOWN;
    if (task.wait_kind > SNAP_TASK_WAIT_OTHER)
        task.wait_kind = SNAP_TASK_WAIT_NONE;
    if (task.stack_used_addr < task.stack_start_addr || task.stack_used_addr > task.stack_end_addr)
        task.stack_used_addr = 0;
    if (!make(facts))
        return STATUS_NO_MEMORY;
    memcpy((*facts)->new_object, object, sizeof(object));
    memcpy((*facts)->system_name, name, sizeof(name));
    (*facts)->new_task = task;
    (*facts)->has_new_task = true;
    return STATUS_OK;
}

void board_facts_settle(struct board_facts *facts)
{
    if (!facts || !facts->has_new_task)
        return;
    facts->task = facts->new_task;
    memcpy(facts->object, facts->new_object, sizeof(facts->object));
    facts->task.object = facts->object;
    facts->task.system = facts->system_name;
    facts->has_task = true;
    facts->has_new_task = false;
}

void board_facts_give(const struct board_facts *facts, uint64_t sample_ns, struct snap_sample *s)
{
    const bool are_its = facts && facts->system_count && facts->system_ns == sample_ns;

    s->system = are_its ? facts->system : NULL;
    s->system_count = are_its ? facts->system_count : 0;
    s->task = facts && facts->has_task ? &facts->task : NULL;
}
