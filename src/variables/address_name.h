/* SPDX-License-Identifier: MIT */
/*
 * Names the object at an address in the words of a function, by the variables that lead there:
 *
 *     job.lock, slots[3].lock      in a variable
 *     queue->lock                  in an object that a variable points or refers to
 *     server->queue->lock          the same, through a pointer in memory
 *     *mutex                       a variable points to it; nothing tells what it is part of
 *
 * Nothing is guessed: each pointer's value is known, and each type on the way has the address
 * within its size. The object begins at the address. Of objects in one another the outermost is
 * named that is no larger than the one looked for, or whose type is a lock's by name.
 */
#ifndef VARIABLES_ADDRESS_NAME_H
#define VARIABLES_ADDRESS_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "variables/value/value.h"

#define ADDRESS_NAME_MAX     256 /* bytes; a longer name counts as none */
#define ADDRESS_POINTERS_MAX 2   /* followed one after another */
#define ADDRESS_STEPS_MAX    16384
#define ADDRESS_ELEMENTS_MAX 64 /* followed, of an array of pointers */
#define ADDRESS_SIZE_UNKNOWN 0
/* bytes; the smallest object that is named when the size is unknown */
#define ADDRESS_WORD_MIN 4

struct address_search { /* the caller sets source, addr and size, and zeroes the rest */
    const struct value_source *source;
    uint64_t addr;
    /* Least bytes of the object; ADDRESS_SIZE_UNKNOWN: addr may be inside a lock, named then. */
    uint64_t size;
    /* The best name so far; "": none. */
    char name[ADDRESS_NAME_MAX];
    bool is_bare;   /* only a pointer to the object, or a name of a library's own */
    unsigned steps; /* made so far; nothing is found beyond ADDRESS_STEPS_MAX */
    /* Private: */
    unsigned pointers; /* in the name */
};

/* Looks for a better name in one more variable. False: no memory. */
MUST_CHECK bool address_search_variable(struct address_search *search,
                                        const struct scope_variable *variable,
                                        const struct object *object);

#endif
