/* SPDX-License-Identifier: MIT */
#include "symbol/elf/elf_image.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "arch/analysis/analysis.h"
#include "base/cursor.h"
#include "base/hash.h"
#include "base/search.h"
#include "base/shortage.h"
#include "symbol/elf/file_map.h"
#include "symbol/elf/inflate.h"
#include "symbol/elf/inflated.h"

#define BUILD_ID_MAX 64
#define NOTES_MAX    1024 /* looked at in one section or segment */
#define NAME_HASHED  64   /* of a section's name, the first bytes */
#define SEGMENTS_MAX 1024 /* to be loaded: Linux starts no program with 64 KiB of headers */

struct image_section {
    const char *name; /* in the file's bytes */
    GElf_Shdr header;
    struct inflated inflated; /* of a compressed section */
};

struct elf_image {
    char *path;
    struct file_map file;
    struct cache *cache; /* borrowed; NULL: none */
    Elf *elf;
    const struct arch *arch;
    uint16_t type;
    uint64_t entry_vaddr;
    uint32_t flags; /* e_flags */
    struct elf_segment *segments;
    size_t segment_count;
    struct image_section *sections;
    uint32_t *name_hashes;   /* of the sections' names, so that a look-up reads little */
    uint64_t inflated_total; /* bytes of sections */
    size_t section_count;
    struct vaddr_range *exec; /* sorted by start */
    size_t exec_count;
    struct vaddr_range eh_frame_hdr, exidx, dynamic, relro; /* of program headers; empty: none */
    uint8_t build_id[BUILD_ID_MAX];
    size_t build_id_size;
};

/* The file's bytes [off, off + size), or NULL when they are not all there. */
static const uint8_t *view(const struct elf_image *image, uint64_t off, uint64_t size)
{
    if (off > image->file.size || size > image->file.size - off)
        return NULL;
    return image->file.bytes + off;
}

/* Finds NT_GNU_BUILD_ID among notes. Returns whether it was there. */
static bool read_notes(struct elf_image *image, uint64_t off, uint64_t size, uint64_t align)
{
    const uint8_t *bytes = view(image, off, size), *name, *desc;
    struct cursor c = bytes ? cursor_init(bytes, (size_t)size) : cursor_init("", 0);
    uint32_t name_size, desc_size, type;
    uint64_t mask = align == 8 ? 7 : 3;

    for (unsigned i = 0; i < NOTES_MAX && cursor_u32(&c, &name_size) &&
                         cursor_u32(&c, &desc_size) && cursor_u32(&c, &type);
         i++) {
        if (!cursor_bytes(&c, name_size, &name) || !cursor_skip(&c, -(uint64_t)c.pos & mask) ||
            !cursor_bytes(&c, desc_size, &desc))
            return false;
        if (type == NT_GNU_BUILD_ID && name_size == 4 && memcmp(name, "GNU", 4) == 0 &&
            desc_size > 0 && desc_size <= BUILD_ID_MAX) {
            memcpy(image->build_id, desc, desc_size);
            image->build_id_size = desc_size;
            return true;
        }
        if (!cursor_skip(&c, -(uint64_t)c.pos & mask))
            return false;
    }
    return false;
}

/* Looks at section headers first: in a separate debug file only they say where the notes are. */
static void read_build_id(struct elf_image *image)
{
    size_t count = 0;
    GElf_Phdr phdr;

    for (size_t i = 0; i < image->section_count; i++) {
        const GElf_Shdr *header = &image->sections[i].header;

        if (header->sh_type == SHT_NOTE &&
            read_notes(image, header->sh_offset, header->sh_size, header->sh_addralign))
            return;
    }
    if (elf_getphdrnum(image->elf, &count) != 0)
        return;
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(image->elf, (int)i, &phdr) && phdr.p_type == PT_NOTE &&
            read_notes(image, phdr.p_offset, phdr.p_filesz, phdr.p_align))
            return;
}

