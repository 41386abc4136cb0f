/* SPDX-License-Identifier: MIT */
#include "runtime/jit/jit_dump.h"

#include <string.h>

#define MAGIC         UINT32_C(0x4a695444)
#define MAGIC_SWAPPED UINT32_C(0x4454694a)
#define HEADER_SIZE   40u
#define PREFIX_SIZE   16u

enum { CODE_LOAD = 0, CODE_MOVE = 1 };

bool jit_dump_is(const uint8_t *bytes, size_t size)
{
    struct cursor at = cursor_init(bytes, size);
    uint32_t magic;

    return cursor_u32(&at, &magic) && (magic == MAGIC || magic == MAGIC_SWAPPED);
}

enum status jit_dump_init(struct jit_dump *dump, const uint8_t *bytes, size_t size,
                          const char *name, struct diag *diag)
{
    uint32_t magic = 0, version = 0, header_size = 0;

    *dump = (struct jit_dump){.at = cursor_init(bytes, size)};
    if (!cursor_u32(&dump->at, &magic) || !cursor_u32(&dump->at, &version) ||
        !cursor_u32(&dump->at, &header_size)) {
        diag_set(diag, name, "the jitdump's header is cut short");
    } else if (magic != MAGIC) {
        diag_set(diag, name, "a jitdump of the other byte order");
    } else if (version != 1) {
        diag_set_at(diag, name, 4, "version %u of jitdump is not known", version);
    } else {
        struct cursor head = dump->at;

        dump->at.pos = 0;
        if (header_size >= HEADER_SIZE && cursor_skip(&dump->at, header_size) &&
            cursor_u32(&head, &dump->machine) && cursor_skip(&head, 4) &&
            cursor_u32(&head, &dump->pid))
            return STATUS_OK;
        diag_set_at(diag, name, 8, "the jitdump's header has %u bytes", header_size);
    }
    return STATUS_BAD_DATA;
}

void jit_dump_deinit(struct jit_dump *dump)
{
    map_deinit(&dump->names);
}

/* Reads the name at `off`, up to its NUL, before `end`. */
static bool take_name(const struct jit_dump *dump, uint64_t off, uint64_t end,
                      struct jit_dump_function *out)
{
    const bool is_cut = end - off > JIT_DUMP_NAME_MAX;
    const size_t len_max = is_cut ? JIT_DUMP_NAME_MAX : (size_t)(end - off);
    const uint8_t *start = dump->at.data + off;
    const uint8_t *nul = memchr(start, 0, len_max);

    out->name = (const char *)start;
    out->name_len = nul ? (size_t)(nul - start) : len_max;
    return nul || is_cut;
}

/* Reads a loaded function; a number that is loaded again has the new name from then on. */
static enum status load(struct jit_dump *dump, struct cursor *record, uint64_t record_off,
                        struct jit_dump_function *out)
{
    uint64_t index, *name_off;

    if (!cursor_skip(record, 16) || !cursor_u64(record, &out->start_addr) ||
        !cursor_u64(record, &out->size) || !cursor_u64(record, &index) ||
        !take_name(dump, record_off + record->pos, record_off + record->size, out))
        return STATUS_BAD_DATA;
    name_off = map_put(&dump->names, index, 0);
    if (!name_off)
        return STATUS_NO_MEMORY;
    *name_off = record_off + record->pos;
    return STATUS_OK;
}

static enum status move(const struct jit_dump *dump, struct cursor *record,
                        struct jit_dump_function *out)
{
    const uint64_t *name_off;
    uint64_t index;

    if (!cursor_skip(record, 24) || !cursor_u64(record, &out->start_addr) ||
        !cursor_u64(record, &out->size) || !cursor_u64(record, &index))
        return STATUS_BAD_DATA;
    name_off = map_get(&dump->names, index);
    if (!name_off || !take_name(dump, *name_off, dump->at.size, out))
        return STATUS_NOT_FOUND;
    return STATUS_OK;
}

enum status jit_dump_next(struct jit_dump *dump, const char *name, struct jit_dump_function *out,
                          struct diag *diag)
{
    for (;;) {
        const size_t off = dump->at.pos;
        struct cursor prefix = dump->at, record;
        enum status status = STATUS_NOT_FOUND;
        uint32_t id, size;

        if (!cursor_u32(&prefix, &id) || !cursor_u32(&prefix, &size))
            return STATUS_END;
        if (size < PREFIX_SIZE) {
            diag_set_at(diag, name, off + 4, "a jitdump's record of %u bytes", size);
            return STATUS_BAD_DATA;
        }
        if (!cursor_skip(&dump->at, size))
            return STATUS_END;
        record = cursor_init(dump->at.data + off, size);
        record.pos = PREFIX_SIZE;
        if (id == CODE_LOAD)
            status = load(dump, &record, off, out);
        else if (id == CODE_MOVE)
            status = move(dump, &record, out);
        if (status == STATUS_BAD_DATA)
            diag_set_at(diag, name, off, "a jitdump's record is too short for what it tells");
        if (status != STATUS_NOT_FOUND && (status != STATUS_OK || out->size > 0))
            return status;
    }
}
