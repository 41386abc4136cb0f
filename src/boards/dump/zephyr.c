/* SPDX-License-Identifier: MIT */
#include "boards/dump/zephyr.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/analysis/analysis.h"
#include "base/cursor.h"
#include "boards/dump/dump.h"

#define VERSION_MAX    2u
#define MEMORY_VERSION 1u

struct zephyr_reader {
    struct cursor c;
    const char *name;
    const struct arch *arch;
    const struct board_arch *board;
    unsigned word;
    struct dump *dump;
    bool has_regs;
    bool is_log; /* offsets are in the decoded log */
};

static const char *reason_name(uint32_t reason)
{
    static const char *const names[] = {"CPU exception", "spurious interrupt",
                                        "stack check failure", "kernel oops", "kernel panic"};

    return reason < sizeof(names) / sizeof(names[0]) ? names[reason] : "a reason of its own";
}

bool zephyr_begins(const uint8_t *head, size_t size)
{
    if (size >= ZEPHYR_HEAD_SIZE && head[0] == 'Z' && head[1] == 'E' && head[2] >= 1 &&
        head[2] <= 0x0f && head[3] == 0)
        return true;
    for (size_t i = 0; i < size; i++)
        if (head[i] < ' ' && (!head[i] || !strchr("\t\n\r\033", head[i])))
            return false;
    return size > 0;
}

static enum status bad(const struct zephyr_reader *r, struct diag *diag, const char *what)
{
    diag_set_at(diag, r->name, r->c.pos, "%s%s", what,
                r->is_log ? " (an offset in what the log stands for)" : "");
    return STATUS_BAD_DATA;
}

/* Finds the architecture by the target's code and the size of its pointers. */
static void find_arch(struct zephyr_reader *r, uint16_t target)
{
    for (unsigned id = 0; id < ARCH_COUNT; id++) {
        const struct arch *arch = arch_get((enum arch_id)id);
        const struct board_arch *board = arch_analysis(arch)->board;

        if (board && board->zephyr_target == target && arch->word_size == r->word) {
            r->arch = arch;
            r->board = board;
        }
    }
}

static enum status read_head(struct zephyr_reader *r, struct diag *diag)
{
    uint8_t id[2], log2_bits, flags;
    uint16_t version, target;
    uint32_t reason;

    if (!cursor_u8(&r->c, &id[0]) || !cursor_u8(&r->c, &id[1]) || !cursor_u16(&r->c, &version) ||
        !cursor_u16(&r->c, &target) || !cursor_u8(&r->c, &log2_bits) || !cursor_u8(&r->c, &flags) ||
        !cursor_u32(&r->c, &reason))
        return bad(r, diag, "the dump ends within its header");
    if (id[0] != 'Z' || id[1] != 'E')
        return bad(r, diag, "no dump of Zephyr begins so");
    if (version == 0 || version > VERSION_MAX) {
        diag_set_at(diag, r->name, 2, "is a dump of Zephyr of version %u; 1 and 2 can be read",
                    version);
        return STATUS_UNSUPPORTED;
    }
    r->word = log2_bits == 5 ? 4 : log2_bits == 6 ? 8 : 0;
    find_arch(r, target);
    if (!r->arch) {
        diag_set_at(diag, r->name, 4, "is a dump of Zephyr's target %u with pointers of 2^%u bits",
                    target, log2_bits);
        diag_hint(diag, "those of ARM Cortex-M (3) and RISC-V (4) can be read");
        return STATUS_UNSUPPORTED;
    }
    r->dump->board.profile = r->board->profile;
    snprintf(r->dump->system, sizeof(r->dump->system), "Zephyr, ended by %s (reason %" PRIu32 ")",
             reason_name(reason), reason);
    return STATUS_OK;
}

static const struct zephyr_block *find_block(const struct zephyr_reader *r, uint16_t version,
                                             size_t size)
{
    for (unsigned i = 0; i < r->board->zephyr_block_count; i++) {
        const struct zephyr_block *block = &r->board->zephyr_blocks[i];

        if (block->version == version && size >= (size_t)block->count * r->word)
            return block;
    }
    return NULL;
}

static enum status read_regs(struct zephyr_reader *r, struct diag *diag)
{
    struct regs *regs = &r->dump->regs;
    const struct zephyr_block *block;
    uint16_t version, size;
    uint64_t value, seen = 0;
    struct cursor c;
    const uint8_t *bytes;

    if (!cursor_u16(&r->c, &version) || !cursor_u16(&r->c, &size) ||
        !cursor_bytes(&r->c, size, &bytes))
        return STATUS_END;
    block = find_block(r, version, size);
    if (!block) {
        diag_set_at(diag, r->name, r->c.pos - size,
                    "the registers are in a block of version %u with %u bytes, which is not known",
                    version, size);
        return STATUS_UNSUPPORTED;
    }
    c = cursor_init(bytes, size);
    for (unsigned i = 0; i < block->count; i++) {
        if (!cursor_uint(&c, r->word, &value))
            break;
        regs_set(regs, block->regs[i], value);
        if (block->may_lack >> block->regs[i] & 1)
            seen |= value;
    }
    for (unsigned reg = 0; reg < ARCH_REG_MAX && !seen; reg++)
        if (block->may_lack >> reg & 1)
            regs_forget(regs, reg);
    r->has_regs = true;
    return STATUS_OK;
}

