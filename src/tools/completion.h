/* SPDX-License-Identifier: MIT */
/*
 * Writes the completions of a program's options and arguments for shells, from its option table.
 *
 * bash: a script that needs nothing else; where bash-completion is installed, it also completes the
 * arguments of a command that the program starts. zsh: a function for a directory in $fpath. fish:
 * a list of `complete` commands.
 */
#ifndef TOOLS_COMPLETION_H
#define TOOLS_COMPLETION_H

#include <stdio.h>

#include "tools/options.h"

void completion_write_bash(const struct option_table *table, FILE *out);
void completion_write_zsh(const struct option_table *table, FILE *out);
void completion_write_fish(const struct option_table *table, FILE *out);

#endif
