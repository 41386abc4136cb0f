/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static void set_file(struct diag *diag, const char *file)
{
    size_t len = file ? strlen(file) : 0;

    if (len < sizeof(diag->file))
        snprintf(diag->file, sizeof(diag->file), "%s", file ? file : "");
    else
        snprintf(diag->file, sizeof(diag->file), "...%s", file + len - (sizeof(diag->file) - 4));
    diag->has_off = false;
    diag->off = 0;
    diag->hint[0] = '\0';
}

void diag_set(struct diag *diag, const char *file, const char *format, ...)
{
    va_list args;

    if (!diag)
        return;
    set_file(diag, file);
    va_start(args, format);
    vsnprintf(diag->what, sizeof(diag->what), format, args);
    va_end(args);
}

void diag_set_at(struct diag *diag, const char *file, uint64_t off, const char *format, ...)
{
    va_list args;

    if (!diag)
        return;
    set_file(diag, file);
    diag->off = off;
    diag->has_off = true;
    va_start(args, format);
    vsnprintf(diag->what, sizeof(diag->what), format, args);
    va_end(args);
}

void diag_hint(struct diag *diag, const char *format, ...)
{
    va_list args;

    if (!diag)
        return;
    va_start(args, format);
    vsnprintf(diag->hint, sizeof(diag->hint), format, args);
    va_end(args);
}

const char *diag_format(const struct diag *diag, char *buffer, size_t size)
{
    char at[48] = "";

    if (diag->has_off)
        snprintf(at, sizeof(at), "at offset %" PRIu64 ": ", diag->off);
    snprintf(buffer, size, "%s%s%s%s%s%s", diag->file, diag->file[0] ? ": " : "", at, diag->what,
             diag->hint[0] ? "; " : "", diag->hint);
    text_disarm(buffer);
    return buffer;
}
