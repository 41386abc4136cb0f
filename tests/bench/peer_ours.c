/* SPDX-License-Identifier: MIT */
/* Our unwinder, used as graph/ingest uses it: each thread's chain is kept from sample to sample. */
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "symbol/address_space.h"
#include "symbol/module_set.h"
#include "unwind/unwinder.h"

struct ours {
    struct module_set *modules;
    struct unwinder *unwinder;
    struct address_space space;
    struct chain *chains;                /* of each thread */
    const struct snap_sample **previous; /* of each thread */
    size_t thread_count;
};

static void *create(const struct recording *recording)
{
    const struct module_options module_options = {.arch = recording->arch};
    const struct unwinder_options options = {0};
    struct ours *ours = bench_alloc(1, sizeof(*ours));

    if (module_set_create(&module_options, &ours->modules) != STATUS_OK ||
        unwinder_create(recording->arch, ours->modules, &options, &ours->unwinder) != STATUS_OK)
        bench_die("cannot make an unwinder");
    recording_space(recording, ours->modules, &ours->space);
    ours->thread_count = recording->thread_count;
    ours->chains = bench_alloc(ours->thread_count, sizeof(*ours->chains));
    ours->previous = bench_alloc(ours->thread_count, sizeof(struct snap_sample *));
    return ours;
}

static void destroy(void *self)
{
    struct ours *ours = self;

    for (size_t i = 0; i < ours->thread_count; i++)
        chain_deinit(&ours->chains[i]);
    free(ours->chains);
    free(ours->previous);
    address_space_deinit(&ours->space);
    unwinder_destroy(ours->unwinder);
    module_set_destroy(ours->modules);
    free(ours);
}

#define BLOCK 256

/* From where on, to the end, the first regions hold the same; 0: nowhere. */
static uint64_t unchanged_addr(const struct snap_sample *a, const struct snap_sample *b)
{
    const struct snap_region *x = a->regions, *y = b->regions;
    const uint8_t *x_end, *y_end;
    uint64_t common, same = 0, step = BLOCK;

    if (!a->region_count || !b->region_count || x->end_addr != y->end_addr)
        return 0;
    x_end = x->bytes + (x->end_addr - x->start_addr);
    y_end = y->bytes + (y->end_addr - y->start_addr);
    common = x->end_addr - (x->start_addr > y->start_addr ? x->start_addr : y->start_addr);
    while (step) {
        if (common - same >= step && memcmp(x_end - same - step, y_end - same - step, step) == 0)
            same += step;
        else
            step = step == BLOCK ? sizeof(uint64_t) : 0;
    }
    return x->end_addr - same;
}

static void unwind(void *self, const struct recorded *recorded, enum peer_mode mode,
                   struct peer_chain *out)
{
    struct ours *ours = self;
    struct chain *chain = &ours->chains[recorded->thread];
    struct snap_sample sample = recorded->sample;

    if (mode == PEER_APART)
        sample.unchanged_addr = 0;
    if (mode == PEER_COMPARED && ours->previous[recorded->thread])
        sample.unchanged_addr = unchanged_addr(&sample, ours->previous[recorded->thread]);
    ours->previous[recorded->thread] = &recorded->sample;
    if (unwinder_chain(ours->unwinder, &ours->space, &sample, chain) != STATUS_OK)
        bench_die("out of memory");
    out->count = chain->count;
    if (!out->pcs)
        return;
    for (size_t i = 0; i < chain->count; i++)
        out->pcs[i] = chain->frames[i].pc_addr;
}

const struct peer peer_ours = {.name = "ours",
                               .create = create,
                               .destroy = destroy,
                               .unwind = unwind};
