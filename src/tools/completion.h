/* SPDX-License-Identifier: MIT */
/*
 * What shells complete the options and arguments of a program by, made from its table.
 *
 * bash: needs nothing besides; where bash-completion is installed, it completes the arguments of a
 * command that is started. zsh: a function for a directory of $fpath. fish: a list of `complete`.
 */
#ifndef TOOLS_COMPLETION_H
#define TOOLS_COMPLETION_H

#include <stdio.h>

#include "tools/options.h"

void completion_write_bash(const struct option_table *table, FILE *out);
void completion_write_zsh(const struct option_table *table, FILE *out);
void completion_write_fish(const struct option_table *table, FILE *out);

#endif
