/* SPDX-License-Identifier: MIT */
/*
 * Known conditions, for waits on a word of a condition whose memory was not captured, or was read
 * too late.
 */
#include <stdlib.h>

#include "threads/waits/wait_private.h"

#include "base/keyed_hash.h"

/*
 * Offsets of the words of a pthread_cond_t (48 bytes everywhere) that threads wait on: its own
 * lock, the count of waiters while it is destroyed, and the words that are signalled.
 */
#define WORDS 6
static const struct {
    uint8_t count, offsets[WORDS];
} words[CONDITION_LAYOUT_COUNT] = {
    [CONDITION_GLIBC_2_24] = {4, {0, 4, 36, 40}},
    [CONDITION_GLIBC_2_25] = {6, {16, 20, 32, 36, 40, 44}},
    [CONDITION_GLIBC_2_41] = {4, {24, 28, 32, 36}},
    [CONDITION_MUSL] = {2, {8, 32}},
};

static uint64_t condition_key(const struct waits *waits, uint32_t pid, uint64_t addr)
{
    return keyed_words(keyed_words(pid, wait_program(waits, pid)), addr);
}

/* Returns the known condition of a layout that has the word; NULL: none. */
static const struct wait_object *find_condition(const struct finding *finding, uint64_t futex_addr,
                                                enum condition_layout layout)
{
    const struct waits *waits = finding->waits;
    const uint32_t pid = finding->sample->pid;

    for (size_t i = 0; i < words[layout].count; i++) {
        uint64_t addr = futex_addr - words[layout].offsets[i];
        const uint64_t *object =
            map_get(&waits->private->conditions, condition_key(waits, pid, addr));

        if (object && waits->objects[*object].addr == addr && waits->objects[*object].pid == pid &&
            waits->private->lives[*object].layout == layout)
            return &waits->objects[*object];
    }
    return NULL;
}

void wait_take_condition(struct finding *finding, struct lock_found *found)
{
    const struct wait_object *known = NULL;

    if (found->kind != WAIT_CONDITION || !found->doubt)
        return;
    for (unsigned layout = 0; layout < CONDITION_LAYOUT_COUNT && !known; layout++)
        known = find_condition(finding, found->addr, (enum condition_layout)layout);
    if (known) {
        found->addr = known->addr;
        found->doubt = NULL;
    } else {
        finding->lost_addr = found->addr;
    }
}

static bool has_word(const struct wait_object *condition, enum condition_layout layout,
                     const struct lost_wait *lost)
{
    for (size_t i = 0; i < words[layout].count; i++)
        if (condition->pid == lost->pid &&
            condition->addr + words[layout].offsets[i] == lost->futex_addr)
            return true;
    return false;
}

enum status wait_note_condition(struct waits *waits, uint32_t object)
{
    struct waits_private *p = waits->private;
    const struct wait_object *condition = &waits->objects[object];
    enum status status = STATUS_OK;
    size_t kept = 0;

    if (!map_put(&p->conditions, condition_key(waits, condition->pid, condition->addr), object))
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < p->lost_count && status == STATUS_OK; i++) {
        struct wait *wait = &waits->list[p->lost[i].wait];

        if (has_word(condition, p->lives[object].layout, &p->lost[i])) {
            wait->object = object;
            wait->doubt = NULL;
            status = wait_index_again(waits, p->lost[i].wait);
        } else {
            p->lost[kept++] = p->lost[i];
        }
    }
    p->lost_count = kept;
    return status;
}

void wait_forget_lost(struct waits *waits, uint32_t pid)
{
    struct waits_private *p = waits->private;
    size_t kept = 0;

    for (size_t i = 0; i < p->lost_count; i++)
        if (p->lost[i].pid != pid)
            p->lost[kept++] = p->lost[i];
    p->lost_count = kept;
}

enum status wait_note_lost(struct finding *finding, uint32_t wait)
{
    struct waits_private *p = finding->waits->private;

    if (finding->waits->list[wait].object == WAIT_NONE) /* there are too many objects */
        return STATUS_OK;
    if (!p->lost)
        p->lost = calloc(NAMELESS_MAX, sizeof(*p->lost));
    if (!p->lost)
        return STATUS_NO_MEMORY;
    if (p->lost_count < NAMELESS_MAX)
        p->lost[p->lost_count++] = (struct lost_wait){.wait = wait,
                                                      .pid = finding->sample->pid,
                                                      .futex_addr = finding->lost_addr};
    return STATUS_OK;
}
