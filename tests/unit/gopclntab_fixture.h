/* SPDX-License-Identifier: MIT */
/*
 * A Go program made by hand, in each layout of runtime.pclntab and for both word sizes: code at
 * FIXTURE_FIRST, the table, the tree of inlined calls, and moduledata.
 *
 *     main.main   [0x00, 0x40)   SP is 0, from 4 on 0x18, from 0x3c on 0 bytes below its start
 *                 [0x10, 0x20)   main.leaf (/b.go:30) in main.mid (/a.go:20) in main.main (:10)
 *                 [0x20, 0x28)   main.mid in main.main
 *     main.asm    [0x40, 0x80)   begins a stack, sets SP, is in assembly; nothing else is known
 */
#ifndef TESTS_GOPCLNTAB_FIXTURE_H
#define TESTS_GOPCLNTAB_FIXTURE_H

#include "elf32_fixture.h"

#include "symbol/elf/gopclntab.h"

#define GO_MAIN_SIZE 0x40
#define GO_CODE_SIZE 0x80
#define GO_SPLIT_GAP 0x20

enum go_version { GO_V1_16, GO_V1_18, GO_V1_20, GO_V1_26 };

struct go_shape {
    enum go_version version;
    unsigned word;
    bool text_in_module; /* the header does not say where the text is */
    bool is_merged;      /* the table's section has another name; the file says that it is of Go */
    bool is_split;       /* main.asm is in a section of its own, GO_SPLIT_GAP further on */
    uint32_t leaf_parent, mid_parent; /* 0: as above */
};

struct go_fixture {
    struct go_shape shape;
    uint8_t bytes[1024]; /* the table */
    size_t size;
    uint64_t vaddr, tree_vaddr;
    uint64_t funcname_off, cu_off, filetab_off, pctab_off, pcln_off, gofunc_off;
    uint32_t pcsp, pcfile, pcln, inline_tree; /* offsets in pctab */
    struct elf_fixture *elf;
};

static inline void go_put(struct go_fixture *go, uint64_t value, unsigned size)
{
    assert_true(go->size + size <= sizeof(go->bytes));
    memcpy(go->bytes + go->size, &value, size);
    go->size += size;
}

static inline void go_put_at(struct go_fixture *go, size_t off, uint64_t value, unsigned size)
{
    memcpy(go->bytes + off, &value, size);
}

static inline uint32_t go_text(struct go_fixture *go, uint64_t part_off, const char *text)
{
    uint32_t off = (uint32_t)(go->size - part_off);

    memcpy(go->bytes + go->size, text, strlen(text) + 1);
    go->size += strlen(text) + 1;
    return off;
}

static inline void go_align(struct go_fixture *go)
{
    while (go->size % 8 != 0)
        go_put(go, 0, 1);
}

static inline void go_varint(struct go_fixture *go, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        go_put(go, (value & 0x7f) | 0x80, 1);
    go_put(go, value, 1);
}

/* Pairs of a value and the offset in the function up to which it holds, to the function's end. */
static inline uint32_t go_values(struct go_fixture *go, const int32_t (*pairs)[2])
{
    uint32_t off = (uint32_t)(go->size - go->pctab_off), at = 0;
    int32_t last = -1;

    for (; at < GO_MAIN_SIZE; pairs++) {
        int32_t change = (*pairs)[0] - last;

        go_varint(go, ((uint32_t)change << 1) ^ (change < 0 ? UINT32_MAX : 0));
        go_varint(go, (uint32_t)(*pairs)[1] - at);
        last = (*pairs)[0];
        at = (uint32_t)(*pairs)[1];
    }
    go_put(go, 0, 1);
    return off;
}

static inline unsigned go_entry_size(const struct go_fixture *go)
{
    return go->shape.version == GO_V1_16 ? go->shape.word : 4;
}

static inline uint64_t go_entry(const struct go_fixture *go, uint32_t off)
{
    return go->shape.version == GO_V1_16 ? FIXTURE_FIRST + off : off;
}

/* struct _func up to the number of funcdata. */
static inline void go_func(struct go_fixture *go, uint32_t entry, uint32_t name, bool is_main)
{
    go_put(go, go_entry(go, entry), go_entry_size(go));
    go_put(go, name, 4);
    go_put(go, 0, 8); /* args, deferreturn */
    go_put(go, is_main ? go->pcsp : 0, 4);
    go_put(go, is_main ? go->pcfile : 0, 4);
    go_put(go, is_main ? go->pcln : 0, 4);
    go_put(go, is_main ? 3 : 0, 4);
    go_put(go, 0, 4); /* cuOffset */
    if (go->shape.version >= GO_V1_20)
        go_put(go, 1, 4);
    go_put(go, 0, 1);
    go_put(go, is_main ? 0 : GO_FUNCTION_TOP | GO_FUNCTION_SP_WRITE | GO_FUNCTION_ASM, 1);
    go_put(go, 0, 1);
    go_put(go, is_main ? 4 : 0, 1);
}

