/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include <dwarf.h>

#include "variables/model/location.h"

#define MEMORY UINT64_C(0x7000)
#define BIAS   UINT64_C(0x100000)

/*
 * A frame: register N is 0xfff0 + N, but for 3 (MEMORY) and 9 (not known). CFA MEMORY + 16, frame
 * base MEMORY + 8. Memory: the words 0x1111, 0x7010, 0x8877665544332211, -1.
 */
static const uint64_t words[] = {0x1111, 0x7010, UINT64_C(0x8877665544332211), UINT64_MAX};

static struct known_how get_reg(void *context, uint64_t reg, uint64_t *value)
{
    (void)context;
    if (reg == 9 || reg > 40)
        return unavailable("register not recovered");
    *value = reg == 3 ? MEMORY : 0xfff0 + reg;
    return known_yes();
}

static struct known_how get_cfa(void *context, uint64_t *value)
{
    (void)context;
    *value = MEMORY + 16;
    return known_yes();
}

static struct known_how get_frame_base(void *context, uint64_t *value)
{
    (void)context;
    *value = MEMORY + 8;
    return known_yes();
}

static struct known_how read_memory(void *context, uint64_t addr, void *buffer, size_t size)
{
    (void)context;
    if (addr < MEMORY || addr > MEMORY + sizeof(words) || size > MEMORY + sizeof(words) - addr)
        return known_not(NOT_CAPTURED);
    memcpy(buffer, (const uint8_t *)words + (addr - MEMORY), size);
    return known_yes();
}

static struct known_how get_tls(void *context, uint64_t off, uint64_t *value)
{
    (void)context;
    *value = 0x9000 + off;
    return known_yes();
}

/* 0xe000, the register that it is in and, in the thousands, how deep it is nested. */
static struct known_how get_entry(void *context, const struct location *inner, unsigned nest,
                                  uint64_t *value)
{
    (void)context;
    *value = 0xe000 + 0x100000 * nest + (unsigned)(inner->ops[0].atom - DW_OP_reg0);
    return known_yes();
}

static struct known_how get_parameter(void *context, die_ref parameter, unsigned nest,
                                      uint64_t *value)
{
    (void)context;
    *value = parameter + 0x100000 * nest;
    return known_yes();
}

static struct location_frame frame_of(enum arch_id arch)
{
    return (struct location_frame){
        .arch = arch_get(arch),
        .bias = BIAS,
        .reg = get_reg,
        .cfa = get_cfa,
        .frame_base = get_frame_base,
        .read = read_memory,
        .tls = get_tls,
        .entry_value = get_entry,
        .parameter = get_parameter,
    };
}

#define OP(...)        ((struct location_op){__VA_ARGS__})
#define OPS(...)       ((struct location_op[]){__VA_ARGS__})
#define COUNT(...)     (sizeof(OPS(__VA_ARGS__)) / sizeof(struct location_op))
#define LIT(n)         OP(.atom = (uint8_t)(DW_OP_lit0 + (n)))
#define A(name)        OP(.atom = DW_OP_##name)
#define O(name, n)     OP(.atom = DW_OP_##name, .operand = {(uint64_t)(n)})
#define O2(name, n, m) OP(.atom = DW_OP_##name, .operand = {(uint64_t)(n), (uint64_t)(m)})
#define C(n)           O(const8u, n)

#define S4                                                                                         \
    {                                                                                              \
        DW_ATE_signed, 4                                                                           \
    }
#define S8                                                                                         \
    {                                                                                              \
        DW_ATE_signed, 8                                                                           \
    }
#define U1                                                                                         \
    {                                                                                              \
        DW_ATE_unsigned_char, 1                                                                    \
    }
#define U2                                                                                         \
    {                                                                                              \
        DW_ATE_unsigned, 2                                                                         \
    }
#define U4                                                                                         \
    {                                                                                              \
        DW_ATE_unsigned, 4                                                                         \
    }
#define U8                                                                                         \
    {                                                                                              \
        DW_ATE_unsigned, 8                                                                         \
    }
#define S16                                                                                        \
    {                                                                                              \
        DW_ATE_signed, 16                                                                          \
    }
#define U16                                                                                        \
    {                                                                                              \
        DW_ATE_unsigned, 16                                                                        \
    }
#define F4                                                                                         \
    {                                                                                              \
        DW_ATE_float, 4                                                                            \
    }
#define F8                                                                                         \
    {                                                                                              \
        DW_ATE_float, 8                                                                            \
    }
#define F16                                                                                        \
    {                                                                                              \
        DW_ATE_float, 16                                                                           \
    }
#define T(name, ...) OP(.atom = DW_OP_##name, .type = __VA_ARGS__)

/* A constant of that many bytes. */
#define K(type_of, ...)                                                                            \
    OP(.atom = DW_OP_const_type, .type = type_of, .block = (const uint8_t[]){__VA_ARGS__},         \
       .block_size = sizeof((uint8_t[]){__VA_ARGS__}))

/* Each operation has one byte: a branch's target is an index. */
static struct location locate(struct location_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ops[i].off = (uint32_t)i;
    return (struct location){.ops = ops, .count = (uint32_t)count, .size = (uint32_t)count};
}

static void expect_number(enum arch_id arch, struct location_op *ops, size_t count, uint64_t want)
{
    struct location location = locate(ops, count);
    struct location_frame frame = frame_of(arch);
    uint64_t value = 0;
    struct known_how known = location_value(&location, &frame, 0, &value);

    if (known.why)
        print_message("%s\n", known.why);
    assert_int_equal(known.state, KNOWN);
    assert_int_equal(value, want);
}

