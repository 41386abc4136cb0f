/* SPDX-License-Identifier: MIT */
/* Finds modules' files in the input: the bytes of a CODE record, and the files that it carries. */
#include "symbol/finder.h"

#include "symbol/offers.h"

static void find_code(const struct file_search *search, struct file_found *found)
{
    const struct module *module = search->module;
    struct elf_image *image;

    found->place = IMAGE_IN_INPUT;
    if (!module->code || elf_image_open_bytes(module->code, module->code_size, module->file.path,
                                              &image, &found->problem) != STATUS_OK)
        return;
    if (finder_is_for(image, search->options->arch, &found->problem))
        found->image = image;
    else
        elf_image_close(image);
}

const struct file_finder finder_code = {.kinds = FINDS(MODULE_VDSO), .find = find_code};

static void find_offered(const struct file_search *search, struct file_found *found)
{
    const struct offer wanted = offer_wanted(OFFER_MODULE, &search->module->file);
    struct elf_image *image;
    struct diag problem = {.what = ""};
    enum status status = offers_open(search->options->offers, &wanted, &image, &problem);

    found->place = IMAGE_IN_INPUT;
    if (status == STATUS_OK)
        finder_take(search, image, found);
    else if (status != STATUS_NOT_FOUND)
        finder_tell(found, &problem);
}

const struct file_finder finder_offered = {.kinds = FINDS(MODULE_FILE), .find = find_offered};
