/* SPDX-License-Identifier: MIT */
#include "base/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Text that is not parsed yet. */
struct proc_text {
    const char *pos, *end;
};

static void skip_blanks(struct proc_text *t)
{
    while (t->pos < t->end && (*t->pos == ' ' || *t->pos == '\t'))
        t->pos++;
}

static int digit(char c, unsigned base)
{
    int value = -1;

    if (c >= '0' && c <= '9')
        value = c - '0';
    else if (c >= 'a' && c <= 'f')
        value = c - 'a' + 10;
    return value < (int)base ? value : -1;
}

static bool digits(struct proc_text *t, unsigned base, uint64_t *out)
{
    uint64_t value = 0;
    const char *first = t->pos;

    for (; t->pos < t->end && digit(*t->pos, base) >= 0; t->pos++)
        value = value * base + (uint64_t)digit(*t->pos, base);
    *out = value;
    return t->pos > first;
}

/* A number, in hexadecimal when it begins with 0x; no sign. */
static bool number(struct proc_text *t, uint64_t *out)
{
    unsigned base = 10;

    skip_blanks(t);
    if (t->end - t->pos > 2 && t->pos[0] == '0' && t->pos[1] == 'x') {
        base = 16;
        t->pos += 2;
    }
    return digits(t, base, out);
}

static bool skip_words(struct proc_text *t, unsigned count)
{
    for (; count; count--) {
        skip_blanks(t);
        if (t->pos == t->end)
            return false;
        while (t->pos < t->end && *t->pos != ' ')
            t->pos++;
    }
    return true;
}

/* The name may hold anything, also ") R 1": its end is the last parenthesis of the text. */
bool proc_parse_stat(const char *text, size_t size, struct proc_stat *out)
{
    struct proc_stat stat = {0};
    const char *open = memchr(text, '(', size);
    const char *close = memrchr(text, ')', size);
    struct proc_text t = {.end = text + size};
    uint64_t parent, flags, user, system, cpu;
    size_t len;

    if (!open || !close || close < open || t.end - close < 4)
        return false;
    len = (size_t)(close - open - 1);
    if (len > PROC_NAME_SIZE - 1)
        len = PROC_NAME_SIZE - 1;
    memcpy(stat.name, open + 1, len);
    stat.state = close[2];
    t.pos = close + 3;
    /*
     * after the state: parent (field 4), 4 words, flags (9), 4 words, user and system time (14,
     * 15), 6 words, start time (22)
     */
    if (!number(&t, &parent) || !skip_words(&t, 4) || !number(&t, &flags) || !skip_words(&t, 4) ||
        !number(&t, &user) || !number(&t, &system) || !skip_words(&t, 6) ||
        !number(&t, &stat.start_ticks))
        return false;
    stat.cpu_ticks = user + system;
    /* 15 words, exit signal (38), processor (39), which Linux 2.2 did not have */
    stat.cpu = skip_words(&t, 16) && number(&t, &cpu) && cpu < INT_MAX ? (int)cpu : -1;
    stat.parent_pid = (uint32_t)parent;
    stat.flags = (uint32_t)flags;
    *out = stat;
    return true;
}

/* "cpu", three words, "IDLE IOWAIT" and more: the first line is of all CPUs. */
bool proc_parse_idle(const char *text, size_t size, uint64_t *out_ticks)
{
    struct proc_text t = {.pos = text, .end = text + size};
    uint64_t idle, iowait;

    if (!skip_words(&t, 4) || !number(&t, &idle) || !number(&t, &iowait))
        return false;
    *out_ticks = idle + iowait;
    return true;
}

bool proc_parse_schedstat(const char *text, size_t size, struct proc_schedstat *out)
{
    struct proc_text t = {.pos = text, .end = text + size};
    uint64_t run, waited, switches;

    if (!number(&t, &run) || !number(&t, &waited) || !number(&t, &switches))
        return false;
    *out = (struct proc_schedstat){.run_ns = run, .delay_ns = waited, .switches = switches};
    return true;
}

