/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/image.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

static enum status bad_head(struct core_file *file, enum status status, struct diag *diag)
{
    if (status == STATUS_UNSUPPORTED) {
        diag_set_at(diag, file->name, EI_DATA, "is a big-endian ELF file");
        diag_hint(diag, "only cores of little-endian machines can be read");
        return STATUS_UNSUPPORTED;
    }
    diag_set_at(diag, file->name, 0,
                file->size < ELF_HEAD_MAX ? "the core ends within its ELF header"
                                          : "the ELF header is damaged");
    return STATUS_BAD_DATA;
}

static enum status check_kind(const struct elf_head *head, struct core_image *image,
                              struct diag *diag)
{
    const char *name = image->file.name;

    if (head->type == ET_EXEC || head->type == ET_DYN) {
        diag_set(diag, name, "is a program or library, not a core");
        diag_hint(diag, "give it with --elf, beside the snapshot or core of its process");
        return STATUS_UNSUPPORTED;
    }
    if (head->type != ET_CORE) {
        diag_set_at(diag, name, 16, "is an ELF file of type %u, not a core", head->type);
        return STATUS_UNSUPPORTED;
    }
    if (head->machine == EM_XTENSA) {
        diag_set_at(diag, name, 18, "is a core of an Xtensa processor, which is not known");
        diag_hint(diag, "of ESP-IDF's chips those with RISC-V are: ESP32-C2, C3, C6, H2, P4");
        return STATUS_UNSUPPORTED;
    }
    image->arch = arch_by_elf(head->machine, head->is_64 ? 8 : 4);
    if (!image->arch) {
        diag_set_at(diag, name, 18, "is a %s-bit core of ELF machine %u, which is not known",
                    head->is_64 ? "64" : "32", head->machine);
        diag_hint(diag, "cores of these can be read: %s", arch_all_names());
        return STATUS_UNSUPPORTED;
    }
    image->is_64 = head->is_64;
    return STATUS_OK;
}

/*
 * Returns the number of program headers. 65535 and more do not fit the header: then section header
 * 0, at the core's very end, has it in sh_info (PN_XNUM). If that is cut off: as many as fit before
 * the first segment's bytes, which is how Linux lays cores out.
 */
static uint64_t segment_count(struct core_image *image, const struct elf_head *head)
{
    const uint8_t *bytes;
    struct elf_phdr phdr;
    uint32_t count;

    if (head->phnum != PN_XNUM)
        return head->phnum;
    bytes = core_file_view(&image->file, head->shoff, head->is_64 ? 64 : 40);
    if (bytes && head->shoff) {
        memcpy(&count, bytes + (head->is_64 ? 44 : 28), sizeof(count));
        return count;
    }
    if (head->shoff > image->whole_size)
        image->whole_size = head->shoff;
    bytes = core_file_view(&image->file, head->phoff, elf_phdr_size(head));
    if (!bytes)
        return 0;
    elf_phdr_parse(bytes, head, &phdr);
    return phdr.off > head->phoff ? (phdr.off - head->phoff) / head->phentsize : 0;
}

/* Makes a segment; false: its header is impossible. */
static bool make_segment(const struct core_image *image, const struct elf_phdr *phdr,
                         struct core_segment *out)
{
    uint64_t limit = image->is_64 ? UINT64_MAX : UINT64_C(1) << 32;

    if (phdr->vaddr > limit || phdr->memsz > limit - phdr->vaddr)
        return false;
    *out = (struct core_segment){.start_addr = phdr->vaddr,
                                 .end_addr = phdr->vaddr + phdr->memsz,
                                 .off = phdr->off,
                                 .size = phdr->filesz < phdr->memsz ? phdr->filesz : phdr->memsz,
                                 .flags = phdr->flags};
    return true;
}

static enum status add_segment(struct core_image *image, const struct elf_phdr *phdr, bool *bad)
{
    struct core_segment segment;
    uint64_t end;

