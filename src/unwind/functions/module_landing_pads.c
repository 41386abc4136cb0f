#include "unwind/functions/module_landing_pads.h"

#include <stdlib.h>

#include "base/vec.h"

/*
 * Of a file whose entries share tables there could be any number. Large C++ programs have some
 * hundred thousand sites.
 */
#define SITES_READ_MAX 4000000
#define FAR_MAX        262144
#define INTO_MAX       1024 /* of one range; few are looked at */

struct module_pads {
    const struct elf_image *image;
    struct cfi *eh_frame;
    const struct exidx *exidx;
    struct landing_pads sites; /* as the LSDA has them */
    struct landing_pads pads;  /* with what was popped: the answer */
    struct landing_pads into;  /* the other answer */
    struct landing_pads far;   /* of FDEs, to places outside of them; by pad */
    bool far_tried;
    struct { /* what was asked for last: an analysis asks for its function's pads twice */
        bool known;
        uint64_t start_vaddr;
        enum status status;
        const struct landing_pads *found; /* in sites or in pads */
    } last;
};

enum status module_pads_create(const struct elf_image *image, struct cfi *eh_frame,
                               const struct exidx *exidx, struct module_pads **out)
{
    struct module_pads *pads = calloc(1, sizeof(*pads));

    if (!pads)
        return STATUS_NO_MEMORY;
    pads->image = image;
    pads->eh_frame = eh_frame;
    pads->exidx = exidx;
    *out = pads;
    return STATUS_OK;
}

void module_pads_destroy(struct module_pads *pads)
{
    if (!pads)
        return;
    landing_pads_deinit(&pads->sites);
    landing_pads_deinit(&pads->pads);
    landing_pads_deinit(&pads->into);
    landing_pads_deinit(&pads->far);
    free(pads);
}

/* Reads the LSDA's call sites. */
static enum status read_sites(struct module_pads *pads, const struct lsda_place *place)
{
    uint64_t avail;
    const uint8_t *bytes;

    pads->sites.count = 0;
    if (place->lsda_vaddr == 0)
        return STATUS_OK;
    bytes = elf_image_bytes_at(pads->image, place->lsda_vaddr, &avail);
    return bytes ? lsda_read(place, elf_image_arch(pads->image), bytes, avail, &pads->sites)
                 : STATUS_BAD_DATA;
}

struct divider {
    struct module_pads *pads;
    size_t site;
    enum status status;
};

/* Call sites as far as they are in the row, with what was pushed there. */
static bool divide_sites(void *context, const struct row *row)
{
    struct divider *d = context;
    const struct landing_pads *sites = &d->pads->sites;

    while (d->site < sites->count && sites->items[d->site].end_vaddr <= row->start_vaddr)
        d->site++;
    for (size_t i = d->site; i < sites->count && sites->items[i].start_vaddr < row->end_vaddr;
         i++) {
        struct landing_pad pad = sites->items[i];

        if (pad.start_vaddr < row->start_vaddr)
            pad.start_vaddr = row->start_vaddr;
        if (pad.end_vaddr > row->end_vaddr)
            pad.end_vaddr = row->end_vaddr;
        pad.popped = row->args_size;
        d->status = landing_pads_add(&d->pads->pads, &pad);
        if (d->status != STATUS_OK)
            return false;
    }
    return true;
}

/* From the call sites of an FDE's LSDA its landing pads. */
static enum status add_popped(struct module_pads *pads, uint64_t start_vaddr)
{
    struct divider divider = {.pads = pads};
    enum status status;

    pads->pads.count = 0;
    if (pads->sites.count == 0)
        return STATUS_OK;
    status = cfi_rows_at(pads->eh_frame, start_vaddr, divide_sites, &divider);
    if (divider.status != STATUS_OK)
        return divider.status;
    return status;
}

static enum status find(struct module_pads *pads, uint64_t start_vaddr,
                        const struct landing_pads **out)
{
    struct lsda_place place;
    enum status status = STATUS_NOT_FOUND;

    *out = &pads->pads;
    if (pads->eh_frame)
        status = cfi_lsda(pads->eh_frame, start_vaddr, &place);
    if (status == STATUS_OK) {
        status = read_sites(pads, &place);
        if (status == STATUS_OK)
            status = add_popped(pads, start_vaddr);
    } else if (pads->exidx && exidx_lsda(pads->exidx, start_vaddr, &place) == STATUS_OK) {
        status = read_sites(pads, &place);
        *out = &pads->sites; /* Arm's code does not push arguments */
    }
    return status == STATUS_OK || status == STATUS_NO_MEMORY ? status : STATUS_NOT_FOUND;
}

