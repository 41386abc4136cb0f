/* SPDX-License-Identifier: MIT */
/* Files that inputs bring along (cgsnap --bundle), as offers to the modules. */
#include <stdlib.h>

#include "base/vec.h"
#include "snapshot/import/bundle.h"
#include "symbol/offers.h"
#include "tools/cgunwind/session.h"

static enum status write_out(void *context, size_t index, int fd, uint64_t off, struct diag *diag)
{
    struct diag own;

    return bundle_extract(context, index, fd, off, diag ? diag : &own);
}

static enum status offer(struct session *s, struct bundle *bundle, size_t index)
{
    static const enum offer_kind kinds[] = {[SNAP_FILE_MAPPED] = OFFER_MODULE,
                                            [SNAP_FILE_DEBUG] = OFFER_DEBUG,
                                            [SNAP_FILE_SHARED] = OFFER_SHARED};
    const struct bundle_file *file = bundle_at(bundle, index);
    const struct offer offer = {.kind = kinds[file->kind],
                                .build_id = file->id.bytes,
                                .build_id_size = file->id.size,
                                .dev = file->dev,
                                .inode = file->inode,
                                .path = file->path,
                                .place = file->place,
                                .size = file->size};

    return offers_add(s->offers, &offer, write_out, bundle, index);
}

enum status session_take_bundle(struct session *s, struct snap_source *source)
{
    struct bundle *bundle = source->bundle;
    enum status status;

    if (!bundle || !s->offers) /* the input promised no files when the process was confined */
        return STATUS_OK;
    status = vec_reserve(&s->bundles, &s->bundle_cap, s->bundle_count + 1, sizeof(*s->bundles));
    if (status != STATUS_OK)
        return status;
    s->bundles[s->bundle_count++] = bundle;
    source->bundle = NULL;
    for (size_t i = 0; i < bundle_count(bundle) && status == STATUS_OK; i++)
        status = offer(s, bundle, i);
    return status;
}

void session_close_bundles(struct session *s)
{
    for (size_t i = 0; i < s->bundle_count; i++)
        bundle_close(s->bundles[i]);
    free(s->bundles);
    offers_destroy(s->offers);
}
