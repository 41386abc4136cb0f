/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over the files given, and those in directories given: seeds and old crashers
 * as an ordinary test. Fails when there is no file, so that a wrong path does not pass.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size ? size : 1);

    if (!file || !data || fread(data, 1, size, file) != size) {
        fprintf(stderr, "replay: cannot read %s: %s\n", path, strerror(errno));
        exit(EXIT_FAILURE);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

static int replay(const char *path);

static int replay_directory(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    int files = 0;

    for (int i = 0; i < count; i++) {
        char name[4096];

        snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            files += replay(name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return files;
}

static int replay(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0) {
        fprintf(stderr, "replay: cannot open %s: %s\n", path, strerror(errno));
        exit(EXIT_FAILURE);
    }
    return S_ISDIR(st.st_mode) ? replay_directory(path) : replay_file(path, (size_t)st.st_size);
}

int main(int argc, char **argv)
{
    int files = 0;

    for (int i = 1; i < argc; i++)
        files += replay(argv[i]);
    printf("%d inputs\n", files);
    return files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
