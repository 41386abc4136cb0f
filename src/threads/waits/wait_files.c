/* SPDX-License-Identifier: MIT */
#include "threads/waits/wait_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "snapshot/sample_memory.h"

#define POLL_MAX   4096u /* entries that are read; the others count as descriptors */
#define SELECT_MAX 1024u /* descriptors of select(2) */

static uint64_t target_addr(const struct arch *arch, uint64_t value)
{
    return arch->word_size == 4 ? (uint32_t)value : value;
}

static void take(struct wait_files *files, uint32_t fd)
{
    if (files->count++ == 0)
        files->first = fd;
}

/* Takes the descriptors whose links were captured, if the list was not. */
static void take_links(const struct snap_sample *sample, struct wait_files *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < sample->wait_count; i++)
        if (sample->waits[i].kind == SNAP_WAIT_FD)
            take(out, sample->waits[i].fd);
    out->is_known = out->count > 0;
}

void wait_files_poll(const struct snap_sample *sample, const struct arch *arch,
                     struct wait_files *out)
{
    uint64_t list = target_addr(arch, sample->syscall_args[0]);
    uint32_t count = (uint32_t)sample->syscall_args[1];

    *out = (struct wait_files){.is_known = true};
    for (uint32_t i = 0; i < count; i++) {
        struct { /* struct pollfd */
            int32_t fd;
            uint16_t events, revents;
        } entry;

        if (i == POLL_MAX ||
            !sample_read(sample, list + i * sizeof(entry), &entry, sizeof(entry))) {
            if (i == 0) {
                take_links(sample, out);
                if (out->count && out->count < count)
                    out->count = count;
            } else {
                out->count += count - i;
            }
            return;
        }
        if (entry.fd >= 0)
            take(out, (uint32_t)entry.fd);
    }
}

void wait_files_select(const struct snap_sample *sample, const struct arch *arch,
                       struct wait_files *out)
{
    uint32_t count = (uint32_t)sample->syscall_args[0];

    *out = (struct wait_files){.is_known = true};
    if (count > SELECT_MAX)
        count = SELECT_MAX;
    for (uint32_t first = 0; first < count; first += 8) {
        uint8_t bits = 0;

        for (unsigned set = 1; set <= 3; set++) {
            uint64_t addr = target_addr(arch, sample->syscall_args[set]);
            uint8_t more = 0;

            if (addr && !sample_read(sample, addr + first / 8, &more, 1)) {
                take_links(sample, out);
                return;
            }
            bits |= more;
        }
        for (uint32_t fd = first; fd < first + 8 && fd < count; fd++)
            if (bits >> fd % 8 & 1)
                take(out, fd);
    }
}

static const char *find_link(const struct snap_sample *sample, uint32_t fd)
{
    for (uint32_t i = 0; i < sample->wait_count; i++)
        if (sample->waits[i].kind == SNAP_WAIT_FD && sample->waits[i].fd == fd &&
            sample->waits[i].link[0])
            return sample->waits[i].link;
    return NULL;
}

enum status wait_files_name(const struct snap_sample *sample, const struct wait_files *files,
                            char **out)
{
    const char *link = find_link(sample, files->first);
    char *what = NULL, *text = NULL;
    int len =
        link ? asprintf(&what, "%s", link) : asprintf(&what, "descriptor %" PRIu32, files->first);

    if (len >= 0 && files->count > 1)
        len = asprintf(&text, "%s and %" PRIu32 " more", what, files->count - 1);
    else if (len >= 0)
        len = asprintf(&text, "%s", what);
    if (what)
        free(what);
    if (len < 0)
        return STATUS_NO_MEMORY;
    *out = text_clean(text, TEXT_REPLACE_CONTROLS);
    free(text);
    return *out ? STATUS_OK : STATUS_NO_MEMORY;
}