static void expect_nothing(enum arch_id arch, struct location_op *ops, size_t count,
                           enum known_state state, const char *why)
{
    struct location location = locate(ops, count);
    struct location_frame frame = frame_of(arch);
    struct place_of_object place;
    uint64_t value = 0;
    struct known_how known = location_value(&location, &frame, 0, &value);

    assert_int_equal(known.state, state);
    if (why)
        assert_string_equal(known.why, why);
    known = location_place(&location, &frame, 0, &place);
    assert_int_equal(known.state, state);
    assert_int_equal(place.count, 0);
}

#define VALUE(want, ...)   expect_number(ARCH_X86_64, OPS(__VA_ARGS__), COUNT(__VA_ARGS__), want)
#define VALUE32(want, ...) expect_number(ARCH_I386, OPS(__VA_ARGS__), COUNT(__VA_ARGS__), want)
#define NOT(why, ...)                                                                              \
    expect_nothing(ARCH_X86_64, OPS(__VA_ARGS__), COUNT(__VA_ARGS__), UNAVAILABLE, why)
#define NOT32(why, ...)                                                                            \
    expect_nothing(ARCH_I386, OPS(__VA_ARGS__), COUNT(__VA_ARGS__), UNAVAILABLE, why)
#define MALFORMED(...) NOT("malformed location", __VA_ARGS__)

static struct place_of_object place_at(enum arch_id arch, struct location_op *ops, size_t count)
{
    struct location location = locate(ops, count);
    struct location_frame frame = frame_of(arch);
    struct place_of_object place;
    struct known_how known = location_place(&location, &frame, 0, &place);

    if (known.why)
        print_message("%s\n", known.why);
    assert_int_equal(known.state, KNOWN);
    return place;
}

#define PLACE(...)   place_at(ARCH_X86_64, OPS(__VA_ARGS__), COUNT(__VA_ARGS__))
#define PLACE32(...) place_at(ARCH_I386, OPS(__VA_ARGS__), COUNT(__VA_ARGS__))

/* A value's bytes, of the first piece. */
static void expect_bytes(struct place_of_object place, uint32_t size, uint64_t low, uint64_t high)
{
    const struct object_piece *piece = &place.pieces[0];
    uint64_t halves[2];

    assert_int_equal(place.count, 1);
    assert_int_equal(piece->kind, PIECE_BYTES);
    assert_int_equal(piece->size, size);
    assert_null(piece->bytes);
    memcpy(halves, piece->word, sizeof(halves));
    assert_int_equal(halves[0], low);
    assert_int_equal(halves[1], high);
}

#define BYTES(size, low, high, ...)                                                                \
    expect_bytes(PLACE(__VA_ARGS__, A(stack_value)), size, low, high)

TEST(location_constants_have_their_signs)
{
    VALUE(0, LIT(0));
    VALUE(31, LIT(31));
    VALUE(0x80, O(const1u, 0x80));
    VALUE(UINT64_MAX - 0x7f, O(const1s, 0x80));
    VALUE(0xffff, O(const2u, 0xffff));
    VALUE(UINT64_MAX, O(const2s, 0xffff));
    VALUE(0xffffffff, O(const4u, UINT32_MAX));
    VALUE(UINT64_MAX, O(const4s, UINT32_MAX));
    VALUE(UINT64_MAX - 1, O(const8u, -2));
    VALUE(UINT64_MAX - 1, O(const8s, -2));
    VALUE(77, O(constu, 77));
    VALUE(UINT64_MAX, O(consts, -1));
    VALUE(0x401000 + BIAS, O(addr, 0x401000));
    VALUE(5, A(nop), LIT(5), A(nop));
}

TEST(location_of_32_bits_wraps)
{
    VALUE32(UINT32_MAX, O(const1s, -1));
    VALUE32(0, O(const4u, UINT32_MAX), LIT(1), A(plus));
    VALUE32(UINT32_MAX, LIT(0), LIT(1), A(minus));
    VALUE32(0xffffffff, LIT(0), A(not ));
    VALUE32(0xfffffffe, LIT(2), A(neg));
    VALUE32(0, C(0x10000), C(0x10000), A(mul));
    VALUE32(0xfffff000 + 0x200, O(breg3, (int64_t)-0x7000 - 0xe00));
    VALUE32(0x80000000, C(0x100000000 + 0x80000000));
    VALUE32(0, O(addr, 0x100000000 - BIAS));
    VALUE32(0xffffffff, C(0x80000000), LIT(31), A(shra));
    VALUE32(1, C(0xffffffff), LIT(0), A(lt));
    VALUE32(0x1111, O(breg3, 0), A(deref));
    NOT32(NULL, LIT(1), O(const1u, 32), A(shl));
    expect_bytes(PLACE32(O(const1s, -1), A(stack_value)), 4, UINT32_MAX, 0);
}

TEST(location_stack_operations_move_entries)
{
    VALUE(10, LIT(5), A(dup), A(plus));
    VALUE(1, LIT(1), LIT(2), A(drop));
    VALUE(1, LIT(1), LIT(2), A(over));
    VALUE(1, LIT(1), LIT(2), LIT(3), O(pick, 2));
    VALUE(3, LIT(1), LIT(2), LIT(3), O(pick, 0));
    VALUE(1, LIT(1), LIT(2), A(swap), A(minus));
    /* 1 2 3, the top last, becomes 3 1 2 */
    VALUE(2, LIT(1), LIT(2), LIT(3), A(rot));
    VALUE(1, LIT(1), LIT(2), LIT(3), A(rot), A(drop));
    VALUE(3, LIT(1), LIT(2), LIT(3), A(rot), A(drop), A(drop));
    MALFORMED(A(drop));
    MALFORMED(A(dup));
    MALFORMED(LIT(1), A(over));
    MALFORMED(LIT(1), A(swap));
    MALFORMED(LIT(1), LIT(1), A(rot));
    MALFORMED(LIT(1), O(pick, 1));
    MALFORMED(LIT(1), O(pick, UINT64_MAX));
    MALFORMED(LIT(1), A(drop));
    MALFORMED(A(nop));
}

