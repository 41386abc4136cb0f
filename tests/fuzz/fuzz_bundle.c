/* SPDX-License-Identifier: MIT */
/*
 * Files in a snapshot of any bytes, with right checksums. What is taken out has the size that it is
 * said to have, or is refused with a reason.
 */
#include "fuzz.h"
#include "fuzz_checksums.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include "snapshot/import/bundle.h"

#define FILES_MAX 16

static void take_out(struct bundle *bundle, size_t index)
{
    const int out = memfd_create("out", 0);
    struct diag diag = {.what = ""};
    struct stat st;

    switch (bundle_extract(bundle, index, out, 0, &diag)) {
    case STATUS_OK:
        if (fstat(out, &st) != 0 || (uint64_t)st.st_size != bundle_at(bundle, index)->size)
            abort();
        break;
    case STATUS_BAD_DATA:
        if (!diag.what[0])
            abort();
        fuzz_use_diag(&diag);
        break;
    default:
        abort();
    }
    close(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int fd = memfd_create("snap", 0);
    uint8_t *copy = malloc(size + 1);
    struct bundle *bundle;
    struct diag diag;

    if (!copy)
        abort();
    memcpy(copy, data, size);
    fuzz_repair_checksums(copy, size);
    (void)bundle_is_promised(data, size);
    fuzz_write(fd, copy, size);
    free(copy);
    if (bundle_open(fd, "fuzz", &bundle, &diag) != STATUS_OK)
        abort();
    for (size_t i = 0; i < bundle_count(bundle) && i < FILES_MAX; i++) {
        fuzz_use(strlen(bundle_at(bundle, i)->path) + strlen(bundle_at(bundle, i)->place));
        take_out(bundle, i);
    }
    bundle_close(bundle);
    close(fd);
    return 0;
}
