/* SPDX-License-Identifier: MIT */
/*
 * Private to identity.c: labels from the names that programs give their threads, where these say
 * more than the identity's name.
 */
#ifndef THREADS_IDENTITY_LABEL_H
#define THREADS_IDENTITY_LABEL_H

#include "base/status.h"
#include "threads/identity.h"

/* Fills the identities' label and thread_labels; names are set. Fails only with NO_MEMORY. */
MUST_CHECK enum status identity_labels_set(const struct history *history,
                                           struct identities *identities);

#endif