TEST(location_generic_arithmetic_is_signed_but_for_mod)
{
    VALUE(4, LIT(12), LIT(6), A(and));
    VALUE(14, LIT(12), LIT(6), A(or));
    VALUE(10, LIT(12), LIT(6), A(xor));
    VALUE(18, LIT(12), LIT(6), A(plus));
    VALUE(6, LIT(12), LIT(6), A(minus));
    VALUE(72, LIT(12), LIT(6), A(mul));
    VALUE(112, LIT(12), O(plus_uconst, 100));
    VALUE((uint64_t)-3, O(const1s, -7), LIT(2), A(div));
    VALUE((uint64_t)-3, LIT(7), O(const1s, -2), A(div));
    VALUE(UINT64_MAX % 7, O(const1s, -1), LIT(7), A(mod));
    VALUE(7, O(const1s, -7), A(abs));
    VALUE(7, LIT(7), A(abs));
    VALUE((uint64_t)-7, LIT(7), A(neg));
    VALUE(~UINT64_C(7), LIT(7), A(not ));
    VALUE(12 << 3, LIT(12), LIT(3), A(shl));
    VALUE(UINT64_MAX >> 4, O(const1s, -1), LIT(4), A(shr));
    VALUE(UINT64_MAX, O(const1s, -16), LIT(4), A(shra));
    VALUE(1, LIT(16), LIT(4), A(shra));
    MALFORMED(LIT(1), A(plus));
    MALFORMED(A(neg));
    MALFORMED(O(plus_uconst, 1));
}

TEST(location_comparisons_are_signed)
{
    static const struct {
        uint8_t atom;
        uint8_t less, equal, greater;
    } table[] = {{DW_OP_eq, 0, 1, 0}, {DW_OP_ne, 1, 0, 1}, {DW_OP_lt, 1, 0, 0},
                 {DW_OP_le, 1, 1, 0}, {DW_OP_gt, 0, 0, 1}, {DW_OP_ge, 0, 1, 1}};

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        VALUE(table[i].less, O(const1s, -1), LIT(2), OP(.atom = table[i].atom));
        VALUE(table[i].equal, O(const1s, -1), O(const1s, -1), OP(.atom = table[i].atom));
        VALUE(table[i].greater, LIT(2), O(const1s, -1), OP(.atom = table[i].atom));
        /* of a type that is not signed, and of floats */
        VALUE(table[i].greater, K(U1, 0xff), K(U1, 2), OP(.atom = table[i].atom));
        VALUE(table[i].less, K(F4, 0, 0, 0x80, 0xbf), K(F4, 0, 0, 0x80, 0x3f),
              OP(.atom = table[i].atom));
        VALUE(table[i].equal, K(F4, 0, 0, 0, 0x80), K(F4, 0, 0, 0, 0), OP(.atom = table[i].atom));
        NOT("not a number", K(F4, 0, 0, 0xc0, 0x7f), K(F4, 0, 0, 0, 0), OP(.atom = table[i].atom));
    }
}

TEST(location_undefined_arithmetic_is_not_known)
{
    NOT("division by zero", LIT(1), LIT(0), A(div));
    NOT("division by zero", LIT(1), LIT(0), A(mod));
    NOT("result out of range", C(INT64_MIN), O(const1s, -1), A(div));
    NOT32("result out of range", C(INT32_MIN), O(const1s, -1), A(div));
    NOT("result out of range", C(INT64_MIN), A(abs));
    NOT("shift beyond the width", LIT(1), O(const1u, 64), A(shl));
    NOT("shift beyond the width", LIT(1), O(const1u, 64), A(shr));
    NOT("shift beyond the width", LIT(1), O(const1s, -1), A(shra));
    NOT("result out of range", K(S4, 0, 0, 0, 0x80), K(S4, 0xff, 0xff, 0xff, 0xff), A(div));
}

TEST(location_branches_go_to_operations)
{
    VALUE(2, O(skip, 2), LIT(1), LIT(2));
    VALUE(1, LIT(1), O(bra, 5), LIT(3), A(drop), A(drop), LIT(1)); /* pops; taken */
    VALUE(7, LIT(0), O(bra, 4), LIT(7), O(skip, 5), LIT(8));
    VALUE(8, LIT(1), O(bra, 4), LIT(7), O(skip, 5), LIT(8));
    /* 1 + 2 + … + 5, by a loop: sum n -> sum + n, n - 1, until n is 0 */
    VALUE(15, LIT(0), LIT(5), A(dup), A(rot), A(plus), A(swap), LIT(1), A(minus), A(dup), O(bra, 2),
          A(drop));
    VALUE(3, LIT(3), O(skip, 2)); /* to the end */
    MALFORMED(LIT(1), O(skip, 3));
    MALFORMED(LIT(1), O(skip, UINT64_MAX));
    MALFORMED(LIT(1), LIT(1), O(bra, 100));
    MALFORMED(O(bra, 0));
    MALFORMED(K(F4, 0, 0, 0, 0), O(bra, 1));
    NOT("location without end", A(nop), O(skip, 0));
    NOT("location too deep", LIT(1), O(skip, 0));
    NOT("register not recovered", O(breg9, 0), O(bra, 3), LIT(1), LIT(2));
}

