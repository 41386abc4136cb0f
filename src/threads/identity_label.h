/* SPDX-License-Identifier: MIT */
/*
 * Private to identities: what people have called the threads of one, where that says more than its
 * name does.
 */
#ifndef THREADS_IDENTITY_LABEL_H
#define THREADS_IDENTITY_LABEL_H

#include "base/status.h"
#include "threads/identity.h"

/* Fills label. Fails only for memory. */
MUST_CHECK enum status identity_labels_set(const struct history *history,
                                           struct identities *identities);

#endif
