/* SPDX-License-Identifier: MIT */
#include "unwind/functions/function_marks.h"

#include "unwind/prologue/prologue.h"

uint8_t *marks_at(const struct marks *m, uint64_t vaddr)
{
    for (size_t i = 0; i < m->area_count; i++)
        if (vaddr >= m->areas[i].start_vaddr && vaddr < m->areas[i].end_vaddr)
            return &m->areas[i].marks[vaddr - m->areas[i].start_vaddr];
    return NULL;
}

const struct area *marks_area(const struct marks *m, uint64_t vaddr)
{
    for (size_t i = 0; i < m->area_count; i++)
        if (vaddr >= m->areas[i].start_vaddr && vaddr < m->areas[i].end_vaddr)
            return &m->areas[i];
    return NULL;
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
