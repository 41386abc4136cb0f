/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/modules.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"
#include "snapshot/import/core/heads.h"
#include "snapshot/import/core/link_map.h"

#define VDSO_SIZE_MOST 65536u
/* bytes behind AT_ENTRY at most, without a segment */
#define EXECUTABLE_GAP_MAX (UINT64_C(1) << 30)

struct finder {
    const struct core_image *image;
    struct core_notes *notes; /* whose files are being made */
    size_t cap;               /* of them */
    uint64_t page_size;
    uint64_t entry_addr, phdr_addr; /* of the executable; 0: not known */
    const char *name;               /* of the executable */
    struct core_head *heads;
    size_t head_count, head_cap;
    struct core_links links;
    uint64_t *codes; /* where segments of code begin, ascending */
    size_t code_count;
    uint64_t *dynamics; /* all dynamic sections that are known, ascending */
    size_t dynamic_count;
    bool has_executable; /* there are lines of it */
};

static uint64_t page_start(const struct finder *f, uint64_t addr)
{
    return addr & ~(f->page_size - 1);
}

static enum status find_auxv(struct finder *f)
{
    const struct arch *arch = f->image->arch;
    enum status status;

    f->page_size = core_notes_page_size(f->notes, arch);
    f->entry_addr = core_notes_auxv(f->notes, arch, AT_ENTRY);
    f->phdr_addr = core_notes_auxv(f->notes, arch, AT_PHDR);
    status = core_text_read(f->image, core_notes_auxv(f->notes, arch, AT_EXECFN), &f->notes->names,
                            &f->name);
    if (!f->name[0])
        f->name = f->notes->name;
    return status;
}

/* Fills debug_addr and soname from the dynamic section, read once. */
static enum status find_dynamic(struct finder *f, struct core_head *head)
{
    const struct core_dynamic dynamic = core_dynamic_read(f->image, head->dynamic_addr);

    head->debug_addr = core_debug_of(f->image, head->dynamic_addr, &dynamic);
    return core_soname_read(f->image, head, &dynamic, &f->notes->names, &head->soname);
}

static enum status add_head(struct finder *f, uint64_t addr)
{
    struct core_head head;

    if (!addr || f->head_count == CORE_HEADS_MAX ||
        !core_head_read(f->image, addr, f->page_size, &head))
        return STATUS_OK;
    for (size_t i = 0; i < f->head_count; i++)
        if (f->heads[i].addr == addr)
            return STATUS_OK;
    if (vec_reserve(&f->heads, &f->head_cap, f->head_count + 1, sizeof(head)) != STATUS_OK ||
        find_dynamic(f, &head) != STATUS_OK)
        return STATUS_NO_MEMORY;
    f->heads[f->head_count++] = head;
    return STATUS_OK;
}

/* Looks for heads at the beginnings of read-only segments. */
static enum status find_heads(struct finder *f)
{
    enum status status = STATUS_OK;
    size_t looked_at = 0;

    for (size_t i = 0; i < f->image->count && status == STATUS_OK; i++) {
        const struct core_segment *segment = &f->image->segments[i];

        if (segment->flags & PF_W || segment->size == 0)
            continue;
        if (looked_at++ == CORE_HEADS_LOOKED_AT)
            break;
        status = add_head(f, segment->start_addr);
    }
    /* qemu-user makes one segment of neighbours with the same protection. */
    return status == STATUS_OK ? add_head(f, page_start(f, f->phdr_addr)) : status;
}

static bool is_vdso_name(const char *name)
{
    return strncmp(name, "linux-vdso.", 11) == 0 || strncmp(name, "linux-gate.", 11) == 0;
}

/* Removes the vDSO, which is no file: by AT_SYSINFO_EHDR, else by its DT_SONAME. */
static void drop_vdso(struct finder *f)
{
    for (size_t i = 0; i < f->head_count; i++) {
        const struct core_head *head = &f->heads[i];

        if (head->addr != f->notes->vdso_addr &&
            (f->notes->vdso_addr || !is_vdso_name(head->soname)))
            continue;
        f->notes->vdso_addr = head->addr;
        f->head_count--;
        memmove(&f->heads[i], &f->heads[i + 1], (f->head_count - i) * sizeof(*f->heads));
        return;
    }
}

static bool is_vdso(const struct finder *f, const struct core_link *link)
{
    return f->notes->vdso_addr && link->dynamic_addr - f->notes->vdso_addr < VDSO_SIZE_MOST;
}

static enum status find_links(struct finder *f, struct snap_source *source)
{
    uint64_t debug_addr = 0;
    enum status status;

    for (size_t i = 0; i < f->head_count && !debug_addr; i++)
        debug_addr = f->heads[i].debug_addr;
    if (!debug_addr)
        debug_addr = core_debug_scan(f->image);
    status = core_links_read(f->image, debug_addr, &f->notes->names, &f->links);
    if (status == STATUS_OK && f->links.is_damaged)
        diag_set(source_note(source), f->image->file.name,
                 "the dynamic linker's list of modules is damaged at 0x%" PRIx64
                 ": the first %zu are used",
                 f->links.damaged_addr, f->links.count);
    for (size_t i = 0; i < f->links.count && status == STATUS_OK; i++)
        if (f->links.list[i].bias % f->page_size == 0 && !is_vdso(f, &f->links.list[i]))
            status = add_head(f, f->links.list[i].bias);
    return status;
}