static enum status read_memory(struct zephyr_reader *r, struct diag *diag)
{
    const size_t left = cursor_left(&r->c);
    struct dump_block block;
    uint16_t version;
    uint64_t size;

    if (!cursor_u16(&r->c, &version) || !cursor_uint(&r->c, r->word, &block.start_addr) ||
        !cursor_uint(&r->c, r->word, &block.limit_addr))
        return STATUS_END;
    if (version != MEMORY_VERSION || block.start_addr > block.limit_addr) {
        r->c.pos = r->c.size - left;
        return bad(r, diag, "a block of memory says what cannot be");
    }
    size = block.limit_addr - block.start_addr;
    if (size > cursor_left(&r->c))
        size = cursor_left(&r->c);
    block.end_addr = block.start_addr + size;
    if (!cursor_bytes(&r->c, size, &block.bytes) ||
        dump_memory_add(&r->dump->memory, &block) != STATUS_OK)
        return STATUS_NO_MEMORY;
    return block.end_addr < block.limit_addr ? STATUS_END : STATUS_OK;
}

/* Skips the block of threads, which needs the program's debug information. */
static enum status skip_threads(struct zephyr_reader *r)
{
    uint16_t version, size;

    return cursor_u16(&r->c, &version) && cursor_u16(&r->c, &size) && cursor_skip(&r->c, size)
               ? STATUS_OK
               : STATUS_END;
}

/* Reads all blocks. OK: the dump ends behind a block; END: within one. */
static enum status read_blocks(struct zephyr_reader *r, struct diag *diag)
{
    enum status status = STATUS_OK;
    uint8_t id;

    while (status == STATUS_OK) {
        if (!cursor_u8(&r->c, &id))
            return STATUS_OK;
        switch (id) {
        case 'A':
            status = read_regs(r, diag);
            break;
        case 'M':
            status = read_memory(r, diag);
            break;
        case 'T':
            status = skip_threads(r);
            break;
        default:
            r->c.pos--;
            return bad(r, diag, "no block of a dump begins so: A, M or T is expected");
        }
    }
    return status;
}

/*
 * Moves SP above the words that the processor saved for the fault (ARMv7-M ARM, B1.5.6), if they
 * are there. Zephyr before 2023 leaves SP below them; later ones add their size.
 */
static void leave_frame(struct zephyr_reader *r)
{
    const struct board_arch *board = r->board;
    const uint64_t sp = r->dump->regs.value[r->arch->sp];
    uint64_t size = (uint64_t)board->frame_count * r->word, last = 0;

    for (unsigned i = 0; i < board->frame_count; i++) {
        uint32_t word;

        if (!dump_memory_read(&r->dump->memory, sp + i * sizeof(word), &word, sizeof(word)) ||
            word != r->dump->regs.value[board->frame_regs[i]])
            return;
        last = word;
    }
    if (last >> board->frame_pad_bit & 1)
        size += r->word;
    if (size)
        regs_set(&r->dump->regs, r->arch->sp, sp + size);
}

static void note_end(const struct zephyr_reader *r, bool is_cut, struct snap_source *source)
{
    const struct dump *dump = r->dump;

    if (is_cut) {
        source->cut_short = true;
        source->cut_off = r->c.pos;
    }
    if (dump->memory.is_full)
        diag_set(source_note(source), r->name, "has more memory than is kept of a dump");
    if (dump->memory.has_overlaps)
        diag_set(source_note(source), r->name,
                 "blocks of memory overlap: what comes first is believed");
}

static enum status read_all(struct zephyr_reader *r, struct snap_source **out, bool is_cut,
                            struct diag *diag)
{
    enum status status = read_head(r, diag);

    if (status == STATUS_OK)
        status = read_blocks(r, diag);
    is_cut |= status == STATUS_END;
    if (status == STATUS_END)
        status = STATUS_OK;
    if (status == STATUS_OK && (!r->has_regs || !regs_has(&r->dump->regs, r->arch->pc) ||
                                !regs_has(&r->dump->regs, r->arch->sp))) {
        status = bad(r, diag,
                     is_cut ? "no registers are in the dump, which is cut short"
                            : "no registers are in the dump");
    }
    if (status != STATUS_OK) {
        dump_free(r->dump);
        return status;
    }
    status = dump_open(r->dump, r->arch, out);
    if (status != STATUS_OK)
        return status;
    leave_frame(r);
    note_end(r, is_cut, *out);
    (*out)->format = r->is_log ? "dump of Zephyr, in a log" : "dump of Zephyr";
    return STATUS_OK;
}

enum status zephyr_source_open(struct source_input *input, struct snap_source **out,
                               struct diag *diag)
{
    struct zephyr_reader r = {.name = input->name, .is_log = input->head[0] != 'Z'};
    bool is_whole = true;
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum status status =
        source_read_all(input, (size_t)(r.is_log ? ZEPHYR_LOG_MAX : ZEPHYR_FILE_MAX), &bytes, &size,
                        diag);

    if (status == STATUS_OK && r.is_log)
        status = zephyr_log_decode(bytes, &size, &is_whole, input->name, diag);
    if (status == STATUS_OK) {
        r.c = cursor_init(bytes, size);
        r.dump = calloc(1, sizeof(*r.dump));
        status = r.dump ? read_all(&r, out, !is_whole, diag) : STATUS_NO_MEMORY;
    }
    free(bytes);
    return status;
}
