/* SPDX-License-Identifier: MIT */
#include "output/render_program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/write_all.h"
#include "confine/call_filter.h"
#include "confine/confine.h"

#define USUAL_PATH "/usr/local/bin:/usr/bin:/bin"

struct renderer {
    char program[PATH_MAX]; /* "": there is none, and no child was started */
    struct render_child child;
    bool is_waiting;
    int text;  /* a file without a name: the program's standard input */
    int go[2]; /* a pipe of which we hold both ends, so that no write raises SIGPIPE */
};

static bool is_program(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Finds the first dot of $PATH. Relative directories are skipped: anybody may have made them. */
static void find_program(char path[PATH_MAX])
{
    const char *list = getenv("PATH");

    for (list = list ? list : USUAL_PATH; *list; list += *list == ':') {
        const int len = (int)strcspn(list, ":");

        if (*list == '/' && snprintf(path, PATH_MAX, "%.*s/dot", len, list) < PATH_MAX &&
            is_program(path))
            return;
        list += len;
    }
    path[0] = '\0';
}

static enum status confine_program(const char *program)
{
    struct readable readable = {0};
    struct confinement confinement = {.readable = &readable, .runs = true, .calls = CALLS_RUN};
    struct diag missing;
    enum status status = readable_add_system(&readable);

    if (status == STATUS_OK)
        status = readable_add_fonts(&readable);
    if (status == STATUS_OK)
        status = readable_add_with_directory(&readable, program);
    if (status == STATUS_OK)
        confine(&confinement, &missing);
    readable_deinit(&readable);
    return status;
}

static _Noreturn void fail(int message, const char *what)
{
    dprintf(message, "%s: %s", what, strerror(errno));
    _exit(RENDER_CHILD_FAILED);
}

/* In the child. No file may grow, whatever else is permitted: SIGXFSZ ends the program. */
static _Noreturn void become_program(const struct renderer *renderer, enum render_format format,
                                     bool confined, int picture, int message)
{
    const struct rlimit no_file = {0};
    char option[8], byte;
    char *const arguments[] = {"dot", option, NULL};

    snprintf(option, sizeof(option), "-T%s", render_format_name(format));
    signal(SIGXFSZ, SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &no_file);
    if (confined && confine_program(renderer->program) != STATUS_OK)
        _exit(RENDER_CHILD_FAILED);
    if (read(renderer->go[0], &byte, 1) != 1)
        _exit(RENDER_CHILD_FAILED);
    if (lseek(renderer->text, 0, SEEK_SET) != 0 || dup2(renderer->text, STDIN_FILENO) < 0 ||
        dup2(picture, STDOUT_FILENO) < 0 || dup2(message, STDERR_FILENO) < 0)
        fail(message, "cannot run Graphviz");
    execv(renderer->program, arguments);
    fail(message, renderer->program);
}

static enum status begin_child(struct renderer *renderer, enum render_format format, bool confined,
                               struct diag *diag)
{
    int picture, message, keep[4];
    enum status status = render_pipes(&renderer->child, &picture, &message, diag);

    if (status != STATUS_OK)
        return status;
    keep[0] = renderer->text;
    keep[1] = renderer->go[0];
    keep[2] = picture;
    keep[3] = message;
    renderer->child.pid = render_child_fork(keep, 4);
    if (renderer->child.pid == 0)
        become_program(renderer, format, confined, picture, message);
    status = render_child_begun(&renderer->child, picture, message, diag);
    renderer->is_waiting = status == STATUS_OK;
    return status;
}

enum status render_program_begin(enum render_format format, bool confined, struct renderer **out,
                                 struct diag *diag)
{
    struct renderer *renderer = calloc(1, sizeof(*renderer));
    enum status status = STATUS_OK;

    if (!renderer)
        return STATUS_NO_MEMORY;
    *renderer = (struct renderer){.text = -1, .go = {-1, -1}};
    find_program(renderer->program);
    if (renderer->program[0]) {
        renderer->text = memfd_create("graph", MFD_CLOEXEC);
        if (renderer->text < 0 || pipe2(renderer->go, O_CLOEXEC) != 0) {
            diag_set(diag, NULL, "cannot keep a graph for Graphviz: %s", strerror(errno));
            status = STATUS_IO;
        }
        if (status == STATUS_OK)
            status = begin_child(renderer, format, confined, diag);
    }
    if (status == STATUS_OK)
        *out = renderer;
    else
        render_end(renderer);
    return status;
}

enum status render_program_start(struct renderer *renderer, const char *dot,
                                 struct render_child *child, struct diag *diag)
{
    if (!renderer->is_waiting) {
        diag_set(diag, NULL, "pictures need Graphviz, whose program dot is not installed here");
        return STATUS_NOT_FOUND;
    }
    if (!write_all(renderer->text, dot, strlen(dot)) || !write_all(renderer->go[1], "", 1)) {
        diag_set(diag, NULL, "cannot send the graph to Graphviz: %s", strerror(errno));
        return STATUS_IO;
    }
    *child = renderer->child;
    renderer->is_waiting = false;
    return STATUS_OK;
}

void render_end(struct renderer *renderer)
{
    if (!renderer)
        return;
    if (renderer->is_waiting) {
        kill(renderer->child.pid, SIGKILL);
        while (waitpid(renderer->child.pid, NULL, 0) < 0 && errno == EINTR)
            ;
        close(renderer->child.picture);
        close(renderer->child.message);
    }
    for (size_t i = 0; i < 2; i++)
        if (renderer->go[i] >= 0)
            close(renderer->go[i]);
    if (renderer->text >= 0)
        close(renderer->text);
    free(renderer);
}
