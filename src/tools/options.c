/* SPDX-License-Identifier: MIT */
#include "tools/options.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <string.h>

#include "base/diag.h"

#define HELP_WIDTH 100

/* getopt_long's results: a letter; LONG_BASE + i for row i's name; ALIAS_BASE + i: its alias. */
#define LONG_BASE  256
#define ALIAS_BASE (LONG_BASE + OPTIONS_MAX)

int options_refuse(const struct option_table *table, const char *format, ...)
{
    struct diag diag = {0};
    char line[sizeof(diag)];
    va_list args;

    va_start(args, format);
    vsnprintf(diag.what, sizeof(diag.what), format, args);
    va_end(args);
    diag_format(&diag, line, sizeof(line)); /* control characters are made harmless */
    fprintf(stderr, "%s: %s; try --help\n", table->program, line);
    return EXIT_USAGE;
}

int options_refuse_value(const struct option_use *use, const char *wanted)
{
    return options_refuse(use->table, "bad value '%s' for option %s, which takes %s", use->argument,
                          use->given, wanted);
}

int options_finish(const struct option_table *table)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    fprintf(stderr, "%s: standard output: cannot write: %s\n", table->program, strerror(errno));
    return 1;
}

static void new_line(unsigned column, FILE *out)
{
    fprintf(out, "\n%*s", (int)column, "");
}

/* Writes "tree (default), dot, svg" from column `at` on; further lines begin at `column`. */
static void put_choices(option_choices *choices, unsigned at, unsigned column, FILE *out)
{
    char word[64];

    for (size_t i = 0; choices(i); i++) {
        snprintf(word, sizeof(word), "%s%s%s", choices(i), i == 0 ? " (default)" : "",
                 choices(i + 1) ? "," : "");
        at += (unsigned)strlen(word) + (i > 0);
        if (at > HELP_WIDTH) {
            new_line(column, out);
            at = column + (unsigned)strlen(word);
        } else if (i > 0) {
            putc(' ', out);
        }
        fputs(word, out);
    }
}

/* Writes text of --help; further lines begin at `column`. */
static void put_text(const char *text, unsigned column, FILE *out)
{
    for (; *text; text++) {
        if (*text == '\n')
            new_line(column, out);
        else
            putc(*text, out);
    }
}

/* Writes "-o, --output FILE"; returns its width. */
static unsigned put_option(FILE *out, const struct option_spec *spec, const char *no_letter)
{
    const char *argument = spec->argument ? spec->argument : "";
    char letter[] = {'-', spec->letter, ',', ' ', '\0'};
    int width = fprintf(out, "%s--%s%s%s", spec->letter ? letter : no_letter, spec->name,
                        spec->argument && *argument != '[' ? " " : "", argument);

    return width > 0 ? (unsigned)width : 0;
}

/* Writes the text behind the options [first, end) of a line, from column `at` on. */
static void put_line_text(const struct option_spec *first, const struct option_spec *end,
                          unsigned at, unsigned column, FILE *out)
{
    if (first->line && *first->line == '@')
        put_choices(first->choices, at, column, out);
    else if (first->line)
        put_text(first->line, column, out);
    for (const struct option_spec *spec = first; !first->line && spec < end; spec++) {
        if (spec > first)
            fputs("; ", out);
        put_text(spec->help, column, out);
    }
    if (first->alias)
        fprintf(out, "; also -%c, --%s", first->alias_letter, first->alias);
}

/* Writes the line of --help that begins with row i; returns the row behind it. */
static size_t put_line(const struct option_table *table, size_t i, FILE *out)
{
    const struct option_spec *first = &table->specs[i], *spec = first;
    const char *between = first->line && !*first->line ? "  " : ", ";
    unsigned at = 2;

    fputs("  ", out);
    at += put_option(out, spec++, "    ");
    for (; spec < table->specs + table->count && spec->joins; spec++) {
        fputs(between, out);
        at += 2 + put_option(out, spec, "");
    }
    if (!first->line || *first->line) {
        unsigned gap = at + 2 <= table->column ? table->column - at : 3;

        fprintf(out, "%*s", (int)gap, "");
        put_line_text(first, spec, at + gap, table->column, out);
    }
    putc('\n', out);
    return (size_t)(spec - table->specs);
}

void options_help(const struct option_table *table, FILE *out)
{
    fputs(table->head, out);
    for (size_t i = 0; i < table->count;)
        i = put_line(table, i, out);
    fputs(table->tail, out);
}

