/* SPDX-License-Identifier: MIT */
#include "boards/dump/dump.h"

#include <stdlib.h>

#include "arch/analysis/analysis.h"
#include "snapshot/import/vectors.h"

#define DUMP_ID           1u          /* of the process and its thread: a board has no numbers */
#define CODE_END_ADDR     0x20000000u /* of the M-profile: below is code (ARMv7-M ARM, B3.1) */
#define PROT_READ_EXECUTE 5

enum stage { STAGE_PROCESS, STAGE_BOARD, STAGE_MAPS, STAGE_THREAD, STAGE_SAMPLE, STAGE_END };

void dump_free(struct dump *dump)
{
    if (dump) {
        dump_memory_free(&dump->memory);
        free(dump->regions);
    }
    free(dump);
}

static bool holds(const struct dump_block *block, const struct dump *dump, unsigned reg)
{
    const struct arch *arch = dump->base.arch;
    const uint64_t addr = dump->regs.value[reg] & ~(uint64_t)arch->isa_bit;

    return regs_has(&dump->regs, reg) && addr >= block->start_addr && addr < block->end_addr;
}

/*
 * Guesses whether a block has code, which no dump says: PC or LR is in it, or the M-profile has
 * code at its address.
 */
static bool has_code(const struct dump *dump, const struct dump_block *block)
{
    const struct arch *arch = dump->base.arch;

    return (dump->board.profile == SNAP_PROFILE_ARM_M && block->start_addr < CODE_END_ADDR) ||
           holds(block, dump, arch->pc) || (arch->lr != REG_NONE && holds(block, dump, arch->lr));
}

static void give_process(const struct dump *dump, struct snap_event *event)
{
    *event = (struct snap_event){.type = SNAP_PROCESS,
                                 .process = {.pid = DUMP_ID,
                                             .word_size = dump->base.arch->word_size,
                                             .exe = BOARD_NAME,
                                             .host = "",
                                             .kernel = dump->system,
                                             .command_line = (const uint8_t *)"",
                                             .auxv = (const uint8_t *)""}};
}

/* Gives the next MAP or CODE; false: none left. */
static bool give_map(struct dump *dump, struct snap_event *event)
{
    const struct dump_memory *memory = &dump->memory;
    const struct dump_block *block;

    while (dump->index < memory->count) {
        block = &memory->list[dump->index];
        if (dump->code_is_due) {
            dump->code_is_due = false;
            dump->index++;
            *event = (struct snap_event){.type = SNAP_CODE,
                                         .range = {.pid = DUMP_ID,
                                                   .start_addr = block->start_addr,
                                                   .end_addr = block->end_addr,
                                                   .bytes = block->bytes}};
            return true;
        }
        if (has_code(dump, block)) {
            dump->code_is_due = true;
            *event = (struct snap_event){.type = SNAP_MAP,
                                         .map = {.pid = DUMP_ID,
                                                 .kind = SNAP_MAP_ANON,
                                                 .prot = PROT_READ_EXECUTE,
                                                 .start_addr = block->start_addr,
                                                 .end_addr = block->end_addr,
                                                 .path = ""}};
            return true;
        }
        dump->index++;
    }
    return false;
}

/* Gives the SAMPLE: its first region is the stack's block, the others follow by address. */
static void give_sample(struct dump *dump, struct snap_event *event)
{
    const struct dump_memory *memory = &dump->memory;
    const uint64_t sp = dump->regs.value[dump->base.arch->sp];
    const struct dump_block *stack = dump_memory_find(memory, sp);
    uint32_t count = 0;

    if (!stack && sp) /* of an empty stack, which SP is the end of */
        stack = dump_memory_find(memory, sp - 1);
    for (size_t i = 0; i <= memory->count; i++) {
        const struct dump_block *block = i == 0 ? stack : &memory->list[i - 1];

        if (!block || (i > 0 && block == stack))
            continue;
        dump->regions[count++] = (struct snap_region){.start_addr = block->start_addr,
                                                      .end_addr = block->end_addr,
                                                      .map_end_addr = block->limit_addr,
                                                      .bytes = block->bytes};
    }
    *event = (struct snap_event){.type = SNAP_SAMPLE,
                                 .sample = {.pid = DUMP_ID,
                                            .tid = DUMP_ID,
                                            .regs = dump->regs,
                                            .system = dump->system_regs.list,
                                            .system_count = dump->system_regs.count,
                                            .regions = dump->regions,
                                            .region_count = count}};
}

static enum status dump_next(struct snap_source *base, struct snap_event *event, struct diag *diag)
{
    struct dump *dump = (struct dump *)base;

    (void)diag;
    switch ((enum stage)dump->stage) {
    case STAGE_PROCESS:
        give_process(dump, event);
        break;
    case STAGE_BOARD:
        *event = (struct snap_event){.type = SNAP_BOARD, .board = dump->board};
        event->board.pid = DUMP_ID;
        break;
    case STAGE_MAPS:
        if (give_map(dump, event))
            return STATUS_OK;
        dump->stage = STAGE_THREAD;
        __attribute__((fallthrough));
    case STAGE_THREAD:
        *event =
            (struct snap_event){.type = SNAP_THREAD,
                                .thread = {.pid = DUMP_ID, .tid = DUMP_ID, .name = BOARD_NAME}};
        break;
    case STAGE_SAMPLE:
        give_sample(dump, event);
        break;
    case STAGE_END:
        return STATUS_END;
    }
    dump->stage++;
    return STATUS_OK;
}

static bool dump_read(const struct snap_source *base, uint64_t addr, void *buffer, size_t size)
{
    return dump_memory_read(&((const struct dump *)base)->memory, addr, buffer, size);
}

static void dump_destroy(struct snap_source *base)
{
    dump_free((struct dump *)base);
}

static void find_vectors(struct dump *dump)
{
    const struct vector_memory memory = {.read = dump_memory_read, .context = &dump->memory};

    for (size_t i = 0; i < dump->memory.count && !dump->board.initial_sp; i++)
        vectors_try(&memory, dump->memory.list[i].start_addr, &dump->board);
}

enum status dump_open(struct dump *dump, const struct arch *arch, struct snap_source **out)
{
    static const struct source_ops ops = {.next = dump_next,
                                          .read = dump_read,
                                          .destroy = dump_destroy};
    enum status status = dump_memory_end(&dump->memory);

    if (status == STATUS_OK) {
        dump->regions = calloc(dump->memory.count + 1, sizeof(*dump->regions));
        status = dump->regions ? STATUS_OK : STATUS_NO_MEMORY;
    }
    if (status != STATUS_OK) {
        dump_free(dump);
        return status;
    }
    dump->base.kind = SOURCE_CORE;
    dump->base.arch = arch;
    dump->base.ops = &ops;
    if (!dump->board.machine)
        dump->board.machine = "";
    find_vectors(dump);
    *out = &dump->base;
    return STATUS_OK;
}
