/* SPDX-License-Identifier: MIT */
#include "unwind/functions/module_landing_pads.h"

#include <stdlib.h>

#include "base/search.h"

/* Caps, since entries may share tables. Large C++ programs have some hundred thousand sites. */
#define SITES_READ_MAX 4000000
#define FAR_MAX        262144
#define INTO_MAX       1024 /* of one range; callers look at few */

struct module_landing_pads {
    const struct elf_image *image;
    struct cfi *eh_frame;
    const struct exidx *exidx;
    struct landing_pads sites;        /* of the LSDA that was read last */
    struct landing_pads landing_pads; /* the same, divided by `popped`; a result */
    struct landing_pads into;         /* a result of module_landing_pads_into */
    struct landing_pads far;          /* of FDEs, to places outside of them; by landing pad */
    bool far_tried;
    struct { /* last result: an analysis needs its function's landing pads twice */
        bool known;
        uint64_t start_vaddr;
        enum status status;
        const struct landing_pads *found; /* in sites or in landing_pads */
    } last;
};

enum status module_landing_pads_create(const struct elf_image *image, struct cfi *eh_frame,
                                       const struct exidx *exidx, struct module_landing_pads **out)
{
    struct module_landing_pads *landing_pads = calloc(1, sizeof(*landing_pads));

    if (!landing_pads)
        return STATUS_NO_MEMORY;
    landing_pads->image = image;
    landing_pads->eh_frame = eh_frame;
    landing_pads->exidx = exidx;
    *out = landing_pads;
    return STATUS_OK;
}

void module_landing_pads_destroy(struct module_landing_pads *landing_pads)
{
    if (!landing_pads)
        return;
    landing_pads_deinit(&landing_pads->sites);
    landing_pads_deinit(&landing_pads->landing_pads);
    landing_pads_deinit(&landing_pads->into);
    landing_pads_deinit(&landing_pads->far);
    free(landing_pads);
}

/* Reads the LSDA's call sites into `sites`. */
static enum status read_sites(struct module_landing_pads *landing_pads,
                              const struct lsda_place *place)
{
    uint64_t avail;
    const uint8_t *bytes;

    landing_pads->sites.count = 0;
    if (place->lsda_vaddr == 0)
        return STATUS_OK;
    bytes = elf_image_bytes_at(landing_pads->image, place->lsda_vaddr, &avail);
    return bytes ? lsda_read(place, elf_image_arch(landing_pads->image), bytes, avail,
                             &landing_pads->sites)
                 : STATUS_BAD_DATA;
}

struct divider {
    struct module_landing_pads *landing_pads;
    size_t site;
    enum status status;
};

/* Adds the parts of call sites in the row, with the arguments pushed there. */
static bool divide_sites(void *context, const struct row *row)
{
    struct divider *d = context;
    const struct landing_pads *sites = &d->landing_pads->sites;

    while (d->site < sites->count && sites->items[d->site].end_vaddr <= row->start_vaddr)
        d->site++;
    for (size_t i = d->site; i < sites->count && sites->items[i].start_vaddr < row->end_vaddr;
         i++) {
        struct landing_pad landing_pad = sites->items[i];

        if (landing_pad.start_vaddr < row->start_vaddr)
            landing_pad.start_vaddr = row->start_vaddr;
        if (landing_pad.end_vaddr > row->end_vaddr)
            landing_pad.end_vaddr = row->end_vaddr;
        landing_pad.popped = row->args_size;
        d->status = landing_pads_add(&d->landing_pads->landing_pads, &landing_pad);
        if (d->status != STATUS_OK)
            return false;
    }
    return true;
}

/* Makes landing_pads of the FDE's call sites, with `popped`. */
static enum status add_popped(struct module_landing_pads *landing_pads, uint64_t start_vaddr)
{
    struct divider divider = {.landing_pads = landing_pads};
    enum status status;

    landing_pads->landing_pads.count = 0;
    if (landing_pads->sites.count == 0)
        return STATUS_OK;
    status = cfi_rows_at(landing_pads->eh_frame, start_vaddr, divide_sites, &divider);
    if (divider.status != STATUS_OK)
        return divider.status;
    return status;
}

static enum status find(struct module_landing_pads *landing_pads, uint64_t start_vaddr,
                        const struct landing_pads **out)
{
    struct lsda_place place;
    enum status status = STATUS_NOT_FOUND;

    *out = &landing_pads->landing_pads;
    if (landing_pads->eh_frame)
        status = cfi_lsda(landing_pads->eh_frame, start_vaddr, &place);
    if (status == STATUS_OK) {
        status = read_sites(landing_pads, &place);
        if (status == STATUS_OK)
            status = add_popped(landing_pads, start_vaddr);
    } else if (landing_pads->exidx &&
               exidx_lsda(landing_pads->exidx, start_vaddr, &place) == STATUS_OK) {
        status = read_sites(landing_pads, &place);
        *out = &landing_pads->sites; /* code for ARM does not push arguments */
    }
    return status == STATUS_OK || status == STATUS_NO_MEMORY ? status : STATUS_NOT_FOUND;
}

