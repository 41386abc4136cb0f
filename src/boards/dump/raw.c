/* SPDX-License-Identifier: MIT */
#include "boards/dump/raw.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/analysis/analysis.h"
#include "base/vec.h"
#include "boards/dump/dump.h"
#include "boards/dump/registers.h"

#define PART_SIZE 65536u

/* Reads a whole file of at most `most` bytes. */
static enum status read_file(const struct raw_file *file, uint64_t most, uint8_t **bytes,
                             size_t *size, struct diag *diag)
{
    size_t cap = 0;
    ssize_t n;

    *bytes = NULL;
    *size = 0;
    for (;;) {
        if (vec_reserve(bytes, &cap, *size + PART_SIZE, 1) != STATUS_OK)
            return STATUS_NO_MEMORY;
        n = read(file->fd, *bytes + *size, PART_SIZE);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            diag_set(diag, file->name, "%s", strerror(errno));
            return STATUS_IO;
        }
        if (n == 0)
            return STATUS_OK;
        *size += (size_t)n;
        if (*size > most) {
            diag_set(diag, file->name,
                     "is larger than %" PRIu64 " bytes, which is more than is read", most);
            return STATUS_BAD_DATA;
        }
    }
}

static enum status read_registers(const struct raw_dump *raw, struct dump *dump, struct diag *diag)
{
    uint8_t *text;
    size_t size;
    enum status status = read_file(&raw->registers, REGISTERS_TEXT_MAX, &text, &size, diag);

    if (status == STATUS_OK)
        status = registers_read((const char *)text, size, raw->arch, raw->registers.name,
                                &dump->regs, &dump->system_regs, diag);
    free(text);
    return status;
}

static enum status add_memory(const struct raw_dump *raw, const struct raw_file *file,
                              struct dump *dump, uint8_t **bytes, struct diag *diag)
{
    const uint64_t limit = raw->arch->word_size == 4 ? UINT64_C(1) << 32 : UINT64_MAX;
    size_t size;
    enum status status = read_file(file, DUMP_BYTES_MAX - dump->memory.size, bytes, &size, diag);

    if (status != STATUS_OK)
        return status;
    if (size == 0 || file->addr >= limit || size > limit - file->addr) {
        diag_set(diag, file->name, size ? "does not fit into memory at 0x%" PRIx64 : "is empty",
                 file->addr);
        return STATUS_BAD_DATA;
    }
    return dump_memory_add(&dump->memory, &(struct dump_block){.start_addr = file->addr,
                                                               .end_addr = file->addr + size,
                                                               .limit_addr = file->addr + size,
                                                               .bytes = *bytes});
}

static void find_profile(struct dump *dump, const struct arch *arch)
{
    const struct board_arch *board = arch_analysis(arch)->board;
    uint8_t profile;

    if (!board)
        return;
    profile = board->profile;
    (void)!board->sign(&dump->regs, &profile);
    dump->board.profile = profile;
}

enum status raw_source_open(const struct raw_dump *raw, struct snap_source **out, struct diag *diag)
{
    struct dump *dump = calloc(1, sizeof(*dump));
    uint8_t **bytes = calloc(raw->file_count + 1, sizeof(*bytes));
    enum status status = dump && bytes ? read_registers(raw, dump, diag) : STATUS_NO_MEMORY;

    for (size_t i = 0; i < raw->file_count && status == STATUS_OK; i++)
        status = add_memory(raw, &raw->files[i], dump, &bytes[i], diag);
    if (status == STATUS_OK) {
        find_profile(dump, raw->arch);
        status = dump_open(dump, raw->arch, out);
    } else {
        dump_free(dump);
    }
    for (size_t i = 0; bytes && i < raw->file_count; i++)
        free(bytes[i]);
    free(bytes);
    if (status != STATUS_OK)
        return status;
    (*out)->format = "memory and registers";
    if (dump->memory.has_overlaps)
        diag_set(source_note(*out), raw->registers.name,
                 "files of memory overlap: what comes first is believed");
    return STATUS_OK;
}
