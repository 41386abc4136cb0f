/* SPDX-License-Identifier: MIT */
#include "symbol/split_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/in_file.h"
#include "base/keyed_hash.h"
#include "base/plural.h"
#include "base/vec.h"
#include "symbol/module_set.h"
#include "symbol/target_path.h"

struct split_file {
    struct elf_image *image;
    struct dwarf_file *dwarf;
};

struct split_files {
    const struct module_set *set;
    const struct module *module;
    struct elf_image *main;
    struct elf_image *package; /* in `list`; NULL: none */
    bool package_tried;
    struct split_file *list;
    size_t count, cap;
    struct map read;       /* set: hashes of device and inode of the files that were read */
    uint64_t bytes;        /* of these */
    struct map units;      /* id → index in `list` << 32 | index in dwarf->units */
    struct map tried;      /* set: ids that were asked for */
    size_t missing, unfit; /* number of units without file, and with unfit ones only */
    char missing_name[128], unfit_name[128]; /* file of the first of these */
};

enum status split_files_create(const struct module_set *set, const struct module *module,
                               struct elf_image *main, struct split_files **out)
{
    struct split_files *files = calloc(1, sizeof(*files));

    if (!files)
        return STATUS_NO_MEMORY;
    files->set = set;
    files->module = module;
    files->main = main;
    *out = files;
    return STATUS_OK;
}

static void close_file(struct split_file *file)
{
    dwarf_file_close(file->dwarf);
    elf_image_close(file->image);
}

void split_files_destroy(struct split_files *files)
{
    if (!files)
        return;
    for (size_t i = 0; i < files->count; i++)
        close_file(&files->list[i]);
    free(files->list);
    map_deinit(&files->read);
    map_deinit(&files->units);
    map_deinit(&files->tried);
    free(files);
}

/*
 * Counts the file as read. NOT_FOUND: it is too large, or was read before, so that its ids are in
 * `units`. Two files with one hash would cost the second one's units, and no file can choose that.
 */
static enum status count_file(struct split_files *files, int fd)
{
    struct stat stat;
    uint64_t hash;

    if (fstat(fd, &stat) != 0 || (uint64_t)stat.st_size > SPLIT_BYTES_MAX - files->bytes)
        return STATUS_NOT_FOUND;
    hash = keyed_words(stat.st_dev, stat.st_ino);
    if (map_get(&files->read, hash))
        return STATUS_NOT_FOUND;
    if (!map_put(&files->read, hash, 1))
        return STATUS_NO_MEMORY;
    files->bytes += (uint64_t)stat.st_size;
    return STATUS_OK;
}

/* Adds the units of `fd`, which it closes; keeps the file if it has one that is new. */
static enum status read_file(struct split_files *files, int fd, const char *path)
{
    const size_t known = map_len(&files->units);
    struct split_file file = {.image = NULL};
    enum status status = elf_image_open_fd(fd, path, &file.image, NULL);

    if (status == STATUS_OK && (files->count == SPLIT_FILES_MAX ||
                                elf_image_arch(file.image) != elf_image_arch(files->main)))
        status = STATUS_NOT_FOUND;
    if (status == STATUS_OK)
        status = dwarf_file_open_split(file.image, &file.dwarf);
    if (status == STATUS_OK)
        status = vec_reserve(&files->list, &files->cap, files->count + 1, sizeof(file));
    if (status == STATUS_OK)
        status = split_units_list(file.dwarf, (uint64_t)files->count << 32, &files->units);
    if (map_len(&files->units) == known) {
        close_file(&file);
        return status == STATUS_NO_MEMORY ? status : STATUS_NOT_FOUND;
    }
    files->list[files->count++] = file;
    return status;
}

/* Adds the units of `fd`, which it closes. NOT_FOUND: it has no new ones, or is one too many. */
static enum status add_file(struct split_files *files, int fd, const char *path)
{
    const enum status status = count_file(files, fd);

    if (status == STATUS_OK)
        return read_file(files, fd, path);
    close(fd);
    return status;
}

struct elf_image *split_files_package(struct split_files *files)
{
    const struct elf_image *const beside[] = {files->main, files->module->image};

    for (size_t i = 0; !files->package_tried && !files->package && i < 2; i++) {
        char *path = path_joined(elf_image_path(beside[i]), ".dwp", "");
        const int fd = path ? in_file_open(path) : -1;

        if (fd >= 0 && add_file(files, fd, path) == STATUS_OK)
            files->package = files->list[files->count - 1].image;
        free(path);
    }
    files->package_tried = true;
    return files->package;
}

