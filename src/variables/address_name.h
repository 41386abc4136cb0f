/* SPDX-License-Identifier: MIT */
/*
 * What a function calls the object at an address, by the variables that lead there:
 *
 *     job.lock, slots[3].lock      it is in a variable
 *     queue->lock                  in what a variable points or refers to
 *     server->queue->lock          the same, by a pointer that is in memory
 *     *mutex                       a variable points to it, and nothing says what it is part of
 *
 * Nothing is guessed: each pointer's value is known, and each type that is passed through has the
 * address within its size. It is the object that begins there, and of several in one another the
 * outermost that is no larger than what is looked for, or is a lock by its type's name.
 */
#ifndef VARIABLES_ADDRESS_NAME_H
#define VARIABLES_ADDRESS_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "variables/value/value.h"

#define ADDRESS_NAME_MAX     256 /* bytes; what would be longer is not named */
#define ADDRESS_POINTERS_MAX 2   /* that are followed one after another */
#define ADDRESS_STEPS_MAX    16384
#define ADDRESS_ELEMENTS_MAX 64 /* of an array of pointers, that are followed */
#define ADDRESS_SIZE_UNKNOWN 0
#define ADDRESS_WORD_MIN     4 /* bytes that the smallest object has of which no size is known */

struct address_search { /* to be set: source, addr, size, and the rest zeroed */
    const struct value_source *source;
    uint64_t addr;
    /*
     * Bytes that the object has at least; ADDRESS_SIZE_UNKNOWN: it may be a word within a lock, and
     * then the lock is named.
     */
    uint64_t size;
    /* The best name so far; "": none. */
    char name[ADDRESS_NAME_MAX];
    bool is_bare;   /* it is a pointer to the object, and no more */
    unsigned steps; /* that were made; beyond ADDRESS_STEPS_MAX nothing more is found */
    /* Private: */
    unsigned pointers; /* that the name goes through */
};

/* Looks for a better name in one more variable. False: out of memory. */
MUST_CHECK bool address_search_variable(struct address_search *search,
                                        const struct scope_variable *variable,
                                        const struct object *object);

#endif
