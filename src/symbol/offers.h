/* SPDX-License-Identifier: MIT */
/*
 * ELF files that an input (snapshot) carries: modules and their debug files. A wanted file is
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
#include "symbol/file_identity.h"

enum offer_kind {
    OFFER_MODULE,
    OFFER_DEBUG,  /* the separate debug file of an executable or library */
    OFFER_SHARED, /* a file that dwz moved common parts of debug files to */
};

struct offer {
    enum offer_kind kind;
    const uint8_t *build_id; /* MODULE, DEBUG: the module's; SHARED: the offered file's own */
    size_t build_id_size;    /* 0: no build-id; path, device and inode identify the offer */
    uint64_t dev, inode;     /* device and inode of the file in the module's mapping */
    const char *path;        /* path of the module, as the target sees it */
    const char *place;       /* where the input has the file; for messages */
    uint64_t size;           /* of the offered file, in bytes */
};

/* The offer of this kind that a module of this identity wants: path and build-id are borrowed. */
static inline struct offer offer_wanted(enum offer_kind kind, const struct file_identity *file)
{
    return (struct offer){.kind = kind,
                          .build_id = file->build_id,
                          .build_id_size = file->build_id_size,
                          .dev = file->origin.dev,
                          .inode = file->origin.inode,
                          .path = file->path};
}

/*
 * Writes all bytes of offer number `index` to `fd`, from file offset `off` on. Fails with BAD_DATA,
 * IO or UNSUPPORTED and `diag` filled, or NO_MEMORY.
 */
typedef enum status offer_write_fn(void *context, size_t index, int fd, uint64_t off,
                                   struct diag *diag);

struct offers;

/*
 * Creates an empty list of offers. `room` (borrowed): descriptor of the file that offers are
 * written to, or -errno if there is none. Returns NULL without memory.
 */
struct offers *offers_create(int room);
void offers_destroy(struct offers *offers);

/*
 * Adds a copy of *offer, whose texts and build-id are borrowed. offers_open calls `write(context,
 * index, ...)`, one thread at a time, to get the offer's bytes. Where equal offers were added, the
 * last that can be used is taken. NO_MEMORY.
 */
MUST_CHECK enum status offers_add(struct offers *offers, const struct offer *offer,
                                  offer_write_fn *write, void *context, size_t index);

/*
 * Opens the offer equal to *wanted (`place` and `size` are not compared) as an image, the caller's.
 * NOT_FOUND: `offers` is NULL, has none, or an earlier call failed to write the offer. BAD_DATA,
 * IO, UNSUPPORTED with `diag` (may be NULL) filled: the offer cannot be used. NO_MEMORY.
 * Thread-safe.
 */
MUST_CHECK enum status offers_open(struct offers *offers, const struct offer *wanted,
                                   struct elf_image **out, struct diag *diag);

#endif
