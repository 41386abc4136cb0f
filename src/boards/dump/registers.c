/* SPDX-License-Identifier: MIT */
#include "boards/dump/registers.h"

#include <string.h>
#include <strings.h>

#include "arch/analysis/analysis.h"

struct word {
    const char *at;
    size_t len;
};

static bool is_word_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Finds the line's next word; false: none. */
static bool next_word(const char **at, const char *end, struct word *out)
{
    while (*at < end && !is_word_char(**at))
        (*at)++;
    out->at = *at;
    while (*at < end && is_word_char(**at))
        (*at)++;
    out->len = (size_t)(*at - out->at);
    return out->len > 0;
}

static bool is(const struct word *word, const char *name)
{
    return strlen(name) == word->len && strncasecmp(word->at, name, word->len) == 0;
}

static unsigned find_name(const struct arch *arch, const struct word *word)
{
    const char *const *names = arch_reg_names(arch);

    for (unsigned i = 0; i < arch->all_regs; i++)
        if (is(word, names[i]))
            return i;
    return REG_NONE;
}

static unsigned find_register(const struct arch *arch, const struct word *word)
{
    const struct board_arch *board = arch_analysis(arch)->board;
    unsigned reg = find_name(arch, word);

    for (unsigned i = 0; reg == REG_NONE && board && i < board->alias_count; i++)
        if (is(word, board->aliases[i].alias)) {
            const char *name = board->aliases[i].name;

            reg = find_name(arch, &(struct word){.at = name, .len = strlen(name)});
        }
    return reg;
}

/* Returns the system register of that name; NULL: none. */
static const struct system_reg *find_system(const struct arch *arch, const struct word *word)
{
    const struct board_arch *board = arch_analysis(arch)->board;

    for (unsigned i = 0; board && i < board->system_count; i++)
        if (is(word, board->system_regs[i].name))
            return &board->system_regs[i];
    return NULL;
}

/* The first value of a register counts. */
static void add_system(struct dump_system *system, uint32_t number, uint64_t value)
{
    for (uint32_t i = 0; i < system->count; i++)
        if (system->list[i].number == number)
            return;
    if (system->count < BOARD_SYSTEM_MAX)
        system->list[system->count++] = (struct snap_system){.number = number, .value = value};
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/*
 * Returns whether a number without 0x is hexadecimal. With a letter first it is a word, unless it
 * has all digits of the register.
 */
static bool is_hex(const struct word *word, unsigned digits)
{
    if (word->len == digits)
        return true;
    for (size_t i = 0; word->at[0] >= '0' && word->at[0] <= '9' && i < word->len; i++)
        if (digit(word->at[i]) >= 10)
            return true;
    return false;
}

/* Parses a number; false: none, or of more than 64 bits. */
static bool parse_number(const struct word *word, unsigned digits, uint64_t *out)
{
    const bool has_mark = word->len > 2 && word->at[0] == '0' && (word->at[1] | 0x20) == 'x';
    const unsigned base = has_mark || is_hex(word, digits) ? 16 : 10;

    *out = 0;
    for (size_t i = has_mark ? 2 : 0; i < word->len; i++) {
        const int value = digit(word->at[i]);

        if (value >= (int)base || __builtin_mul_overflow(*out, (uint64_t)base, out) ||
            __builtin_add_overflow(*out, (uint64_t)value, out))
            return false;
    }
    return true;
}

/* Finds the value in the line behind a register's name; a width, "(/32)", is none. */
static bool find_value(const char *at, const char *end, unsigned digits, uint64_t *out)
{
    struct word word;

    while (next_word(&at, end, &word))
        if (word.at[-1] != '/' && parse_number(&word, digits, out))
            return true;
    return false;
}

static enum status read_line(const char *line, const char *end, const struct arch *arch,
                             struct regs *out, struct dump_system *system)
{
    const struct system_reg *of_system = NULL;
    unsigned reg = REG_NONE;
    struct word word;
    uint64_t value;

    while (reg == REG_NONE && !of_system && next_word(&line, end, &word)) {
        reg = find_register(arch, &word);
        of_system = find_system(arch, &word); /* mepc is both */
    }
    if ((reg == REG_NONE && !of_system) || !find_value(line, end, 2u * arch->word_size, &value))
        return STATUS_OK;
    if (arch->word_size == 4 && value > UINT32_MAX)
        return STATUS_BAD_DATA;
    if (reg != REG_NONE && !regs_has(out, reg))
        regs_set(out, reg, value);
    if (of_system)
        add_system(system, of_system->number, value);
    return STATUS_OK;
}

enum status registers_read(const char *text, size_t size, const struct arch *arch, const char *name,
                           struct regs *out, struct dump_system *system, struct diag *diag)
{
    const char *const *names = arch_reg_names(arch);

    *out = (struct regs){0};
    system->count = 0;
    for (const char *line = text, *end; line < text + size; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + size - line));
        if (!end)
            end = text + size;
        if (read_line(line, end, arch, out, system) != STATUS_OK) {
            diag_set_at(diag, name, (uint64_t)(line - text),
                        "a register's value has more than %u bits", 8u * arch->word_size);
            return STATUS_BAD_DATA;
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        const unsigned reg = i ? arch->sp : arch->pc;

        if (regs_has(out, reg))
            continue;
        diag_set(diag, name, "has no line with a value of %s", names[reg]);
        diag_hint(diag, "lines are as gdb's `info registers` prints them: %s 0x20001f80",
                  names[reg]);
        return STATUS_BAD_DATA;
    }
    return STATUS_OK;
}
