/* SPDX-License-Identifier: MIT */
#include "graph/ingest_sinks.h"

#include <assert.h>
#include <string.h>

void ingest_sinks_add(struct ingest_sinks *sinks, struct ingest_sink sink)
{
    assert(sinks->count < INGEST_SINKS_MAX);
    sinks->list[sinks->count++] = sink;
}

void ingest_sinks_remove(struct ingest_sinks *sinks, const void *context)
{
    size_t kept = 0;

    for (size_t i = 0; i < sinks->count; i++)
        if (sinks->list[i].context != context)
            sinks->list[kept++] = sinks->list[i];
    sinks->count = kept;
}

/* Defines ingest_sinks_EVENT, which hands `given` to each sink's function for the event. */
#define FAN_OUT(event, type)                                                                       \
    enum status ingest_sinks_##event(const struct ingest_sinks *sinks, type given)                 \
    {                                                                                              \
        enum status status = STATUS_OK;                                                            \
                                                                                                   \
        for (size_t i = 0; i < sinks->count && status == STATUS_OK; i++)                           \
            if (sinks->list[i].event)                                                              \
                status = sinks->list[i].event(sinks->list[i].context, given);                      \
        return status;                                                                             \
    }

FAN_OUT(begin, uint64_t)
FAN_OUT(process, const struct snap_process *)
FAN_OUT(thread, const struct snap_thread *)
FAN_OUT(thread_end, const struct snap_thread *)
FAN_OUT(sample, const struct ingest_sample *)
FAN_OUT(tick, const struct ingest_sample *)
FAN_OUT(cpu, const struct ingest_cpu *)
FAN_OUT(creation, const struct ingest_creation *)

bool ingest_sinks_want_creations(const struct ingest_sinks *sinks)
{
    for (size_t i = 0; i < sinks->count; i++)
        if (sinks->list[i].creation)
            return true;
    return false;
}
