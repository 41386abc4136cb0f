/* SPDX-License-Identifier: MIT */
/*
 * The conditions that are known, for waits on a word of one whose memory was not captured, or is
 * younger than the wait.
 */
#include <stdlib.h>

#include "threads/waits/wait_private.h"

#include "base/hash.h"

/*
 * Where a pthread_cond_t, of 48 bytes everywhere, has words that threads wait on. glibc: g_refs[2],
 * the lock in g1_orig_size, wrefs, g_signals[2]; musl: the sequence and the lock.
 */
static const uint8_t word_offsets[] = {8, 16, 20, 32, 36, 40, 44};
#define WORDS (sizeof(word_offsets) / sizeof(word_offsets[0]))

static uint64_t condition_key(const struct waits *waits, uint32_t pid, uint64_t addr)
{
    return hash_words(hash_words(pid, wait_program(waits, pid)), addr);
}

void wait_take_condition(struct finding *finding, struct lock_found *found)
{
    struct waits_private *p = finding->waits->private;
    const uint64_t futex_addr = found->addr;

    if (found->kind != WAIT_CONDITION || !found->doubt)
        return;
    for (size_t i = 0; i < WORDS; i++) {
        uint64_t addr = futex_addr - word_offsets[i];
        const uint64_t *object =
            map_get(&p->conditions, condition_key(finding->waits, finding->sample->pid, addr));

        if (!object || finding->waits->objects[*object].addr != addr ||
            finding->waits->objects[*object].pid != finding->sample->pid)
            continue;
        found->addr = addr;
        found->doubt = NULL;
        return;
    }
    finding->lost_addr = futex_addr;
}

static bool has_word(const struct wait_object *condition, const struct lost_wait *lost)
{
    for (size_t i = 0; i < WORDS; i++)
        if (condition->pid == lost->pid && condition->addr + word_offsets[i] == lost->futex_addr)
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

        if (has_word(condition, &p->lost[i])) {
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

    if (finding->waits->list[wait].object == WAIT_NONE) /* there are too many: it is of no one */
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
