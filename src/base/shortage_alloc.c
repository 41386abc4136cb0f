/* SPDX-License-Identifier: MIT */
/*
 * Wrappers of allocations that note failures (shortage.h), for programs that are linked with ld's
 * --wrap for each: CMakeLists.txt has the list. So no failure is silent, even where the caller
 * ignores it.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/libc.h"
#include "base/shortage.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_asprintf(char **out, const char *format, ...) PRINTF_LIKE(2, 3);
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...) PRINTF_LIKE(3, 4);
FILE *__wrap_open_memstream(char **text, size_t *size);

static void *noted(void *memory)
{
    if (!memory)
        shortage_note(NULL, ENOMEM);
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return noted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return noted(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    return noted(__real_realloc(old, size));
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    int error = __real_posix_memalign(out, alignment, size);

    if (error)
        shortage_note(NULL, error);
    return error;
}

char *__wrap_strdup(const char *text)
{
    return noted(__real_strdup(text));
}

char *__wrap_strndup(const char *text, size_t size)
{
    return noted(__real_strndup(text, size));
}

static int noted_length(int length)
{
    if (length < 0)
        shortage_note(NULL, ENOMEM);
    return length;
}

int __wrap_asprintf(char **out, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vasprintf(out, format, args);
    va_end(args);
    return noted_length(length);
}

/* asprintf with _FORTIFY_SOURCE. */
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...)
{
    va_list args;
    int length;

    (void)flag;
    va_start(args, format);
    length = vasprintf(out, format, args);
    va_end(args);
    return noted_length(length);
}

/* Of our open_memstream: glibc's own loses writes when memory is short, without ferror(3). */
struct memory_stream {
    char **text;
    size_t *size;
    size_t cap;
};

static ssize_t append(void *cookie, const char *bytes, size_t size)
{
    struct memory_stream *m = cookie;

    if (size >= m->cap - *m->size) {
        size_t cap = (*m->size + size + 1) * 2;
        char *bigger = __wrap_realloc(*m->text, cap);

        if (!bigger)
            return COOKIE_FAILED;
        *m->text = bigger;
        m->cap = cap;
    }
    memcpy(*m->text + *m->size, bytes, size);
    *m->size += size;
    (*m->text)[*m->size] = '\0';
    return (ssize_t)size;
}

static int end(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    const cookie_io_functions_t functions = {.write = append, .close = end};
    struct memory_stream *m = __wrap_malloc(sizeof(*m));
    FILE *file = NULL;

    *text = m ? __wrap_calloc(1, 1) : NULL;
    *size = 0;
    if (*text) {
        *m = (struct memory_stream){.text = text, .size = size, .cap = 1};
        file = noted(fopencookie(m, "w", functions));
    }
    if (!file) {
        free(m);
        free(*text);
        *text = NULL;
    }
    return file;
}