/* How many of these bytes the file has. */
static uint64_t in_file(const struct elf_image *image, uint64_t off, uint64_t size)
{
    const uint64_t left = off < image->file.size ? image->file.size - off : 0;

    return size < left ? size : left;
}

static uint8_t segment_prot(uint32_t flags)
{
    return (uint8_t)((flags & PF_R ? 1 : 0) | (flags & PF_W ? 2 : 0) | (flags & PF_X ? 4 : 0));
}

static enum status read_segments(struct elf_image *image)
{
    const uint32_t exidx = arch_analysis(image->arch)->exidx_segment;
    size_t count = 0;
    GElf_Phdr phdr;

    if (elf_getphdrnum(image->elf, &count) != 0 || count == 0)
        return STATUS_OK;
    image->segments = calloc(count, sizeof(*image->segments));
    if (!image->segments)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count && gelf_getphdr(image->elf, (int)i, &phdr); i++) {
        struct vaddr_range range = {phdr.p_vaddr, phdr.p_vaddr + phdr.p_filesz};

        if (range.end_vaddr < range.start_vaddr || phdr.p_vaddr + phdr.p_memsz < phdr.p_vaddr)
            continue;
        if (phdr.p_type == PT_LOAD)
            image->segments[image->segment_count++] =
                (struct elf_segment){.vaddr = phdr.p_vaddr,
                                     .mem_size = phdr.p_memsz,
                                     .file_off = phdr.p_offset,
                                     .file_size = phdr.p_filesz,
                                     .prot = segment_prot(phdr.p_flags)};
        else if (phdr.p_type == PT_GNU_EH_FRAME)
            image->eh_frame_hdr = range;
        else if (phdr.p_type == PT_DYNAMIC)
            image->dynamic = range;
        else if (phdr.p_type == PT_GNU_RELRO)
            image->relro = range;
        else if (exidx && phdr.p_type == exidx)
            image->exidx = range;
    }
    return STATUS_OK;
}

/* The section names, cut after the last NUL so that every offset below *size is a whole string. */
static const char *section_names(const struct elf_image *image, uint64_t *size)
{
    size_t index = 0;
    Elf_Scn *scn;
    GElf_Shdr header;
    const uint8_t *bytes, *last;

    if (elf_getshdrstrndx(image->elf, &index) != 0 || index == 0)
        return NULL;
    scn = elf_getscn(image->elf, index);
    if (!scn || !gelf_getshdr(scn, &header) || header.sh_type != SHT_STRTAB)
        return NULL;
    bytes = view(image, header.sh_offset, header.sh_size);
    last = bytes ? memrchr(bytes, 0, (size_t)header.sh_size) : NULL;
    if (!last)
        return NULL;
    *size = (uint64_t)(last - bytes) + 1;
    return (const char *)bytes;
}

static uint32_t name_hash(const char *name)
{
    return (uint32_t)hash_bytes(HASH_BYTES, name, strnlen(name, NAME_HASHED));
}

/* Ignores section headers that make no sense: program headers go a long way. */
static enum status read_sections(struct elf_image *image)
{
    size_t count = 0;
    uint64_t names_size = 0;
    const char *names = section_names(image, &names_size);
    Elf_Scn *scn = NULL;

    if (!names || elf_getshdrnum(image->elf, &count) != 0 || count == 0)
        return STATUS_OK;
    image->sections = calloc(count, sizeof(*image->sections));
    image->name_hashes = calloc(count, sizeof(*image->name_hashes));
    if (!image->sections || !image->name_hashes)
        return STATUS_NO_MEMORY;
    while (image->section_count < count && (scn = elf_nextscn(image->elf, scn)) != NULL) {
        struct image_section *section = &image->sections[image->section_count];

        if (!gelf_getshdr(scn, &section->header) || section->header.sh_name >= names_size)
            continue;
        section->name = names + section->header.sh_name;
        image->name_hashes[image->section_count++] = name_hash(section->name);
    }
    return STATUS_OK;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct vaddr_range *x = a, *y = b;

