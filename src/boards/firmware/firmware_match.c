/* SPDX-License-Identifier: MIT */
#include "boards/firmware/firmware_match.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "symbol/address_space.h"
#include "symbol/elf/elf_image.h"
#include "symbol/module_set.h"

#define PROT_EXECUTE 4
#define HEAD_BYTES   UINT64_C(4096) /* of a file, not compared: strip changes the ELF header */
#define CODE_LEAST   64u            /* fewer equal bytes prove nothing */
/* One byte in TOLERANCE may differ, and one instruction: debuggers set breakpoints. */
#define TOLERANCE   256u
#define CHANGED_MAX 4u
/* Mappings for which files of other names are tried: boards have few. */
#define CHOSEN_MAX 64u

static void set_differs(struct diag *why, const struct elf_image *image, const char *what,
                        uint64_t addr)
{
    diag_set(why, elf_image_path(image),
             "is not the program that the board ran: its %s, at 0x%" PRIx64, what, addr);
    diag_hint(why, "pass the right file with --elf");
}

/*
 * Returns whether the image has the board's vectors, or none there. Ignores the reset handler's
 * Thumb bit, which old snapshots lack.
 */
static bool has_vectors(const struct elf_image *image, uint64_t vaddr,
                        const struct board_space *board)
{
    uint32_t words[2];
    uint64_t avail = 0;
    const uint8_t *bytes = elf_image_bytes_at(image, vaddr, &avail);

    if (!bytes || avail < sizeof(words))
        return true;
    memcpy(words, bytes, sizeof(words));
    return words[0] == board->initial_sp && (words[1] | 1) == (board->reset_addr | 1);
}

bool firmware_contradicts(const struct elf_image *image, const struct board_space *board,
                          struct diag *why)
{
    if (!board->initial_sp || has_vectors(image, board->vectors_addr, board))
        return false;
    set_differs(why, image, "vector table differs", board->vectors_addr);
    return true;
}

static const struct elf_segment *code_at(const struct elf_image *image, uint64_t start_addr,
                                         uint64_t end_addr)
{
    const struct elf_segment *segments;
    size_t count;

    segments = elf_image_segments(image, &count);
    for (size_t i = 0; i < count; i++)
        if (segments[i].prot & PROT_EXECUTE && segments[i].vaddr < end_addr &&
            start_addr < segments[i].vaddr + segments[i].file_size)
            return &segments[i];
    return NULL;
}

/* Returns whether the image has code at a mapping of the module; *is_exact: at all, and as much. */
static bool is_there(const struct address_space *space, const struct module *module,
                     const struct elf_image *image, bool *is_exact)
{
    bool found = false;

    *is_exact = true;
    for (size_t i = 0; i < space->count; i++) {
        const struct mapping *mapping = &space->mappings[i];
        const struct elf_segment *segment;

        if (mapping->module != module)
            continue;
        segment = code_at(image, mapping->start_addr, mapping->end_addr);
        found |= segment != NULL;
        *is_exact &= segment && segment->vaddr == mapping->start_addr &&
                     segment->file_size == mapping->end_addr - mapping->start_addr;
    }
    return found;
}

/* Returns whether both have the same code. */
static bool has_same_code(const struct elf_image *a, const struct elf_image *b)
{
    const struct elf_segment *segments;
    size_t count;

    segments = elf_image_segments(a, &count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t head = segments[i].file_off ? 0 : HEAD_BYTES;
        const uint64_t vaddr = segments[i].vaddr + head;
        uint64_t avail_a = 0, avail_b = 0;
        const uint8_t *bytes_a = elf_image_bytes_at(a, vaddr, &avail_a);
        const uint8_t *bytes_b = elf_image_bytes_at(b, vaddr, &avail_b);

        if (!(segments[i].prot & PROT_EXECUTE) || segments[i].file_size <= head)
            continue;
        if (!bytes_a || !bytes_b || avail_a != avail_b ||
            memcmp(bytes_a, bytes_b, (size_t)avail_a) != 0)
            return false;
    }
    return true;
}

