/* SPDX-License-Identifier: MIT */
/*
 * Private to identity.c: makes names of identities. An identity has the name of its start routine;
 * where several identities have the same one, " via " and a function of the creation chain follow,
 * then more details.
 */
#ifndef THREADS_IDENTITY_NAME_H
#define THREADS_IDENTITY_NAME_H

#include "base/status.h"
#include "threads/chain_ends.h"
#include "threads/identity.h"

/* Sets `name` of all identities, to distinct texts. Fails only with NO_MEMORY. */
MUST_CHECK enum status identity_names_set(const struct history *history,
                                          const struct profile *profile,
                                          const struct chain_ends *ends,
                                          struct identities *identities);

#endif
