/* SPDX-License-Identifier: MIT */
#include "symbol/file_identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"

enum status file_identity_copy(const struct file_identity *from, struct file_identity *copy)
{
    const size_t size = from->build_id_size;
    char *path = strdup(from->path);
    uint8_t *build_id = size > 0 ? malloc(size) : NULL;

    if (!path || (size > 0 && !build_id)) {
        free(path);
        free(build_id);
        return STATUS_NO_MEMORY;
    }
    if (size > 0)
        memcpy(build_id, from->build_id, size);
    *copy = *from;
    copy->path = path;
    copy->build_id = build_id;
    return STATUS_OK;
}

void file_identity_deinit(struct file_identity *owned)
{
    free((void *)(uintptr_t)owned->path);
    free((void *)(uintptr_t)owned->build_id);
}

/* Without build-id a deleted file is not the one that has its name now. */
bool file_identity_equals(const struct file_identity *a, const struct file_identity *b)
{
    const size_t size = a->build_id_size;

    if (a->is_exact != b->is_exact ||
        (a->is_exact && (a->origin.dev != b->origin.dev || a->origin.inode != b->origin.inode ||
                         a->process != b->process || a->build != b->build)))
        return false;
    return size == b->build_id_size &&
           (size > 0 ? memcmp(a->build_id, b->build_id, size) == 0 : a->deleted == b->deleted) &&
           strcmp(a->path, b->path) == 0;
}

uint64_t file_identity_hash(const struct file_identity *identity, uint64_t seed)
{
    uint64_t hash = keyed_bytes(seed, identity->path, strlen(identity->path));

    if (identity->is_exact)
        hash = keyed_words(hash ^ identity->build, identity->origin.inode);
    return keyed_bytes(hash, identity->build_id, identity->build_id_size);
}

const char *build_id_hex(const uint8_t *id, size_t size, char hex[BUILD_ID_HEX_MAX])
{
    if (size > BUILD_ID_MAX)
        size = BUILD_ID_MAX;
    hex[0] = '\0';
    for (size_t i = 0; i < size; i++)
        snprintf(hex + 2 * i, 3, "%02x", id[i]);
    return hex;
}