/*
 * Returns whether the image differs from the file at the module's path; false if that cannot be
 * read, or is not the board's.
 */
static bool differs_from_own(const struct module_set *modules, const struct board_space *board,
                             const struct module *module, const struct elf_image *image)
{
    const int fd =
        module->file.path[0] == '/' ? module_set_open_file(modules, module->file.path) : -1;
    struct elf_image *own;
    struct diag why;
    bool differs;

    if (fd < 0 || elf_image_open_fd(fd, module->file.path, &own, NULL) != STATUS_OK)
        return false;
    differs = !firmware_contradicts(own, board, &why) && !has_same_code(image, own);
    elf_image_close(own);
    return differs;
}

/* How well a given program fits the module. */
enum fit { FIT_NONE, FIT_PLACE, FIT_FULL };

static enum fit find_fit(const struct module_set *modules, const struct address_space *space,
                         const struct module *module, const struct elf_image *image,
                         struct diag *why)
{
    size_t size;
    bool is_exact;

    why->what[0] = '\0';
    elf_image_build_id(image, &size);
    if ((size && module->file.build_id_size) || !is_there(space, module, image, &is_exact))
        return FIT_NONE;
    if (firmware_contradicts(image, &space->board, why))
        return FIT_PLACE;
    if (is_exact && !differs_from_own(modules, &space->board, module, image))
        return FIT_FULL;
    diag_set(why, elf_image_path(image),
             is_exact ? "is used for %s, whose file has other code"
                      : "is used for %s, whose code was of another size",
             text_basename(module->file.path));
    return FIT_PLACE;
}

/* Returns whether a given file has the module's name or build-id: symbol/given_files.h finds it. */
static bool is_found(const struct module_set *modules, const struct module *module)
{
    struct elf_image *image;
    const uint8_t *id;
    size_t size;

    for (size_t i = 0; (image = module_set_program(modules, i)); i++) {
        id = elf_image_build_id(image, &size);
        if (strcmp(text_basename(elf_image_path(image)), text_basename(module->file.path)) == 0 ||
            (size && size == module->file.build_id_size &&
             memcmp(id, module->file.build_id, size) == 0))
            return true;
    }
    return false;
}

/* Chooses a given file of another name. */
static void choose(struct module_set *modules, const struct address_space *space,
                   struct module *module)
{
    const bool is_only = !module_set_program(modules, 1);
    struct elf_image *image;
    struct diag why;

    if (is_found(modules, module))
        return;
    for (size_t i = 0; (image = module_set_program(modules, i)); i++) {
        const enum fit fit = find_fit(modules, space, module, image, &why);

        if (fit != FIT_FULL && !(fit == FIT_PLACE && is_only))
            continue;
        module_set_choose(modules, module, i);
        module->problem = why;
        module->choice.is_doubted = fit == FIT_PLACE;
        return;
    }
}

/* Returns whether its image is a given file. */
static bool has_given_image(const struct module_set *modules, const struct module *module)
{
    const struct elf_image *image;

    for (size_t i = 0; (image = module_set_program(modules, i)); i++)
        if (strcmp(elf_image_path(image), elf_image_path(module->image)) == 0)
            return true;
    return false;
}

static void forget_bias(struct mapping *mapping)
{
    mapping->bias_state = BIAS_UNTRIED;
}

/* A chosen file lies where it was linked for, whatever the mapping's offsets. */
static void anchor(struct address_space *space, struct mapping *mapping)
{
    if (!mapping->module->choice.path || mapping->anchor == MAPPING_BIAS)
        return;
    mapping->anchor = MAPPING_BIAS;
    mapping->anchor_addr = 0;
    forget_bias(mapping);
    space->stamp = 0;
}

/* Refuses the file, or keeps the first contradiction as a warning: a given file is used anyway. */
static void contradict(struct mapping *mapping, const struct diag *why, bool is_first)
{
    struct module *module = mapping->module;

    if (is_first && !module->choice.is_insisted) {
        module_refuse_image(module, why);
        forget_bias(mapping);
    } else if (!module->problem.what[0] || module->choice.is_doubted) {
        module->problem = *why;
    }
    module->choice.is_doubted = false;
}

