/* SPDX-License-Identifier: MIT */
#include "output/threads/output_waits.h"

enum status output_waits_init(struct output_waits *waits, const struct output *o)
{
    enum status status;

    *waits = (struct output_waits){.identities = NULL};
    status = identities_create(o->history, o->profile, &waits->identities);
    if (status == STATUS_OK)
        status = wait_graph_create(o->history, waits->identities, &waits->graph);
    if (status == STATUS_OK)
        status = deadlocks_find(waits->graph, &waits->deadlocks);
    if (status == STATUS_OK)
        status = lock_orders_find(waits->graph, waits->deadlocks, &waits->orders);
    waits->words = (struct wait_words){.graph = waits->graph,
                                       .history = o->history,
                                       .profile = o->profile,
                                       .identities = waits->identities,
                                       .whole_chains = o->verbose};
    return status;
}

void output_waits_deinit(struct output_waits *waits)
{
    lock_orders_destroy(waits->orders);
    deadlocks_destroy(waits->deadlocks);
    wait_graph_destroy(waits->graph);
    identities_destroy(waits->identities);
}
