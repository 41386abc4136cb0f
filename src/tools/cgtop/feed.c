/* SPDX-License-Identifier: MIT */
#include "tools/cgtop/feed.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "snapshot/pump.h"

#define PIPE_SIZE     (1 << 20)
#define END_MS        2000
#define MESSAGE_MS    1000
#define DATA_NAME     "the screen"
#define FILES_TO_KEEP 3 /* standard input, output and error */

/* Replaces standard files by /dev/null: only the terminal's signals concern this process. */
static void leave_terminal(void)
{
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int i = 0; i < FILES_TO_KEEP && fd >= 0; i++)
        dup2(fd, i);
    if (fd >= FILES_TO_KEEP)
        close(fd);
}

static void tell(int fd, const struct feed_end *message)
{
    (void)!send(fd, message, sizeof(*message), MSG_NOSIGNAL);
}

/* Captures, and reports begin and end. */
static void capture(const struct capture_options *options, struct pump *pump, int message_fd,
                    struct feed_end *end)
{
    struct capture *cap = NULL;

    end->status = capture_start(options, &cap, &end->diag);
    tell(message_fd, end);
    if (end->status != STATUS_OK)
        return;
    end->status = capture_run(cap, pump, DATA_NAME, &end->result, &end->diag);
    /* Sent before the pump ends, as cgtop waits for that. */
    tell(message_fd, end);
    capture_destroy(cap);
}

static _Noreturn void run(const struct capture_options *options, pid_t parent, int data_fd,
                          int message_fd)
{
    static struct feed_end end;
    struct pump *pump = NULL;

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(0);
    signal(SIGPIPE, SIG_IGN);
    leave_terminal();
    end.status = pump_start(data_fd, DATA_NAME, NULL, NULL, &pump, &end.diag);
    close(data_fd);
    if (end.status == STATUS_OK)
        capture(options, pump, message_fd, &end);
    else
        tell(message_fd, &end);
    pump_destroy(pump);
    _exit(0);
}

static bool receive(const struct feed *feed, int timeout_ms, struct feed_end *message)
{
    struct pollfd poll_fd = {.fd = feed->message_fd, .events = POLLIN};
    int n;

    do
        n = poll(&poll_fd, 1, timeout_ms);
    while (n < 0 && errno == EINTR);
    return n == 1 && read(feed->message_fd, message, sizeof(*message)) == (ssize_t)sizeof(*message);
}

enum status feed_start(const struct capture_options *options, struct feed *feed, struct diag *diag)
{
    const pid_t parent = getpid();
    struct feed_end message;
    int data[2], messages[2];

    if (pipe2(data, O_CLOEXEC) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, messages) != 0) {
        diag_set(diag, NULL, "cannot make a pipe: %s", strerror(errno));
        return STATUS_IO;
    }
    (void)!fcntl(data[0], F_SETPIPE_SZ, PIPE_SIZE); /* stays 64 KiB if not permitted */
    feed->pid = fork();
    if (feed->pid == 0) {
        close(data[0]);
        close(messages[0]);
        run(options, parent, data[1], messages[1]);
    }
    close(data[1]);
    close(messages[1]);
    if (feed->pid < 0) {
        diag_set(diag, NULL, "cannot start a process to capture: %s", strerror(errno));
        return STATUS_IO;
    }
    feed->data_fd = data[0];
    feed->message_fd = messages[0];
    (void)!fcntl(data[0], F_SETFL, O_NONBLOCK);
    if (!receive(feed, -1, &message)) {
        diag_set(diag, NULL, "the process that captures has ended");
        return STATUS_IO;
    }
    if (message.status != STATUS_OK)
        *diag = message.diag;
    return message.status;
}

void feed_ended(const struct feed *feed, struct feed_end *end)
{
    *end = (struct feed_end){.status = STATUS_IO};
    if (!receive(feed, MESSAGE_MS, end))
        diag_set(&end->diag, NULL, "the process that captures was killed");
}

/* Waits for the end of the messages: the process keeps its end open as long as it lives. */
void feed_stop(struct feed *feed)
{
    struct pollfd poll_fd = {.fd = feed->message_fd, .events = POLLIN};
    struct feed_end ignored;

    close(feed->data_fd);
    while (poll(&poll_fd, 1, END_MS) == 1 && read(feed->message_fd, &ignored, sizeof(ignored)) > 0)
        ;
    close(feed->message_fd);
}
