/* SPDX-License-Identifier: MIT */
#include "base/pass_fd.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Room for one descriptor beside a message. */
union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

bool pass_send(int socket, const void *message, size_t size, int fd, int flags)
{
    union control control = {.bytes = {0}};
    struct iovec text = {.iov_base = (void *)message, .iov_len = size};
    struct msghdr header = {.msg_iov = &text, .msg_iovlen = 1};
    ssize_t n;

    if (fd >= 0) {
        header.msg_control = control.bytes;
        header.msg_controllen = sizeof(control.bytes);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
    }
    do
        n = sendmsg(socket, &header, flags | MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)size;
}

ssize_t pass_receive(int socket, void *message, size_t size, int flags, int *fd)
{
    union control control = {.bytes = {0}};
    struct iovec text = {.iov_base = message, .iov_len = size};
    struct msghdr header = {.msg_iov = &text,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof(control.bytes)};
    ssize_t n;

    *fd = -1;
    do
        n = recvmsg(socket, &header, flags | MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n >= 0 && header.msg_controllen >= CMSG_LEN(sizeof(int)) &&
        control.header.cmsg_level == SOL_SOCKET && control.header.cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(&control.header), sizeof(*fd));
    return n;
}
