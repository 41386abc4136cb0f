#include "symbol/dwarf_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"

struct section_kind {
    const char *name;
    bool hidden; /* for our own reading, not for libdwarf's */
};

/* Besides .debug_info and .debug_abbrev. */
static const struct section_kind section_kinds[] = {
    {".debug_str", false},     {".debug_line_str", false}, {".debug_str_offsets", false},
    {".debug_addr", false},    {".debug_line", true},      {".debug_ranges", true},
    {".debug_rnglists", true},
};

static int get_section_info(void *object, Dwarf_Half index, Dwarf_Obj_Access_Section *out,
                            int *error)
{
    const struct dwarf_file *file = object;

    (void)error;
    if (index >= file->section_count)
        return DW_DLV_NO_ENTRY;
    *out = (Dwarf_Obj_Access_Section){.name = ""};
    if (!file->sections[index].hidden) {
        out->name = file->sections[index].name;
        out->size = file->sections[index].size;
    }
    return DW_DLV_OK;
}

static int load_section(void *object, Dwarf_Half index, Dwarf_Small **data, int *error)
{
    const struct dwarf_file *file = object;

    (void)error;
    if (index >= file->section_count || !file->sections[index].bytes)
        return DW_DLV_NO_ENTRY;
    *data = (Dwarf_Small *)file->sections[index].bytes;
    return DW_DLV_OK;
}

static Dwarf_Endianness get_byte_order(void *object)
{
    (void)object;
    return DW_OBJECT_LSB;
}

static Dwarf_Small get_word_size(void *object)
{
    const struct dwarf_file *file = object;

    return elf_image_arch(file->image)->word_size;
}

static Dwarf_Unsigned get_section_count(void *object)
{
    const struct dwarf_file *file = object;

    return file->section_count;
}

static const Dwarf_Obj_Access_Methods access_methods = {
    .get_section_info = get_section_info,
    .get_byte_order = get_byte_order,
    .get_length_size = get_word_size,
    .get_pointer_size = get_word_size,
    .get_section_count = get_section_count,
    .load_section = load_section,
};

const struct dwarf_section *dwarf_file_section(const struct dwarf_file *file, const char *name)
{
    for (size_t i = 0; i < file->section_count; i++)
        if (strcmp(file->sections[i].name, name) == 0)
            return &file->sections[i];
    return NULL;
}

/*
 * A unit header (DWARF 5, 7.5.1; DWARF 2 to 4 without unit type). Leaves the cursor after the unit.
 */
static bool check_unit(struct cursor *c, const struct abbrev_copy *abbrev, uint8_t word_size)
{
    uint32_t short_length;
    uint64_t length, abbrev_off, rest;
    uint16_t version;
    uint8_t unit_type, word = 0;
    unsigned off_size = 4;

    if (!cursor_u32(c, &short_length))
        return false;
    length = short_length;
    if (short_length == 0xffffffff) {
        off_size = 8;
        if (!cursor_u64(c, &length))
            return false;
    } else if (short_length >= 0xfffffff0) {
        return false;
    }
    rest = cursor_left(c);
    if (length > rest || !cursor_u16(c, &version) || version < 2 || version > 5)
        return false;
    if (version == 5 && (!cursor_u8(c, &unit_type) || !cursor_u8(c, &word)))
        return false;
    if (!cursor_uint(c, off_size, &abbrev_off) || (version < 5 && !cursor_u8(c, &word)))
        return false;
    if (word != word_size || !abbrev_copy_has_table(abbrev, abbrev_off) ||
        rest - cursor_left(c) >= length)
        return false;
    return cursor_skip(c, length - (rest - cursor_left(c)));
}

/* How much of .debug_info are units with sound headers. */
static uint64_t sound_info_size(const struct elf_section *info, const struct abbrev_copy *abbrev,
                                uint8_t word_size)
{
    struct cursor c = cursor_init(info->bytes, (size_t)info->size);
    size_t sound = 0;

    while (cursor_left(&c) > 0 && check_unit(&c, abbrev, word_size))
        sound = c.pos;
    return sound;
}

static void add_section(struct dwarf_file *file, const struct section_kind *kind,
                        const uint8_t *bytes, uint64_t size)
{
    file->sections[file->section_count++] = (struct dwarf_section){.name = kind->name,
                                                                   .hidden = kind->hidden,
                                                                   .bytes = bytes,
                                                                   .size = size};
}

/* Lists the sections that are there; NOT_FOUND when what must be there is not. */
static enum status collect_sections(struct dwarf_file *file)
{
    uint8_t word_size = elf_image_arch(file->image)->word_size;
    struct elf_section section, abbrev, info;

    if (elf_image_section(file->image, ".debug_abbrev", &abbrev) != STATUS_OK || !abbrev.bytes ||
        elf_image_section(file->image, ".debug_info", &info) != STATUS_OK || !info.bytes)
        return STATUS_NOT_FOUND;
    if (abbrev_copy_init(&file->abbrev, abbrev.bytes, (size_t)abbrev.size) != STATUS_OK)
        return STATUS_NO_MEMORY;
    info.size = sound_info_size(&info, &file->abbrev, word_size);
    if (info.size == 0)
        return STATUS_NOT_FOUND;
    add_section(file, &(struct section_kind){.name = ""}, NULL, 0);
    add_section(file, &(struct section_kind){.name = ".debug_info"}, info.bytes, info.size);
    add_section(file, &(struct section_kind){.name = ".debug_abbrev"}, file->abbrev.bytes,
                file->abbrev.size);
    for (size_t i = 0; i < sizeof(section_kinds) / sizeof(*section_kinds); i++)
        if (elf_image_section(file->image, section_kinds[i].name, &section) == STATUS_OK &&
            section.bytes && section.size > 0)
            add_section(file, &section_kinds[i], section.bytes, section.size);
    return STATUS_OK;
}

