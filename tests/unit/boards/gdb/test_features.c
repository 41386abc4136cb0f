/* SPDX-License-Identifier: MIT */
/* Target descriptions, memory maps and lists of libraries, and what registers are made of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "boards/gdb/features.h"
#include "boards/gdb/memory_map.h"
#include "boards/gdb/registers.h"

/* Documents of a stub: pairs of a name and a text. */
struct documents {
    const char *items[8][2];
    unsigned reads;
};

/* Nothing ends what is waited for. */
static struct gdb_bound unbounded = {.signal_fd = -1,
                                     .until_ns = GDB_BOUND_NEVER,
                                     .end_ns = GDB_BOUND_NEVER};

static enum status read_document(void *context, const char *annex, struct gdb_xml_flat *out)
{
    struct documents *documents = context;

    documents->reads++;
    for (unsigned i = 0; i < 8 && documents->items[i][0]; i++)
        if (strcmp(documents->items[i][0], annex) == 0)
            return gdb_xml_flatten_apart(documents->items[i][1], strlen(documents->items[i][1]),
                                         &unbounded, out);
    return STATUS_NOT_FOUND;
}

/* As OpenOCD and QEMU describe a Cortex-M, but shorter. */
#define M_PROFILE                                                                                  \
    "<?xml version=\"1.0\"?><!DOCTYPE feature SYSTEM \"gdb-target.dtd\">"                          \
    "<feature name=\"org.gnu.gdb.arm.m-profile\">"                                                 \
    "<reg name=\"r0\" bitsize=\"32\"/><reg name=\"r1\" bitsize=\"32\"/>"                           \
    "<reg name=\"sp\" bitsize=\"32\" regnum=\"13\"/><reg name=\"lr\" bitsize=\"32\"/>"             \
    "<reg name=\"pc\" bitsize=\"32\"/><reg name=\"xPSR\" bitsize=\"32\" regnum=\"25\"/></feature>"
#define M_SYSTEM                                                                                   \
    "<feature name=\"org.gnu.gdb.arm.m-system\"><reg name=\"msp\" bitsize=\"32\"/>"                \
    "<reg name=\"psp\" bitsize=\"32\"/><reg name=\"control\" bitsize=\"8\"/></feature>"
#define M_TARGET                                                                                   \
    "<target version=\"1.0\"><architecture> arm </architecture>"                                   \
    "<xi:include href=\"m.xml\"/><xi:include href=\"system.xml\"/></target>"

TEST(registers_come_from_the_documents_that_are_included)
{
    struct documents documents = {
        .items = {{"target.xml", M_TARGET}, {"m.xml", M_PROFILE}, {"system.xml", M_SYSTEM}}};
    /* r0 = 1, r1 = 2, sp, lr not known, pc, xPSR in an exception; the rest is not in the reply */
    static const char reply[] = "01000000"
                                "02000000"
                                "f0ff0320"
                                "xxxxxxxx"
                                "34120000"
                                "03000001";
    struct gdb_features features;
    struct gdb_layout layout;
    struct gdb_registers regs;

    assert_int_equal(gdb_features_read(&features, read_document, &documents), STATUS_OK);
    assert_string_equal(features.architecture, "arm");
    assert_true(features.is_m_profile);
    assert_false(features.is_cut);
    assert_int_equal(features.count, 9);
    assert_int_equal(gdb_features_find(&features, "psp")->number, 27);
    assert_int_equal(gdb_features_find(&features, "psp")->off, 28);
    assert_ptr_equal(gdb_registers_arch(&features), arch_get(ARCH_ARM));
    assert_true(gdb_registers_map(&features, arch_get(ARCH_ARM), &layout));
    assert_int_equal(layout.control.size, 1);
    gdb_registers_parse(reply, strlen(reply), &layout, arch_get(ARCH_ARM), &regs);
    assert_int_equal(regs.known, 1 << 0 | 1 << 1 | 1 << 13 | 1 << 15 | 1 << 16);
    assert_int_equal(regs.values[13], 0x2003fff0);
    assert_int_equal(regs.values[15], 0x1234);
    assert_int_equal(regs.values[16], 0x01000003);
    gdb_features_deinit(&features);
}

TEST(description_that_includes_itself_ends)
{
    struct documents documents = {
        .items = {{"target.xml", "<target><xi:include href=\"target.xml\"/>"
                                 "<xi:include href=\"target.xml\"/></target>"}}};
    struct gdb_features features;

    assert_int_equal(gdb_features_read(&features, read_document, &documents), STATUS_OK);
    assert_true(features.is_cut);
    assert_true(documents.reads <= GDB_INCLUDES_MAX);
    gdb_features_deinit(&features);
}

TEST(description_with_entities_is_refused)
{
    struct documents documents = {
        .items = {{"target.xml",
                   "<!DOCTYPE target [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>"
                   "<target><architecture>&b;</architecture>"
                   "<reg name=\"pc\" bitsize=\"32\"/></target>"}}};
    struct gdb_features features;

    assert_int_equal(gdb_features_read(&features, read_document, &documents), STATUS_OK);
    assert_true(features.is_cut);
    assert_int_equal(features.count, 0);
    assert_string_equal(features.architecture, "");
    gdb_features_deinit(&features);
}

