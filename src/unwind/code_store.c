/* SPDX-License-Identifier: MIT */
#include "unwind/code_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/analysis/insn.h"
#include "base/map.h"
#include "base/vec.h"
#include "snapshot/code_pages.h"
#include "runtime/jit/jit_map.h"
#include "unwind/code/absent.h"
#include "unwind/code/code_window.h"
#include "unwind/module_rows.h"

#define CHUNK_BYTES     UINT64_C(65536)
#define WINDOW_BEFORE   UINT64_C(65536) /* of code before a chunk, where its functions begin … */
#define WINDOW_AFTER    UINT64_C(16384) /* … and behind, where they end */
#define WINDOWS_CACHED  8
#define ROWS_MAX        100000 /* of one module; at more all cached ones are dropped */
#define UNKNOWN_MAX     4096
#define VADDR_MAX       (UINT64_MAX - (UINT64_C(1) << 20)) /* sums of addresses do not wrap */
#define SIGRETURN_BYTES 32
#define CALL_BYTES      16
#define ANALYSED_BYTES  (UINT64_C(8) << 20) /* in all windows, and more … */
#define ANALYSED_A_BYTE 32                  /* … for each byte of code that was added */
#define ANALYSIS_BYTES  UINT64_C(16384)     /* least that an analysis counts */

struct code_store { /* of a file, or of one mapping */
    struct module *module;
    uint64_t boundary_vaddr; /* start of the mapping: no code is before */
    struct map chunk_index;  /* vaddr / CHUNK_BYTES -> index into chunks */
    struct code_pages *chunks;
    size_t chunk_count, chunk_cap;
    struct map answers; /* vaddr -> index into rows */
    struct row *rows;
    size_t row_count, row_cap;
    struct map unknown; /* vaddr without a row, until code is added */
    uint64_t asked;     /* `told` of the stores for which `unknown` is valid */
    bool given_up;      /* noted in the module's `problem` */
};

/* The known functions in a window. */
struct made_list {
    uint64_t addr_less_vaddr; /* of the mapping */
    struct vaddr_range *ranges;
    size_t count, cap;
};

struct analysed {             /* a cached analysis of a window */
    struct module_rows *rows; /* NULL: unused */
    size_t store;
    uint64_t chunk;
    uint64_t known; /* bytes of code when it was made */
    uint64_t told;  /* `told` of the stores when it was made */
};

struct code_stores {
    struct module_set *set;
    const struct arch *arch;
    const struct insn_set *insns[2]; /* by mode; T32 on ARM only */
    struct code_store *items;        /* [0] is unused */
    size_t count, cap;
    struct map by_module; /* id of a module with build-id -> index into items */
    struct analysed windows[WINDOWS_CACHED];
    unsigned next_window;
    uint64_t told; /* number of code_stores_ask_again */
    uint64_t bytes, given_bytes, analysed_bytes;
    size_t chunk_count;
};

enum status code_stores_create(struct module_set *set, const struct arch *arch,
                               struct code_stores **out)
{
    const struct insn_set *insns = insn_set_for(arch, CODE_DEFAULT);
    struct code_stores *stores;

    if (!insns)
        return STATUS_UNSUPPORTED;
    stores = calloc(1, sizeof(*stores));
    if (!stores)
        return STATUS_NO_MEMORY;
    stores->set = set;
    stores->arch = arch;
    stores->insns[CODE_DEFAULT] = insns;
    stores->insns[CODE_T32] = insn_set_for(arch, CODE_T32);
    stores->count = 1;
    *out = stores;
    return STATUS_OK;
}

static void store_deinit(struct code_store *store)
{
    for (size_t i = 0; i < store->chunk_count; i++)
        code_pages_deinit(&store->chunks[i]);
    free(store->chunks);
    map_deinit(&store->chunk_index);
    free(store->rows);
    map_deinit(&store->answers);
    map_deinit(&store->unknown);
}

void code_stores_destroy(struct code_stores *stores)
{
    if (!stores)
        return;
    for (size_t i = 0; i < WINDOWS_CACHED; i++)
        module_rows_destroy(stores->windows[i].rows);
    for (size_t i = 1; i < stores->count; i++)
        store_deinit(&stores->items[i]);
    free(stores->items);
    map_deinit(&stores->by_module);
    free(stores);
}

