/* SPDX-License-Identifier: MIT */
/*
 * The helper process that writes the cache's files. Private to cache/. The helper accepts only a
 * name of hexadecimal digits and the bytes of a file in the cache's directory, so that an attacker
 * who takes over the program can write nothing else.
 */
#ifndef CACHE_KEEPER_H
#define CACHE_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/helper.h"
#include "base/status.h"

#define KEEPER_NAME_SIZE 32 /* hexadecimal digits of a file's name, without NUL */

struct keeper {
    struct helper helper;
    /* the helper took no bytes for 2 s, or failed, or waits cannot be bounded: nothing is sent */
    bool stalled;
};

/*
 * Starts the helper for the directory that is open as `directory`; the caller calls keeper_end. IO:
 * errno says why.
 */
MUST_CHECK enum status keeper_begin(struct keeper *keeper, int directory);

/*
 * Sends the helper a file to write: its name (no NUL), and its bytes, those of `head`, then `body`.
 * Gives up, for this and all later files, when the helper takes no bytes for two seconds.
 */
void keeper_write(struct keeper *keeper, const char name[KEEPER_NAME_SIZE], const void *head,
                  size_t head_size, const void *body, size_t body_size);

/*
 * Closes the socket and waits until the helper has written all files and ended, for about two
 * seconds at most; does not wait if the helper is stalled.
 */
void keeper_end(struct keeper *keeper);

#endif