    return x->start_vaddr < y->start_vaddr ? -1 : x->start_vaddr > y->start_vaddr;
}

/* Merges overlapping ranges, so that each byte of code is looked at once. */
static void merge_ranges(struct elf_image *image)
{
    size_t count = 0;

    for (size_t i = 0; i < image->exec_count; i++) {
        const struct vaddr_range *range = &image->exec[i];

        if (count == 0 || range->start_vaddr >= image->exec[count - 1].end_vaddr)
            image->exec[count++] = *range;
        else if (range->end_vaddr > image->exec[count - 1].end_vaddr)
            image->exec[count - 1].end_vaddr = range->end_vaddr;
    }
    image->exec_count = count;
}

static enum status read_exec_ranges(struct elf_image *image)
{
    size_t most = image->section_count + image->segment_count;

    if (most == 0)
        return STATUS_OK;
    image->exec = calloc(most, sizeof(*image->exec));
    if (!image->exec)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < image->section_count; i++) {
        const GElf_Shdr *header = &image->sections[i].header;

        if ((header->sh_flags & SHF_EXECINSTR) && (header->sh_flags & SHF_ALLOC) &&
            header->sh_size > 0 && header->sh_addr + header->sh_size > header->sh_addr)
            image->exec[image->exec_count++] =
                (struct vaddr_range){header->sh_addr, header->sh_addr + header->sh_size};
    }
    for (size_t i = 0; i < image->segment_count && image->section_count == 0; i++) {
        const struct elf_segment *segment = &image->segments[i];

        if ((segment->prot & 4) && segment->mem_size > 0)
            image->exec[image->exec_count++] =
                (struct vaddr_range){segment->vaddr, segment->vaddr + segment->mem_size};
    }
    qsort(image->exec, image->exec_count, sizeof(*image->exec), compare_ranges);
    merge_ranges(image);
    return STATUS_OK;
}

/* Checks what must be right before libelf sees the file. */
static enum status check_ident(struct elf_image *image, struct diag *diag)
{
    struct cursor c = cursor_init(image->file.bytes, image->file.size);
    const uint8_t *ident;
    uint16_t machine;

    if (!cursor_bytes(&c, EI_NIDENT, &ident) || memcmp(ident, ELFMAG, SELFMAG) != 0) {
        diag_set(diag, image->path, "not an ELF file");
        return STATUS_BAD_DATA;
    }
    if (ident[EI_DATA] == ELFDATA2MSB) {
        diag_set(diag, image->path, "a big-endian ELF file, which is not supported");
        return STATUS_UNSUPPORTED;
    }
    if (ident[EI_DATA] != ELFDATA2LSB || ident[EI_VERSION] != EV_CURRENT ||
        (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64) ||
        !cursor_u16(&c, &image->type) || !cursor_u16(&c, &machine)) {
        diag_set(diag, image->path, "the ELF header is damaged");
        return STATUS_BAD_DATA;
    }
    image->arch = arch_by_elf(machine, ident[EI_CLASS] == ELFCLASS64 ? 8 : 4);
    if (!image->arch) {
        diag_set(diag, image->path, "an ELF file of machine %u (%s), which is not supported",
                 machine, ident[EI_CLASS] == ELFCLASS64 ? "64-bit" : "32-bit");
        return STATUS_UNSUPPORTED;
    }
    return STATUS_OK;
}

/*
 * Refuses files that load their bytes repeatedly, since each address of a byte of code costs work,
 * and files with many segments, since a look-up goes through them one by one.
 */
