/* SPDX-License-Identifier: MIT */
#include "output/threads/output_waits.h"

enum status output_waits_init(struct output_waits *waits, const struct output *o)
{
    enum status status;

    *waits = (struct output_waits){.graph = NULL};
    status = output_timeline_init(&waits->made, o);
    if (status == STATUS_OK)
        status = wait_graph_create(o->history, waits->made.report.identities, waits->made.timeline,
                                   &waits->graph);
    if (status == STATUS_OK)
        status = deadlocks_find(waits->graph, &waits->deadlocks);
    if (status == STATUS_OK)
        status = lock_orders_find(waits->graph, waits->deadlocks, &waits->orders);
    waits->words = (struct wait_words){.graph = waits->graph,
                                       .history = o->history,
                                       .profile = o->profile,
                                       .identities = waits->made.report.identities,
                                       .whole_chains = o->verbose};
    return status;
}

void output_waits_deinit(struct output_waits *waits)
{
    lock_orders_destroy(waits->orders);
    deadlocks_destroy(waits->deadlocks);
    wait_graph_destroy(waits->graph);
    output_timeline_deinit(&waits->made);
}
