/* SPDX-License-Identifier: MIT */
#include "unwind/sources/cfi.h"

#include <stdlib.h>

#include "base/search.h"
#include "base/sort.h"
#include "base/vec.h"
#include "unwind/sources/eh_frame_hdr.h"

#define NESTING_MAX 64 /* nested FDEs that a look-up climbs through */
#define NO_FDE      UINT32_MAX

struct fde_index {
    uint64_t start_vaddr, end_vaddr;
    uint64_t off;       /* of the FDE in the section */
    uint32_t enclosing; /* nearest FDE before it that ends behind it; NO_FDE: none */
    bool has_lsda;
};

struct cfi {
    struct cfi_section section;
    enum trust source;
    const struct elf_image *image; /* borrowed; NULL: none */
    struct eh_frame_hdr hdr;       /* no entries: the index is made at once */
    bool indexed;
    enum status index_status; /* OK or NO_MEMORY, for good */
    struct fde_index *fdes;   /* sorted by start */
    size_t count, cap;
};

static bool executable(const struct elf_image *image, uint64_t vaddr)
{
    size_t count;
    const struct elf_segment *segments;

    if (!image)
        return true;
    segments = elf_image_segments(image, &count);
    for (size_t i = 0; i < count; i++)
        if ((segments[i].prot & 4) && vaddr >= segments[i].vaddr &&
            vaddr - segments[i].vaddr < segments[i].mem_size)
            return true;
    return false;
}

/* Sorts by start; FDEs with one start stay in the section's order. */
static enum status sort_fdes(struct cfi *cfi)
{
    struct sort_item *order = malloc(cfi->count * sizeof(*order));
    struct fde_index *sorted = malloc(cfi->count * sizeof(*sorted));
    enum status status = order && sorted ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t i = 0; status == STATUS_OK && i < cfi->count; i++)
        order[i] = (struct sort_item){.key = cfi->fdes[i].start_vaddr, .id = (uint32_t)i};
    if (status == STATUS_OK)
        status = sort_items(order, cfi->count);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < cfi->count; i++)
            sorted[i] = cfi->fdes[order[i].id];
        free(cfi->fdes);
        cfi->fdes = sorted;
        cfi->cap = cfi->count;
    } else {
        free(sorted);
    }
    free(order);
    return status;
}

/* Returns the longest FDE of those that start where `first` does; *next: the first behind them. */
static size_t longest_of(struct cfi *cfi, size_t first, size_t *next)
{
    size_t longest = first;

    for (*next = first + 1; *next < cfi->count; ++*next) {
        if (cfi->fdes[*next].start_vaddr != cfi->fdes[first].start_vaddr)
            break;
        if (cfi->fdes[*next].end_vaddr > cfi->fdes[longest].end_vaddr)
            longest = *next;
    }
    return longest;
}

/*
 * Sorts the FDEs and fills `enclosing`. Of several with one start the longest stays; of equal ones
 * the first in the section.
 *     FDE 0 ├────────────────────────┤         behind FDE 2 look-ups go on in `enclosing`:
 *     FDE 1   ├─────────────┤                  FDE 1, then FDE 0
 *     FDE 2      ├────┤
 */
static enum status order_fdes(struct cfi *cfi)
{
    enum status status = sort_fdes(cfi);
    size_t kept = 0;

    if (status != STATUS_OK)
        return status;
    for (size_t i = 0, next; i < cfi->count; i = next) {
        size_t longest = longest_of(cfi, i, &next);
        uint32_t outer = kept ? (uint32_t)(kept - 1) : NO_FDE;

        while (outer != NO_FDE && cfi->fdes[outer].end_vaddr <= cfi->fdes[longest].end_vaddr)
            outer = cfi->fdes[outer].enclosing;
        cfi->fdes[kept] = cfi->fdes[longest];
        cfi->fdes[kept++].enclosing = outer;
    }
    cfi->count = kept;
    return STATUS_OK;
}

/* The CIE that was read last: FDEs of one CIE follow each other. */
struct cie_cache {
    uint64_t off;
    bool valid;
    enum status status;
    struct cfi_cie cie;
};