static bool may_load(const struct elf_image *image, struct diag *diag)
{
    uint64_t size, left = 2 * (uint64_t)image->file.size;

    if (image->segment_count > SEGMENTS_MAX) {
        diag_set(diag, image->path, "has %zu segments to be loaded; no program has more than %d",
                 image->segment_count, SEGMENTS_MAX);
        return false;
    }
    for (size_t i = 0; i < image->segment_count; i++) {
        size = in_file(image, image->segments[i].file_off, image->segments[i].file_size);
        if (size > left) {
            diag_set(diag, image->path, "has segments that load the same bytes again and again");
            return false;
        }
        left -= size;
    }
    return true;
}

/* libelf keeps its version in a global variable, and several threads open files. */
static pthread_once_t libelf_begun = PTHREAD_ONCE_INIT;

static void begin_libelf(void)
{
    elf_version(EV_CURRENT);
}

static enum status read_headers(struct elf_image *image, struct diag *diag)
{
    enum status status = check_ident(image, diag);
    GElf_Ehdr ehdr;

    if (status != STATUS_OK)
        return status;
    pthread_once(&libelf_begun, begin_libelf);
    errno = 0;
    image->elf = elf_memory((char *)image->file.bytes, image->file.size);
    if (!image->elf && errno == ENOMEM) {
        shortage_note(image->path, ENOMEM);
        return STATUS_NO_MEMORY;
    }
    if (!image->elf || elf_kind(image->elf) != ELF_K_ELF || !gelf_getehdr(image->elf, &ehdr)) {
        diag_set(diag, image->path, "the ELF header is damaged");
        return STATUS_BAD_DATA;
    }
    image->entry_vaddr = ehdr.e_entry;
    image->flags = ehdr.e_flags;
    status = read_segments(image);
    if (status == STATUS_OK && !may_load(image, diag))
        return STATUS_BAD_DATA;
    if (status == STATUS_OK)
        status = read_sections(image);
    if (status == STATUS_OK)
        status = read_exec_ranges(image);
    if (status != STATUS_OK) {
        diag_set(diag, image->path, "out of memory");
        return status;
    }
    if (image->segment_count == 0 && image->section_count == 0) {
        if (ehdr.e_phnum > 0 &&
            !view(image, ehdr.e_phoff, (uint64_t)ehdr.e_phnum * ehdr.e_phentsize))
            diag_set_at(diag, image->path, ehdr.e_phoff,
                        "the program headers begin here, but the file ends at %zu: it is cut short",
                        image->file.size);
        else
            diag_set(diag, image->path, "an ELF file without segments and sections");
        return STATUS_BAD_DATA;
    }
    read_build_id(image);
    return STATUS_OK;
}

/* Takes over `file` (also on failure). */
static enum status create(const char *path, struct file_map file, struct elf_image **out,
                          struct diag *diag)
{
    struct elf_image *image = calloc(1, sizeof(*image));
    enum status status = STATUS_NO_MEMORY;

    if (image) {
        *image = (struct elf_image){.path = strdup(path), .file = file};
        if (image->path)
            status = read_headers(image, diag);
    } else {
        file_map_close(&file);
    }
    if (status != STATUS_OK) {
        if (status == STATUS_NO_MEMORY)
            diag_set(diag, path, "out of memory");
        elf_image_close(image);
        return status;
    }
    *out = image;
    return STATUS_OK;
}

enum status elf_image_open(const char *path, struct elf_image **out, struct diag *diag)
{
    struct file_map file;
    enum status status = file_map_open(path, &file, diag);

    return status == STATUS_OK ? create(path, file, out, diag) : status;
}

enum status elf_image_open_bytes(const void *bytes, size_t size, const char *name,
                                 struct elf_image **out, struct diag *diag)
{
    struct file_map file;
    enum status status = file_map_copy(bytes, size, &file);

    if (status == STATUS_OK)
        return create(name, file, out, diag);
    diag_set(diag, name, "out of memory");
    return status;
}

enum status elf_image_open_fd(int fd, const char *name, struct elf_image **out, struct diag *diag)
{
    struct file_map file;
    enum status status = file_map_open_fd(fd, name, &file, diag);

    return status == STATUS_OK ? create(name, file, out, diag) : status;
}

