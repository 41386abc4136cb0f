/* SPDX-License-Identifier: MIT */
#include "symbol/offers.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/shortage.h"
#include "base/vec.h"

struct offer_entry {
    struct offer offer;
    offer_write_fn *write;
    void *context;
    size_t index;
    bool is_tried, is_there;
    uint64_t off; /* in the room */
};

struct offers {
    pthread_mutex_t lock;
    int room;
    uint64_t end;                /* of what is used of the room */
    struct offer_entry *entries; /* owned */
    size_t count, cap;
};

struct offers *offers_create(int room)
{
    struct offers *offers = calloc(1, sizeof(*offers));

    if (!offers)
        return NULL;
    offers->room = room;
    pthread_mutex_init(&offers->lock, NULL);
    return offers;
}

void offers_destroy(struct offers *offers)
{
    if (!offers)
        return;
    pthread_mutex_destroy(&offers->lock);
    free(offers->entries);
    free(offers);
}

enum status offers_add(struct offers *offers, const struct offer *offer, offer_write_fn *write,
                       void *context, size_t index)
{
    if (vec_reserve(&offers->entries, &offers->cap, offers->count + 1, sizeof(*offers->entries)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    offers->entries[offers->count++] =
        (struct offer_entry){.offer = *offer, .write = write, .context = context, .index = index};
    return STATUS_OK;
}

static bool is_meant(const struct offer *offer, enum offer_kind kind, const uint8_t *id,
                     size_t id_size, const char *path)
{
    if (offer->kind != kind || offer->build_id_size != id_size)
        return false;
    return id_size ? memcmp(offer->build_id, id, id_size) == 0 : strcmp(offer->path, path) == 0;
}

/* To a place of its own, which begins a page as it is to be mapped. */
static enum status write_out(struct offers *offers, struct offer_entry *entry, struct diag *diag)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    enum status status;

    if (offers->room < 0) {
        shortage_note(entry->offer.place, -offers->room);
        diag_set(diag, entry->offer.place, "cannot be taken out of the snapshot: %s",
                 strerror(-offers->room));
        diag_hint(diag, "give TMPDIR a directory to write to");
        return STATUS_IO;
    }
    entry->is_tried = true;
    entry->off = offers->end;
    if (!entry->offer.size || entry->offer.size > (uint64_t)INT64_MAX / 2 - offers->end) {
        diag_set(diag, entry->offer.place, "its size in the snapshot cannot be");
        return STATUS_BAD_DATA;
    }
    offers->end += (entry->offer.size + page - 1) & ~(page - 1);
    status = entry->write(entry->context, entry->index, offers->room, entry->off, diag);
    entry->is_there = status == STATUS_OK;
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

enum status offers_open(struct offers *offers, enum offer_kind kind, const uint8_t *build_id,
                        size_t build_id_size, const char *path, struct elf_image **out,
                        struct diag *diag)
{
    enum status status = STATUS_NOT_FOUND;

    if (!offers)
        return STATUS_NOT_FOUND;
    pthread_mutex_lock(&offers->lock);
    for (size_t i = 0; i < offers->count; i++)
        if (is_meant(&offers->entries[i].offer, kind, build_id, build_id_size, path)) {
            status = open_entry(offers, &offers->entries[i], out, diag);
            break;
        }
    pthread_mutex_unlock(&offers->lock);
    return status;
}