TEST(registers_without_size_or_out_of_bounds_are_left_out)
{
    struct documents documents = {
        .items = {{"target.xml", "<target><reg name=\"a\"/><reg name=\"b\" bitsize=\"0\"/>"
                                 "<reg name=\"c\" bitsize=\"99999999\"/><reg bitsize=\"32\"/>"
                                 "<reg name=\"d\" bitsize=\"32\" regnum=\"-1\"/>"
                                 "<reg name=\"e\" bitsize=\"32\" regnum=\"70000\"/></target>"}}};
    struct gdb_features features;

    assert_int_equal(gdb_features_read(&features, read_document, &documents), STATUS_OK);
    assert_int_equal(features.count, 1); /* -1 is no number: the next one */
    assert_int_equal(features.registers[0].number, 0);
    gdb_features_deinit(&features);
}

TEST(stub_without_description_has_its_classic_registers)
{
    struct documents documents = {.items = {{NULL, NULL}}};
    struct gdb_features features;
    struct gdb_layout layout;

    assert_int_equal(gdb_features_read(&features, read_document, &documents), STATUS_NOT_FOUND);
    assert_null(gdb_registers_arch(&features));
    assert_true(gdb_registers_classic(arch_get(ARCH_ARM), &features));
    assert_true(gdb_registers_map(&features, arch_get(ARCH_ARM), &layout));
    assert_int_equal(layout.regs[16].off, 16 * 4 + 8 * 12 + 4);
    gdb_features_deinit(&features);
    assert_true(gdb_registers_classic(arch_get(ARCH_X86_64), &features));
    assert_true(gdb_registers_map(&features, arch_get(ARCH_X86_64), &layout));
    assert_int_equal(layout.regs[arch_get(ARCH_X86_64)->pc].off, 128);
    gdb_features_deinit(&features);
}

TEST(memory_map_has_flash_and_ram)
{
    static const char text[] =
        "<memory-map><memory type=\"flash\" start=\"0x08000000\" length=\"0x100000\">"
        "<property name=\"blocksize\">0x4000</property></memory>"
        "<memory type=\"ram\" start=\"536870912\" length=\"0x20000\"/>"
        "<memory type=\"ram\" start=\"0xffffffffffffff00\" length=\"0x1000\"/>"
        "<memory type=\"ram\" start=\"0x1000\" length=\"0\"/></memory-map>";
    struct gdb_memory_map map;
    struct gdb_xml_flat flat;

    assert_int_equal(gdb_xml_flatten(text, strlen(text), &flat), STATUS_OK);
    assert_int_equal(gdb_memory_map_parse(&flat, &map), STATUS_OK);
    gdb_xml_free(&flat);
    assert_int_equal(map.count, 2);
    assert_int_equal(map.items[0].start_addr, 0x08000000);
    assert_false(map.items[0].is_ram);
    assert_int_equal(map.items[1].start_addr, 0x20000000);
    assert_true(map.items[1].is_ram);
    assert_int_equal(gdb_xml_flatten(text, strlen(text) - 9, &flat), STATUS_OK);
    assert_int_equal(gdb_memory_map_parse(&flat, &map), STATUS_BAD_DATA);
    assert_int_equal(map.count, 2);
    gdb_xml_free(&flat);
}

TEST(list_of_libraries_has_paths_and_biases)
{
    static const char text[] =
        "<library-list-svr4 version=\"1.0\" main-lm=\"0x7f00\">"
        "<library name=\"/lib/a&amp;b.so\" lm=\"0x1\" l_addr=\"0x7f0000001000\" l_ld=\"0x2\"/>"
        "<library name=\"\" l_addr=\"0x1\"/><library l_addr=\"0x1\"/></library-list-svr4>";
    struct gdb_libraries libraries;
    struct gdb_xml_flat flat;

    assert_int_equal(gdb_xml_flatten_apart(text, strlen(text), &unbounded, &flat), STATUS_OK);
    assert_int_equal(gdb_libraries_parse(&flat, &libraries), STATUS_OK);
    gdb_xml_free(&flat);
    assert_int_equal(libraries.count, 1);
    assert_string_equal(libraries.items[0].path, "/lib/a&b.so");
    assert_int_equal(libraries.items[0].bias_addr, 0x7f0000001000);
    gdb_libraries_deinit(&libraries);
}

/* Attributes that each element has by default make a small document a large one. */
TEST(document_that_grows_is_refused)
{
    const size_t value = 200000, size = value + 100000;
    struct gdb_memory_map map;
    struct gdb_xml_flat flat;
    char *text = calloc(1, size);
    size_t len;

    assert_non_null(text);
    len = (size_t)sprintf(text, "<!DOCTYPE m [<!ATTLIST n a CDATA \"");
    memset(text + len, 'x', value);
    len += value;
    len += (size_t)sprintf(text + len, "\">]><m>");
    for (unsigned i = 0; i < 10000; i++)
        len += (size_t)sprintf(text + len, "<n/>");
    len += (size_t)sprintf(text + len, "</m>");
    assert_int_equal(gdb_xml_flatten_apart(text, len, &unbounded, &flat), STATUS_OK);
    assert_in_range(flat.size, 1, GDB_XML_FLAT_MAX);
    assert_int_equal(gdb_memory_map_parse(&flat, &map), STATUS_BAD_DATA);
    gdb_xml_free(&flat);
    free(text);
}

TEST(events_that_nobody_sends_are_refused)
{
    static const char *const texts[] = {"", "x\0", "sreg", "sreg\0a", "sreg\0a\0", "sreg\0a\0v\0"};
    static const size_t sizes[] = {0, 2, 4, 6, 7, 9};
    struct gdb_memory_map map;

    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const struct gdb_xml_flat flat = {.bytes = (char *)texts[i], .size = sizes[i]};

        assert_int_equal(gdb_memory_map_parse(&flat, &map), STATUS_BAD_DATA);
    }
}
