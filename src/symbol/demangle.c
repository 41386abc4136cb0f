/* SPDX-License-Identifier: MIT */
#include "symbol/symbolize.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <demangle.h>

/* Longer names are left as they are: libiberty's time and stack grow with them. */
#define NAME_MAX_LEN 8192

/*
 * What the demangled text may grow to. A substitution repeats what was printed before, so that a
 * name of n bytes can stand for 2^(n/10): a hostile one would keep us for ever.
 */
#define DEMANGLED_MAX ((size_t)64 << 10)

/*
 * Names with more back references are left as they are: D's decoder has no callback to stop it by,
 * and Rust's repeats without a word what prints nothing. The names in rustc itself have at most 26.
 */
#define D_BACK_REFERENCES_MAX    16
#define RUST_BACK_REFERENCES_MAX 32

#define BASE_62 "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/*
 * Collects the pieces of text that libiberty produces. Where it is too much, the way out is a jump:
 * its printer cannot be made to stop, and keeps its state on the stack.
 */
struct demangle_text {
    char *bytes;
    size_t len, cap;
    jmp_buf too_much;
};

static void collect(const char *piece, size_t len, void *context)
{
    struct demangle_text *text = context;

    if (len > DEMANGLED_MAX - text->len)
        longjmp(text->too_much, 1);
    if (len >= text->cap - text->len) {
        size_t cap = (text->len + len + 1) * 2;
        char *bigger = realloc(text->bytes, cap);

        if (!bigger)
            longjmp(text->too_much, 1);
        text->bytes = bigger;
        text->cap = cap;
    }
    memcpy(text->bytes + text->len, piece, len);
    text->len += len;
    text->bytes[text->len] = '\0';
}

/*
 * How much of `name` is the mangled name: compilers and the symbol table append what is no part of
 * it (".cold", ".constprop.0", ".isra.3", ".llvm.1234", "@plt"). libiberty itself knows GCC's
 * clones, but prints them as "[clone .cold]"; here they stay what they are. Only LLVM's, a number
 * that keeps local names apart, is left out.
 */
static size_t mangled_length(const char *name)
{
    return strcspn(name, ".@");
}

/*
 * Legacy Rust names end with "17h" and 16 hexadecimal digits before the closing 'E', and use dots
 * inside.
 */
static bool is_legacy_rust(const char *name, size_t *len)
{
    const char *end = strstr(name, "17h");

    for (; end; end = strstr(end + 1, "17h"))
        if (strspn(end + 3, "0123456789abcdef") == 16 && end[19] == 'E') {
            *len = (size_t)(end + 20 - name);
            return true;
        }
    return false;
}

static bool is_itanium(const char *name)
{
    return strncmp(name, "_Z", 2) == 0 || strncmp(name, "__Z", 3) == 0;
}

/* B, digits of base 62, '_' in a v0 name; may count what is part of an identifier. */
static unsigned count_rust_references(const char *name)
{
    unsigned count = 0;

    for (const char *b = strchr(name, 'B'); b; b = strchr(b + 1, 'B'))
        count += b[1 + strspn(b + 1, BASE_62)] == '_';
    return count;
}

static bool print_rust(const char *name, struct demangle_text *text)
{
    text->len = 0;
    if (count_rust_references(name) > RUST_BACK_REFERENCES_MAX)
        return false;
    if (setjmp(text->too_much) != 0)
        return false;
    return rust_demangle_callback(name, DMGL_PARAMS | DMGL_ANSI, collect, text) && text->len > 0;
}

static bool print_itanium(const char *name, struct demangle_text *text)
{
    text->len = 0;
    if (setjmp(text->too_much) != 0)
        return false;
    return cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, collect, text) &&
           text->len > 0;
}

static bool append(struct demangle_text *text, const char *piece)
{
    if (setjmp(text->too_much) != 0)
        return false;
    collect(piece, strlen(piece), text);
    return true;
}

/* D has no callback interface. */
static bool print_d(const char *name, struct demangle_text *text)
{
    unsigned references = 0;
    char *plain;
    bool good;

    for (const char *c = name; *c; c++)
        references += *c == 'Q';
    if (references > D_BACK_REFERENCES_MAX)
        return false;
    plain = dlang_demangle(name, DMGL_PARAMS | DMGL_ANSI);
    good = plain && plain[0] && append(text, plain);
    free(plain);
    return good;
}

static bool print_any(const char *mangled, bool legacy_rust, struct demangle_text *text)
{
    if (legacy_rust || strncmp(mangled, "_R", 2) == 0)
        if (print_rust(mangled, text))
            return true;
    if (is_itanium(mangled))
        return print_itanium(mangled[1] == '_' ? mangled + 1 : mangled, text);
    return strncmp(mangled, "_D", 2) == 0 && print_d(mangled, text);
}

char *demangle(const char *name)
{
    struct demangle_text text = {0};
    size_t len = mangled_length(name);
    bool legacy_rust, good;
    char *mangled;

    if (name[0] != '_' || strnlen(name, NAME_MAX_LEN + 1) > NAME_MAX_LEN)
        return NULL;
    legacy_rust = is_itanium(name) && is_legacy_rust(name, &len);
    mangled = strndup(name, len);
    if (!mangled)
        return NULL;
    good = print_any(mangled, legacy_rust, &text);
    if (good && name[len] && strncmp(name + len, ".llvm.", 6) != 0)
        good = append(&text, name + len);
    free(mangled);
    if (!good) {
        free(text.bytes);
        return NULL;
    }
    return text.bytes;
}
