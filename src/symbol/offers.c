/* SPDX-License-Identifier: MIT */
#include "symbol/offers.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/keyed_hash.h"
#include "base/map.h"
#include "base/shortage.h"
#include "base/vec.h"

struct offer_entry {
    struct offer offer;
    offer_write_fn *write;
    void *context;
    size_t index;
    bool is_tried, is_there;
    uint64_t off;  /* in the room */
    uint64_t next; /* index + 1 of the next one with the same hash; 0: none */
};

struct offers {
    pthread_mutex_t lock;
    int room;
    int no_room;                 /* errno: nothing more can be put there; 0: it can */
    uint64_t end;                /* of the used part of the room */
    struct offer_entry *entries; /* owned */
    size_t count, cap;
    struct map by_hash; /* hash of build-id, or path -> index + 1 of the last one */
};

struct offers *offers_create(int room)
{
    struct offers *offers = calloc(1, sizeof(*offers));

    if (!offers)
        return NULL;
    offers->room = room;
    offers->no_room = room < 0 ? -room : 0;
    pthread_mutex_init(&offers->lock, NULL);
    return offers;
}

void offers_destroy(struct offers *offers)
{
    if (!offers)
        return;
    pthread_mutex_destroy(&offers->lock);
    map_deinit(&offers->by_hash);
    free(offers->entries);
    free(offers);
}

/* Hashes the build-id, or the path. */
static uint64_t hash_of(const struct offer *offer)
{
    const uint64_t numbers[] = {offer->kind, offer->build_id_size};

    return offer->build_id_size ? keyed_bytes(keyed_bytes(0, numbers, sizeof(numbers)),
                                              offer->build_id, offer->build_id_size)
                                : keyed_bytes(keyed_bytes(0, numbers, sizeof(numbers)), offer->path,
                                              strlen(offer->path));
}

enum status offers_add(struct offers *offers, const struct offer *offer, offer_write_fn *write,
                       void *context, size_t index)
{
    uint64_t *last;

    if (vec_reserve(&offers->entries, &offers->cap, offers->count + 1, sizeof(*offers->entries)) !=
            STATUS_OK ||
        !(last = map_put(&offers->by_hash, hash_of(offer), 0)))
        return STATUS_NO_MEMORY;
    offers->entries[offers->count++] = (struct offer_entry){
        .offer = *offer, .write = write, .context = context, .index = index, .next = *last};
    *last = offers->count;
    return STATUS_OK;
}

static bool is_meant(const struct offer *offer, const struct offer *wanted)
{
    if (offer->kind != wanted->kind || offer->build_id_size != wanted->build_id_size)
        return false;
    if (wanted->build_id_size)
        return memcmp(offer->build_id, wanted->build_id, wanted->build_id_size) == 0;
    return offer->dev == wanted->dev && offer->inode == wanted->inode &&
           strcmp(offer->path, wanted->path) == 0;
}

/* Writes the offer to the end of the room, at a page's beginning, as it is mapped from there. */
static enum status write_out(struct offers *offers, struct offer_entry *entry, struct diag *diag)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    enum status status;

    if (offers->no_room) {
        shortage_note(entry->offer.place, offers->no_room);
        diag_set(diag, entry->offer.place, "cannot be taken out of the snapshot: %s",
                 strerror(offers->no_room));
        diag_hint(diag, "give TMPDIR a directory to write to");
        return STATUS_IO;
    }
    entry->is_tried = true;
    entry->off = offers->end;
    if (!entry->offer.size || entry->offer.size > (uint64_t)INT64_MAX / 2 - offers->end) {
        diag_set(diag, entry->offer.place, "its size in the snapshot cannot be");
        return STATUS_BAD_DATA;
    }
    status = entry->write(entry->context, entry->index, offers->room, entry->off, diag);
    entry->is_there = status == STATUS_OK;
    if (entry->is_there)
        offers->end += (entry->offer.size + page - 1) & ~(page - 1);
    else if (ftruncate(offers->room, (off_t)entry->off) != 0)
        offers->no_room = errno; /* what is behind would not be zeroes */
    return status;
}

static enum status open_entry(struct offers *offers, struct offer_entry *entry,
                              struct elf_image **out, struct diag *diag)
{
    enum status status = entry->is_there   ? STATUS_OK
                         : entry->is_tried ? STATUS_NOT_FOUND
                                           : write_out(offers, entry, diag);

    return status == STATUS_OK ? elf_image_open_part(offers->room, entry->off, entry->offer.size,
                                                     entry->offer.place, out, diag)
                               : status;
}

enum status offers_open(struct offers *offers, const struct offer *wanted, struct elf_image **out,
                        struct diag *diag)
{
    enum status status = STATUS_NOT_FOUND;
    const uint64_t *last;

    if (!offers)
        return STATUS_NOT_FOUND;
    pthread_mutex_lock(&offers->lock);
    last = map_get(&offers->by_hash, hash_of(wanted));
    for (uint64_t i = last ? *last : 0; i != 0 && status != STATUS_OK;
         i = offers->entries[i - 1].next)
        if (is_meant(&offers->entries[i - 1].offer, wanted))
            status = open_entry(offers, &offers->entries[i - 1], out, diag);
    pthread_mutex_unlock(&offers->lock);
    return status;
}