TEST(location_branch_into_an_operation_is_malformed)
{
    struct location_op ops[] = {O(skip, 4), O(const4u, 1), LIT(2)};
    struct location location = {.ops = ops, .count = 3, .size = 9};
    struct location_frame frame = frame_of(ARCH_X86_64);
    uint64_t value;

    ops[1].off = 3;
    ops[2].off = 8;
    assert_string_equal(location_value(&location, &frame, 0, &value).why, "malformed location");
    ops[0].operand[0] = 8;
    assert_int_equal(location_value(&location, &frame, 0, &value).state, KNOWN);
    assert_int_equal(value, 2);
}

TEST(location_takes_what_the_frame_has)
{
    VALUE(0xfff1 + 5, O(breg1, 5));
    VALUE(0xfff0, O(breg5, -5));
    VALUE(0xfff0 + 33 - 1, O2(bregx, 33, -1));
    VALUE(MEMORY + 8 - 4, O(fbreg, -4));
    VALUE(MEMORY + 16, A(call_frame_cfa));
    VALUE(0x1111, O(breg3, 0), A(deref));
    VALUE(UINT64_C(0x8877665544332211), O(fbreg, 8), A(deref));
    VALUE(0x33, O(breg3, 18), O(deref_size, 1));
    VALUE(0x8877, O(breg3, 22), O(deref_size, 2));
    VALUE(0x9010, LIT(16), A(form_tls_address));
    VALUE(0x9010, O(addr, 16), A(form_tls_address)); /* which is an offset */
    VALUE(0xabcd, O(GNU_parameter_ref, 0xabcd));
    NOT("register not recovered", O(breg9, 0));
    NOT("register not recovered", O2(bregx, UINT64_MAX, 0));
    NOT("register not recovered", O(breg9, 0), A(deref), LIT(1), A(plus), A(neg));
    NOT("DW_OP_push_object_address", A(push_object_address));
    NOT("DW_OP_call", O(call2, 1));
    NOT("DW_OP_call", O(call4, 1));
    NOT("DW_OP_call", O(call_ref, 1));
    NOT("DW_OP_xderef", LIT(1), LIT(2), A(xderef));
    NOT("DW_OP_xderef", LIT(1), LIT(2), O(xderef_size, 1));
    NOT("DW_OP_GNU_variable_value", O(GNU_variable_value, 1));
    NOT("not initialised", O(breg3, 0), A(GNU_uninit));
    NOT("not initialised", A(reg3), A(GNU_uninit));
    NOT("unknown operation of a location", OP(.atom = 0xff));
    NOT("unknown operation of a location", OP(.atom = 0));
    expect_nothing(ARCH_X86_64, OPS(LIT(1), A(deref)), 2, NOT_CAPTURED, NULL);
    expect_nothing(ARCH_X86_64, OPS(O(breg3, 25), A(deref)), 2, NOT_CAPTURED, NULL);
    MALFORMED(A(deref));
    MALFORMED(LIT(1), A(xderef));
    MALFORMED(A(form_tls_address));
    MALFORMED(O(breg3, 0), O(deref_size, 0));
    MALFORMED(O(breg3, 0), O(deref_size, 9));
    NOT32("malformed location", O(breg3, 0), O(deref_size, 5));
}

TEST(location_entry_values_are_asked_of_the_frame)
{
    struct location_op inner_op = A(reg5);
    struct location inner = {.ops = &inner_op, .count = 1, .size = 1};
    struct location_op ops[] = {OP(.atom = DW_OP_entry_value, .inner = &inner), A(stack_value)};
    struct location location = locate(ops, 2);
    struct location_frame frame = frame_of(ARCH_X86_64);
    uint64_t value = 0;

    VALUE(0xe005, ops[0]);
    expect_bytes(PLACE(ops[0], A(stack_value)), 8, 0xe005, 0);
    assert_int_equal(PLACE(ops[0]).pieces[0].addr, 0xe005);
    assert_int_equal(location_value(&location, &frame, 3, &value).state, KNOWN);
    assert_int_equal(value, 0x30e005);
    assert_string_equal(location_value(&location, &frame, LOCATION_NEST_MAX, &value).why,
                        "nested too deep");
    MALFORMED(A(entry_value));
}

/* A double in a vector register: bits that are no address. */
TEST(location_entry_values_have_the_type_of_their_register)
{
    const struct location_type real = {.encoding = DW_ATE_float, .size = 8};
    struct location_op inner_op = OP(.atom = DW_OP_regval_type, .operand = {17}, .type = real);
    struct location inner = {.ops = &inner_op, .count = 1, .size = 3};
    struct location_op entry = OP(.atom = DW_OP_entry_value, .inner = &inner);
    const uint64_t bits = 0xe000 + (unsigned)(DW_OP_regval_type - DW_OP_reg0); /* get_entry's */

    expect_bytes(PLACE(entry, A(stack_value)), 8, bits, 0);
    inner_op.type.size = 4;
    expect_bytes(PLACE(entry, A(stack_value)), 4, bits, 0);
    inner_op.type.size = 16;
    NOT("entry value of another size", entry, A(stack_value));
}

