/* SPDX-License-Identifier: MIT */
#include "runtime/go/memory/go_version.h"

#include <string.h>

#define CHUNK 4096u /* a page: readable as a whole or not at all */

enum { MAGIC_SIZE = 14, FLAGS_OFF = 15, TEXT_OFF = 32, ALIGN = 16 };
#define FLAG_TEXT 2

enum { TEXT_MAX = 16 }; /* bytes of a version that are read */

/* Parses "go1.22.5", "go1.22", "go1.22.5 X:..."; 0: no release. */
static unsigned parse(const char *text, size_t size)
{
    static const char prefix[] = "go1.";
    unsigned version = 0;
    size_t i = sizeof(prefix) - 1;

    if (size <= i || memcmp(text, prefix, i) != 0)
        return 0;
    for (; i < size && text[i] >= '0' && text[i] <= '9' && version < 1000; i++)
        version = version * 10 + (unsigned)(text[i] - '0');
    return i == size || text[i] == '.' || text[i] == ' ' ? version : 0;
}

/* Returns the version that the build info at `addr` holds; 0: none. */
static unsigned read_info(const struct goroutine_memory *memory, uint64_t addr, const uint8_t *head)
{
    char text[1 + TEXT_MAX];
    size_t size;

    if (!(head[FLAGS_OFF] & FLAG_TEXT) ||
        !memory->read(memory->context, addr + TEXT_OFF, text, sizeof(text)))
        return 0;
    size = (uint8_t)text[0]; /* a varint, but no version has 128 bytes */
    return parse(text + 1, size < TEXT_MAX ? size : TEXT_MAX);
}

unsigned go_version_find(const struct goroutine_memory *memory, uint64_t start_addr,
                         uint64_t end_addr)
{
    static const char magic[MAGIC_SIZE + 1] = "\xff Go buildinf:";
    uint64_t addr = start_addr & ~(uint64_t)(ALIGN - 1);
    uint64_t left = end_addr > addr ? end_addr - addr : 0; /* addresses may end behind it */
    uint8_t bytes[CHUNK];
    size_t size;

    if (left > GO_VERSION_SEARCH_MAX)
        left = GO_VERSION_SEARCH_MAX;
    for (; left; addr += size, left -= size) {
        size = CHUNK - addr % CHUNK;
        if (size > left)
            size = (size_t)left;
        if (!memory->read(memory->context, addr, bytes, size))
            continue;
        for (size_t off = 0; off + ALIGN <= size; off += ALIGN)
            if (memcmp(bytes + off, magic, MAGIC_SIZE) == 0)
                return read_info(memory, addr + off, bytes + off);
    }
    return 0;
}

/*
 * Returns the index of a g's word atomicstatus, which follows sched, syscallsp, syscallpc,
 * syscallbp (since 1.23), stktopsp and param; sched had one word more before 1.25. 0: not known.
 */
static unsigned status_word(unsigned version)
{
    if (version < 16 || version > 26)
        return 0;
    return version == 23 || version == 24 ? 19 : 18;
}

/*
 * Returns whether a g that a thread has, or is about to leave, can have this status: runnable to
 * dead, copystack, preempted.
 */
static bool is_status(uint32_t status)
{
    const uint32_t scan = 0x1000;

    status &= ~scan;
    return status >= 1 && status <= 9 && status != 5 && status != 7;
}

uint64_t go_version_goroutine_id(const struct goroutine_memory *memory, const struct goroutine *g,
                                 unsigned version)
{
    const unsigned word = status_word(version);
    struct {
        uint32_t status, lock;
        uint64_t id;
    } at;

    _Static_assert(sizeof(at) == 16, "as it is in memory");
    if (!word || !g->addr ||
        !memory->read(memory->context, g->addr + (uint64_t)word * memory->word_size, &at,
                      sizeof(at)) ||
        !is_status(at.status))
        return 0;
    return at.id;
}