static enum status load_cie(const struct cfi_section *section, uint64_t off,
                            struct cie_cache *cache)
{
    struct cfi_entry entry;

    if (cache->valid && cache->off == off)
        return cache->status;
    cache->off = off;
    cache->valid = true;
    cache->status = cfi_entry_at(section, off, &entry);
    if (cache->status == STATUS_OK)
        cache->status = cfi_cie_read(section, &entry, &cache->cie);
    return cache->status;
}

/* Reads an FDE for the index, without `enclosing`. False: it is left out. */
static bool describe_fde(const struct cfi *cfi, const struct cfi_entry *entry,
                         struct cie_cache *cache, struct fde_index *out)
{
    struct cfi_fde fde;

    if (load_cie(&cfi->section, entry->cie_off, cache) != STATUS_OK ||
        cfi_fde_read(&cfi->section, entry, &cache->cie, &fde) != STATUS_OK ||
        !executable(cfi->image, fde.start_vaddr))
        return false;
    *out = (struct fde_index){.start_vaddr = fde.start_vaddr,
                              .end_vaddr = fde.end_vaddr,
                              .off = entry->off,
                              .has_lsda = fde.lsda_vaddr != 0};
    return true;
}

static enum status add_fde(struct cfi *cfi, const struct cfi_entry *entry, struct cie_cache *cache)
{
    struct fde_index fde;

