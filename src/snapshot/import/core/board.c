/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/board.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/analysis/analysis.h"
#include "snapshot/import/core/heads.h"
#include "snapshot/import/core/link_map.h"
#include "snapshot/import/vectors.h"

/* Segments whose beginning is searched for an ELF header. */
#define HEADS_LOOKED_AT 4096u
#define PAGE_SIZE_LEAST 4096u

/*
 * Layout of tskTaskControlBlock of ESP-IDF's FreeRTOS: pxTopOfStack, two list items of five words
 * each, uxPriority, pxStack, pcTaskName. Its lists have no integrity checks.
 */
#define TASK_NAME_OFF (4u + 2u * 20u + 4u + 4u)

/* Returns whether memory has a program with a dynamic section, or the dynamic linker's list. */
static bool has_linker(const struct core_image *image)
{
    struct core_head head;

    for (size_t i = 0; i < image->count && i < HEADS_LOOKED_AT; i++)
        if (core_head_read(image, image->segments[i].start_addr, PAGE_SIZE_LEAST, &head) &&
            head.dynamic_addr)
            return true;
    return core_debug_scan(image) != 0;
}

static bool find_sign(const struct core_image *image, const struct core_notes *notes,
                      const struct regs *regs, uint8_t *profile)
{
    const struct board_arch *board = arch_analysis(image->arch)->board;

    if (!board || notes->file_text || notes->auxv_size)
        return false;
    *profile = board->profile;
    if (notes->has_stacks || notes->is_esp)
        return true;
    switch (board->sign(regs, profile)) {
    case BOARD_NO:
        return false;
    case BOARD_MAYBE:
        return !has_linker(image);
    case BOARD_YES:
        return true;
    }
    return false;
}

/* Returns whether segment i continues in the next one, in memory and in the file. */
static bool goes_on(const struct core_image *image, size_t i)
{
    const struct core_segment *low = &image->segments[i], *high = low + 1;

    return low->end_addr == high->start_addr && low->size == low->end_addr - low->start_addr &&
           low->off + low->size == high->off && (low->flags & PF_X) == (high->flags & PF_X);
}

/* Joins adjacent segments: gdb makes one of each section, and a stack may lie in several. */
static void join_segments(struct core_image *image)
{
    size_t kept = 0;

    for (size_t i = 1; i < image->count; i++) {
        struct core_segment next = image->segments[i];

        if (next.start_addr == image->segments[kept].end_addr) {
            image->segments[kept + 1] = next;
            if (goes_on(image, kept)) {
                image->segments[kept].end_addr = next.end_addr;
                image->segments[kept].size += next.size;
                image->segments[kept].flags |= next.flags;
                continue;
            }
        }
        image->segments[++kept] = next;
    }
    if (image->count)
        image->count = kept + 1;
}

/* Marks the segment of an executed address as code: most writers do not set its flags. */
static void mark_code(struct core_image *image, uint64_t addr)
{
    const struct core_segment *segment =
        core_image_segment(image, addr & ~(uint64_t)image->arch->isa_bit);

    if (segment && segment->size)
        image->segments[segment - image->segments].flags |= PF_X;
}

static void mark_codes(struct core_image *image, const struct core_notes *notes)
{
    const struct arch *arch = image->arch;
    struct core_thread thread;

    for (size_t i = 0; i < notes->thread_count; i++) {
        if (!core_notes_thread(notes, image, i, &thread))
            return;
        mark_code(image, thread.regs.value[arch->pc]);
        if (arch->lr != REG_NONE)
            mark_code(image, thread.regs.value[arch->lr]);
    }
}

/* Moves the crashed task to the front: it is what users look for first. */
static void put_crashed_first(struct core_image *image, struct core_notes *notes)
{
    struct core_thread thread;

    for (size_t i = 1; notes->crashed_addr && i < notes->thread_count; i++) {
        const struct core_thread_notes moved = notes->threads[i];

        if (!core_notes_thread(notes, image, i, &thread))
            return;
        if (thread.tid != notes->crashed_addr)
            continue;
        memmove(notes->threads + 1, notes->threads, i * sizeof(*notes->threads));
        notes->threads[0] = moved;
        return;
    }
}

static int compare_tids(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Has threads numbered if their own numbers are equal or 0, as a board's contexts have none. */
static enum status number_threads(struct core_image *image, struct core_notes *notes)
{
    uint32_t *tids = calloc(notes->thread_count, sizeof(*tids));
    struct core_thread thread;
    size_t count = 0;

    if (!tids)
        return STATUS_NO_MEMORY;
    while (count < notes->thread_count && core_notes_thread(notes, image, count, &thread))
        tids[count++] = thread.tid;
    qsort(tids, count, sizeof(*tids), compare_tids);
    notes->numbers_threads = count > 0 && tids[0] == 0;
    for (size_t i = 1; i < count; i++)
        notes->numbers_threads |= tids[i] == tids[i - 1];
    free(tids);
    return STATUS_OK;
}

static bool read_image(const void *image, uint64_t addr, void *buffer, size_t size)
{
    return core_image_read(image, addr, buffer, size);
}

enum status core_board_find(struct core_image *image, struct core_notes *notes,
                            struct core_board *out)
{
    const struct vector_memory memory = {.read = read_image, .context = image};
    struct core_thread thread;
    uint8_t profile;

    *out = (struct core_board){.is_board = false};
    if (!core_notes_thread(notes, image, 0, &thread) ||
        !find_sign(image, notes, &thread.regs, &profile))
        return STATUS_OK;
    put_crashed_first(image, notes);
    if (number_threads(image, notes) != STATUS_OK)
        return STATUS_NO_MEMORY;
    join_segments(image);
    mark_codes(image, notes);
    out->is_board = true;
    out->facts = (struct snap_board){.profile = profile, .machine = notes->is_esp ? "ESP-IDF" : ""};
    for (size_t i = 0; i < image->count && !out->facts.vectors_addr; i++)
        vectors_try(&memory, image->segments[i].start_addr, &out->facts);
    return STATUS_OK;
}

static bool is_text(const char *name, size_t size)
{
    size_t len = strnlen(name, size);

    for (size_t i = 0; i < len; i++)
        if (name[i] < ' ' || name[i] > '~')
            return false;
    return len > 0;
}

void core_board_task_name(const struct core_image *image, const struct core_notes *notes,
                          uint64_t handle_addr, char name[CORE_TASK_NAME_SIZE + 1])
{
    memset(name, 0, CORE_TASK_NAME_SIZE + 1);
    if (notes->is_esp &&
        core_image_read(image, handle_addr + TASK_NAME_OFF, name, CORE_TASK_NAME_SIZE) &&
        is_text(name, CORE_TASK_NAME_SIZE))
        return;
    name[0] = '\0';
}