TEST(location_bits_are_of_just_the_size_of_their_type)
{
    const struct location_type real = {.encoding = DW_ATE_float, .size = 8},
                               half = {.encoding = DW_ATE_float, .size = 4};
    static const uint8_t one[8] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
    struct location_frame frame = frame_of(ARCH_X86_64);
    struct location_op constant[] = {
        OP(.atom = DW_OP_const_type, .type = real, .block = one, .block_size = 8)};
    struct location_op in_reg[] = {A(reg5)}, implicit[] = {OP(.atom = DW_OP_implicit_value,
                                                              .block = one, .block_size = 8)};
    struct location location = locate(constant, 1);
    uint64_t bits = 0;

    assert_int_equal(location_bits(&location, &frame, 0, real, &bits).state, KNOWN);
    assert_int_equal(bits, UINT64_C(0x3ff0000000000000));
    assert_string_equal(location_bits(&location, &frame, 0, half, &bits).why,
                        "value of another size");
    location = locate(in_reg, 1);
    assert_int_equal(location_bits(&location, &frame, 0, half, &bits).state, KNOWN);
    assert_int_equal(bits, 0xfff5);
    location = locate(implicit, 1);
    assert_int_equal(location_bits(&location, &frame, 0, real, &bits).state, KNOWN);
    assert_int_equal(bits, UINT64_C(0x3ff0000000000000));
    assert_int_equal(location_bits(&location, &frame, 0, half, &bits).state, UNAVAILABLE);
    location.count = 0;
    assert_int_equal(location_bits(&location, &frame, 0, real, &bits).state, OPTIMIZED_OUT);
}

TEST(location_entry_values_are_fewer_the_deeper_they_are)
{
    struct location_op ops[2 * LOCATION_ENTRIES_MAX];
    struct location location = {.ops = ops};
    struct location_frame frame = frame_of(ARCH_X86_64);
    uint64_t value;

    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
        ops[i] = O(GNU_parameter_ref, 1);
    for (unsigned nest = 0; nest < LOCATION_NEST_MAX; nest++) {
        uint32_t most = LOCATION_ENTRIES_MAX >> nest;

        location.count = most ? most : 1;
        assert_int_equal(location_value(&location, &frame, nest, &value).state, KNOWN);
        location.count++;
        assert_string_equal(location_value(&location, &frame, nest, &value).why,
                            "too many entry values");
    }
}

TEST(location_typed_numbers_have_their_own_size)
{
    struct location_op wide[] = {OP(.atom = DW_OP_regval_type, .operand = {10}, .type = U8),
                                 A(stack_value)};

    BYTES(1, 0, 0, K(U1, 0xff), K(U1, 1), A(plus));
    BYTES(4, 0xfffffffe, 0, K(S4, 2, 0, 0, 0), A(neg));
    BYTES(4, 0xfffffffd, 0, K(S4, 0xf9, 0xff, 0xff, 0xff), K(S4, 2, 0, 0, 0), A(div));
    BYTES(4, 0xffffffff, 0, K(S4, 0xf9, 0xff, 0xff, 0xff), K(S4, 2, 0, 0, 0), A(mod));
    BYTES(1, 0x7f, 0, K(U1, 0xff), K(U1, 2), A(div));
    BYTES(4, 0xfffffffe, 0, K(U4, 0xfc, 0xff, 0xff, 0xff), LIT(1), A(shra));
    BYTES(4, 0x7ffffffe, 0, K(S4, 0xfc, 0xff, 0xff, 0xff), LIT(1), A(shr));
    BYTES(1, 0xfe, 0, K(U1, 1), A(not ));
    BYTES(1, 0x04, 0, K(U1, 0xff), O(plus_uconst, 0x105));
    BYTES(4, 0xfff2, 0, O2(regval_type, 2, 0), T(convert, U4));
    BYTES(2, 0xfff2, 0, OP(.atom = DW_OP_regval_type, .operand = {2}, .type = U2));
    BYTES(4, 0x44332211, 0, O(breg3, 16), OP(.atom = DW_OP_deref_type, .operand = {4}, .type = S4));
    BYTES(16, UINT64_C(0x8877665544332211), UINT64_MAX, O(breg3, 16),
          OP(.atom = DW_OP_deref_type, .operand = {16}, .type = S16));
    NOT("register not recovered", OP(.atom = DW_OP_regval_type, .operand = {9}, .type = U2));
    NOT("register of another size", OP(.atom = DW_OP_regval_type, .operand = {2}, .type = U16));
    /* RV32: two registers; of what is not recovered nothing is told; i386 has another order */
    expect_bytes(place_at(ARCH_RISCV32, wide, 2), 8, UINT64_C(0xfffb0000fffa), 0);
    wide[0].operand[0] = 8;
    expect_nothing(ARCH_RISCV32, wide, 2, UNAVAILABLE, "register not recovered");
    expect_nothing(ARCH_I386, wide, 2, UNAVAILABLE, "register of another size");
    MALFORMED(O(breg3, 0), OP(.atom = DW_OP_deref_type, .operand = {2}, .type = U4));
    MALFORMED(O(breg3, 0), OP(.atom = DW_OP_deref_type, .operand = {32}, .type = {5, 32}));
    MALFORMED(K(U4, 1, 2, 3));
    MALFORMED(OP(.atom = DW_OP_const_type, .type = {DW_ATE_unsigned, 0}));
    MALFORMED(LIT(1), T(convert, {DW_ATE_unsigned, 0}));
    MALFORMED(LIT(1), T(convert, {DW_ATE_unsigned, 17}));
}

