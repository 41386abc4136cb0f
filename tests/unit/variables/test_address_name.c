/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "unit_test.h"
#include "variables/address_name.h"

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* x86-64's; those of a lock's parts as glibc has them. */
enum {
    VOID,
    LONG,
    INT,
    CHAR,
    MUTEX, /* pthread_mutex_t, a typedef of a union of its words */
    MUTEX_UNION,
    MUTEX_DATA,
    CONDITION,
    QUEUE, /* { long count; mutex lock; condition ready; } */
    QUEUE_POINTER,
    FIRST, /* { mutex lock; long count; } */
    FIRST_POINTER,
    SLOT,   /* { long number; mutex lock; } */
    SLOTS,  /* [4] */
    POOL,   /* { char *name; slot slots[4]; } */
    SERVER, /* { long descriptor; queue *queue; } */
    SERVER_POINTER,
    MUTEX_POINTER,
    ROWS,   /* slot [2][3] */
    EITHER, /* union { mutex a; mutex b; struct { long pad; mutex c; } d; } */
    SHIFTED,
    NODE, /* { node *next; mutex lock; } */
    NODE_POINTER,
    ENDLESS, /* contains itself */
    ENDLESS_ARRAY,
    WORDS,   /* int [10] */
    TEXT,    /* char [400] */
    DERIVED, /* : QUEUE */
    DERIVED_REFERENCE,
    SMART, /* std::unique_ptr<queue> */
    SMART_TUPLE,
    INCOMPLETE,
    INCOMPLETE_POINTER,
    STD_MUTEX,
    STD_MUTEX_REFERENCE,
    GUARD, /* { std::mutex &_M_device; } */
    LONG_NAMED,
    ARC, /* of a queue */
    ARC_POINTER,
    ARC_INNER,
    RUST_MUTEX, /* { data: first, inner: int } */
    WRAPPED,    /* { mutex inner; } */
    LIMITED_UNION,
    LIMITED, /* { long a; opaque b; long c; } */
    TYPES,
};

#define MEMBER(n, t, o)                                                                            \
    {                                                                                              \
        .name = n, .type = t, .off = o                                                             \
    }

static const struct type_member mutex_members[] = {MEMBER("__data", MUTEX_DATA, 0)};
static const struct type_member data_members[] = {MEMBER("__lock", INT, 0),
                                                  MEMBER("__owner", INT, 8)};
static const struct type_member queue_members[] = {MEMBER("count", LONG, 0),
                                                   MEMBER("lock", MUTEX, 8),
                                                   MEMBER("ready", CONDITION, 48),
                                                   {.name = "all",
                                                    .type = MUTEX,
                                                    .is_static = true}};
static const struct type_member first_members[] = {MEMBER("lock", MUTEX, 0),
                                                   MEMBER("count", LONG, 40)};
static const struct type_member slot_members[] = {MEMBER("number", LONG, 0),
                                                  MEMBER("lock", MUTEX, 8)};
static const struct type_member pool_members[] = {MEMBER("name", LONG, 0),
                                                  MEMBER("slots", SLOTS, 8)};
static const struct type_member server_members[] = {MEMBER("descriptor", LONG, 0),
                                                    MEMBER("queue", QUEUE_POINTER, 8)};
static const struct type_member shifted_members[] = {MEMBER("pad", LONG, 0), MEMBER("c", MUTEX, 8)};
static const struct type_member either_members[] = {MEMBER("a", MUTEX, 0), MEMBER("b", MUTEX, 0),
                                                    MEMBER("d", SHIFTED, 0)};
static const struct type_member node_members[] = {MEMBER("next", NODE_POINTER, 0),
                                                  MEMBER("lock", MUTEX, 8)};
static const struct type_member endless_members[] = {MEMBER("inner", ENDLESS_ARRAY, 0)};
static const struct type_member derived_members[] = {{.type = QUEUE, .is_base = true},
                                                     MEMBER("rate", LONG, 96)};