/* Checks the file at the vector table. `opened`: the module opened just now; NULL: none. */
static void check_vectors(struct module_set *modules, struct address_space *space,
                          const struct module *opened)
{
    const struct board_space *board = &space->board;
    struct mapping *mapping =
        board->initial_sp ? address_space_find(space, board->vectors_addr) : NULL;
    struct diag why;
    uint64_t vaddr;

    if (!mapping || mapping->module->kind != MODULE_FILE || mapping->module->state != MODULE_OPEN ||
        !mapping_vaddr(modules, mapping, board->vectors_addr, &vaddr) ||
        has_vectors(mapping->module->image, vaddr, board))
        return;
    set_differs(&why, mapping->module->image, "vector table differs", board->vectors_addr);
    contradict(mapping, &why, mapping->module == opened);
}

static bool is_untried(const struct module *module)
{
    return module->kind == MODULE_FILE && module->state == MODULE_UNTRIED;
}

void firmware_match(struct module_set *modules, struct address_space *space)
{
    for (size_t i = 0; i < space->count && i < CHOSEN_MAX; i++)
        if (is_untried(space->mappings[i].module) && !space->mappings[i].module->choice.path)
            choose(modules, space, space->mappings[i].module);
    for (size_t i = 0; i < space->count; i++)
        anchor(space, &space->mappings[i]);
    for (size_t i = 0; i < space->count; i++) {
        struct module *module = space->mappings[i].module;

        if (!is_untried(module) || module_open(modules, module) != STATUS_OK)
            continue;
        module->choice.is_insisted = has_given_image(modules, module);
        check_vectors(modules, space, module);
    }
    check_vectors(modules, space, NULL);
}

/* Counts bytes that differ. Words of zeroes or ones are unreadable or unwritten flash. */
static size_t count_different(const uint8_t *file, const uint8_t *code, size_t size, size_t *first)
{
    size_t count = 0;

    for (size_t at = 0; at + sizeof(uint32_t) <= size; at += sizeof(uint32_t)) {
        uint32_t word;

        memcpy(&word, code + at, sizeof(word));
        if (word == 0 || word == UINT32_MAX)
            continue;
        for (size_t i = at; i < at + sizeof(word); i++)
            if (file[i] != code[i] && count++ == 0)
                *first = i;
    }
    return count;
}

/* Returns whether data in a writable segment may have changed. */
static bool may_change(const struct elf_image *image, uint64_t vaddr, size_t size)
{
    return elf_image_may_change(image, vaddr) || elf_image_may_change(image, vaddr + size - 1);
}

void firmware_compare(struct module_set *modules, struct mapping *mapping,
                      const struct snap_range *code, bool is_first)
{
    struct module *module = mapping->module;
    const uint64_t end_addr =
        code->end_addr < mapping->end_addr ? code->end_addr : mapping->end_addr;
    size_t size, first = 0, count;
    const uint8_t *bytes;
    uint64_t vaddr, avail = 0;
    struct diag why;

    if (module->kind != MODULE_FILE || module->state != MODULE_OPEN ||
        code->start_addr >= end_addr ||
        !mapping_vaddr(modules, mapping, code->start_addr, &vaddr) ||
        !(bytes = elf_image_bytes_at(module->image, vaddr, &avail)))
        return;
    size = (size_t)(avail < end_addr - code->start_addr ? avail : end_addr - code->start_addr);
    if (may_change(module->image, vaddr, size))
        return;
    count = count_different(bytes, code->bytes, size, &first);
    if (count > CHANGED_MAX && count > size / TOLERANCE) {
        set_differs(&why, module->image, "code differs", code->start_addr + first);
        contradict(mapping, &why, is_first);
    } else if (count == 0 && size >= CODE_LEAST && module->choice.is_doubted) {
        module->problem.what[0] = '\0';
        module->choice.is_doubted = false;
    }
}
