/* SPDX-License-Identifier: MIT */
/*
 * An RTOS in memory of a test's own, in a layout that is made up: variables are MEMORY_VARIABLE
 * bytes from one another, members of one structure a word, arrays have four elements.
 *
 *     struct rtos_fixture f;
 *     rtos_fixture_init(&f, &rtos_sample, bytes, size);   memory from MEMORY_ADDR on
 *     ... rtos_walk(&f.layout, &f.memory, tasks) ...
 */
#ifndef TESTS_RTOS_FIXTURE_H
#define TESTS_RTOS_FIXTURE_H

#include <string.h>

#include "rtos/rtos.h"

#define MEMORY_ADDR     0x20000000u
#define MEMORY_VARIABLE 0x80u
#define MEMORY_CODE     0x1000u /* and as many bytes from there on */
#define MEMORY_COUNT    4u      /* elements of an array */
#define MEMORY_SIZE_OF  0x18u   /* of a structure */

struct rtos_fixture {
    struct rtos_layout layout;
    struct rtos_memory memory;
    const uint8_t *bytes; /* borrowed */
    size_t size;
    uint64_t reads;
};

static inline bool rtos_fixture_read(void *context, uint64_t addr, void *buffer, size_t size)
{
    struct rtos_fixture *f = context;

    f->reads++;
    if (addr < MEMORY_ADDR || addr - MEMORY_ADDR > f->size || size > f->size - (addr - MEMORY_ADDR))
        return false;
    memcpy(buffer, f->bytes + (addr - MEMORY_ADDR), size);
    return true;
}

/* The number of its members before that one; those of members are members. */
static inline uint64_t rtos_fixture_offset(const struct rtos_system *system, size_t field)
{
    const char *name = system->fields[field].name;
    const size_t head = strcspn(name, ".|");
    uint64_t before = 0;

    for (size_t i = 0; i < field; i++)
        before += system->fields[i].kind == RTOS_MEMBER &&
                  strncmp(system->fields[i].name, name, head + 1) == 0;
    return 4 * before;
}

static inline void rtos_fixture_init(struct rtos_fixture *f, const struct rtos_system *system,
                                     const uint8_t *bytes, size_t size)
{
    *f = (struct rtos_fixture){.bytes = bytes, .size = size};
    f->layout.system = system;
    f->layout.arch = arch_get(ARCH_ARM);
    f->layout.code[0] = (struct rtos_code){MEMORY_CODE, 2 * MEMORY_CODE};
    f->layout.code_count = 1;
    f->memory = (struct rtos_memory){.read = rtos_fixture_read, .context = f, .is_cheap = true};
    for (size_t i = 0; i < system->field_count; i++) {
        struct rtos_found *found = &f->layout.fields[i];

        *found = (struct rtos_found){.is_there = true, .size = 4};
        switch (system->fields[i].kind) {
        case RTOS_SYMBOL:
            found->value = MEMORY_ADDR + i * MEMORY_VARIABLE;
            break;
        case RTOS_MEMBER:
            found->value = rtos_fixture_offset(system, i);
            break;
        case RTOS_SIZE:
        case RTOS_OBJECT:
            found->value = MEMORY_SIZE_OF;
            break;
        case RTOS_COUNT:
            found->value = MEMORY_COUNT;
            break;
        case RTOS_VALUE:
            found->value = i;
            break;
        }
    }
}

/* Of the field with that name, which the system has. */
static inline struct rtos_found *rtos_fixture_field(struct rtos_fixture *f, const char *name)
{
    size_t i = 0;

    while (strcmp(f->layout.system->fields[i].name, name) != 0)
        i++;
    return &f->layout.fields[i];
}

#endif
