/* SPDX-License-Identifier: MIT */
#include "unwind/functions/function_marks.h"

#include <string.h>

#include "base/search.h"
#include "unwind/prologue/prologue.h"

const struct area *marks_area(const struct marks *m, uint64_t vaddr)
{
    const size_t at = SEARCH_FIRST(i, 0, m->area_count, m->areas[i].end_vaddr <= vaddr);

    return at < m->area_count && vaddr >= m->areas[at].start_vaddr ? &m->areas[at] : NULL;
}

uint8_t *marks_at(const struct marks *m, uint64_t vaddr)
{
    const struct area *area = marks_area(m, vaddr);

    return area ? &area->marks[vaddr - area->start_vaddr] : NULL;
}

void marks_set(const struct marks *m, uint64_t start_vaddr, uint64_t end_vaddr, uint8_t marks)
{
    const struct area *area = marks_area(m, start_vaddr);

    if (!area)
        return;
    if (end_vaddr > area->end_vaddr)
        end_vaddr = area->end_vaddr;
    for (uint64_t vaddr = start_vaddr; vaddr < end_vaddr; vaddr++)
        area->marks[vaddr - area->start_vaddr] |= marks;
}

void marks_set_code(const struct marks *m, uint64_t start_vaddr, uint64_t end_vaddr)
{
    const struct area *area = marks_area(m, start_vaddr);

    for (uint64_t vaddr = start_vaddr; area && vaddr < end_vaddr && vaddr < area->end_vaddr;
         vaddr++) {
        uint8_t *mark = &area->marks[vaddr - area->start_vaddr];

        if (mark_is_doubtful_data(*mark))
            *mark &= (uint8_t) ~(MARK_DATA | MARK_REJECTED);
        *mark |= MARK_CODE;
    }
}

void marks_set_data(const struct marks *m, uint64_t start_vaddr, uint64_t end_vaddr)
{
    const struct area *area = marks_area(m, start_vaddr);

    for (uint64_t vaddr = start_vaddr; area && vaddr < end_vaddr && vaddr < area->end_vaddr;
         vaddr++) {
        uint8_t *mark = &area->marks[vaddr - area->start_vaddr];

        if (mark_is_doubtful_data(*mark))
            *mark &= (uint8_t)~MARK_REJECTED;
        *mark |= MARK_DATA;
    }
}

void marks_set_doubtful_data(const struct marks *m, uint64_t start_vaddr, uint64_t end_vaddr)
{
    const struct area *area = marks_area(m, start_vaddr);

    for (uint64_t vaddr = start_vaddr; area && vaddr < end_vaddr && vaddr < area->end_vaddr;
         vaddr++) {
        uint8_t *mark = &area->marks[vaddr - area->start_vaddr];

        if (!(*mark & (MARK_DATA | MARK_CODE)))
            *mark |= MARK_DATA | MARK_REJECTED;
    }
}

/* Returns how many of the first `size` marks have none of the bits: all, or up to one that has. */
static size_t count_without(const uint8_t *marks, size_t size, uint8_t bits)
{
    const uint64_t any = bits * (UINT64_MAX / UINT8_MAX);
    size_t i = 0;

    for (uint64_t words[4]; size - i >= sizeof(words); i += sizeof(words)) {
        memcpy(words, marks + i, sizeof(words));
        if ((words[0] | words[1] | words[2] | words[3]) & any)
            break;
    }
    while (i < size && !(marks[i] & bits))
        i++;
    return i;
}

uint64_t marks_limit(struct marks *m, uint64_t vaddr)
{
    const struct area *area = marks_area(m, vaddr);
    const uint64_t left = area->end_vaddr - vaddr;
    const uint64_t most = left < PROLOGUE_FUNCTION_MAX ? left : PROLOGUE_FUNCTION_MAX;
    uint64_t limit = vaddr + 1;
    unsigned i = 0;

    while (i < 2 && !(vaddr >= m->free[i].from_vaddr && vaddr < m->free[i].to_vaddr))
        i++;
    if (i < 2) {
        limit = m->free[i].to_vaddr;
    } else {
        i = !m->last_free;
        m->free[i].from_vaddr = vaddr;
    }
    if (limit < vaddr + most)
        limit += count_without(&area->marks[limit - area->start_vaddr], vaddr + most - limit,
                               MARK_START | MARK_KNOWN | MARK_FRAGMENT);
    m->free[i].to_vaddr = limit;
    m->last_free = i;
    return limit < vaddr + most ? limit : vaddr + most;
}

void marks_start(struct marks *m, uint64_t vaddr, uint8_t mark)
{
    *marks_at(m, vaddr) |= mark;
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t to_vaddr = m->free[i].to_vaddr;

        if (vaddr <= m->free[i].from_vaddr || vaddr >= to_vaddr)
            continue;
        m->free[i].to_vaddr = vaddr;
        m->free[!i].from_vaddr = vaddr;
        m->free[!i].to_vaddr = to_vaddr;
        return;
    }
}
