/* SPDX-License-Identifier: MIT */
/*
 * Private to identity.c: makes labels from the names that programs give their threads, where these
 * names say more than the identity's.
 */
#ifndef THREADS_IDENTITY_LABEL_H
#define THREADS_IDENTITY_LABEL_H

#include "base/status.h"
#include "threads/identity.h"

/*
 * Sets the label of each identity, and thread_labels; their names are set already. Fails only with
 * NO_MEMORY.
 */
MUST_CHECK enum status identity_labels_set(const struct history *history,
                                           struct identities *identities);

#endif
