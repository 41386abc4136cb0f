/* SPDX-License-Identifier: MIT */
#include "graph/keep.h"

#include <stdlib.h>
#include <string.h>

#include "graph/profile.h"

/* A place: a node, or a run. */
struct keep_place {
    uint32_t head; /* its outermost node */
    uint64_t self, adds;
    bool taken;
};

static struct keep_place place_of(const struct keep_node *nodes, uint32_t head)
{
    struct keep_place place = {.head = head};
    uint32_t last = head;

    for (uint32_t id = head; id != KEEP_NONE; id = nodes[id].inner) {
        place.self = weight_add(place.self, nodes[id].self);
        last = id;
    }
    place.adds =
        nodes[head].total > nodes[last].passed ? nodes[head].total - nodes[last].passed : 0;
    place.adds = weight_add(place.adds, nodes[head].begins);
    return place;
}

static int compare_self(const void *a, const void *b)
{
    const struct keep_place *pa = a, *pb = b;

    if (pa->self != pb->self)
        return pa->self > pb->self ? -1 : 1;
    return pa->head < pb->head ? -1 : pa->head > pb->head;
}

static int compare_adds(const void *a, const void *b)
{
    const struct keep_place *pa = a, *pb = b;

    if (pa->adds != pb->adds)
        return pa->adds > pb->adds ? -1 : 1;
    return pa->head < pb->head ? -1 : pa->head > pb->head;
}

static void take(struct keep_place *places, size_t count, size_t limit)
{
    size_t by_self = limit - (limit + 3) / 4;
    size_t taken = 0;

    qsort(places, count, sizeof(*places), compare_self);
    for (; taken < by_self && places[taken].self; taken++)
        places[taken].taken = true;
    qsort(places, count, sizeof(*places), compare_adds);
    for (size_t i = 0; i < count && taken < limit; i++) {
        taken += !places[i].taken;
        places[i].taken = true;
    }
}

enum status keep_choose(const struct keep_node *nodes, size_t count, uint32_t limit, bool *kept)
{
    struct keep_place *places = calloc(count + 1, sizeof(*places));
    bool *is_inner = calloc(count + 1, sizeof(*is_inner));
    size_t place_count = 0;

    if (!places || !is_inner) {
        free(places);
        free(is_inner);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        if (nodes[i].inner != KEEP_NONE)
            is_inner[nodes[i].inner] = true;
    for (size_t i = 0; i < count; i++)
        if (!is_inner[i])
            places[place_count++] = place_of(nodes, (uint32_t)i);
    take(places, place_count, limit && limit < place_count ? limit : place_count);
    memset(kept, 0, count * sizeof(*kept));
    for (size_t i = 0; i < place_count; i++)
        for (uint32_t id = places[i].taken ? places[i].head : KEEP_NONE; id != KEEP_NONE;
             id = nodes[id].inner)
            kept[id] = true;
    free(places);
    free(is_inner);
    return STATUS_OK;
}