static bool find_unit(const struct split_files *files, uint64_t id, struct split_found *out)
{
    const uint64_t *unit = map_get(&files->units, id);
    struct dwarf_file *file;

    if (!unit)
        return false;
    file = files->list[*unit >> 32].dwarf;
    *out = (struct split_found){.file = file, .unit = &file->units[(uint32_t)*unit]};
    return true;
}

/* A search for one unit. */
struct split_search {
    struct split_files *files;
    const struct split_wanted *wanted;
    struct split_found *out;
    bool unfit; /* a file was there, without the unit */
};

/* Looks into the file `fd`, if it is one. */
static enum status try_file(struct split_search *search, int fd, const char *path)
{
    enum status status = STATUS_NOT_FOUND;

    if (fd >= 0) {
        search->unfit = true;
        status = add_file(search->files, fd, path);
    }
    if (status == STATUS_OK && !find_unit(search->files, search->wanted->id, search->out))
        status = STATUS_NOT_FOUND;
    return status;
}

/* Tries where the compiler wrote it, on the target. */
static enum status try_on_target(struct split_search *search)
{
    const char *name = search->wanted->name, *directory = search->wanted->directory;
    enum status status = STATUS_NOT_FOUND;
    char *path = NULL;

    if (name[0] == '/')
        path = strdup(name);
    else if (directory)
        path = path_joined(directory, "/", name);
    if (path)
        status = try_file(search, module_set_open_file(search->files->set, path), path);
    free(path);
    return status;
}

/* Tries `name` below the directory of the file with the skeletons. */
static enum status try_beside(struct split_search *search, const char *name)
{
    const char *main_path = elf_image_path(search->files->main);
    const char *slash = strrchr(main_path, '/');
    char *directory = slash ? strndup(main_path, (size_t)(slash - main_path) + 1) : strdup("");
    char *path = directory ? path_joined(directory, name, "") : NULL;
    enum status status = path ? try_file(search, in_file_open(path), path) : STATUS_NO_MEMORY;

    free(path);
    free(directory);
    return status;
}

static enum status try_places(struct split_search *search)
{
    const char *name = search->wanted->name, *last = strrchr(name, '/');
    enum status status = try_on_target(search);

    if (status == STATUS_NOT_FOUND && name[0] != '/' && !strstr(name, ".."))
        status = try_beside(search, name);
    if (status == STATUS_NOT_FOUND && last)
        status = try_beside(search, last + 1);
    return status;
}

/* Counts a unit that was not found. */
static void count_missing(struct split_search *search)
{
    struct split_files *files = search->files;
    char *name = search->unfit ? files->unfit_name : files->missing_name;
    size_t *count = search->unfit ? &files->unfit : &files->missing;

    if ((*count)++ == 0)
        snprintf(name, sizeof(files->missing_name), "%s", search->wanted->name);
}

enum status split_files_find(void *context, const struct split_wanted *wanted,
                             struct split_found *out)
{
    struct split_files *files = context;
    struct split_search search = {.files = files, .wanted = wanted, .out = out};
    enum status status;

    if (map_get(&files->tried, wanted->id))
        return STATUS_NOT_FOUND;
    if (!map_put(&files->tried, wanted->id, 1))
        return STATUS_NO_MEMORY;
    split_files_package(files);
    if (find_unit(files, wanted->id, out))
        return STATUS_OK;
    status = try_places(&search);
    if (status == STATUS_NOT_FOUND)
        count_missing(&search);
    return status;
}

bool split_files_problem(const struct split_files *files, struct diag *problem)
{
    const char *path = elf_image_path(files->main);
    const size_t count = files->missing + files->unfit;
    const char *among = count > 1 ? " among them" : "";

    if (count == 0)
        return false;
    if (files->unfit == 0)
        diag_set(problem, path, "%zu split file%s not found, %.100s%s", count, plural(count),
                 files->missing_name, among);
    else
        diag_set(problem, path, "%zu split file%s not found, or of another build: %.100s%s", count,
                 plural(count), files->unfit_name, among);
    diag_hint(problem, "inlined functions and variables are told with .dwo files of this build "
                       "where it wrote them, or with FILE.dwp beside FILE");
    return true;
}
