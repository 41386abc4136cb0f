/* SPDX-License-Identifier: MIT */
/* Finds modules' files by build-id: in perf's cache, and on debuginfod servers. */
#include "symbol/finder.h"

#include <stdlib.h>
#include <unistd.h>

#include "fetch/fetcher.h"
#include "symbol/target_path.h"

/* Perf copies files that may be at their path no longer, and the vDSO. */
static void find_perf_cache(const struct file_search *search, struct file_found *found)
{
    const struct file_identity *file = &search->module->file;
    const char *name = search->module->kind == MODULE_VDSO ? "vdso" : "elf";
    char *path = NULL;

    if (!search->options->sysroot) /* files outside the sysroot are not used */
        path = perf_cache_path(file->build_id, file->build_id_size, name);
    /* Another user's home is not searched. */
    if (path && access(path, R_OK) == 0)
        finder_take_quietly(search, path, found);
    free(path);
}

const struct file_finder finder_perf_cache = {.kinds = FINDS(MODULE_FILE) | FINDS(MODULE_VDSO),
                                              .find = find_perf_cache};

static void find_fetched(const struct file_search *search, struct file_found *found)
{
    const struct file_identity *file = &search->module->file;
    char *path = search->options->fetcher ? fetcher_find(search->options->fetcher, FETCH_EXECUTABLE,
                                                         file->build_id, file->build_id_size)
                                          : NULL;

    if (path)
        finder_take_quietly(search, path, found);
    free(path);
}

const struct file_finder finder_fetched = {.kinds = FINDS(MODULE_FILE), .find = find_fetched};
