/* SPDX-License-Identifier: MIT */
/* A page's chains: their steps, which are one, and how their trie is numbered. */
#include "graph_fixture.h"

#include "output/html/page_chains.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"f", .start = 0x3000, .file = "src/f.c", .line = 100},
    {"g", .start = 0x4000, .file = "src/g.c", .line = 1, .inlined = "inlined"},
    {"flat", .module = 1, .start = 0x5000}, /* without lines */
    {0},
};

struct made {
    struct fixture f;
    struct page_chains chains;
};

static void made_init(struct made *made)
{
    *made = (struct made){.chains = {.view = NULL}};
    fixture_init(&made->f, FUNCTIONS);
}

/* Of all chains that are shown. */
static void make(struct made *made, const struct graph_filter *filter)
{
    struct view *view = fixture_view(&made->f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, filter);
    bool *is_used = calloc(made->f.profile->chain_count + 1, sizeof(*is_used));

    for (size_t i = 0; i < made->f.profile->cell_count; i++)
        is_used[made->f.profile->cells[i].chain] |= view->cell_shown[i];
    assert_int_equal(page_chains_init(&made->chains, view, is_used), STATUS_OK);
    free(is_used);
}

static void made_deinit(struct made *made)
{
    page_chains_deinit(&made->chains);
    fixture_deinit(&made->f);
}

/* "main f", the outermost first; what is inlined has "+", a call "!". */
static const char *text_of(const struct made *made, size_t chain, char text[256])
{
    const struct page_chains *chains = &made->chains;
    char one[256];

    text[0] = '\0';
    for (uint32_t node = chains->list[chain].node; node != TRIE_ROOT;
         node = chains->trie.nodes[node].parent) {
        const struct page_frame *frame = &chains->frames[chains->trie.nodes[node].key];

        snprintf(one, sizeof(one), "%s%s%s%s%s",
                 chains->view->nodes[chains->functions[frame->function]].name,
                 frame->flags & PAGE_FRAME_INLINED ? "+" : "",
                 frame->flags & PAGE_FRAME_CALLS ? "!" : "", text[0] ? " " : "", text);
        strcpy(text, one);
    }
    return text;
}

TEST_OF(steps_tell_inlined_ones_and_calls, made, made)
{
    char text[256];

    fixture_add(&made->f, "a", 1, "main g/900 g/904", 1);
    make(made, NULL);
    assert_int_equal(made->chains.count, 1);
    assert_string_equal(text_of(made, 0, text), "main! g! inlined+! g! inlined+");
}

TEST_OF(frames_of_one_line_are_one, made, made)
{
    /* Without lines only the address differs. */
    fixture_add(&made->f, "a", 1, "main flat/10", 1);
    fixture_add(&made->f, "a", 1, "main flat/20", 1);
    fixture_add(&made->f, "a", 1, "main f/10", 1);
    fixture_add(&made->f, "a", 1, "main f/20", 1);
    fixture_add(&made->f, "a", 1, "main f/20!fp", 1);
    make(made, NULL);
    assert_int_equal(made->f.profile->chain_count, 5);
    assert_int_equal(made->chains.count, 4);
    assert_int_equal(made->chains.of_chain[0], made->chains.of_chain[1]);
    assert_int_not_equal(made->chains.of_chain[2], made->chains.of_chain[3]);
    assert_int_not_equal(made->chains.of_chain[3], made->chains.of_chain[4]);
    assert_int_equal(made->chains.function_count, 3);
    assert_int_equal(made->chains.module_count, 2);
    assert_int_equal(made->chains.file_count, 2);
    assert_string_equal(made->chains.modules[page_chains_module(
                            &made->chains, made->f.view->nodes[made->chains.functions[0]].module)],
                        "/usr/bin/prog");
}

/* The one loop that a reader needs. */
TEST_OF(the_trie_is_numbered_depth_first, made, made)
{
    const struct trie *trie;
    uint32_t *at;

    fixture_add(&made->f, "a", 1, "main f g", 1);
    fixture_add(&made->f, "a", 1, "main g", 1);
    fixture_add(&made->f, "a", 1, "f", 1);
    fixture_add(&made->f, "a", 1, "main f flat", 1);
    fixture_add(&made->f, "a", 1, "main", 1);
    make(made, NULL);
    trie = &made->chains.trie;
    at = calloc(trie->len, sizeof(*at));
    for (uint32_t i = 0; i < trie->len; i++) {
        assert_true(made->chains.preorder[i] < trie->len);
        assert_int_equal(at[made->chains.preorder[i]], 0); /* each number once */
        at[made->chains.preorder[i]] = i;
    }
    for (uint32_t i = 1; i < trie->len; i++) {
        uint32_t node = at[i - 1], parent = trie->nodes[at[i]].parent;

        while (node != parent && node != TRIE_ROOT) /* below what is before it, or beside */
            node = trie->nodes[node].parent;
        assert_int_equal(node, parent);
    }
    free(at);
}

TEST_OF(hidden_frames_and_chains_are_not_there, made, made)
{
    struct graph_filter filter = {.has_tid = false};
    struct diag diag;
    char text[256];

    assert_int_equal(graph_filter_set(&filter, FILTER_HIDE, "^(main|f)$", &diag), STATUS_OK);
    fixture_add(&made->f, "a", 1, "main f g/10", 1);
    fixture_add(&made->f, "a", 1, "f g/10", 1);
    fixture_add(&made->f, "a", 1, "main f", 1);
    make(made, &filter);
    assert_int_equal(made->chains.count, 1);
    assert_string_equal(text_of(made, 0, text), "g");
    assert_int_equal(made->chains.of_chain[0], made->chains.of_chain[1]);
    assert_int_equal(made->chains.of_chain[2], PAGE_NONE);
    graph_filter_deinit(&filter);
}