/* What clang writes: `(long)int_in_eax << 3`. */
TEST(location_untyped_operand_takes_the_type_of_its_size)
{
    BYTES(8, (uint64_t)-24, 0, O(const1s, -3), T(convert, S4), T(convert, S8), LIT(3), A(shl));
    BYTES(8, (uint64_t)-2, 0, O(const1s, -3), T(convert, S4), T(convert, S8), LIT(1), A(plus));
    BYTES(8, (uint64_t)-1, 0, O(const1s, -3), T(convert, S8), LIT(3), A(div), LIT(0), A(plus),
          T(convert, S8), T(convert, {0, 0}), T(convert, S8));
    VALUE(0, K(U8, 1, 0, 0, 0, 0, 0, 0, 0x80), LIT(2), A(lt));
    VALUE(1, O(const1s, -1), K(S8, 1, 0, 0, 0, 0, 0, 0, 0), A(lt));
    BYTES(8, (uint64_t)-1, 0, K(S8, 0xf9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), LIT(2),
          A(mod));
    NOT("sign of an untyped number", O(const1s, -1), K(S8, 1, 0, 0, 0, 0, 0, 0, 0), A(mod));
    NOT("sign of an untyped number", O(const1s, -1), K(U8, 1, 0, 0, 0, 0, 0, 0, 0), A(div));
    NOT("sign of an untyped number", O(const1s, -1), T(convert, S16));
    NOT("operands of different types", K(U4, 1, 0, 0, 0), LIT(1), A(plus));
    NOT("operands of different types", K(U4, 1, 0, 0, 0), K(S4, 1, 0, 0, 0), A(plus));
    NOT("operands of different types", K(F8, 0, 0, 0, 0, 0, 0, 0, 0), LIT(1), A(eq));
}

TEST(location_converts_by_value)
{
    BYTES(8, (uint64_t)-2, 0, K(S4, 0xfe, 0xff, 0xff, 0xff), T(convert, U8));
    BYTES(8, 0xfffffffe, 0, K(U4, 0xfe, 0xff, 0xff, 0xff), T(convert, S8));
    BYTES(16, (uint64_t)-2, UINT64_MAX, K(S4, 0xfe, 0xff, 0xff, 0xff), T(convert, S16));
    BYTES(1, 0x34, 0, C(0x1234), T(convert, U1));
    BYTES(8, (uint64_t)-2, 0, K(S4, 0xfe, 0xff, 0xff, 0xff), T(convert, {0, 0}));
    BYTES(8, UINT64_C(0x4008000000000000), 0, LIT(3), T(convert, F8));
    BYTES(4, 0xc0400000, 0, K(S4, 0xfd, 0xff, 0xff, 0xff), T(convert, F4));
    /* 2^24 + 1 and 2^54 + 2^30 + 1: to the nearest, once */
    BYTES(4, 0x4b800000, 0, C(0x1000001), T(convert, F4));
    BYTES(4, 0x5a800001, 0, C((UINT64_C(1) << 54) + (UINT64_C(1) << 30) + 1), T(convert, F4));
    BYTES(4, 3, 0, K(F4, 0x66, 0x66, 0x76, 0x40), T(convert, S4));          /* 3.85 */
    BYTES(4, 0xfffffffd, 0, K(F4, 0x66, 0x66, 0x76, 0xc0), T(convert, S4)); /* -3.85 */
    BYTES(8, UINT64_C(0x400eccccc0000000), 0, K(F4, 0x66, 0x66, 0x76, 0x40), T(convert, F8));
    BYTES(1, 1, 0, LIT(1), T(convert, {DW_ATE_boolean, 1}));
    NOT("result out of range", LIT(2), T(convert, {DW_ATE_boolean, 1}));
    NOT("result out of range", K(F4, 0, 0, 0x80, 0xbf), T(convert, U4)); /* -1 */
    NOT("result out of range", K(F4, 0, 0, 0, 0x4f), T(convert, S4));    /* 2^31 */
    BYTES(4, 0x80000000, 0, K(F4, 0, 0, 0, 0x4f), T(convert, U4));
    NOT("result out of range", K(F4, 0, 0, 0xc0, 0x7f), T(convert, S4)); /* NaN */
    NOT("result out of range", K(F4, 0, 0, 0x80, 0x7f), T(convert, S4)); /* infinity */
    NOT("sign of an untyped number", O(const1s, -1), T(convert, F8));
    NOT("type that is not computed with", LIT(1), T(convert, F16));
    MALFORMED(T(convert, U4));
}

TEST(location_reinterprets_bits)
{
    BYTES(8, UINT64_C(0x4008000000000000), 0, C(0x4008000000000000), T(reinterpret, F8));
    VALUE(UINT64_C(0x4008000000000000), LIT(3), T(convert, F8), T(reinterpret, {0, 0}));
    MALFORMED(K(U4, 1, 2, 3, 4), T(reinterpret, F8));
    MALFORMED(T(reinterpret, F8));
}

TEST(location_computes_with_floats)
{
    BYTES(8, UINT64_C(0x400c000000000000), 0, LIT(7), T(convert, F8), LIT(2), T(convert, F8),
          A(div));                                                                      /* 3.5 */
    BYTES(4, 0x40b00000, 0, LIT(7), T(convert, F4), K(F4, 0, 0, 0xc0, 0x3f), A(minus)); /* 5.5 */
    BYTES(4, 0x41080000, 0, LIT(7), T(convert, F4), K(F4, 0, 0, 0xc0, 0x3f), A(plus));
    BYTES(4, 0x41280000, 0, LIT(7), T(convert, F4), K(F4, 0, 0, 0xc0, 0x3f), A(mul));
    BYTES(4, 0xc0e00000, 0, LIT(7), T(convert, F4), A(neg));
    BYTES(4, 0x40e00000, 0, LIT(7), T(convert, F4), A(neg), A(abs));
    NOT("division by zero", LIT(7), T(convert, F4), K(F4, 0, 0, 0, 0), A(div));
    MALFORMED(LIT(7), T(convert, F4), A(not ));
    MALFORMED(LIT(7), T(convert, F4), A(dup), A(and));
    MALFORMED(LIT(7), T(convert, F4), O(plus_uconst, 1));
    NOT("type that is not computed with", LIT(7), T(convert, F4), A(deref));
    /* long double can be moved, and that is all */
    BYTES(16, UINT64_C(0x8877665544332211), UINT64_MAX, O(breg3, 16),
          OP(.atom = DW_OP_deref_type, .operand = {16}, .type = F16), A(dup), A(drop));
    NOT("type that is not computed with", O(breg3, 16),
        OP(.atom = DW_OP_deref_type, .operand = {16}, .type = F16), A(neg));
}

