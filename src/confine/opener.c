/* SPDX-License-Identifier: MIT */
#include "confine/opener.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/out_file.h"
#include "base/helper.h"
#include "base/pass_fd.h"

/* Requests: a path's number, with REMOVES to remove it; or ENDS. */
#define REMOVES 0x80u
#define ENDS    0x7fu
_Static_assert(OPENER_PATHS_MAX <= ENDS, "no path has the number ENDS");

static FILE *open_here(const struct opener *opener, size_t i, struct diag *diag)
{
    char name[NAME_MAX + 1];
    const time_t now = time(NULL);
    struct tm local;
    FILE *file;

    if (!opener->is_dated[i])
        return out_file_stream(opener->paths[i], opener->replaces[i], diag);
    if (!localtime_r(&now, &local) || !strftime(name, sizeof(name), opener->paths[i], &local)) {
        diag_set(diag, opener->paths[i], "no such time");
        return NULL;
    }
    file = out_file_stream(name, opener->replaces[i], diag);
    if (file)
        diag_set(diag, name, "%s", "");
    return file;
}

/* Serves until the program's end. Ctrl-C is left to the program. */
static void serve(void *context, int socket)
{
    const struct opener *opener = context;
    bool was_opened[OPENER_PATHS_MAX] = {false};
    uint8_t asked;

    while (read(socket, &asked, 1) == 1) {
        const size_t i = asked & ~REMOVES;
        struct diag diag = {.has_off = false};
        FILE *file = NULL;

        if (i >= OPENER_PATHS_MAX || !opener->paths[i])
            break;
        if (!(asked & REMOVES))
            file = open_here(opener, i, &diag);
        else if (was_opened[i])
            out_file_remove(opener->paths[i]);
        was_opened[i] |= file != NULL;
        (void)pass_send(socket, &diag, sizeof(diag), file ? fileno(file) : -1, 0);
        if (file)
            fclose(file);
    }
}

enum status opener_begin(struct opener *opener)
{
    /* A FIFO without a reader may block it; a path may be /dev/fd/N. */
    const struct helper_tie tie = {.keeps_all = true, .parent_end = SIGKILL};
    struct helper helper;
    enum status status = helper_start(&helper, SOCK_SEQPACKET, &tie, serve, opener);

    if (status == STATUS_OK) {
        opener->pid = helper.pid;
        opener->fd = helper.fd;
    }
    return status;
}

/* Asks the helper; returns the descriptor in its answer, or -1, and `diag` says why. */
static int ask(const struct opener *opener, uint8_t asked, struct diag *diag)
{
    int fd = -1;

    if (send(opener->fd, &asked, 1, MSG_NOSIGNAL) != 1 ||
        pass_receive(opener->fd, diag, sizeof(*diag), 0, &fd) != (ssize_t)sizeof(*diag))
        diag_set(diag, NULL, "the process that opens files has ended");
    return fd;
}

FILE *opener_open(struct opener *opener, size_t i, struct diag *diag)
{
    FILE *file;
    int fd;

    if (!opener->pid)
        return open_here(opener, i, diag);
    fd = ask(opener, (uint8_t)i, diag);
    file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0 && !file) {
        diag_set(diag, opener->paths[i], "%s", strerror(errno));
        close(fd);
    }
    return file;
}

void opener_remove(struct opener *opener, size_t i)
{
    struct diag ignored;

    if (opener->pid)
        ask(opener, (uint8_t)(i | REMOVES), &ignored);
    else
        out_file_remove(opener->paths[i]);
}

void opener_end(struct opener *opener)
{
    const uint8_t asked = ENDS;

    if (!opener->pid)
        return;
    /* Closing the socket would suffice, unless another process has it open by mistake. */
    (void)!send(opener->fd, &asked, 1, MSG_NOSIGNAL);
    close(opener->fd);
    while (waitpid(opener->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    opener->pid = 0;
}
