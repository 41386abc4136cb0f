/* SPDX-License-Identifier: MIT */
#include "tools/completion.h"

#include <string.h>

static const struct {
    const char *name;
    void (*write)(const struct option_table *table, FILE *out);
} shells[] = {
    {"bash", completion_write_bash},
    {"zsh", completion_write_zsh},
    {"fish", completion_write_fish},
};

const char *completion_shells(size_t i)
{
    return i < sizeof(shells) / sizeof(shells[0]) ? shells[i].name : NULL;
}

int option_completion(const struct option_use *use)
{
    int choice = option_find_choice(use);

    if (choice < 0)
        return EXIT_USAGE;
    shells[choice].write(use->table, stdout);
    return options_finish(use->table);
}

static bool is_optional(const struct option_spec *spec)
{
    return spec->argument && spec->argument[0] == '[';
}

static void put_choices(const struct option_spec *spec, FILE *out)
{
    for (size_t i = 0; spec->choices && spec->choices(i); i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", spec->choices(i));
}

/* Writes all names of a row: "-F | --freq | -r | --rate". */
static void put_names(const struct option_spec *spec, const char *between, FILE *out)
{
    if (spec->letter)
        fprintf(out, "-%c%s", spec->letter, between);
    fprintf(out, "--%s", spec->name);
    if (spec->alias_letter)
        fprintf(out, "%s-%c", between, spec->alias_letter);
    if (spec->alias)
        fprintf(out, "%s--%s", between, spec->alias);
}

/* Writes text for inside single quotes: `escaped` get a backslash, ' becomes `quote`. */
static void put_quoted(const char *text, const char *escaped, const char *quote, FILE *out)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs(quote, out);
        else if (strchr(escaped, *text))
            fprintf(out, "\\%c", *text);
        else
            putc(*text == '\n' ? ' ' : *text, out);
    }
}

static void put_title(const struct option_table *table, const char *shell, FILE *out)
{
    fprintf(out, "# %s completion for %s(1), made by %s --completion %s\n\n", shell, table->program,
            table->program, shell);
}

/* Writes the assignment of COMPREPLY for a row's argument; nothing for text. */
static void put_bash_argument(const struct option_spec *spec, FILE *out)
{
    switch ((enum option_kind)spec->kind) {
    case OPTION_FLAG:
    case OPTION_TEXT:
        break;
    case OPTION_FILE:
    case OPTION_DIRECTORY:
        fprintf(out,
                "            compopt -o filenames\n"
                "            mapfile -t COMPREPLY < <(compgen -%c -- \"$cur\")\n",
                spec->kind == OPTION_FILE ? 'f' : 'd');
        break;
    case OPTION_CHOICE:
        fputs("            mapfile -t COMPREPLY < <(compgen -W '", out);
        put_choices(spec, out);
        fputs("' -- \"$cur\")\n", out);
        break;
    case OPTION_LIST:
        fputs("            compopt -o nospace\n"
              "            mapfile -t COMPREPLY < <(compgen -P \"${cur%\"${cur##*,}\"}\" -W '",
              out);
        put_choices(spec, out);
        fputs("' -- \"${cur##*,}\")\n", out);
        break;
    case OPTION_PROCESS:
    case OPTION_THREAD:
        fprintf(
            out,
            "            words=(/proc/%s[0-9]*)\n"
            "            [[ -e ${words[0]} ]] || words=()\n"
            "            mapfile -t COMPREPLY < <(compgen -W \"${words[*]##*/}\" -- \"$cur\")\n",
            spec->kind == OPTION_THREAD ? "\"$process\"/task/" : "");
        break;
    }
    fputs("            return\n"
          "            ;;\n",
          out);
}

/* Writes a `case` on the word before the one to complete; with '=' if that is between them. */
static void put_bash_arguments(const struct option_table *table, FILE *out)
{
    fputs("        case $option in\n", out);
    for (const struct option_spec *spec = table->specs; spec < table->specs + table->count;
         spec++) {
        if (!spec->argument)
            continue;
        fputs("        ", out);
        if (!is_optional(spec)) {
            put_names(spec, " | ", out);
            fputs(" | ", out);
        }
        fprintf(out, "--%s=", spec->name);
        if (spec->alias)
            fprintf(out, " | --%s=", spec->alias);
        fputs(")\n", out);
        put_bash_argument(spec, out);
    }
    fputs("        esac\n", out);
}

/* Returns the option that names a process; NULL: none. */
static const struct option_spec *find_process(const struct option_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->specs[i].kind == OPTION_PROCESS)
            return &table->specs[i];
    return NULL;
}

