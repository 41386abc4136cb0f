/* SPDX-License-Identifier: MIT */
#include "output/render.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/helper.h"
#include "base/text.h"
#include "base/vec.h"
#include "output/render_child.h"
#include "output/render_program.h"
#include "output/svg_fit.h"

#define RENDER_SIZE_MAX (UINT64_C(1) << 30) /* bytes of a picture */

struct buffer {
    char *bytes;
    size_t size, cap;
};

const char *render_format_name(enum render_format format)
{
    switch (format) {
    case RENDER_SVG:
        return "svg";
    case RENDER_PNG:
        return "png";
    case RENDER_PDF:
        return "pdf";
    }
    return "svg";
}

enum status render_pipes(struct render_child *child, int *picture, int *message, struct diag *diag)
{
    int picture_ends[2], message_ends[2];

    if (pipe2(picture_ends, O_CLOEXEC) != 0) {
        diag_set(diag, NULL, "cannot make a pipe: %s", strerror(errno));
        return STATUS_IO;
    }
    if (pipe2(message_ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        diag_set(diag, NULL, "cannot make a pipe: %s", strerror(errno));
        close(picture_ends[0]);
        close(picture_ends[1]);
        return STATUS_IO;
    }
    *child = (struct render_child){.picture = picture_ends[0], .message = message_ends[0]};
    *picture = picture_ends[1];
    *message = message_ends[1];
    return STATUS_OK;
}

enum status render_child_begun(struct render_child *child, int picture, int message,
                               struct diag *diag)
{
    const int error = errno;

    close(picture);
    close(message);
    if (child->pid > 0)
        return STATUS_OK;
    diag_set(diag, NULL, "cannot start a process for the layout: %s", strerror(error));
    close(child->picture);
    close(child->message);
    return STATUS_IO;
}

pid_t render_child_fork(const int *keep, size_t count)
{
    const struct helper_tie tie = {.keep = keep, .keep_count = count, .parent_end = SIGKILL};
    const struct rlimit no_core = {0};
    const pid_t pid = helper_fork(&tie);

    if (pid == 0)
        setrlimit(RLIMIT_CORE, &no_core);
    return pid;
}

/* Reads to the pipe's end. END: the time is over; UNSUPPORTED: too large. */
static enum status collect(int fd, unsigned seconds, struct buffer *buffer)
{
    int64_t deadline = clock_now_ms() + (int64_t)seconds * 1000;

    for (;;) {
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        int64_t left = deadline - clock_now_ms();
        enum status status;
        ssize_t n;

        if (left <= 0)
            return STATUS_END;
        n = poll(&poll_fd, 1, left > 60000 ? 60000 : (int)left);
        if (n == 0 || (n < 0 && errno == EINTR))
            continue;
        if (n < 0)
            return STATUS_IO;
        if (buffer->size >= RENDER_SIZE_MAX)
            return STATUS_UNSUPPORTED;
        status = vec_reserve(&buffer->bytes, &buffer->cap, buffer->size + 65536, 1);
        if (status != STATUS_OK)
            return status;
        n = read(fd, buffer->bytes + buffer->size, buffer->cap - buffer->size - 1);
        if (n == 0)
            return STATUS_OK;
        if (n < 0 && errno != EINTR)
            return STATUS_IO;
        if (n > 0)
            buffer->size += (size_t)n;
    }
}

/* Fills `diag` with the first line of the message of a child that has ended. */
static void tell_message(const struct render_child *child, struct diag *diag)
{
    char text[200];
    const ssize_t n = read(child->message, text, sizeof(text) - 1);

    text[n > 0 ? n : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    diag_set(diag, NULL, "%s", text[0] ? text : "Graphviz failed");
}

/* Returns the outcome, from how reading and the child ended. */
static enum status judge(enum status collected, int wait_status, const struct render_child *child,
                         unsigned seconds, const struct buffer *buffer, struct diag *diag)
{
    if (collected == STATUS_END) {
        diag_set(diag, NULL, "Graphviz did not finish the layout in %u s", seconds);
        diag_hint(diag, "show fewer nodes (--nodes) or use --focus");
        return STATUS_UNSUPPORTED;
    }
    if (collected == STATUS_UNSUPPORTED) {
        diag_set(diag, NULL, "the picture is larger than 1 GiB");
        return STATUS_UNSUPPORTED;
    }
    if (collected != STATUS_OK) {
        diag_set(diag, NULL, "cannot read what Graphviz draws: %s", status_name(collected));
        return collected;
    }
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0 && buffer->size)
        return STATUS_OK;
    if (WIFSIGNALED(wait_status))
        diag_set(diag, NULL, "Graphviz crashed (signal %d)", WTERMSIG(wait_status));
    else
        tell_message(child, diag);
    return STATUS_UNSUPPORTED;
}

enum status render_begin(enum render_format format, bool confined, struct renderer **out,
                         struct diag *diag)
{
    *out = NULL;
    return render_has_library() ? STATUS_OK : render_program_begin(format, confined, out, diag);
}

/* Runs a child, kills it at the time limit, and reads the picture. */
static enum status run_child(const char *dot, const struct render_options *options,
                             struct buffer *buffer, struct diag *diag)
{
    struct render_child child;
    enum status status = options->renderer
                             ? render_program_start(options->renderer, dot, &child, diag)
                             : render_library_start(&child, dot, options, diag);
    int wait_status = 0;

    if (status != STATUS_OK)
        return status;
    status = collect(child.picture, options->seconds, buffer);
    if (status != STATUS_OK)
        kill(child.pid, SIGKILL);
    close(child.picture);
    while (waitpid(child.pid, &wait_status, 0) < 0 && errno == EINTR)
        ;
    status = judge(status, wait_status, &child, options->seconds, buffer, diag);
    close(child.message);
    return status;
}

enum status render_dot(const char *dot, const struct render_options *options, FILE *out,
                       struct diag *diag)
{
    struct buffer buffer = {0};
    enum status status = run_child(dot, options, &buffer, diag);

    if (status == STATUS_OK) {
        if (options->format == RENDER_SVG)
            svg_fit(buffer.bytes, buffer.size, out);
        else
            fwrite(buffer.bytes, 1, buffer.size, out);
        status = text_finish(out);
        if (status != STATUS_OK)
            diag_set(diag, NULL, "cannot write the picture: %s", strerror(errno));
    }
    free(buffer.bytes);
    return status;
}
