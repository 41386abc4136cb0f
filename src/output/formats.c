/* SPDX-License-Identifier: MIT */
#include "output/formats.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "base/out_file.h"

#define FORMAT_ADDRESS(id) &output_format_##id,
const struct output_format *const output_formats[] = {OUTPUT_FORMATS(FORMAT_ADDRESS) NULL};
#undef FORMAT_ADDRESS

const struct output_format *format_of_name(const char *name)
{
    for (size_t i = 0; output_formats[i]; i++)
        if (strcmp(name, output_formats[i]->name) == 0)
            return output_formats[i];
    return NULL;
}

/* Whether a name ends in a suffix, and has more. */
static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);

    return length > end && strcmp(name + length - end, suffix) == 0;
}

/* Whether a file has the format's own name: callgrind.out, callgrind.out.123. */
static bool is_named(const char *name, const struct output_format *format)
{
    size_t length = format->file_name ? strlen(format->file_name) : 0;

    return length && strncmp(name, format->file_name, length) == 0 &&
           (name[length] == '\0' || name[length] == '.');
}

const struct output_format *format_of_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const struct output_format *found = NULL;
    size_t longest = 0;

    for (size_t i = 0; output_formats[i]; i++)
        if (is_named(name, output_formats[i]))
            return output_formats[i];
    if (!name[0] || !strchr(name + 1, '.'))
        return output_formats[0];
    for (size_t i = 0; output_formats[i]; i++)
        for (const char *const *suffix = output_formats[i]->suffixes; *suffix; suffix++)
            if (strlen(*suffix) > longest && ends_in(name, *suffix)) {
                longest = strlen(*suffix);
                found = output_formats[i];
            }
    return found;
}

const char *format_suffixes(char *buffer, size_t size)
{
    size_t length = 0;

    buffer[0] = '\0';
    for (size_t i = 0; output_formats[i]; i++)
        for (const char *const *suffix = output_formats[i]->suffixes; *suffix; suffix++)
            if (size - length > strlen(*suffix) + 1)
                length += (size_t)snprintf(buffer + length, size - length, " %s", *suffix);
    return buffer;
}

const char *format_name(size_t index)
{
    const size_t count = sizeof(output_formats) / sizeof(output_formats[0]) - 1;

    return index < count ? output_formats[index]->name : NULL;
}

bool format_is_like(const char *begin, size_t size)
{
    char text[OUT_FILE_BEGIN_MAX + 1];
    bool is_like = false;
    regex_t expression;

    if (size >= sizeof(text))
        size = sizeof(text) - 1;
    for (size_t i = 0; i < size; i++)
        text[i] = begin[i] ? begin[i] : ' ';
    text[size] = '\0';
    if (size == OUT_FILE_BEGIN_MAX && !strchr(text, '\n'))
        return strchr(text, ';') != NULL; /* a long folded stack, whose number is further on */
    for (size_t i = 0; output_formats[i] && !is_like; i++) {
        if (regcomp(&expression, output_formats[i]->begins, REG_EXTENDED | REG_NOSUB) != 0)
            continue; /* out of memory: the file is not overwritten */
        is_like = regexec(&expression, text, 0, NULL, 0) == 0;
        regfree(&expression);
    }
    return is_like;
}

const char *format_option_name(enum output_option option)
{
    static const char *const names[] = {
        [OPTION_BY] = "--by",
        [OPTION_BY_THREAD] = "--by-thread",
        [OPTION_CLUSTER] = "--cluster",
        [OPTION_LABEL_CALLS] = "--label-calls",
        [OPTION_SEQUENCE] = "--sequence",
        [OPTION_HIDE] = "--hide",
        [OPTION_DIFF_BASE] = "--diff-base",
        [OPTION_INVERT] = "--invert",
        [OPTION_RELATIVE] = "--relative",
        [OPTION_FOCUS] = "--focus",
        [OPTION_IGNORE] = "--ignore",
        [OPTION_MODULE] = "--module",
        [OPTION_STATE] = "--state",
        [OPTION_WEIGHT] = "--weight",
        [OPTION_WEIGHT_OFFCPU] = "--weight offcpu",
        [OPTION_FRACTIONS] = "--node-fraction and --edge-fraction",
        [OPTION_NODES] = "--nodes",
        [OPTION_VARIABLES] = "--variables",
        [OPTION_WHERE] = "--where",
    };

    return names[option];
}
