/* SPDX-License-Identifier: MIT */
/* Classes as libstdc++ 12 has them, but for members that say nothing. */
#include "object_fixture.h"

struct cxx_scene {
    struct value_scene made, *scene; /* scene: that which was made */
    die_ref number, size, character, text;
};

static void cxx_scene_init(struct cxx_scene *cxx)
{
    *cxx = (struct cxx_scene){.scene = &cxx->made};
    value_scene_init(cxx->scene, ARCH_X86_64);
    cxx->number = scene_int(cxx->scene);
    cxx->size = scene_base(cxx->scene, "unsigned long", DW_ATE_unsigned, 8);
    cxx->character = scene_char(cxx->scene);
    cxx->text = scene_of(cxx->scene, TYPE_POINTER, NULL, cxx->character);
}

static void cxx_scene_deinit(struct cxx_scene *cxx)
{
    value_scene_deinit(cxx->scene);
}

/* The scene keeps members of these for good: they are of static storage. */
static die_ref add_string(struct cxx_scene *cxx)
{
    static struct type_member data[1], either[2], members[3];
    static const struct type_dimension sixteen[] = {SCENE_COUNT(16)};
    struct value_scene *scene = cxx->scene;
    die_ref local = scene_array(scene, cxx->character, sixteen, 1);

    data[0] = (struct type_member){.name = "_M_p", .type = cxx->text};
    either[0] = (struct type_member){.name = "_M_local_buf", .type = local};
    either[1] = (struct type_member){.name = "_M_allocated_capacity", .type = cxx->size};
    members[0] = (struct type_member){.name = "_M_dataplus",
                                      .type = scene_struct(scene, TYPE_STRUCT, "std::_Alloc_hider",
                                                           8, data, 1)};
    members[1] = (struct type_member){.name = "_M_string_length", .type = cxx->size, .off = 8};
    members[2] = (struct type_member){.type = scene_struct(scene, TYPE_UNION, NULL, 16, either, 2),
                                      .off = 16};
    return scene_struct(scene, TYPE_CLASS,
                        "std::__cxx11::basic_string<char, std::char_traits<char> >", 32, members,
                        3);
}