TEST(location_computes_with_128_bits)
{
#define BIG K(U16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
#define TEN K(U16, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    /* by Python's integers */
    BYTES(16, UINT64_C(0x50463c32281e140a), UINT64_C(0xa0968c82786e645a), BIG, TEN, A(mul));
    BYTES(16, UINT64_C(0x80cd809a1a004d00), UINT64_C(0x019b1b014e011a9a), BIG, TEN, A(div));
    BYTES(16, 1, 0, BIG, TEN, A(mod));
    BYTES(16, 0, 1, BIG, BIG, A(div), O(const1u, 64), A(shl));
    BYTES(16, UINT64_C(0x0100f0e0d0c0b0a0), 0, BIG, O(const1u, 68), A(shr));
    BYTES(16, UINT64_C(0x8070605040302000), UINT64_C(0x00f0e0d0c0b0a090), BIG, A(not ), A(not ),
          LIT(4), A(shl), LIT(4), A(shr), LIT(4), A(shl), LIT(8), A(shr), LIT(4), A(shl), LIT(4),
          A(shl));
    BYTES(16, 0x0a, 0, BIG, TEN, A(or), BIG, A(minus), TEN, A(and));
    BYTES(16, UINT64_MAX, UINT64_MAX, TEN, T(convert, S16), A(neg), LIT(8), A(shra));
    VALUE(1, BIG, TEN, A(gt));
    VALUE(1, TEN, T(convert, S16), A(neg), TEN, T(convert, S16), A(lt));
    VALUE(10, TEN);
    NOT("result out of range", BIG);
    NOT("result out of range", BIG, T(convert, F8));
}

TEST(location_places_of_one_piece)
{
    static const uint8_t block[] = {1, 2, 3};
    struct place_of_object place = PLACE(O(fbreg, -4));

    assert_int_equal(place.count, 1);
    assert_int_equal(place.pieces[0].kind, PIECE_MEMORY);
    assert_int_equal(place.pieces[0].addr, MEMORY + 4);
    assert_int_equal(place.pieces[0].bit_size, 0);
    place = PLACE(LIT(1), LIT(2)); /* the top one */
    assert_int_equal(place.pieces[0].addr, 2);
    place = PLACE(A(reg9)); /* asked for when it is read */
    assert_int_equal(place.pieces[0].kind, PIECE_REGISTER);
    assert_int_equal(place.pieces[0].reg, 9);
    assert_int_equal(PLACE(O(regx, 70)).pieces[0].reg, 70);
    place = PLACE(OP(.atom = DW_OP_implicit_value, .block = block, .block_size = 3));
    assert_int_equal(place.pieces[0].kind, PIECE_BYTES);
    assert_ptr_equal(place.pieces[0].bytes, block);
    assert_int_equal(place.pieces[0].size, 3);
    place = PLACE(O2(implicit_pointer, 0x1234, -8));
    assert_int_equal(place.pieces[0].kind, PIECE_POINTER);
    assert_int_equal(place.pieces[0].die, 0x1234);
    assert_int_equal(place.pieces[0].off, -8);
    NOT("register not recovered", O(breg9, 0), A(stack_value));
    MALFORMED(O(implicit_pointer, 0));
    MALFORMED(A(implicit_value));
}

