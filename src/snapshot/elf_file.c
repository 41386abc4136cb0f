/* SPDX-License-Identifier: MIT */
#include "snapshot/elf_file.h"

#include <elf.h>
#include <string.h>

#include "base/cursor.h"

#define NOTE_GO_BUILD_ID 4

enum status elf_head_parse(const uint8_t *bytes, size_t size, struct elf_head *out)
{
    struct cursor c = cursor_init(bytes, size);
    unsigned word;
    bool ok;

    if (size < EI_NIDENT)
        return size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0 ? STATUS_NOT_FOUND
                                                                     : STATUS_BAD_DATA;
    if (memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return STATUS_NOT_FOUND;
    if (bytes[EI_DATA] == ELFDATA2MSB)
        return STATUS_UNSUPPORTED;
    if (bytes[EI_DATA] != ELFDATA2LSB ||
        (bytes[EI_CLASS] != ELFCLASS32 && bytes[EI_CLASS] != ELFCLASS64))
        return STATUS_BAD_DATA;
    out->is_64 = bytes[EI_CLASS] == ELFCLASS64;
    word = out->is_64 ? 8 : 4;
    /* version; entry; phoff; shoff; flags, ehsize; phentsize, phnum */
    ok = cursor_skip(&c, EI_NIDENT) && cursor_u16(&c, &out->type) &&
         cursor_u16(&c, &out->machine) && cursor_skip(&c, 4) &&
         cursor_uint(&c, word, &out->entry_vaddr) && cursor_uint(&c, word, &out->phoff) &&
         cursor_uint(&c, word, &out->shoff) && cursor_skip(&c, 6) &&
         cursor_u16(&c, &out->phentsize) && cursor_u16(&c, &out->phnum);
    return ok && out->phentsize >= elf_phdr_size(out) ? STATUS_OK : STATUS_BAD_DATA;
}

static uint64_t word_at(const uint8_t *bytes, bool is_64, unsigned index)
{
    uint64_t value = 0;

    memcpy(&value, bytes + (size_t)index * (is_64 ? 8 : 4), is_64 ? 8 : 4);
    return value;
}

void elf_phdr_parse(const uint8_t *bytes, const struct elf_head *head, struct elf_phdr *out)
{
    /* In 64 bits the flags come second: the upper half of the first word. */
    uint64_t first = word_at(bytes, head->is_64, 0);

    out->type = (uint32_t)first;
    out->flags = (uint32_t)(head->is_64 ? first >> 32 : word_at(bytes, false, 6));
    out->off = word_at(bytes, head->is_64, 1);
    out->vaddr = word_at(bytes, head->is_64, 2);
    out->filesz = word_at(bytes, head->is_64, 4);
    out->memsz = word_at(bytes, head->is_64, 5);
}

/* A note: name size, description size, type, then name and description, each padded to 4 bytes. */
static void find_notes(const uint8_t *bytes, size_t size, struct build_id *out)
{
    struct cursor c = cursor_init(bytes, size);
    uint32_t name_size, desc_size, type;
    const uint8_t *name, *desc;

    while (cursor_u32(&c, &name_size) && cursor_u32(&c, &desc_size) && cursor_u32(&c, &type) &&
           cursor_bytes(&c, ((uint64_t)name_size + 3) & ~UINT64_C(3), &name) &&
           cursor_bytes(&c, desc_size, &desc)) {
        if (type == NT_GNU_BUILD_ID && name_size == 4 && memcmp(name, "GNU", 4) == 0 && desc_size &&
            desc_size <= SNAP_BUILD_ID_MAX && !out->size) {
            out->size = (uint8_t)desc_size;
            memcpy(out->bytes, desc, desc_size);
        }
        /* cmd/internal/buildid: the name is "Go", with zeros up to the next 4 bytes. */
        out->is_go |= type == NOTE_GO_BUILD_ID && name_size == 4 && memcmp(name, "Go\0", 4) == 0;
        if (!cursor_skip(&c, -desc_size & 3))
            break;
    }
}

enum status build_id_find(build_id_read_fn *read_at, void *context, struct build_id *out)
{
    uint8_t bytes[BUILD_ID_NOTE_MAX];
    struct elf_head head;

    out->size = 0;
    out->is_go = false;
    if (!read_at(context, 0, bytes, ELF_HEAD_MAX))
        return STATUS_FAULT;
    if (elf_head_parse(bytes, ELF_HEAD_MAX, &head) != STATUS_OK)
        return STATUS_BAD_DATA;
    for (unsigned i = 0; i < head.phnum && i < BUILD_ID_PHDR_MAX; i++) {
        struct elf_phdr phdr;
        if (!read_at(context, head.phoff + (uint64_t)i * head.phentsize, bytes,
                     elf_phdr_size(&head)))
            return STATUS_FAULT;
        elf_phdr_parse(bytes, &head, &phdr);
        if (phdr.type != PT_NOTE)
            continue;
        if (phdr.filesz > sizeof(bytes))
            phdr.filesz = sizeof(bytes);
        if (read_at(context, phdr.off, bytes, (size_t)phdr.filesz))
            find_notes(bytes, (size_t)phdr.filesz, out);
    }
    return out->size ? STATUS_OK : STATUS_NOT_FOUND;
}