enum status module_landing_pads_of(struct module_landing_pads *landing_pads, uint64_t start_vaddr,
                                   const struct landing_pads **out)
{
    if (!landing_pads->last.known || landing_pads->last.start_vaddr != start_vaddr) {
        landing_pads->last.known = true;
        landing_pads->last.start_vaddr = start_vaddr;
        landing_pads->last.status = find(landing_pads, start_vaddr, &landing_pads->last.found);
    }
    *out = landing_pads->last.found;
    return landing_pads->last.status;
}

static int by_pad(const void *a, const void *b)
{
    const struct landing_pad *x = a, *y = b;

    if (x->landing_pad_vaddr != y->landing_pad_vaddr)
        return x->landing_pad_vaddr < y->landing_pad_vaddr ? -1 : 1;
    return x->start_vaddr < y->start_vaddr ? -1 : x->start_vaddr > y->start_vaddr;
}

static bool inside(const struct landing_pad *landing_pad, uint64_t start_vaddr, uint64_t end_vaddr)
{
    return landing_pad->landing_pad_vaddr >= start_vaddr &&
           landing_pad->landing_pad_vaddr < end_vaddr;
}

/* Makes `far`; such landing pads are the use of @LPStart. */
static enum status find_far(struct module_landing_pads *landing_pads)
{
    uint64_t start_vaddr, end_vaddr;
    enum status status = STATUS_OK;
    struct lsda_place place;
    size_t sites = 0;

    landing_pads->far_tried = true;
    landing_pads->last.known = false;
    for (size_t i = 0;
         landing_pads->eh_frame && sites < SITES_READ_MAX && landing_pads->far.count < FAR_MAX &&
         (status = cfi_function_at(landing_pads->eh_frame, i, &start_vaddr, &end_vaddr)) ==
             STATUS_OK;
         i++) {
        bool leaves = false;

        if (!cfi_has_lsda_at(landing_pads->eh_frame, i) ||
            cfi_lsda(landing_pads->eh_frame, start_vaddr, &place) != STATUS_OK ||
            read_sites(landing_pads, &place) != STATUS_OK)
            continue;
        sites += landing_pads->sites.count;
        for (size_t k = 0; k < landing_pads->sites.count && !leaves; k++)
            leaves = !inside(&landing_pads->sites.items[k], start_vaddr, end_vaddr);
        if (!leaves || add_popped(landing_pads, start_vaddr) != STATUS_OK)
            continue;
        for (size_t k = 0;
             k < landing_pads->landing_pads.count && landing_pads->far.count < FAR_MAX; k++)
            if (!inside(&landing_pads->landing_pads.items[k], start_vaddr, end_vaddr) &&
                landing_pads_add(&landing_pads->far, &landing_pads->landing_pads.items[k]) !=
                    STATUS_OK)
                return STATUS_NO_MEMORY;
    }
    if (landing_pads->far.count > 1)
        qsort(landing_pads->far.items, landing_pads->far.count, sizeof(*landing_pads->far.items),
              by_pad);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

enum status module_landing_pads_into(struct module_landing_pads *landing_pads, uint64_t start_vaddr,
                                     uint64_t end_vaddr, const struct landing_pads **out)
{
    const struct landing_pads *own;
    enum status status = landing_pads->far_tried ? STATUS_OK : find_far(landing_pads);
    size_t at;

    *out = &landing_pads->into;
    landing_pads->into.count = 0;
    if (status != STATUS_OK)
        return status;
    at = SEARCH_FIRST(i, 0, landing_pads->far.count,
                      landing_pads->far.items[i].landing_pad_vaddr < start_vaddr);
    for (; at < landing_pads->far.count &&
           landing_pads->far.items[at].landing_pad_vaddr < end_vaddr &&
           landing_pads->into.count < INTO_MAX;
         at++)
        if (landing_pads_add(&landing_pads->into, &landing_pads->far.items[at]) != STATUS_OK)
            return STATUS_NO_MEMORY;
    /* The range may be part of what the table has as one function. */
    if (module_landing_pads_of(landing_pads, start_vaddr, &own) != STATUS_OK)
        return STATUS_OK;
    for (size_t i = 0; i < own->count; i++)
        if (inside(&own->items[i], start_vaddr, end_vaddr) &&
            (own->items[i].end_vaddr <= start_vaddr || own->items[i].start_vaddr >= end_vaddr) &&
            landing_pads_add(&landing_pads->into, &own->items[i]) != STATUS_OK)
            return STATUS_NO_MEMORY;
    if (landing_pads->into.count > 1)
        qsort(landing_pads->into.items, landing_pads->into.count, sizeof(*landing_pads->into.items),
              by_pad);
    return STATUS_OK;
}
