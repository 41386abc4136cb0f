/* SPDX-License-Identifier: MIT */
#include "boards/gdb/stop_reply.h"

#include <string.h>

#include "boards/gdb/packet.h"

static bool parse_part(const char **text, int64_t *out)
{
    uint64_t value;

    if (strncmp(*text, "-1", 2) == 0) {
        *text += 2;
        *out = -1;
        return true;
    }
    if (!gdb_number(text, &value) || value > INT64_MAX)
        return false;
    *out = (int64_t)value;
    return true;
}

bool gdb_thread_id_parse(const char **text, struct gdb_thread_id *out)
{
    const char *at = *text;

    *out = (struct gdb_thread_id){.pid = 0, .tid = -1};
    if (*at == 'p') {
        at++;
        if (!parse_part(&at, &out->pid))
            return false;
        if (*at == '.')
            at++;
        else
            goto whole;
    }
    if (!parse_part(&at, &out->tid))
        return false;
whole:
    *text = at;
    return true;
}

/* Parses pairs "name:value;" up to the end of the text. */
static void parse_pairs(const char *at, struct gdb_stop *out)
{
    while (*at) {
        const char *colon = strchr(at, ':');
        const char *end = strchr(at, ';');

        if (colon && (!end || colon < end) && strncmp(at, "thread:", 7) == 0) {
            const char *value = colon + 1;

            out->has_thread = gdb_thread_id_parse(&value, &out->thread);
        } else if (strncmp(at, "library", 7) == 0) {
            out->is_library = true;
        }
        if (!end)
            return;
        at = end + 1;
    }
}

void gdb_stop_parse(const char *text, struct gdb_stop *out)
{
    *out = (struct gdb_stop){.kind = GDB_STOP_OTHER};
    if (text[0] == 'N')
        out->kind = GDB_STOP_NOTHING;
    if (text[0] == 'F')
        out->kind = GDB_STOP_FILE_IO;
    if (!strchr("TSWX", text[0]) || gdb_digit(text[0] ? text[1] : 0) < 0 || gdb_digit(text[2]) < 0)
        return;
    out->number = (uint8_t)(gdb_digit(text[1]) << 4 | gdb_digit(text[2]));
    switch (text[0]) {
    case 'W':
        out->kind = GDB_STOP_EXITED;
        return;
    case 'X':
        out->kind = GDB_STOP_KILLED;
        return;
    case 'T':
        parse_pairs(text + 3, out);
        break;
    }
    out->kind = GDB_STOP_SIGNAL;
}