static inline void go_main_data(struct go_fixture *go)
{
    go_put(go, 0, 8);
    go_put(go, go->inline_tree, 4);
    if (go->shape.version == GO_V1_16) {
        while ((go->vaddr + go->size) % go->shape.word != 0)
            go_put(go, 0, 1);
        for (unsigned i = 0; i < 3; i++)
            go_put(go, 0, go->shape.word);
        go_put(go, go->tree_vaddr, go->shape.word);
    } else {
        go_put(go, UINT64_MAX, 8);
        go_put(go, UINT32_MAX, 4);
        go_put(go, 0, 4);
    }
}

static inline void go_tree(struct go_fixture *go, uint8_t *out, size_t *size, uint32_t mid_name,
                           uint32_t leaf_name)
{
    uint32_t parents[2] = {go->shape.mid_parent ? go->shape.mid_parent : 0x08,
                           go->shape.leaf_parent ? go->shape.leaf_parent : 0x24};
    uint32_t names[2] = {mid_name, leaf_name};
    size_t name_off = go->shape.version >= GO_V1_20 ? 4 : 12;

    *size = go->shape.version >= GO_V1_20 ? 16 : 20;
    memset(out, 0, 2 * *size);
    for (size_t i = 0; i < 2; i++) {
        memcpy(out + i * *size + name_off, &names[i], 4);
        memcpy(out + i * *size + name_off + 4, &parents[i], 4);
    }
    *size *= 2;
}

static inline void go_header(struct go_fixture *go)
{
    static const uint32_t magic[] = {0xfffffffa, 0xfffffff0, 0xfffffff1, 0xfffffff1};
    const struct go_shape *shape = &go->shape;

    go_put(go, magic[shape->version], 4);
    go_put(go, 0, 2);
    go_put(go, 1, 1);
    go_put(go, shape->word, 1);
    go_put(go, 2, shape->word);
    go_put(go, 2, shape->word);
    if (shape->version != GO_V1_16)
        go_put(go, shape->text_in_module ? 0 : FIXTURE_FIRST, shape->word);
    for (unsigned i = 0; i < 5; i++)
        go_put(go, 0, shape->word); /* the parts: go_parts */
}

static inline void go_parts(struct go_fixture *go)
{
    const uint64_t parts[] = {go->funcname_off, go->cu_off, go->filetab_off, go->pctab_off,
                              go->pcln_off};
    size_t at = 8 + (go->shape.version == GO_V1_16 ? 2U : 3U) * go->shape.word;

    for (size_t i = 0; i < 5; i++)
        go_put_at(go, at + i * go->shape.word, parts[i], go->shape.word);
}

static inline void go_functab(struct go_fixture *go, uint32_t main_name, uint32_t asm_name)
{
    size_t functab, func_off[2];
    unsigned size = go_entry_size(go);

    go_align(go);
    functab = go->pcln_off = go->size;
    for (unsigned i = 0; i < 5; i++)
        go_put(go, 0, size);
    go_align(go);
    func_off[0] = go->size - functab;
    go_func(go, 0, main_name, true);
    go_main_data(go);
    go_align(go);
    func_off[1] = go->size - functab;
    go_func(go, GO_MAIN_SIZE, asm_name, false);
    go_align(go);
    for (unsigned i = 0; i < 2; i++) {
        go_put_at(go, functab + 2 * i * size, go_entry(go, i * GO_MAIN_SIZE), size);
        go_put_at(go, functab + (2 * i + 1) * size, func_off[i], size);
    }
    go_put_at(go, functab + 4 * size, go_entry(go, GO_CODE_SIZE), size);
}

#define GO_TEXTS_OFF 64 /* of textsectmap, behind the beginning of the tree */

static inline void go_texts(const struct go_fixture *go, uint8_t *out)
{
    const uint64_t words[] = {0,
                              GO_MAIN_SIZE,
                              FIXTURE_FIRST,
                              GO_MAIN_SIZE,
                              GO_CODE_SIZE,
                              FIXTURE_FIRST + GO_MAIN_SIZE + GO_SPLIT_GAP};

    for (unsigned i = 0; i < 6; i++)
        memcpy(out + i * go->shape.word, &words[i], go->shape.word);
}

