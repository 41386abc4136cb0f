/* SPDX-License-Identifier: MIT */
/*
 * Audits of code and CFI made by hand. A report reads "+5 body wrong rsp+40,c-8 rsp+32,c-8": the
 * place from the start of the code, its kind and verdict, then CFA and return address by the CFI
 * and by the analysis.
 */
#ifndef TESTS_AUDIT_FIXTURE_H
#define TESTS_AUDIT_FIXTURE_H

#include "cfi_fixture.h"
#include "elf_fixture.h"
#include "module_fixture.h"

#include "unwind/audit/audit_private.h"
#include "unwind/row/row_print.h"

#define TEXT FIXTURE_FIRST

/* What was audited, and what came of it. */
struct scene {
    struct module_set *set;
    struct module *module;
    struct module_rows *rows;
    struct audit audit;
    char reports[2048];
};

static inline size_t append_row(char *text, size_t size, const struct row *row)
{
    const struct arch *arch = arch_get(ARCH_X86_64);
    char cfa[64], ra[64];

    if (!row)
        return (size_t)snprintf(text, size, " -");
    return (size_t)snprintf(text, size, " %s,%s", row_format_cfa(row, arch, cfa, sizeof(cfa)),
                            rule_format(&row->ra, arch, ra, sizeof(ra)));
}

static inline void report(void *context, const struct audit_place *place)
{
    struct scene *scene = context;
    size_t len = strlen(scene->reports), size = sizeof(scene->reports);

    len += (size_t)snprintf(scene->reports + len, size - len, "%s+%llx %s %s", len ? "\n" : "",
                            (unsigned long long)(place->vaddr - TEXT), audit_kind_name(place->kind),
                            audit_verdict_name(place->verdict));
    assert_true(len < size);
    len += append_row(scene->reports + len, size - len, place->cfi);
    assert_true(len < size);
    append_row(scene->reports + len, size - len, place->analysed);
}

static inline void open_scene(struct scene *scene, struct elf_fixture *elf)
{
    const struct module_options options = {0};

    *scene = (struct scene){0};
    fixture_finish(elf);
    assert_int_equal(module_set_create(&options, &scene->set), STATUS_OK);
    scene->module = fixture_module(scene->set, elf);
    assert_int_equal(module_open(scene->set, scene->module), STATUS_OK);
    assert_int_equal(module_rows_create(scene->set, scene->module, &scene->rows), STATUS_OK);
}

/* `cfi` is a .debug_frame. */
static inline void open_with_cfi(struct scene *scene, struct elf_fixture *elf,
                                 const struct asm_section *cfi)
{
    fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, cfi->bytes, cfi->size);
    open_scene(scene, elf);
}

static inline void audit_scene(struct scene *scene)
{
    assert_int_equal(audit_module(scene->rows, scene->set, scene->module,
                                  &(struct audit_watch){.report = report, .context = scene},
                                  &scene->audit),
                     STATUS_OK);
}

static inline void close_scene(struct scene *scene)
{
    module_rows_destroy(scene->rows);
    module_set_destroy(scene->set);
}

static inline struct elf_fixture *with_code(const void *code, size_t size)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, size);
    return elf;
}

/* Audits `code`, which `cfi` (a .debug_frame) describes. */
static inline void audit_code(struct scene *scene, const void *code, size_t size,
                              const struct asm_section *cfi)
{
    struct elf_fixture *elf = with_code(code, size);

    open_with_cfi(scene, elf, cfi);
    audit_scene(scene);
}

/* As audit_code, for one FDE over all of the code. */
static inline void audit_function(struct scene *scene, const void *code, size_t size,
                                  struct program_bytes program)
{
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);

    asm_fde(&cfi, cie, TEXT, size, program);
    audit_code(scene, code, size, &cfi);
}

static inline uint64_t eligible(const struct scene *scene, enum audit_kind kind)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < AUDIT_VERDICT_COUNT; i++)
        sum += scene->audit.places[kind][i];
    return sum;
}

static inline uint64_t excluded_in_all(const struct scene *scene)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < AUDIT_EXCLUSION_COUNT; i++)
        sum += scene->audit.excluded[i];
    return sum;
}

static const uint8_t plain[] = {
    0x53,                   /* +0 push rbx      rsp+8 */
    0x48, 0x83, 0xec, 0x10, /* +1 sub rsp, 16   rsp+16 */
    0x31, 0xc0,             /* +5 xor eax, eax  rsp+32 */
    0x48, 0x83, 0xc4, 0x10, /* +7 add rsp, 16 */
    0x5b,                   /* +b pop rbx       rsp+16 */
    0xc3,                   /* +c ret           rsp+8 */
};

#endif