static size_t smallest(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * Returns how many characters differ, are missing or too many, or are swapped with their neighbour
 * (optimal string alignment). Both names have at most OPTION_NAME_MAX characters.
 */
static size_t distance(const char *a, const char *b)
{
    uint8_t cost[OPTION_NAME_MAX + 1][OPTION_NAME_MAX + 1];
    size_t i, j, best;

    for (i = 0; i == 0 || a[i - 1]; i++)
        for (j = 0; j == 0 || b[j - 1]; j++) {
            best = i + j;
            if (i > 0 && j > 0) {
                best = smallest(cost[i - 1][j], cost[i][j - 1]) + 1u;
                best = smallest(best, cost[i - 1][j - 1] + (size_t)(a[i - 1] != b[j - 1]));
            }
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smallest(best, cost[i - 2][j - 2] + 1u);
            cost[i][j] = (uint8_t)best;
        }
    return cost[i - 1][j - 1];
}

/* Takes `other` as *nearest if it is nearer to `name` than what was taken before: *best. */
static void take_nearer(const char *name, const char *other, size_t *best, const char **nearest)
{
    const size_t cost = distance(name, other);

    if (cost < *best) {
        *best = cost;
        *nearest = other;
    }
}

/* At most a third of the typed characters, rounded up, may be wrong, and at most three. */
static size_t first_refused(const char *name)
{
    return strlen(name) > OPTION_NAME_MAX ? 0 : smallest((strlen(name) + 2) / 3, 3) + 1;
}

const char *options_nearest(const struct option_table *table, const char *name)
{
    size_t best = first_refused(name);
    const char *nearest = NULL;

    for (size_t i = 0; i < table->count && best; i++) {
        take_nearer(name, table->specs[i].name, &best, &nearest);
        if (table->specs[i].alias)
            take_nearer(name, table->specs[i].alias, &best, &nearest);
    }
    return nearest;
}

const char *options_nearest_word(const char *(*word)(size_t i), const char *name)
{
    size_t best = first_refused(name);
    const char *nearest = NULL, *other;

    for (size_t i = 0; best && (other = word(i)); i++)
        take_nearer(name, other, &best, &nearest);
    return nearest;
}

/* Reports that no option has this name, or several begin with it; returns the exit status. */
static int refuse_name(const struct option_table *table, const char *word)
{
    const char *nearest;
    char name[128], list[160] = "";
    size_t len;

    snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
    len = strlen(name);
    for (size_t i = 0; i < table->count; i++) {
        const char *other = table->specs[i].name;
        size_t used = strlen(list);

        if (len > 0 && strncmp(other, name, len) == 0)
            snprintf(list + used, sizeof(list) - used, "%s --%s", used ? "," : "", other);
    }
    if (list[0])
        return options_refuse(table, "option --%s is ambiguous:%s", name, list);
    nearest = options_nearest(table, name);
    if (nearest)
        return options_refuse(table, "unknown option --%s; did you mean --%s?", name, nearest);
    return options_refuse(table, "unknown option --%s", name);
}

static const struct option_spec *find_letter(const struct option_table *table, int letter)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->specs[i].letter == letter || table->specs[i].alias_letter == letter)
            return &table->specs[i];
    return NULL;
}

/* Returns the row for what getopt has returned or put in optopt; NULL: none. */
static const struct option_spec *find_row(const struct option_table *table, int c)
{
    if (c >= ALIAS_BASE)
        return &table->specs[c - ALIAS_BASE];
    return c >= LONG_BASE ? &table->specs[c - LONG_BASE] : find_letter(table, c);
}

static void set_given(struct option_use *use, int c)
{
    if (c >= ALIAS_BASE)
        snprintf(use->given, sizeof(use->given), "--%s", use->spec->alias);
    else if (c >= LONG_BASE)
        snprintf(use->given, sizeof(use->given), "--%s", use->spec->name);
    else
        snprintf(use->given, sizeof(use->given), "-%c", c);
}

/* Reports what getopt called '?' or ':'; returns the exit status. */
static int refuse_use(struct option_use *use, int c, const char *word)
{
    if (!optopt)
        return refuse_name(use->table, word);
    use->spec = find_row(use->table, optopt);
    if (!use->spec)
        return options_refuse(use->table, "unknown option -%c", optopt);
    set_given(use, optopt);
    return options_refuse(use->table, "option %s %s", use->given,
                          c == ':' ? "needs a value" : "takes no value");
}

