/* SPDX-License-Identifier: MIT */
/*
 * Reads a program's command line by a table of its options. The table also makes the text of
 * --help, the completions of shells (completion.h) and the message about an unknown option.
 *
 * To add an option: a row in the program's table, and a function that applies it where none of the
 * setters below does. tests/system/documented.py then asks for it in the man page.
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

/* The most rows of a table, and characters of an option's name. */
#define OPTIONS_MAX     96
#define OPTION_NAME_MAX 31

/* The kind of an option's argument, for completion. */
enum option_kind {
    OPTION_FLAG, /* no argument */
    OPTION_TEXT, /* a number, an expression: not completed */
    OPTION_FILE,
    OPTION_DIRECTORY,
    OPTION_CHOICE,  /* one of `choices` */
    OPTION_LIST,    /* some of `choices`, separated by commas */
    OPTION_PROCESS, /* a process's number */
    OPTION_THREAD   /* a thread's number, of the process given by an OPTION_PROCESS */
};

struct option_use;

/* Applies an option. -1: go on; else the exit status: all messages have been printed. */
typedef int option_apply(const struct option_use *use);

/* Returns the i-th choice; NULL behind the last. */
typedef const char *option_choices(size_t i);

struct option_spec {
    const char *name; /* the long name, without dashes */
    char letter;      /* the short one; 0: none */
    uint8_t kind;     /* an enum option_kind */
    /* Argument in help: "FILE"; "[=WHAT]": optional, and needs the '='. NULL: takes none. */
    const char *argument;
    const char *help; /* a few words, also for completions; '\n' breaks the line */
    option_apply *apply;
    option_choices *choices; /* NULL: none */
    /*
     * `joins`: --help lists the option on the line of the row before, else on a new line. The text
     * of a line is `line` of its first row: "": no text; "@": the first row's choices, the default
     * first; NULL: the `help` of all its rows, separated by "; ".
     */
    bool joins;
    bool no_short_form; /* its name cannot be abbreviated, so that older abbreviations stay valid */
    const char *line;
    char alias_letter; /* another letter and name; --help lists them behind the text */
    const char *alias;
    uint16_t field, given; /* setters: offsets in the options; given: of a bool, 0: none */
};

/* The offset of a setter's field; does not compile if the field has another type. */
#define OPTION_FIELD(type, struct_type, member)                                                    \
    ((uint16_t)(offsetof(struct_type, member) +                                                    \
                0 * sizeof(_Generic(&((struct_type *)0)->member, type * : 0))))

struct option_table {
    const char *program;
    const char *built;       /* more of --version: CG_BUILT (cmake/version.cmake), or "" */
    const char *head, *tail; /* of --help: text before and behind the options; whole lines */
    const struct option_spec *specs;
    size_t count;
    unsigned column;      /* of --help: where the texts begin */
    bool takes_a_command; /* the operands are a command: options end at the first operand */
};

/* An option on the command line; all pointers are borrowed. */
struct option_use {
    const struct option_table *table;
    const struct option_spec *spec;
    void *options;                   /* the program's struct */
    const char *argument;            /* NULL: none */
    char given[OPTION_NAME_MAX + 3]; /* "-f" or "--format", for messages */
};

/*
 * Applies the options of the command line to `options`, in their order. Returns -1: go on, the
 * operands begin at argv[*operands]; else the exit status: all messages have been printed.
 */
int options_read(const struct option_table *table, void *options, int argc, char **argv,
                 int *operands);

/* Flushes standard output. Returns 0, or 1 if something could not be written, which is reported. */
int options_finish(const struct option_table *table);

/* Prints "PROGRAM: what; try --help" to stderr, control characters as '?'. Returns EXIT_USAGE. */
int options_refuse(const struct option_table *table, const char *format, ...) PRINTF_LIKE(2, 3);

/* options_refuse: "bad value 'ARGUMENT' for option OPTION, which takes WANTED". */
int options_refuse_value(const struct option_use *use, const char *wanted);

/* Writes the text of --help. Only choices are wrapped, at 100 columns. */
void options_help(const struct option_table *table, FILE *out);

/* Returns the option's name that a mistyped one is likely to mean; NULL: none is similar. */
const char *options_nearest(const struct option_table *table, const char *name);

/* Returns the index of the argument among the choices; -1: none, which is reported. */
int option_find_choice(const struct option_use *use);

/* Setters of a field of the type behind them; they set `given` as well. */
option_apply option_set_flag;   /* field: bool */
option_apply option_set_text;   /* const char * */
option_apply option_set_choice; /* unsigned or an enum: the choice's index */

option_apply option_help, option_version, option_completion;

/* The option_choices of --completion; completion.c. */
const char *completion_shells(size_t i);

/* The last rows of each table. "..." initialises more of the first: where help lists it. */
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
