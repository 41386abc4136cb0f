/* SPDX-License-Identifier: MIT */
/*
 * What a child that helps us has to forget, so that nobody waits for it in our place: it closes the
 * files that it does not use (a pipe whose reader waits for its end, say), and takes no notice of
 * what ends or stops us, or all of our job. A file that must not be so long (RLIMIT_FSIZE) is as
 * good as a full disk: EFBIG.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stddef.h>

/* In the child, at once. `keep`: the descriptors that stay open. */
void child_begin(const int *keep, size_t count);

#endif
