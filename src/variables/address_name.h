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
 * within its size. The named object begins at the address. Of objects in one another, the outermost
 * is named that is no larger than the object looked for, or whose type is a lock's by name.
 */
#ifndef VARIABLES_ADDRESS_NAME_H
#define VARIABLES_ADDRESS_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "variables/value/value.h"

#define ADDRESS_NAME_MAX     256 /* bytes with the NUL; a longer name counts as none */
#define ADDRESS_POINTERS_MAX 2   /* the most pointers that are followed one after another */
#define ADDRESS_STEPS_MAX    16384
#define ADDRESS_ELEMENTS_MAX 64 /* the most elements of an array that are followed */
#define ADDRESS_SIZE_UNKNOWN 0
/* bytes of the smallest object that is named when the size is not known */
#define ADDRESS_WORD_MIN 4

struct address_search { /* one search; the caller sets source, addr and size, and zeroes the rest */
    const struct value_source *source;
    uint64_t addr;
    /*
     * Least size of the object in bytes; ADDRESS_SIZE_UNKNOWN: `addr` may be inside of a lock,
     * which is named then.
     */
    uint64_t size;
    /* Result: the best name so far; "": none. */
    char name[ADDRESS_NAME_MAX];
    /* the name is only that of a pointer to the object, or has a name of a library's own */
    bool is_bare;
    unsigned steps; /* steps made so far; the search ends at ADDRESS_STEPS_MAX */
    /* Private: */
    unsigned pointers; /* number of pointers followed in `name` */
};

/* Looks for a better name through one more variable, whose object is `object`. False: no memory. */
MUST_CHECK bool address_search_variable(struct address_search *search,
                                        const struct scope_variable *variable,
                                        const struct object *object);

#endif