enum status elf_image_open_part(int fd, uint64_t off, uint64_t size, const char *name,
                                struct elf_image **out, struct diag *diag)
{
    struct file_map file;
    enum status status = file_map_open_part(fd, off, size, name, &file, diag);

    return status == STATUS_OK ? create(name, file, out, diag) : status;
}

/* Bytes that compressed sections may still inflate to: a multiple of the file's size in all. */
static uint64_t inflate_left(const struct elf_image *image)
{
    uint64_t size = image->file.size, max = INFLATE_FILE_MAX;

    if (size < (INFLATE_FILE_MAX - INFLATE_FILE_BASE) / INFLATE_FILE_FACTOR)
        max = INFLATE_FILE_BASE + INFLATE_FILE_FACTOR * size;
    return max - image->inflated_total;
}

void elf_image_set_cache(struct elf_image *image, struct cache *cache)
{
    image->cache = cache;
}

static struct compressed compressed_section(const struct elf_image *image,
                                            const struct image_section *section)
{
    return (struct compressed){.image = image,
                               .cache = image->cache,
                               .off = section->header.sh_offset,
                               .size = section->header.sh_size};
}

static void close_section(const struct elf_image *image, struct image_section *section)
{
    const struct compressed from = compressed_section(image, section);

    inflated_end(&from, &section->inflated);
}

void elf_image_close(struct elf_image *image)
{
    if (!image)
        return;
    if (image->elf)
        elf_end(image->elf);
    for (size_t i = 0; i < image->section_count; i++)
        close_section(image, &image->sections[i]);
    free(image->sections);
    free(image->name_hashes);
    free(image->segments);
    free(image->exec);
    file_map_close(&image->file);
    free(image->path);
    free(image);
}

const char *elf_image_path(const struct elf_image *image)
{
    return image->path;
}

const struct arch *elf_image_arch(const struct elf_image *image)
{
    return image->arch;
}

uint32_t elf_image_flags(const struct elf_image *image)
{
    return image->flags;
}

uint64_t elf_image_entry_vaddr(const struct elf_image *image)
{
    return image->entry_vaddr;
}

uint16_t elf_image_type(const struct elf_image *image)
{
    return image->type;
}

const uint8_t *elf_image_build_id(const struct elf_image *image, size_t *size)
{
    *size = image->build_id_size;
    return image->build_id;
}

bool elf_image_may_change(const struct elf_image *image, uint64_t vaddr)
{
    if (vaddr >= image->relro.start_vaddr && vaddr < image->relro.end_vaddr)
        return false;
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct elf_segment *segment = &image->segments[i];

        if ((segment->prot & 2) && vaddr >= segment->vaddr &&
            vaddr - segment->vaddr < segment->mem_size)
            return true;
    }
    return false;
}

uint64_t elf_image_count_unwritten(const struct elf_image *image, uint64_t vaddr, uint64_t size)
{
    for (size_t i = 0; i < image->section_count; i++) {
        const GElf_Shdr *header = &image->sections[i].header;

        if (!(header->sh_flags & SHF_ALLOC) || !(header->sh_flags & SHF_WRITE))
            continue;
        if (vaddr >= header->sh_addr && vaddr - header->sh_addr < header->sh_size)
            return 0;
        if (vaddr < header->sh_addr && header->sh_addr - vaddr < size)
            size = header->sh_addr - vaddr;
    }
    return size;
}

const struct elf_segment *elf_image_segments(const struct elf_image *image, size_t *count)
{
    *count = image->segment_count;
    return image->segments;
}

bool elf_image_has_sections(const struct elf_image *image)
{
    return image->section_count > 0;
}

bool elf_image_is_debug_only(const struct elf_image *image)
{
    bool absent = false;

    for (size_t i = 0; i < image->section_count; i++) {
        const GElf_Shdr *header = &image->sections[i].header;

        if (!(header->sh_flags & SHF_EXECINSTR))
            continue;
        if (header->sh_type != SHT_NOBITS)
            return false;
        absent = true;
    }
    return absent;
}

