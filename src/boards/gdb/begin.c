/* SPDX-License-Identifier: MIT */
#include "boards/gdb/begin.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "boards/gdb/board.h"
#include "boards/gdb/file_check.h"
#include "boards/gdb/link.h"
#include "boards/gdb/link_map.h"
#include "boards/gdb/modules.h"
#include "boards/gdb/registers.h"
#include "boards/gdb/tasks.h"

#define AUXV_MAX 4096u
#define PAGE     UINT64_C(4096)

/* Reads a document of the stub's, for features.c. */
static enum status read_document(void *context, const char *annex, struct gdb_xml_flat *out)
{
    struct gdb_state *st = context;

    return st->offers.features ? gdb_link_read_xml(&st->client, "features", annex, out)
                               : STATUS_NOT_FOUND;
}

static enum status refuse_arch(struct gdb_state *st, struct diag *diag)
{
    diag_set(diag, st->client.name, "the stub does not tell an architecture that is known here%s%s",
             st->features.architecture[0] ? ": " : "", st->features.architecture);
    diag_hint(diag, "name what it runs with -e FILE");
    return STATUS_UNSUPPORTED;
}

static enum status choose_arch(struct gdb_state *st, struct diag *diag)
{
    enum status status = gdb_features_read(&st->features, read_document, st);

    if (status != STATUS_OK && status != STATUS_NOT_FOUND) {
        diag_set(diag, st->client.name, "cannot read the stub's documents: %s",
                 status_name(status));
        return status;
    }
    st->arch = gdb_registers_arch(&st->features);
    if (!st->arch && st->options->firmware_count && !st->features.architecture[0])
        st->arch = gdb_modules_arch(st->options->firmware[0].path, diag);
    if (!st->arch)
        return refuse_arch(st, diag);
    if (!st->features.count && !gdb_registers_classic(st->arch, &st->features))
        return refuse_arch(st, diag);
    if (gdb_registers_map(&st->features, st->arch, &st->layout))
        return STATUS_OK;
    diag_set(diag, st->client.name, "the stub's registers have no PC or no stack pointer");
    return STATUS_UNSUPPORTED;
}

/* Reads what only a process has: auxiliary vector and file. */
static void read_program(struct gdb_state *st)
{
    char *text;
    size_t size;

    if (!st->offers.auxv || gdb_is_m_profile(st) ||
        gdb_link_read(&st->client, "auxv", "", &text, &size) != STATUS_OK)
        return;
    st->is_linux = true;
    st->auxv = (uint8_t *)text;
    st->auxv_size = size < AUXV_MAX ? size : AUXV_MAX;
    if (st->offers.exec_file &&
        gdb_link_read(&st->client, "exec-file", "", &text, &size) == STATUS_OK)
        st->exe = text;
}

/* AT_EXECFN: the program's name lies at the end of the first stack. */
static void find_name(struct gdb_state *st)
{
    char name[GDB_LINK_NAME_MAX];
    uint64_t name_addr;

    if (!gdb_modules_auxv(st, AT_EXECFN, &name_addr) || name_addr > UINT64_MAX - 2 * PAGE)
        return;
    st->stack_top_addr = (name_addr | (PAGE - 1)) + 1;
    if (st->exe || !gdb_link_map_string(st, name_addr, name, sizeof(name)))
        return;
    st->exe = realpath(name, NULL); /* for an emulator that runs on this machine */
    if (!st->exe)
        st->exe = strdup(name);
}

static void read_memory_map(struct gdb_state *st)
{
    struct gdb_xml_flat document = {.size = 0};

    if (!st->offers.memory_map || st->is_linux ||
        gdb_link_read_xml(&st->client, "memory-map", "", &document) != STATUS_OK ||
        gdb_memory_map_parse(&document, &st->memory_map) != STATUS_OK)
        st->memory_map.count = 0;
    gdb_xml_free(&document);
}

/* Checks that there is a target, and that it is stopped. */
static enum status find_stopped(struct gdb_state *st, struct diag *diag)
{
    enum status status = gdb_client_ask(&st->client, "?");

    if (status != STATUS_OK)
        return status;
    gdb_stop_parse(st->client.reply, &st->control.stop);
    if (st->control.stop.kind == GDB_STOP_SIGNAL)
        return STATUS_OK;
    diag_set(diag, st->client.name,
             "the stub has no target that could be stopped (it says '%.40s')", st->client.reply);
    diag_hint(diag, "is the board powered, and examined by its debug server?");
    return STATUS_NOT_FOUND;
}

static void describe_board(struct gdb_state *st)
{
    const bool is_riscv = st->layout.mstatus.is_there && !st->is_linux;

    st->board.machine = st->features.architecture;
    st->board.time_ns = clock_now_ns();
    st->board.profile = gdb_is_m_profile(st) ? SNAP_PROFILE_ARM_M
                        : is_riscv           ? SNAP_PROFILE_RISCV
                                             : SNAP_PROFILE_NONE;
    (void)gdb_board_look(st);
}

static void find_code(struct gdb_state *st)
{
    struct gdb_registers regs;

    gdb_modules_refresh(st);
    if (!st->modules.count && gdb_registers_read(st, &regs) == STATUS_OK)
        gdb_modules_guess(st, regs.values[st->arch->pc]);
}

static struct target_machine machine_of(const struct gdb_state *st)
{
    const bool is_tagged =
        st->arch->goroutine != REG_NONE && st->arch->lr != REG_NONE && st->arch->word_size == 8;
    uint64_t mask = st->arch->word_size == 4 ? UINT32_MAX : UINT64_MAX;

    if (is_tagged && st->is_linux) /* Linux ignores an address's top byte */
        mask >>= 8;
    return (struct target_machine){.arch = st->arch,
                                   .page_size = PAGE,
                                   .addr_mask = mask,
                                   .red_zone = st->is_linux ? st->arch->red_zone : 0,
                                   /* a CPU runs; an RTOS tells ready tasks */
                                   .tells_ready = !st->is_linux,
                                   .code_stays = true};
}

enum status gdb_begin(struct gdb_state *st, struct target_machine *machine, struct diag *diag)
{
    uint64_t since_ns = clock_now_ns();
    enum status status = gdb_link_begin(&st->client, &st->offers);

    if (st->client.io.pid) /* the command had to start first */
        since_ns = clock_now_ns();
    gdb_control_init(&st->control, &st->client, st->options->halt_budget, since_ns);
    if (status == STATUS_OK)
        status = find_stopped(st, diag);
    if (status == STATUS_OK)
        status = choose_arch(st, diag);
    if (status != STATUS_OK)
        return status;
    read_program(st);
    find_name(st);
    read_memory_map(st);
    st->control.has_vcont = gdb_link_has_vcont(&st->client);
    st->control.passes_signals = st->is_linux;
    describe_board(st);
    status = gdb_modules_add_firmware(st, diag);
    if (status != STATUS_OK)
        return status;
    find_code(st);
    if (!st->is_linux)
        gdb_file_check(st, diag);
    *machine = machine_of(st);
    status = gdb_tasks_begin(st, diag);
    if (st->is_linux)
        gdb_control_find_signalled(&st->control, st->pid);
    return st->client.has_failed ? STATUS_IO : status;
}
