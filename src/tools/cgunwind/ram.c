/* SPDX-License-Identifier: MIT */
/* cgunwind --ram and --regs: a board's memory in files, in place of a snapshot. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boards/dump/raw.h"
#include "symbol/elf/elf_image.h"
#include "tools/cgunwind/session.h"

bool session_is_ram(const struct session *s, const char *path)
{
    return s->options->ram_count && path == s->options->regs;
}

/*
 * Returns the architecture of the first --elf file that can be opened, as the memory does not tell
 * it. NULL: `diag` says why.
 */
static const struct arch *find_arch(const struct cgunwind_options *o, struct diag *diag)
{
    const struct arch *arch = NULL;

    diag_set(diag, o->regs, "--ram and --regs need the program, which tells the architecture");
    diag_hint(diag, "give it with --elf firmware.elf");
    for (size_t i = 0; i < o->modules.elf_file_count && !arch; i++) {
        struct elf_image *image;

        if (elf_image_open(o->elf_files[i], &image, diag) != STATUS_OK)
            continue;
        arch = elf_image_arch(image);
        elf_image_close(image);
    }
    return arch;
}

static enum status open_file(const char *path, uint64_t addr, struct raw_file *out,
                             struct diag *diag)
{
    *out = (struct raw_file){.fd = open(path, O_RDONLY | O_CLOEXEC), .name = path, .addr = addr};
    if (out->fd >= 0)
        return STATUS_OK;
    diag_set(diag, path, "%s", strerror(errno));
    return STATUS_IO;
}

enum status session_open_ram(const struct session *s, struct snap_source **out, struct diag *diag)
{
    const struct cgunwind_options *o = s->options;
    struct raw_file files[RAM_FILES_MAX];
    struct raw_dump raw = {.files = files, .registers = {.fd = -1}, .arch = find_arch(o, diag)};
    enum status status = STATUS_UNSUPPORTED;

    if (raw.arch)
        status = open_file(o->regs, 0, &raw.registers, diag);
    for (; status == STATUS_OK && raw.file_count < o->ram_count; raw.file_count++)
        status = open_file(o->ram[raw.file_count].path, o->ram[raw.file_count].addr,
                           &files[raw.file_count], diag);
    if (status == STATUS_OK)
        status = raw_source_open(&raw, out, diag);
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, o->regs, "%s", status_name(status));
    for (size_t i = 0; i < raw.file_count; i++)
        if (files[i].fd >= 0)
            close(files[i].fd);
    if (raw.registers.fd >= 0)
        close(raw.registers.fd);
    return status;
}
