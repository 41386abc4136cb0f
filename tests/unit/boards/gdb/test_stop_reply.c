/* SPDX-License-Identifier: MIT */
/* What stubs say of targets that have stopped or ended. */
#include <string.h>

#include "unit_test.h"
#include "boards/gdb/link.h"
#include "boards/gdb/stop_reply.h"

static struct gdb_stop parse(const char *text)
{
    struct gdb_stop stop;

    gdb_stop_parse(text, &stop);
    return stop;
}

TEST(stop_tells_signal_and_thread)
{
    struct gdb_stop stop = parse("T02thread:p01.1f;core:0;");

    assert_int_equal(stop.kind, GDB_STOP_SIGNAL);
    assert_int_equal(stop.number, 2);
    assert_true(stop.has_thread);
    assert_int_equal(stop.thread.pid, 1);
    assert_int_equal(stop.thread.tid, 0x1f);
    stop = parse("T050f:30f0ffff;07:00;library:;thread:7");
    assert_int_equal(stop.thread.tid, 7);
    assert_int_equal(stop.thread.pid, 0);
    assert_true(stop.is_library);
    assert_int_equal(parse("S0b").number, 11);
}

TEST(end_and_output_are_told_apart)
{
    assert_int_equal(parse("W03;process:7").kind, GDB_STOP_EXITED);
    assert_int_equal(parse("W03").number, 3);
    assert_int_equal(parse("X09").kind, GDB_STOP_KILLED);
    assert_int_equal(parse("N").kind, GDB_STOP_NOTHING);
    assert_int_equal(parse("O48656c6c6f").kind, GDB_STOP_OTHER);
    assert_int_equal(parse("Fwrite,1,20000000,5").kind, GDB_STOP_FILE_IO);
}

TEST(what_is_not_whole_is_no_stop)
{
    static const char *const texts[] = {"", "T", "T0", "Txx", "S", "E01", "OK", "W"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_int_equal(parse(texts[i]).kind, GDB_STOP_OTHER);
    assert_false(parse("T05thread:").has_thread);
    assert_false(parse("T05thread:p").has_thread);
    assert_true(parse("T05thread:fffffffff;").has_thread); /* an address */
    assert_false(parse("T05thread:8000000000000000;").has_thread);
}

TEST(thread_ids_have_processes_and_minus_one)
{
    struct gdb_thread_id id;
    const char *text = "p-1.-1,2";

    assert_true(gdb_thread_id_parse(&text, &id));
    assert_int_equal(id.pid, -1);
    assert_int_equal(id.tid, -1);
    assert_string_equal(text, ",2");
}

TEST(offers_are_those_with_a_plus)
{
    struct gdb_offers offers;
    size_t size = 400;

    gdb_link_parse_offers("PacketSize=1000;qXfer:features:read+;QStartNoAckMode+;"
                          "qXfer:memory-map:read-;multiprocess+",
                          &offers, &size);
    assert_int_equal(size, 0x1000);
    assert_true(offers.features && offers.no_ack && offers.multiprocess);
    assert_false(offers.memory_map || offers.auxv || offers.binary_memory);
    gdb_link_parse_offers("PacketSize=fffffffff", &offers, &size);
    assert_int_equal(size, GDB_PACKET_MAX);
    gdb_link_parse_offers("PacketSize=1", &offers, &size);
    assert_int_equal(size, GDB_PACKET_MAX);
}
