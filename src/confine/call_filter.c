/* SPDX-License-Identifier: MIT */
#include "confine/call_filter.h"

#include <elf.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "confine/call_rules.h"
#include "confine/sanitizer.h"

#define PROGRAM_MAX 1024
#define DENIED      (SECCOMP_RET_ERRNO | EPERM)
#define UNKNOWN     (SECCOMP_RET_ERRNO | ENOSYS)
#define NEWEST_CALL 450 /* of Linux 6.1 */

/* Values for rules that are known only at run time. */
struct call_values {
    uint32_t groups, pid, in, out;
};

/* Placeholder for a jump to the next rule. */
#define TO_NEXT_RULE UINT32_MAX

struct call_program {
    struct sock_filter code[PROGRAM_MAX];
    unsigned short len;
};

static void emit(struct call_program *p, unsigned code, uint32_t k, unsigned yes, unsigned no)
{
    p->code[p->len++] = (struct sock_filter)BPF_JUMP((uint16_t)code, k, (uint8_t)yes, (uint8_t)no);
}

static void answer(struct call_program *p, uint32_t action)
{
    emit(p, BPF_RET | BPF_K, action, 0, 0);
}

static void load(struct call_program *p, size_t off)
{
    emit(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)off, 0, 0);
}

static void load_argument(struct call_program *p, unsigned i, bool upper)
{
    const bool second = upper != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

    load(p, offsetof(struct seccomp_data, args) + i * sizeof(uint64_t) + second * sizeof(uint32_t));
}

/* Goes on if the loaded value is one of these, else with the next rule. */
static void test_values(struct call_program *p, const uint32_t *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        emit(p, BPF_JMP | BPF_JEQ | BPF_K, values[i], count - i, 0);
    emit(p, BPF_JMP | BPF_JA, TO_NEXT_RULE, 0, 0);
}

/* Goes on if any of these bits is set (`set`), or none is. */
static void test_bits(struct call_program *p, uint32_t bits, bool set)
{
    emit(p, BPF_JMP | BPF_JSET | BPF_K, bits, set, !set);
    emit(p, BPF_JMP | BPF_JA, TO_NEXT_RULE, 0, 0);
}

static void emit_test(struct call_program *p, const struct call_test *test,
                      const struct call_values *with)
{
    if (test->kind == TEST_NONE)
        return;
    load_argument(p, test->argument, false);
    switch (test->kind) {
    case TEST_NONE:
        break;
    case TEST_WITHOUT:
        test_bits(p, test->bits, false);
        break;
    case TEST_ONLY:
        test_bits(p, ~test->bits, false);
        break;
    case TEST_HAS:
        test_bits(p, test->bits, true);
        break;
    case TEST_ONE_OF:
        test_values(p, test->values, test->count);
        break;
    case TEST_NULL:
        test_bits(p, UINT32_MAX, false);
        load_argument(p, test->argument, true);
        test_bits(p, UINT32_MAX, false);
        break;
    case TEST_SELF:
        test_values(p, (const uint32_t[]){0, with->pid}, 2);
        break;
    case TEST_IN:
        test_values(p, &with->in, 1);
        break;
    case TEST_OUT:
        test_values(p, &with->out, 1);
        break;
    }
}

/* Resolves the jumps of the rule that begins at `start`. */
static void end_rule(struct call_program *p, unsigned short start)
{
    for (unsigned short i = start; i < p->len; i++)
        if (p->code[i].code == (BPF_JMP | BPF_JA) && p->code[i].k == TO_NEXT_RULE)
            p->code[i].k = p->len - i - 1u;
}

static void emit_rule(struct call_program *p, const struct call_rule *rule,
                      const struct call_values *with)
{
    const unsigned short start = p->len;

    load(p, offsetof(struct seccomp_data, nr));
    test_values(p, &(const uint32_t){(uint32_t)rule->call}, 1);
    for (unsigned i = 0; i < CALL_TESTS_MAX; i++)
        emit_test(p, &rule->tests[i], with);
    answer(p, rule->unknown ? UNKNOWN : SECCOMP_RET_ALLOW);
    end_rule(p, start);
}

static bool is_plain(const struct call_rule *rule)
{
    return !rule->groups && !rule->unknown && rule->tests[0].kind == TEST_NONE;
}

static bool is_in_force(const struct call_rule *rule, const struct call_values *with)
{
    return rule->call >= 0 && (!rule->groups || rule->groups & with->groups);
}

/*
 * The architecture's number comes from this program's own ELF header, so that no code depends on
 * it: AUDIT_ARCH_* is e_machine and two bits. Calls by another table, like int 0x80 of a 64-bit
 * program, are denied.
 */
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

static uint32_t audit_architecture(void)
{
    uint32_t number = __ehdr_start.e_machine; /* at the same place in files of both classes */

    if (__ehdr_start.e_ident[EI_CLASS] == ELFCLASS64)
        number |= __AUDIT_ARCH_64BIT;
    if (__ehdr_start.e_ident[EI_DATA] == ELFDATA2LSB)
        number |= __AUDIT_ARCH_LE;
    return number;
}

/* Emits rules without tests, one instruction each; a jump reaches 255. */
static void emit_plain(struct call_program *p, const struct call_rule *rules, size_t count)
{
    unsigned left = 0;

    for (size_t i = 0; i < count; i++)
        left += rules[i].call >= 0 && is_plain(&rules[i]);
    for (size_t i = 0; i < count; i++)
        if (rules[i].call >= 0 && is_plain(&rules[i]))
            emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)rules[i].call, left--, 0);
    emit(p, BPF_JMP | BPF_JA, 1, 0, 0);
    answer(p, SECCOMP_RET_ALLOW);
}

static void make_program(struct call_program *p, const struct call_rule *rules, size_t count,
                         const struct call_values *with)
{
    load(p, offsetof(struct seccomp_data, arch));
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, audit_architecture(), 1, 0);
    answer(p, DENIED);
    load(p, offsetof(struct seccomp_data, nr));
    emit_plain(p, rules, count);
    for (size_t i = 0; i < count; i++)
        if (!is_plain(&rules[i]) && is_in_force(&rules[i], with))
            emit_rule(p, &rules[i], with);
    load(p, offsetof(struct seccomp_data, nr));
    emit(p, BPF_JMP | BPF_JGT | BPF_K, NEWEST_CALL, 0, 1);
    answer(p, UNKNOWN);
    answer(p, DENIED);
}

static int install(struct call_program *program)
{
    const struct sock_fprog filter = {.len = program->len, .filter = program->code};

    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : errno;
}

int call_filter_install(unsigned groups)
{
    const struct call_values with = {.groups = groups, .pid = (uint32_t)getpid()};
    struct call_program program = {.len = 0};

    if (SANITIZED)
        return 0;
    make_program(&program, call_rules, call_rule_count, &with);
    return install(&program);
}

int call_filter_install_helper(int in, int out)
{
    const struct call_values with = {.in = (uint32_t)in, .out = (uint32_t)out};
    struct call_program program = {.len = 0};

    if (SANITIZED)
        return 0;
    make_program(&program, call_helper_rules, call_helper_rule_count, &with);
    return install(&program);
}