TEST(location_values_of_what_is_no_memory)
{
    static const uint8_t block[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct location_op ops[] = {OP(.atom = DW_OP_implicit_value, .block = block, .block_size = 7)};
    struct location location = locate(ops, 1);
    struct location_frame frame = frame_of(ARCH_X86_64);
    uint64_t value;

    VALUE(0xfff5, A(reg5));
    VALUE(0xfff0 + 33, O(regx, 33));
    VALUE(5, LIT(5), A(stack_value));
    VALUE(UINT64_C(0x0807060504030201),
          OP(.atom = DW_OP_implicit_value, .block = block, .block_size = 8));
    assert_string_equal(location_value(&location, &frame, 0, &value).why, "value of another size");
    ops[0] = O2(implicit_pointer, 1, 0);
    assert_string_equal(location_value(&location, &frame, 0, &value).why,
                        "pointer to what is nowhere");
    ops[0] = A(reg9);
    assert_string_equal(location_value(&location, &frame, 0, &value).why, "register not recovered");
    ops[0] = K(S4, 0xff, 0xff, 0xff, 0xff); /* of which the upper half could be either */
    locate(ops, 1);
    assert_string_equal(location_value(&location, &frame, 0, &value).why,
                        "sign of an untyped number");
    ops[0] = O(piece, 8);
    assert_string_equal(location_value(&location, &frame, 0, &value).why, "malformed location");
}

TEST(location_without_operations_is_optimized_out)
{
    struct location location = {0};
    struct location_frame frame = frame_of(ARCH_X86_64);
    struct place_of_object place = {.count = 7};
    uint64_t value;

    assert_int_equal(location_place(&location, &frame, 0, &place).state, OPTIMIZED_OUT);
    assert_int_equal(place.count, 0);
    assert_int_equal(location_value(&location, &frame, 0, &value).state, OPTIMIZED_OUT);
}

TEST(location_pieces_are_known_each_for_itself)
{
    static const uint8_t block[] = {1, 2, 3, 4};
    struct place_of_object place =
        PLACE(O(breg3, 4), O(piece, 8), A(reg5), O(piece, 4), O(piece, 2), O(breg9, 0), O(piece, 1),
              LIT(7), A(stack_value), O2(bit_piece, 3, 1),
              OP(.atom = DW_OP_implicit_value, .block = block, .block_size = 4), O(piece, 4),
              O(breg9, 0), A(stack_value), O(piece, 1), LIT(1), LIT(0), A(div), O(piece, 1),
              O2(implicit_pointer, 5, 6), O(piece, 8), A(reg1), O2(bit_piece, 5, 3));
    const struct object_piece *p = place.pieces;

    assert_int_equal(place.count, 10);
    assert_int_equal(p[0].kind, PIECE_MEMORY);
    assert_int_equal(p[0].addr, MEMORY + 4);
    assert_int_equal(p[0].bit_size, 64);
    assert_int_equal(p[1].kind, PIECE_REGISTER);
    assert_int_equal(p[1].bit_size, 32);
    assert_int_equal(p[2].kind, PIECE_UNKNOWN);
    assert_int_equal(p[2].known.state, OPTIMIZED_OUT);
    assert_int_equal(p[2].bit_size, 16);
    assert_int_equal(p[3].kind, PIECE_UNKNOWN);
    assert_string_equal(p[3].known.why, "register not recovered");
    assert_int_equal(p[4].kind, PIECE_BYTES);
    assert_int_equal(p[4].word[0], 7);
    assert_int_equal(p[4].bit_size, 3);
    assert_int_equal(p[4].bit_off, 1);
    assert_ptr_equal(p[5].bytes, block);
    assert_int_equal(p[6].kind, PIECE_UNKNOWN);
    assert_string_equal(p[7].known.why, "division by zero");
    assert_int_equal(p[8].kind, PIECE_POINTER);
    assert_int_equal(p[9].kind, PIECE_REGISTER);
    assert_int_equal(p[9].bit_off, 3);
}

TEST(location_piece_beyond_its_value_is_not_known)
{
    struct place_of_object place =
        PLACE(LIT(1), A(stack_value), O(piece, 9), LIT(1), A(stack_value), O2(bit_piece, 8, 57));

    assert_int_equal(place.pieces[0].kind, PIECE_UNKNOWN);
    assert_int_equal(place.pieces[0].bit_size, 72);
    assert_int_equal(place.pieces[1].kind, PIECE_UNKNOWN);
}

TEST(location_piece_of_no_size_is_none)
{
    struct place_of_object place = PLACE(O(piece, 0), A(reg1), O(piece, 0), A(reg2), O(piece, 4));

    assert_int_equal(place.count, 1);
    assert_int_equal(place.pieces[0].reg, 2);
    MALFORMED(O(piece, 0));
}

TEST(location_places_that_are_malformed)
{
    struct location_op many[2 * LOCATION_PIECES_MAX + 2];
    struct location location;
    struct location_frame frame = frame_of(ARCH_X86_64);
    struct place_of_object place;

    MALFORMED(A(reg1), LIT(1));
    MALFORMED(A(reg1), A(reg2));
    MALFORMED(A(reg1), A(nop));
    MALFORMED(A(reg1), A(stack_value));
    MALFORMED(LIT(1), A(reg1));
    MALFORMED(LIT(1), A(stack_value), A(deref));
    MALFORMED(LIT(1), A(stack_value), O(skip, 0));
    MALFORMED(A(stack_value));
    MALFORMED(A(reg1), O(piece, 4), A(reg2));
    MALFORMED(A(reg1), O(piece, 4), LIT(1));
    MALFORMED(LIT(1), LIT(2), O(piece, 4), O(piece, 4));
    MALFORMED(A(reg1), O(piece, UINT64_MAX / 4));
    MALFORMED(A(reg1), O2(bit_piece, UINT64_MAX, 0), A(reg1), O2(bit_piece, 1, 0));
    for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++)
        many[i] = i % 2 ? O(piece, 1) : A(reg1);
    location = locate(many, 2 * LOCATION_PIECES_MAX);
    assert_int_equal(location_place(&location, &frame, 0, &place).state, KNOWN);
    assert_int_equal(place.count, LOCATION_PIECES_MAX);
    location = locate(many, 2 * LOCATION_PIECES_MAX + 2);
    assert_string_equal(location_place(&location, &frame, 0, &place).why, "too many pieces");
}

TEST(location_within_an_object_is_computed_of_its_address)
{
    /* As gcc has a virtual base: what is 24 bytes before the virtual table is added. */
    struct location_op *table = OPS(A(dup), A(deref), LIT(24), A(minus), A(deref), A(plus));
    struct location location = locate(table, 6);
    struct location_op *pushed = OPS(A(drop), A(push_object_address), LIT(2), A(plus));
    struct location_frame frame = frame_of(ARCH_X86_64);
    uint64_t value = 0;

    /* Of the object at the second word, which points to the third one, 16 bytes on. */
    table[2] = LIT(16);
    assert_int_equal(location_within(&location, &frame, 0, MEMORY + 8, &value).state, KNOWN);
    assert_int_equal(value, MEMORY + 8 + 0x1111);
    assert_int_equal(location_within(&location, &frame, 0, MEMORY + 32, &value).state,
                     NOT_CAPTURED);
    location = locate(pushed, 4);
    assert_int_equal(location_within(&location, &frame, 0, MEMORY, &value).state, KNOWN);
    assert_int_equal(value, MEMORY + 2);
    assert_string_equal(location_value(&location, &frame, 0, &value).why, "malformed location");
    location = locate(pushed, 0);
    assert_int_equal(location_within(&location, &frame, 0, MEMORY, &value).state, OPTIMIZED_OUT);
}
