/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/flame_layout.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x2000},
    {"f", .start = 0x3000},
    {"g", .start = 0x4000},
    {"h", .module = 1, .start = 0x5000},
    {0},
};

struct laid_out {
    struct fixture f;
    struct fold *fold;
    struct flame_layout layout;
};

static void laid_out_init(struct laid_out *l)
{
    *l = (struct laid_out){.fold = NULL};
    fixture_init(&l->f, FUNCTIONS);
}

static void lay_out(struct laid_out *l, uint64_t least)
{
    assert_int_equal(fold_create(fixture_view(&l->f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
                                 FOLD_NODES, &l->fold),
                     STATUS_OK);
    assert_int_equal(flame_layout_init(&l->layout, l->fold, least), STATUS_OK);
}

static void laid_out_deinit(struct laid_out *l)
{
    flame_layout_deinit(&l->layout);
    fold_destroy(l->fold);
    fixture_deinit(&l->f);
}

/* The frame of the chain, "main f"; "main +": what is left out below main. */
static const struct flame_frame *find(const struct laid_out *l, const char *chain)
{
    const struct fold *fold = l->fold;

    for (size_t i = 0; i < l->layout.count; i++) {
        const struct flame_frame *frame = &l->layout.frames[i];
        char text[256] = "", before[256];
        uint32_t node = frame->node;

        if (node == TRIE_NONE) { /* below the frame before it that is one level higher */
            size_t above = i;

            while (above > 0 && l->layout.frames[above].level >= frame->level)
                above--;
            node = frame->level ? l->layout.frames[above].node : TRIE_ROOT;
            strcpy(text, "+");
        }
        for (; node != TRIE_ROOT; node = fold->trie.nodes[node].parent) {
            strcpy(before, text);
            snprintf(text, sizeof(text), "%.100s%s%.100s",
                     fold->view->nodes[fold->trie.nodes[node].key].name, *before ? " " : "",
                     before);
        }
        if (strcmp(text, chain) == 0)
            return frame;
    }
    return NULL;
}

static void assert_at(const struct laid_out *l, const char *chain, uint32_t level, uint64_t start,
                      uint64_t weight)
{
    const struct flame_frame *frame = find(l, chain);

    if (!frame)
        fail_msg("no frame '%s'", chain);
    assert_int_equal(frame->level, level);
    assert_int_equal(frame->start, start);
    assert_int_equal(frame->weight, weight);
}

TEST_OF(layout_places_callees_below_their_caller_the_heaviest_first, laid_out, l)
{
    fixture_add(&l->f, "t", 1, "h", 30);
    fixture_add(&l->f, "t", 1, "main f", 20);
    fixture_add(&l->f, "t", 2, "main g f", 40);
    fixture_add(&l->f, "t", 1, "main", 10);
    lay_out(l, 1);
    assert_int_equal(l->layout.count, 5);
    assert_int_equal(l->layout.levels, 3);
    assert_at(l, "main", 0, 0, 70);
    assert_at(l, "h", 0, 70, 30);
    assert_at(l, "main g", 1, 0, 40);
    assert_at(l, "main f", 1, 40, 20);
    assert_at(l, "main g f", 2, 0, 40);
    assert_int_equal(l->layout.narrow + l->layout.deep + l->layout.gone, 0);
    assert_false(l->layout.is_full);
}

TEST_OF(layout_makes_one_frame_of_what_is_narrow, laid_out, l)
{
    fixture_add(&l->f, "t", 1, "main f", 90);
    fixture_add(&l->f, "t", 1, "main f g", 4);
    fixture_add(&l->f, "t", 1, "main g", 3);
    fixture_add(&l->f, "t", 1, "main h g", 2);
    fixture_add(&l->f, "t", 1, "h", 1);
    lay_out(l, 5);
    assert_int_equal(l->layout.count, 3);
    assert_at(l, "main f", 1, 0, 94);
    assert_at(l, "main +", 1, 94, 5);
    assert_int_equal(find(l, "main +")->count, 2);
    /* Too narrow even together: "main f g" and "h". */
    assert_null(find(l, "main f +"));
    assert_int_equal(l->layout.narrow, 3 + 2 + 4 + 1);
}

TEST_OF(layout_cuts_deep_chains, laid_out, l)
{
    fixture_add_deepest(&l->f, "f", "g");
    fixture_add(&l->f, "t", 1, "main", 1);
    lay_out(l, 1);
    assert_int_equal(l->layout.levels, FLAME_LEVELS_MAX + 1);
    assert_int_equal(l->layout.count, FLAME_LEVELS_MAX + 2);
    assert_int_equal(l->layout.deep, l->fold->total[TRIE_ROOT] - 1);
    assert_int_equal(l->layout.narrow, 0);
}

TEST_OF(layout_weighs_what_has_gone, laid_out, l)
{
    fixture_add(&l->f, "t", 1, "main f", 10);
    fixture_add_base(&l->f, "t", 1, "main f", 5);
    fixture_add_base(&l->f, "t", 1, "main f g", 3);
    fixture_add_base(&l->f, "t", 1, "h g", 2);
    fixture_add_base(&l->f, "t", 1, "h", 1);
    lay_out(l, 1);
    assert_int_equal(l->layout.count, 2);
    assert_int_equal(find(l, "main f")->base, 8);
    assert_int_equal(l->layout.gone, 3 + 3);
}

/* Chains of functions without names, which are all different. */
static void add_wide(struct fixture *f, uint32_t chains, uint32_t depth)
{
    uint32_t at = 0x1000;

    for (uint32_t i = 0; i < chains; i++) {
        char text[1000] = "";
        size_t length = 0;

        for (uint32_t j = 0; j < depth; j++, at += 16)
            length += (size_t)snprintf(text + length, sizeof(text) - length, "%s@%x", j ? " " : "",
                                       (unsigned)at);
        fixture_add(f, "t", 1, text, 1 + i % 3);
    }
}

/* Whatever is left out: a frame is as wide as it weighs, and in its caller. */
static void assert_nested(const struct laid_out *l)
{
    const struct flame_layout *layout = &l->layout;

    for (size_t i = 0; i < layout->count; i++) {
        const struct flame_frame *frame = &layout->frames[i];

        if (frame->node == TRIE_NONE)
            continue;
        assert_int_equal(frame->weight, l->fold->total[frame->node]);
        for (size_t j = i + 1; j < layout->count && layout->frames[j].level > frame->level; j++) {
            const struct flame_frame *inner = &layout->frames[j];

            assert_true(inner->start >= frame->start);
            assert_true(inner->start + inner->weight <= frame->start + frame->weight);
        }
    }
}

TEST_OF(layout_of_many_frames_has_the_heaviest, laid_out, l)
{
    uint64_t lightest = UINT64_MAX;
    size_t functions = 0;

    add_wide(&l->f, 1000, 40);
    lay_out(l, 1);
    assert_true(l->fold->trie.len > 4 * FLAME_FRAMES_MAX);
    assert_true(l->layout.is_full);
    for (size_t i = 0; i < l->layout.count; i++) {
        if (l->layout.frames[i].node == TRIE_NONE)
            continue;
        functions++;
        if (l->layout.frames[i].weight < lightest)
            lightest = l->layout.frames[i].weight;
    }
    assert_int_equal(functions, FLAME_FRAMES_MAX);
    assert_int_equal(lightest, 3); /* 13,320 frames weigh so much */
    assert_true(l->layout.narrow > 0);
    assert_true(l->layout.count <= 2 * FLAME_FRAMES_MAX + 1);
    assert_nested(l);
}

TEST_OF(layout_of_nothing_is_empty, laid_out, l)
{
    lay_out(l, 1);
    assert_int_equal(l->layout.count, 0);
    assert_int_equal(l->layout.levels, 0);
}
