/* SPDX-License-Identifier: MIT */
/*
 * What identities are called: by their start routines, and where several have the same one by a
 * function of the chain that made them. Private to identity.c.
 */
#ifndef THREADS_IDENTITY_NAME_H
#define THREADS_IDENTITY_NAME_H

#include "base/status.h"
#include "threads/chain_ends.h"
#include "threads/identity.h"

/* Sets all names. Fails only for memory. */
MUST_CHECK enum status identity_names_set(const struct history *history,
                                          const struct profile *profile,
                                          const struct chain_ends *ends,
                                          struct identities *identities);

#endif
