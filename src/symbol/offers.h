/* SPDX-License-Identifier: MIT */
/*
 * ELF files that an input (snapshot) carries: modules and their debug files. One that is wanted is
 * written to an unnamed file (`room`) and opened there. The caller checks that it is the right
 * file, as for any other.
 */
#ifndef SYMBOL_OFFERS_H
#define SYMBOL_OFFERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"

enum offer_kind {
    OFFER_MODULE,
    OFFER_DEBUG,  /* the separate debug file of a module */
    OFFER_SHARED, /* what dwz moved out of debug files */
};

struct offer {
    enum offer_kind kind;
    const uint8_t *build_id; /* MODULE, DEBUG: the module's; SHARED: the file's own */
    size_t build_id_size;    /* 0: known by path, device and inode instead */
    uint64_t dev, inode;     /* of the module's mapping */
    const char *path;        /* of the module, as the target sees it */
    const char *place;       /* where it was taken from, for messages */
    uint64_t size;           /* bytes */
};

/* Writes the bytes of offer number `index` to `fd` from `off` on. Fails as offers_open does. */
typedef enum status offer_write_fn(void *context, size_t index, int fd, uint64_t off,
                                   struct diag *diag);

struct offers;

/* `room` is borrowed: a descriptor, or -errno when there is none. NULL: no memory. */
struct offers *offers_create(int room);
void offers_destroy(struct offers *offers);

/*
 * Adds an offer, whose texts and build-id are borrowed. `write(context, index, ...)` writes its
 * bytes when it is wanted; one thread calls it at a time. Of equal offers the last one that can be
 * used is taken. NO_MEMORY.
 */
MUST_CHECK enum status offers_add(struct offers *offers, const struct offer *offer,
                                  offer_write_fn *write, void *context, size_t index);

/*
 * Opens the file offered as `wanted` (`place` and `size` are not compared) as an image. `offers`
 * may be NULL. NOT_FOUND: none is offered, or it could not be written before. BAD_DATA, IO,
 * UNSUPPORTED with `diag` (may be NULL) filled: it cannot be used. NO_MEMORY. Thread-safe.
 */
MUST_CHECK enum status offers_open(struct offers *offers, const struct offer *wanted,
                                   struct elf_image **out, struct diag *diag);

#endif
