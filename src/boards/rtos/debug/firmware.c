/* SPDX-License-Identifier: MIT */
#include "boards/rtos/debug/firmware.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/read_all.h"
#include "snapshot/elf_file.h"

struct firmware_section {
    uint32_t name, type;
    uint64_t flags, vaddr, off, size;
};

void firmware_close(struct firmware *firmware)
{
    free(firmware->bytes);
    *firmware = (struct firmware){0};
}

enum status firmware_read(const char *path, struct firmware *out, struct diag *diag)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    enum status status = STATUS_IO;
    struct stat st;

    *out = (struct firmware){0};
    if (fd < 0 || fstat(fd, &st) != 0) {
        diag_set(diag, path, "%s", strerror(errno));
    } else if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > FIRMWARE_SIZE_MAX) {
        diag_set(diag, path, "no file that a firmware could be in");
        status = STATUS_BAD_DATA;
    } else {
        out->bytes = malloc((size_t)st.st_size + 1);
        status = out->bytes ? STATUS_OK : STATUS_NO_MEMORY;
    }
    if (status == STATUS_OK)
        out->size = read_all(fd, 0, out->bytes, (size_t)st.st_size);
    if (fd >= 0)
        close(fd);
    return status;
}

/* Reads from the file's header what elf_head lacks. */
static void read_sections(struct firmware *fw, const struct elf_head *head)
{
    struct cursor c = cursor_init(fw->bytes, fw->size);
    uint16_t size, count, names;

    fw->is_64 = head->is_64;
    fw->sections_off = head->shoff;
    if (!cursor_skip(&c, head->is_64 ? 58 : 46) || !cursor_u16(&c, &size) ||
        !cursor_u16(&c, &count) || !cursor_u16(&c, &names))
        return;
    if (size < (head->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)))
        return;
    fw->section_size = size;
    fw->section_count = count;
    fw->names_index = names;
}

enum status firmware_parse(struct firmware *out, const char *path, struct diag *diag)
{
    struct elf_head head;
    enum status status = elf_head_parse(out->bytes, out->size, &head);

    if (status == STATUS_OK) {
        out->arch = arch_by_elf(head.machine, head.is_64 ? 8 : 4);
        read_sections(out, &head);
        out->symbols = firmware_section(out, ".symtab");
        out->symbol_names = firmware_section(out, ".strtab");
    }
    if (status == STATUS_OK && out->arch)
        return STATUS_OK;
    diag_set(diag, path,
             status == STATUS_OK ? "an ELF file of a machine that is not known"
                                 : "no ELF file that can be used");
    return status == STATUS_BAD_DATA ? status : STATUS_UNSUPPORTED;
}

static bool section_at(const struct firmware *fw, unsigned index, struct firmware_section *out)
{
    struct cursor c = cursor_init(fw->bytes, fw->size);
    const unsigned word = fw->is_64 ? 8 : 4;

    return index < fw->section_count && cursor_skip(&c, fw->sections_off) &&
           cursor_skip(&c, (uint64_t)index * fw->section_size) && cursor_u32(&c, &out->name) &&
           cursor_u32(&c, &out->type) && cursor_uint(&c, word, &out->flags) &&
           cursor_uint(&c, word, &out->vaddr) && cursor_uint(&c, word, &out->off) &&
           cursor_uint(&c, word, &out->size);
}

static struct cursor contents(const struct firmware *fw, const struct firmware_section *section)
{
    struct cursor c = cursor_init(fw->bytes, fw->size);
    const uint8_t *bytes;

    if (section->type == SHT_NOBITS || !cursor_skip(&c, section->off) ||
        !cursor_bytes(&c, section->size, &bytes))
        return cursor_init(NULL, 0);
    return cursor_init(bytes, (size_t)section->size);
}

/* Compares only as many bytes as the name has: all names of a file may be one long string. */
static bool is_named(const struct cursor *names, uint32_t off, const char *name)
{
    const size_t size = strlen(name) + 1;
    struct cursor c = *names;
    const uint8_t *text;

    return cursor_skip(&c, off) && cursor_bytes(&c, size, &text) && memcmp(text, name, size) == 0;
}

struct cursor firmware_section(struct firmware *fw, const char *name)
{
    struct firmware_section section, names_section;
    struct cursor names;

    if (!section_at(fw, fw->names_index, &names_section))
        return cursor_init(NULL, 0);
    names = contents(fw, &names_section);
    for (unsigned i = 0; section_at(fw, i, &section); i++) {
        if (!is_named(&names, section.name, name))
            continue;
        if (!(section.flags & SHF_COMPRESSED))
            return contents(fw, &section);
        fw->is_compressed = true;
    }
    return cursor_init(NULL, 0);
}

/* Reads a symbol, whose members have another order in 64-bit files. */
static bool read_symbol(struct cursor *c, bool is_64, uint32_t *name, uint8_t *info,
                        struct firmware_symbol *out)
{
    uint16_t section;
    uint8_t other;

    if (is_64)
        return cursor_u32(c, name) && cursor_u8(c, info) && cursor_u8(c, &other) &&
               cursor_u16(c, &section) && cursor_u64(c, &out->vaddr) && cursor_u64(c, &out->size);
    return cursor_u32(c, name) && cursor_uint(c, 4, &out->vaddr) && cursor_uint(c, 4, &out->size) &&
           cursor_u8(c, info) && cursor_u8(c, &other) && cursor_u16(c, &section);
}

static const char *symbol_name(const struct firmware *fw, uint32_t off)
{
    struct cursor c = fw->symbol_names;
    const uint8_t *text;
    size_t most;

    if (!cursor_skip(&c, off))
        return "";
    most = cursor_left(&c) < FIRMWARE_NAME_MAX ? cursor_left(&c) : FIRMWARE_NAME_MAX;
    return most && cursor_bytes(&c, most, &text) && memchr(text, 0, most) ? (const char *)text : "";
}

bool firmware_symbol(const struct firmware *fw, size_t *at, struct firmware_symbol *out)
{
    struct cursor symbols = fw->symbols;
    uint32_t name;
    uint8_t info;

    if (*at == FIRMWARE_SYMBOLS_MAX ||
        !cursor_skip(&symbols, (uint64_t)*at * (fw->is_64 ? 24 : 16)) ||
        !read_symbol(&symbols, fw->is_64, &name, &info, out))
        return false;
    ++*at;
    out->is_data = (info & 15) == STT_OBJECT || (info & 15) == STT_NOTYPE;
    out->name = symbol_name(fw, name);
    return true;
}

bool firmware_code(const struct firmware *fw, unsigned *at, uint64_t *start_vaddr,
                   uint64_t *end_vaddr)
{
    struct firmware_section section;

    while (section_at(fw, (*at)++, &section)) {
        if (!(section.flags & SHF_ALLOC) || !(section.flags & SHF_EXECINSTR) || !section.size ||
            section.vaddr + section.size < section.vaddr)
            continue;
        *start_vaddr = section.vaddr;
        *end_vaddr = section.vaddr + section.size;
        return true;
    }
    return false;
}