/* Returns address minus vaddr, as mapping_vaddr has it without an image. */
static uint64_t addr_less_vaddr(const struct mapping *mapping)
{
    return mapping->module->kind == MODULE_ANON ? 0 : mapping->start_addr - mapping->file_off;
}

static uint64_t vaddr_of(const struct mapping *mapping, uint64_t addr)
{
    return addr - addr_less_vaddr(mapping);
}

/* Returns the index of the mapping's store; 0: none, or the file is open. */
static size_t store_of(const struct code_stores *stores, const struct mapping *mapping)
{
    const uint64_t *index;

    if (!mapping || mapping->module->state == MODULE_OPEN)
        return 0;
    if (mapping->module->file.build_id_size == 0)
        return mapping->code_id;
    index = map_get(&stores->by_module, mapping->module->id);
    return index ? (size_t)*index : 0;
}

/* Adds a store; *out is 0: there are too many. */
static enum status add_store(struct code_stores *stores, struct mapping *mapping, size_t *out)
{
    *out = 0;
    if (stores->count >= CODE_STORES_MAX)
        return STATUS_OK;
    if (vec_reserve(&stores->items, &stores->cap, stores->count + 1, sizeof(*stores->items)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    if (mapping->module->file.build_id_size == 0)
        mapping->code_id = (uint32_t)stores->count;
    else if (!map_put(&stores->by_module, mapping->module->id, stores->count))
        return STATUS_NO_MEMORY;
    stores->items[stores->count] =
        (struct code_store){.module = mapping->module,
                            .boundary_vaddr = vaddr_of(mapping, mapping->start_addr)};
    *out = stores->count++;
    return STATUS_OK;
}

/* Returns the pieces of a chunk; NULL: none. */
static const struct code_pages *chunk_at(const struct code_store *store, uint64_t chunk)
{
    const uint64_t *index = map_get(&store->chunk_index, chunk);

    return index ? &store->chunks[*index] : NULL;
}

/* Finds or adds a chunk; *out is NULL: there are too many. */
static enum status need_chunk(struct code_stores *stores, struct code_store *store, uint64_t chunk,
                              struct code_pages **out)
{
    const uint64_t *index = map_get(&store->chunk_index, chunk);

    *out = index ? &store->chunks[*index] : NULL;
    if (index || stores->chunk_count >= CODE_STORES_CHUNKS_MAX)
        return STATUS_OK;
    if (vec_reserve(&store->chunks, &store->chunk_cap, store->chunk_count + 1,
                    sizeof(*store->chunks)) != STATUS_OK ||
        !map_put(&store->chunk_index, chunk, store->chunk_count))
        return STATUS_NO_MEMORY;
    *out = &store->chunks[store->chunk_count++];
    **out = (struct code_pages){0};
    stores->chunk_count++;
    return STATUS_OK;
}

/* Drops rows and analyses that depend on the code of a chunk. */
static void forget_answers(struct code_stores *stores, size_t index, uint64_t chunk)
{
    struct code_store *store = &stores->items[index];

    store->row_count = 0;
    map_clear(&store->answers);
    map_clear(&store->unknown);
    for (size_t i = 0; i < WINDOWS_CACHED; i++)
        if (stores->windows[i].store == index && stores->windows[i].chunk + 1 >= chunk &&
            stores->windows[i].chunk <= chunk + 1) {
            module_rows_destroy(stores->windows[i].rows);
            stores->windows[i].rows = NULL;
        }
}

/* Code of a single mapping may have been replaced; a file's does not change. */
static enum status add_to_chunk(struct code_stores *stores, size_t index, uint64_t vaddr,
                                const uint8_t *bytes, size_t size)
{
    struct code_store *store = &stores->items[index];
    struct code_pages *pages;
    bool changed = false;
    uint64_t before;
    enum status status = need_chunk(stores, store, vaddr / CHUNK_BYTES, &pages);

    if (status != STATUS_OK || !pages || pages->len >= CODE_CHUNK_PIECES_MAX ||
        size > CODE_STORES_BYTES_MAX - stores->bytes)
        return status;
    before = pages->total;
    status = store->module->file.build_id_size
                 ? code_pages_add(pages, vaddr, bytes, size)
                 : code_pages_replace(pages, vaddr, bytes, size, &changed);
    if (changed)
        forget_answers(stores, index, vaddr / CHUNK_BYTES);
    stores->bytes += pages->total - before;
    stores->given_bytes += size;
    if (pages->total != before && map_len(&store->unknown) > 0)
        map_clear(&store->unknown);
    return status;
}

void code_stores_ask_again(struct code_stores *stores)
{
    stores->told++;
}

enum status code_stores_add(struct code_stores *stores, struct mapping *mapping, uint64_t addr,
                            const uint8_t *bytes, uint64_t size)
{
    size_t index = store_of(stores, mapping);
    uint64_t vaddr = vaddr_of(mapping, addr);
    enum status status = STATUS_OK;

    if (mapping->module->state == MODULE_OPEN || vaddr > VADDR_MAX || size > VADDR_MAX - vaddr)
        return STATUS_OK;
    if (index == 0)
        status = add_store(stores, mapping, &index);
    while (size > 0 && index > 0 && status == STATUS_OK) {
        uint64_t rest = CHUNK_BYTES - vaddr % CHUNK_BYTES;
        uint64_t part = size < rest ? size : rest;

        status = add_to_chunk(stores, index, vaddr, bytes, (size_t)part);
        vaddr += part;
        bytes += part;
        size -= part;
    }
    return status;
}

/* Copies code from `vaddr` up to the first hole; returns the bytes. */
static size_t read_code(const struct code_store *store, uint64_t vaddr, uint8_t *out, size_t size)
{
    size_t done = 0;

    while (done < size && vaddr < VADDR_MAX) {
        const struct code_pages *pages = chunk_at(store, vaddr / CHUNK_BYTES);
        uint64_t avail;
        const uint8_t *bytes = pages ? code_pages_at(pages, vaddr, &avail) : NULL;
        size_t part;

        if (!bytes)
            break;
        part = avail < size - done ? (size_t)avail : size - done;
        memcpy(out + done, bytes, part);
        done += part;
        vaddr += part;
    }
    return done;
}

/* Copies the pieces in [from, to) to the window. */
static enum status gather(const struct code_store *store, uint64_t from_vaddr, uint64_t to_vaddr,
                          struct code_window *window)
{
    enum status status = STATUS_OK;

    for (uint64_t chunk = from_vaddr / CHUNK_BYTES; chunk * CHUNK_BYTES < to_vaddr; chunk++) {
        const struct code_pages *pages = chunk_at(store, chunk);

        for (size_t i = 0; pages && i < pages->len && status == STATUS_OK; i++) {
            const struct code_extent *extent = &pages->extents[i];
            uint64_t skip = extent->off < from_vaddr ? from_vaddr - extent->off : 0;
            size_t size = extent->size;

            if (skip >= size || extent->off >= to_vaddr)
                continue;
            if (size > to_vaddr - extent->off)
                size = (size_t)(to_vaddr - extent->off);
            status = code_window_add(window, extent->off + skip, extent->bytes + skip,
                                     size - (size_t)skip);
        }
    }
    return status;
}

static enum status add_made(void *context, const struct jit_function *function)
{
    struct made_list *made = context;

    if (vec_reserve(&made->ranges, &made->cap, made->count + 1, sizeof(*made->ranges)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    made->ranges[made->count++] = (struct vaddr_range){function->start_addr - made->addr_less_vaddr,
                                                       function->end_addr - made->addr_less_vaddr};
    return STATUS_OK;
}

static enum status analyse(struct code_stores *stores, size_t index, const struct code_place *place,
                           struct module_rows **out)
{
    const struct code_store *store = &stores->items[index];
    const uint64_t chunk_vaddr = place->vaddr / CHUNK_BYTES * CHUNK_BYTES;
    const uint64_t from_vaddr = chunk_vaddr < WINDOW_BEFORE ? 0 : chunk_vaddr - WINDOW_BEFORE;
    const uint64_t to_vaddr = chunk_vaddr + CHUNK_BYTES + WINDOW_AFTER;
    struct made_list made = {.addr_less_vaddr = addr_less_vaddr(place->mapping)};
    struct code_islands islands = {.boundary_vaddr = store->boundary_vaddr};
    struct code_window window = {0};
    enum status status = gather(store, from_vaddr, to_vaddr, &window);

    stores->analysed_bytes += ANALYSIS_BYTES + window.size;
    if (status == STATUS_OK && place->jit)
        status = jit_map_each(place->jit, from_vaddr + made.addr_less_vaddr,
                              to_vaddr + made.addr_less_vaddr, add_made, &made);
    if (status == STATUS_OK)
        status = code_window_image(&window, stores->arch, store->module->file.path, &islands.image);
    if (status == STATUS_OK) {
        islands.made = made.ranges;
        islands.made_count = made.count;
        status = module_rows_create_islands(stores->set, store->module, &islands, out);
    } else {
        free(made.ranges);
    }
    code_window_deinit(&window);
    return status;
}

static uint64_t known_around(const struct code_store *store, uint64_t chunk)
{
    uint64_t known = 0;

    for (uint64_t i = chunk ? chunk - 1 : 0; i <= chunk + 1; i++) {
        const struct code_pages *pages = chunk_at(store, i);
        known += pages ? pages->total : 0;
    }
    return known;
}

static struct analysed *find_window(struct code_stores *stores, size_t index, uint64_t chunk)
{
    for (size_t i = 0; i < WINDOWS_CACHED; i++)
        if (stores->windows[i].rows && stores->windows[i].store == index &&
            stores->windows[i].chunk == chunk)
            return &stores->windows[i];
    return NULL;
}

/* Ends analysis of the module, since it took too much work: NOT_FOUND. */
static enum status give_up(struct code_store *store)
{
    struct diag *problem = &store->module->problem;
    size_t len = strlen(problem->what);

    if (!store->given_up)
        snprintf(problem->what + len, sizeof(problem->what) - len,
                 "%sits code in the snapshot takes too long to analyse", len ? "; " : "");
    store->given_up = true;
    return STATUS_NOT_FOUND;
}

/*
 * Looks in a new analysis of the code around a chunk, which replaces `window` (may be NULL).
 * NOT_FOUND also if there was too much work.
 */
static enum status ask_anew(struct code_stores *stores, size_t index,
                            const struct code_place *place, uint64_t known, struct analysed *window,
                            const struct row **out)
{
    struct module_rows *rows;
    enum status status;

    if (stores->analysed_bytes > ANALYSED_BYTES + stores->given_bytes * ANALYSED_A_BYTE)
        return give_up(&stores->items[index]);
    if (!window)
        window = &stores->windows[stores->next_window++ % WINDOWS_CACHED];
    module_rows_destroy(window->rows);
    window->rows = NULL;
    status = analyse(stores, index, place, &rows);
    if (status != STATUS_OK)
        return status;
    *window = (struct analysed){.rows = rows,
                                .store = index,
                                .chunk = place->vaddr / CHUNK_BYTES,
                                .known = known,
                                .told = stores->told};
    return module_rows_find(rows, TRUST_PROLOGUE, place->vaddr, out);
}

/*
 * Rows of an older analysis stay right with more code; a new analysis is made for what the older
 * one does not know.
 */
static enum status ask(struct code_stores *stores, size_t index, const struct code_place *place,
                       const struct row **out)
{
    uint64_t known = known_around(&stores->items[index], place->vaddr / CHUNK_BYTES);
    struct analysed *window = find_window(stores, index, place->vaddr / CHUNK_BYTES);
    enum status status = STATUS_NOT_FOUND;

    if (window)
        status = module_rows_find(window->rows, TRUST_PROLOGUE, place->vaddr, out);
    if (status == STATUS_OK || status == STATUS_NO_MEMORY ||
        (window && window->known == known && window->told == stores->told))
        return status;
    return ask_anew(stores, index, place, known, window, out);
}

static enum status cache_unknown(struct code_store *store, uint64_t vaddr)
{
    if (map_len(&store->unknown) >= UNKNOWN_MAX)
        map_clear(&store->unknown);
    return map_put(&store->unknown, vaddr, 0) ? STATUS_NOT_FOUND : STATUS_NO_MEMORY;
}

static enum status cache_row(struct code_store *store, uint64_t vaddr, const struct row *row,
                             const struct row **out)
{
    if (store->row_count >= ROWS_MAX) {
        store->row_count = 0;
        map_clear(&store->answers);
    }
    if (vec_reserve(&store->rows, &store->row_cap, store->row_count + 1, sizeof(*store->rows)) !=
            STATUS_OK ||
        !map_put(&store->answers, vaddr, store->row_count))
        return STATUS_NO_MEMORY;
    store->rows[store->row_count] = *row;
    *out = &store->rows[store->row_count++];
    return STATUS_OK;
}

enum status code_stores_find(struct code_stores *stores, const struct code_place *place,
                             const struct row **out)
{
    const uint64_t vaddr = place->vaddr;
    size_t index = store_of(stores, place->mapping);
    struct code_store *store;
    const struct row *row;
    const uint64_t *answer;
    uint8_t byte;
    enum status status;

    if (index == 0)
        return STATUS_NOT_FOUND;
    store = &stores->items[index];
    answer = map_get(&store->answers, vaddr);
    if (answer) {
        *out = &store->rows[*answer];
        return STATUS_OK;
    }
    if (store->asked != stores->told) {
        map_clear(&store->unknown);
        store->asked = stores->told;
    }
    if (map_get(&store->unknown, vaddr) || read_code(store, vaddr, &byte, 1) == 0 ||
        (code_stores_is_absent(stores, place->mapping, vaddr + 1) &&
         code_stores_is_absent(stores, place->mapping, vaddr + ABSENT_CALL)))
        return STATUS_NOT_FOUND;
    status = ask(stores, index, place, &row);
    if (status == STATUS_NO_MEMORY)
        return status;
    return status == STATUS_OK ? cache_row(store, vaddr, row, out) : cache_unknown(store, vaddr);
}

bool code_stores_is_sigreturn(const struct code_stores *stores, const struct mapping *mapping,
                              uint64_t vaddr, struct row *row)
{
    size_t index = store_of(stores, mapping);
    uint8_t code[SIGRETURN_BYTES];
    size_t size = index ? read_code(&stores->items[index], vaddr, code, sizeof(code)) : 0;

    for (unsigned mode = CODE_DEFAULT; size > 0 && mode <= CODE_T32; mode++)
        if (stores->insns[mode] &&
            stores->insns[mode]->sigreturn_row(code, size, vaddr, row) == STATUS_OK)
            return true;
    return false;
}

/*
 * Reads the code around `vaddr`: `*before` bytes before, as many as there are, and returns how many
 * in all; 0: there are none before.
 */
static size_t read_around(const struct code_stores *stores, const struct mapping *mapping,
                          uint64_t vaddr, uint8_t code[THREAD_CODE_BEFORE + THREAD_CODE_BEHIND],
                          uint64_t *before)
{
    size_t index = store_of(stores, mapping);

    for (*before = THREAD_CODE_BEFORE; index && *before > 0; *before -= 4) {
        size_t size = vaddr < *before ? 0
                                      : read_code(&stores->items[index], vaddr - *before, code,
                                                  (size_t)*before + THREAD_CODE_BEHIND);

        if (size > *before)
            return size;
    }
    return 0;
}

bool code_stores_ends_thread(const struct code_stores *stores, const struct mapping *mapping,
                             uint64_t vaddr)
{
    uint8_t code[THREAD_CODE_BEFORE + THREAD_CODE_BEHIND];
    uint64_t before;
    const size_t size = read_around(stores, mapping, vaddr, code, &before);

    return size && (insn_ends_thread(stores->arch, code, before, size) ||
                    insn_is_behind_start(stores->arch, code, before));
}

bool code_stores_clones_before(const struct code_stores *stores, const struct mapping *mapping,
                               uint64_t vaddr)
{
    uint8_t code[THREAD_CODE_BEFORE + THREAD_CODE_BEHIND];
    uint64_t before;

    return read_around(stores, mapping, vaddr, code, &before) &&
           insn_clones_before(stores->arch, code, before);
}

bool code_stores_is_absent(const struct code_stores *stores, const struct mapping *mapping,
                           uint64_t vaddr)
{
    size_t index = store_of(stores, mapping);
    uint8_t around[2 * ABSENT_BYTES];

    return index && vaddr >= ABSENT_BYTES &&
           code_is_absent(around,
                          read_code(&stores->items[index], vaddr - ABSENT_BYTES, around,
                                    sizeof(around)),
                          ABSENT_BYTES);
}

bool code_stores_after_call(const struct code_stores *stores, const struct mapping *mapping,
                            uint64_t vaddr, enum code_mode mode)
{
    const struct insn_set *insns =
        stores->insns[mode] ? stores->insns[mode] : stores->insns[CODE_DEFAULT];
    size_t index = store_of(stores, mapping);
    uint8_t code[CALL_BYTES];

    for (unsigned back = CALL_BYTES; index && back >= 2; back--)
        if (vaddr >= back && read_code(&stores->items[index], vaddr - back, code, back) == back)
            return insns->ends_with_call(code, back);
    return true;
}
