/* SPDX-License-Identifier: MIT */
#include "symbol/symbolize.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <demangle.h>

/* Longer names are left as they are: libiberty's time and stack grow with them. */
#define NAME_MAX_LEN 8192

/*
 * Bytes of demangled text. A substitution repeats text, so that a name of n bytes can stand for
 * 2^(n/10), and a hostile one would never end.
 */
#define DEMANGLED_MAX ((size_t)64 << 10)

/*
 * Names with more back references stay as they are: D's decoder has no callback that could stop it,
 * and Rust's repeats without calling it what prints nothing. Names in rustc itself have at most 26.
 */
#define D_BACK_REFERENCES_MAX    16
#define RUST_BACK_REFERENCES_MAX 32

/*
 * A C++ name is a graph, since a substitution stands for an earlier part; walked, it is a tree of
 * up to 2^n nodes. DEMANGLED_MAX ends a walk that prints; but libiberty walks the pattern of an
 * expanded pack without printing. Names with larger trees stay as they are: each character of text
 * has some nodes.
 */
#define TREE_MAX (4 * (uint32_t)DEMANGLED_MAX)

#define BASE_62 "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/*
 * Collects the pieces of text that libiberty produces. Too much text is left by a longjmp: the
 * printer cannot be told to stop, and keeps its state on the stack.
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
 * Length of the mangled name: compilers and the symbol table append other text (".cold",
 * ".constprop.0", ".isra.3", ".llvm.1234", "@plt"). libiberty knows GCC's clones, but prints them
 * as "[clone .cold]"; here the suffix is kept. Only LLVM's number of local names is dropped.
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

/* Counts B, digits of base 62, '_' in a v0 name; may count parts of identifiers. */
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

struct graph {
    const struct demangle_component *nodes;
    size_t count;
    uint32_t *trees; /* for each node the size of its tree, at most TREE_MAX; 0: not known */
};

static bool is_leaf(enum demangle_component_type type)
{
    switch (type) {
    case DEMANGLE_COMPONENT_NAME:
    case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
    case DEMANGLE_COMPONENT_FUNCTION_PARAM:
    case DEMANGLE_COMPONENT_SUB_STD:
    case DEMANGLE_COMPONENT_BUILTIN_TYPE:
    case DEMANGLE_COMPONENT_FIXED_TYPE:
    case DEMANGLE_COMPONENT_OPERATOR:
    case DEMANGLE_COMPONENT_CHARACTER:
    case DEMANGLE_COMPONENT_NUMBER:
    case DEMANGLE_COMPONENT_LAMBDA:
    case DEMANGLE_COMPONENT_DEFAULT_ARG:
    case DEMANGLE_COMPONENT_UNNAMED_TYPE:
        return true;
    default:
        return false;
    }
}

/* 0 for a pointer to no node, such as a kind of constructor in the union. */
static uint32_t count_tree(const struct graph *graph, const struct demangle_component *node)
{
    const uintptr_t off = (uintptr_t)node - (uintptr_t)graph->nodes;
    const size_t i = off / sizeof(*node);
    uint32_t count = 1;

    if (off % sizeof(*node) || i >= graph->count)
        return 0;
    if (graph->trees[i])
        return graph->trees[i];
    graph->trees[i] = TREE_MAX; /* stays so for a node that is its own descendant */
    if (!is_leaf(node->type))
        count +=
            count_tree(graph, node->u.s_binary.left) + count_tree(graph, node->u.s_binary.right);
    graph->trees[i] = count < TREE_MAX ? count : TREE_MAX;
    return graph->trees[i];
}

/* False also for names that libiberty reads in a second way, without showing its tree. */
static bool has_small_tree(const char *name)
{
    void *memory = NULL;
    const struct demangle_component *root =
        cplus_demangle_v3_components(name, DMGL_PARAMS | DMGL_ANSI, &memory);
    struct graph graph = {.nodes = memory, .count = 2 * strlen(name)};
    bool is_small;

    if (!root)
        return false;
    graph.trees = calloc(graph.count, sizeof(*graph.trees));
    is_small = graph.trees && count_tree(&graph, root) < TREE_MAX;
    free(graph.trees);
    free(memory);
    return is_small;
}

static bool expands_packs(const char *name)
{
    return strstr(name, "Dp") || strstr(name, "sp") || strstr(name, "sZ") || strstr(name, "sP");
}

static bool print_itanium(const char *name, struct demangle_text *text)
{
    text->len = 0;
    if (expands_packs(name) && !has_small_tree(name))
        return false;
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
