#include "capture/build_id.h"

#include <elf.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cursor.h"

struct segment {
    uint64_t type, off, size;
};

struct elf_head {
    bool is_64;
    uint64_t phoff;
    uint16_t phentsize, phnum;
};

static bool parse_head(const uint8_t *bytes, size_t size, struct elf_head *out)
{
    struct cursor c = cursor_init(bytes, size);
    unsigned word;
    bool ok;

    if (size < EI_NIDENT || memcmp(bytes, ELFMAG, SELFMAG) != 0 || bytes[EI_DATA] != ELFDATA2LSB ||
        (bytes[EI_CLASS] != ELFCLASS32 && bytes[EI_CLASS] != ELFCLASS64))
        return false;
    out->is_64 = bytes[EI_CLASS] == ELFCLASS64;
    word = out->is_64 ? 8 : 4;
    /* type, machine, version; entry; phoff; shoff; flags, ehsize; phentsize, phnum */
    ok = cursor_skip(&c, EI_NIDENT + 8 + word) && cursor_uint(&c, word, &out->phoff) &&
         cursor_skip(&c, word + 6) && cursor_u16(&c, &out->phentsize) &&
         cursor_u16(&c, &out->phnum);
    return ok && out->phentsize >= (out->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
}

static void parse_segment(const uint8_t *bytes, bool is_64, struct segment *out)
{
    if (is_64) {
        Elf64_Phdr phdr;
        memcpy(&phdr, bytes, sizeof(phdr));
        *out = (struct segment){phdr.p_type, phdr.p_offset, phdr.p_filesz};
    } else {
        Elf32_Phdr phdr;
        memcpy(&phdr, bytes, sizeof(phdr));
        *out = (struct segment){phdr.p_type, phdr.p_offset, phdr.p_filesz};
    }
}

/*
 * Each note: name size, description size, type, then name and description, each padded to 4 bytes.
 */
static bool find_note(const uint8_t *bytes, size_t size, struct build_id *out)
{
    struct cursor c = cursor_init(bytes, size);
    uint32_t name_size, desc_size, type;
    const uint8_t *name, *desc;

    while (cursor_u32(&c, &name_size) && cursor_u32(&c, &desc_size) && cursor_u32(&c, &type) &&
           cursor_bytes(&c, ((uint64_t)name_size + 3) & ~UINT64_C(3), &name) &&
           cursor_bytes(&c, desc_size, &desc)) {
        if (type == NT_GNU_BUILD_ID && name_size == 4 && memcmp(name, "GNU", 4) == 0 && desc_size &&
            desc_size <= SNAP_BUILD_ID_MAX) {
            out->size = (uint8_t)desc_size;
            memcpy(out->bytes, desc, desc_size);
            return true;
        }
        if (!cursor_skip(&c, -desc_size & 3))
            break;
    }
    return false;
}

enum status build_id_find(build_id_read_fn *read_at, void *context, struct build_id *out)
{
    uint8_t bytes[BUILD_ID_NOTE_MAX];
    struct elf_head head;

    out->size = 0;
    if (!read_at(context, 0, bytes, sizeof(Elf64_Ehdr)))
        return STATUS_FAULT;
    if (!parse_head(bytes, sizeof(Elf64_Ehdr), &head))
        return STATUS_BAD_DATA;
    for (unsigned i = 0; i < head.phnum && i < BUILD_ID_PHDR_MAX; i++) {
        struct segment segment;
        if (!read_at(context, head.phoff + (uint64_t)i * head.phentsize, bytes,
                     head.is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
            return STATUS_FAULT;
        parse_segment(bytes, head.is_64, &segment);
        if (segment.type != PT_NOTE)
            continue;
        if (segment.size > sizeof(bytes))
            segment.size = sizeof(bytes);
        if (read_at(context, segment.off, bytes, (size_t)segment.size) &&
            find_note(bytes, (size_t)segment.size, out))
            return STATUS_OK;
    }
    return STATUS_NOT_FOUND;
}

struct memory {
    pid_t pid;
    uint64_t addr;
};

/*
 * The first segment maps the file's beginning, so that an offset in it is the same distance in
 * memory. A note that lies in another segment is not read right here: it has no GNU name there, or
 * cannot be read.
 */
static bool read_memory(void *context, uint64_t off, void *buffer, size_t size)
{
    const struct memory *memory = context;
    struct iovec local = {.iov_base = buffer, .iov_len = size};
    struct iovec remote = {.iov_base = (void *)(uintptr_t)(memory->addr + off), .iov_len = size};

    return process_vm_readv(memory->pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

enum status build_id_from_memory(pid_t pid, uint64_t addr, struct build_id *out)
{
    struct memory memory = {.pid = pid, .addr = addr};

    return build_id_find(read_memory, &memory, out);
}

static bool read_fd(void *context, uint64_t off, void *buffer, size_t size)
{
    const int *fd = context;

    return off <= INT64_MAX && pread(*fd, buffer, size, (off_t)off) == (ssize_t)size;
}

enum status build_id_from_fd(int fd, struct build_id *out)
{
    return build_id_find(read_fd, &fd, out);
}