enum status dwarf_file_open(struct elf_image *image, struct dwarf_file *shared,
                            struct dwarf_file **out)
{
    struct dwarf_file *file = calloc(1, sizeof(*file));
    enum status status;

    if (!file)
        return STATUS_NO_MEMORY;
    file->image = image;
    file->shared = shared;
    file->budget = DWARF_UNIT_BUDGET;
    file->access = (Dwarf_Obj_Access_Interface){.object = file, .methods = &access_methods};
    status = collect_sections(file);
    if (status == STATUS_OK && dwarf_object_init_b(&file->access, NULL, NULL, DW_GROUPNUMBER_ANY,
                                                   &file->dbg, &file->error) != DW_DLV_OK)
        status = STATUS_NOT_FOUND;
    if (status != STATUS_OK) {
        dwarf_file_close(file);
        return status;
    }
    if (shared)
        dwarf_ok(file, dwarf_set_tied_dbg(file->dbg, shared->dbg, &file->error));
    *out = file;
    return STATUS_OK;
}

void dwarf_file_close(struct dwarf_file *file)
{
    if (!file)
        return;
    if (file->dbg)
        dwarf_object_finish(file->dbg, &file->error);
    abbrev_copy_deinit(&file->abbrev);
    free(file);
}

bool dwarf_spend(struct dwarf_file *file, uint64_t amount)
{
    bool enough = amount <= file->budget;

    file->budget -= enough ? amount : file->budget;
    return enough;
}

bool dwarf_ok(struct dwarf_file *file, int result)
{
    if (result == DW_DLV_ERROR && file->error) {
        dwarf_dealloc_error(file->dbg, file->error);
        file->error = NULL;
    }
    return result == DW_DLV_OK;
}

static bool die_attr(struct dwarf_file *file, Dwarf_Die die, Dwarf_Half name, Dwarf_Attribute *out,
                     Dwarf_Half *form)
{
    if (!dwarf_ok(file, dwarf_attr(die, name, out, &file->error)))
        return false;
    if (dwarf_ok(file, dwarf_whatform(*out, form, &file->error)))
        return true;
    dwarf_dealloc_attribute(*out);
    return false;
}

bool die_number(struct dwarf_file *file, Dwarf_Die die, Dwarf_Half name, uint64_t *out)
{
    Dwarf_Attribute attr;
    Dwarf_Half form;
    Dwarf_Unsigned number = 0;
    Dwarf_Signed signed_number = 0;
    bool good;

    if (!die_attr(file, die, name, &attr, &form))
        return false;
    good = dwarf_ok(file, dwarf_formudata(attr, &number, &file->error));
    if (!good) {
        good = dwarf_ok(file, dwarf_formsdata(attr, &signed_number, &file->error)) &&
               signed_number >= 0;
        number = (Dwarf_Unsigned)signed_number;
    }
    dwarf_dealloc_attribute(attr);
    *out = number;
    return good;
}

const char *die_string(struct dwarf_file *file, Dwarf_Die die, Dwarf_Half name)
{
    Dwarf_Attribute attr;
    Dwarf_Half form;
    char *text = NULL;
    bool is_shared;

    if (!die_attr(file, die, name, &attr, &form))
        return NULL;
    /* Without the other file libdwarf answers with a text that says so. */
    is_shared = form == DW_FORM_GNU_strp_alt || form == DW_FORM_strp_sup;
    if ((is_shared && !file->shared) ||
        !dwarf_ok(file, dwarf_formstring(attr, &text, &file->error)))
        text = NULL;
    dwarf_dealloc_attribute(attr);
    return text && text[0] ? text : NULL;
}

static bool attr_section_off(struct dwarf_file *file, Dwarf_Attribute attr, uint64_t *out)
{
    Dwarf_Off off;
    Dwarf_Unsigned number;

    if (dwarf_ok(file, dwarf_global_formref(attr, &off, &file->error))) {
        *out = off;
        return true;
    }
    /* DWARF 2 and 3 have no form of their own for section offsets. */
    if (!dwarf_ok(file, dwarf_formudata(attr, &number, &file->error)))
        return false;
    *out = number;
    return true;
}

bool die_form(struct dwarf_file *file, Dwarf_Die die, Dwarf_Half name, Dwarf_Half *form)
{
    Dwarf_Attribute attr;

    if (!die_attr(file, die, name, &attr, form))
        return false;
    dwarf_dealloc_attribute(attr);
    return true;
}

bool die_section_off(struct dwarf_file *file, Dwarf_Die die, Dwarf_Half name, uint64_t *out)
{
    Dwarf_Attribute attr;
    Dwarf_Half form;
    bool good;

    if (!die_attr(file, die, name, &attr, &form))
        return false;
    good = attr_section_off(file, attr, out);
    dwarf_dealloc_attribute(attr);
    return good;
}

bool die_reference(struct dwarf_file *file, Dwarf_Die die, Dwarf_Half name,
                   struct dwarf_file **target_file, Dwarf_Die *target)
{
    Dwarf_Attribute attr;
    Dwarf_Half form;
    Dwarf_Off off = 0;
    bool good;

    if (!die_attr(file, die, name, &attr, &form))
        return false;
    good = dwarf_ok(file, dwarf_global_formref(attr, &off, &file->error));
    dwarf_dealloc_attribute(attr);
    *target_file = file;
    if (form == DW_FORM_GNU_ref_alt || form == DW_FORM_ref_sup4 || form == DW_FORM_ref_sup8)
        *target_file = file->shared;
    return good && *target_file &&
           dwarf_ok(*target_file,
                    dwarf_offdie_b((*target_file)->dbg, off, 1, target, &(*target_file)->error));
}
