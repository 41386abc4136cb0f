/* The formats of cgunwind that tell who waits for whom. */
#include "output/threads/waits_dot.h"
#include "output/threads/waits_report.h"
#include "threads/blocking/deadlock.h"
#include "threads/blocking/lock_order.h"
#include "threads/blocking/wait_graph.h"
#include "threads/identity.h"
#include "tools/cgunwind/cgunwind.h"

struct made { /* from a history, for all of these formats */
    const struct threads_facts *facts;
    struct identities *identities;
    struct wait_graph *graph;
    struct deadlocks *deadlocks;
    struct lock_orders *orders;
};

static enum status make(struct made *made)
{
    const struct threads_facts *facts = made->facts;
    enum status status = identities_create(facts->history, facts->profile, &made->identities);

    if (status == STATUS_OK)
        status = wait_graph_create(facts->history, made->identities, &made->graph);
    if (status == STATUS_OK)
        status = deadlocks_find(made->graph, &made->deadlocks);
    if (status == STATUS_OK)
        status = lock_orders_find(made->graph, made->deadlocks, &made->orders);
    return status;
}

static void unmake(struct made *made)
{
    lock_orders_destroy(made->orders);
    deadlocks_destroy(made->deadlocks);
    wait_graph_destroy(made->graph);
    identities_destroy(made->identities);
}

static struct wait_words words_of(const struct made *made)
{
    return (struct wait_words){.graph = made->graph,
                               .history = made->facts->history,
                               .profile = made->facts->profile,
                               .identities = made->identities,
                               .whole_chains = made->facts->options->verbose};
}

static enum status write_dot(const void *context, FILE *out)
{
    const struct made *made = context;
    const struct waits_dot dot = {.words = words_of(made),
                                  .deadlocks = made->deadlocks,
                                  .filter = &made->facts->options->filter,
                                  .title = made->facts->title,
                                  .objects_max = made->facts->options->graph.nodes};

    return waits_dot_write(&dot, out);
}

static enum status write_text(const struct made *made, FILE *out)
{
    const struct waits_report report = {.words = words_of(made),
                                        .deadlocks = made->deadlocks,
                                        .orders = made->orders,
                                        .filter = &made->facts->options->filter,
                                        .title = made->facts->title};

    return waits_report_write(&report, out);
}

enum status waits_write(const struct threads_facts *facts, FILE *out, struct diag *diag)
{
    struct made made = {.facts = facts};
    enum status status = make(&made);

    if (status == STATUS_OK)
        status = facts->options->format == WAITS
                     ? write_text(&made, out)
                     : picture_write(facts->options, write_dot, &made, out, diag);
    unmake(&made);
    return status;
}
