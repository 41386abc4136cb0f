/* SPDX-License-Identifier: MIT */
#include "tools/process_name.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/procfs.h"
#include "base/text.h"

#define LISTED_MAX  20u
#define COMMAND_MAX 80u /* bytes of a command line that are read and listed */

/* Returns the last part of a command line's first word, which ends with NUL. A shell's is "-sh". */
static const char *program_of(const char *command)
{
    const char *slash = strrchr(command, '/');

    return slash ? slash + 1 : command;
}

/* Says whether the process runs this file, or one of this name that was replaced since it began. */
static bool runs(pid_t pid, const char *path)
{
    char link[32], exe[PATH_MAX];
    struct stat wanted, found;
    size_t len = strlen(path);
    ssize_t n;

    snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
    if (stat(path, &wanted) == 0 && stat(link, &found) == 0 && wanted.st_dev == found.st_dev &&
        wanted.st_ino == found.st_ino)
        return true;
    n = readlink(link, exe, sizeof(exe) - 1);
    if (n < 0)
        return false;
    exe[n] = '\0';
    return strncmp(exe, path, len) == 0 && (!exe[len] || strcmp(exe + len, " (deleted)") == 0);
}

/*
 * Reads the process's command line, and says whether it is called `wanted`. False also for kernel
 * threads and zombies, which cannot be captured.
 */
static bool is_called(pid_t pid, const char *wanted, char command[COMMAND_MAX + 1], size_t *size)
{
    char name[PROC_NAME_SIZE + 1];
    ssize_t n = proc_readf(command, COMMAND_MAX, "/proc/%d/cmdline", (int)pid);

    if (n <= 0) /* a thread of the kernel's, or a zombie */
        return false;
    command[n] = '\0';
    *size = (size_t)n;
    if (strchr(wanted, '/'))
        return runs(pid, wanted);
    if (strcmp(program_of(command), wanted) == 0)
        return true;
    n = proc_readf(name, sizeof(name), "/proc/%d/comm", (int)pid);
    if (n <= 1)
        return false;
    name[n - 1] = '\0';
    /* The kernel cuts long names off. */
    return strncmp(name, wanted, PROC_NAME_SIZE - 1) == 0 &&
           strlen(name) >=
               (strlen(wanted) < PROC_NAME_SIZE - 1 ? strlen(wanted) : PROC_NAME_SIZE - 1);
}

static void list(const struct option_use *use, pid_t pid, char *command, size_t size,
                 unsigned count)
{
    if (count == 1)
        fprintf(stderr, "%s: several processes are called %s: give one's number with -p\n",
                use->table->program, use->argument);
    for (size_t i = 0; i + 1 < size; i++)
        if (!command[i])
            command[i] = ' ';
    text_disarm(command);
    fprintf(stderr, "  %7d  %s\n", (int)pid, command);
}

int process_by_name(const struct option_use *use, pid_t *pid)
{
    char command[COMMAND_MAX + 1], first[COMMAND_MAX + 1];
    size_t size, first_size = 0;
    struct dirent *entry;
    DIR *dir = opendir("/proc");
    unsigned count = 0;

    while (dir && (entry = readdir(dir))) {
        const pid_t number = (pid_t)strtol(entry->d_name, NULL, 10);

        if (number <= 0 || number == getpid() || !is_called(number, use->argument, command, &size))
            continue;
        count++;
        if (count == 1) {
            *pid = number;
            memcpy(first, command, sizeof(first));
            first_size = size;
            continue;
        }
        if (count == 2)
            list(use, *pid, first, first_size, 1);
        if (count <= LISTED_MAX)
            list(use, number, command, size, count);
    }
    if (dir)
        closedir(dir);
    if (count == 0)
        return options_refuse(use->table, "no process is called '%s'", use->argument);
    return count == 1 ? -1 : EXIT_USAGE;
}
