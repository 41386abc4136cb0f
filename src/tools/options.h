/* SPDX-License-Identifier: MIT */
/*
 * The options of a program as one table. From it come what getopt reads them by, the text of
 * --help, the completions of shells (completion.h) and what is said of an option that is not known.
 *
 * To add an option: a row in the program's table and, where none of the setters below does, a
 * function that applies it. tests/system/documented.py then asks for it in the man page.
 *
 * Part of cgsnap, which is linked statically and copied to targets: libc only, and small.
 */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

#define EXIT_USAGE 2

/* Rows of a table, and characters of an option's name: at most so many. */
#define OPTIONS_MAX     96
#define OPTION_NAME_MAX 31

/* What an argument is, for completion. */
enum option_kind {
    OPTION_FLAG, /* the option takes none */
    OPTION_TEXT, /* a number, an expression: nothing that a shell could know */
    OPTION_FILE,
    OPTION_DIRECTORY,
    OPTION_CHOICE,  /* one of `choices` */
    OPTION_LIST,    /* some of `choices`, with commas between */
    OPTION_PROCESS, /* the number of one */
    OPTION_THREAD   /* the number of one, of the process that an option of this kind names */
};

struct option_use;

/* -1: go on; else the exit status of the program, with everything said. */
typedef int option_apply(const struct option_use *use);

/* The i-th of what can be chosen from, NULL behind the last. */
typedef const char *option_choices(size_t i);

struct option_spec {
    const char *name; /* the long name, without dashes */
    char letter;      /* the short one; 0: none */
    uint8_t kind;     /* an enum option_kind */
    /* In help: "FILE". "[=WHAT]" may be left out, and needs the '='. NULL: takes none. */
    const char *argument;
    const char *help; /* some words, which are all that completions show; '\n' begins a line */
    option_apply *apply;
    option_choices *choices; /* NULL: none are known */
    /*
     * Where --help lists it: beside the row before, or else on a line of its own. For all rows of
     * a line there is one text: `line` of the first where it has one, else the rows' `help` with
     * "; " between. "" shows the options only; "@" is the first row's choices, beginning with the
     * default.
     */
    bool joins;
    bool no_short_form; /* has to be written in full: it is younger than options that begin so */
    const char *line;
    char alias_letter; /* another letter and name, which help lists behind the text */
    const char *alias;
    uint16_t field, given; /* for setters: offsets in the options; given: of a bool, 0 for none */
};

/* A setter's field, which has to be of that type. */
#define OPTION_FIELD(type, struct_type, member)                                                    \
    ((uint16_t)(offsetof(struct_type, member) +                                                    \
                0 * sizeof(_Generic(&((struct_type *)0)->member, type * : 0))))

struct option_table {
    const char *program;
    const char *built; /* what --version says besides: CG_BUILT (cmake/version.cmake), or "" */
    const char *head, *tail; /* of --help, before and behind the options; whole lines */
    const struct option_spec *specs;
    size_t count;
    unsigned column;      /* where the texts of help begin */
    bool takes_a_command; /* the operands are one, else files: options end at the first operand */
};

/* One option on the command line; all borrowed. */
struct option_use {
    const struct option_table *table;
    const struct option_spec *spec;
    void *options;                   /* the program's struct */
    const char *argument;            /* NULL: none */
    char given[OPTION_NAME_MAX + 3]; /* "-f" or "--format", for messages */
};

/*
 * Applies what is on the command line to `options`, in its order. -1: go on, the operands begin
 * at argv[*operands]; else the exit status, with everything said.
 */
int options_read(const struct option_table *table, void *options, int argc, char **argv,
                 int *operands);

/* After output to standard output: 0, or 1 when it could not be written, which is said. */
int options_finish(const struct option_table *table);

/* Says "PROGRAM: what; try --help" on standard error, with control characters made harmless. */
int options_refuse(const struct option_table *table, const char *format, ...) PRINTF_LIKE(2, 3);

/* Says "bad value 'ARGUMENT' for option OPTION, which takes WANTED", as options_refuse does. */
int options_refuse_value(const struct option_use *use, const char *wanted);

/* What --help shows. Only choices are broken into lines of 100 columns. */
void options_help(const struct option_table *table, FILE *out);

/* The option's name that is the nearest to a mistyped one; NULL: none is near. */
const char *options_nearest(const struct option_table *table, const char *name);

/* Which of the choices the argument is; -1: none of them, which is said. */
int option_find_choice(const struct option_use *use);

/* Setters. Each sets `given` as well. */
option_apply option_set_flag;   /* field: bool */
option_apply option_set_text;   /* const char * */
option_apply option_set_choice; /* unsigned or an enum, to which of the choices it is */

option_apply option_help, option_version, option_completion;

const char *completion_shells(size_t i); /* completion.c */

/* The rows at the end of each table. `...` is what the first has besides: where help lists it. */
#define OPTION_ROWS_AT_END(...)                                                                    \
    {"help",     'h', OPTION_FLAG, NULL, "print a summary of the options", .apply = option_help,   \
     __VA_ARGS__},                                                                                 \
        {"version",    'V', OPTION_FLAG, NULL, "print the version", .apply = option_version,       \
         .joins = true},                                                                           \
        {"completion",                                                                             \
         0,                                                                                        \
         OPTION_CHOICE,                                                                            \
         "SHELL",                                                                                  \
         "print the completions for bash, zsh or fish",                                            \
         .apply = option_completion,                                                               \
         .choices = completion_shells,                                                             \
         .joins = true,                                                                            \
         .no_short_form = true},

#endif
