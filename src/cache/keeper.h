/* SPDX-License-Identifier: MIT */
/*
 * Private to cache/: the helper process that writes the cache's files. It knows its directory and
 * is told a file's name, of hexadecimal digits, and its bytes, so that whoever takes the program
 * over cannot write anything else.
 */
#ifndef CACHE_KEEPER_H
#define CACHE_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

#define KEEPER_NAME_SIZE 32 /* digits of a file's name */

struct keeper {
    pid_t pid;
    int fd;       /* our end of a socket */
    bool stalled; /* it took nothing any more, and is left alone */
};

/* In the directory that is open as `directory`. IO: errno says why not. */
MUST_CHECK enum status keeper_begin(struct keeper *keeper, int directory);

/* In pieces: `head`, then `body`. Gives up after some time, for good. */
void keeper_write(struct keeper *keeper, const char name[KEEPER_NAME_SIZE], const void *head,
                  size_t head_size, const void *body, size_t body_size);

/* Waits until all is written, for some time. */
void keeper_end(struct keeper *keeper);

#endif
