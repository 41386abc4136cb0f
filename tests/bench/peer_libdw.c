/* SPDX-License-Identifier: MIT */
/*
 * elfutils' unwinder on recorded samples: modules are reported once, and the thread callbacks give
 * each sample's registers and stack. (perf makes a new Dwfl for each sample; this is kinder.)
 */
#include <elfutils/libdwfl.h>
#include <stdlib.h>

#include "peer.h"
#include "symbol/address_space.h"
#include "symbol/module_set.h"

#define REGISTERS 17 /* rax … r15, rip: as DWARF numbers them, as struct regs does */

struct libdw {
    Dwfl *dwfl;
    const struct snap_sample *sample;
    struct peer_chain *chain;
};

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static pid_t next_thread(Dwfl *dwfl, void *self, void **thread_arg)
{
    (void)dwfl, (void)self, (void)thread_arg;
    return 0; /* threads are asked for by number */
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *self, void **thread_arg)
{
    (void)dwfl, (void)tid;
    *thread_arg = self;
    return true;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *result, void *self)
{
    struct libdw *libdw = self;

    (void)dwfl;
    return sample_word(libdw->sample, addr, result);
}

static bool set_registers(Dwfl_Thread *thread, void *self)
{
    struct libdw *libdw = self;

    return dwfl_thread_state_registers(thread, 0, REGISTERS, libdw->sample->regs.value);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
    .next_thread = next_thread,
    .get_thread = get_thread,
    .memory_read = memory_read,
    .set_initial_registers = set_registers,
};

static int on_frame(Dwfl_Frame *frame, void *self)
{
    struct peer_chain *chain = ((struct libdw *)self)->chain;
    Dwarf_Addr pc;
    bool is_activation;

    if (!dwfl_frame_pc(frame, &pc, &is_activation) || chain->count == PEER_DEPTH_MAX)
        return DWARF_CB_ABORT;
    if (chain->pcs)
        chain->pcs[chain->count] = pc;
    chain->count++;
    return DWARF_CB_OK;
}

/* Each file once, where its load bias says. */
static void report(Dwfl *dwfl, const struct recording *recording)
{
    const struct module_options options = {.arch = recording->arch};
    struct address_space space;
    struct module_set *set;
    uint64_t vaddr;

    if (module_set_create(&options, &set) != STATUS_OK)
        bench_die("out of memory");
    recording_space(recording, set, &space);
    dwfl_report_begin(dwfl);
    for (size_t i = 0; i < space.count; i++) {
        struct mapping *mapping = &space.mappings[i];
        const struct module *module = mapping->module;

        if (module->kind != MODULE_FILE ||
            !mapping_vaddr(set, mapping, mapping->start_addr, &vaddr))
            continue;
        if (!recording_seen(&space, i) &&
            !dwfl_report_elf(dwfl, module->file.path, module->file.path, -1,
                             mapping->start_addr - vaddr, true))
            bench_die("libdw: %s: %s", module->file.path, dwfl_errmsg(-1));
    }
    dwfl_report_end(dwfl, NULL, NULL);
    address_space_deinit(&space);
    module_set_destroy(set);
}

static void *create(const struct recording *recording)
{
    struct libdw *libdw = bench_alloc(1, sizeof(*libdw));

    libdw->dwfl = dwfl_begin(&callbacks);
    if (!libdw->dwfl)
        bench_die("libdw: %s", dwfl_errmsg(-1));
    report(libdw->dwfl, recording);
    if (!dwfl_attach_state(libdw->dwfl, NULL, (pid_t)recording->pid, &thread_callbacks, libdw))
        bench_die("libdw: %s", dwfl_errmsg(-1));
    return libdw;
}

static void destroy(void *self)
{
    struct libdw *libdw = self;

    dwfl_end(libdw->dwfl);
    free(libdw);
}

static void unwind(void *self, const struct recorded *recorded, enum peer_mode mode,
                   struct peer_chain *chain)
{
    struct libdw *libdw = self;

    (void)mode;
    libdw->sample = &recorded->sample;
    libdw->chain = chain;
    chain->count = 0;
    /* What it returns tells how the chain ended: what was found is in `chain`. */
    dwfl_getthread_frames(libdw->dwfl, (pid_t)recorded->sample.tid, on_frame, libdw);
}

const struct peer peer_libdw = {.name = "libdw",
                                .create = create,
                                .destroy = destroy,
                                .unwind = unwind};