    if (phdr->type != PT_LOAD && phdr->type != PT_NOTE)
        return STATUS_OK;
    if (__builtin_add_overflow(phdr->off, phdr->filesz, &end)) {
        *bad = true;
        return STATUS_OK;
    }
    if (phdr->filesz && end > image->whole_size)
        image->whole_size = end;
    if (phdr->type == PT_NOTE) {
        if (image->note_count == CORE_NOTE_SEGMENTS_MAX)
            *bad = true;
        else
            image->notes[image->note_count++] =
                (struct core_range){.off = phdr->off, .size = phdr->filesz};
        return STATUS_OK;
    }
    if (!make_segment(image, phdr, &segment)) {
        *bad = true;
        return STATUS_OK;
    }
    if (segment.start_addr == segment.end_addr)
        return STATUS_OK;
    if (vec_reserve(&image->segments, &image->cap, image->count + 1, sizeof(segment)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    image->segments[image->count++] = segment;
    return STATUS_OK;
}

static enum status read_segments(struct core_image *image, const struct elf_head *head,
                                 struct snap_source *source)
{
    uint64_t count = segment_count(image, head), off = head->phoff;
    enum status status = STATUS_OK;
    bool bad = false;

    if (count > CORE_SEGMENTS_MAX) {
        diag_set(source_note(source), image->file.name,
                 "has %" PRIu64 " program headers, of which the first %d are used", count,
                 CORE_SEGMENTS_MAX);
        count = CORE_SEGMENTS_MAX;
    }
    for (uint64_t i = 0; i < count && status == STATUS_OK; i++) {
        const uint8_t *bytes = core_file_view(&image->file, off, elf_phdr_size(head));
        struct elf_phdr phdr;

        if (!bytes) { /* the file ends here */
            uint64_t end = off + (count - i) * head->phentsize;
            if (end > image->whole_size)
                image->whole_size = end;
            break;
        }
        elf_phdr_parse(bytes, head, &phdr);
        status = add_segment(image, &phdr, &bad);
        off += head->phentsize;
    }
    if (bad)
        diag_set_at(source_note(source), image->file.name, head->phoff,
                    "program headers that cannot be were left out");
    return status;
}

static int compare_segments(const void *a, const void *b)
{
    const struct core_segment *x = a, *y = b;

    if (x->start_addr != y->start_addr)
        return x->start_addr < y->start_addr ? -1 : 1;
    return x->off < y->off ? -1 : x->off > y->off;
}

/* Sorts, and cuts off overlaps with the segment before. */
static void arrange_segments(struct core_image *image)
{
    struct core_segment *list = image->segments;
    size_t kept = 0;

    if (image->count > 1)
        qsort(list, image->count, sizeof(*list), compare_segments);
    for (size_t i = 0; i < image->count; i++) {
        struct core_segment segment = list[i];
        uint64_t end = kept ? list[kept - 1].end_addr : 0;

        if (segment.start_addr < end) {
            uint64_t cut = end - segment.start_addr;

            image->has_overlaps = true;
            if (segment.end_addr <= end)
                continue;
            segment.start_addr = end;
            segment.off += cut < segment.size ? cut : segment.size;
            segment.size -= cut < segment.size ? cut : segment.size;
        }
        list[kept++] = segment;
    }
    image->count = kept;
}

enum status core_image_open(struct source_input *input, struct snap_source *source,
                            struct core_image *out, struct diag *diag)
{
    const uint8_t *bytes;
    struct elf_head head;
    enum status status;

    *out = (struct core_image){0};
    status = core_file_open(input, &out->file, diag);
    if (status != STATUS_OK)
        return status;
    bytes = core_file_view(&out->file, 0,
                           out->file.size < ELF_HEAD_MAX ? (size_t)out->file.size : ELF_HEAD_MAX);
    status = bytes ? elf_head_parse(bytes,
                                    out->file.size < ELF_HEAD_MAX ? (size_t)out->file.size
                                                                  : ELF_HEAD_MAX,
                                    &head)
                   : STATUS_BAD_DATA;
    if (status != STATUS_OK)
        status = bad_head(&out->file, status, diag);
    if (status == STATUS_OK)
        status = check_kind(&head, out, diag);
    if (status == STATUS_OK)
        status = read_segments(out, &head, source);
    if (status == STATUS_OK)
        arrange_segments(out);
    else
        core_image_close(out);
    return status;
}

void core_image_close(struct core_image *image)
{
    core_file_close(&image->file);
    free(image->segments);
}

const struct core_segment *core_image_segment(const struct core_image *image, uint64_t addr)
{
    size_t at = SEARCH_FIRST(i, 0, image->count, image->segments[i].end_addr <= addr);

    return at < image->count && image->segments[at].start_addr <= addr ? &image->segments[at]
                                                                       : NULL;
}

uint64_t core_segment_captured(const struct core_image *image, const struct core_segment *segment)
{
    uint64_t left = image->file.size > segment->off ? image->file.size - segment->off : 0;

    return segment->start_addr + (segment->size < left ? segment->size : left);
}

bool core_image_read(const struct core_image *image, uint64_t addr, void *buffer, size_t size)
{
    const struct core_segment *segment = core_image_segment(image, addr);
    uint64_t end = segment ? core_segment_captured(image, segment) : 0;

    return addr < end && size <= end - addr &&
           core_file_read(&image->file, segment->off + (addr - segment->start_addr), buffer,
                          size) == size;
}
