/* SPDX-License-Identifier: MIT */
#include "boards/gdb/registers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Bytes of a value, at most. */
#define VALUE_MAX 8u

/* Beginnings of architectures' names in gdb; ELF's machine, bytes of a word. */
static const struct {
    const char *name;
    uint16_t machine;
    uint8_t word_size;
} architectures[] = {{"i386:x86-64", 62, 8}, {"i386", 3, 4},   {"aarch64:ilp32", 0, 0},
                     {"aarch64", 183, 8},    {"arm", 40, 4},   {"riscv:rv64", 243, 8},
                     {"riscv:rv32", 243, 4}, {"iwmmxt", 40, 4}};

/* Registers, with their size in bytes, that only one architecture has. */
static const struct {
    const char *name;
    uint8_t size;
    uint16_t machine;
} marks[] = {{"rip", 8, 62},  {"eip", 4, 3},    {"xpsr", 4, 40}, {"cpsr", 4, 40},
             {"x30", 8, 183}, {"mepc", 8, 243}, {"mepc", 4, 243}};

const struct arch *gdb_registers_arch(const struct gdb_features *features)
{
    const struct gdb_register *found;
    const struct gdb_register *pc = gdb_features_find(features, "pc");

    for (size_t i = 0; i < sizeof(architectures) / sizeof(architectures[0]); i++)
        if (strncmp(features->architecture, architectures[i].name, strlen(architectures[i].name)) ==
            0)
            return arch_by_elf(architectures[i].machine, architectures[i].word_size);
    if (strncmp(features->architecture, "riscv", 5) == 0 && pc)
        return arch_by_elf(243, pc->size);
    if (features->architecture[0])
        return NULL;
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        found = gdb_features_find(features, marks[i].name);
        if (found && found->size == marks[i].size && (!pc || pc->size >= found->size))
            return arch_by_elf(marks[i].machine, found->size);
    }
    return NULL;
}

/* Stubs' other names, and the arch's. */
static const char *const aliases[][2] = {
    {"xpsr", "cpsr"}, {"fp", "s0"},  {"s0", "fp"},  {"x1", "ra"},  {"x2", "sp"},  {"x3", "gp"},
    {"x4", "tp"},     {"x5", "t0"},  {"x6", "t1"},  {"x7", "t2"},  {"x8", "s0"},  {"x8", "fp"},
    {"x9", "s1"},     {"x10", "a0"}, {"x11", "a1"}, {"x12", "a2"}, {"x13", "a3"}, {"x14", "a4"},
    {"x15", "a5"},    {"x16", "a6"}, {"x17", "a7"}, {"x18", "s2"}, {"x19", "s3"}, {"x20", "s4"},
    {"x21", "s5"},    {"x22", "s6"}, {"x23", "s7"}, {"x24", "s8"}, {"x25", "s9"}, {"x26", "s10"},
    {"x27", "s11"},   {"x28", "t3"}, {"x29", "t4"}, {"x30", "t5"}, {"x31", "t6"}, {"r13", "sp"},
    {"r14", "lr"},    {"r15", "pc"}};

static void place(const struct gdb_features *features, const char *name, struct gdb_place *out)
{
    for (size_t i = 0; i < features->count; i++) {
        const struct gdb_register *found = &features->registers[i];

        if (strcasecmp(found->name, name) == 0 && found->size <= VALUE_MAX) {
            *out = (struct gdb_place){true, found->number, found->off, found->size};
            return;
        }
    }
}

static void place_with_aliases(const struct gdb_features *features, const char *name,
                               struct gdb_place *out)
{
    place(features, name, out);
    for (size_t i = 0; !out->is_there && i < sizeof(aliases) / sizeof(aliases[0]); i++)
        if (strcmp(aliases[i][1], name) == 0)
            place(features, aliases[i][0], out);
}

bool gdb_registers_map(const struct gdb_features *features, const struct arch *arch,
                       struct gdb_layout *out)
{
    const char *const *names = arch_reg_names(arch);

    *out = (struct gdb_layout){.control.is_there = false};
    for (unsigned i = 0; i < arch->all_regs; i++)
        place_with_aliases(features, names[i], &out->regs[i]);
    place(features, "control", &out->control);
    place(features, "primask", &out->primask);
    place(features, "basepri", &out->basepri);
    place(features, "faultmask", &out->faultmask);
    place(features, "msp", &out->msp);
    place(features, "psp", &out->psp);
    place(features, "mstatus", &out->mstatus);
    place(features, "mcause", &out->mcause);
    place(features, "mepc", &out->mepc);
    place(features, "mtval", &out->mtval);
    return out->regs[arch->pc].is_there && out->regs[arch->sp].is_there;
}

/* Parses a little-endian value in digits. False: missing, or not known. */
static bool parse_value(const char *text, size_t len, size_t off, size_t size, uint64_t *out)
{
    uint8_t bytes[VALUE_MAX] = {0};
    uint64_t value = 0;

    if (size > VALUE_MAX || off > len / 2 || size > len / 2 - off ||
        gdb_unhex(text + 2 * off, 2 * size, bytes, size) != size)
        return false;
    for (size_t i = size; i > 0; i--)
        value = value << 8 | bytes[i - 1];
    *out = value;
    return true;
}

