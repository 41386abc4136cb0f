/* SPDX-License-Identifier: MIT */
#include "unwind/functions/function_marks.h"

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

uint64_t marks_limit(struct marks *m, uint64_t vaddr)
{
    const struct area *area = marks_area(m, vaddr);
    uint64_t limit = vaddr + 1;

    if (vaddr >= m->free_from_vaddr && vaddr < m->free_to_vaddr)
        limit = m->free_to_vaddr;
    while (limit < area->end_vaddr && limit - vaddr < PROLOGUE_FUNCTION_MAX &&
           !(area->marks[limit - area->start_vaddr] & (MARK_START | MARK_KNOWN | MARK_FRAGMENT)))
        limit++;
    m->free_from_vaddr = vaddr;
    m->free_to_vaddr = limit;
    return limit;
}

void marks_start(struct marks *m, uint64_t vaddr, uint8_t mark)
{
    *marks_at(m, vaddr) |= mark;
    if (vaddr > m->free_from_vaddr && vaddr < m->free_to_vaddr)
        m->free_to_vaddr = vaddr;
}