static const struct type_member smart_members[] = {MEMBER("_M_t", SMART_TUPLE, 0)};
static const struct type_member tuple_members[] = {MEMBER("_M_head_impl", QUEUE_POINTER, 0)};
static const struct type_member std_members[] = {MEMBER("_M_mutex", MUTEX, 0)};
static const struct type_member guard_members[] = {MEMBER("_M_device", STD_MUTEX_REFERENCE, 0)};
static const struct type_member arc_members[] = {MEMBER("pointer", ARC_POINTER, 0)};
static const struct type_member inner_members[] = {MEMBER("strong", LONG, 0),
                                                   MEMBER("data", QUEUE, 8)};
static const struct type_member rust_members[] = {MEMBER("data", FIRST, 0),
                                                  MEMBER("inner", INT, 48)};
static const struct type_member limited_members[] = {MEMBER("c", LONG, 48),
                                                     MEMBER("b", INCOMPLETE, 8),
                                                     MEMBER("a", LONG, 0)};
static const struct type_member wrapped_members[] = {MEMBER("inner", MUTEX, 0)};
static const struct type_member limited_either[] = {MEMBER("b", INCOMPLETE, 0),
                                                    MEMBER("c", LONG, 0)};
static char long_name[ADDRESS_NAME_MAX + 8];
static struct type_member long_members[] = {MEMBER("lock", MUTEX, 0), MEMBER("more", LONG, 40)};

static const struct type_dimension four = {.has_count = true, .count = 4};
static const struct type_dimension rows[] = {{.has_count = true, .count = 2},
                                             {.has_count = true, .count = 3, .lower = 1}};
static const struct type_dimension ten = {.has_count = true, .count = 10};
static const struct type_dimension four_hundred = {.has_count = true, .count = 400};
static const struct type_dimension one = {.has_count = true, .count = 1};

#define STRUCT(n, s, m)                                                                            \
    {                                                                                              \
        .kind = TYPE_STRUCT, .name = n, .has_size = true, .size = s, .members = m,                 \
        .member_count = COUNT(m)                                                                   \
    }
#define ARRAY(t, d)                                                                                \
    {                                                                                              \
        .kind = TYPE_ARRAY, .target = t, .dimensions = d, .dimension_count = 1                     \
    }
#define POINTER(t)                                                                                 \
    {                                                                                              \
        .kind = TYPE_POINTER, .target = t                                                          \
    }

static const struct type types[TYPES] = {
    [LONG] = {.kind = TYPE_BASE, .name = "long", .has_size = true, .size = 8, .encoding = 5},
    [INT] = {.kind = TYPE_BASE, .name = "int", .has_size = true, .size = 4, .encoding = 5},
    [CHAR] = {.kind = TYPE_BASE, .name = "char", .has_size = true, .size = 1, .encoding = 6},
    [MUTEX] = {.kind = TYPE_TYPEDEF, .name = "pthread_mutex_t", .target = MUTEX_UNION},
    [MUTEX_UNION] = {.kind = TYPE_UNION,
                     .has_size = true,
                     .size = 40,
                     .members = mutex_members,
                     .member_count = 1},
    [MUTEX_DATA] = STRUCT("__pthread_mutex_s", 40, data_members),
    [CONDITION] = {.kind = TYPE_UNION, .name = "pthread_cond_t", .has_size = true, .size = 48},
    [QUEUE] = STRUCT("queue", 96, queue_members),
    [QUEUE_POINTER] = POINTER(QUEUE),
    [FIRST] = STRUCT("first", 48, first_members),
    [FIRST_POINTER] = POINTER(FIRST),
    [SLOT] = STRUCT("slot", 48, slot_members),
    [SLOTS] = ARRAY(SLOT, &four),
    [POOL] = STRUCT("pool", 200, pool_members),
    [SERVER] = STRUCT("server", 16, server_members),
    [SERVER_POINTER] = POINTER(SERVER),
    [MUTEX_POINTER] = POINTER(MUTEX),
    [ROWS] = {.kind = TYPE_ARRAY, .target = SLOT, .dimensions = rows, .dimension_count = 2},
    [EITHER] = {.kind = TYPE_UNION,
                .has_size = true,
                .size = 48,
                .members = either_members,
                .member_count = 3},
    [SHIFTED] = STRUCT("shifted", 48, shifted_members),
    [NODE] = STRUCT("node", 48, node_members),
    [NODE_POINTER] = POINTER(NODE),
    [ENDLESS] = STRUCT("endless", 4096, endless_members),
    [ENDLESS_ARRAY] = ARRAY(ENDLESS, &one),
    [WORDS] = ARRAY(INT, &ten),
    [TEXT] = ARRAY(CHAR, &four_hundred),
    [DERIVED] = STRUCT("derived", 104, derived_members),
    [DERIVED_REFERENCE] = {.kind = TYPE_REFERENCE, .target = DERIVED},
    [SMART] = STRUCT("std::unique_ptr<queue, std::default_delete<queue> >", 8, smart_members),
    [SMART_TUPLE] = STRUCT("std::tuple<queue*>", 8, tuple_members),
    [INCOMPLETE] = {.kind = TYPE_STRUCT, .name = "opaque", .is_declaration = true},
    [INCOMPLETE_POINTER] = POINTER(INCOMPLETE),
    [STD_MUTEX] = STRUCT("std::mutex", 40, std_members),
    [STD_MUTEX_REFERENCE] = {.kind = TYPE_REFERENCE, .target = STD_MUTEX},
    [GUARD] = STRUCT("std::lock_guard<std::mutex>", 8, guard_members),
    [ARC] = STRUCT("alloc::sync::Arc<queue>", 8, arc_members),
    [ARC_POINTER] = POINTER(ARC_INNER),
    [ARC_INNER] = STRUCT("alloc::sync::ArcInner<queue>", 104, inner_members),
    [RUST_MUTEX] = STRUCT("std::sync::mutex::Mutex<first>", 56, rust_members),
    [WRAPPED] = STRUCT("wrapped", 40, wrapped_members),
    [LIMITED_UNION] = {.kind = TYPE_UNION,
                       .has_size = true,
                       .size = 56,
                       .members = limited_either,
                       .member_count = 2},
    [LIMITED] = STRUCT("limited", 56, limited_members),
    [LONG_NAMED] = STRUCT("long_named", 48, long_members),
};