    if (!describe_fde(cfi, entry, cache, &fde))
        return STATUS_OK;
    if (vec_reserve(&cfi->fdes, &cfi->cap, cfi->count + 1, sizeof(*cfi->fdes)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    cfi->fdes[cfi->count++] = fde;
    return STATUS_OK;
}

/* Makes the index once. Only NO_MEMORY fails. */
static enum status index_fdes(struct cfi *cfi)
{
    struct cie_cache cache = {.valid = false};
    enum status status = STATUS_OK;
    struct cfi_entry entry;
    uint64_t off = 0;

    if (cfi->indexed)
        return cfi->index_status;
    while (status == STATUS_OK && cfi->count < CFI_FDES_MAX &&
           cfi_entry_at(&cfi->section, off, &entry) == STATUS_OK) {
        if (!entry.is_cie)
            status = add_fde(cfi, &entry, &cache);
        off = entry.next_off;
    }
    if (status == STATUS_OK && cfi->count > 0)
        status = order_fdes(cfi);
    cfi->indexed = true;
    cfi->index_status = status;
    if (status != STATUS_OK)
        cfi->count = 0;
    return status;
}

/* An FDE, and the start of the next one. */
struct found_fde {
    struct fde_index fde;
    uint64_t next_vaddr;
};

/* Looks in the linker's table; false: no entry, or a wrong one. */
static bool look_in_table(const struct cfi *cfi, uint64_t vaddr, struct found_fde *out)
{
    struct cie_cache cache = {.valid = false};
    struct eh_frame_hdr_entry found;
    struct cfi_entry entry;

    if (!eh_frame_hdr_find(&cfi->hdr, vaddr, &found) ||
        cfi_entry_at(&cfi->section, found.fde_vaddr - cfi->section.vaddr, &entry) != STATUS_OK ||
        entry.is_cie || !describe_fde(cfi, &entry, &cache, &out->fde))
        return false;
    out->next_vaddr = found.next_vaddr;
    return out->fde.start_vaddr == found.start_vaddr && vaddr < out->fde.end_vaddr;
}

/* The index is made later if the table is right about its first FDE. */
static enum status create(const struct cfi_section *section, enum trust source,
                          const struct elf_image *image, const struct eh_frame_hdr *hdr,
                          struct cfi **out)
{
    struct cfi *cfi = calloc(1, sizeof(*cfi));
    enum status status = STATUS_OK;
    struct found_fde first;

    if (!cfi)
        return STATUS_NO_MEMORY;
    *cfi = (struct cfi){.section = *section, .source = source, .image = image, .hdr = *hdr};
    if (!look_in_table(cfi, hdr->first_vaddr, &first)) {
        status = index_fdes(cfi);
        if (status == STATUS_OK && cfi->count == 0)
            status = STATUS_NOT_FOUND;
    }
    if (status != STATUS_OK) {
        cfi_destroy(cfi);
        return status;
    }
    *out = cfi;
    return STATUS_OK;
}

enum status cfi_create(const struct cfi_section *section, enum trust source,
                       const struct elf_image *image, struct cfi **out)
{
    return create(section, source, image, &(struct eh_frame_hdr){.count = 0}, out);
}

void cfi_destroy(struct cfi *cfi)
{
    if (!cfi)
        return;
    free(cfi->fdes);
    free(cfi);
}

static enum status section_of_image(struct elf_image *image, enum trust source,
                                    struct cfi_section *out)
{
    bool eh = source == TRUST_EH_FRAME;
    struct elf_section s, base;
    enum status status = elf_image_section(image, eh ? ".eh_frame" : ".debug_frame", &s);

    if (status != STATUS_OK)
        return status;
    if (!s.bytes)
        return STATUS_NOT_FOUND;
    *out = (struct cfi_section){.arch = elf_image_arch(image),
                                .bytes = s.bytes,
                                .size = s.size,
                                .vaddr = s.vaddr,
                                .eh_frame = eh};
    if (elf_image_section(image, ".text", &base) == STATUS_OK)
        out->text_vaddr = base.vaddr;
    if (elf_image_section(image, ".got", &base) == STATUS_OK)
        out->data_vaddr = base.vaddr;
    return STATUS_OK;
}

enum status cfi_create_from_image(struct elf_image *image, enum trust source, struct cfi **out)
{
    struct eh_frame_hdr hdr = {.count = 0};
    struct cfi_section section;
    enum status status = section_of_image(image, source, &section);

    if (status == STATUS_OK && source == TRUST_EH_FRAME)
        eh_frame_hdr_open(image, &hdr);
    return status == STATUS_OK ? create(&section, source, image, &hdr, out) : status;
}

static bool skip_row(void *context, const struct row *row)
{
    (void)context;
    (void)row;
    return true;
}

/* Reads and runs an FDE. OK: it is sound; NOT_FOUND: discarded. */
static enum status check_fde(const struct cfi_section *section, enum trust source,
                             const struct cfi_entry *entry, const struct elf_image *image,
                             struct cie_cache *cache)
{
    uint64_t last = section->arch->word_size == 4 ? UINT32_MAX : UINT64_MAX;
    struct cfi_fde fde = {0};
    enum status status = load_cie(section, entry->cie_off, cache);

    if (status != STATUS_OK)
        return status;
    status = cfi_fde_read(section, entry, &cache->cie, &fde);
    if (status == STATUS_BAD_DATA && fde.start_vaddr == last) /* lld's word for discarded */
        return STATUS_NOT_FOUND;
    if (status != STATUS_OK)
        return status;
    return executable(image, fde.start_vaddr)
               ? cfi_program_run(section, source, &cache->cie, &fde, skip_row, NULL)
               : STATUS_BAD_DATA;
}

static void note_damage(struct cfi_damage *damage, uint64_t off)
{
    if (damage->damaged++ == 0)
        damage->first_off = off;
}

enum status cfi_damage_find(struct elf_image *image, enum trust source, struct cfi_damage *out)
{
    struct cie_cache cache = {.valid = false};
    struct cfi_section section;
    struct cfi_entry entry;
    uint64_t off = 0, avail = 0;
    enum status status = section_of_image(image, source, &section);
    /* found without section headers: what follows the terminator is something else */
    bool open_end;

    *out = (struct cfi_damage){0};
    if (status != STATUS_OK)
        return status;
    open_end = section.eh_frame && elf_image_bytes_at(image, section.vaddr, &avail) &&
               avail == section.size;
    while (out->fdes < CFI_FDES_MAX &&
           (status = cfi_entry_at(&section, off, &entry)) == STATUS_OK) {
        bool terminator = entry.next_off - entry.off == 4;

        if (terminator && open_end)
            return STATUS_OK;
        if (!entry.is_cie && !terminator) {
            status = check_fde(&section, source, &entry, image, &cache);
            out->fdes += status != STATUS_NOT_FOUND;
            if (status != STATUS_OK && status != STATUS_NOT_FOUND)
                note_damage(out, off);
        }
        off = entry.next_off;
    }
    if (status == STATUS_BAD_DATA) {
        note_damage(out, off);
        out->fdes++;
    }
    return STATUS_OK;
}

/* Returns the index of the first FDE that starts behind `vaddr`. */
static size_t first_behind(struct cfi *cfi, uint64_t vaddr)
{
    return SEARCH_FIRST(i, 0, cfi->count, cfi->fdes[i].start_vaddr <= vaddr);
}

/*
 * Finds the FDE that holds `vaddr`, of overlapping ones that with the nearest start. Tries the
 * table first even if there is an index, so that the result does not depend on that.
 */
static enum status lookup(struct cfi *cfi, uint64_t vaddr, struct found_fde *out)
{
    enum status status;
    uint32_t index;
    size_t behind;

    if (look_in_table(cfi, vaddr, out))
        return STATUS_OK;
    status = index_fdes(cfi);
    if (status != STATUS_OK)
        return status;
    behind = first_behind(cfi, vaddr);
    index = behind ? (uint32_t)(behind - 1) : NO_FDE;
    for (unsigned i = 0; i < NESTING_MAX && index != NO_FDE; i++) {
        const struct fde_index *fde = &cfi->fdes[index];

        if (vaddr < fde->end_vaddr) {
            /* order_fdes left one FDE for each start */
            *out =
                (struct found_fde){*fde, index + 1 < cfi->count ? fde[1].start_vaddr : UINT64_MAX};
            return STATUS_OK;
        }
        index = fde->enclosing;
    }
    return STATUS_NOT_FOUND;
}

static enum status read_fde(struct cfi *cfi, const struct fde_index *index, struct cie_cache *cache,
                            struct cfi_fde *fde)
{
    struct cfi_entry entry;
    enum status status = cfi_entry_at(&cfi->section, index->off, &entry);

    if (status == STATUS_OK)
        status = load_cie(&cfi->section, entry.cie_off, cache);
    if (status == STATUS_OK)
        status = cfi_fde_read(&cfi->section, &entry, &cache->cie, fde);
    return status;
}

static enum status run_fde(struct cfi *cfi, const struct fde_index *index, cfi_row_fn *deliver,
                           void *context)
{
    struct cie_cache cache = {.valid = false};
    struct cfi_fde fde;
    enum status status = read_fde(cfi, index, &cache, &fde);

    if (status != STATUS_OK)
        return status;
    return cfi_program_run(&cfi->section, cfi->source, &cache.cie, &fde, deliver, context);
}

struct wanted {
    uint64_t vaddr;
    struct row *out;
    bool found;
};

static bool take_wanted(void *context, const struct row *row)
{
    struct wanted *wanted = context;

    if (wanted->vaddr < row->start_vaddr || wanted->vaddr >= row->end_vaddr)
        return true;
    *wanted->out = *row;
    wanted->found = true;
    return false;
}

enum status cfi_find(struct cfi *cfi, uint64_t vaddr, struct row *out)
{
    struct wanted wanted = {.vaddr = vaddr, .out = out};
    struct found_fde found;
    enum status status = lookup(cfi, vaddr, &found);

    if (status == STATUS_OK)
        status = run_fde(cfi, &found.fde, take_wanted, &wanted);
    if (wanted.found)
        return STATUS_OK;
    return status == STATUS_OK ? STATUS_NOT_FOUND : status;
}

enum status cfi_function(struct cfi *cfi, uint64_t vaddr, uint64_t *start_vaddr,
                         uint64_t *end_vaddr)
{
    struct found_fde found;
    enum status status = lookup(cfi, vaddr, &found);

    if (status != STATUS_OK)
        return status;
    *start_vaddr = found.fde.start_vaddr;
    /* FDEs do not overlap in sound files; where they do, each ends where the next one begins. */
    *end_vaddr = found.next_vaddr < found.fde.end_vaddr ? found.next_vaddr : found.fde.end_vaddr;
    return vaddr < *end_vaddr ? STATUS_OK : STATUS_NOT_FOUND;
}

/* Returns the furthest end of the first `count` FDEs. */
static uint64_t reach(const struct cfi *cfi, size_t count)
{
    uint32_t index = (uint32_t)count - 1;

    if (count == 0)
        return 0;
    for (unsigned i = 0; i < NESTING_MAX; i++) {
        if (cfi->fdes[index].enclosing == NO_FDE)
            return cfi->fdes[index].end_vaddr;
        index = cfi->fdes[index].enclosing;
    }
    return UINT64_MAX;
}

bool cfi_surroundings(struct cfi *cfi, uint64_t vaddr, struct cfi_surroundings *out)
{
    bool indexed = index_fdes(cfi) == STATUS_OK;
    size_t behind = first_behind(cfi, vaddr);
    const struct fde_index *fde = behind ? &cfi->fdes[behind - 1] : NULL;

    if (!indexed)
        return false;
    *out = (struct cfi_surroundings){.range = {reach(cfi, behind), UINT64_MAX}};
    if (behind < cfi->count)
        out->range.end_vaddr = cfi->fdes[behind].start_vaddr;
    if (!fde || vaddr >= fde->end_vaddr)
        return vaddr >= out->range.start_vaddr;
    if (reach(cfi, behind - 1) > fde->start_vaddr || out->range.end_vaddr < fde->end_vaddr)
        return false;
    *out = (struct cfi_surroundings){.range = {fde->start_vaddr, fde->end_vaddr}, .is_fde = true};
    return true;
}

static enum status fde_at(struct cfi *cfi, size_t index, const struct fde_index **out)
{
    enum status status = index_fdes(cfi);

    if (status != STATUS_OK)
        return status;
    if (index >= cfi->count)
        return STATUS_NOT_FOUND;
    *out = &cfi->fdes[index];
    return STATUS_OK;
}

enum status cfi_function_at(struct cfi *cfi, size_t index, uint64_t *start_vaddr,
                            uint64_t *end_vaddr)
{
    const struct fde_index *fde;
    enum status status = fde_at(cfi, index, &fde);

    if (status != STATUS_OK)
        return status;
    *start_vaddr = fde->start_vaddr;
    *end_vaddr = fde->end_vaddr;
    return STATUS_OK;
}

bool cfi_has_lsda_at(const struct cfi *cfi, size_t index)
{
    return index < cfi->count && cfi->fdes[index].has_lsda;
}

enum status cfi_lsda(struct cfi *cfi, uint64_t vaddr, struct lsda_place *out)
{
    struct cie_cache cache = {.valid = false};
    struct found_fde found;
    struct cfi_fde fde;
    enum status status = lookup(cfi, vaddr, &found);

    if (status == STATUS_OK)
        status = read_fde(cfi, &found.fde, &cache, &fde);
    if (status != STATUS_OK)
        return status;
    *out = (struct lsda_place){.start_vaddr = fde.start_vaddr, .lsda_vaddr = fde.lsda_vaddr};
    return fde.lsda_vaddr == CFI_LSDA_UNKNOWN ? STATUS_UNSUPPORTED : STATUS_OK;
}

enum status cfi_rows_at(struct cfi *cfi, uint64_t vaddr, cfi_row_fn *deliver, void *context)
{
    struct found_fde found;
    enum status status = lookup(cfi, vaddr, &found);

    return status == STATUS_OK ? run_fde(cfi, &found.fde, deliver, context) : status;
}

enum status cfi_rows(struct cfi *cfi, size_t index, cfi_row_fn *deliver, void *context)
{
    const struct fde_index *fde;
    enum status status = fde_at(cfi, index, &fde);

    return status == STATUS_OK ? run_fde(cfi, fde, deliver, context) : status;
}
