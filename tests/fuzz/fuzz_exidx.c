/* SPDX-License-Identifier: MIT */
/*
 * Arm's exception tables over any bytes: the index, its look-up, the unwind instructions, the rows'
 * execution.
 *
 * Input: one byte of flags, two of the index's size in entries, then .ARM.exidx and .ARM.extab,
 * which become a segment of an ARM file with code at CODE_VADDR. Bit 0 of the flags: the other way
 * round, .ARM.extab first. The tables alone are also run as one entry.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/sources/ehabi.h"
#include "unwind/sources/exidx.h"

#define HEADER       3
#define CODE_VADDR   0x10000u
#define CODE_SIZE    0x10000u
#define TABLES_VADDR 0x30000u
#define TABLES_OFF   (sizeof(Elf32_Ehdr) + 3 * sizeof(Elf32_Phdr))
#define STACK_ADDR   UINT64_C(0x7fff0000)
#define STACK_SIZE   512
#define ROWS_MAX     256 /* entries that are looked at one by one */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct stack {
    uint8_t bytes[STACK_SIZE];
    struct snap_region region;
    struct memory memory;
    struct regs regs;
};

static void init_stack(struct stack *s)
{
    *s = (struct stack){.region = {.start_addr = STACK_ADDR,
                                   .end_addr = STACK_ADDR + STACK_SIZE,
                                   .map_end_addr = STACK_ADDR + STACK_SIZE,
                                   .bytes = s->bytes}};
    s->memory = (struct memory){.regions = &s->region, .count = 1};
    for (unsigned i = 0; i < STACK_SIZE; i += 4) {
        uint32_t word = (uint32_t)STACK_ADDR + i * 5 % STACK_SIZE;

        memcpy(s->bytes + i, &word, sizeof(word));
    }
    for (unsigned reg = 0; reg < 16; reg++)
        if (reg != 9)
            regs_set(&s->regs, reg, STACK_ADDR + 8 * reg);
}

/* A row says something of each of its parts, and of no register but the sixteen. */
static void check_row(const struct row *row)
{
    struct stack s;
    struct regs caller;
    uint64_t cfa;
    const struct arch *arch = arch_get(ARCH_ARM);

    if ((row->cfa.kind != CFA_REG && row->cfa.kind != CFA_DEREF) || row->cfa.reg > 14 ||
        !row->call_site_only || row->source != TRUST_EXIDX)
        abort();
    if (row->ra.kind != RULE_SAME && row->ra.kind != RULE_AT_CFA && row->ra.kind != RULE_AT_REG)
        abort();
    for (unsigned reg = 0; reg < ARCH_REG_MAX; reg++) {
        uint8_t kind = row->regs[reg].kind;

        if (kind != RULE_UNSPECIFIED &&
            (reg == arch->sp || reg > 14 || (kind != RULE_AT_CFA && kind != RULE_AT_REG)))
            abort();
    }
    init_stack(&s);
    if (row_execute(row, arch, 0x10000, &s.regs, &s.memory, &caller, &cfa) == STATUS_OK &&
        (!regs_has(&caller, arch->pc) || caller.value[arch->sp] != cfa))
        abort();
}

static void check_diag(enum status status, const struct diag *diag)
{
    if ((status == STATUS_BAD_DATA || status == STATUS_UNSUPPORTED) && !diag->what[0])
        abort();
}

static bool take_row(void *context, const struct row *row)
{
    *(struct row *)context = *row;
    return true;
}

/* The entry's row by look-up anywhere in it is that of the list. */
static void check_entry(const struct exidx *exidx, size_t index, uint64_t start_vaddr,
                        uint64_t end_vaddr)
{
    const uint64_t vaddrs[] = {start_vaddr, start_vaddr + (end_vaddr - start_vaddr) / 2,
                               end_vaddr - 1};
    struct row listed = {.cfa = {.kind = CFA_UNKNOWN}}, found;
    struct diag diag = {.has_off = false};
    enum status status = exidx_rows(exidx, index, take_row, &listed, &diag);

    check_diag(status, &diag);
    for (size_t i = 0; i < sizeof(vaddrs) / sizeof(vaddrs[0]); i++) {
        uint64_t start, end;

        if (exidx_function(exidx, vaddrs[i], &start, &end) != STATUS_OK || start != start_vaddr ||
            end != end_vaddr)
            abort();
        status = exidx_find(exidx, vaddrs[i], &found, NULL);
        if ((status == STATUS_OK) != (listed.cfa.kind != CFA_UNKNOWN))
            abort();
        if (status != STATUS_OK)
            continue;
        if (found.start_vaddr != start_vaddr || found.end_vaddr != end_vaddr ||
            !row_same_rules(&found, &listed))
            abort();
        check_row(&found);
    }
}

