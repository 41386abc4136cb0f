/* SPDX-License-Identifier: MIT */
/*
 * Private to identity.c: names of identities. The name is that of the start routine; where several
 * identities share it, " via " and a function of the creation chain follow, then more details.
 */
#ifndef THREADS_IDENTITY_NAME_H
#define THREADS_IDENTITY_NAME_H

#include "base/status.h"
#include "threads/chain_ends.h"
#include "threads/identity.h"

/* Sets all names, which are distinct. Fails only with NO_MEMORY. */
MUST_CHECK enum status identity_names_set(const struct history *history,
                                          const struct profile *profile,
                                          const struct chain_ends *ends,
                                          struct identities *identities);

#endif
