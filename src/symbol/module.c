/* SPDX-License-Identifier: MIT */
#include "symbol/module.h"

#include <stdlib.h>
#include <string.h>

#include "symbol/elf/dynamic.h"

struct module *module_create(enum module_kind kind, const struct file_identity *file)
{
    struct module *module = calloc(1, sizeof(*module));

    if (!module)
        return NULL;
    module->kind = kind;
    if (file_identity_copy(file, &module->file) != STATUS_OK) {
        free(module);
        return NULL;
    }
    return module;
}

void module_destroy(struct module *module)
{
    lazy_parts_deinit(&module->parts);
    elf_image_close(module->refused);
    elf_image_close(module->image);
    pool_deinit(&module->jit_names);
    free(module->kernel.symbol);
    free(module->code);
    free(module->pieces);
    file_identity_deinit(&module->file);
    free(module);
}

bool module_has_build_id(const struct module *module, const struct elf_image *image)
{
    size_t size;
    const uint8_t *id = elf_image_build_id(image, &size);

    return size > 0 && size == module->file.build_id_size &&
           memcmp(id, module->file.build_id, size) == 0;
}

bool module_changes_text(const struct module *module)
{
    return module->image && dynamic_relocates_text(module->image);
}

void module_note(struct module *module, const struct diag *why)
{
    if (!module->problem.what[0])
        module->problem = *why;
}

void module_refuse(struct module *module, const struct diag *why)
{
    if (module->state == MODULE_REFUSED)
        return;
    module->state = MODULE_REFUSED;
    module->problem = *why;
}

void module_refuse_image(struct module *module, const struct diag *why)
{
    module->refused = module->image;
    module->image = NULL;
    module->state = MODULE_REFUSED;
    module->problem = *why;
}

enum status module_set_code(struct module *module, const uint8_t *bytes, size_t size)
{
    if (module->code || size == 0)
        return STATUS_OK;
    module->code = malloc(size);
    if (!module->code)
        return STATUS_NO_MEMORY;
    memcpy(module->code, bytes, size);
    module->code_size = size;
    if (module->state == MODULE_MISSING)
        module->state = MODULE_UNTRIED;
    return STATUS_OK;
}

enum status module_add_piece(const struct mapping *mapping, uint64_t addr, const uint8_t *bytes,
                             size_t size)
{
    struct module *module = mapping->module;
    struct file_pieces *pieces = module->pieces;

    if (module->state != MODULE_UNTRIED || size != FILE_PIECE_SIZE)
        return STATUS_OK;
    if (!pieces && !(pieces = module->pieces = calloc(1, sizeof(*pieces))))
        return STATUS_NO_MEMORY;
    if (pieces->count == FILE_PIECES)
        return STATUS_OK;
    pieces->off[pieces->count] = mapping->file_off + (addr - mapping->start_addr);
    memcpy(pieces->bytes[pieces->count++], bytes, size);
    return STATUS_OK;
}

enum status module_set_kernel(struct module *module, const char *symbol, uint64_t symbol_addr,
                              bool is_this)
{
    struct module_kernel *kernel = &module->kernel;

    if (kernel->symbol)
        return STATUS_OK;
    *kernel = (struct module_kernel){.symbol = strdup(symbol ? symbol : ""),
                                     .symbol_addr = symbol_addr,
                                     .is_this = is_this};
    return kernel->symbol ? STATUS_OK : STATUS_NO_MEMORY;
}