static void walk_index(struct elf_image *image)
{
    struct exidx *exidx;
    struct diag diag = {.has_off = false};
    uint64_t start_vaddr, end_vaddr, last_end = CODE_VADDR;
    enum status status = exidx_create_from_image(image, &exidx, &diag);

    check_diag(status, &diag);
    if (status != STATUS_OK)
        return;
    for (size_t i = 0; exidx_function_at(exidx, i, &start_vaddr, &end_vaddr) == STATUS_OK; i++) {
        if (start_vaddr < last_end || end_vaddr <= start_vaddr ||
            end_vaddr > CODE_VADDR + CODE_SIZE)
            abort();
        last_end = end_vaddr;
        if (i < ROWS_MAX)
            check_entry(exidx, i, start_vaddr, end_vaddr);
    }
    exidx_destroy(exidx);
}

/* An ELF file around the tables; NULL without memory. */
static uint8_t *make_file(const uint8_t *tables, uint32_t size, uint32_t index_off,
                          uint32_t index_size)
{
    const Elf32_Ehdr ehdr = {.e_ident = ELFMAG "\1\1\1",
                             .e_type = ET_DYN,
                             .e_machine = EM_ARM,
                             .e_version = EV_CURRENT,
                             .e_phoff = sizeof(ehdr),
                             .e_ehsize = sizeof(ehdr),
                             .e_phentsize = sizeof(Elf32_Phdr),
                             .e_phnum = 3};
    const Elf32_Phdr segments[] = {
        {PT_LOAD, 0, CODE_VADDR, 0, 0, CODE_SIZE, PF_R | PF_X, 4},
        {PT_LOAD, TABLES_OFF, TABLES_VADDR, 0, size, size, PF_R, 4},
        {PT_ARM_EXIDX, (Elf32_Off)(TABLES_OFF + index_off), TABLES_VADDR + index_off, 0, index_size,
         index_size, PF_R, 4},
    };
    uint8_t *file = malloc(TABLES_OFF + size);

    if (!file)
        return NULL;
    memcpy(file, &ehdr, sizeof(ehdr));
    memcpy(file + sizeof(ehdr), segments, sizeof(segments));
    if (size > 0)
        memcpy(file + TABLES_OFF, tables, size);
    return file;
}

/* The bytes alone, so that a read behind them is one behind an allocation. */
static void run_entry(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    struct ehabi_entry entry = {.bytes = copy, .size = size, .file = "input"};
    struct diag diag = {.has_off = false};
    struct row row;
    enum status status;

    if (!copy)
        return;
    if (size > 0)
        memcpy(copy, bytes, size);
    row_init(&row, CODE_VADDR, CODE_VADDR + 4, TRUST_EXIDX);
    status = ehabi_row(&entry, &row, &diag);
    check_diag(status, &diag);
    if (status == STATUS_OK)
        check_row(&row);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t index_off = 0, index_size;
    struct elf_image *image;
    uint8_t *file;

    if (size < HEADER || size > 1 << 20)
        return 0;
    index_size = 8u * (data[1] | (uint32_t)data[2] << 8);
    if (index_size > size - HEADER)
        index_size = (uint32_t)(size - HEADER);
    if (data[0] & 1)
        index_off = (uint32_t)(size - HEADER) - index_size;
    file = make_file(data + HEADER, (uint32_t)(size - HEADER), index_off, index_size);
    if (!file)
        return 0;
    if (elf_image_open_bytes(file, TABLES_OFF + size - HEADER, "input", &image, NULL) ==
        STATUS_OK) {
        walk_index(image);
        elf_image_close(image);
    }
    free(file);
    run_entry(data + HEADER, size - HEADER);
    return 0;
}
