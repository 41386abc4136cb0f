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

/* Adds what is `below` ("": all) the directories of a variable, separated by ':'. */
static enum status add_variable(struct readable *readable, const char *name, const char *below)
{
    const char *list = getenv(name);
    enum status status = STATUS_OK;

    while (list && *list && status == STATUS_OK) {
        const int len = (int)strcspn(list, ":");
        char *path;

        if (len > 0)
            status = take(readable, asprintf(&path, "%.*s%s", len, list, below) < 0 ? NULL : path);
        list += len + (list[len] == ':');
    }
    return status;
}

enum status readable_add_system(struct readable *readable)
{
    /* /nix and /gnu: of NixOS and Guix */
    static const char *const paths[] = {"/usr",      "/lib",        "/lib64",       "/lib32",
                                        "/libx32",   "/etc",        "/opt",         "/nix",
                                        "/gnu",      "/proc",       "/sys",         "/dev/null",
                                        "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty"};
    enum status status = add_variable(readable, "LD_LIBRARY_PATH", "");

    for (size_t i = 0; status == STATUS_OK && i < sizeof(paths) / sizeof(paths[0]); i++)
        status = readable_add(readable, paths[i]);
    return status;
}

enum status readable_add_fonts(struct readable *readable)
{
    static const char *const in_home[] = {".fonts", ".fonts.conf", ".config/fontconfig",
                                          ".local/share/fonts", ".cache/fontconfig"};
    static const char *const variables[][2] = {{"GVBINDIR", ""},
                                               {"DOTFONTPATH", ""},
                                               {"GDFONTPATH", ""},
                                               {"FONTCONFIG_PATH", ""},
                                               {"FONTCONFIG_FILE", ""},
                                               {"XDG_DATA_HOME", "/fonts"},
                                               {"XDG_DATA_DIRS", "/fonts"},
                                               {"XDG_CONFIG_HOME", "/fontconfig"},
                                               {"XDG_CACHE_HOME", "/fontconfig"}};
    enum status status = readable_add(readable, "/var/cache/fontconfig");

    for (size_t i = 0; status == STATUS_OK && i < sizeof(in_home) / sizeof(in_home[0]); i++)
        status = readable_add_in_home(readable, in_home[i]);
    for (size_t i = 0; status == STATUS_OK && i < sizeof(variables) / sizeof(variables[0]); i++)
        status = add_variable(readable, variables[i][0], variables[i][1]);
    return status;
}

void readable_deinit(struct readable *readable)
{
    for (size_t i = 0; i < readable->count; i++)
        free(readable->paths[i]);
    free(readable->paths);
    *readable = (struct readable){0};
}