/* Writes a loop over the words before, which finds the first operand and the process. */
static void put_bash_walk(const struct option_table *table, FILE *out)
{
    const struct option_spec *process = find_process(table);
    const char *between = "        ";

    if (process)
        fputs("    local process=0\n"
              "    local -a words\n",
              out);
    fputs("\n"
          "    COMPREPLY=()\n"
          "    for ((i = 1; i < COMP_CWORD && first < 0; i++)); do\n"
          "        case ${COMP_WORDS[i]} in\n"
          "        --) first=$((i + 1)) ;;\n",
          out);
    for (size_t i = 0; i < table->count; i++) {
        const struct option_spec *spec = &table->specs[i];

        if (!spec->argument || is_optional(spec))
            continue;
        fputs(between, out);
        put_names(spec, " | ", out);
        between = " | ";
    }
    fputs(")\n"
          "            option=${COMP_WORDS[i]}\n"
          "            i=$((i + 1))\n"
          "            [[ ${COMP_WORDS[i]} != = ]] || i=$((i + 1))\n",
          out);
    if (process)
        fprintf(
            out,
            "            [[ $option != -%c && $option != --%s ]] || process=${COMP_WORDS[i]-}\n",
            process->letter, process->name);
    fputs("            ;;\n", out);
    if (table->takes_a_command)
        fputs("        -*) ;;\n"
              "        *) first=$i ;;\n",
              out);
    fputs("        esac\n"
          "    done\n"
          "    option=${COMP_WORDS[COMP_CWORD - 1]}\n",
          out);
}

void completion_write_bash(const struct option_table *table, FILE *out)
{
    const char *program = table->program;

    put_title(table, "bash", out);
    fprintf(out,
            "_%s()\n"
            "{\n"
            "    local cur=${COMP_WORDS[COMP_CWORD]} option first=-1 i\n",
            program);
    put_bash_walk(table, out);
    fputs("    if [[ $cur == = ]]; then\n"
          "        option+='='\n"
          "        cur=\n"
          "    elif [[ $option == = ]]; then\n"
          "        option=${COMP_WORDS[COMP_CWORD - 2]}=\n"
          "    fi\n"
          "    if ((first < 0)); then\n",
          out);
    put_bash_arguments(table, out);
    fputs("        if [[ $cur == -* ]]; then\n"
          "            mapfile -t COMPREPLY < <(compgen -W '",
          out);
    for (size_t i = 0; i < table->count; i++) {
        put_names(&table->specs[i], " ", out);
        fputs(i + 1 < table->count ? " " : "' -- \"$cur\")\n", out);
    }
    fputs("            return\n"
          "        fi\n"
          "    fi\n",
          out);
    if (table->takes_a_command)
        fputs("    ((first > 0)) || first=$COMP_CWORD\n"
              "    if declare -F _command_offset >/dev/null; then\n"
              "        _command_offset \"$first\"\n"
              "        return\n"
              "    elif ((first == COMP_CWORD)); then\n"
              "        mapfile -t COMPREPLY < <(compgen -c -- \"$cur\")\n"
              "        return\n"
              "    fi\n",
              out);
    fprintf(out,
            "    compopt -o filenames\n"
            "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
            "} && complete -F _%s %s\n",
            program, program);
}

/* Writes ":FILE:_files": the argument's name in --help, and how it is completed. */
static void put_zsh_argument(const struct option_spec *spec, const char *program, FILE *out)
{
    fputs(is_optional(spec) ? "::" : ":", out);
    put_quoted(spec->argument, "[]:\\", "'\\''", out);
    switch ((enum option_kind)spec->kind) {
    case OPTION_FLAG:
    case OPTION_TEXT:
        fputs(": ", out);
        break;
    case OPTION_FILE:
        fputs(":_files", out);
        break;
    case OPTION_DIRECTORY:
        fputs(":_files -/", out);
        break;
    case OPTION_CHOICE:
        fputs(":(", out);
        put_choices(spec, out);
        putc(')', out);
        break;
    case OPTION_LIST:
        fprintf(out, ":_values -s , %s ", spec->name);
        put_choices(spec, out);
        break;
    case OPTION_PROCESS:
        fprintf(out, ":_%s_processes", program);
        break;
    case OPTION_THREAD:
        fprintf(out, ":_%s_threads", program);
        break;
    }
}

/* Writes "'*'{-f+,--format=}'[what it does]:F:(tree dot)'"; '*': options may be repeated. */
static void put_zsh_spec(const struct option_spec *spec, const char *program, FILE *out)
{
    const char *same = !spec->argument ? "" : is_optional(spec) ? "-" : "+";
    const char *equals = !spec->argument ? "" : is_optional(spec) ? "=-" : "=";

    fputs(" \\\n        '*'", out);
    if (spec->letter || spec->alias) {
        putc('{', out);
        if (spec->letter)
            fprintf(out, "-%c%s,", spec->letter, same);
        if (spec->alias_letter)
            fprintf(out, "-%c%s,", spec->alias_letter, same);
        if (spec->alias)
            fprintf(out, "--%s%s,", spec->alias, equals);
        fprintf(out, "--%s%s}'[", spec->name, equals);
    } else {
        fprintf(out, "'--%s%s[", spec->name, equals);
    }
    put_quoted(spec->help, "[]:\\", "'\\''", out);
    putc(']', out);
    if (spec->argument)
        put_zsh_argument(spec, program, out);
    putc('\'', out);
}