TEST_OF(string_within_the_object_and_elsewhere, cxx_scene, cxx)
{
    die_ref string = add_string(cxx);

    scene_language(cxx->scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(cxx->scene, 0, (uint64_t[]){SCENE_MEMORY + 16, 5});
    memcpy(cxx->scene->memory + 16, "short", 6);
    expect_text(cxx->scene, string, 0, "\"short\"");
    SCENE_PUT(cxx->scene, 0, (uint64_t[]){SCENE_MEMORY + 100, 20, 30});
    memcpy(cxx->scene->memory + 100, "a string on the heap", 21);
    expect_text(cxx->scene, string, 0, "\"a string on the heap\"");
    cxx->scene->captured = 108;
    expect_text(cxx->scene, string, 0, "\"a string\"...");
}

TEST_OF(string_that_does_not_fit_is_told_by_its_members, cxx_scene, cxx)
{
    die_ref string = add_string(cxx);

    scene_language(cxx->scene, DW_LANG_C_plus_plus_14);
    /* Longer than its capacity; than the object's own buffer. */
    SCENE_PUT(cxx->scene, 0, (uint64_t[]){SCENE_MEMORY + 100, 31, 30, 0});
    expect_text(cxx->scene, string, 0,
                "{_M_dataplus = {_M_p = 0x1064 \"\"}, _M_string_length = 31, {_M_local_buf = "
                "\"\\036\", '\\000' <repeats 14 times>, "
                "_M_allocated_capacity = 30}}");
    SCENE_PUT(cxx->scene, 0, (uint64_t[]){SCENE_MEMORY + 16, 16, 0, 0});
    expect_text(cxx->scene, string, 0,
                "{_M_dataplus = {_M_p = 0x1010 \"\"}, _M_string_length = 16, {_M_local_buf = "
                "'\\000' <repeats 15 times>, _M_allocated_capacity = 0}}");
}

TEST_OF(string_elsewhere_is_not_captured, cxx_scene, cxx)
{
    die_ref string = add_string(cxx);
    die_ref pair = SCENE_STRUCT(cxx->scene, "S", 40, {.name = "name", .type = string},
                                {.name = "id", .type = cxx->number, .off = 32});
    die_ref reference = scene_of(cxx->scene, TYPE_REFERENCE, NULL, string);
    struct object object = scene_object(string, 0), whole = scene_object(pair, 0),
                  referred = scene_object(reference, 64);

    scene_language(cxx->scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(cxx->scene, 0, (uint64_t[]){9, 20, 30, 0, 5});
    SCENE_PUT(cxx->scene, 64, (uint64_t){SCENE_MEMORY});
    expect_unknown(cxx->scene, &object, NOT_CAPTURED);
    expect_unknown(cxx->scene, &referred, NOT_CAPTURED);
    expect_told(cxx->scene, &whole, "{name = <not captured>, id = 5}", true);
    /* Nor are its members. */
    cxx->scene->hole = 8;
    expect_unknown(cxx->scene, &object, NOT_CAPTURED);
    expect_told(cxx->scene, &whole, "{name = <not captured>, id = 5}", true);
    cxx->scene->style.raw = true;
    expect_told(cxx->scene, &object,
                "{_M_dataplus = {_M_p = 0x9}, _M_string_length = <not captured>, {_M_local_buf = "
                "\"\\036\", '\\000' <repeats 14 times>, _M_allocated_capacity = 30}}",
                true);
}

TEST_OF(string_is_its_members_when_raw, cxx_scene, cxx)
{
    die_ref view = SCENE_STRUCT(cxx->scene, "std::basic_string_view<char>", 16,
                                {.name = "_M_len", .type = cxx->size},
                                {.name = "_M_str", .type = cxx->text, .off = 8});

    scene_language(cxx->scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(cxx->scene, 0, (uint64_t[]){2, SCENE_MEMORY + 16});
    memcpy(cxx->scene->memory + 16, "abc", 4);
    expect_text(cxx->scene, view, 0, "\"ab\"");
    cxx->scene->style.raw = true;
    expect_text(cxx->scene, view, 0, "{_M_len = 2, _M_str = 0x1010 \"abc\"}");
}

static die_ref add_vector(struct cxx_scene *cxx, die_ref pointer, uint64_t end_off)
{
    static struct type_member impl[3], members[1];

    impl[0] = (struct type_member){.name = "_M_start", .type = pointer};
    impl[1] = (struct type_member){.name = "_M_finish", .type = pointer, .off = end_off / 2};
    impl[2] = (struct type_member){.name = "_M_end_of_storage",
                                   .off = end_off,
                                   .type = end_off == 16 ? pointer : cxx->text};
    members[0] = (struct type_member){.name = "_M_impl",
                                      .type = scene_struct(cxx->scene, TYPE_STRUCT, "impl",
                                                           end_off + 8, impl, 3)};
    return scene_struct(cxx->scene, TYPE_CLASS, "std::vector<int>", end_off + 8, members, 1);
}

TEST_OF(vector_is_its_elements, cxx_scene, cxx)
{
    die_ref vector = add_vector(cxx, scene_of(cxx->scene, TYPE_POINTER, NULL, cxx->number), 16);
    struct object object = scene_object(vector, 0);

    scene_language(cxx->scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(cxx->scene, 64, (int[]){1, 2, 3});
    SCENE_PUT(cxx->scene, 0, (uint64_t[]){SCENE_MEMORY + 64, SCENE_MEMORY + 76, SCENE_MEMORY + 80});
    expect_text(cxx->scene, vector, 0, "{1, 2, 3}");
    cxx->scene->captured = 72;
    expect_told(cxx->scene, &object, "{1, 2, <not captured>}", true);
    cxx->scene->captured = 64;
    expect_unknown(cxx->scene, &object, NOT_CAPTURED);
    SCENE_PUT(cxx->scene, 0, (uint64_t[]){0, 0, 0});
    expect_text(cxx->scene, vector, 0, "{}");
    /* The end before the start; half an element. */
    SCENE_PUT(cxx->scene, 0, (uint64_t[]){16, 12, 20});
    expect_text(cxx->scene, vector, 0,
                "{_M_impl = {_M_start = 0x10, _M_finish = 0xc, _M_end_of_storage = 0x14}}");
    SCENE_PUT(cxx->scene, 0, (uint64_t[]){16, 18, 20});
    expect_text(cxx->scene, vector, 0,
                "{_M_impl = {_M_start = 0x10, _M_finish = 0x12, _M_end_of_storage = 0x14}}");
}

TEST_OF(vector_of_bits_is_its_bits, cxx_scene, cxx)
{
    die_ref place =
        SCENE_STRUCT(cxx->scene, "std::_Bit_iterator", 16, {.name = "_M_p", .type = cxx->text},
                     {.name = "_M_offset", .type = cxx->number, .off = 8});
    die_ref vector = add_vector(cxx, place, 32);
    struct object object = scene_object(vector, 0);

    scene_language(cxx->scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(cxx->scene, 0,
              (uint64_t[]){SCENE_MEMORY + 64, 0, SCENE_MEMORY + 64, 3, SCENE_MEMORY + 72});
    cxx->scene->memory[64] = 0xfd;
    expect_text(cxx->scene, vector, 0, "{true, false, true}");
    SCENE_PUT(cxx->scene, 24, (uint64_t){40});
    memset(cxx->scene->memory + 64, 0, 8);
    expect_text(cxx->scene, vector, 0, "{false <repeats 40 times>}");
    cxx->scene->captured = 64;
    expect_unknown(cxx->scene, &object, NOT_CAPTURED);
}

TEST_OF(tuple_and_pair_and_array_are_their_elements, cxx_scene, cxx)
{
    struct value_scene *scene = cxx->scene;
    die_ref head0 = SCENE_STRUCT(scene, "std::_Head_base<0, int, false>", 4,
                                 {.name = "_M_head_impl", .type = cxx->number});
    die_ref head1 = SCENE_STRUCT(scene, "std::_Head_base<1, char, false>", 1,
                                 {.name = "_M_head_impl", .type = cxx->character});
    die_ref rest =
        SCENE_STRUCT(scene, "std::_Tuple_impl<1, char>", 1, {.type = head1, .is_base = true});
    die_ref impl =
        SCENE_STRUCT(scene, "std::_Tuple_impl<0, int, char>", 8, {.type = rest, .is_base = true},
                     {.type = head0, .off = 4, .is_base = true});
    die_ref tuple =
        SCENE_STRUCT(scene, "std::tuple<int, char>", 8, {.type = impl, .is_base = true});
    die_ref empty =
        scene_add(scene,
                  (struct type){.kind = TYPE_CLASS, .name = "std::__pair_base<>", .size = 1});
    die_ref pair = SCENE_STRUCT(scene, "std::pair<int, int>", 8, {.type = empty, .is_base = true},
                                {.name = "first", .type = cxx->number},
                                {.name = "second", .type = cxx->number, .off = 4});
    die_ref array =
        SCENE_STRUCT(scene, "std::array<int, 2>", 8,
                     {.name = "_M_elems", .type = SCENE_ARRAY(scene, cxx->number, SCENE_COUNT(2))});

    scene_language(scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(scene, 0, (int[]){'a', 7});
    expect_text(scene, tuple, 0, "{7, 97 'a'}");
    expect_text(scene, pair, 0, "{first = 97, second = 7}");
    expect_text(scene, array, 0, "{97, 7}");
}

TEST_OF(owner_is_its_pointer_and_what_that_points_to, cxx_scene, cxx)
{
    struct value_scene *scene = cxx->scene;
    die_ref pointed = SCENE_STRUCT(scene, "S", 4, {.name = "x", .type = cxx->number});
    die_ref shared =
        SCENE_STRUCT(scene, "std::shared_ptr<S>", 16,
                     {.name = "_M_ptr", .type = scene_of(scene, TYPE_POINTER, NULL, pointed)});
    struct object object = scene_object(shared, 8);

    scene_language(scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 64, 0, 0});
    scene->memory[64] = 9;
    expect_text(scene, shared, 0, "0x1040 {x = 9}");
    expect_text(scene, shared, 8, "0x0");
    scene->captured = 64;
    expect_text(scene, shared, 0, "0x1040");
    scene->captured = 8;
    expect_unknown(scene, &object, NOT_CAPTURED);
}

/* A base without members would be known. */
TEST_OF(owner_is_its_pointer_alone_where_the_rest_is_not_captured, cxx_scene, cxx)
{
    struct value_scene *scene = cxx->scene;
    die_ref empty = scene_add(scene, (struct type){.kind = TYPE_CLASS, .name = "empty", .size = 1});
    die_ref pointed = SCENE_STRUCT(scene, "S", 4, {.type = empty, .is_base = true},
                                   {.name = "x", .type = cxx->number});
    die_ref shared =
        SCENE_STRUCT(scene, "std::shared_ptr<S>", 16,
                     {.name = "_M_ptr", .type = scene_of(scene, TYPE_POINTER, NULL, pointed)});

    scene_language(scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 64, 0, 0});
    expect_text(scene, shared, 0, "0x1040 {<empty> = {<No data fields>}, x = 0}");
    scene->captured = 64;
    expect_text(scene, shared, 0, "0x1040");
}

TEST_OF(span_is_its_elements, cxx_scene, cxx)
{
    struct value_scene *scene = cxx->scene;
    die_ref extent =
        SCENE_STRUCT(scene, "extent", 8, {.name = "_M_extent_value", .type = cxx->size});
    die_ref span =
        SCENE_STRUCT(scene, "std::span<int, 18446744073709551615>", 16,
                     {.name = "_M_ptr", .type = scene_of(scene, TYPE_POINTER, NULL, cxx->number)},
                     {.name = "_M_extent", .type = extent, .off = 8});

    scene_language(scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 64, 2});
    SCENE_PUT(scene, 64, (int[]){4, 5});
    expect_text(scene, span, 0, "{4, 5}");
}

TEST_OF(optional_is_its_value_or_none, cxx_scene, cxx)
{
    struct value_scene *scene = cxx->scene;
    die_ref truth = scene_base(scene, "bool", DW_ATE_boolean, 1);
    die_ref storage = SCENE_STRUCT(scene, "storage", 4, {.name = "_M_value", .type = cxx->number});
    die_ref payload = SCENE_STRUCT(scene, "payload", 8, {.name = "_M_payload", .type = storage},
                                   {.name = "_M_engaged", .type = truth, .off = 4});
    die_ref optional =
        SCENE_STRUCT(scene, "std::optional<int>", 8, {.name = "_M_payload", .type = payload});

    scene_language(scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(scene, 0, (int[]){7, 1});
    expect_text(scene, optional, 0, "7");
    scene->memory[4] = 0;
    expect_text(scene, optional, 0, "std::nullopt");
    scene->memory[4] = 2;
    expect_text(scene, optional, 0, "{_M_payload = {_M_payload = {_M_value = 7}, _M_engaged = 2}}");
}

TEST_OF(reference_to_container_is_the_container, cxx_scene, cxx)
{
    die_ref string = add_string(cxx);
    die_ref reference = scene_of(cxx->scene, TYPE_REFERENCE, NULL, string);

    scene_language(cxx->scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(cxx->scene, 0, (uint64_t[]){SCENE_MEMORY + 8, SCENE_MEMORY + 24, 2});
    memcpy(cxx->scene->memory + 24, "ab", 3);
    expect_text(cxx->scene, reference, 0, "\"ab\"");
}

TEST_OF(part_is_found_through_owners, cxx_scene, cxx)
{
    struct value_scene *scene = cxx->scene;
    die_ref row = SCENE_ARRAY(scene, cxx->number, SCENE_COUNT(2));
    die_ref pointed = SCENE_STRUCT(scene, "S", 12, {.name = "x", .type = cxx->number},
                                   {.name = "row", .type = row, .off = 4});
    die_ref pointer = scene_of(scene, TYPE_POINTER, NULL, pointed);
    die_ref head = SCENE_STRUCT(scene, "std::_Head_base<0, S*, false>", 8,
                                {.name = "_M_head_impl", .type = pointer});
    die_ref impl = SCENE_STRUCT(scene, "std::_Tuple_impl<0, S*, std::default_delete<S> >", 8,
                                {.type = head, .is_base = true});
    die_ref tuple = SCENE_STRUCT(scene, "std::tuple<S*, std::default_delete<S> >", 8,
                                 {.type = impl, .is_base = true});
    die_ref unique = SCENE_STRUCT(scene, "std::unique_ptr<S>", 8, {.name = "_M_t", .type = tuple});
    die_ref several =
        SCENE_STRUCT(scene, "std::unique_ptr<S[]>", 8, {.name = "_M_t", .type = tuple});
    die_ref shared =
        SCENE_STRUCT(scene, "std::shared_ptr<std::unique_ptr<S> >", 8,
                     {.name = "_M_ptr", .type = scene_of(scene, TYPE_POINTER, NULL, unique)});
    struct object object = scene_object(unique, 0), many = scene_object(several, 0),
                  outer = scene_object(shared, 8);

    scene_language(scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(scene, 0, (uint64_t[]){SCENE_MEMORY + 64, SCENE_MEMORY});
    SCENE_PUT(scene, 64, (int[]){1, 2, 3, 4, 5, 6});
    expect_part(scene, &object, "x", "1");
    expect_part(scene, &outer, "x", "1");
    expect_part(scene, &object, "*", "{x = 1, row = {2, 3}}");
    expect_part(scene, &many, "[1]", "{x = 4, row = {5, 6}}");
    expect_part(scene, &object, "_M_t", "{0x1040}");
    expect_part(scene, &object, "y", "<unavailable: no such member>");
    /* Of one object there is no other behind it. */
    expect_part(scene, &object, "[0]", "<unavailable: no array or pointer>");
    scene->captured = 64;
    expect_part(scene, &outer, "x", "<not captured>");
    scene->captured = 8;
    expect_part(scene, &outer, "x", "<not captured>");
}

TEST_OF(part_of_container_is_an_element, cxx_scene, cxx)
{
    struct value_scene *scene = cxx->scene;
    die_ref vector = add_vector(cxx, scene_of(scene, TYPE_POINTER, NULL, cxx->number), 16);
    die_ref string = add_string(cxx);
    die_ref array =
        SCENE_STRUCT(scene, "std::array<int, 2>", 8,
                     {.name = "_M_elems", .type = SCENE_ARRAY(scene, cxx->number, SCENE_COUNT(2))});
    die_ref shared =
        SCENE_STRUCT(scene, "std::shared_ptr<std::vector<int> >", 8,
                     {.name = "_M_ptr", .type = scene_of(scene, TYPE_POINTER, NULL, vector)});
    struct object object = scene_object(vector, 0), fixed = scene_object(array, 64),
                  owner = scene_object(shared, 24), text = scene_object(string, 32);

    scene_language(scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(scene, 0,
              (uint64_t[]){SCENE_MEMORY + 64, SCENE_MEMORY + 76, SCENE_MEMORY + 80, SCENE_MEMORY,
                           SCENE_MEMORY + 48, 2, 0x6261});
    SCENE_PUT(scene, 64, (int[]){1, 2, 3, 4});
    expect_part(scene, &object, "[2]", "3");
    expect_part(scene, &object, "[3]", "<unavailable: an index out of range>");
    expect_part(scene, &object, "[-1]", "<unavailable: an index out of range>");
    expect_part(scene, &owner, "[1]", "2");
    expect_part(scene, &fixed, "[1]", "2");
    expect_part(scene, &fixed, "[2]", "<unavailable: an index out of range>");
    expect_part(scene, &text, "[1]", "98 'b'");
    scene->captured = 72;
    expect_part(scene, &object, "[2]", "<not captured>");
    scene->hole = 8;
    expect_part(scene, &object, "[0]", "<not captured>");
    /* Whose members do not fit. */
    scene->hole = SCENE_BYTES;
    SCENE_PUT(scene, 8, (uint64_t){SCENE_MEMORY + 77});
    expect_part(scene, &object, "[0]", "<unavailable: no array or pointer>");
}

TEST_OF(part_of_optional_is_one_of_its_value, cxx_scene, cxx)
{
    struct value_scene *scene = cxx->scene;
    die_ref truth = scene_base(scene, "bool", DW_ATE_boolean, 1);
    die_ref inner = SCENE_STRUCT(scene, "S", 4, {.name = "x", .type = cxx->number});
    die_ref payload = SCENE_STRUCT(scene, "payload", 8, {.name = "_M_value", .type = inner},
                                   {.name = "_M_engaged", .type = truth, .off = 4});
    die_ref optional =
        SCENE_STRUCT(scene, "std::optional<S>", 8, {.name = "_M_payload", .type = payload});
    struct object object = scene_object(optional, 0);

    scene_language(scene, DW_LANG_C_plus_plus_14);
    SCENE_PUT(scene, 0, (int[]){7, 1});
    expect_part(scene, &object, "x", "7");
    scene->memory[4] = 0;
    expect_part(scene, &object, "x", "<unavailable: no such member>");
}
