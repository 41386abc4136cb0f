/* SPDX-License-Identifier: MIT */
/*
 * Files that an input brings along, besides those of this machine: modules, and their debug files.
 * What is asked for is taken out to a file without name (`room`), and opened there. That a file is
 * what it is asked for as is checked as that of any other is.
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
    OFFER_DEBUG,  /* the separate debug file of a module, */
    OFFER_SHARED, /* what dwz moved out of debug files */
};

struct offer {
    enum offer_kind kind;
    const uint8_t *build_id; /* MODULE, DEBUG: the module's; SHARED: its own */
    size_t build_id_size;    /* 0: it is known by path, device and inode */
    uint64_t dev, inode;     /* of the module's mapping */
    const char *path;        /* of the module, as the target sees it */
    const char *place;       /* where it was, for messages */
    uint64_t size;
};

/* Writes the offer's bytes to `fd` from `off` on. Errors as those of offers_open. */
typedef enum status offer_write_fn(void *context, size_t index, int fd, uint64_t off,
                                   struct diag *diag);

struct offers;

/* `room` is borrowed: a descriptor, or -errno where there is none. NULL: no memory. */
struct offers *offers_create(int room);
void offers_destroy(struct offers *offers);

/*
 * `offer`, whose texts are borrowed, is got by `write(context, index, …)`, which is called by one
 * thread at a time. Of those that are alike the last one is used that can be. NO_MEMORY.
 */
MUST_CHECK enum status offers_add(struct offers *offers, const struct offer *offer,
                                  offer_write_fn *write, void *context, size_t index);

/*
 * The file that is offered as `wanted`, of which `place` and `size` are not looked at, as an image.
 * `offers` may be NULL. NOT_FOUND: none is offered. BAD_DATA, IO, UNSUPPORTED: it is, and cannot be
 * used, with `diag` (may be NULL) filled. NO_MEMORY. Any thread may ask.
 */
MUST_CHECK enum status offers_open(struct offers *offers, const struct offer *wanted,
                                   struct elf_image **out, struct diag *diag);

#endif
