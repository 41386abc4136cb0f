/* SPDX-License-Identifier: MIT */
#include "tools/cgsnap/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/out_file.h"
#include "snapshot/format.h"
#include "snapshot/pump.h"
#include "snapshot/tcp.h"

#define SECRET_MODE 0600

/* Says whether the file is a snapshot; one that cannot be read is not. */
static bool is_snapshot(int found)
{
    char path[64], magic[SNAP_MAGIC_SIZE];
    bool same;
    int fd;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    same = read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
           memcmp(magic, SNAP_MAGIC, sizeof(magic)) == 0;
    close(fd);
    return same;
}

static enum status refuse(const char *name, struct diag *diag)
{
    diag_set(diag, name, "not overwritten, as it is no snapshot");
    diag_hint(diag, "choose another file with -o, or use --force");
    return STATUS_IO;
}

/* Checks that NAME.old may be lost: it does not exist, or is a snapshot. */
static enum status check_old(const char *old, struct diag *diag)
{
    enum status status;
    struct stat st;
    bool snapshot;
    int found;

    status = out_file_find(old, false, &found, &st, diag);
    if (status != STATUS_OK || found < 0)
        return status;
    snapshot = S_ISREG(st.st_mode) && is_snapshot(found);
    close(found);
    return snapshot ? STATUS_OK : refuse(old, diag);
}

/* Creates the new file beside an existing one, which it replaces when the first byte is written. */
static enum status open_beside(struct snap_output *output, struct diag *diag)
{
    enum status status = STATUS_OK;

    if (snprintf(output->old, sizeof(output->old), "%s.old", output->name) >= PATH_MAX ||
        snprintf(output->beside, sizeof(output->beside), "%s.%d.new", output->name,
                 (int)getpid()) >= PATH_MAX) {
        diag_set(diag, output->name, "cannot write: the name is too long");
        return STATUS_IO;
    }
    if (output->keeps_old)
        status = check_old(output->old, diag);
    if (status == STATUS_OK)
        status = out_file_create(output->beside, SECRET_MODE, &output->fd, diag);
    output->is_created = status == STATUS_OK;
    return status;
}

/* Looks the output up. Follows links only to what is no regular file, such as /dev/stdout. */
static enum status find(const char *name, int *found, struct stat *st, struct diag *diag)
{
    enum status status = out_file_find(name, false, found, st, diag);
    struct diag ignored;

    if (status == STATUS_OK)
        return STATUS_OK;
    if (out_file_find(name, true, found, st, &ignored) != STATUS_OK || *found < 0)
        return status;
    if (!S_ISREG(st->st_mode))
        return STATUS_OK;
    close(*found);
    return status;
}

static enum status open_file(struct snap_output *output, bool force, struct diag *diag)
{
    enum status status;
    struct stat st;
    bool snapshot;
    int found;

    status = find(output->name, &found, &st, diag);
    if (status != STATUS_OK)
        return status;
    if (found < 0) {
        status = out_file_create(output->name, SECRET_MODE, &output->fd, diag);
        output->is_created = status == STATUS_OK;
        return status;
    }
    if (!S_ISREG(st.st_mode))
        return out_file_open(found, output->name, false, &output->fd, diag);
    snapshot = is_snapshot(found);
    close(found);
    if (st.st_size && !snapshot && !force)
        return refuse(output->name, diag);
    output->keeps_old = snapshot && !force;
    return open_beside(output, diag);
}

/* Replaces the existing file; runs in the pump. */
static int take_place(void *context, int fd)
{
    const struct snap_output *output = context;

    (void)fd;
    if (output->keeps_old && rename(output->name, output->old) != 0)
        return errno;
    return rename(output->beside, output->name) == 0 ? 0 : errno;
}

/* Closes the output here: the pump has it. Standard output becomes /dev/null. */
static void let_go(struct snap_output *output)
{
    int nothing = output->fd == STDOUT_FILENO ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;

    if (nothing >= 0) {
        dup2(nothing, STDOUT_FILENO);
        close(nothing);
    } else {
        close(output->fd);
    }
    output->fd = -1;
}

enum status output_open(struct snap_output *output, const char *name, bool force, struct diag *diag)
{
    enum status status = STATUS_OK;

    *output = (struct snap_output){.name = name, .fd = -1};
    if (strncmp(name, TCP_PREFIX, strlen(TCP_PREFIX)) == 0)
        status = tcp_connect(name, &output->fd, diag);
    else if (strcmp(name, "-") == 0)
        output->fd = STDOUT_FILENO;
    else
        status = open_file(output, force, diag);
    if (status != STATUS_OK)
        return status;
    if (isatty(output->fd)) {
        diag_set(diag, NULL, "a snapshot is binary, and the output is a terminal");
        diag_hint(diag, "use -o FILE, or pipe it: cgsnap -o - … | cgunwind -");
        return STATUS_IO;
    }
    status = pump_start(output->fd, output_title(output), output->beside[0] ? take_place : NULL,
                        output, &output->pump, diag);
    if (status == STATUS_OK)
        let_go(output);
    else
        output_abandon(output);
    return status;
}

void output_abandon(struct snap_output *output)
{
    output_close(output);
    if (output->is_created)
        unlink(output->beside[0] ? output->beside : output->name);
}

void output_close(struct snap_output *output)
{
    pump_destroy(output->pump);
    output->pump = NULL;
}

const char *output_title(const struct snap_output *output)
{
    return strcmp(output->name, "-") == 0 ? "standard output" : output->name;
}