/* The stack, as one piece of words; nothing else is captured. */
#define STACK 0x7000
#define HEAP  0x100000

struct fixture {
    uint64_t stack[16];
    struct value_source source;
    struct address_search search;
};

static enum status find_type(void *context, die_ref ref, const struct type **out)
{
    (void)context;
    if (ref == VOID || ref >= TYPES)
        return STATUS_NOT_FOUND;
    *out = &types[ref];
    return STATUS_OK;
}

static struct known_how read_stack(void *context, uint64_t addr, void *buffer, size_t size)
{
    const struct fixture *f = context;

    if (addr < STACK || addr - STACK > sizeof(f->stack) || size > sizeof(f->stack) - (addr - STACK))
        return known_not(NOT_CAPTURED);
    memcpy(buffer, (const uint8_t *)f->stack + (addr - STACK), size);
    return known_yes();
}

static struct fixture begin(uint64_t addr, uint64_t size)
{
    return (struct fixture){.search = {.addr = addr, .size = size}};
}

static void look(struct fixture *f, const struct scope_variable *variable,
                 const struct object *object)
{
    f->source = (struct value_source){.arch = arch_get(ARCH_X86_64),
                                      .type = find_type,
                                      .read = read_stack,
                                      .context = f};
    f->search.source = &f->source;
    assert_true(address_search_variable(&f->search, variable, object));
}

static void look_in_memory(struct fixture *f, const char *name, die_ref type, uint64_t addr)
{
    struct object object = {.type = type, .place = {.count = 1}};

    object.place.pieces[0] = (struct object_piece){.kind = PIECE_MEMORY, .addr = addr};
    look(f, &(struct scope_variable){.name = name, .type = type}, &object);
}

/* A variable that the debug information has the value of: as good as one in a register. */
static void look_at_value(struct fixture *f, const char *name, die_ref type, uint64_t value)
{
    struct object object = {.type = type, .place = {.count = 1}};

    object.place.pieces[0] = (struct object_piece){.kind = PIECE_BYTES,
                                                   .bytes = (const uint8_t *)&value,
                                                   .size = sizeof(value)};
    look(f,
         &(struct scope_variable){.name = name,
                                  .type = type,
                                  .is_artificial = !strcmp(name, "this")},
         &object);
}

#define assert_name(f, wanted) assert_string_equal((f).search.name, wanted)

