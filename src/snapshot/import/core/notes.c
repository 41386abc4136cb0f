/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/notes.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/search.h"
#include "base/vec.h"

#define NOTE_HEAD       12 /* name size, description size, type */
#define NOTE_NAME_MAX   32 /* bytes of known names, padded */
#define PAGE_SIZE_LEAST 4096u
#define PAGE_SIZE_MOST  65536u

struct note {
    uint32_t type, size;
    uint64_t off;  /* file offset of the description */
    bool is_linux; /* named "LINUX"; false: "CORE" */
    bool is_board; /* has a name that boards use */
};

static void note_left_out(const struct core_image *image, struct snap_source *source, uint64_t off,
                          uint32_t size)
{
    diag_set_at(source_note(source), image->file.name, off,
                "a thread was left out: its note has %u bytes, not %zu", size,
                core_layout_status_size(image->arch));
}

static enum status add_thread(struct core_notes *notes, const struct note *note,
                              struct core_image *image, struct snap_source *source)
{
    const size_t size = core_layout_status_size(image->arch);

    if (note->size < size && !notes->has_short) {
        notes->short_off = note->off;
        notes->short_size = note->size;
        notes->has_short = true;
    }
    if (note->size < core_layout_least_size(image->arch)) {
        note_left_out(image, source, note->off, note->size);
        return STATUS_OK;
    }
    if (notes->thread_count == CORE_THREADS_MAX) {
        diag_set_at(source_note(source), image->file.name, note->off,
                    "only the first %d threads are used", CORE_THREADS_MAX);
        return STATUS_END;
    }
    if (vec_reserve(&notes->threads, &notes->thread_cap, notes->thread_count + 1,
                    sizeof(*notes->threads)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    notes->threads[notes->thread_count++] =
        (struct core_thread_notes){.status_off = note->off,
                                   .status_size = note->size < size ? note->size : (uint32_t)size};
    return STATUS_OK;
}

static uint32_t u32_at(const uint8_t *bytes)
{
    uint32_t value;

    memcpy(&value, bytes, sizeof(value));
    return value;
}

static void read_info(struct core_notes *notes, const struct note *note,
                      const struct core_layout *layout, struct core_image *image)
{
    const uint8_t *desc;

    if (notes->has_info || note->size < layout->args_off + CORE_ARGS_SIZE)
        return;
    desc = core_file_view(&image->file, note->off, layout->args_off + CORE_ARGS_SIZE);
    if (!desc)
        return;
    notes->has_info = true;
    notes->state = (char)desc[layout->state_off];
    notes->pid = u32_at(desc + layout->pid_off);
    notes->parent_pid = u32_at(desc + layout->parent_off);
    memcpy(notes->name, desc + layout->name_off, CORE_NAME_SIZE);
    memcpy(notes->args, desc + layout->args_off, CORE_ARGS_SIZE);
    /* The kernel leaves a space where the last argument's NUL was. */
    for (size_t len = strlen(notes->args); len && notes->args[len - 1] == ' ';)
        notes->args[--len] = '\0';
}

static void strip_deleted(char *text, struct core_mapped_file *file)
{
    static const char suffix[] = " (deleted)";
    size_t len = strlen(file->path);

    file->deleted = len > strlen(suffix) && strcmp(file->path + len - strlen(suffix), suffix) == 0;
    if (file->deleted)
        text[(size_t)(file->path - text) + len - strlen(suffix)] = '\0';
}

static int compare_files(const void *a, const void *b)
{
    const struct core_mapped_file *x = a, *y = b;

    if (x->start_addr != y->start_addr)
        return x->start_addr < y->start_addr ? -1 : 1;
    if (x->end_addr != y->end_addr)
        return x->end_addr < y->end_addr ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void core_notes_arrange_files(struct core_notes *notes, bool drops)
{
    uint64_t free_addr = 0; /* end of the files so far */
    size_t kept = 0;

    for (size_t i = 0; i < notes->file_count; i++)
        notes->files[i].order = i;
    if (notes->file_count > 1)
        qsort(notes->files, notes->file_count, sizeof(*notes->files), compare_files);
    for (size_t i = 0; i < notes->file_count; i++) {
        struct core_mapped_file file = notes->files[i];

        if (file.start_addr < free_addr && (drops || file.end_addr <= free_addr))
            continue;
        if (file.start_addr < free_addr) {
            file.file_off += free_addr - file.start_addr;
            file.start_addr = free_addr;
        }
        free_addr = file.end_addr;
        notes->files[kept++] = file;
    }
    notes->file_count = kept;
}

/*
 * Parses NT_FILE: count, page size; count times start, end, offset in pages; count names. Words
 * have the process's size. False: malformed; lines before stay.
 */
static bool parse_files(struct core_notes *notes, const uint8_t *bytes, size_t size, unsigned word)
{
    struct cursor c = cursor_init(bytes, size);
    uint64_t count, page_size, pages;
    struct cursor text;

    if (!cursor_uint(&c, word, &count) || !cursor_uint(&c, word, &page_size) ||
        count > cursor_left(&c) / (3 * word))
        return false;
    notes->files = calloc((size_t)count + 1, sizeof(*notes->files));
    if (!notes->files)
        return false;
    text = c;
    if (!cursor_skip(&text, count * 3 * word))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        struct core_mapped_file *file = &notes->files[notes->file_count];
        const char *path;

        if (!cursor_uint(&c, word, &file->start_addr) || !cursor_uint(&c, word, &file->end_addr) ||
            !cursor_uint(&c, word, &pages) || !cursor_string(&text, &path))
            return false;
        if (file->start_addr >= file->end_addr ||
            __builtin_mul_overflow(pages, page_size, &file->file_off))
            return false;
        file->path = notes->file_text + (path - (const char *)bytes);
        notes->file_count++;
    }
    return true;
}

static enum status read_files(struct core_notes *notes, const struct note *note,
                              struct core_image *image, struct snap_source *source)
{
    size_t size = note->size < CORE_FILE_NOTE_MAX ? note->size : CORE_FILE_NOTE_MAX;
    uint64_t left = image->file.size > note->off ? image->file.size - note->off : 0;

    if (notes->file_text)
        return STATUS_OK;
    if (size > left)
        size = (size_t)left;
    notes->file_text = calloc(1, size + 1);
    if (!notes->file_text)
        return STATUS_NO_MEMORY;
    size = core_file_read(&image->file, note->off, notes->file_text, size);
    if (!parse_files(notes, (const uint8_t *)notes->file_text, size, image->arch->word_size))
        diag_set_at(source_note(source), image->file.name, note->off,
                    "the list of mapped files (NT_FILE) is damaged: the first %zu are used",
                    notes->file_count);
    for (size_t i = 0; i < notes->file_count; i++)
        strip_deleted(notes->file_text, &notes->files[i]);
    core_notes_arrange_files(notes, true);
    return STATUS_OK;
}

/* Adds the note to the thread whose NT_PRSTATUS came last. */
static void add_pointer(struct core_notes *notes, const struct note *note)
{
    struct core_thread_notes *thread;

    if (notes->thread_count == 0)
        return;
    thread = &notes->threads[notes->thread_count - 1];
    thread->pointer_off = note->off;
    thread->pointer_size = note->size < CORE_POINTER_MAX ? note->size : CORE_POINTER_MAX;
}

static void take_linux_note(struct core_notes *notes, const struct note *note,
                            struct core_image *image)
{
    const uint8_t *desc;

    if (note->type == core_layout_get(image->arch)->pointer_note)
        add_pointer(notes, note);
    /* data mask, instruction mask: the same for all threads */
    desc = note->type == NT_ARM_PAC_MASK && note->size >= 16 && !notes->pac_mask
               ? core_file_view(&image->file, note->off, 16)
               : NULL;
    if (desc)
        memcpy(&notes->pac_mask, desc + 8, sizeof(notes->pac_mask));
}

/* Notes of boards: board.h. */
enum { NOTE_STACKS = 0x4d53, NOTE_ESP_EXTRA = 677, NOTE_ESP_INFO = 8266 };

static void take_board_note(struct core_notes *notes, const struct note *note,
                            struct core_image *image)
{
    const uint8_t *desc;

    if (note->type == NOTE_STACKS) {
        desc = note->size >= 8 ? core_file_view(&image->file, note->off, 8) : NULL;
        if (!desc || notes->has_stacks)
            return;
        notes->has_stacks = true;
        notes->main_sp = u32_at(desc);
        notes->process_sp = u32_at(desc + 4);
    } else if (note->type == NOTE_ESP_EXTRA) {
        desc = note->size >= 4 ? core_file_view(&image->file, note->off, 4) : NULL;
        notes->is_esp = true;
        if (desc)
            notes->crashed_addr = u32_at(desc);
    } else if (note->type == NOTE_ESP_INFO) {
        notes->is_esp = true;
    }
}

static enum status take_note(struct core_notes *notes, const struct note *note,
                             struct core_image *image, struct snap_source *source)
{
    const struct core_layout *layout = core_layout_get(image->arch);
    const uint8_t *desc;

    if (note->is_linux || note->is_board) {
        if (note->is_linux)
            take_linux_note(notes, note, image);
        else
            take_board_note(notes, note, image);
        return STATUS_OK;
    }
    switch (note->type) {
    case NT_PRSTATUS:
        return add_thread(notes, note, image, source);
    case NT_PRPSINFO:
        read_info(notes, note, layout, image);
        return STATUS_OK;
    case NT_AUXV:
        if (!notes->auxv_size)
            notes->auxv_size =
                (uint32_t)core_file_read(&image->file, note->off, notes->auxv,
                                         note->size < CORE_AUXV_MAX ? note->size : CORE_AUXV_MAX);
        return STATUS_OK;
    case NT_SIGINFO:
        desc =
            note->size >= 4 && !notes->signal ? core_file_view(&image->file, note->off, 4) : NULL;
        if (desc)
            notes->signal = u32_at(desc);
        return STATUS_OK;
    case NT_FILE:
        return read_files(notes, note, image, source);
    default:
        return STATUS_OK;
    }
}

static bool is_name(const uint8_t *bytes, uint64_t size, const char *name)
{
    const size_t len = strlen(name);

    return size > len && memcmp(bytes, name, len + 1) == 0;
}

/* Recognizes a note by its name, `size` bytes with padding; false: unknown. */
static bool find_owner(struct note *note, const uint8_t *name, uint64_t size)
{
    static const char *const board_names[] = {"CGSNAP", "ESP_CORE_DUMP_INFO", "ESP_EXTRA_INFO",
                                              "EXTRA_INFO"};

    note->is_linux = size == 8 && memcmp(name, "LINUX", 5) == 0;
    for (size_t i = 0; i < sizeof(board_names) / sizeof(board_names[0]); i++)
        note->is_board |= is_name(name, size, board_names[i]);
    return note->is_linux || note->is_board ||
           (size >= 4 && size <= 8 && memcmp(name, "CORE", 4) == 0);
}

static void damaged(struct core_notes *notes, uint64_t off)
{
    if (!notes->is_damaged)
        notes->unread_at = off;
    notes->is_damaged = true;
}

/*
 * Reads the notes of a segment: head, name, description, the latter two padded to 4 bytes. The
 * kernel's are named "CORE" or "LINUX". A short description is up to its reader.
 */
static enum status read_segment(struct core_notes *notes, const struct core_range *range,
                                struct core_image *image, struct snap_source *source)
{
    uint64_t pos = 0;

    while (range->size - pos >= NOTE_HEAD) {
        const uint8_t *head = core_file_view(&image->file, range->off + pos, NOTE_HEAD), *name;
        uint64_t name_size, left = range->size - pos - NOTE_HEAD;
        struct note note;
        enum status status = STATUS_OK;

        if (!head)
            return STATUS_OK; /* the file ends here */
        name_size = ((uint64_t)u32_at(head) + 3) & ~UINT64_C(3);
        note = (struct note){.size = u32_at(head + 4), .type = u32_at(head + 8)};
        if (!u32_at(head) && !note.size && !note.type)
            return STATUS_OK; /* a hole, or padding: however long it is */
        if (name_size > left || note.size > left - name_size) {
            damaged(notes, range->off + pos);
            return STATUS_OK;
        }
        note.off = range->off + pos + NOTE_HEAD + name_size;
        if (note.off > image->file.size || note.size > image->file.size - note.off)
            return STATUS_OK; /* a note is used whole or not at all */
        name = name_size <= NOTE_NAME_MAX
                   ? core_file_view(&image->file, range->off + pos + NOTE_HEAD, (size_t)name_size)
                   : NULL;
        if (name && find_owner(&note, name, name_size))
            status = take_note(notes, &note, image, source);
        if (status != STATUS_OK)
            return status == STATUS_END ? STATUS_OK : status;
        pos += NOTE_HEAD + name_size + note.size;
        pos += -pos & 3;
        if (pos > range->size)
            break;
    }
    return STATUS_OK;
}

enum status core_notes_read(struct core_image *image, struct snap_source *source,
                            struct core_notes *out)
{
    enum status status = STATUS_OK;

    uint64_t left = image->file.size; /* bounds the work where segments overlap */

    *out = (struct core_notes){0};
    for (size_t i = 0; i < image->note_count && status == STATUS_OK; i++) {
        const struct core_range *range = &image->notes[i];

        status = read_segment(out, range, image, source);
        if (range->size > left)
            break;
        left -= range->size;
    }
    if (out->is_damaged)
        diag_set_at(source_note(source), image->file.name, out->unread_at,
                    "a note is larger than what it lies in: it and what follows was left out");
    return status;
}

void core_notes_free(struct core_notes *notes)
{
    free(notes->threads);
    free(notes->files);
    free(notes->file_text);
    arena_deinit(&notes->names);
}

void core_notes_drop_short(struct core_notes *notes, const struct core_image *image,
                           struct snap_source *source)
{
    size_t kept = 0;

    for (size_t i = 0; i < notes->thread_count; i++) {
        const struct core_thread_notes thread = notes->threads[i];

        if (thread.status_size < core_layout_status_size(image->arch))
            note_left_out(image, source, thread.status_off, thread.status_size);
        else
            notes->threads[kept++] = thread;
    }
    notes->thread_count = kept;
}

bool core_notes_thread(const struct core_notes *notes, struct core_image *image, size_t index,
                       struct core_thread *out)
{
    const struct core_layout *layout = core_layout_get(image->arch);
    const struct core_thread_notes *thread = &notes->threads[index];
    uint8_t pointer[CORE_POINTER_MAX];
    size_t size = core_file_read(&image->file, thread->pointer_off, pointer, thread->pointer_size);
    const struct core_status status = {.desc = core_file_view(&image->file, thread->status_off,
                                                              thread->status_size),
                                       .size = thread->status_size};

    if (!status.desc)
        return false;
    *out = (struct core_thread){.tid = u32_at(status.desc + layout->tid_off),
                                .signal = status.desc[layout->signal_off],
                                .thread_pointer =
                                    core_layout_pointer(image->arch, &status, pointer, size),
                                .orig = core_layout_orig(image->arch, &status)};
    core_layout_regs(image->arch, &status, &out->regs);
    if (notes->numbers_threads)
        out->tid = (uint32_t)index + 1;
    if (index == 0 && notes->has_stacks && image->arch->all_regs >= image->arch->reg_count + 2) {
        regs_set(&out->regs, image->arch->reg_count, notes->main_sp);
        regs_set(&out->regs, image->arch->reg_count + 1u, notes->process_sp);
    }
    return true;
}

const struct core_mapped_file *core_notes_file(const struct core_notes *notes, uint64_t addr)
{
    const struct core_mapped_file *files = notes->files;
    size_t at = SEARCH_FIRST(i, 0, notes->file_count, files[i].end_addr <= addr);

    return at < notes->file_count && files[at].start_addr <= addr ? &files[at] : NULL;
}

uint64_t core_notes_auxv(const struct core_notes *notes, const struct arch *arch, uint64_t type)
{
    struct cursor c = cursor_init(notes->auxv, notes->auxv_size);
    uint64_t key, value;

    while (cursor_uint(&c, arch->word_size, &key) && cursor_uint(&c, arch->word_size, &value) &&
           key != AT_NULL)
        if (key == type)
            return value;
    return 0;
}

uint64_t core_notes_page_size(const struct core_notes *notes, const struct arch *arch)
{
    const uint64_t size = core_notes_auxv(notes, arch, AT_PAGESZ);

    return size < PAGE_SIZE_LEAST || size > PAGE_SIZE_MOST || (size & (size - 1)) ? PAGE_SIZE_LEAST
                                                                                  : size;
}