static enum status add_line(struct finder *f, const struct core_mapped_file *line)
{
    struct core_notes *notes = f->notes;

    if (line->start_addr >= line->end_addr)
        return STATUS_OK;
    if (vec_reserve(&notes->files, &f->cap, notes->file_count + 1, sizeof(*line)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    notes->files[notes->file_count++] = *line;
    return STATUS_OK;
}

static bool is_executable(const struct finder *f, const struct core_head *head)
{
    if (f->entry_addr)
        return head->entry_addr == f->entry_addr;
    if (f->links.count)
        return head->dynamic_addr == f->links.list[0].dynamic_addr;
    return head == f->heads; /* nothing says which: the first */
}

/* Names a file that the linker does not name: "[0xaddr]", which is no file's name. */
static enum status make_name(struct finder *f, uint64_t addr, const char **out)
{
    char text[32];
    int len = snprintf(text, sizeof(text), "[0x%" PRIx64 "]", addr);

    *out = arena_join(&f->notes->names, text, (size_t)len, "");
    return *out ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status name_head(struct finder *f, const struct core_head *head, const char **out)
{
    for (size_t i = 0; i < f->links.count; i++) {
        const struct core_link *link = &f->links.list[i];

        if (link->dynamic_addr == head->dynamic_addr && link->name[0]) {
            *out = link->name;
            return STATUS_OK;
        }
    }
    *out = head->soname;
    return (*out)[0] ? STATUS_OK : make_name(f, head->addr, out);
}

static enum status add_head_lines(struct finder *f, const struct core_head *head)
{
    struct core_mapped_file line = {.path = f->name, .is_executable = is_executable(f, head)};
    enum status status = line.is_executable ? STATUS_OK : name_head(f, head, &line.path);

    f->has_executable |= line.is_executable;
    for (size_t i = 0; i < head->load_count && status == STATUS_OK; i++) {
        line.start_addr = head->loads[i].start_addr;
        line.end_addr = head->loads[i].end_addr;
        line.file_off = head->loads[i].file_off;
        status = add_line(f, &line);
    }
    return status;
}

/* Returns the start of the last executable segment at or before `addr`; 0: none. */
static uint64_t code_before(const struct finder *f, uint64_t addr)
{
    const size_t at = SEARCH_FIRST(i, 0, f->code_count, f->codes[i] <= addr);

    return at > 0 ? f->codes[at - 1] : 0;
}

/* Returns the highest dynamic section below `addr`; 0: none. */
static uint64_t dynamic_before(const struct finder *f, uint64_t addr)
{
    const size_t at = SEARCH_FIRST(i, 0, f->dynamic_count, f->dynamics[i] < addr);

    return at > 0 ? f->dynamics[at - 1] : 0;
}

static int compare_addrs(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Fills the lists for code_before and dynamic_before. */
static enum status find_places(struct finder *f)
{
    f->codes = calloc(f->image->count + 1, sizeof(*f->codes));
    f->dynamics = calloc(f->head_count + f->links.count + 1, sizeof(*f->dynamics));
    if (!f->codes || !f->dynamics)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < f->image->count; i++)
        if (f->image->segments[i].flags & PF_X)
            f->codes[f->code_count++] = f->image->segments[i].start_addr;
    for (size_t i = 0; i < f->head_count; i++)
        if (f->heads[i].dynamic_addr)
            f->dynamics[f->dynamic_count++] = f->heads[i].dynamic_addr;
    for (size_t i = 0; i < f->links.count; i++)
        f->dynamics[f->dynamic_count++] = f->links.list[i].dynamic_addr;
    qsort(f->dynamics, f->dynamic_count, sizeof(*f->dynamics), compare_addrs);
    return STATUS_OK;
}

static bool has_head(const struct finder *f, const struct core_link *link)
{
    for (size_t i = 0; i < f->head_count; i++)
        if (f->heads[i].dynamic_addr == link->dynamic_addr)
            return true;
    return false;
}

/*
 * Returns where the file begins. In all layouts code is below the dynamic section. The beginning is
 * the bias, except for a file that was linked, or prelinked, for an address. With another dynamic
 * section between it would be two files.
 *
 *     code | dynamic | data | code   | dynamic | data
 *     of another file       ^ bias, or somewhere else
 */
static uint64_t link_start(const struct finder *f, const struct core_link *link)
{
    const bool is_first = link == f->links.list;
    const uint64_t own_addr = f->phdr_addr ? f->phdr_addr : f->entry_addr;
    const uint64_t before = dynamic_before(f, link->dynamic_addr);
    uint64_t start = page_start(f, link->bias ? link->bias : is_first ? own_addr : 0);

    if (start >= page_start(f, link->dynamic_addr) || start <= before)
        start = 0;
    if (start == 0)
        start = code_before(f, link->dynamic_addr);
    /* gdb omits code that it has no bytes for: then it begins behind the next module below. */
    if (start <= before && before != 0)
        return page_start(f, before) + f->page_size;
    return start || f->image->count == 0 ? start : f->image->segments[0].start_addr;
}

static enum status add_link_line(struct finder *f, const struct core_link *link)
{
    const bool is_first = link == f->links.list;
    const uint64_t end = page_start(f, link->dynamic_addr);
    struct core_mapped_file line = {.start_addr = link_start(f, link),
                                    .anchor = SNAP_ANCHOR_BIAS,
                                    .anchor_addr = link->bias,
                                    .is_executable = is_first};
    enum status status = STATUS_OK;

    line.end_addr = end < core_addr_mask(f->image) - f->page_size ? end + f->page_size : end;
    /* so that address - bias is the vaddr in 64 bits, too */
    if (!f->image->is_64 && line.anchor_addr > line.start_addr)
        line.anchor_addr -= UINT64_C(1) << 32;
    line.file_off = line.start_addr - line.anchor_addr;
    line.path = is_first ? f->name : link->name;
    if (!line.path[0])
        status = make_name(f, line.start_addr, &line.path);
    f->has_executable |= is_first;
    return status == STATUS_OK ? add_line(f, &line) : status;
}

/*
 * Adds the executable if only its entry point is known: its code is the segment there or, without
 * one, the gap between its neighbours.
 */
static enum status add_entry_line(struct finder *f)
{
    const struct core_image *image = f->image;
    const uint64_t entry = f->entry_addr & ~(uint64_t)image->arch->isa_bit;
    const uint64_t first = f->phdr_addr && f->phdr_addr < entry ? f->phdr_addr : entry;
    size_t at = SEARCH_FIRST(i, 0, image->count, image->segments[i].end_addr <= entry);
    struct core_mapped_file line = {.anchor = SNAP_ANCHOR_ENTRY,
                                    .anchor_addr = f->entry_addr,
                                    .path = f->name,
                                    .is_executable = true};

    if (at < image->count && image->segments[at].start_addr <= entry) {
        line.start_addr = image->segments[at].start_addr;
        line.end_addr = image->segments[at].end_addr;
        return add_line(f, &line);
    }
    line.start_addr = page_start(f, first);
    if (at > 0 && image->segments[at - 1].end_addr > line.start_addr)
        line.start_addr = image->segments[at - 1].end_addr;
    line.end_addr = at < image->count ? image->segments[at].start_addr : core_addr_mask(image);
    if (line.end_addr - entry > EXECUTABLE_GAP_MAX)
        line.end_addr = entry + EXECUTABLE_GAP_MAX;
    return add_line(f, &line);
}

/*
 * If nothing is known: takes the first code for a program linked for its address, as small static
 * ones are. If it is not, no such program's file will agree.
 */
static enum status add_fixed_line(struct finder *f)
{
    const uint64_t special_addr = core_layout_get(f->image->arch)->special_addr;

    for (size_t i = 0; i < f->image->count; i++) {
        const struct core_segment *segment = &f->image->segments[i];

        if (segment->flags & PF_X && segment->start_addr != special_addr)
            return add_line(f, &(struct core_mapped_file){.start_addr = segment->start_addr,
                                                          .end_addr = segment->end_addr,
                                                          .file_off = segment->start_addr,
                                                          .path = f->name,
                                                          .anchor = SNAP_ANCHOR_BIAS,
                                                          .is_executable = true});
    }
    return STATUS_OK;
}

static enum status add_lines(struct finder *f)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < f->head_count && status == STATUS_OK; i++)
        status = add_head_lines(f, &f->heads[i]);
    for (size_t i = 0; i < f->links.count && status == STATUS_OK; i++) {
        const struct core_link *link = &f->links.list[i];
        const bool is_vdso =
            f->notes->vdso_addr && link->dynamic_addr - f->notes->vdso_addr < VDSO_SIZE_MOST;

        if (!is_vdso && !has_head(f, link))
            status = add_link_line(f, link);
    }
    if (status == STATUS_OK && !f->has_executable && f->entry_addr)
        status = add_entry_line(f);
    else if (status == STATUS_OK && f->notes->file_count == 0 && !f->notes->auxv_size)
        status = add_fixed_line(f);
    return status;
}

enum status core_modules_find(const struct core_image *image, struct snap_source *source,
                              struct core_notes *notes)
{
    struct finder f = {.image = image, .notes = notes};
    enum status status;

    free(notes->files); /* a damaged NT_FILE's */
    notes->files = NULL;
    status = find_auxv(&f);
    if (status == STATUS_OK)
        status = find_heads(&f);
    if (status == STATUS_OK) {
        drop_vdso(&f);
        status = find_links(&f, source);
    }
    if (status == STATUS_OK)
        status = find_places(&f);
    if (status == STATUS_OK)
        status = add_lines(&f);
    if (status == STATUS_OK)
        core_notes_arrange_files(notes, false);
    core_links_free(&f.links);
    free(f.heads);
    free(f.codes);
    free(f.dynamics);
    return status;
}