enum status module_pads_of(struct module_pads *pads, uint64_t start_vaddr,
                           const struct landing_pads **out)
{
    if (!pads->last.known || pads->last.start_vaddr != start_vaddr) {
        pads->last.known = true;
        pads->last.start_vaddr = start_vaddr;
        pads->last.status = find(pads, start_vaddr, &pads->last.found);
    }
    *out = pads->last.found;
    return pads->last.status;
}

static int by_pad(const void *a, const void *b)
{
    const struct landing_pad *x = a, *y = b;

    if (x->pad_vaddr != y->pad_vaddr)
        return x->pad_vaddr < y->pad_vaddr ? -1 : 1;
    return x->start_vaddr < y->start_vaddr ? -1 : x->start_vaddr > y->start_vaddr;
}

static bool inside(const struct landing_pad *pad, uint64_t start_vaddr, uint64_t end_vaddr)
{
    return pad->pad_vaddr >= start_vaddr && pad->pad_vaddr < end_vaddr;
}

/* Of all FDEs the landing pads that lie outside of them: @LPStart is what such are for. */
static enum status find_far(struct module_pads *pads)
{
    uint64_t start_vaddr, end_vaddr;
    enum status status = STATUS_OK;
    struct lsda_place place;
    size_t sites = 0;

    pads->far_tried = true;
    pads->last.known = false;
    for (size_t i = 0;
         pads->eh_frame && sites < SITES_READ_MAX && pads->far.count < FAR_MAX &&
         (status = cfi_function_at(pads->eh_frame, i, &start_vaddr, &end_vaddr)) == STATUS_OK;
         i++) {
        bool leaves = false;

        if (!cfi_has_lsda_at(pads->eh_frame, i) ||
            cfi_lsda(pads->eh_frame, start_vaddr, &place) != STATUS_OK ||
            read_sites(pads, &place) != STATUS_OK)
            continue;
        sites += pads->sites.count;
        for (size_t k = 0; k < pads->sites.count && !leaves; k++)
            leaves = !inside(&pads->sites.items[k], start_vaddr, end_vaddr);
        if (!leaves || add_popped(pads, start_vaddr) != STATUS_OK)
            continue;
        for (size_t k = 0; k < pads->pads.count && pads->far.count < FAR_MAX; k++)
            if (!inside(&pads->pads.items[k], start_vaddr, end_vaddr) &&
                landing_pads_add(&pads->far, &pads->pads.items[k]) != STATUS_OK)
                return STATUS_NO_MEMORY;
    }
    if (pads->far.count > 1)
        qsort(pads->far.items, pads->far.count, sizeof(*pads->far.items), by_pad);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

enum status module_pads_into(struct module_pads *pads, uint64_t start_vaddr, uint64_t end_vaddr,
                             const struct landing_pads **out)
{
    const struct landing_pads *own;
    enum status status = pads->far_tried ? STATUS_OK : find_far(pads);
    size_t low = 0, high = pads->far.count;

    *out = &pads->into;
    pads->into.count = 0;
    if (status != STATUS_OK)
        return status;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (pads->far.items[middle].pad_vaddr < start_vaddr)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < pads->far.count && pads->far.items[low].pad_vaddr < end_vaddr &&
           pads->into.count < INTO_MAX;
         low++)
        if (landing_pads_add(&pads->into, &pads->far.items[low]) != STATUS_OK)
            return STATUS_NO_MEMORY;
    /* The range may be a part of what the table has as one function. */
    if (module_pads_of(pads, start_vaddr, &own) != STATUS_OK)
        return STATUS_OK;
    for (size_t i = 0; i < own->count; i++)
        if (inside(&own->items[i], start_vaddr, end_vaddr) &&
            (own->items[i].end_vaddr <= start_vaddr || own->items[i].start_vaddr >= end_vaddr) &&
            landing_pads_add(&pads->into, &own->items[i]) != STATUS_OK)
            return STATUS_NO_MEMORY;
    if (pads->into.count > 1)
        qsort(pads->into.items, pads->into.count, sizeof(*pads->into.items), by_pad);
    return STATUS_OK;
}