/* The words of moduledata up to the count of textsectmap. */
static inline void go_module(const struct go_fixture *go, uint8_t *out)
{
    static const unsigned gofunc[] = {38, 38, 40, 43}; /* the last one is somewhere else */
    const uint64_t parts[] = {
        0, go->funcname_off, go->cu_off, go->filetab_off, go->pctab_off, go->pcln_off};
    unsigned at = gofunc[go->shape.version];
    uint64_t words[60] = {0};

    words[0] = go->vaddr;
    for (unsigned i = 1; i < 6; i++)
        words[i * 3 - 2] = go->vaddr + parts[i];
    words[22] = FIXTURE_FIRST;
    words[at] = go->shape.version == GO_V1_26 ? go->vaddr + go->gofunc_off : go->tree_vaddr;
    if (go->shape.version == GO_V1_26) {
        words[19] = go->vaddr + go->gofunc_off;
        words[at + 1] = go->vaddr + go->size;
    }
    if (go->shape.is_split) {
        at += go->shape.version == GO_V1_26 ? 2 : 1;
        words[at] = go->tree_vaddr + GO_TEXTS_OFF;
        words[at + 1] = 2;
    }
    for (unsigned i = 0; i < 60; i++)
        memcpy(out + i * go->shape.word, &words[i], go->shape.word);
}

/* What is in the table; the tree's address is known, the table's too. */
static inline void go_table(struct go_fixture *go, uint8_t *tree, size_t *tree_size)
{
    static const int32_t pcsp[][2] = {{0, 4}, {0x18, 0x3c}, {0, 0x40}};
    static const int32_t pcfile[][2] = {{0, 0x10}, {1, 0x20}, {0, 0x40}};
    static const int32_t pcln[][2] = {{10, 0x10}, {30, 0x20}, {20, 0x28}, {11, 0x40}};
    static const int32_t inlined[][2] = {{-1, 0x10}, {1, 0x20}, {0, 0x28}, {-1, 0x40}};
    uint32_t names[4];

    go->size = 0;
    go_header(go);
    go->funcname_off = go->size;
    names[0] = go_text(go, go->funcname_off, "main.main");
    names[1] = go_text(go, go->funcname_off, "main.mid");
    names[2] = go_text(go, go->funcname_off, "main.leaf");
    names[3] = go_text(go, go->funcname_off, "main.asm");
    go_align(go);
    go->cu_off = go->size;
    go_put(go, 0, 4);
    go_put(go, 6, 4);
    go->filetab_off = go->size;
    go_text(go, go->filetab_off, "/a.go");
    go_text(go, go->filetab_off, "/b.go");
    go->pctab_off = go->size;
    go_put(go, 0, 1);
    go->pcsp = go_values(go, pcsp);
    go->pcfile = go_values(go, pcfile);
    go->pcln = go_values(go, pcln);
    go->inline_tree = go_values(go, inlined);
    go_functab(go, names[0], names[3]);
    go_parts(go);
    go_tree(go, tree, tree_size, names[1], names[2]);
    go->gofunc_off = go->size;
    if (go->shape.version == GO_V1_26) {
        memcpy(go->bytes + go->size, tree, *tree_size);
        go->size += *tree_size;
    }
}

static inline void go_fixture_init(struct go_fixture *go, const struct go_shape *shape)
{
    uint8_t tree[128] = {0}, module[60 * 8] = {0};
    size_t tree_size, module_size = (size_t)60 * shape->word;
    uint64_t module_off;

    *go = (struct go_fixture){.shape = *shape};
    go->elf = fixture_create(shape->word == 8 ? EM_X86_64 : EM_ARM);
    fixture_text(go->elf, GO_CODE_SIZE + GO_SPLIT_GAP);
    if (shape->is_merged)
        fixture_section(go->elf, ".go.buildinfo", SHT_PROGBITS, SHF_ALLOC, "\xff Go", 4);
    go->tree_vaddr = FIXTURE_BASE + go->elf->size;
    module_off = go->elf->size + sizeof(tree);
    go->vaddr = FIXTURE_BASE + module_off + ((module_size + 15) & ~(size_t)15);
    go_table(go, tree, &tree_size);
    go_module(go, module);
    go_texts(go, tree + GO_TEXTS_OFF);
    fixture_section(go->elf, ".rodata", SHT_PROGBITS, SHF_ALLOC, tree, sizeof(tree));
    fixture_section(go->elf, ".noptrdata", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, module,
                    module_size);
    fixture_segment(go->elf, PT_LOAD, PF_R | PF_W, module_off, FIXTURE_BASE + module_off,
                    module_size);
}

/* Adds the table, or as much of it as is given. */
static inline void go_fixture_add(struct go_fixture *go, size_t size)
{
    assert_int_equal(FIXTURE_BASE + go->elf->size, go->vaddr);
    fixture_section(go->elf, go->shape.is_merged ? ".data.rel.ro" : ".gopclntab", SHT_PROGBITS,
                    SHF_ALLOC, go->bytes, size);
}

static inline struct elf_image *go_fixture_open(struct go_fixture *go)
{
    if (go->shape.word == 8)
        fixture_finish(go->elf);
    else
        fixture_finish32(go->elf);
    return fixture_open(go->elf);
}

#endif