void elf_image_times(const struct elf_image *image, uint64_t *written_ns, uint64_t *changed_ns)
{
    *written_ns = image->file.written_ns;
    *changed_ns = image->file.changed_ns;
}

const uint8_t *elf_image_file_bytes(const struct elf_image *image, size_t *size)
{
    *size = image->file.size;
    return image->file.bytes;
}

const uint8_t *elf_image_bytes_at(const struct elf_image *image, uint64_t vaddr, uint64_t *avail)
{
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct elf_segment *segment = &image->segments[i];
        const uint64_t into = vaddr - segment->vaddr;
        const uint64_t size = in_file(image, segment->file_off, segment->file_size);

        if (vaddr < segment->vaddr || into >= size)
            continue;
        *avail = size - into;
        return image->file.bytes + segment->file_off + into;
    }
    return NULL;
}

void elf_image_let_go(const struct elf_image *image, const uint8_t *bytes, uint64_t size)
{
    file_map_let_go(&image->file, bytes, (size_t)size);
}

uint64_t elf_image_end_in_file(const struct elf_image *image, uint64_t start_vaddr,
                               uint64_t end_vaddr)
{
    uint64_t avail, size = end_vaddr - start_vaddr;

    if (end_vaddr <= start_vaddr || !elf_image_bytes_at(image, start_vaddr, &avail))
        return start_vaddr;
    return start_vaddr + (avail < size ? avail : size);
}

enum status elf_image_exec_range(const struct elf_image *image, uint64_t vaddr,
                                 uint64_t *start_vaddr, uint64_t *end_vaddr)
{
    size_t at = SEARCH_FIRST(i, 0, image->exec_count, image->exec[i].start_vaddr <= vaddr);

    if (at == 0 || vaddr >= image->exec[at - 1].end_vaddr)
        return STATUS_NOT_FOUND;
    *start_vaddr = image->exec[at - 1].start_vaddr;
    *end_vaddr = image->exec[at - 1].end_vaddr;
    return STATUS_OK;
}

void *elf_image_libelf(struct elf_image *image)
{
    return image->elf;
}

static struct image_section *find_section(struct elf_image *image, const char *name)
{
    const uint32_t hash = name_hash(name);

    for (size_t i = 0; i < image->section_count; i++)
        if (image->name_hashes[i] == hash && strcmp(image->sections[i].name, name) == 0)
            return &image->sections[i];
    return NULL;
}

/* Inflates a compressed section, once. */
static enum status inflate(struct elf_image *image, struct image_section *section, bool zdebug)
{
    const struct compressed from = compressed_section(image, section);
    enum status status;

    if (section->inflated.bytes)
        return STATUS_OK;
    status = inflated_make(&from, zdebug, inflate_left(image), &section->inflated);
    if (status == STATUS_OK)
        image->inflated_total += section->inflated.size;
    return status;
}

static enum status section_view(struct elf_image *image, struct image_section *section, bool zdebug,
                                struct elf_section *out)
{
    const GElf_Shdr *header = &section->header;
    const uint8_t *bytes = NULL;
    enum status status;

    *out = (struct elf_section){.size = header->sh_size,
                                .vaddr = header->sh_addr,
                                .file_off = header->sh_offset,
                                .type = header->sh_type,
                                .flags = header->sh_flags};
    if (header->sh_type == SHT_NOBITS)
        return STATUS_OK;
    bytes = view(image, header->sh_offset, header->sh_size);
    if (!bytes)
        return STATUS_BAD_DATA;
    out->bytes = bytes;
    if (!zdebug && !(header->sh_flags & SHF_COMPRESSED))
        return STATUS_OK;
    status = inflate(image, section, zdebug);
    out->bytes = section->inflated.bytes;
    out->size = section->inflated.size;
    return status;
}