/* "running", "-1 SP PC", or "NR ARG ARG ARG ARG ARG ARG SP PC". */
bool proc_parse_syscall(const char *text, size_t size, struct proc_syscall *out)
{
    struct proc_syscall call = {.nr = -1};
    struct proc_text t = {.pos = text, .end = text + size};
    uint64_t nr;

    if (size >= 7 && memcmp(text, "running", 7) == 0) {
        call.running = true;
        *out = call;
        return true;
    }
    if (size >= 2 && memcmp(text, "-1", 2) == 0) {
        t.pos += 2;
    } else {
        if (!number(&t, &nr))
            return false;
        call.nr = (int64_t)nr;
        for (unsigned i = 0; i < 6; i++)
            if (!number(&t, &call.args[i]))
                return false;
    }
    if (!number(&t, &call.sp) || !number(&t, &call.pc))
        return false;
    *out = call;
    return true;
}

/* Finds "Field:" at the start of a line, and sets *out behind it and the blanks that follow. */
static bool find_field(const char *text, size_t size, const char *field, struct proc_text *out)
{
    size_t len = strlen(field);
    const char *end = text + size;

    for (const char *line = text; line && (size_t)(end - line) > len;) {
        if (memcmp(line, field, len) == 0 && line[len] == ':') {
            *out = (struct proc_text){.pos = line + len + 1, .end = end};
            skip_blanks(out);
            return true;
        }
        line = memchr(line, '\n', (size_t)(end - line));
        line = line ? line + 1 : NULL;
    }
    return false;
}

bool proc_parse_status(const char *text, size_t size, const char *field, uint64_t *out)
{
    struct proc_text t;

    return find_field(text, size, field, &t) && number(&t, out);
}

bool proc_parse_status_mask(const char *text, size_t size, const char *field, uint64_t *out)
{
    struct proc_text t;

    return find_field(text, size, field, &t) && digits(&t, 16, out);
}

bool proc_parse_status_last(const char *text, size_t size, const char *field, uint64_t *out)
{
    struct proc_text t;
    uint64_t value;
    bool found = false;

    if (!find_field(text, size, field, &t))
        return false;
    while (number(&t, &value)) {
        *out = value;
        found = true;
    }
    return found;
}

ssize_t proc_read(int dir_fd, const char *path, void *buffer, size_t size)
{
    int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
    size_t done = 0;
    ssize_t n = 0;

    if (fd < 0)
        return -errno;
    while (done < size) {
        n = read(fd, (char *)buffer + done, size - done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    n = n < 0 ? -errno : (ssize_t)done;
    close(fd);
    return n;
}

ssize_t proc_readf(void *buffer, size_t size, const char *format, ...)
{
    char path[128];
    va_list args;

    va_start(args, format);
    vsnprintf(path, sizeof(path), format, args);
    va_end(args);
    return proc_read(AT_FDCWD, path, buffer, size);
}

ssize_t proc_read_stat(int dir_fd, pid_t tid, struct proc_stat *out)
{
    char path[32], text[512];
    ssize_t n;

    snprintf(path, sizeof(path), dir_fd == AT_FDCWD ? "/proc/%d/stat" : "%d/stat", (int)tid);
    n = proc_read(dir_fd, path, text, sizeof(text));
    return n <= 0 || proc_parse_stat(text, (size_t)n, out) ? n : 0;
}

/*
 * Reads /proc/PID/status in pieces of whole lines and parses each for the field. The file may be
 * long: a process can be in 65,536 groups, which make one line of half a megabyte. The rest of a
 * line that is longer than a piece is taken for a line; no field's name begins it.
 */
static uint64_t read_status(pid_t pid, const char *field, uint64_t otherwise,
                            bool parse(const char *, size_t, const char *, uint64_t *))
{
    char path[32], text[4096];
    uint64_t value = otherwise;
    size_t used = 0;
    bool found = false;
    ssize_t n = 1;
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return otherwise;
    while (!found && n > 0 && (n = read(fd, text + used, sizeof(text) - used)) >= 0) {
        size_t size = used + (size_t)n;
        const char *newline = memrchr(text, '\n', size);
        size_t whole = n > 0 && newline ? (size_t)(newline + 1 - text) : size;

        found = parse(text, whole, field, &value);
        used = size - whole;
        memmove(text, text + whole, used);
    }
    close(fd);
    return found ? value : otherwise;
}

uint64_t proc_status(pid_t pid, const char *field, uint64_t otherwise)
{
    return read_status(pid, field, otherwise, proc_parse_status);
}

uint64_t proc_status_last(pid_t pid, const char *field, uint64_t otherwise)
{
    return read_status(pid, field, otherwise, proc_parse_status_last);
}

uint64_t proc_status_mask(pid_t pid, const char *field, uint64_t otherwise)
{
    return read_status(pid, field, otherwise, proc_parse_status_mask);
}
