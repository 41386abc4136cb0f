/* SPDX-License-Identifier: MIT */
/*
 * Reads a program's command line by a table of its options. The text of --help, the completions of
 * shells (completion.h) and the message about an unknown option are made from the table, too.
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
    OPTION_FLAG, /* takes no argument */
    OPTION_TEXT, /* the argument is a number or an expression, and is not completed */
    OPTION_FILE,
    OPTION_DIRECTORY,
    OPTION_CHOICE,  /* the argument is one of `choices` */
    OPTION_LIST,    /* the argument is some of `choices`, separated by commas */
    OPTION_PROCESS, /* the argument is the pid of a process */
    OPTION_THREAD   /* the argument is a tid of the process that an OPTION_PROCESS names */
};

struct option_use;

/*
 * Applies an option to use->options. Returns -1: go on; else end with this exit status, as all
 * messages have been printed.
 */
typedef int option_apply(const struct option_use *use);

/* Returns choice number `i`, from 0 on, as a static text; NULL: there are no more. */
typedef const char *option_choices(size_t i);

struct option_spec {
    const char *name; /* the option's long name, without the leading "--" */
    char letter;      /* the option's short name; 0: it has none */
    uint8_t kind;     /* an enum option_kind, for completion of the argument */
    /*
     * The argument as --help shows it: "FILE"; "[=WHAT]": the argument is optional, and needs the
     * '='; NULL: the option takes none.
     */
    const char *argument;
    const char *help; /* a few words, also for completions; '\n' breaks the line */
    option_apply *apply;
    /* OPTION_CHOICE, OPTION_LIST: lists the choices; NULL: there are none */
    option_choices *choices;
    /*
     * joins: --help lists the option on the line of the table's row before; false: on a new line.
     * `line`, used in the first row of a line only, is that line's text: "": none; "@": this row's
     * choices, the default first; NULL: the `help` of all rows of the line, separated by "; ".
     */
    bool joins;
    /* its name cannot be abbreviated, so that abbreviations of older options stay valid */
    bool no_short_form;
    const char *line;
    char alias_letter; /* another short and long name; 0 and NULL: none */
    const char *alias;
    /* for setters: offset in the options of the field, and of a bool to set (0: none) */
    uint16_t field, given;
};

/* The offset of a setter's field; does not compile if the field has another type. */
#define OPTION_FIELD(type, struct_type, member)                                                    \
    ((uint16_t)(offsetof(struct_type, member) +                                                    \
                0 * sizeof(_Generic(&((struct_type *)0)->member, type * : 0))))

struct option_table {
    const char *program;
    const char *built;       /* further text of --version: CG_BUILT (cmake/version.cmake), or "" */
    const char *head, *tail; /* whole lines of --help before and after the options */
    const struct option_spec *specs;
    size_t count;
    unsigned column;      /* column of --help at which the texts begin */
    bool takes_a_command; /* the operands are a command to run: options end at the first operand */
};

/* One use of an option on the command line; all pointers are borrowed. */
struct option_use {
    const struct option_table *table;
    const struct option_spec *spec;
    void *options;        /* the struct of options that options_read was given */
    const char *argument; /* the argument given; NULL: none was given */
    /* the option as the user wrote it, "-f" or "--format", for messages */
    char given[OPTION_NAME_MAX + 3];
};

/*
 * Applies the options of the command line to the struct `options`, in their order; may reorder
 * `argv`. Returns -1: go on, the operands begin at argv[*operands]; else end with this exit status,
 * as all messages have been printed.
 */
int options_read(const struct option_table *table, void *options, int argc, char **argv,
                 int *operands);

/*
 * Flushes standard output. Returns 0; 1: something could not be written, and a message was printed.
 */
int options_finish(const struct option_table *table);

/*
 * Prints "PROGRAM: message; try --help" to stderr, the message by `format`, its control characters
 * as '?'. Returns EXIT_USAGE.
 */
int options_refuse(const struct option_table *table, const char *format, ...) PRINTF_LIKE(2, 3);

/*
 * Calls options_refuse with "bad value 'ARGUMENT' for option OPTION, which takes `wanted`"; returns
 * EXIT_USAGE.
 */
int options_refuse_value(const struct option_use *use, const char *wanted);

/* Writes the text of --help. Only choices are wrapped, at 100 columns. */
void options_help(const struct option_table *table, FILE *out);

/*
 * Returns the long name (of the table) that the mistyped long name `name` is likely to mean; NULL:
 * none is similar.
 */
const char *options_nearest(const struct option_table *table, const char *name);

/* As options_nearest, among the words that `word` returns for 0, 1, 2, …, until NULL. */
const char *options_nearest_word(const char *(*word)(size_t i), const char *name);

/*
 * Returns the index of use->argument among the option's choices; -1: it is none, and options_refuse
 * has printed that.
 */
int option_find_choice(const struct option_use *use);

/* Set the field at spec->field, whose type is below, and the bool at spec->given to true. */
option_apply option_set_flag; /* field: bool, set to true */
option_apply option_set_text; /* field: const char *, set to the argument (borrowed) */
/* field: unsigned or an enum, set to the choice's index; else refuses */
option_apply option_set_choice;

option_apply option_help, option_version, option_completion;

/* The option_choices of --completion, the names of shells; in completion.c. */
const char *completion_shells(size_t i);

/*
 * The last rows of each table: --help, --version, --completion. The arguments initialise further
 * members of the row of --help, such as its `line`.
 */
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
