/* SPDX-License-Identifier: MIT */
#include "tools/cgunwind/acceptor.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/helper.h"
#include "base/pass_fd.h"
#include "base/vec.h"
#include "snapshot/tcp.h"

enum status acceptor_add(struct acceptor *a, const char *name, struct diag *diag)
{
    struct acceptor_place place = {.name = name};
    enum status status = vec_reserve(&a->places, &a->places_cap, a->count + 1, sizeof(*a->places));

    if (status == STATUS_OK)
        status = vec_reserve(&a->fds, &a->fds_cap, a->count + 1, sizeof(*a->fds));
    if (status != STATUS_OK) {
        diag_set(diag, name, "%s", status_name(status));
        return status;
    }
    status = tcp_listen(name, &a->fds[a->count], &place.port, diag);
    if (status == STATUS_OK)
        a->places[a->count++] = place;
    return status;
}

/* The helper: accepts at one place after the other, until the last or our program's end. */
static void serve(void *context, int socket)
{
    const struct acceptor *a = context;

    for (size_t i = 0; i < a->count; i++) {
        struct diag diag = {.has_off = false};
        int fd = -1;

        (void)!tcp_accept(a->fds[i], a->places[i].name, TCP_WAIT_MS, &fd, &diag);
        (void)pass_send(socket, &diag, sizeof(diag), fd, 0);
        if (fd >= 0)
            close(fd);
    }
}

enum status acceptor_begin(struct acceptor *a)
{
    /* Without the signal it would wait for a connection for ever. */
    const struct helper_tie tie = {.keep = a->fds, .keep_count = a->count, .parent_end = SIGKILL};
    struct helper helper = {.fd = -1};
    enum status status;

    if (!a->count)
        return STATUS_OK;
    status = helper_start(&helper, SOCK_SEQPACKET, &tie, serve, a);
    for (size_t i = 0; i < a->count; i++)
        close(a->fds[i]);
    free(a->fds);
    a->fds = NULL;
    a->fd = helper.fd;
    return status;
}

const struct acceptor_place *acceptor_next(const struct acceptor *a)
{
    return &a->places[a->taken];
}

enum status acceptor_take(struct acceptor *a, int *fd, struct diag *diag)
{
    const char *name = a->places[a->taken++].name;

    if (pass_receive(a->fd, diag, sizeof(*diag), 0, fd) != (ssize_t)sizeof(*diag))
        diag_set(diag, name, "the process that accepts connections has ended");
    return *fd >= 0 ? STATUS_OK : STATUS_IO;
}

void acceptor_end(struct acceptor *a)
{
    if (a->fds)
        for (size_t i = 0; i < a->count; i++)
            close(a->fds[i]);
    else if (a->count)
        close(a->fd);
    free(a->fds);
    free(a->places);
}