/* The arguments of getopt_long. */
struct getopt_arrays {
    struct option longs[2 * OPTIONS_MAX + 1];
    char shorts[6 * OPTIONS_MAX + 3];
};

static int has_argument(const struct option_spec *spec)
{
    if (!spec->argument)
        return no_argument;
    return spec->argument[0] == '[' ? optional_argument : required_argument;
}

static char *put_letter(char *to, char letter, int has)
{
    if (!letter)
        return to;
    *to++ = letter;
    while (has-- > 0)
        *to++ = ':';
    return to;
}

/*
 * Says whether getopt_long is told of the option. A later option (no_short_form) must not make
 * abbreviations of older ones ambiguous: it counts only if it is written in full.
 */
static bool is_meant(const struct option_spec *spec, int argc, char **argv)
{
    for (int i = 1; spec->no_short_form && i < argc; i++)
        if (strncmp(argv[i], "--", 2) == 0 &&
            strncmp(argv[i] + 2, spec->name, strlen(spec->name)) == 0)
            return true;
    return !spec->no_short_form;
}

static void make_arrays(const struct option_table *table, int argc, char **argv,
                        struct getopt_arrays *arrays)
{
    struct option *next = arrays->longs;
    char *letters = arrays->shorts;

    assert(table->count <= OPTIONS_MAX);
    if (table->takes_a_command)
        *letters++ = '+';
    *letters++ = ':';
    for (size_t i = 0; i < table->count; i++) {
        const struct option_spec *spec = &table->specs[i];
        int has = has_argument(spec), value = LONG_BASE + (int)i;

        assert(strlen(spec->name) <= OPTION_NAME_MAX);
        if (!is_meant(spec, argc, argv))
            continue;
        *next++ = (struct option){spec->name, has, NULL, value};
        letters = put_letter(letters, spec->letter, has);
        if (spec->alias)
            *next++ = (struct option){spec->alias, has, NULL, ALIAS_BASE + (int)i};
        letters = put_letter(letters, spec->alias_letter, has);
    }
    *next = (struct option){0};
    *letters = '\0';
}

int options_read(const struct option_table *table, void *options, int argc, char **argv,
                 int *operands)
{
    struct option_use use = {.table = table, .options = options};
    struct getopt_arrays arrays;
    int c, result;

    make_arrays(table, argc, argv, &arrays);
    opterr = 0;
    optind = 0; /* begin anew, also if getopt has been used before */
    while ((c = getopt_long(argc, argv, arrays.shorts, arrays.longs, NULL)) != -1) {
        if (c == '?' || c == ':')
            return refuse_use(&use, c, argv[optind - 1]);
        use.spec = find_row(table, c);
        use.argument = optarg;
        set_given(&use, c);
        if ((result = use.spec->apply(&use)) >= 0)
            return result;
    }
    *operands = optind;
    return -1;
}

/* Sets the row's field to `value`, of `size` bytes, and its `given`. Returns -1. */
static int set_field(const struct option_use *use, const void *value, size_t size)
{
    char *options = use->options;
    bool given = true;

    memcpy(options + use->spec->field, value, size);
    if (use->spec->given)
        memcpy(options + use->spec->given, &given, sizeof(given));
    return -1;
}

int option_set_flag(const struct option_use *use)
{
    bool value = true;

    return set_field(use, &value, sizeof(value));
}

int option_set_text(const struct option_use *use)
{
    return set_field(use, &use->argument, sizeof(use->argument));
}

int option_find_choice(const struct option_use *use)
{
    option_choices *choices = use->spec->choices;
    char list[160] = "";

    for (size_t i = 0; choices(i); i++) {
        size_t used = strlen(list);

        if (strcmp(use->argument, choices(i)) == 0)
            return (int)i;
        snprintf(list + used, sizeof(list) - used, "%s%s",
                 i == 0           ? ""
                 : choices(i + 1) ? ", "
                                  : " or ",
                 choices(i));
    }
    options_refuse(use->table, "%s takes %s, not %s", use->given, list, use->argument);
    return -1;
}

int option_set_choice(const struct option_use *use)
{
    int choice = option_find_choice(use);
    unsigned value = (unsigned)choice;

    return choice < 0 ? EXIT_USAGE : set_field(use, &value, sizeof(value));
}

int option_help(const struct option_use *use)
{
    options_help(use->table, stdout);
    return options_finish(use->table);
}

int option_version(const struct option_use *use)
{
    printf("%s " CG_VERSION "\n%s", use->table->program, use->table->built);
    return options_finish(use->table);
}