TEST(member_of_what_is_pointed_to)
{
    struct fixture f = begin(HEAP + 8, 40);

    look_at_value(&f, "other", QUEUE_POINTER, HEAP + 96);
    look_at_value(&f, "before", QUEUE_POINTER, HEAP - 88); /* 8 bytes behind its end */
    look_at_value(&f, "inside", QUEUE_POINTER, HEAP + 4);  /* there nothing begins */
    look_at_value(&f, "none", QUEUE_POINTER, 0);
    look_at_value(&f, "opaque", INCOMPLETE_POINTER, HEAP);
    assert_name(f, "");
    look_at_value(&f, "queue", QUEUE_POINTER, HEAP);
    assert_name(f, "queue->lock");
    assert_false(f.search.is_bare);
}

TEST(first_member_is_no_other_object_than_its_struct)
{
    struct fixture f = begin(HEAP, 40);

    look_at_value(&f, "first", FIRST_POINTER, HEAP);
    assert_name(f, "first->lock");
    /* One that has a lock and nothing else is as good as the lock. */
    f = begin(STACK, 40);
    look_in_memory(&f, "wrapped", WRAPPED, STACK);
    assert_name(f, "wrapped");
    /* A struct whose first member is too small for a lock is none. */
    f = begin(HEAP, 40);
    look_at_value(&f, "queue", QUEUE_POINTER, HEAP);
    assert_name(f, "");
}

TEST(element_of_an_array)
{
    struct fixture f = begin(STACK + 8 + 2 * 48 + 8, 40);

    look_in_memory(&f, "pool", POOL, STACK);
    assert_name(f, "pool.slots[2].lock");
    f = begin(STACK + 4 * 48 + 8, 40);
    look_in_memory(&f, "rows", ROWS, STACK);
    assert_name(f, "rows[1][2].lock"); /* the lower bound is 1 */
    f = begin(STACK + 12, ADDRESS_SIZE_UNKNOWN);
    look_in_memory(&f, "words", WORDS, STACK);
    assert_name(f, "words[3]");
    f = begin(STACK + 12, 40);
    look_in_memory(&f, "words", WORDS, STACK);
    look_in_memory(&f, "text", TEXT, STACK);
    assert_name(f, "");
}

TEST(by_a_pointer_in_memory_that_is_known)
{
    struct fixture f = begin(HEAP + 8, 40);

    look_at_value(&f, "far", SERVER_POINTER, HEAP + 4096); /* not captured */
    look_at_value(&f, "server", SERVER_POINTER, STACK);    /* its pointer is 0 */
    assert_name(f, "");
    f.stack[1] = HEAP;
    look_at_value(&f, "server", SERVER_POINTER, STACK);
    assert_name(f, "server->queue->lock");
    /* What is found by fewer pointers is better, wherever it comes. */
    look_in_memory(&f, "local", SERVER, STACK);
    assert_name(f, "local.queue->lock");
    look_at_value(&f, "far", SERVER_POINTER, STACK);
    assert_name(f, "local.queue->lock");
}

TEST(bare_pointer_is_the_least)
{
    struct fixture f = begin(HEAP + 8, 40);

    look_at_value(&f, "__mutex", MUTEX_POINTER, HEAP + 8);
    look_at_value(&f, "this", STD_MUTEX_REFERENCE, HEAP + 8);
    look_at_value(&f, "this", MUTEX_POINTER, HEAP + 8);
    assert_name(f, "");
    look_at_value(&f, "mutex", MUTEX_POINTER, HEAP + 8);
    look_at_value(&f, "second", MUTEX_POINTER, HEAP + 8);
    assert_name(f, "*mutex");
    assert_true(f.search.is_bare);
    f.stack[0] = HEAP;
    look_in_memory(&f, "queue", QUEUE_POINTER, STACK);
    look_at_value(&f, "again", MUTEX_POINTER, HEAP + 8);
    assert_name(f, "queue->lock");
    assert_false(f.search.is_bare);
}

