/* SPDX-License-Identifier: MIT */
#include "capture/gdb/xml.h"

#include <errno.h>
#include <expat.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct parsing {
    const struct gdb_xml *xml;
    XML_Parser parser;
};

static void on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
    const struct parsing *p = data;

    if (p->xml->start)
        p->xml->start(p->xml->context, name, attributes);
}

static void on_end(void *data, const XML_Char *name)
{
    const struct parsing *p = data;

    if (p->xml->end)
        p->xml->end(p->xml->context, name);
}

static void on_text(void *data, const XML_Char *text, int len)
{
    const struct parsing *p = data;

    if (p->xml->text)
        p->xml->text(p->xml->context, text, (size_t)len);
}

static void on_entity(void *data, const XML_Char *name, int is_parameter, const XML_Char *value,
                      int value_length, const XML_Char *base, const XML_Char *system_id,
                      const XML_Char *public_id, const XML_Char *notation)
{
    const struct parsing *p = data;

    (void)name, (void)is_parameter, (void)value, (void)value_length, (void)base;
    (void)system_id, (void)public_id, (void)notation;
    XML_StopParser(p->parser, XML_FALSE);
}

enum status gdb_xml_parse(const char *document, size_t size, const struct gdb_xml *xml)
{
    struct parsing parsing = {.xml = xml, .parser = XML_ParserCreate(NULL)};
    bool is_good;

    if (!parsing.parser)
        return STATUS_NO_MEMORY;
    XML_SetUserData(parsing.parser, &parsing);
    XML_SetElementHandler(parsing.parser, on_start, on_end);
    XML_SetCharacterDataHandler(parsing.parser, on_text);
    XML_SetEntityDeclHandler(parsing.parser, on_entity);
    is_good = size <= GDB_XML_MAX &&
              XML_Parse(parsing.parser, document, (int)size, XML_TRUE) == XML_STATUS_OK;
    XML_ParserFree(parsing.parser);
    return is_good ? STATUS_OK : STATUS_BAD_DATA;
}

const char *gdb_xml_attribute(const char **attributes, const char *name)
{
    for (size_t i = 0; attributes[i]; i += 2) {
        const char *colon = strchr(attributes[i], ':');

        if (strcmp(colon ? colon + 1 : attributes[i], name) == 0)
            return attributes[i + 1];
    }
    return NULL;
}

uint64_t gdb_xml_number(const char **attributes, const char *name, uint64_t otherwise)
{
    const char *text = gdb_xml_attribute(attributes, name);
    unsigned long long value;
    char *end;

    if (!text || text[0] < '0' || text[0] > '9')
        return otherwise;
    errno = 0;
    value = strtoull(text, &end, 0);
    return *end || errno ? otherwise : value;
}
