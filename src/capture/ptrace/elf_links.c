/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/elf_links.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "base/cursor.h"

#define SECTIONS_MAX  4096u /* that are looked at */
#define SECTION_BYTES (ELF_LINK_MAX + SNAP_BUILD_ID_MAX)
#define NAME_BYTES    32 /* longer than the names that are looked for */

/* From a section header, or the file header's place of these (gABI, chapter 4). */
struct section_place {
    uint32_t name;
    uint64_t off, size;
};

struct section_table {
    int fd;
    struct elf_head head;
    uint16_t entry_size, count, names;
};

static bool read_at(int fd, uint64_t off, void *buffer, size_t size)
{
    return off <= INT64_MAX && pread(fd, buffer, size, (off_t)off) == (ssize_t)size;
}

static bool read_table(int fd, struct section_table *out)
{
    uint8_t bytes[ELF_HEAD_MAX];
    struct cursor c;

    out->fd = fd;
    if (!read_at(fd, 0, bytes, sizeof(bytes)) ||
        elf_head_parse(bytes, sizeof(bytes), &out->head) != STATUS_OK)
        return false;
    c = cursor_init(bytes, sizeof(bytes));
    return cursor_skip(&c, out->head.is_64 ? 58 : 46) && cursor_u16(&c, &out->entry_size) &&
           cursor_u16(&c, &out->count) && cursor_u16(&c, &out->names) && out->head.shoff &&
           out->entry_size >= (out->head.is_64 ? 64 : 40) && out->count <= SECTIONS_MAX &&
           out->names < out->count;
}

static bool read_section(const struct section_table *table, unsigned index,
                         struct section_place *out)
{
    uint8_t bytes[64] = {0};
    const size_t size = table->head.is_64 ? 64 : 40;
    struct cursor c = cursor_init(bytes, size);
    uint32_t off, length;

    if (!read_at(table->fd, table->head.shoff + (uint64_t)index * table->entry_size, bytes, size) ||
        !cursor_u32(&c, &out->name))
        return false;
    if (table->head.is_64)
        return cursor_skip(&c, 20) && cursor_u64(&c, &out->off) && cursor_u64(&c, &out->size);
    if (!cursor_skip(&c, 12) || !cursor_u32(&c, &off) || !cursor_u32(&c, &length))
        return false;
    out->off = off;
    out->size = length;
    return true;
}

/* Reads the text at the section's beginning; *c is left behind it. */
static bool read_text(const struct section_table *table, const struct section_place *section,
                      uint8_t bytes[SECTION_BYTES], struct cursor *c, char out[ELF_LINK_MAX])
{
    const size_t size = section->size < SECTION_BYTES ? (size_t)section->size : SECTION_BYTES;
    const char *text;

    if (!read_at(table->fd, section->off, bytes, size))
        return false;
    *c = cursor_init(bytes, size);
    if (!cursor_string(c, &text) || strlen(text) >= ELF_LINK_MAX)
        return false;
    strcpy(out, text);
    return true;
}

static void take_shared(const struct section_table *table, const struct section_place *section,
                        struct elf_links *out)
{
    uint8_t bytes[SECTION_BYTES];
    struct cursor c;

    if (!read_text(table, section, bytes, &c, out->shared))
        return;
    if (!cursor_left(&c) || cursor_left(&c) > sizeof(out->shared_id.bytes)) {
        out->shared[0] = '\0';
        return;
    }
    out->shared_id.size = (uint8_t)cursor_left(&c);
    memcpy(out->shared_id.bytes, bytes + c.pos, out->shared_id.size);
}

static void take_debug(const struct section_table *table, const struct section_place *section,
                       struct elf_links *out)
{
    uint8_t bytes[SECTION_BYTES];
    struct cursor c;

    if (!read_text(table, section, bytes, &c, out->debug) || strchr(out->debug, '/') ||
        !cursor_skip(&c, -(uint64_t)c.pos & 3) || !cursor_u32(&c, &out->debug_crc))
        out->debug[0] = '\0';
}

/* Reads the note of .note.gnu.build-id: three words, "GNU", and the build-id. */
static void take_id(const struct section_table *table, const struct section_place *section,
                    struct elf_links *out)
{
    uint8_t bytes[16 + SNAP_BUILD_ID_MAX] = {0};
    const size_t size = section->size < sizeof(bytes) ? (size_t)section->size : sizeof(bytes);
    struct cursor c = cursor_init(bytes, size);
    uint32_t name_size, id_size, type;
    const uint8_t *name, *id;

    if (!read_at(table->fd, section->off, bytes, size) || !cursor_u32(&c, &name_size) ||
        !cursor_u32(&c, &id_size) || !cursor_u32(&c, &type) || type != NT_GNU_BUILD_ID ||
        name_size != 4 || !cursor_bytes(&c, 4, &name) || memcmp(name, "GNU", 4) != 0 ||
        id_size > SNAP_BUILD_ID_MAX || !cursor_bytes(&c, id_size, &id))
        return;
    out->id.size = (uint8_t)id_size;
    memcpy(out->id.bytes, id, id_size);
}

void elf_links_read(int fd, struct elf_links *out)
{
    struct section_table table;
    struct section_place names, section;
    char name[NAME_BYTES];

    *out = (struct elf_links){.debug = ""};
    if (!read_table(fd, &table) || !read_section(&table, table.names, &names))
        return;
    for (unsigned i = 0; i < table.count; i++) {
        if (!read_section(&table, i, &section) || section.name >= names.size ||
            names.off > UINT64_MAX - section.name)
            continue;
        memset(name, 0, sizeof(name));
        (void)!pread(fd, name, sizeof(name) - 1, (off_t)(names.off + section.name));
        if (strcmp(name, ".gnu_debuglink") == 0)
            take_debug(&table, &section, out);
        else if (strcmp(name, ".gnu_debugaltlink") == 0)
            take_shared(&table, &section, out);
        else if (strcmp(name, ".note.gnu.build-id") == 0)
            take_id(&table, &section, out);
    }
}
