/* SPDX-License-Identifier: MIT */
#include "boards/gdb/served.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* No board has so many CPUs; control blocks have higher addresses. */
#define COUNTED_MAX 4096
/* Threads whose text is asked for, at most. */
#define ASKED_MAX 4u

static bool has_word(const char *text, const char *const *words)
{
    for (; *words; words++)
        for (const char *at = text; *at; at++)
            if (strncasecmp(at, *words, strlen(*words)) == 0)
                return true;
    return false;
}

enum gdb_served_kind gdb_served_kind_of(const char *extra)
{
    /* QEMU: "CPU#0 [halted ]"; OpenOCD, hwthread: "Name: esp32.cpu0, state: debug-request" */
    static const char *const of_cpus[] = {
        "cpu", "core ", "hart", "state: debug-request", "state: breakpoint", NULL};
    static const char *const of_tasks[] = {"state: ",   "current execution", "prio",   "blocked",
                                           "suspended", "waiting",           "pended", "ready",
                                           "delayed",   "sleeping",          "idle",   NULL};

    if (has_word(extra, of_cpus))
        return GDB_SERVED_CPU;
    return has_word(extra, of_tasks) ? GDB_SERVED_TASK : GDB_SERVED_UNKNOWN;
}

void gdb_served_name(const char *extra, char out[PROC_NAME_SIZE])
{
    size_t len;

    if (strncmp(extra, "Name: ", 6) == 0)
        extra += 6;
    len = strcspn(extra, ",;:(");
    while (len && extra[len - 1] == ' ')
        len--;
    snprintf(out, PROC_NAME_SIZE, "%.*s", (int)len, extra);
}

void gdb_served_extra(struct gdb_state *st, const struct gdb_thread_id *id, char out[GDB_EXTRA_MAX])
{
    struct gdb_client *client = &st->client;
    enum status status;
    size_t len;

    if (id->pid > 0)
        status = gdb_client_ask(client, "qThreadExtraInfo,p%" PRIx64 ".%" PRIx64, (uint64_t)id->pid,
                                (uint64_t)id->tid);
    else
        status = gdb_client_ask(client, "qThreadExtraInfo,%" PRIx64, (uint64_t)id->tid);
    len = status == STATUS_OK && !gdb_client_is_error(client)
              ? gdb_unhex(client->reply, client->reply_len, (uint8_t *)out, GDB_EXTRA_MAX - 1)
              : 0;
    out[len] = '\0';
    for (size_t i = 0; i < len; i++)
        if (out[i] && (out[i] < 0x20 || out[i] >= 0x7f))
            out[i] = '?';
}

bool gdb_served_are_tasks(struct gdb_state *st, const struct gdb_thread_id *ids, size_t count)
{
    bool are_tasks = false;
    char extra[GDB_EXTRA_MAX];

    if (st->is_linux || count < 2)
        return false;
    for (size_t i = 0; i < count; i++)
        are_tasks |= ids[i].tid >= COUNTED_MAX;
    for (size_t i = 0; i < count && i < ASKED_MAX && !are_tasks; i++) {
        gdb_served_extra(st, &ids[i], extra);
        if (gdb_served_kind_of(extra) == GDB_SERVED_CPU)
            return false;
        are_tasks = gdb_served_kind_of(extra) == GDB_SERVED_TASK;
    }
    return are_tasks;
}

struct gdb_thread_id gdb_served_running(struct gdb_state *st)
{
    struct gdb_thread_id id = {.tid = 0};
    const char *at;

    if (st->control.stop.has_thread && st->control.stop.thread.tid > 0)
        return st->control.stop.thread;
    if (gdb_client_ask(&st->client, "qC") != STATUS_OK || strncmp(st->client.reply, "QC", 2) != 0)
        return id;
    at = st->client.reply + 2;
    return gdb_thread_id_parse(&at, &id) && id.tid > 0 ? id : (struct gdb_thread_id){.tid = 0};
}