void completion_write_zsh(const struct option_table *table, FILE *out)
{
    const struct option_spec *process = find_process(table);
    const char *program = table->program;

    fprintf(out, "#compdef %s\n", program);
    put_title(table, "zsh", out);
    if (process)
        fprintf(out,
                "_%s_processes()\n"
                "{\n"
                "    local -a processes\n"
                "    local pid name\n"
                "    for pid in /proc/<->(N:t); do\n"
                "        name=$(<\"/proc/$pid/comm\")\n"
                "        processes+=(\"$pid:${name//[^[:alnum:] -~]/?}\")\n"
                "    done 2>/dev/null\n"
                "    _describe process processes\n"
                "}\n\n"
                "_%s_threads()\n"
                "{\n"
                "    local -a threads=(/proc/${opt_args[-%c]:-$opt_args[--%s]}/task/*(N:t))\n"
                "    compadd \"$@\" -a threads\n"
                "}\n\n",
                program, program, process->letter, process->name);
    fprintf(out,
            "_%s()\n"
            "{\n"
            "    _arguments -s -S",
            program);
    for (size_t i = 0; i < table->count; i++)
        put_zsh_spec(&table->specs[i], program, out);
    fputs(table->takes_a_command ? " \\\n        '(-):command:_command_names -e'"
                                   " \\\n        '*::argument:_normal'\n"
                                 : " \\\n        '*:file:_files'\n",
          out);
    fprintf(out,
            "}\n\n"
            "# A function of $fpath, or read by `source`.\n"
            "if [[ $funcstack[1] == _%s ]]; then\n"
            "    _%s \"$@\"\n"
            "else\n"
            "    compdef _%s %s\n"
            "fi\n",
            program, program, program, program);
}

static void put_fish_argument(const struct option_spec *spec, const char *program, FILE *out)
{
    switch ((enum option_kind)spec->kind) {
    case OPTION_FLAG:
        break;
    case OPTION_TEXT:
        fputs(is_optional(spec) ? "" : " -x", out);
        break;
    case OPTION_FILE:
        fputs(" -r -F", out);
        break;
    case OPTION_DIRECTORY:
        fputs(" -x -a '(__fish_complete_directories)'", out);
        break;
    case OPTION_CHOICE:
        fprintf(out, "%s -a '", is_optional(spec) ? "" : " -x");
        put_choices(spec, out);
        putc('\'', out);
        break;
    case OPTION_LIST:
        fprintf(out, "%s -a '(__fish_append , ", is_optional(spec) ? "" : " -x");
        put_choices(spec, out);
        fputs(")'", out);
        break;
    case OPTION_PROCESS:
        fputs(" -x -a '(__fish_complete_pids)'", out);
        break;
    case OPTION_THREAD:
        fprintf(out, " -x -a '(__%s_threads)'", program);
        break;
    }
}

/* fish: a command that is started begins at the first operand, behind options and arguments. */
static void put_fish_command(const struct option_table *table, FILE *out)
{
    fprintf(out, "complete -c %s -x -a '(__fish_complete_subcommand", table->program);
    for (size_t i = 0; i < table->count; i++)
        if (table->specs[i].argument && !is_optional(&table->specs[i])) {
            putc(' ', out);
            put_names(&table->specs[i], " ", out);
        }
    fputs(")'\n", out);
}

void completion_write_fish(const struct option_table *table, FILE *out)
{
    const struct option_spec *process = find_process(table);
    const char *program = table->program;

    put_title(table, "fish", out);
    if (process) {
        fprintf(out,
                "function __%s_threads\n"
                "    set -l words (commandline -opc)\n"
                "    for i in (seq (math (count $words) - 1))\n"
                "        if contains -- $words[$i] ",
                program);
        put_names(process, " ", out);
        fputs("\n"
              "            set -l tasks /proc/$words[(math $i + 1)]/task/*\n"
              "            string match -r '[0-9]+$' $tasks\n"
              "        end\n"
              "    end\n"
              "end\n\n",
              out);
    }
    for (const struct option_spec *spec = table->specs; spec < table->specs + table->count;
         spec++) {
        fprintf(out, "complete -c %s", program);
        if (spec->letter)
            fprintf(out, " -s %c", spec->letter);
        fprintf(out, " -l %s", spec->name);
        if (spec->alias_letter)
            fprintf(out, " -s %c", spec->alias_letter);
        if (spec->alias)
            fprintf(out, " -l %s", spec->alias);
        put_fish_argument(spec, program, out);
        fputs(" -d '", out);
        put_quoted(spec->help, "\\", "\\'", out);
        fputs("'\n", out);
    }
    if (table->takes_a_command)
        put_fish_command(table, out);
}