/* The bytes [start, end) of a segment as if they were a section. */
static enum status segment_part(const struct elf_image *image, struct vaddr_range range,
                                struct elf_section *out)
{
    uint64_t avail = 0;
    const uint8_t *bytes = elf_image_bytes_at(image, range.start_vaddr, &avail);

    if (range.start_vaddr == range.end_vaddr)
        return STATUS_NOT_FOUND;
    if (!bytes)
        return STATUS_BAD_DATA;
    *out = (struct elf_section){.bytes = bytes,
                                .size = range.end_vaddr - range.start_vaddr < avail
                                            ? range.end_vaddr - range.start_vaddr
                                            : avail,
                                .vaddr = range.start_vaddr,
                                .file_off = (uint64_t)(bytes - image->file.bytes),
                                .type = SHT_PROGBITS,
                                .flags = SHF_ALLOC};
    return STATUS_OK;
}

/*
 * .eh_frame of a file without section headers: .eh_frame_hdr begins with version 1, the encoding of
 * the pointer to .eh_frame, two more encodings, then that pointer (LSB Core, 10.6.2). Linkers write
 * it as a signed 32-bit offset from its own place (DW_EH_PE_pcrel | DW_EH_PE_sdata4). Where
 * .eh_frame ends is not said: the view reaches to the end of its segment, the frames to the zero
 * terminator.
 */
static enum status eh_frame_by_header(const struct elf_image *image, struct elf_section *out)
{
    struct elf_section hdr;
    enum status status = segment_part(image, image->eh_frame_hdr, &hdr);
    struct cursor c;
    uint32_t encodings, delta;
    uint64_t vaddr;

    if (status != STATUS_OK)
        return status;
    c = cursor_init(hdr.bytes, (size_t)hdr.size);
    if (!cursor_u32(&c, &encodings) || (encodings & 0xffff) != 0x1b01 || !cursor_u32(&c, &delta))
        return STATUS_BAD_DATA;
    vaddr = hdr.vaddr + 4 + (uint64_t)(int64_t)(int32_t)delta;
    return segment_part(image, (struct vaddr_range){vaddr, UINT64_MAX}, out);
}

static enum status section_by_segment(const struct elf_image *image, const char *name,
                                      struct elf_section *out)
{
    if (image->section_count > 0)
        return STATUS_NOT_FOUND;
    if (strcmp(name, ".eh_frame_hdr") == 0)
        return segment_part(image, image->eh_frame_hdr, out);
    if (strcmp(name, ".ARM.exidx") == 0)
        return segment_part(image, image->exidx, out);
    if (strcmp(name, ".dynamic") == 0)
        return segment_part(image, image->dynamic, out);
    if (strcmp(name, ".eh_frame") == 0)
        return eh_frame_by_header(image, out);
    return STATUS_NOT_FOUND;
}

enum status elf_image_section(struct elf_image *image, const char *name, struct elf_section *out)
{
    struct image_section *section = find_section(image, name);
    char zdebug[64];

    if (section)
        return section_view(image, section, false, out);
    if (strncmp(name, ".debug_", 7) == 0 && strlen(name) < sizeof(zdebug) - 1) {
        zdebug[0] = '.';
        zdebug[1] = 'z';
        memcpy(zdebug + 2, name + 1, strlen(name));
        section = find_section(image, zdebug);
        if (section)
            return section_view(image, section, true, out);
    }
    return section_by_segment(image, name, out);
}

const struct vaddr_range *elf_image_exec_ranges(const struct elf_image *image, size_t *count)
{
    *count = image->exec_count;
    return image->exec;
}

bool elf_image_is_code_section(const struct elf_image *image, unsigned index)
{
    Elf_Scn *scn = index < SHN_LORESERVE ? elf_getscn(image->elf, index) : NULL;
    GElf_Shdr header;

    return scn && gelf_getshdr(scn, &header) && (header.sh_flags & SHF_EXECINSTR);
}
