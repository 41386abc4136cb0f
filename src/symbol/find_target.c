/* SPDX-License-Identifier: MIT */
/* Finds modules' files where the target has or had them: at their paths, and by live processes. */
#include "symbol/finder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "fetch/live.h"
#include "symbol/target_path.h"

static void open_path(const struct file_search *search, const char *target,
                      struct file_found *found)
{
    struct elf_image *image;
    char *path = target_path(search->options->sysroot, target);

    if (path && elf_image_open(path, &image, &found->problem) == STATUS_OK)
        finder_take(search, image, found);
    free(path);
}

/* Finds the module's own path, on this machine or below the sysroot. */
static void find_path(const struct file_search *search, struct file_found *found)
{
    const struct file_identity *file = &search->module->file;
    char name[PATH_MAX];

    if (file->path[0] != '/' || (file->deleted && file->build_id_size == 0))
        return;
    open_path(search, file->path, found);
    /* Cores and perf.data tell only by the name that a file was deleted: it may be called so. */
    if (!found->image && file->deleted &&
        (size_t)snprintf(name, sizeof(name), "%s (deleted)", file->path) < sizeof(name)) {
        struct file_found other = {.place = found->place};

        open_path(search, name, &other);
        if (other.image)
            *found = other;
    }
    if (found->image && file->build_id_size == 0 && !finder_agrees(search, found->image, found)) {
        elf_image_close(found->image);
        found->image = NULL;
    }
}

/* Finds the file that a live process has mapped; without build-id it must be the very file. */
static bool find_live(const struct file_search *search, struct file_found *found)
{
    const struct file_identity *file = &search->module->file;
    const struct live_file wanted = {.pid = file->origin.pid,
                                     .start_addr = file->origin.start_addr,
                                     .end_addr = file->origin.end_addr,
                                     .path = file->path,
                                     .is_exact = !file->build_id_size,
                                     .dev = file->origin.dev,
                                     .inode = file->origin.inode};

    for (int i = LIVE_MAPPED; i <= LIVE_EXECUTABLE; i++) {
        const int fd = live_open(search->options->live, &wanted, (enum live_place)i);
        struct file_found live = {.place = IMAGE_LIVE};
        struct elf_image *image;

        if (fd < 0 || elf_image_open_fd(fd, file->path, &image, NULL) != STATUS_OK)
            continue;
        finder_take(search, image, &live);
        if (live.image) {
            *found = live;
            return true;
        }
    }
    return false;
}

/* Is the file at the module's path the one that was mapped? */
static bool is_at_path(const struct file_search *search)
{
    const struct file_identity *file = &search->module->file;
    char *path = target_path(search->options->sysroot, file->path);
    struct stat st;
    const bool is = path && stat(path, &st) == 0 && st.st_ino == file->origin.inode &&
                    st.st_dev == file->origin.dev;

    free(path);
    return is;
}

/*
 * Without build-id another file may have the name by now: then the live process is asked first.
 * With one a wrong file is seen, and no problem if the process still has the right one.
 */
static void find_target(const struct file_search *search, struct file_found *found)
{
    const bool has_build_id = search->module->file.build_id_size > 0;

    if (!has_build_id && !is_at_path(search) && find_live(search, found))
        return;
    find_path(search, found);
    if (!found->image && has_build_id)
        find_live(search, found);
}

const struct file_finder finder_target = {.kinds = FINDS(MODULE_FILE), .find = find_target};