TEST(lock_is_not_taken_apart)
{
    struct fixture f = begin(HEAP + 8, ADDRESS_SIZE_UNKNOWN);

    look_at_value(&f, "queue", QUEUE_POINTER, HEAP);
    assert_name(f, "queue->lock");
    /* Its words are its own where it is not known where it begins. */
    f = begin(HEAP + 48 + 20, ADDRESS_SIZE_UNKNOWN);
    look_at_value(&f, "queue", QUEUE_POINTER, HEAP);
    assert_name(f, "queue->ready");
    f = begin(HEAP + 48 + 20, 48);
    look_at_value(&f, "queue", QUEUE_POINTER, HEAP);
    assert_name(f, "");
}

TEST(member_of_a_union_that_may_be_another_is_not_told)
{
    struct fixture f = begin(STACK, 40);

    look_in_memory(&f, "either", EITHER, STACK);
    assert_name(f, "either");
    f = begin(STACK + 8, 40);
    look_in_memory(&f, "either", EITHER, STACK);
    assert_name(f, "either.d.c");
}

TEST(of_languages)
{
    struct fixture f = begin(HEAP + 8, 40);

    look_at_value(&f, "savings", DERIVED_REFERENCE, HEAP);
    assert_name(f, "savings.lock");
    f = begin(HEAP + 8, 40);
    look_at_value(&f, "from", SMART, HEAP);
    assert_name(f, "from->lock");
    f = begin(HEAP + 16, 40);
    look_at_value(&f, "shared", ARC, HEAP);
    assert_name(f, "shared->lock");
    /* What a library calls it is better than nothing. */
    f = begin(HEAP + 8, 40);
    look_at_value(&f, "guard", GUARD, HEAP + 8);
    assert_name(f, "guard._M_device");
    assert_true(f.search.is_bare);
    /* A lock is called by itself, and not by what it is made of; and what it guards by that. */
    f = begin(STACK + 48, ADDRESS_SIZE_UNKNOWN);
    look_in_memory(&f, "jobs", RUST_MUTEX, STACK);
    assert_name(f, "jobs");
    f = begin(STACK, ADDRESS_SIZE_UNKNOWN);
    look_in_memory(&f, "jobs", RUST_MUTEX, STACK);
    assert_name(f, "jobs.data.lock");
    f = begin(STACK, 36); /* a smaller one than std::mutex */
    look_in_memory(&f, "mutex", STD_MUTEX, STACK);
    assert_name(f, "mutex");
}

TEST(member_of_a_type_that_is_not_there)
{
    struct fixture f = begin(STACK + 8, 40);

    look_in_memory(&f, "limited", LIMITED, STACK);
    assert_name(f, "limited.b");
    f = begin(STACK, 40);
    look_in_memory(&f, "limited", LIMITED_UNION, STACK);
    assert_name(f, "");
    f = begin(STACK + 8, 41); /* up to the next member there is less */
    look_in_memory(&f, "limited", LIMITED, STACK);
    assert_name(f, "");
    f = begin(STACK + 12, ADDRESS_SIZE_UNKNOWN);
    look_in_memory(&f, "limited", LIMITED, STACK);
    assert_name(f, "");
}

TEST(what_has_no_end_ends)
{
    struct fixture f = begin(HEAP + 8, 40);

    f.stack[0] = STACK; /* a ring of one */
    look_at_value(&f, "node", NODE_POINTER, STACK);
    look_in_memory(&f, "endless", ENDLESS, STACK);
    assert_name(f, "");
    assert_true(f.search.steps < 100);
    f = begin(STACK, 40);
    look_in_memory(&f, "endless", ENDLESS, STACK);
    assert_name(f, "");
    f = begin(STACK + 8, 40);
    f.search.steps = ADDRESS_STEPS_MAX;
    look_in_memory(&f, "node", NODE, STACK);
    assert_name(f, "");
}

TEST(name_that_is_too_long_is_none)
{
    struct fixture f = begin(STACK, 40);

    memset(long_name, 'x', sizeof(long_name) - 1);
    long_members[0].name = long_name;
    look_in_memory(&f, "v", LONG_NAMED, STACK);
    assert_name(f, "");
    long_name[ADDRESS_NAME_MAX - 3] = '\0'; /* with "v." and the end just so */
    look_in_memory(&f, "v", LONG_NAMED, STACK);
    assert_int_equal(strlen(f.search.name), ADDRESS_NAME_MAX - 1);
}
