/* SPDX-License-Identifier: MIT */
#include "confine/readable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* Adds the path, and owns it. */
static enum status take(struct readable *readable, char *path)
{
    enum status status = path ? vec_reserve(&readable->paths, &readable->cap, readable->count + 1,
                                            sizeof(*readable->paths))
                              : STATUS_NO_MEMORY;

    if (status == STATUS_OK)
        readable->paths[readable->count++] = path;
    else
        free(path);
    return status;
}

enum status readable_add(struct readable *readable, const char *path)
{
    return take(readable, strdup(path));
}

enum status readable_add_with_directory(struct readable *readable, const char *path)
{
    char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
    enum status status = readable_add(readable, path);

    if (status == STATUS_OK && slash) {
        slash[slash == real] = '\0'; /* "/" stays */
        status = readable_add(readable, real);
    }
    free(real);
    return status;
}

enum status readable_add_in_home(struct readable *readable, const char *below)
{
    const char *home = getenv("HOME");
    char *path;

    if (!home)
        return STATUS_OK;
    return take(readable, asprintf(&path, "%s/%s", home, below) < 0 ? NULL : path);
}

/* Adds the directories of a variable, separated by ':'. */
static enum status add_variable(struct readable *readable, const char *name)
{
    const char *list = getenv(name);
    enum status status = STATUS_OK;

    while (list && *list && status == STATUS_OK) {
        size_t len = strcspn(list, ":");

        if (len > 0)
            status = take(readable, strndup(list, len));
        list += len + (list[len] == ':');
    }
    return status;
}

enum status readable_add_system(struct readable *readable)
{
    /* /nix and /gnu: of NixOS and Guix */
    static const char *const directories[] = {"/usr",    "/lib",  "/lib64", "/lib32",
                                              "/libx32", "/etc",  "/opt",   "/nix",
                                              "/gnu",    "/proc", "/sys",   "/dev"};
    enum status status = add_variable(readable, "LD_LIBRARY_PATH");

    for (size_t i = 0; status == STATUS_OK && i < sizeof(directories) / sizeof(directories[0]); i++)
        status = readable_add(readable, directories[i]);
    return status;
}

enum status readable_add_fonts(struct readable *readable)
{
    static const char *const in_home[] = {".fonts", ".fonts.conf", ".config/fontconfig",
                                          ".local/share", ".cache/fontconfig"};
    static const char *const variables[] = {"GVBINDIR",        "DOTFONTPATH",     "GDFONTPATH",
                                            "FONTCONFIG_PATH", "FONTCONFIG_FILE", "XDG_DATA_HOME",
                                            "XDG_DATA_DIRS",   "XDG_CONFIG_HOME", "XDG_CACHE_HOME"};
    enum status status = readable_add(readable, "/var/cache/fontconfig");

    for (size_t i = 0; status == STATUS_OK && i < sizeof(in_home) / sizeof(in_home[0]); i++)
        status = readable_add_in_home(readable, in_home[i]);
    for (size_t i = 0; status == STATUS_OK && i < sizeof(variables) / sizeof(variables[0]); i++)
        status = add_variable(readable, variables[i]);
    return status;
}

void readable_deinit(struct readable *readable)
{
    for (size_t i = 0; i < readable->count; i++)
        free(readable->paths[i]);
    free(readable->paths);
    *readable = (struct readable){0};
}