void gdb_registers_parse(const char *reply, size_t len, const struct gdb_layout *layout,
                         const struct arch *arch, struct gdb_registers *out)
{
    *out = (struct gdb_registers){.known = 0};
    for (unsigned i = 0; i < arch->all_regs; i++) {
        const struct gdb_place *at = &layout->regs[i];

        if (at->is_there && parse_value(reply, len, at->off, at->size, &out->values[i]))
            out->known |= UINT64_C(1) << i;
    }
}

bool gdb_registers_read_one(struct gdb_state *st, const struct gdb_place *at, uint64_t *out)
{
    struct gdb_client *client = &st->client;

    return at->is_there && gdb_client_ask(client, "p%x", at->number) == STATUS_OK &&
           !gdb_client_is_error(client) &&
           parse_value(client->reply, client->reply_len, 0, at->size, out);
}

static enum status read_all(struct gdb_state *st, struct gdb_registers *out)
{
    const uint64_t needed = UINT64_C(1) << st->arch->pc | UINT64_C(1) << st->arch->sp;
    struct gdb_client *client = &st->client;

    if (gdb_client_ask(client, "g") != STATUS_OK)
        return STATUS_IO;
    if (gdb_client_is_error(client))
        return STATUS_FAULT;
    gdb_registers_parse(client->reply, client->reply_len, &st->layout, st->arch, out);
    for (unsigned i = 0; i < st->arch->reg_count && (out->known & needed) != needed; i++)
        if (!(out->known >> i & 1) &&
            gdb_registers_read_one(st, &st->layout.regs[i], &out->values[i]))
            out->known |= UINT64_C(1) << i;
    return (out->known & needed) == needed ? STATUS_OK : STATUS_FAULT;
}

enum status gdb_registers_read(struct gdb_state *st, struct gdb_registers *out)
{
    const uint64_t outer_ns = gdb_bound_begin(&st->bound, GDB_ANSWERS_NS);
    const enum status status = read_all(st, out);

    gdb_bound_end(&st->bound, outer_ns);
    return status;
}

/* Register names in their order; "r%u" for numbered ones. */
#define CLASSIC_PARTS 20

struct classic {
    uint16_t machine;
    uint8_t word_size;
    struct {
        const char *format;
        uint8_t count, size;
    } parts[CLASSIC_PARTS];
};

static const struct classic classics[] = {
    {40,
     4,
     {{"r%u", 13, 4},
      {"sp", 1, 4},
      {"lr", 1, 4},
      {"pc", 1, 4},
      {"f%u", 8, 12},
      {"fps", 1, 4},
      {"cpsr", 1, 4}}},
    {183, 8, {{"x%u", 31, 8}, {"sp", 1, 8}, {"pc", 1, 8}, {"pstate", 1, 4}}},
    {3,
     4,
     {{"eax", 1, 4},
      {"ecx", 1, 4},
      {"edx", 1, 4},
      {"ebx", 1, 4},
      {"esp", 1, 4},
      {"ebp", 1, 4},
      {"esi", 1, 4},
      {"edi", 1, 4},
      {"eip", 1, 4}}},
    {62,
     8,
     {{"rax", 1, 8},
      {"rbx", 1, 8},
      {"rcx", 1, 8},
      {"rdx", 1, 8},
      {"rsi", 1, 8},
      {"rdi", 1, 8},
      {"rbp", 1, 8},
      {"rsp", 1, 8},
      {"r8", 1, 8},
      {"r9", 1, 8},
      {"r10", 1, 8},
      {"r11", 1, 8},
      {"r12", 1, 8},
      {"r13", 1, 8},
      {"r14", 1, 8},
      {"r15", 1, 8},
      {"rip", 1, 8}}},
    {243, 4, {{"x%u", 32, 4}, {"pc", 1, 4}}},
    {243, 8, {{"x%u", 32, 8}, {"pc", 1, 8}}},
};

static bool add_classic(struct gdb_features *out, const char *format, unsigned index, uint32_t size)
{
    struct gdb_register *added = &out->registers[out->count];
    uint32_t off = 0;

    if (out->count == out->cap)
        return false;
    if (out->count)
        off = added[-1].off + added[-1].size;
    *added = (struct gdb_register){.number = (uint32_t)out->count, .off = off, .size = size};
    if (strchr(format, '%'))
        snprintf(added->name, sizeof(added->name), "%c%u", format[0], index);
    else
        snprintf(added->name, sizeof(added->name), "%s", format);
    out->count++;
    return true;
}

bool gdb_registers_classic(const struct arch *arch, struct gdb_features *out)
{
    const struct classic *found = NULL;

    for (size_t i = 0; i < sizeof(classics) / sizeof(classics[0]); i++)
        if (classics[i].machine == arch->elf_machine && classics[i].word_size == arch->word_size)
            found = &classics[i];
    if (!found)
        return false;
    out->cap = 64;
    out->registers = calloc(out->cap, sizeof(*out->registers));
    for (size_t i = 0; out->registers && i < CLASSIC_PARTS && found->parts[i].format; i++)
        for (unsigned k = 0; k < found->parts[i].count; k++)
            (void)add_classic(out, found->parts[i].format, k, found->parts[i].size);
    return out->count > 0;
}
